"""Choices of one of several candidates by noisy scores: what all of them share."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number, listed, rational
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.laplace.laplace_transform import LaplaceTransform
from rdpacct.mechanisms.monotone import MaybeMonotone
from rdpacct.mechanisms.selection.dominated_profile import DominatedProfile
from rdpacct.mechanisms.selection.halfway import halfway_law
from rdpacct.privacy.group import group_sensitivity
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Norm, SensitivityIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt

SHARES = (Fraction(0), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2))
"""In pairs that bound from below, the first of two candidates is ahead by these shares of epsilon.
"""
TRIED = 64
"""For concrete pairs epsilon is divided into this many parts."""


@dataclass(frozen=True)
class ScoredChoice(MaybeMonotone):
    """One of several candidates, which is epsilon-differentially private for scores that move by
    at most the sensitivity.

    Scores are monotone if between neighbors they all move the same way; they then have twice the
    rate. Where the scores move by a share of the sensitivity, the same share of epsilon is lost.
    """

    epsilon: Parameter = Parameter(above_least=True)
    sensitivity: SensitivityIn = SensitivityIn(Norm.LINF)
    monotone: bool = False
    same_outputs: ClassVar[bool] = True
    exact_events: ClassVar[bool] = False
    """Whether two candidates have the delta of the dominating law at every epsilon."""

    @property
    def rate(self) -> Expr:
        """The factor by which scores are compared with noise of scale 1."""
        return self.epsilon / self.sensitivity.value / (1 if self.monotone else 2)

    @property
    def largest_loss(self) -> Expr:
        """Epsilon: how far the scores move, in scales of the noise."""
        return self.epsilon

    @abstractmethod
    def two_candidates(self, ahead: Expr) -> PrivacyLoss:
        """The loss if the first of two candidates is ahead by ``ahead`` scales of the noise on D,
        and falls back by epsilon on D'.
        """

    def for_group(self, size: int) -> Self:
        """The same noise: epsilon grows with how far the scores move."""
        grown = super().for_group(size)
        epsilon = group_sensitivity(self.epsilon, size)
        return replace(grown or self, epsilon=epsilon)

    def loss(self) -> PrivacyLoss:
        return halfway_law(self.epsilon, _event)

    def profile(self) -> Profile:
        laws = self.loss().directions()
        return DominatedProfile(laws, self.members(), self.exact_events)

    def members(self) -> tuple[PrivacyLoss, ...]:
        """Losses of two candidates, which bound all answers from below."""
        return tuple(self.two_candidates(share * self.epsilon) for share in SHARES)

    def directions(self) -> tuple[Direction, ...]:
        """The law that dominates all pairs, and pairs of two candidates below it."""
        with attempt() as used:
            rests_on = self.loss().rests_on
            below = tuple(loss.direction() for loss in self.members())
        law = LaplaceTransform(self.epsilon)
        known = rests_on | used
        last = Direction(law, rests_on=known) if self.exact_events else None
        return (Direction(law, below=below, last=last, rests_on=known),)

    def attained(self) -> tuple[PrivacyLoss, ...]:
        """Two candidates, of which the first falls back by epsilon in all."""
        return tuple(
            self.two_candidates(Fraction(k, TRIED) * self.epsilon) for k in range(TRIED)
        )


def exact_scores(given: Sequence[Number]) -> list[Fraction]:
    """The scores of the candidates as exact numbers."""
    scores = listed(given)
    if isinstance(scores, str) or not scores:
        raise InputError(
            f"the scores are {scores!r}; give a list with a number for each candidate."
        )
    return [rational(score, "score") for score in scores]


def _event(threshold: Fraction) -> str:  # noqa: ARG001
    return "one of the candidates whose scores rise is chosen, for the worst scores"
