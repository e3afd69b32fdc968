"""Gaussian noise on a stream that a strategy has encoded: what all such mechanisms share."""

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import Expr, Real
from rdpacct.exact.functions import sqrt
from rdpacct.exact.number import shorten
from rdpacct.mechanisms.alternatives import Alternatives
from rdpacct.mechanisms.correlated.gram import Squares
from rdpacct.mechanisms.correlated.participation import MOST_STEPS, Participation
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.mechanism import NoiseMechanism, Plan
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.relation import Norm, Sensitivity
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, by, record


class CorrelatedNoise(NoiseMechanism):
    """C x + N(0, sigma**2) on each entry, for a stream x with a row for each step and a strategy C.

    A record moves x by at most the sensitivity, in the L2 norm, in each step in which it takes
    part: at most ``participations`` steps, any two of which differ by at least ``separation``.
    """

    sigma: Expr
    participations: Any
    separation: Any
    continuous: ClassVar[bool] = True
    instead_on_samples: ClassVar[str] = (
        ", or give the coefficients of a band to SampledBands, which samples from as many"
        " groups as there are bands"
    )

    @property
    @abstractmethod
    def length(self) -> int:
        """How many steps the stream has."""

    @abstractmethod
    def squares(self) -> Squares:
        """The square of the sensitivity of C x, where x moves by at most 1 in each step."""

    @abstractmethod
    def encoded(self, stream: Sequence[Any]) -> list[Any]:
        """C x, for the rows of x."""

    @property
    @abstractmethod
    def in_order(self) -> bool:
        """Whether what is released at a step depends on the steps up to it alone."""

    @property
    def taking_part(self) -> Participation:
        """In which steps a record takes part."""
        return Participation(self.length, self.participations, self.separation)

    @lazy_property
    def _found(self) -> tuple[Squares, frozenset[str]]:
        with attempt() as used:
            squares = self.squares()
        return squares, frozenset(used)

    @property
    def _squares(self) -> Squares:
        """The squares, worked out once, with the theorems that they rest on each time."""
        squares, used = self._found
        record(used)
        return squares

    def total_sensitivity(self) -> Bound:
        """The most by which a record moves C x, in the L2 norm, over all steps together."""
        ends = [
            total_move(self.sensitivity.value, square).bound()
            for square in (self._squares.lower, self._squares.upper)
        ]
        return Bound(ends[0].lower, ends[1].upper, "the products of columns")

    def _gaussian(self, square: Fraction) -> Gaussian:
        move = total_move(self.sensitivity.value, square)
        stated = Sensitivity(move, norm=Norm.L2, relation=self.relation)
        return Gaussian(self.sigma, stated)

    def loss(self) -> PrivacyLoss:
        if not self._squares.exact:
            raise UndecidedError(
                f"the sensitivity of {shorten(str(self), 60)} is only bounded, so that no"
                " single pair of laws stands for it; ask the plan for delta or epsilon."
            )
        return self._gaussian(self._squares.upper).loss()

    def directions(self) -> tuple[Direction, ...]:
        (above,) = self._gaussian(self._squares.upper).directions()
        if self._squares.exact:
            return (above,)
        below = self._gaussian(self._squares.lower).directions()
        return (Direction(above.transform, below=below),)

    @property
    def only_bounded(self) -> bool:
        return not self._squares.exact

    def alternatives(self) -> Alternatives:
        """One Gaussian release with the sensitivity of the worst pattern, or with both ends of
        it.
        """
        releases, used = self._releases
        record(used)
        return releases

    @lazy_property
    def _releases(self) -> tuple[Alternatives, frozenset[str]]:
        with attempt() as used:
            squares = self._squares
            above = Plan.of(self._gaussian(squares.upper))
            below = above if squares.exact else Plan.of(self._gaussian(squares.lower))
        alternatives = Alternatives((below,), above, all_of_them=squares.exact)
        return alternatives, frozenset(used)

    def certified(self) -> tuple[str, dict[str, Any]]:
        return self._gaussian(self._squares.upper).certified()

    def hypotheses(self) -> tuple[str, ...]:
        part = f"one step of {self.length}"
        if self.taking_part.most > 1:
            part = (
                f"at most {self.participations} steps of {self.length}, each at least"
                f" {self.separation} after the one before"
            )
        moves = (
            f"{self}: a record takes part in {part}, the same for both neighbors, and moves"
            f" the stream there by at most {self.sensitivity.value} in the L2 norm."
        )
        fixed = (
            f"{self}: the stream may depend on what was released before."
            if self.in_order
            else f"{self}: the stream is fixed before anything is released, as the"
            " strategy looks ahead."
        )
        return moves, fixed

    def assumes(self) -> tuple[str, ...]:
        """What a release takes for granted, without a sentence of its own on how far the query
        moves.
        """
        return (*self.hypotheses(), *self.about_noise())

    def sample(self, value: Sequence[Any], rng: Source = None) -> list[Any]:
        """The noisy entries of C x for the rows of a stream, for study only; the sums that are
        wanted are worked out from these.
        """
        if not isinstance(value, list | tuple) or len(value) != self.length:
            raise InputError(
                f"the value is {shorten(repr(value))}; give a list with the value of each"
                f" of the {self.length} steps."
            )
        entries: list[Any] = self._noise.sample(self.encoded(value), randomness(rng))
        return entries

    @lazy_property
    def _noise(self) -> Gaussian:
        return Gaussian(self.sigma)

    @lazy_property
    def _variance(self) -> float:
        return float(self.sigma.ball(64)) ** 2

    def pair(self) -> tuple[list[float], list[float]] | None:
        if not self._squares.exact:
            return None
        worst = self.worst_moves()
        if worst is None:
            return None
        size = float(self.sensitivity.value.ball(64))
        return [size * move for move in worst], [0.0] * self.length

    def worst_moves(self) -> list[int] | None:
        """Moves of a record that attain the sensitivity; None if they are not known."""
        moves = [0] * self.length
        for step in self.taking_part.first():
            moves[step] = 1
        return moves

    @lazy_property
    def _moved(self) -> list[float]:
        worst = self.pair()
        return [] if worst is None else self.encoded(worst[0])

    def observed(self, output: Sequence[float]) -> float:
        rows = zip(output, self._moved, strict=True)
        return sum(move * (entry - move / 2) for entry, move in rows) / self._variance

    def uncovered(self, first: Sequence[Fraction], second: Sequence[Fraction]) -> str:
        if len(first) != self.length:
            return ""
        moves = [b - a for a, b in zip(first, second, strict=True)]
        steps = [step for step, move in enumerate(moves) if move]
        if not self.taking_part.allows(steps):
            return f"the stream moved in the steps {steps}, which is not a pattern of a record"
        for move in moves:
            if reason := super().uncovered([Fraction(0)], [move]):
                return reason
        return ""


@by("matrix/sensitivity")
def total_move(sensitivity: Expr, square: Real) -> Expr:
    """How far C x moves, if x moves by at most the sensitivity in each step and C has this square
    for moves by 1.
    """
    return sensitivity * sqrt(square)


def steps_at_most(steps: int) -> None:
    """Refuse a stream that is too long."""
    if steps > MOST_STEPS:
        raise InputError(
            f"the stream has {steps} steps, more than the {MOST_STEPS} that are"
            " followed; split it, and add up the parts."
        )
