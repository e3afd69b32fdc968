"""Report pages in headless Chromium: their values, their requests, and what axe-core finds."""

import json
from pathlib import Path

import pytest

from rdpacct import audit_code, audit_page, check_refutation
from rdpacct.cli import main
from tests.browser import Scheme, opened, why_not
from tests.report.plans import CLINIC, NASTY, write
from tests.report.test_audit_page import answers, quiet
from tests.report.test_page import at

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "it can be run"),
]


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a plan file with claims, as the command writes it."""
    folder = tmp_path_factory.mktemp("clinic")
    file = folder / "report.html"
    assert main(["report", write(folder, CLINIC), "-o", str(file)]) == 1
    return file


def test_the_values_are_those_of_the_command(
    clinic: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Read out of the page that the browser built; nothing is asked of a network."""
    main(["report", str(clinic.with_name("plan.toml")), "--json"])
    data = json.loads(capsys.readouterr().out)
    with opened(clinic) as shown:
        values = shown.values()
        assert len(values) > 100
        for path, text in values.items():
            assert text == str(at(data, path)), path
        assert shown.page.locator("h1").inner_text() == data["title"]
        assert shown.page.locator("figure svg").count() == 3
        assert (shown.external, shown.errors) == ([], [])


@pytest.mark.parametrize(
    ("width", "scheme"), [(1000, "light"), (1000, "dark"), (380, "light")]
)
def test_nothing_serious_is_found(clinic: Path, width: int, scheme: Scheme) -> None:
    """axe-core, with all tables open; no page is wider than its window."""
    with opened(clinic, width, scheme) as shown:
        shown.page.evaluate(
            "document.querySelectorAll('details').forEach(each => each.open = true)"
        )
        assert shown.findings() == []
        assert shown.overflow() <= 0
        paper = shown.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(255, 255, 255)") == (scheme == "light")


def test_texts_of_users_stay_texts(tmp_path: Path) -> None:
    """No script runs, and the names are shown as they are written."""
    file = tmp_path / "nasty.html"
    main(["report", write(tmp_path, NASTY), "-o", str(file)])
    with opened(file) as shown:
        title = shown.page.locator("h1").inner_text()
        assert title == "<script>alert(1)</script> & <b onclick='x'>"
        assert shown.page.locator("script").count() == 0
        assert shown.page.locator("[onclick], [onerror], [onmouseover]").count() == 0
        assert shown.external == []


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of audits of running code, one refuted, one of rare events."""
    file = tmp_path_factory.mktemp("audited") / "audit.html"
    verdicts = [
        audit_code(function, 0, 1, "PureDP(epsilon=1)", trials=2000)
        for function in (quiet, answers)
    ]
    file.write_text(audit_page(*verdicts, record={"Seed": "0"}))
    return file


@pytest.mark.parametrize(
    ("width", "scheme"), [(1000, "light"), (1000, "dark"), (380, "light")]
)
def test_nothing_serious_is_found_in_an_audit(
    audited: Path, width: int, scheme: Scheme
) -> None:
    """Nor is anything asked of a network; the certificate in the page is accepted."""
    with opened(audited, width, scheme) as shown:
        shown.page.evaluate(
            "document.querySelectorAll('details').forEach(each => each.open = true)"
        )
        assert shown.findings() == []
        assert shown.overflow() <= 0
        assert (shown.external, shown.errors) == ([], [])
        assert shown.page.locator("figure svg").count() == 3
        text = shown.page.locator("pre.certificate").inner_text()
        assert check_refutation(json.loads(text)).claim == "PureDP(epsilon=1)"
        assert shown.page.locator("script").count() == 0


def test_the_checks_of_a_page_can_fail(tmp_path: Path) -> None:
    """A page with a request, without words for a picture, in faint letters, and too wide."""
    file = tmp_path / "bad.html"
    file.write_text(
        "<!DOCTYPE html><title>x</title><body style='width: 3000px'>"
        "<img src='http://localhost:9/x.png'><p style='color: #ccc'>faint</p>"
    )
    with opened(file) as shown:
        found = " ".join(shown.findings())
        assert "image-alt" in found
        assert "color-contrast" in found
        assert shown.external == ["http://localhost:9/x.png"]
        assert shown.overflow() > 0
