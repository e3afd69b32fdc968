"""Permute-and-flip: the largest score with one-sided exponential noise."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import exp, log
from rdpacct.exact.number import Number
from rdpacct.exact.parameter import rational_of
from rdpacct.mechanisms.sampling import bernoulli_exp
from rdpacct.mechanisms.selection.scored_choice import ScoredChoice, exact_scores
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.provenance import by


@dataclass(frozen=True)
class PermuteAndFlip(ScoredChoice):
    """The first candidate, in a random order, whose coin shows heads.

    The coin of candidate i shows heads with probability exp(-epsilon (best - score_i)/(2
    sensitivity)), without the 2 for monotone scores. It is the largest score with exponential noise
    (Ding and others, 2021), and is not of bounded range, as the exponential mechanism is.
    """

    exact_events: ClassVar[bool] = True

    def two_candidates(self, ahead: Expr) -> PrivacyLoss:
        return two_candidates(self.largest_loss, ahead)

    def sample(self, scores: Sequence[Number], rng: Source = None) -> int:
        """The index of the chosen candidate, exactly distributed."""
        exact = exact_scores(scores)
        source = randomness(rng)
        rate = rational_of(self.rate, "epsilon/sensitivity")
        best = max(exact)
        order = list(range(len(exact)))
        source.shuffle(order)
        for candidate in order:
            if bernoulli_exp(rate * (best - exact[candidate]), source):
                return candidate
        raise AssertionError("the coin of the best candidate always shows heads")

    @classmethod
    def examples(cls) -> Iterable["PermuteAndFlip"]:
        return (cls(1, monotone=True),)


@by("selection/permute-and-flip")
def two_candidates(epsilon: Expr, ahead: Expr) -> PrivacyLoss:
    """The loss of two candidates, the first of which is ahead by ``ahead`` and falls back by
    epsilon in all, for 0 <= ahead <= epsilon.
    """
    chosen = 1 - exp(-ahead) / 2
    rarely = exp(ahead - epsilon) / 2
    return PrivacyLoss(
        (
            Atom(chosen, rarely, log(chosen / rarely)),
            Atom(1 - chosen, 1 - rarely, log((1 - chosen) / (1 - rarely))),
        )
    )
