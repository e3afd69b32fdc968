"""The releases of a menu: which have a loss that can be put on a grid, and what they cost."""

from collections.abc import Sequence
from fractions import Fraction

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import shorten
from rdpacct.filters.amounts import enclosed
from rdpacct.filters.menu_table import LawOfLoss, MenuItem
from rdpacct.mechanisms.finite.table_profile import TableProfile
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.selection.dominated_profile import DominatedProfile
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.questions import Questions

ONE_LAW = (Profile, TableProfile, DominatedProfile)
"""Profiles whose losses dominate the release, each in one direction or all together."""


def release_of(plan: Plan) -> Mechanism:
    """The one mechanism of a plan, which has a law of losses."""
    mechanism = plan.single
    if mechanism is None:
        raise InputError(
            f"{shorten(str(plan), 120)} on the menu is not one release; give single"
            " releases, and spend a plan of them."
        )
    if not _losses(mechanism):
        raise InputError(
            f"of {shorten(str(mechanism), 120)} no single law of losses is known that"
            " stands for it, so that no theorem puts it on a menu; spend it from a"
            " ZCDPFilter or an ApproxFilter."
        )
    return mechanism


def _losses(mechanism: Mechanism) -> tuple[PrivacyLoss, ...]:
    """The losses that dominate a release; none if it is not known by these."""
    profile = mechanism.profile()
    losses = [loss for loss in profile.losses if isinstance(loss, PrivacyLoss)]
    whole = type(profile) in ONE_LAW and len(losses) == len(profile.losses)
    if not whole or mechanism.by_moments or mechanism.only_bounded:
        return ()
    return () if mechanism.random_guarantee() is not None else tuple(losses)


def grounds_of(mechanism: Mechanism) -> frozenset[str]:
    """The theorems by which its losses are those of a release, also of one that is promised."""
    return frozenset[str]().union(*(loss.rests_on for loss in _losses(mechanism)))


def ways_of(menu: Sequence[Mechanism]) -> int:
    """The number of directions of the releases: two if some of them tell adding from removing."""
    ways = [len(_losses(mechanism)) for mechanism in menu if mechanism.oriented]
    return max(ways, default=1)


def items_of(
    menu: Sequence[Mechanism], prices: Sequence[int], way: int
) -> list[MenuItem]:
    """The laws of the releases in one direction, with their prices."""
    pairs = zip(menu, prices, strict=True)
    return [MenuItem(price, _laws(mechanism, way)) for mechanism, price in pairs]


def _laws(mechanism: Mechanism, way: int) -> tuple[LawOfLoss, ...]:
    losses = _losses(mechanism)
    if mechanism.oriented:
        losses = (losses[min(way, len(losses) - 1)],)
    return tuple((loss.parts, loss.at_infinity) for loss in losses)


def prices_of(
    menu: Sequence[Mechanism],
    given: Sequence[int] | None,
    epsilon: Expr,
    delta: Fraction,
    most: int,
) -> tuple[int, ...]:
    """The prices that are given; without them, a price about inversely proportional to how often a
    release alone fits.
    """
    if given is None:
        counts = [_most_often(mechanism, epsilon, delta, most) for mechanism in menu]
        return tuple(max(1, round(max(counts) / count)) for count in counts)
    whole = all(type(price) is int and 1 <= price <= most for price in given)
    if not whole or len(given) != len(menu):
        raise InputError(
            f"the prices are {shorten(repr(given))}; give one for each release of the"
            f" menu, whole numbers of 1 to {most} units."
        )
    return tuple(given)


def _most_often(mechanism: Mechanism, epsilon: Expr, delta: Fraction, most: int) -> int:
    """How often a release alone fits in the budget."""
    level = enclosed(epsilon).upper
    if not isinstance(level, Fraction):
        raise InputError(f"epsilon is {epsilon}; give a finite number.")

    def fits(count: int) -> bool:
        asked = Questions(count * Plan.of(mechanism))
        return asked.delta(level).upper <= delta

    if not fits(1):
        raise InputError(
            f"{shorten(str(mechanism), 120)} does not fit in the budget even once; take"
            " it off the menu, or give larger numbers."
        )
    low = 1
    while 2 * low <= most and fits(2 * low):
        low *= 2
    high = min(2 * low, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
