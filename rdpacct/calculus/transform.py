"""What becomes of a guarantee when its output is processed further, or when a group asks for it."""

from functools import singledispatch
from typing import NoReturn

from rdpacct.errors import InputError
from rdpacct.exact.formula import ZERO
from rdpacct.exact.functions import exp
from rdpacct.exact.number import whole
from rdpacct.privacy.guarantee import (
    ZCDP,
    ApproxDP,
    ApproxZCDP,
    GaussianDP,
    Guarantee,
    MeanCDP,
    ProfileDP,
    PureDP,
    RandomDP,
    RenyiDP,
)
from rdpacct.provenance import by


@singledispatch
def group(guarantee: Guarantee, size: int) -> Guarantee:  # noqa: ARG001
    """The guarantee for neighbors that differ by ``size`` single steps of the relation."""
    raise InputError(
        f"no theorem of this package gives {type(guarantee).__name__} for groups;"
        " convert it to another guarantee."
    )


@group.register
@by("group/pure")
def group_pure(guarantee: PureDP, size: int) -> PureDP:
    """epsilon is multiplied by the size."""
    return PureDP(_whole(size) * guarantee.epsilon)


@group.register
@by("group/approx")
def group_approx(guarantee: ApproxDP, size: int) -> ApproxDP:
    """epsilon is multiplied by the size, delta by the sum of exp(i epsilon) for i below the
    size.
    """
    epsilon = guarantee.epsilon
    whole = _whole(size)
    factor = (
        whole if epsilon == ZERO else (exp(whole * epsilon) - 1) / (exp(epsilon) - 1)
    )
    delta = guarantee.delta * factor
    return ApproxDP(whole * epsilon, 1 if delta.bound().certainly_above(1) else delta)


@group.register
@by("group/zcdp")
def group_zcdp(guarantee: ZCDP, size: int) -> ZCDP:
    """rho is multiplied by the square of the size, for xi = 0."""
    if guarantee.xi != ZERO:
        raise InputError(
            f"xi is {guarantee.xi}, but group privacy of zCDP is given for xi = 0 only;"
            " convert to ApproxDP."
        )
    return ZCDP(_whole(size) ** 2 * guarantee.rho)


@group.register
@by("group/gaussian")
def group_gaussian(guarantee: GaussianDP, size: int) -> GaussianDP:
    """mu is multiplied by the size."""
    return GaussianDP(_whole(size) * guarantee.mu)


@singledispatch
def post_process(guarantee: Guarantee) -> Guarantee:
    """The guarantee of any function of the output, chosen without looking at the data."""
    raise TypeError(f"{guarantee!r} is not a guarantee")


@post_process.register
@by("post-processing/divergences")
def post_process_divergence(
    guarantee: PureDP | ApproxDP | RenyiDP | ZCDP | GaussianDP,
) -> Guarantee:
    """These bound divergences that no processing increases, so they stay as they are."""
    return guarantee


@post_process.register
@by("post-processing/divergences")
def post_process_profile(guarantee: ProfileDP) -> ProfileDP:
    """Stays as it is: each point is an ApproxDP."""
    return guarantee


@post_process.register
@by("post-processing/divergences")
def post_process_approx_zcdp(guarantee: ApproxZCDP) -> ApproxZCDP:
    """Stays as it is: what is processed of a mixture is the mixture of what is processed of its
    parts.
    """
    return guarantee


@post_process.register
@by("random-dp/post-processing")
def post_process_random(guarantee: RandomDP) -> RandomDP:
    """Stays as it is, for the same data model."""
    return guarantee


@post_process.register
@by("cdp/post-processing")
def post_process_mean_cdp(guarantee: MeanCDP) -> NoReturn:
    """Not closed: the centered form is lost by a threshold in the tail; the one-sided form, a zCDP,
    is kept.
    """
    raise InputError(
        f"{guarantee} does not survive post-processing (cdp/post-processing); convert"
        " it with mean_cdp_to_zcdp first."
    )


def _whole(size: int) -> int:
    return whole(size, "the group size", 1, 10**9)
