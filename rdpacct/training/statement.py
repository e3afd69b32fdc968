"""What is known about the privacy of a training run, under each assumption on its batches."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from rdpacct.calibration import Calibration
from rdpacct.exact.bound import Bound
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.number import decimal_text
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.privacy.relation import Relation


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """DP-SGD: in each step the gradients of a batch are clipped to a norm and added up, with
    Gaussian noise of ``noise_multiplier`` times that norm on the sum.
    """

    examples: int
    batch: int
    epochs: Fraction
    noise_multiplier: Fraction
    delta: Fraction
    examples_per_user: int = 1

    @property
    def exact_steps(self) -> Fraction:
        """epochs * examples / batch, which need not be whole."""
        return self.epochs * self.examples / self.batch

    @property
    def steps(self) -> int:
        """The number of steps, rounded up."""
        return -(-self.exact_steps.numerator // self.exact_steps.denominator)

    @property
    def passes(self) -> int:
        """The number of epochs, rounded up: how often an example is used at most, if it is in one
        batch of each.
        """
        return -(-self.epochs.numerator // self.epochs.denominator)

    @property
    def rate(self) -> Fraction:
        """The share of the examples that a batch has."""
        return Fraction(self.batch, self.examples)

    def __str__(self) -> str:
        rounded = "" if self.exact_steps == self.steps else _rounded(self.exact_steps)
        return (
            f"{self.examples} examples, batches of {self.batch},"
            f" {decimal_text(self.epochs)} epochs: {self.steps} steps{rounded}; noise"
            f" multiplier {decimal_text(self.noise_multiplier)}, delta ="
            f" {decimal_text(self.delta)}"
        )


def _rounded(steps: Fraction) -> str:
    return f" ({decimal_text(steps)}, rounded up)"


@dataclass(frozen=True, slots=True)
class BatchingStatement:
    """What holds if the batches are made in one way, for examples or for users."""

    batching: str
    """As "Poisson sampling", "random allocation", "fixed size" or "shuffling"."""
    level: str
    """"example" or "user"."""
    epsilon: Bound
    """Ends of the epsilon of the training: the upper one is certain to hold."""
    plan: Plan | None
    """The plan behind the upper end; None if that is not the epsilon of a plan."""
    neighbors: str
    relation: Relation
    assumes: str
    unknown: str = ""
    """What is not known, or not proved here."""

    def command(self, delta: Fraction) -> str:
        """The command that gives the upper end again; empty if there is no plan for it."""
        if self.plan is None:
            return ""
        stated = ""
        if self.relation is not Relation.ADD_OR_REMOVE_ONE:
            stated = f" --relation {self.relation}"
        return f'rdpacct epsilon "{self.plan}" --delta {decimal_text(delta)}{stated}'

    def lines(self, delta: Fraction) -> list[str]:
        """The statement as lines for people."""
        lines = [
            f"{self.batching}, {self.level} level: {self.epsilon.stated('epsilon')}",
            f"  certainly in {self.epsilon}",
            f"  neighbors: {self.neighbors}; stated for {self.relation}",
            f"  assumes: {self.assumes}",
        ]
        if self.unknown:
            lines.append(f"  not known: {self.unknown}")
        lines.append(f"  rests on {', '.join(sorted(self.epsilon.rests_on))}")
        if command := self.command(delta):
            lines.append(f"  {command}")
        return lines


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A way to make batches, or a level, of which nothing is stated, and why."""

    batching: str
    level: str
    why: str

    def __str__(self) -> str:
        return (
            f"{self.batching}, {self.level} level: nothing is stated, since {self.why}"
        )


Worked = Callable[[], BatchingStatement | LeftOut]
"""Works a statement out, or says why there is none."""


@dataclass(frozen=True)
class TrainingStatement:
    """The statements about a training run, the one under Poisson sampling first.

    The others are worked out when they are first asked for: that takes many times as long.
    """

    run: TrainingRun
    poisson: BatchingStatement
    """What holds under Poisson sampling, for one example more or less."""
    others: tuple[Worked, ...] = field(compare=False, repr=False)
    """What works out the other statements, in their order."""
    calibration: Calibration | None = None
    """How the noise multiplier was found, if a target was given."""

    @lazy_property
    def _worked_out(self) -> list[BatchingStatement | LeftOut]:
        return [worked() for worked in self.others]

    @property
    def statements(self) -> tuple[BatchingStatement, ...]:
        """All of them."""
        known = [
            statement
            for statement in self._worked_out
            if isinstance(statement, BatchingStatement)
        ]
        return self.poisson, *known

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Of what nothing is stated."""
        return tuple(
            omission for omission in self._worked_out if isinstance(omission, LeftOut)
        )

    @property
    def epsilon(self) -> Bound:
        """The epsilon under Poisson sampling, for one example more or less."""
        return self.poisson.epsilon

    def __str__(self) -> str:
        lines = [f"DP-SGD with {self.run}", *self._calibrated()]
        lines += [
            "  the noise on the sum of the clipped gradients has the noise multiplier"
            " times the clipping norm as its standard deviation",
        ]
        for statement in self.statements:
            lines += statement.lines(self.run.delta)
        lines += map(str, self.left_out)
        return "\n".join(lines)

    def _calibrated(self) -> list[str]:
        """How the noise multiplier was found."""
        if self.calibration is None:
            return []
        multiplier = decimal_text(self.run.noise_multiplier)
        return [
            f"  the noise multiplier {multiplier} suffices for the target under Poisson"
            f" sampling; the smallest is in {self.calibration.value}"
        ]
