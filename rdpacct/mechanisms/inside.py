"""The mechanism inside of a sampler: what is run on the sample, and how samples of neighbors
differ.
"""

import math
from fractions import Fraction
from typing import ClassVar

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.formula import Rational
from rdpacct.exact.number import shorten, whole
from rdpacct.exact.parameter import CheckedField
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.relation import Relation

HOW = {
    Relation.ADD_OR_REMOVE_ONE: "a sample has the record or does not have it",
    Relation.REPLACE_ONE: "samples of a fixed size differ in one record",
}
"""How the samples differ for which the mechanism inside is stated."""


BETWEEN = {
    Relation.ADD_OR_REMOVE_ONE: "between samples of which one has a record more",
    Relation.REPLACE_ONE: "between batches that differ in one record",
}
"""The samples between which the query of the mechanism inside moves, in words."""
MOST_RECORDS = 10**15
MOST_PROMISED = 100
"""A promise with a larger epsilon is not suggested: sampling gains nothing from it."""


def assumed_inside(mechanism: Mechanism) -> tuple[str, ...]:
    """The assumptions of the mechanism inside, beside its noise, said of samples and not of the
    data.
    """
    between = BETWEEN[mechanism.relation]
    return tuple(
        sentence.replace("between neighbors", between)
        for sentence in mechanism.assumes()
        if sentence not in mechanism.about_noise()
    )


def as_release(given: Mechanism | Guarantee, relation: Relation) -> Mechanism:
    """The release: for a promise, the worst release that keeps it."""
    if not isinstance(given, Guarantee):
        return given
    from rdpacct.mechanisms.promised.promised import Promised

    return Promised(given, relation=relation)


class Inside(CheckedField[Mechanism | Guarantee, Mechanism]):
    """A field that holds the mechanism to be run on the sample, stated for how samples differ."""

    written_as: ClassVar[str] = "mechanism"

    def __init__(self, relation: Relation) -> None:
        self.relation = relation

    def __set_name__(self, owner: type, name: str) -> None:
        super().__set_name__(owner, name)
        self.sampler = owner.__name__

    def checked(self, given: Mechanism | Guarantee) -> Mechanism:
        given = as_release(given, self.relation)
        if not _can_be_inside(given):
            raise InputError(
                f"{self.sampler} holds {shorten(str(given), 80)}, but samples for mechanisms"
                " with one worst pair of laws, such as Gaussian(sigma=1); give one of"
                f" these{_nearest(given)}."
            )
        if given.relation is not self.relation:
            raise InputError(
                f"the mechanism inside of {self.sampler} is stated for {given.relation}, but"
                f" {HOW[self.relation]}; state it for {self.relation}, and give the"
                f" relation of the data to {self.sampler}."
            )
        return given


class WholeIn(CheckedField[object, int]):
    """A field that holds a whole number of records."""

    def __init__(self, called: str, default: int | None = None) -> None:
        self.called = called
        self.default = default

    def default_value(self) -> int:
        if self.default is None:
            raise AttributeError(self.name)
        return self.default

    def checked(self, given: object) -> int:
        if isinstance(given, Rational):
            given = given.value
        return whole(given, self.called, 1, MOST_RECORDS)


def _can_be_inside(given: object) -> bool:
    """Whether one symmetric pair of laws stands for every release of a mechanism, and is one that
    can happen.
    """
    if not isinstance(given, Mechanism) or given.by_moments or given.inside is not None:
        return False
    return given.one_pair or has_one_pair(given)


def _nearest(given: object) -> str:
    """The nearest that is covered, as the end of a sentence: what a mechanism says itself, or the
    pure promise that it keeps.
    """
    if not isinstance(given, Mechanism):
        return ""
    if given.instead_on_samples or given.by_moments or given.inside is not None:
        return given.instead_on_samples
    try:
        largest = given.profile().max_divergence().upper
    except (InputError, UndecidedError):
        return ""
    if not (isinstance(largest, Fraction) and 0 < largest < MOST_PROMISED):
        return ""
    promised = Fraction(math.ceil(largest * 1000), 1000)
    return f", or what it keeps, as PureDP(epsilon={float(promised):g})"


def has_one_pair(given: Mechanism) -> bool:
    """The same, found out from the losses."""
    if given.alternatives() is not None or given.random_guarantee() is not None:
        return False
    ways = given.directions()
    profile = given.profile()
    losses = profile.losses
    return (
        len(losses) == 1
        and profile.losses_occur
        and isinstance(losses[0], PrivacyLoss)
        and losses[0].symmetric
        and _same_law(given.loss(), losses[0])
        and all(way.family is None for way in ways)
    )


def _same_law(loss: Loss, other: PrivacyLoss) -> bool:
    """Whether a loss is the other one, which samples are worked out from."""
    return isinstance(loss, PrivacyLoss) and (
        loss.parts == other.parts
        and loss.at_infinity == other.at_infinity
        and loss.unseen == other.unseen
    )
