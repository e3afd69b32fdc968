"""A mixture of Gaussians: normal noise on a query that a record moves by a random length."""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from rdpacct.errors import InputError
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import ONE, ZERO, Expr
from rdpacct.exact.number import shorten
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.gaussian.gaussian import worst_pair as gaussian_pair
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.mixtures.exponential_sum import ExponentialSum, one_term
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.mechanisms.mixtures.mixture_part import MixtureLoss
from rdpacct.mechanisms.mixtures.moves import (
    Moves,
    NumbersIn,
    drawn,
    grouped,
    law_of_moves,
)
from rdpacct.mechanisms.moved import too_far
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom, Part
from rdpacct.privacy.relation import Norm, Relation, RelationIn, Sensitivity
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by


@dataclass(frozen=True)
class GaussianMixture(Mechanism):
    """N(0, sigma**2) noise on each coordinate of a query that a record moves by at most
    ``sensitivities[i]`` in the L2 norm with probability ``probabilities[i]``.

    Which i it is, is drawn anew for each release, independently of all other records. Without the
    record the query does not move; a replaced record moves it from there to two places, each at
    most so far.
    """

    also_called: ClassVar[tuple[str, ...]] = ("MixtureOfGaussians", "MoG")
    sigma: Parameter = Parameter(above_least=True)
    sensitivities: NumbersIn = NumbersIn("a sensitivity")
    probabilities: NumbersIn = NumbersIn("a probability")
    _: KW_ONLY
    relation: RelationIn = RelationIn()
    continuous: ClassVar[bool] = True
    instead_on_samples: ClassVar[str] = (
        ", or multiply the probabilities by the rate, and add the rest to the sensitivity 0"
    )

    def __post_init__(self) -> None:
        law_of_moves(self.sensitivities, self.probabilities)

    @lazy_property
    def moves(self) -> Moves:
        """The law of how far a record moves the query."""
        return law_of_moves(self.sensitivities, self.probabilities)

    @property
    def oriented(self) -> bool:
        """Whether one of the data sets has the record and the other has none."""
        return self.relation is not Relation.REPLACE_ONE

    def loss(self) -> PrivacyLoss:
        """The loss of removing the record that is in the first data set; reversed, of adding it."""
        return mixture_loss(self.sigma, self.moves, not self.oriented)

    def directions(self) -> tuple[Direction, ...]:
        ways = super().directions()
        return ways * 2 if self.oriented and len(ways) == 1 else ways

    def for_group(self, size: int) -> "GaussianMixture | None":
        """The mechanism for several records, each of which draws a length of its own; the lengths
        add up.
        """
        together = grouped(self.moves, size)
        if together is None:
            return None
        shares, lengths = zip(*together, strict=True)
        return replace(self, sensitivities=lengths, probabilities=shares)

    def hypotheses(self) -> tuple[str, ...]:
        return (
            f"{self}: a draw with these probabilities says which of the sensitivities, in"
            " the L2 norm, a record moves the query by at most; it is a new draw for each"
            " release, independent of all other records, and nothing but the release tells"
            " it.",
        )

    def sample(self, value: Sequence[Any], rng: Source = None) -> Any:
        """The noisy value of a query, given its value for each of the moves that may be drawn; for
        study only.

        The move is drawn exactly. Without the record all the values are the same.
        """
        if not isinstance(value, tuple | list) or len(value) != len(self.probabilities):
            raise InputError(
                f"the value is {shorten(repr(value))}; give a list with the value of the"
                f" query for each of the {len(self.probabilities)} moves."
            )
        source = randomness(rng)
        chosen = value[drawn(self.probabilities, source.randrange)]
        return self._noise.sample(chosen, source)

    @lazy_property
    def _noise(self) -> Gaussian:
        return Gaussian(self.sigma)

    def pair(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        moved = tuple(float(length.ball(64)) for length in self.sensitivities)
        other = tuple(0.0 if self.oriented else -length for length in moved)
        return moved, other

    def observed(self, output: float) -> float:
        return self._pair.planned_loss(output / self._deviation)

    @lazy_property
    def _pair(self) -> MixturePair:
        return mixture_pair(self.sigma, self.moves, not self.oriented)

    @lazy_property
    def _deviation(self) -> float:
        return float(self.sigma.ball(64))

    def uncovered(self, first: Sequence[Fraction], second: Sequence[Fraction]) -> str:
        for one, other, length in zip(first, second, self.sensitivities, strict=True):
            most = length if self.oriented else 2 * length
            if most == ZERO:
                if one != other:
                    return "the value moved where its sensitivity is 0"
            elif reason := too_far([other - one], Sensitivity(most, norm=Norm.L2)):
                return reason
        return ""

    @classmethod
    def examples(cls) -> Iterable["GaussianMixture"]:
        yield cls(1, [0, 1, 2], ["1/4", "1/2", "1/4"])
        yield cls(2, ["1/2", 3], ["0.9", "0.1"])
        yield cls(2, [0, 1], ["0.7", "0.3"], relation=Relation.REPLACE_ONE)


@by("matrix/gaussian-mixture")
def mixture_pair(sigma: Expr, moves: Moves, replaced: bool) -> MixturePair:
    """The moves all in one direction, in standard deviations, against none of them, or against the
    same in the other direction.
    """
    first = ExponentialSum(tuple((share, length / sigma) for share, length in moves))
    return MixturePair(first, first.mirrored() if replaced else one_term())


@by("matrix/gaussian-mixture")
def mixture_loss(sigma: Expr, moves: Moves, replaced: bool) -> PrivacyLoss:
    """The loss of the worst pair, in a closed form where its mixture has one length, or one beside
    0.
    """
    if moves[-1][1] == ZERO:
        return PrivacyLoss((Atom(ONE, ONE, ZERO),), symmetric=True)
    if len(moves) == 1:
        shift = moves[0][1] / sigma
        return gaussian_pair(2 * shift if replaced else shift)
    return PrivacyLoss((_part(sigma, moves, replaced),), symmetric=replaced)


def _part(sigma: Expr, moves: Moves, replaced: bool) -> Part:
    """The law of the loss: that of a sampled Gaussian, if the record moves the query or not."""
    (_, nearest), (share, length) = moves[0], moves[-1]
    if len(moves) == 2 and nearest == ZERO and not replaced:
        return Gaussian(sigma, length).sampled_part(share)
    return MixtureLoss(mixture_pair(sigma, moves, replaced))
