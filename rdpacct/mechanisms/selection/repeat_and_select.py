"""The best of a random number of runs: private selection and tuning of hyperparameters."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass

from rdpacct.exact.formula import ONE, ZERO, Expr, Real, formula
from rdpacct.exact.functions import exp, log
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.promised.promised import worst_pair
from rdpacct.mechanisms.selection.dominated_profile import DominatedProfile
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import RelationIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, by


@dataclass(frozen=True)
class RepeatAndSelect(Mechanism):
    """The best output of a random number of runs, each of which is epsilon-differentially private.

    The number of runs has the truncated negative binomial law of this shape above -1 and of gamma:
    shape 1 is geometric, shape 0 logarithmic. The smaller gamma, the more runs. Outputs are
    compared by a score that they show themselves; those of the other runs are not released.
    """

    epsilon: Parameter = Parameter(above_least=True)
    gamma: Parameter = Parameter(0, 1, above_least=True)
    shape: Parameter = Parameter(-1, above_least=True, default=1)
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    @property
    def total_epsilon(self) -> Expr:
        """The epsilon of all runs together."""
        return repeated_epsilon(self.epsilon, self.gamma, self.shape)

    @property
    def mean_runs(self) -> Expr:
        """The mean number of runs."""
        if self.gamma == ONE:
            return ONE
        odds = (1 - self.gamma) / self.gamma
        if self.shape == ZERO:
            return odds / log(1 / self.gamma)
        return self.shape * odds / (1 - exp(self.shape * log(self.gamma)))

    def loss(self) -> PrivacyLoss:
        return worst_pair(self.total_epsilon, ZERO)

    def profile(self) -> Profile:
        laws = self.loss().directions()
        return DominatedProfile(laws, self.attained(), sharp=False)

    def directions(self) -> tuple[Direction, ...]:
        """The worst pair of the total epsilon, and a run with two outputs below it."""
        with attempt() as used:
            above = self.loss().direction()
            below = tuple(loss.direction() for loss in self.attained())
        rests_on = above.rests_on | used
        law = above.transform, above.at_infinity
        return (Direction(*law, below, rests_on=rests_on),)

    def attained(self) -> tuple[PrivacyLoss, ...]:
        """Runs that tell one bit by randomized response, where one of the answers is better."""
        often = exp(self.epsilon) / (1 + exp(self.epsilon))
        never = [self._all_worse(chance) for chance in (1 - often, often)]
        first, second = never
        pair = PrivacyLoss(
            (
                Atom(first, second, log(first / second)),
                Atom(1 - first, 1 - second, log((1 - first) / (1 - second))),
            )
        )
        return (pair, pair.reversed())

    def _all_worse(self, chance: Expr) -> Expr:
        """The probability that no run has the better output, which each has with a chance."""
        if self.gamma == ONE:
            return 1 - chance
        left = self.gamma + (1 - self.gamma) * chance
        if self.shape == ZERO:
            return log(left) / log(self.gamma)
        power = -self.shape
        return (exp(power * log(left)) - 1) / (exp(power * log(self.gamma)) - 1)

    def hypotheses(self) -> tuple[str, ...]:
        return (
            f"{self}: the number of runs is drawn as stated, and told to nobody.",
            f"{self}: each run keeps epsilon = {self.epsilon}, its score included.",
        )

    @classmethod
    def examples(cls) -> Iterable["RepeatAndSelect"]:
        return (cls(1, "1/10"),)


@by("selection/repeated")
def repeated_epsilon(epsilon: Real, gamma: Real, shape: Real) -> Expr:
    """The epsilon of the best of all runs, from that of one; at most (2 + shape) epsilon."""
    grown = exp(formula(epsilon))
    share = formula(gamma)
    return epsilon + (1 + formula(shape)) * log((grown + share) / (1 + share * grown))
