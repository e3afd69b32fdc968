"""Gaussian differential privacy of a sum of losses."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from rdpacct.composition.added_loss import squared, total
from rdpacct.composition.draws import Draw
from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.privacy.gaussian_tradeoff import (
    WIDEST_TRADEOFF,
    gaussian_mu_of_profile,
    needed_mu,
)
from rdpacct.work import in_turn, share

LARGEST_MU = Fraction(64)
"""The largest mu of a Gaussian trade-off that is looked for."""
LEVELS = tuple(Fraction(k, 2) for k in (0, 1, 2, 4, 8, 16, 32))
"""The epsilons at which a Gaussian trade-off is bounded from below."""
EACH, ONE_POINT = 0.4, 0.15
"""The parts of the remaining work for the trade-offs of each release, and for each point of the
profile.
"""


def gaussian_mu_of_sum(
    draws: Sequence[Draw],
    delta: Callable[[Fraction], Bound],
    max_divergence: Callable[[], Bound],
) -> Bound:
    """Upper end: the squares add up, as Gaussian pairs dominate; the profile itself may show that a
    smaller mu is enough.
    """
    squares = _squares(draws)
    if math.isinf(squares.lower):
        return Bound.exactly(math.inf, "the supports of P and Q differ")
    enough = (
        Ball.of(squares.upper, 192).sqrt().upper()
        if isinstance(squares.upper, Fraction)
        else math.inf
    )
    how = "sum of squares, and points of the profile (composition/dominating-pairs)"
    most = max_divergence().upper

    def point(level: Fraction) -> Bound:
        with share(ONE_POINT):
            return delta(level)

    if isinstance(most, Fraction) and 0 < most <= WIDEST_TRADEOFF:
        bound = gaussian_mu_of_profile(point, most, min(enough, LARGEST_MU))
        if bound.upper <= enough:
            return bound
        return Bound(min(bound.lower, enough), enough, how)
    needed = Fraction(0)
    for level in LEVELS:
        needed = needed_mu(point(level).lower, level, needed, min(enough, LARGEST_MU))
    return Bound(needed, enough, how)


def _squares(draws: Sequence[Draw]) -> Bound:
    """The sum of the squares of the mu of each release; if one has none, neither has the sum."""
    known: list[tuple[Bound, int]] = []
    unknown: list[UndecidedError] = []

    def ask(draw: Draw) -> None:
        _, answers, count = draw
        try:
            known.append((squared(answers().gaussian_mu()), count))
        except UndecidedError as error:
            unknown.append(error)

    with share(EACH):
        in_turn(ask, draws)
    squares = total(known, "")
    if unknown and not math.isinf(squares.lower):
        raise unknown[0]
    return squares
