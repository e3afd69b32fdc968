"""The pages of the book in headless Chromium: formulas, links, search, and what axe-core finds."""

from pathlib import Path

import pytest

from rdpacct.book.entry import check
from rdpacct.book.pages.entry import page_name
from rdpacct.book.pages.site import write_site
from rdpacct.proof.entries import theorem
from tests.browser import Scheme, opened, why_not

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "it can be run"),
]

NAME = "cdp/kl-half"
OTHER = "group/pure"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pages of two entries."""
    folder = tmp_path_factory.mktemp("book")
    write_site(folder, [NAME, OTHER])
    return folder


def test_an_entry_shows_its_verdict_and_its_formulas(pages: Path) -> None:
    """Each statement has its claim as MathML that the browser lays out; nothing is loaded."""
    with opened(pages / page_name(NAME)) as shown:
        assert shown.page.locator("#verdict").inner_text() == check(NAME).verdict
        claims = shown.page.locator("section.statement .claim math")
        entry = theorem(NAME)
        assert claims.count() == len(entry.parts) + len(entry.sharp)
        for place in range(claims.count()):
            box = claims.nth(place).bounding_box()
            assert box is not None
            assert box["height"] > 10
        assert (shown.external, shown.errors) == ([], [])


def test_the_search_finds_an_entry_by_its_number(pages: Path) -> None:
    """Rows without the words disappear, and come back."""
    with opened(pages / "index.html") as shown:
        rows = shown.page.locator("tr.entry:visible")
        everything = rows.count()
        shown.page.fill("#search", "Rothblum lemma 6")
        assert rows.count() == 1
        assert NAME in rows.first.inner_text()
        shown.page.fill("#search", "")
        assert rows.count() == everything
        shown.page.locator(f"a[href='{page_name(OTHER)}']").first.click()
        assert shown.page.locator("code").first.inner_text() == OTHER


@pytest.mark.parametrize(("width", "scheme"), [(1000, "dark"), (380, "light")])
@pytest.mark.parametrize("file", [page_name(NAME), "index.html", "errata.html"])
def test_nothing_serious_is_found(
    pages: Path, file: str, width: int, scheme: Scheme
) -> None:
    """axe-core, with all proofs open; no page is wider than its window."""
    with opened(pages / file, width, scheme) as shown:
        shown.page.evaluate(
            "document.querySelectorAll('details').forEach(each => each.open = true)"
        )
        assert shown.findings() == []
        assert shown.overflow() <= 0
