"""Adversaries of a budget: the best interaction with finite releases, by exact enumeration.

An adversary chooses the next release after every output, among those that the budget still allows,
and may stop at any time. Every strategy is tried, in rationals.
"""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TypeAlias, TypeVar

Outcomes: TypeAlias = tuple[tuple[Fraction, Fraction], ...]
"""The probabilities of each output of a release under P and Q."""
S = TypeVar("S", bound=Hashable)
NONE = Fraction(0)
WHOLE = Fraction(1)


def best_delta(
    menu: Sequence[Outcomes],
    allowed: Callable[[S, int], S | None],
    state: S,
    growth: Fraction,
    rounds: int,
) -> Fraction:
    """The largest P(S) - growth Q(S) of an interaction of at most this many releases.

    ``allowed`` gives the state of the budget after one more release of the menu, or None if it is
    refused.
    """
    best = max(NONE, 1 - growth)
    if rounds == 0:
        return best
    for number, outcomes in enumerate(menu):
        after = allowed(state, number)
        if after is None:
            continue
        gained = NONE
        for p, q in outcomes:
            if p:
                left = best_delta(menu, allowed, after, growth * q / p, rounds - 1)
                gained += p * left
        best = max(best, gained)
    return best


def exact_and_stop(
    menu: Sequence[Outcomes], growth: Fraction, delta: Fraction
) -> Callable[[tuple[int, ...], int], tuple[int, ...] | None]:
    """The false filter: a release is made if the exact delta of all that were made, as if they had
    been fixed in advance, is within the budget.
    """

    def allowed(made: tuple[int, ...], number: int) -> tuple[int, ...] | None:
        after = (*made, number)
        if exact_delta([menu[release] for release in after], growth) <= delta:
            return after
        return None

    return allowed


def exact_delta(releases: Sequence[Outcomes], growth: Fraction) -> Fraction:
    """The delta of releases that are fixed in advance."""
    if not releases:
        return max(NONE, 1 - growth)
    first, *others = releases
    return sum(
        (p * exact_delta(others, growth * q / p) for p, q in first if p), start=NONE
    )


def best_reach(
    menu: Sequence[Outcomes],
    after: Callable[[S, int], S],
    reached: Callable[[S, Fraction], bool],
    state: S,
    rounds: int,
    ratio: Fraction = WHOLE,
) -> Fraction:
    """The largest probability under P that the loss reaches a bound at some time, within this many
    releases.

    ``after`` gives the state of an odometer with one more release of the menu, and ``reached`` says
    whether outputs of this ratio P to Q have reached its bound then.
    """
    best = NONE
    if rounds == 0:
        return best
    for number, outcomes in enumerate(menu):
        then = after(state, number)
        gained = NONE
        for p, q in outcomes:
            if not p:
                continue
            if not q or reached(then, ratio * p / q):
                gained += p
                continue
            below = best_reach(menu, after, reached, then, rounds - 1, ratio * p / q)
            gained += p * below
        best = max(best, gained)
    return best
