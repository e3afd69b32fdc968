"""Maximally divergent pairs: every outcome has loss epsilon, minus epsilon or zero (Dwork and
Rothblum).
"""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Self

from rdpacct.errors import InputError
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.exact.functions import exp
from rdpacct.exact.number import Number, shorten
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.noisy import is_whole
from rdpacct.mechanisms.sampling import bernoulli, bernoulli_exp
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.relation import RelationIn
from rdpacct.provenance import by


@dataclass(frozen=True)
class MaximallyDivergent(Mechanism):
    """Three outcomes with losses epsilon, -epsilon and 0; the last has probability ``neutral`` on
    both inputs.
    """

    epsilon: Parameter = Parameter()
    neutral: Parameter = Parameter(most=1, default=0)
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def for_group(self, size: int) -> Self:  # noqa: ARG002
        """Itself: any two inputs count as neighbors."""
        return self

    def loss(self) -> PrivacyLoss:
        likely, rare = masses(self.epsilon, self.neutral)
        atoms = [Atom(likely, rare, self.epsilon), Atom(rare, likely, -self.epsilon)]
        if self.neutral != ZERO:
            atoms.append(Atom(self.neutral, self.neutral, ZERO))
        return PrivacyLoss(tuple(atoms), symmetric=True, event=_event)

    def sample(self, value: int, rng: Source = None) -> int:
        """The outcome on input 0 or 1, exactly distributed: that input, the other one, or 2 for the
        neutral one.
        """
        if not is_whole(value) or value not in (0, 1):
            raise InputError(
                f"the input is {shorten(repr(value))}, but must be 0 or 1; give one of"
                " these."
            )
        source = randomness(rng)
        neutral = rational_of(self.neutral, "neutral")
        rate = rational_of(self.epsilon, "epsilon")
        if bernoulli(neutral, source):
            return 2
        while True:
            proposal = source.randrange(2)
            if proposal == value or bernoulli_exp(rate, source):
                return proposal

    def pair(self) -> tuple[int, int]:
        return 1, 0

    def observed(self, output: int) -> float:
        return (-1, 1, 0)[output] * float(self.epsilon.ball(64))

    @classmethod
    def examples(cls) -> Iterable["MaximallyDivergent"]:
        return cls(1), cls("0.4", neutral="1/3"), cls(5, neutral="0.9")


def _event(threshold: Fraction) -> str:
    if threshold >= 0:
        return "the outcome of loss epsilon"
    return "any outcome but that of loss -epsilon"


@by("cdp/md-symmetric")
def masses(epsilon: Expr, neutral: Expr) -> tuple[Expr, Expr]:
    """The probabilities of the losses epsilon and -epsilon, beside a neutral outcome."""
    rest = 1 - neutral
    return rest * exp(epsilon) / (1 + exp(epsilon)), rest / (1 + exp(epsilon))


@by("cdp/md-dominate")
def maximally_divergent_above(
    p: Sequence[Number], q: Sequence[Number]
) -> FiniteMechanism:
    """A maximally divergent pair of the same largest loss, from which the pair (p, q) follows by
    merging outcomes.

    Each outcome is split in two, with the ratios k and 1/k, where k is the largest ratio of the
    pair.
    """
    first, second = FiniteMechanism([p, q]).rows
    if any((a == 0) != (b == 0) for a, b in zip(first, second, strict=True)):
        raise InputError(
            "the two rows have different supports, so that their largest loss is"
            " infinite; give equal ones."
        )
    ratios = [(a / b, b) for a, b in zip(first, second, strict=True) if b]
    k = max(max(ratio, 1 / ratio) for ratio, _ in ratios)
    if k == 1:
        return FiniteMechanism([p, q])
    split = [
        (b * w, b * (1 - w))
        for ratio, b in ratios
        for w in [(ratio - 1 / k) / (k - 1 / k)]
    ]
    below = [mass for pieces in split for mass in pieces]
    above = [
        mass * factor
        for pieces in split
        for mass, factor in zip(pieces, (k, 1 / k), strict=True)
    ]
    return FiniteMechanism([above, below])
