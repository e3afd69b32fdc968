"""Report noisy max: the candidate whose score is largest with Laplace noise."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp, log
from rdpacct.exact.number import Number
from rdpacct.exact.parameter import rational_of
from rdpacct.mechanisms.exponential.exponential import Exponential, rare_large_loss
from rdpacct.mechanisms.selection.dominated_profile import DominatedProfile
from rdpacct.mechanisms.selection.lazy_noise import LazyLaplace, largest
from rdpacct.mechanisms.selection.scored_choice import TRIED, ScoredChoice, exact_scores
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, by

BEHIND = (1, 4, 12)
"""In pairs that bound from below, the first of two candidates is behind by this many scales of the
noise.
"""


@dataclass(frozen=True)
class ReportNoisyMax(ScoredChoice):
    """The index of the largest score with Laplace noise of scale 2 sensitivity/epsilon.

    The scale is sensitivity/epsilon for monotone scores. Only the index is released, not the noisy
    score. With exponential noise it is PermuteAndFlip, and with Gumbel noise Exponential.
    """

    also_called: ClassVar[tuple[str, ...]] = ("NoisyMax", "RNM")

    def two_candidates(self, ahead: Expr) -> PrivacyLoss:
        return two_noisy_scores(self.largest_loss, ahead)

    def members(self) -> tuple[PrivacyLoss, ...]:
        """The losses of two candidates; those of a first one far behind, where large losses are;
        and those of four candidates, which spread more.
        """
        behind = (two_low_scores(self.largest_loss, formula(far)) for far in BEHIND)
        four = four_noisy_scores(self.largest_loss, self.largest_loss / 2)
        return (*super().members(), *behind, four)

    def profile(self) -> Profile:
        """The profile, with an upper end from the range of the losses, too."""
        laws = self.loss().directions()
        other = bounded_range(self.largest_loss)
        return DominatedProfile(laws, self.members(), or_above=other)

    def attained(self) -> tuple[PrivacyLoss, ...]:
        """The losses of two candidates, and of two against two others."""
        shares = (Fraction(k, TRIED) * self.largest_loss for k in range(TRIED))
        four = (four_noisy_scores(self.largest_loss, share) for share in shares)
        return (*super().attained(), *four)

    def directions(self) -> tuple[Direction, ...]:
        """The directions of all such choices, with the pairs of bounded range, which give less
        where releases are many.
        """
        (halfway,) = super().directions()
        return (replace(halfway, instead=bounded_range(self.largest_loss)),)

    def sample(self, scores: Sequence[Number], rng: Source = None) -> int:
        """The index of the chosen candidate, exactly distributed: noise is drawn bit by bit."""
        exact = exact_scores(scores)
        source = randomness(rng)
        scale = 1 / rational_of(self.rate, "epsilon/sensitivity")
        return largest([LazyLaplace(score, scale, source) for score in exact])

    @classmethod
    def examples(cls) -> Iterable["ReportNoisyMax"]:
        return (cls(4, sensitivity=2),)


@by("selection/noisy-max")
def two_noisy_scores(epsilon: Expr, ahead: Expr) -> PrivacyLoss:
    """The loss of two candidates, the first of which is ahead by ``ahead`` and falls back by
    epsilon in all, for 0 <= ahead <= epsilon.
    """
    return _choice(1 - sum_above(ahead), sum_above(epsilon - ahead))


@by("selection/noisy-max")
def two_low_scores(epsilon: Expr, behind: Expr) -> PrivacyLoss:
    """The same for a first candidate that is ``behind`` and falls back by epsilon more."""
    return _choice(sum_above(behind), sum_above(behind + epsilon))


@by("selection/noisy-max")
def four_noisy_scores(epsilon: Expr, ahead: Expr) -> PrivacyLoss:
    """The loss of two candidates against two others: whether one of the first two is chosen. They
    are ahead by ``ahead`` and fall back by epsilon in all, for 0 <= ahead <= epsilon.
    """
    return _choice(1 - two_behind_win(ahead), two_behind_win(epsilon - ahead))


def _choice(chosen: Expr, rarely: Expr) -> PrivacyLoss:
    """The loss of one bit, which is set with these probabilities."""
    return PrivacyLoss(
        (
            Atom(chosen, rarely, log(chosen / rarely)),
            Atom(1 - chosen, 1 - rarely, log((1 - chosen) / (1 - rarely))),
        )
    )


@by("selection/noisy-max")
def sum_above(level: Expr) -> Expr:
    """The probability that two Laplace variables of scale 1 add up to more than a level >= 0."""
    return (2 + level) * exp(-level) / 4


@by("selection/noisy-max")
def two_behind_win(behind: Expr) -> Expr:
    """The probability that one of two candidates is chosen, if both are this many scales >= 0
    behind two others.
    """
    return 5 * exp(-behind) / 6 - (8 + 3 * behind) * exp(-2 * behind) / 24


def bounded_range(epsilon: Expr) -> Direction:
    """The pairs whose losses are no farther apart than those of a noisy maximum.

    What is below these pairs shows how wide an answer is; it need not be below a noisy maximum.
    """
    with attempt() as used:
        length = noisy_range(epsilon)
        like = Exponential(length)
        (direction,) = like.directions()
        profile = like.profile()
    with attempt():  # evidence where a sum is asked beside a ramp only
        smaller = rare_large_loss(epsilon, length)
    return replace(
        direction,
        beside_ramp=smaller,
        loss=profile,
        rests_on=direction.rests_on | used,
    )


@by("selection/noisy-max-range")
def noisy_range(epsilon: Real) -> Expr:
    """The most by which two losses of one pair of neighbors differ."""
    return Fraction(29, 20) * formula(epsilon)
