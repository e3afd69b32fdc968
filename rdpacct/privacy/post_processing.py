"""Post-processing: what a guarantee says of any function of the output."""

from functools import singledispatch
from typing import NoReturn

from rdpacct.errors import InputError
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
def post_process(guarantee: Guarantee) -> Guarantee:
    """The guarantee of any function of the output, chosen without looking at the data."""
    raise InputError(
        f"no theorem of this package says what processing does to {guarantee}; give a"
        " guarantee it knows."
    )


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
    """Not closed: the centered form is lost by a threshold in the tail; the one-sided form, a
    zCDP, is kept.
    """
    raise InputError(
        f"{guarantee} does not survive post-processing (cdp/post-processing); convert"
        " it with .to(ZCDP) first."
    )
