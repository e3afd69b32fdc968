"""Gaussian differential privacy of a sum of losses."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from rdpacct.composition.added_loss import squared, total
from rdpacct.composition.draws import Draw
from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound, End
from rdpacct.privacy.gaussian_mu import (
    WIDEST_TRADEOFF,
    gaussian_mu_of_profile,
    needed_mu,
)
from rdpacct.provenance import attempt, by, record
from rdpacct.work import in_turn, share

LARGEST_MU = Fraction(64)
"""The largest mu of a Gaussian trade-off that is looked for."""
LEVELS = tuple(Fraction(k, 2) for k in (0, 1, 2, 4, 8, 16, 32))
"""The epsilons at which a Gaussian trade-off is bounded from below."""
BITS = 192
"""The precision of the root of the sum of the squares."""
HOW = "sum of squares, and points of the profile (composition/dominating-pairs)"
HOW_FROM_BELOW = "points of the profile"
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
    with attempt() as used:
        squares = _squares(draws)
    if math.isinf(squares.lower):
        record(used)
        return Bound.exactly(math.inf, "the supports of P and Q differ")
    with attempt() as used_by_root:
        enough = dominating_mu(squares.upper)
    used |= used_by_root
    most = max_divergence().upper

    def point(level: Fraction) -> Bound:
        with share(ONE_POINT):
            return delta(level)

    if isinstance(most, Fraction) and 0 < most <= WIDEST_TRADEOFF:
        bound = gaussian_mu_of_profile(point, most, min(enough, LARGEST_MU))
        if bound.upper <= enough:
            return bound
        record(used)
        return Bound(min(bound.lower, enough), enough, HOW)
    needed = Fraction(0)
    for level in LEVELS:
        needed = needed_mu(point(level).lower, level, needed, min(enough, LARGEST_MU))
    if not isinstance(enough, Fraction):
        return Bound(needed, enough, HOW_FROM_BELOW)
    record(used)
    return Bound(needed, enough, HOW)


@by("composition/dominating-pairs")
def dominating_mu(squares: End) -> End:
    """The mu of Gaussian pairs that dominate the releases, together: their product dominates all of
    them.
    """
    return math.inf if isinstance(squares, float) else mu_of_squares(squares)


@by("gaussian/composition")
def mu_of_squares(squares: Fraction) -> End:
    """At least the root of the sum of the squares, as Gaussian pairs act together."""
    return Ball.of(squares, BITS).sqrt().upper()


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
