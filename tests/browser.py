"""A page in headless Chromium: what it shows, what it asks the network for, what axe-core finds.

Chromium is looked for on the path; the Python packages are the extra ``browser``. Where one of them
is missing, ``why_not`` says so, and tests are skipped with that reason.
"""

import importlib.util
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

NAMES = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("playwright", "axe_playwright_python")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update"),
    "--disable-sync",
)
SERIOUS = ("serious", "critical")
Scheme = Literal["light", "dark"]


def executable() -> str | None:
    """Where Chromium is."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def why_not() -> str:
    """Why no browser can be run here; empty if one can."""
    if executable() is None:
        return "Chromium is not installed"
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    return f"{missing[0]} is not installed" if missing else ""


@dataclass
class Opened:
    """A page that is open, with every address that it asked for and every error that it had."""

    page: Any
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def external(self) -> list[str]:
        """The requests that leave the file."""
        return [url for url in self.requests if not url.startswith(("file:", "data:"))]

    def values(self) -> dict[str, str]:
        """The value of each ``data`` element by its path; one path has one value."""
        pairs = self.page.eval_on_selector_all(
            "data[data-path]", "all => all.map(one => [one.dataset.path, one.value])"
        )
        values: dict[str, str] = {}
        for path, value in pairs:
            assert values.setdefault(path, value) == value, path
        return values

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        width: int = self.page.evaluate(
            "document.documentElement.scrollWidth - window.innerWidth"
        )
        return width

    def findings(self) -> list[str]:
        """What axe-core calls serious or critical, with the first place of each."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        return [
            f"{each['id']}: {each['help']} ({each['nodes'][0]['html'][:120]})"
            for each in found
            if each["impact"] in SERIOUS
        ]


@contextmanager
def opened(
    file: Path, width: int = 1000, scheme: Scheme = "light", height: int = 800
) -> Iterator[Opened]:
    """A file, opened in a browser of its own."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            folder,
            executable_path=executable(),
            headless=True,
            args=list(FLAGS),
            color_scheme=scheme,
            viewport={"width": width, "height": height},
        )
        try:
            page = context.new_page()
            shown = Opened(page)
            page.on("request", lambda request: shown.requests.append(request.url))
            page.on("pageerror", lambda error: shown.errors.append(str(error)))
            page.goto(file.resolve().as_uri())
            yield shown
        finally:
            context.close()
