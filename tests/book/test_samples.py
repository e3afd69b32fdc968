"""Parts about finite samples, on data with different records: all that they suppose holds.

The witnesses that ship have equal records. Here the hypotheses are evaluated on small data sets,
for whole numbers up to beyond the sample and for numbers on a grid: all that depends on a real
number is a step function with its steps at integers, so that half-integers decide it.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import pytest

from rdpacct.exact.formula import Expr, Product, Rational, Sum, Symbol
from rdpacct.proof.claim import Comparison
from rdpacct.proof.entries import theorem
from rdpacct.proof.kernel import Whole, assume, at_most
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.statements import Hypothesis
from rdpacct.proof.kernel.terms import Quantity
from rdpacct.proof.tactics.ranks import Sample
from rdpacct.proof.theorem import Statement
from rdpacct.proof.witness import hypotheses_of

GRID = [Fraction(number, 2) for number in range(-6, 17)]
RANKS = [Fraction(number) for number in range(-1, 7)]
Function = Callable[..., Fraction]


@dataclass(frozen=True)
class World:
    """Numbers for symbols and functions for quantities."""

    values: Mapping[str, Fraction]
    functions: Mapping[str, Function]

    def at(self, expr: Expr, bound: Mapping[str, Fraction]) -> Fraction:
        """The value of a formula."""
        known = {**self.values, **bound}
        if isinstance(expr, Symbol):
            return known[expr.name]
        parts = tuple(self.at(part, bound) for part in expr.parts())
        if isinstance(expr, Quantity):
            return self.functions[expr.name](*parts)
        if isinstance(expr, Sum):
            return sum(parts, Fraction(0))
        if isinstance(expr, Product):
            return math.prod(parts, start=Fraction(1))
        if isinstance(expr, Rational):
            return expr.value
        found = expr.rebuild(tuple(map(_as_formula, parts)))
        return Fraction(str(found.bound().lower))

    def holds(self, one: Comparison, bound: Mapping[str, Fraction]) -> bool:
        """A relation at these values of what is bound."""
        left = self.at(one.left, bound)
        right = self.at(one.right, bound)
        return {"<": left < right, "<=": left <= right, "==": left == right}[one.sign]

    def breaks(self, one: Hypothesis) -> Iterator[dict[str, Fraction]]:
        """The values at which a hypothesis fails."""
        whole = {c.name: c.start for c in one.domain if isinstance(c, Whole)}
        ranges = [RANKS if name in whole else GRID for name in one.every]
        for chosen in product(*ranges):
            bound = dict(zip(one.every, chosen, strict=True))
            known = {**self.values, **bound}
            if any(known[name] < start for name, start in whole.items()):
                continue
            relations = [c for c in one.domain if isinstance(c, Comparison)]
            if all(self.holds(c, bound) for c in relations) and not self.holds(
                one.relation, bound
            ):
                yield bound


def _as_formula(value: Fraction) -> Expr:
    return Symbol("x").at(x=value)


def indicator(x: Fraction) -> Fraction:
    """What the entries call I."""
    return Fraction(x >= 0)


def sample(
    values: str, counter: str, *numbers: int, ends: tuple[int, int] = (-3, 8)
) -> dict[str, Function]:
    """The sorted values with the ends of the range beside them, and their counting function."""
    low, high = ends
    row = [low, *sorted(numbers)]

    def value(rank: Fraction) -> Fraction:
        return Fraction(row[int(rank)] if rank < len(row) else high)

    return {values: value, counter: counting(value)}


def records(values: str, counter: str, *numbers: int) -> dict[str, Function]:
    """Numbers in no order, of which only the first are given, and their counting function."""

    def value(place: Fraction) -> Fraction:
        return Fraction(numbers[int(place) - 1] if place <= len(numbers) else 0)

    return {values: value, counter: counting(value)}


def counting(value: Function) -> Function:
    """How many of the first so many are at most this."""
    return lambda number, at: Fraction(
        sum(value(Fraction(place)) <= at for place in range(1, int(number) + 1))
    )


def common(*numbers: int) -> Function:
    """How many of some numbers are at most this."""
    return lambda at: Fraction(sum(number <= at for number in numbers))


def world(*parts: Mapping[str, Function], **values: int) -> World:
    """A world with these quantities, the indicator, and these numbers."""
    functions: dict[str, Function] = {"I": indicator}
    for part in parts:
        functions |= part
    return World({name: Fraction(value) for name, value in values.items()}, functions)


def placed(before: World, **values: int) -> World:
    """The world with some other numbers."""
    new = {name: Fraction(value) for name, value in values.items()}
    return replace(before, values={**before.values, **new})


def neighbors(x: tuple[int, ...], y: tuple[int, ...], **values: int) -> World:
    """Two data sets that share all but the last record."""
    return world(
        sample("V", "c", *x),
        sample("W", "d", *y),
        {"s": common(*x[:-1])},
        n=len(x),
        old=x[-1],
        new=y[-1],
        **values,
    )


NEAR = neighbors((0, 2, 1), (0, 2, 5), k=2, m=2)
RAISED = neighbors((0, 2, 1), (0, 2, 2), m=2)
LOWERED = neighbors((0, 2, 1), (0, 2, 0), m=2)
ZEROS = neighbors((0, 5, 0), (0, 5, 5), m=2, U=5)
EVEN = neighbors((0, 0, 5, 0), (0, 0, 5, 5), m=2, U=5)
FROM_ZERO = world(
    sample("V", "c", 0, 1, 2, 3, ends=(0, 5)),
    sample("W", "d", 0, 1, 3, 5, ends=(0, 5)),
    {"s": common(0, 1, 3)},
    n=4,
    m=2,
    U=5,
    old=2,
    new=5,
)
REPLACED = world(
    sample("V", "c", 0, 1, 2),
    sample("Y", "d", 0, 2, 4),
    records("C", "s", 0, 2),
    records("A", "lost", 1),
    records("B", "gained", 4),
    n=3,
    q=2,
    k=1,
    m=1,
    r=1,
    beta=0,
)
NESTED = world(sample("F", "few", 1, 2), sample("M", "many", 1, 2, 2), m=3, x=2, k=2)
PAIRS = world(
    sample("d", "few", 1),
    sample("F", "many", 1, 2, 3),
    records("E", "added", 3, 2),
    n=2,
    p=1,
    k=1,
    at=1,
)
"""The distances of the points 0 and 1, and with the point 3 besides."""
RAISING = world(
    sample("V", "c", 0, 0, 1),
    sample("W", "d", 0, 1, 1),
    records("A", "lost", 0),
    records("B", "gained", 1),
    {"s": common(0, 1), "S": lambda: Fraction(8), "Moved": lambda: Fraction(1)},
    n=3,
    k=2,
    r=1,
    j=0,
    beta=0,
)
WORLDS: dict[tuple[str, str], World] = {
    **{
        ("smooth/median-local", part): NEAR
        for part in ("above", "below", "rise", "fall", "middle-rise", "middle-fall")
    },
    ("smooth/median-local", "raised"): RAISED,
    ("smooth/median-local", "lowered"): LOWERED,
    ("smooth/median-global", "median-of-x"): ZEROS,
    ("smooth/median-global", "median-of-x'"): ZEROS,
    ("smooth/median-global", "difference"): ZEROS,
    ("smooth/median-global", "middle-two"): FROM_ZERO,
    ("smooth/median-global", "half"): EVEN,
    **{
        ("smooth/order-statistic", part): REPLACED
        for part in ("within", "weighted", "to the left", "to the right")
    },
    ("sensitivity/ratio", "upper"): NESTED,
    ("sensitivity/ratio", "lower"): NESTED,
    ("sensitivity/ratio", "not below"): placed(NESTED, at=1),
    ("sensitivity/ratio", "not above"): placed(NESTED, at=2),
    ("sensitivity/quantile", "common"): NESTED,
    **{
        ("sensitivity/u-statistic", part): PAIRS
        for part in ("upper", "lower", "above", "not above")
    },
    ("sensitivity/u-statistic", "not below"): placed(PAIRS, at=0),
    ("sensitivity/smooth-quantile", "interlaced"): RAISING,
    ("sensitivity/smooth-quantile", "smooth"): RAISING,
}


def part_of(entry: str, name: str) -> Statement:
    """A part of an entry."""
    found = theorem(entry)
    (part,) = [one for one in (*found.parts, *found.sharp) if one.name == name]
    return part


@pytest.mark.parametrize(("entry", "name"), sorted(WORLDS))
def test_what_a_part_supposes_holds_of_data(entry: str, name: str) -> None:
    part = part_of(entry, name)
    here = WORLDS[entry, name]
    for hypothesis in hypotheses_of(part):
        assert next(here.breaks(hypothesis), None) is None, str(hypothesis)
    for one in conditions_of(*part.given):
        if isinstance(one, Comparison):
            assert here.holds(one, {}), str(one)
        elif isinstance(one, Whole):
            assert here.values[one.name] >= one.start
    assert here.holds(part.claim, {})


def test_every_part_about_a_sample_has_data() -> None:
    entries = {entry for entry, _ in WORLDS}
    about = {
        (entry, part.name)
        for entry in entries
        for part in (*theorem(entry).parts, *theorem(entry).sharp)
        if any(key.endswith("counted one by one") for key in part.assuming)
    }
    assert about == set(WORLDS)


WRONG = {
    "two records replaced": neighbors((0, 2, 1), (1, 3, 5), k=2, m=2),
    "a value out of the range": neighbors((0, 2, 1), (0, 2, 9), k=2, m=2),
    "a count that forgets a record": world(
        sample("V", "c", 0, 1, 2),
        {**sample("W", "d", 0, 1, 2), "d": lambda *_: Fraction(0)},
        {"s": common(0, 1)},
        n=3,
        old=2,
        new=2,
        k=2,
        m=2,
    ),
    "values out of order": world(
        {**sample("V", "c", 0, 1, 2), "V": lambda rank: -rank},
        sample("W", "d", 0, 1, 2),
        {"s": common(0, 1)},
        n=3,
        old=2,
        new=2,
        k=2,
        m=2,
    ),
}


@pytest.mark.parametrize("what", sorted(WRONG))
def test_what_a_part_supposes_fails_of_other_data(what: str) -> None:
    part = part_of("smooth/median-local", "above")
    broken = [h for h in hypotheses_of(part) if any(WRONG[what].breaks(h))]
    assert broken


def test_ranks_beyond_a_sample_are_not_reached() -> None:
    """What was once assumed of all ranks is true up to the size, and false of the next one."""
    data = Sample("c", "V")
    k = Symbol("k")
    reached = at_most(k, data.count(data.value(k)))
    (beyond,) = assume(reached, Whole("k", 1), every="k").hypotheses
    (inside,) = assume(reached, Whole("k", 1), "k <= n", every="k").hypotheses
    assert next(NEAR.breaks(beyond)) == {"k": Fraction(4)}
    assert next(NEAR.breaks(inside), None) is None
