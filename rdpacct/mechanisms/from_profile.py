"""The directions of a mechanism for composition, from what its profile says."""

from collections.abc import Sequence
from dataclasses import replace

from rdpacct.errors import InputError
from rdpacct.exact.formula import ONE, ZERO
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.transform import Direction


def directions_of(
    profile: Profile, oriented: bool, called: str
) -> tuple[Direction, ...]:
    """One direction that dominates all losses, or one for each if they are oriented.

    Where losses need not occur, those that do are below them.
    """
    losses = checked_profile(profile, called).losses
    if not (losses and profile.losses_dominate):
        raise InputError(
            f"{called} has the profile of a mechanism of which no losses are known that"
            " stand for a release among others; add up the plans themselves."
        )
    if oriented and len(losses) > 2:
        raise InputError(
            f"{called} has {len(losses)} losses, but oriented = True is for two: removing a"
            " record, and adding one; give these two."
        )
    if len(losses) == 1 or oriented:
        return tuple(
            _above(loss, _occurring(profile, number))
            for number, loss in enumerate(losses)
        )
    return (_above_all(losses, profile.occurring(), called),)


def checked_profile(profile: object, called: str) -> Profile:
    """What the method ``profile`` of a mechanism gives back."""
    if isinstance(profile, Profile):
        if type(profile) is Profile and not profile.losses:
            raise InputError(
                f"the profile of {called} has no losses, so that it answers nothing; give those"
                " of all pairs that may be the worst, as in Profile(loss.directions())."
            )
        return profile
    raise InputError(
        f"the profile of {called} is a {type(profile).__name__}; give a Profile, such as"
        " Profile(loss.directions())."
    )


def checked_loss(loss: object, called: str) -> Loss:
    """What the method ``loss`` of a mechanism gives back."""
    if isinstance(loss, Loss):
        return loss
    raise InputError(
        f"the loss of {called} is a {type(loss).__name__}; give a PrivacyLoss, or one of the"
        " losses of a profile."
    )


def _occurring(profile: Profile, number: int) -> tuple[Loss, ...]:
    """The losses that occur in one direction."""
    if len(profile.losses) == 1:
        return profile.occurring()
    way = profile.way(number)
    return way.occurring() if isinstance(way, Profile) else (way,)


def _above(loss: Loss, occurring: tuple[Loss, ...]) -> Direction:
    """The direction of a loss, with those that occur below it if it need not."""
    direction = loss.direction()
    if occurring == (loss,):
        return direction
    from rdpacct.privacy.between import dominating  # most mechanisms need no grids

    if direction.draws:  # those that occur are below all of them, and not below each
        direction = replace(direction, draws=())
    return dominating(direction, occurring or (_treated_alike(),))


def _above_all(
    losses: Sequence[Loss], occurring: tuple[Loss, ...], called: str
) -> Direction:
    """A direction that dominates several losses, any of which a release may have."""
    certain = [
        loss for loss in losses if isinstance(loss, PrivacyLoss) and not loss.parts
    ]
    if certain:  # a loss that is always infinite dominates every other one
        return _above(certain[0], occurring)
    laws = [
        (loss.parts, loss.at_infinity)
        for loss in losses
        if isinstance(loss, PrivacyLoss)
    ]
    if len(laws) < len(losses):
        raise InputError(
            f"{called} has several losses that are compositions, and no pair is known that"
            " dominates them; set oriented = True if they are removing and adding a"
            " record, or add up the plans themselves."
        )
    from rdpacct.privacy.between import dominating
    from rdpacct.privacy.grid_transform import dominating_direction

    if occurring != losses:
        above = dominating_direction(laws, ())
        return dominating(above, occurring or (_treated_alike(),))
    attained = tuple(
        each
        for loss in losses
        for direction in (loss.direction(),)
        for each in direction.below or (direction,)
    )
    return dominating_direction(laws, attained)


def _treated_alike() -> PrivacyLoss:
    """The loss of neighbors that are treated alike, which every mechanism has."""
    return PrivacyLoss((Atom(ONE, ONE, ZERO),), symmetric=True)
