"""Guarantees with ordinary parameters, drawn from the limits that their fields declare."""

from dataclasses import fields
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.parameter import Parameter
from rdpacct.privacy.guarantee import GUARANTEES, Guarantee, ProfileDP
from rdpacct.testing.strategies.drawn_numbers import positive_numbers, probabilities
from rdpacct.testing.strategies.installed import SearchStrategy, st

MOST_POINTS = 3


def guarantees(*kinds: type[Guarantee]) -> SearchStrategy[Any]:
    """Guarantees of these kinds, as in ``guarantees(PureDP, ZCDP)``, or of every kind."""
    for kind in kinds:
        if kind not in GUARANTEES:
            raise InputError(
                f"{kind!r} is not a guarantee; give some of"
                f" {', '.join(each.__name__ for each in GUARANTEES)}."
            )
    return st.one_of([_of(kind) for kind in kinds or GUARANTEES])


def _of(kind: type[Guarantee]) -> SearchStrategy[Guarantee]:
    if kind is ProfileDP:
        return _points().map(ProfileDP)
    declared = {field.name: vars(kind)[field.name] for field in fields(kind)}  # type: ignore[arg-type]
    drawn = {name: within(parameter) for name, parameter in declared.items()}
    return st.builds(kind, **drawn)


def _points() -> SearchStrategy[list[tuple[Fraction, Fraction]]]:
    """Points (epsilon, delta), each epsilon once."""
    point = st.tuples(st.just(Fraction(0)) | positive_numbers(), probabilities())
    return st.lists(
        point, min_size=1, max_size=MOST_POINTS, unique_by=lambda pair: pair[0]
    )


def within(declared: Parameter) -> SearchStrategy[Fraction]:
    """Numbers of ordinary size that a parameter allows, with its least value."""
    if declared.least is None:
        return (
            st.just(Fraction(0)) | positive_numbers() | positive_numbers().map(_minus)
        )
    if declared.most == 1:
        return probabilities().filter(
            lambda drawn: drawn > 0 or not declared.above_least
        )
    least = declared.least
    larger = positive_numbers().map(lambda drawn: drawn + least)
    if declared.above_least:
        return larger
    return st.just(Fraction(least)) | larger


def _minus(drawn: Fraction) -> Fraction:
    return -drawn
