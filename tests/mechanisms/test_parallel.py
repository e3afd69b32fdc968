"""Releases on disjoint parts: the worst part, against enumeration, and what is refused."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

from rdpacct import (
    FiniteMechanism,
    Gaussian,
    InputError,
    Laplace,
    Parallel,
    Plan,
    PoissonSampled,
    PureDP,
    Relation,
    audit,
    calibrate,
    delta,
    epsilon,
    read_document,
    read_plan,
)
from rdpacct.functions import exp

ONE = FiniteMechanism([["0.6", "0.4"], ["0.3", "0.7"]])
TWO = FiniteMechanism([["0.5", "0.2", "0.3"], ["0.4", "0.35", "0.25"]])
ALL = FiniteMechanism([["0.55", "0.45"], ["0.5", "0.5"]])


def hockey(factor: Fraction, *tables: FiniteMechanism) -> Fraction:
    """The largest P(S) - factor Q(S) of two tables, of which the second may be turned round after
    the output of the first.
    """
    return max(
        sum(
            max(
                _excess(p, q, factor, then.rows[turn], then.rows[1 - turn])
                for turn in (0, 1)
            )
            for p, q in zip(first.rows[way], first.rows[1 - way], strict=True)
        )
        + Fraction(0)
        for first, then in permutations(tables)
        for way in (0, 1)
    )


def _excess(
    p: Fraction,
    q: Fraction,
    factor: Fraction,
    above: Sequence[Fraction],
    below: Sequence[Fraction],
) -> Fraction:
    """The positive part of p times the one row, less the factor and q times the other."""
    pairs = zip(above, below, strict=True)
    return sum(
        (max(p * x - factor * q * y, Fraction(0)) for x, y in pairs), Fraction(0)
    )


@pytest.mark.parametrize("level", ["0", "0.1", "0.3", "0.6"])
def test_the_worst_part_decides(level: str) -> None:
    """By enumeration of all outcomes, with a release on all of the data beside the parts."""
    bound = exp(Fraction(level)).bound()
    low, high = (
        [hockey(Fraction(end), part, ALL) for part in (ONE, TWO)]
        for end in (bound.upper, bound.lower)
    )
    found = delta(Parallel([ONE, TWO]) + ALL, level)
    assert found.lower <= max(high)
    assert found.upper >= max(low)
    assert found.upper - found.lower < Fraction(1, 10**6)


def test_parts_cost_less_than_releases_one_after_the_other() -> None:
    """The parts are between each of them and all of them."""
    parts = [
        Gaussian(sigma=4),
        Laplace(scale=5),
        PoissonSampled(Gaussian(sigma=1), "0.1"),
    ]
    together = epsilon(Parallel(parts), "1e-6")
    alone = [epsilon(part, "1e-6") for part in parts]
    assert together.upper == max(bound.upper for bound in alone)
    assert together.certainly_below(epsilon(Plan.of(*parts), "1e-6"))


def test_a_record_stays_in_its_part() -> None:
    """A multiple is the worst multiple of a part, and not the worst part of each time."""
    mixed = 3 * Parallel([Gaussian(sigma=4), Laplace(scale=5)])
    apart = [
        epsilon(3 * Gaussian(sigma=4), "1e-6"),
        epsilon(3 * Laplace(scale=5), "1e-6"),
    ]
    assert epsilon(mixed, "1e-6").upper == max(bound.upper for bound in apart)


def test_two_ways_to_divide_the_data_are_combined() -> None:
    """A record may be in any part of the one and of the other."""
    by_region = Parallel([Gaussian(sigma=4), Laplace(scale=5)])
    by_age = Parallel([Gaussian(sigma=3), Laplace(scale=9)])
    cases = [first + second for first in by_region.parts for second in by_age.parts]
    worst = max(epsilon(case, "1e-6").upper for case in cases)
    assert epsilon(by_region + by_age, "1e-6").upper == worst


def test_replacing_a_record_is_refused() -> None:
    """It may move from one part to another; randomized response in both parts shows it."""
    with pytest.raises(InputError, match="leave one part and enter another"):
        read_plan("Parallel(parts=[Gaussian(sigma=1)])", Relation.REPLACE_ONE)
    replaced = Gaussian(sigma=1).stated_for(Relation.REPLACE_ONE)
    with pytest.raises(InputError, match="two parts change"):
        Parallel([replaced])


def test_other_questions_take_parts() -> None:
    """Audits, calibrations, trade-offs, and the text reads back."""
    plan = read_plan(
        "Parallel(parts=[Gaussian(sigma=4), 2*Laplace(scale=5)]) + Laplace(scale=9)"
    )
    assert read_plan(str(plan)) == plan
    assert audit(Parallel([Laplace(scale=1), Laplace(scale=2)]), PureDP(1)).holds
    assert audit(Parallel([Laplace(scale=1), Laplace(scale="0.9")]), PureDP(1)).fails
    open_plan = "Parallel(parts=[Gaussian(sigma=?), Laplace(scale=10)])"
    found = calibrate(open_plan, 1, "1e-6")
    assert found.value.overlaps(calibrate("Gaussian(sigma=?)", 1, "1e-6").value)


@pytest.mark.parametrize("parts", [[], "Gaussian(sigma=1)", [3]])
def test_parts_that_are_none_are_refused(parts: object) -> None:
    """A list of plans is wanted."""
    with pytest.raises(InputError, match="give"):
        Parallel(parts)  # type: ignore[arg-type]


def test_too_many_combinations_are_refused() -> None:
    """The work is limited, and the sentence says how to reduce it."""
    many = Plan.of(
        *(Parallel([Gaussian(sigma=s), Laplace(scale=s)]) for s in range(2, 9))
    )
    with pytest.raises(InputError, match="combinations of parts"):
        epsilon(many, "1e-6")


def test_files_have_parts(tmp_path: Path) -> None:
    """Their names arrive, and an error names its part."""
    path = tmp_path / "plan.toml"
    content = """
version = 1
[[releases]]
name = "by region"
[[releases.parts]]
name = "north"
releases = [{ mechanism = "Gaussian(sigma=4)" }]
[[releases.parts]]
name = "south"
releases = [{ mechanism = "Laplace(scale=5)", count = 2 }]
"""
    path.write_text(content)
    document = read_document(str(path))
    assert document.plan == Plan.of(Parallel([Gaussian(4), 2 * Laplace(5)]))
    assert [part.name for part in document.releases[0].parts] == ["north", "south"]
    path.write_text(content.replace("scale=5", "scale=-5"))
    with pytest.raises(InputError, match=r"release 1 \(by region\), part 2 \(south\)"):
        read_document(str(path))
