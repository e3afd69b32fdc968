"""Poisson sampling: each record is used with a fixed probability, on its own, before a mechanism
runs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar

from rdpacct.errors import InputError
from rdpacct.exact.formula import ONE, ZERO, Expr
from rdpacct.exact.functions import exp, log
from rdpacct.exact.number import shorten
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.inside import Inside, WholeIn, assumed_inside
from rdpacct.mechanisms.laplace.laplace import Laplace
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.poisson.moved_piece import MovedPiece
from rdpacct.mechanisms.poisson.replaced_records import replaced_loss
from rdpacct.mechanisms.sampling import bernoulli
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.between import BetweenPairs, dominating
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import LOSS, Atom, Part, Piece
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation, RelationIn
from rdpacct.privacy.transform import Direction, Transform
from rdpacct.provenance import by, record

MOST_TOGETHER = 24
"""The largest group for which the number of sampled records is followed."""


OTHER_RATES = (
    *("q", "sampling_rate", "sample_rate"),
    *("probability", "sampling_probability"),
)
"""What the rate is called elsewhere."""


@dataclass(frozen=True)
class PoissonSampled(Mechanism):
    """A mechanism on a sample that has each record with probability ``rate``, independently of the
    others.

    The mechanism is stated for samples, which have a record or do not have it. Neighbors of the
    whole differ in ``group`` records: they are added or removed, replaced by others, or by null
    records.
    """

    also_called: ClassVar[tuple[str, ...]] = (
        "Poisson",
        "Sampled",
        "SampledGaussian",
        "Subsampled",
        "SubsampledGaussian",
    )
    instead_of: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(OTHER_RATES, "the probability of a record is called rate"),
        "sigma": "write the mechanism inside, as in PoissonSampled(Gaussian(sigma=1), rate=0.01)",
        "scale": "write the mechanism inside, as in PoissonSampled(Laplace(scale=1), rate=0.01)",
    }
    inside: ClassVar[Relation] = Relation.ADD_OR_REMOVE_ONE
    mechanism: Inside = Inside(Relation.ADD_OR_REMOVE_ONE)
    rate: Parameter = Parameter(
        most=1, remedy="give the share of the records, as in rate=256/60000"
    )
    _: KW_ONLY
    group: WholeIn = WholeIn("the group size", 1)
    relation: RelationIn = RelationIn()

    def __post_init__(self) -> None:
        if self._simple or self.rate in (ZERO, ONE):
            return
        if self._several() is None and not self._folded:
            neighbors = (
                f"{self.group} records" if self.group > 1 else "a replaced record"
            )
            raise InputError(
                f"no theorem of this package gives {shorten(str(self), 80)} for"
                f" {neighbors} ({self.relation}); state it for one record and"
                " add_or_remove_one or zero_out, or give it a Gaussian mechanism and at"
                f" most {MOST_TOGETHER} records."
            )

    @property
    def oriented(self) -> bool:
        """Whether one of the data sets has the record and the other has none."""
        return self.relation is not Relation.REPLACE_ONE

    @property
    def _simple(self) -> bool:
        return self.oriented and self.group == 1

    def _several(self) -> Part | None:
        """The worst pair of several records, or of replaced ones, if it is known."""
        if self.group > MOST_TOGETHER:
            return None
        return self.mechanism.several_part(self.rate, self.group, not self.oriented)

    @property
    def of_several_records(self) -> bool:
        return self.group > 1

    @property
    def _folded(self) -> bool:
        """Whether a replaced record has the folded pair of the mechanism for two, above what can
        happen.
        """
        if self.oriented or self.group > 1 or self.rate in (ZERO, ONE):
            return False
        return self._several() is None and self.mechanism.for_group(2) is not None

    def loss(self) -> Loss:
        """The loss of removing the record that is in the first data set; reversed, of adding it."""
        if self.rate == ZERO:
            return PrivacyLoss((Atom(ONE, ONE, ZERO),), symmetric=True)
        if self.rate == ONE:
            return self._whole().loss()
        if self._folded:
            return replaced_loss(self.mechanism, self.rate)
        if not self._simple:
            return several_loss(self.mechanism, self._several(), not self.oriented)
        part = self.mechanism.sampled_part(self.rate)
        if part is not None:
            return sampled_part(self.mechanism, part)
        loss = self.mechanism.loss()
        if not isinstance(loss, PrivacyLoss):
            raise InputError(
                f"{type(self.mechanism).__name__} is a composition, whose law under"
                " Poisson sampling is not known; sample each of its releases, if each"
                " draws its own records."
            )
        return sampled(loss, self.rate)

    def _whole(self) -> Mechanism:
        """The mechanism on all records: a replaced record is one that is removed and one that is
        added.
        """
        steps = self.group if self.oriented else 2 * self.group
        whole = self.mechanism if steps == 1 else self.mechanism.for_group(steps)
        if whole is None:
            raise InputError(
                f"no theorem of this package gives {shorten(str(self.mechanism), 80)} for"
                f" {steps} records; state it for the relation itself, without a sampler."
            )
        return whole

    def profile(self) -> Profile:
        losses = self.loss().directions()
        return (
            BetweenPairs(losses, self.attained()) if self._folded else Profile(losses)
        )

    def directions(self) -> tuple[Direction, ...]:
        if self._folded:
            [above] = super().directions()
            return (dominating(above, self.attained()),)
        if self._simple and self.rate not in (ZERO, ONE):
            transforms = [
                self.mechanism.sampled_transform(self.rate, removing)
                for removing in (True, False)
            ]
            known = [transform for transform in transforms if transform is not None]
            if len(known) == 2:
                return sampled_directions(self.mechanism, known)
        directions = super().directions()
        if not self.oriented or len(directions) == 2:
            return directions
        return directions * 2

    def for_group(self, size: int) -> "PoissonSampled | None":
        """The binomial number of the records that are sampled, for a Gaussian mechanism."""
        if self.rate in (ZERO, ONE):
            return None
        if self.group * size > MOST_TOGETHER:
            return None
        if self.mechanism.several_part(self.rate, self.group * size, not self.oriented):
            return replace(self, group=self.group * size)
        return None

    def attained(self) -> tuple[Loss, ...]:
        """A record that is in the data, or not, is such a pair; so is one that is replaced by one
        that adds nothing.
        """
        if self._folded:
            return self.stated_for(Relation.ADD_OR_REMOVE_ONE).profile().losses
        return self.profile().losses

    def hypotheses(self) -> tuple[str, ...]:
        drawn = (
            f"{self}: each record is in the sample with probability {self.rate},"
            " independently of all others and anew for each release, and nothing but"
            " the release tells which were drawn; a batch of fixed size or a shuffled"
            " pass is another mechanism."
        )
        return drawn, *assumed_inside(self.mechanism)

    def about_noise(self) -> tuple[str, ...]:
        return self.mechanism.about_noise()

    def certified(self) -> tuple[str, dict[str, Any]]:
        if not self._simple:
            raise InputError(
                f"certificates of budgets do not know {shorten(str(self), 80)} for"
                f" {self.relation}; ask for epsilon without a certificate."
            )
        kind, parameters = self.mechanism.certified()
        if self.rate == ONE:
            return kind, parameters
        return f"PoissonSampled({kind})", {**parameters, "rate": self.rate}

    def sample(self, value: tuple[float, float], rng: Source = None) -> float:
        """The noisy value of a query, given its values with and without the record that neighbors
        differ in.
        """
        source = randomness(rng)
        if not (isinstance(value, tuple | list) and len(value) == 2):
            raise InputError(
                f"the value is {shorten(repr(value))}; give two values of the query,"
                " with the record and without it."
            )
        chosen = (
            value[0] if bernoulli(rational_of(self.rate, "rate"), source) else value[1]
        )
        result: float = self.mechanism.sample(chosen, source)
        return result

    def __str__(self) -> str:
        group = f", group={self.group}" if self.group > 1 else ""
        return f"PoissonSampled({self.mechanism}, rate={self.rate}{group})"

    @classmethod
    def examples(cls) -> Iterable["PoissonSampled"]:
        yield cls(Gaussian("0.8"), "0.01")
        yield cls(Gaussian(2), "1/3")
        yield cls(Laplace(1), "0.1")
        yield cls(Gaussian(1), "0.1", relation=Relation.REPLACE_ONE)


@by("sampling/several-records")
def several_loss(
    mechanism: Mechanism, part: Part | None, symmetric: bool
) -> PrivacyLoss:
    """The worst pair of a mechanism for several records, as a loss of its own kind."""
    mechanism.directions()
    if part is None:
        raise InputError("the worst pair of several records is not known.")
    return PrivacyLoss((part,), symmetric=symmetric)


@by("sampling/poisson")
def sampled_part(mechanism: Mechanism, part: Part) -> PrivacyLoss:
    """The mixture of the worst pair of a mechanism, as a loss of its own kind."""
    mechanism.directions()
    return PrivacyLoss((part,))


@by("sampling/poisson")
def sampled_directions(
    mechanism: Mechanism, transforms: Sequence[Transform]
) -> tuple[Direction, ...]:
    """The transforms of the mixture of the worst pair, of removing the record and of adding it."""
    mechanism.directions()
    return tuple(map(Direction, transforms))


def sampled_piece(part: Piece, low: Expr, high: Expr, rate: Expr) -> MovedPiece:
    """A stretch of losses of a release, as losses of the mixture: its density there, and that of
    the losses before, over which it is integrated.
    """
    rest = 1 - rate
    image = log(rest + rate * exp(LOSS))
    before = log((exp(LOSS) - rest) / rate)
    under_q = part.density * exp(-LOSS)
    return MovedPiece(
        under_q.at(loss=before) * exp(2 * LOSS) / (exp(LOSS) - rest),
        image.at(loss=low),
        image.at(loss=high),
        inner=part.density * (rate + rest * exp(-LOSS)),
        image=image,
        preimage=before,
        first=low,
        last=high,
    )


@by("sampling/poisson")
def sampled(loss: PrivacyLoss, rate: Expr) -> PrivacyLoss:
    """The mixture (1 - rate) Q + rate P against Q, for a pair with this loss: L becomes log(1 -
    rate + rate exp(L)).
    """
    record(loss.rests_on)
    rest = 1 - rate
    parts: list[Part] = []
    for part in loss.parts:
        if isinstance(part, Atom):
            parts.append(
                Atom(
                    rest * part.q + rate * part.p,
                    part.q,
                    log(rest + rate * exp(part.loss)),
                )
            )
        elif (
            isinstance(part, Piece)
            and isinstance(part.low, Expr)
            and isinstance(part.high, Expr)
        ):
            parts.append(sampled_piece(part, part.low, part.high, rate))
        else:
            raise InputError(
                "PoissonSampled holds a mechanism whose losses are not known under"
                " Poisson sampling; give it a Gaussian, a Laplace or a discrete Laplace"
                " mechanism."
            )
    if loss.unseen != ZERO:
        parts.append(Atom(rest * loss.unseen, loss.unseen, log(rest)))
    return PrivacyLoss(tuple(parts), at_infinity=rate * loss.at_infinity)
