"""Local randomizers of one of k values, of which any two have the same three losses."""

from abc import abstractmethod
from fractions import Fraction
from typing import Any, ClassVar, Self

from rdpacct.errors import InputError
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.exact.number import shorten, whole
from rdpacct.mechanisms.maximally_divergent import masses
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.noisy import is_whole
from rdpacct.mechanisms.shuffled.clones import Reports, of_three_losses, pooled
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom

MAX_ANSWERS = 10**9


class LocalRandomizer(Mechanism):
    """A report about one of ``answers`` values, each of which every output favors or does not.

    An output that favors a value has exp(epsilon) times the probability on it that it has on a
    value that it does not favor. So two values have the losses epsilon, -epsilon and 0, and the
    probability of 0 is ``neutral``, whichever two they are.
    """

    epsilon: Expr
    answers: int
    least_answers: ClassVar[int] = 2

    def __post_init__(self) -> None:
        known = whole(self.answers, "answers", self.least_answers, MAX_ANSWERS)
        object.__setattr__(self, "answers", known)

    @abstractmethod
    def neutral(self) -> Expr:
        """The probability of an output that favors both of two values, or none of them."""

    @abstractmethod
    def favors(self, output: Any, value: int) -> bool:
        """Whether an output favors a value."""

    def for_group(self, size: int) -> Self:  # noqa: ARG002
        """Itself: any two inputs count as neighbors."""
        return self

    def loss(self) -> PrivacyLoss:
        neutral = self.neutral()
        likely, rare = masses(self.epsilon, neutral)
        atoms = [Atom(likely, rare, self.epsilon), Atom(rare, likely, -self.epsilon)]
        if neutral != ZERO:
            atoms.append(Atom(neutral, neutral, ZERO))
        return PrivacyLoss(tuple(atoms), symmetric=True, event=_event)

    @abstractmethod
    def on_a_third_value(self) -> Expr:
        """The probability that a report on a third value favors one of two values and not the
        other.
        """

    def shuffled_reports(self) -> Reports:
        """Below, all other people have a third value, if there is one."""
        above = of_three_losses(self.epsilon, self.neutral())
        if self.answers == 2:
            return Reports(above, None)
        return Reports(above, pooled(above, self.on_a_third_value()))

    def pair(self) -> tuple[int, int]:
        return 1, 0

    def observed(self, output: Any) -> float:
        sides = self.favors(output, 1) - self.favors(output, 0)
        return sides * float(self.epsilon.ball(64))

    def certified(self) -> tuple[str, dict[str, Any]]:
        """The maximally divergent pair that it has."""
        parameters = {"epsilon": self.epsilon, "neutral": self.neutral()}
        return "MaximallyDivergent", parameters

    def known_value(self, value: int) -> int:
        """The value, if it is one of those that can be reported about."""
        if not is_whole(value) or value not in range(self.answers):
            raise InputError(
                f"the value is {shorten(repr(value))}, but must be one of 0 to"
                f" {self.answers - 1}; give one of these."
            )
        return int(value)


def _event(threshold: Fraction) -> str:
    if threshold >= 0:
        return "the report favors the value on D and not that on D'"
    return "any report but one that favors the value on D' and not that on D"
