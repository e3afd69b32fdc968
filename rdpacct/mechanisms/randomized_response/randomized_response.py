"""Randomized response: report one of k answers truthfully a little more often than each of the
others.
"""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar, Self

from rdpacct.errors import InputError
from rdpacct.exact.formula import ZERO, Expr, Real, formula
from rdpacct.exact.functions import exp, log, maximum, tanh
from rdpacct.exact.number import shorten, whole
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.noisy import is_whole
from rdpacct.mechanisms.randomized_response.response_transform import ResponseTransform
from rdpacct.mechanisms.sampling import bernoulli_exp
from rdpacct.mechanisms.shuffled.clones import (
    Reports,
    of_any_randomizer,
    of_responses,
    with_a_third_value,
)
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.relation import RelationIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by

MAX_ANSWERS = 10**9


@dataclass(frozen=True)
class RandomizedResponse(Mechanism):
    """The true one of k answers with probability e**epsilon/(e**epsilon + k - 1), each other one
    with the same rest.

    The answer is any function of the data whose value may change between neighbors, whatever the
    relation.
    """

    also_called: ClassVar[tuple[str, ...]] = ("RR", "Bernoulli")
    instead_of: ClassVar[Mapping[str, str]] = {
        "p": "for a true answer with probability p among two take epsilon=log(p/(1 - p))",
    }
    epsilon: Parameter = Parameter()
    answers: int = 2
    _: KW_ONLY
    relation: RelationIn = RelationIn()
    same_outputs: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "answers", whole(self.answers, "answers", 2, MAX_ANSWERS)
        )

    def directions(self) -> tuple[Direction, ...]:
        return (Direction(ResponseTransform(self.epsilon, self.answers)),)

    def for_group(self, size: int) -> Self:  # noqa: ARG002
        """Itself: any two inputs count as neighbors."""
        return self

    def loss(self) -> PrivacyLoss:
        epsilon = self.epsilon
        likely = exp(self.epsilon)
        rare = formula(1)
        total = likely + (self.answers - 1)
        atoms = [
            Atom(likely / total, rare / total, epsilon),
            Atom(rare / total, likely / total, -epsilon),
        ]
        if self.answers > 2:
            rest = (self.answers - 2) / total
            atoms.append(Atom(rest, rest, ZERO))
        binary = self.answers == 2
        return PrivacyLoss(
            tuple(atoms),
            symmetric=True,
            forms=Forms(
                mean=partial(mean, epsilon, self.answers),
                delta=partial(delta, epsilon, self.answers),
                log_moment=partial(log_moment, epsilon, self.answers),
                tau_squared=partial(tau_squared, epsilon) if binary else None,
                rho=partial(rho, epsilon) if binary else None,
            ),
            event=self._event,
        )

    def shuffled_reports(self) -> Reports:
        """Shuffled reports, where those of everybody with another value look alike, if there is a
        third answer.
        """
        if self.answers == 2:
            return Reports(of_any_randomizer(self.epsilon), None)
        attained = with_a_third_value(self.epsilon, self.answers)
        return Reports(of_responses(self.epsilon, self.answers), attained)

    def sample(self, value: int, rng: Source = None) -> int:
        """The reported answer for the true answer ``value`` in range(answers), exactly
        distributed.
        """
        if not is_whole(value) or value not in range(self.answers):
            told = shorten(repr(value))
            raise InputError(
                f"the answer is {told}, but must be one of 0 to {self.answers - 1};"
                " give one of these."
            )
        source = randomness(rng)
        rate = rational_of(self.epsilon, "epsilon")
        while True:
            proposal = source.randrange(self.answers)
            if proposal == value or bernoulli_exp(rate, source):
                return proposal

    def pair(self) -> tuple[int, int]:
        return 1, 0

    def observed(self, output: int) -> float:
        return {1: 1, 0: -1}.get(output, 0) * float(self.epsilon.ball(64))

    def _event(self, threshold: Fraction) -> str:
        if threshold >= 0:
            return "the reported answer is the true answer on D"
        return "any answer but the true one on D'"

    @classmethod
    def examples(cls) -> Iterable["RandomizedResponse"]:
        return cls(1), cls("0.05"), cls(3, answers=5), cls("1/2", answers=3)


@by("randomized-response/mean")
def mean(epsilon: Real, answers: Real) -> Expr:
    """The mean loss; epsilon tanh(epsilon/2) for two answers."""
    epsilon = formula(epsilon)
    if answers == 2:
        return epsilon * tanh(epsilon / 2)
    return epsilon * (exp(epsilon) - 1) / (exp(epsilon) + (answers - 1))


@by("randomized-response/delta")
def delta(epsilon: Real, answers: Real, at: Real) -> Expr:
    """delta at another epsilon >= 0."""
    return maximum(0, (exp(epsilon) - exp(at)) / (exp(epsilon) + (answers - 1)))


@by("randomized-response/renyi")
def log_moment(epsilon: Real, answers: Real, rate: Real) -> Expr:
    """log E exp(rate L)."""
    epsilon = formula(epsilon)
    rate = formula(rate)
    total = exp(epsilon) + (answers - 1)
    return log(
        (exp((1 + rate) * epsilon) + exp(-rate * epsilon) + (answers - 2)) / total
    )


@by("cdp/from-dp")
def tau_squared(epsilon: Real) -> Expr:
    """The square of tau, for two answers."""
    return 2 * formula(epsilon) * tanh(formula(epsilon) / 2)


@by("cdp/from-dp")
def rho(epsilon: Real) -> Expr:
    """The zCDP parameter, for two answers."""
    return formula(epsilon) * tanh(formula(epsilon) / 2)
