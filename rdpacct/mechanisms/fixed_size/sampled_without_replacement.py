"""Batches of a fixed size, drawn without replacement: a mechanism on a random choice of that many
records.
"""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, fields, replace
from fractions import Fraction
from typing import Any, ClassVar

from rdpacct.errors import InputError
from rdpacct.exact.formula import ONE, Expr, formula
from rdpacct.exact.number import shorten
from rdpacct.mechanisms.fixed_size.folded import folded
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.inside import Inside, WholeIn, assumed_inside
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.poisson.poisson_sampled import sampled
from rdpacct.mechanisms.randomized_response.randomized_response import (
    RandomizedResponse,
)
from rdpacct.mechanisms.sampling import bernoulli
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.between import ExactCurve
from rdpacct.privacy.grid_transform import GridTransform
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation, RelationIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by


@dataclass(frozen=True)
class SampledWithoutReplacement(Mechanism):
    """A mechanism on a batch of ``batch`` of the ``of`` records, each such choice as likely as any
    other.

    The mechanism is stated for batches that differ in one record. Of neighbors that have one record
    more or less, the larger has at least ``of`` records.
    """

    inside: ClassVar[Relation] = Relation.REPLACE_ONE
    mechanism: Inside = Inside(Relation.REPLACE_ONE)
    batch: WholeIn = WholeIn("the batch size")
    of: WholeIn = WholeIn("the number of records")
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def __post_init__(self) -> None:
        if self.batch > self.of:
            raise InputError(
                f"the batch has {self.batch} records, more than the {self.of} that there"
                " are; give a smaller batch."
            )
        if self.oriented and self.rate == ONE:
            raise InputError(
                f"the batch has all of the {self.of} records, so that a data set with one"
                " record less has no such batch; give a smaller batch, or replace_one as"
                " the relation."
            )

    @property
    def oriented(self) -> bool:
        """Whether the record is in one of the data sets only."""
        return self.relation is Relation.ADD_OR_REMOVE_ONE

    @property
    def rate(self) -> Expr:
        """The probability that a record is in the batch."""
        return drawn_share(self.batch, self.of)

    def loss(self) -> Loss:
        """For adding or removing, the loss of removing the record; else that of the folded pair."""
        if self.rate == ONE:
            return self.mechanism.loss()
        if self.oriented:
            return one_way(self.mechanism, self.rate)
        return either_way(self.mechanism, self.rate)

    def profile(self) -> Profile:
        """For replaced records the curve is attained, at each level by one of two pairs."""
        losses = self.loss().directions()
        if self.oriented or self.rate == ONE:
            return Profile(losses)
        return ExactCurve(losses, self.attained())

    def directions(self) -> tuple[Direction, ...]:
        if self.rate == ONE:
            ways = self.mechanism.directions()
            return ways * 2 if self.oriented and len(ways) == 1 else ways
        ways = both_directions(self.mechanism, self.rate)
        if self.oriented:
            return ways
        losses = self.attained()
        below = zip(ways, losses, strict=True)
        ends = [replace(way, loss=loss) for way, loss in below]
        return (folded_direction(self.mechanism, self.rate, tuple(ends)),)

    def attained(self) -> tuple[Loss, ...]:
        """All other records look like one of the two that are exchanged."""
        loss = one_way(self.mechanism, self.rate)
        return (loss, loss.reversed())

    def hypotheses(self) -> tuple[str, ...]:
        drawn = (
            f"{self}: each batch is a new choice of {self.batch} records without"
            " replacement, all choices being as likely, and nothing but the release tells"
            " which; Poisson samples and shuffled passes are other mechanisms."
        )
        return drawn, *assumed_inside(self.mechanism)

    def about_noise(self) -> tuple[str, ...]:
        return self.mechanism.about_noise()

    def for_group(self, size: int) -> None:  # noqa: ARG002
        """None: no theorem gives it."""
        return

    def certified(self) -> tuple[str, dict[str, Any]]:
        raise InputError(
            f"certificates of budgets know no {type(self).__name__}; ask for epsilon"
            " without a certificate."
        )

    def sample(self, value: tuple[float, float], rng: Source = None) -> Any:
        """The noisy value of a query, given its values on batches with the record that neighbors
        differ in and without it.
        """
        source = randomness(rng)
        if not (isinstance(value, tuple | list) and len(value) == 2):
            raise InputError(
                f"the value is {shorten(repr(value))}; give two values of the query, on"
                " batches with the record and without it."
            )
        chosen = value[0 if bernoulli(Fraction(self.batch, self.of), source) else 1]
        return self.mechanism.sample(chosen, source)

    def __str__(self) -> str:
        names = [each.name for each in fields(self)][1:-1]
        numbers = ", ".join(f"{name}={getattr(self, name)}" for name in names)
        return f"{type(self).__name__}({self.mechanism}, {numbers})"

    @classmethod
    def examples(cls) -> Iterable["SampledWithoutReplacement"]:
        replaced = Relation.REPLACE_ONE
        yield cls(Gaussian(2).stated_for(replaced), 10, 100)
        yield cls(Gaussian(1).stated_for(replaced), 1, 3, relation=replaced)
        answers = RandomizedResponse(1, relation=replaced)
        yield cls(answers, 1, 3, relation=replaced)


@by("sampling/without-replacement")
def drawn_share(batch: int | Expr, of: int | Expr) -> Expr:
    """The probability that a record is in the batch."""
    if isinstance(batch, int) and isinstance(of, int):
        return formula(Fraction(batch, of))
    return formula(batch) / of


@by("sampling/without-replacement")
def one_way(mechanism: Mechanism, rate: Expr) -> PrivacyLoss:
    """The mixture of the worst pair of a mechanism for replaced records, against Q."""
    part = mechanism.sampled_part(rate)
    if part is not None:
        mechanism.directions()
        return PrivacyLoss((part,))
    return sampled(_of_parts(mechanism), rate)


@by("sampling/without-replacement")
def either_way(mechanism: Mechanism, rate: Expr) -> PrivacyLoss:
    """The folded pair: that of removing at levels above 1, and that of adding below."""
    part = mechanism.folded_part(rate)
    if part is not None:
        mechanism.directions()
        return PrivacyLoss((part,), symmetric=True)
    return folded(_of_parts(mechanism), rate)


@by("sampling/without-replacement")
def both_directions(mechanism: Mechanism, rate: Expr) -> tuple[Direction, ...]:
    """The directions of removing and of adding a record."""
    mechanism.directions()
    transforms = [mechanism.sampled_transform(rate, way) for way in (True, False)]
    if all(transform is not None for transform in transforms):
        return tuple(Direction(transform) for transform in transforms)
    loss = one_way(mechanism, rate)
    return loss.direction(), loss.reversed().direction()


@by("sampling/without-replacement")
def folded_direction(
    mechanism: Mechanism, rate: Expr, below: tuple[Direction, ...]
) -> Direction:
    """The folded pair, above; each of the two ways alone is not, if every release has the same."""
    part = mechanism.folded_part(rate)
    if part is not None:
        mechanism.directions()
        smaller = flattened_direction(mechanism, rate)
        return Direction(part.transform(), below=below, beside_ramp=smaller)
    direction = either_way(mechanism, rate).direction()
    transform = direction.transform
    if isinstance(transform, GridTransform):
        # a law of its own: no pair has the losses that are rounded here
        transform = GridTransform((), True, transform.law)
    return Direction(transform, direction.at_infinity, below=below)


def flattened_direction(mechanism: Mechanism, rate: Expr) -> Direction | None:
    """The flattened pair, beside a ramp, if it is known."""
    transform = mechanism.flattened_transform(rate)
    return None if transform is None else Direction(transform)


def _of_parts(mechanism: Mechanism) -> PrivacyLoss:
    loss = mechanism.loss()
    if not isinstance(loss, PrivacyLoss):
        raise InputError(
            f"{type(mechanism).__name__} is a composition, whose law on a sample is not"
            " known; sample each of its releases, if each draws its own records."
        )
    return loss
