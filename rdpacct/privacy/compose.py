"""Composition rules: what several releases on the same data amount to.

Where a rule does not say otherwise, a release may be chosen after the outputs of those before it.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import Any, TypeVar

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.formula import Expr, Real, add
from rdpacct.exact.functions import minimum, sqrt
from rdpacct.exact.parameter import rational_of
from rdpacct.privacy.convert import renyi_at_smaller_order
from rdpacct.privacy.guarantee import (
    MOST_POINTS,
    ZCDP,
    ApproxDP,
    GaussianDP,
    Guarantee,
    MeanCDP,
    ProfileDP,
    PureDP,
    RandomDP,
    RenyiDP,
)
from rdpacct.privacy.random_dp import compose_random, compose_random_adaptively
from rdpacct.provenance import by

G = TypeVar("G", bound=Guarantee)


@by("gaussian/composition")
def compose_gaussian_shifts(shifts: Sequence[tuple[Expr, Real]]) -> Expr:
    """Gaussian releases with these shifts, each taken a number of times, act as one whose shift is
    the root of the sum of squares.
    """
    return sqrt(add(*(count * shift**2 for shift, count in shifts)))


@by("composition/basic")
def compose_pure(first: PureDP, second: PureDP) -> PureDP:
    """Epsilons add up."""
    return PureDP(first.epsilon + second.epsilon)


@by("composition/basic")
def compose_approx(first: ApproxDP, second: ApproxDP) -> ApproxDP:
    """Epsilons add up, and so do deltas; no delta exceeds 1."""
    return ApproxDP(
        first.epsilon + second.epsilon, minimum(1, first.delta + second.delta)
    )


def compose_profiles(first: ProfileDP, second: ProfileDP) -> ProfileDP:
    """Every point of the one with every point of the other, by basic composition."""
    if len(first.points) * len(second.points) > MOST_POINTS:
        raise InputError(
            f"{len(first.points)} points and {len(second.points)} points give more than"
            f" {MOST_POINTS}; give fewer, or add up Promised(...) of both in a plan."
        )
    least = dict[Fraction, Fraction]()
    for one, other in product(first.points, second.points):
        both = compose_approx(ApproxDP(*one), ApproxDP(*other))
        level = rational_of(both.epsilon, "epsilon", "a profile")
        delta = rational_of(both.delta, "delta", "a profile")
        least[level] = min(delta, least.get(level, delta))
    return ProfileDP(list(least.items()))


@by("composition/renyi")
def compose_renyi(first: RenyiDP, second: RenyiDP) -> RenyiDP:
    """Renyi divergences of one order add up; of two orders, both are taken at the smaller one."""
    if first.alpha != second.alpha:
        order = _smaller(first.alpha, second.alpha)
        first = renyi_at_smaller_order(first, order)
        second = renyi_at_smaller_order(second, order)
    return RenyiDP(first.alpha, first.epsilon + second.epsilon)


@by("composition/zcdp")
def compose_zcdp(first: ZCDP, second: ZCDP) -> ZCDP:
    """The rhos add up, and so do the xis."""
    return ZCDP(first.rho + second.rho, first.xi + second.xi)


@by("composition/dominating-pairs")
def compose_gaussian_dp(first: GaussianDP, second: GaussianDP) -> GaussianDP:
    """The Gaussian pairs dominate the releases, so that their product does: mu is the root of
    the sum of squares.
    """
    return GaussianDP(compose_gaussian_shifts([(first.mu, 1), (second.mu, 1)]))


@by("composition/subgaussian")
def compose_mean_cdp(first: MeanCDP, second: MeanCDP) -> MeanCDP:
    """For releases fixed in advance: the means add up, and so do the squares of the taus."""
    return MeanCDP(first.mu + second.mu, sqrt(first.tau**2 + second.tau**2))


ADAPTIVE: dict[type[Guarantee], Callable[[Any, Any], Guarantee]] = {
    PureDP: compose_pure,
    ApproxDP: compose_approx,
    ProfileDP: compose_profiles,
    RenyiDP: compose_renyi,
    ZCDP: compose_zcdp,
    GaussianDP: compose_gaussian_dp,
}
"""The rules for releases that may depend on the outputs before them."""
FIXED: dict[type[Guarantee], Callable[[Any, Any], Guarantee]] = {
    **ADAPTIVE,
    MeanCDP: compose_mean_cdp,
    RandomDP: compose_random,
}
"""The rules for releases that are fixed in advance, with independent noise."""


def compose(first: G, others: tuple[Guarantee, ...], fixed: bool) -> G:
    """What releases with these guarantees, all of one kind, amount to."""
    kind = type(first)
    for other in others:
        if type(other) is not kind:
            raise InputError(
                f"{other} is not {kind.__name__}, as {first} is; convert one of them"
                " with .to(...) first, or add up Promised(...) of both in a plan."
            )
    rule = (FIXED if fixed else ADAPTIVE).get(kind)
    if rule is None:
        raise _refusal(first, others)
    composed: G = reduce(rule, others, first)  # type: ignore[arg-type]
    return composed


def _refusal(first: Guarantee, others: tuple[Guarantee, ...]) -> InputError:
    """Why guarantees of this kind do not compose."""
    if isinstance(first, RandomDP):
        try:
            compose_random_adaptively(first, *others)  # type: ignore[arg-type]
        except InputError as refused:
            return refused
    if isinstance(first, MeanCDP):
        return InputError(
            f"{first} does not compose if later releases depend on earlier outputs"
            " (cdp/composition); say fixed=True if they do not, or convert it with"
            " .to(ZCDP) first."
        )
    return InputError(
        f"no theorem of this package composes {first} as a guarantee; add up"
        " Promised(...) of all of them in a plan."
    )


def _smaller(one: Expr, other: Expr) -> Expr:
    if one.bound().certainly_at_most(other.bound()):
        return one
    if other.bound().certainly_at_most(one.bound()):
        return other
    raise UndecidedError(
        f"which of the orders {one} and {other} is smaller cannot be told; give"
        " rational orders."
    )
