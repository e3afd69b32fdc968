"""The table of closer ends: no row makes an answer worse, and the page names all rows."""

from itertools import takewhile
from pathlib import Path

import pytest

from rdpacct import epsilon
from rdpacct.composition import composed_loss
from rdpacct.composition.answers import Found
from rdpacct.composition.closer_ends import (
    CLOSER_ENDS,
    FOR_DELTA,
    FOR_EPSILON,
    AskedSum,
    Closer,
    has_below,
    was_chosen,
)
from rdpacct.composition.ends.known_ends import NARROW

PAGE = Path(__file__).parents[2] / "docs" / "composition.md"
PLANS = [
    "ZCDP(rho=0.1) + Laplace(scale=2)",
    "40*SampledWithoutReplacement(Gaussian(sigma=2), batch=1, of=10)",
    "300*Exponential(epsilon=0.1)",
    "100*ReportNoisyMax(epsilon=0.1)",
]
"""Plans whose answers stay wide."""


def test_the_page_has_the_rows_in_their_order() -> None:
    """Each row of the table has one of the page, with its name."""
    lines = PAGE.read_text().splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("| Row |"))
    rows = takewhile(lambda line: line.startswith("|"), lines[start + 2 :])
    names = [line.split("|")[1].strip() for line in rows]
    assert names == [row.name for row in CLOSER_ENDS]


def test_each_question_has_its_rows() -> None:
    """Every row answers a question, and takes a part of the work or all of it."""
    asked = {row.name for row, _ in (*FOR_DELTA, *FOR_EPSILON)}
    assert asked == {row.name for row in CLOSER_ENDS}
    for row in CLOSER_ENDS:  # others are not looked at where an answer is narrow
        assert row.wider_than >= NARROW or row.applies in (has_below, was_chosen)
    assert all(row.part is None or 0 < row.part < 1 for row in CLOSER_ENDS)


@pytest.mark.parametrize("plan", PLANS)
def test_a_row_makes_no_upper_end_worse(
    plan: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that apply to wide answers leave the upper end or lower it."""
    walked: list[tuple[Found, Found]] = []

    def watched(closer: Closer) -> Closer:
        def ask(asked: AskedSum, found: Found) -> Found:
            closer_found = closer(asked, found)
            walked.append((found, closer_found))
            return closer_found

        return ask

    rows = tuple((row, watched(closer)) for row, closer in FOR_EPSILON)
    monkeypatch.setattr(composed_loss, "FOR_EPSILON", rows)
    epsilon(plan, "1e-6", relation="replace_one")
    assert walked
    assert all(after.bound.upper <= before.bound.upper for before, after in walked)
