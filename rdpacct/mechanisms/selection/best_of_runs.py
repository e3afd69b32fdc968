"""The best of a random number of runs of which each may lose any amount: tuning in private."""

from abc import abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NoReturn, Self

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.formula import ZERO
from rdpacct.exact.number import shorten
from rdpacct.exact.parameter import CheckedField, Parameter
from rdpacct.mechanisms.discrete.discrete_laplace import DiscreteLaplace
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.promised.promised import Promised, worst_pair
from rdpacct.mechanisms.selection.best_run_costs import (
    Costs,
    NegativeBinomialCosts,
    PoissonCosts,
)
from rdpacct.mechanisms.selection.best_run_pairs import best_run_pairs
from rdpacct.mechanisms.selection.best_run_profile import (
    BestRunProfile,
    BestRunTransform,
    Parts,
)
from rdpacct.mechanisms.selection.number_of_runs import (
    NegativeBinomialRuns,
    NumberOfRuns,
    PoissonRuns,
)
from rdpacct.mechanisms.selection.one_run import (
    KnownRun,
    OneRun,
    one_run_of,
    says_all,
)
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, remembered_property
from rdpacct.work import Exhausted, share

PREPARED = 0.6
"""The part of the remaining work for what all answers about the best run need."""


class RunIn(CheckedField[Plan | Mechanism | Guarantee, Plan]):
    """A field that holds the plan of one run."""

    def checked(self, given: Plan | Mechanism | Guarantee) -> Plan:
        if isinstance(given, Guarantee):
            given = Promised(given)
        plan = Plan.of(given) if isinstance(given, Mechanism) else given
        if not isinstance(plan, Plan) or not plan.terms:
            raise InputError(
                f"the run is {shorten(str(given))}; give the releases of one run, as in"
                " Gaussian(sigma=4)."
            )
        for mechanism, _ in plan.terms:
            _check(mechanism)
        return plan


def _check(mechanism: Mechanism) -> None:
    """Refuse a release that is private for drawn data only."""
    if mechanism.random_guarantee() is not None:
        raise InputError(
            f"a run has {shorten(str(mechanism), 80)}, a promise about drawn data, for"
            " which no rule of the best run is known; give runs of other releases."
        )


class BestRun(Mechanism):
    """The best output of a random number of independent runs of the same plan.

    Outputs are compared by a score that they show themselves. Among the best the first is kept, and
    nothing else is released, nor how many runs there were.
    """

    of_plans: ClassVar[tuple[str, ...]] = ("run",)
    planned_by_profile: ClassVar[bool] = True
    run: RunIn
    known: KnownRun | None = None
    """The profile of one run that composition knows; without it, that of the one release of a run.
    """

    @property
    @abstractmethod
    def number(self) -> NumberOfRuns:
        """The law of the number of runs."""

    @abstractmethod
    def costs(self, run: OneRun) -> Costs:
        """The costs of the best run beyond one run."""

    @property
    def relation(self) -> Relation:
        """The relation of the runs."""
        return self.run.relation

    def stated_for(self, relation: Relation) -> Self:
        if relation is self.relation:
            return self
        terms = [(m.stated_for(relation), count) for m, count in self.run.terms]
        return replace(self, run=Plan.counted(terms))  # type: ignore[type-var]

    def unknown_plan(self) -> Plan | None:
        single = self.run.single
        if single is not None and says_all(single):
            return None
        return self.run

    def knowing(self, profile: Profile, occurring: tuple[Loss, ...]) -> Self:
        same: Self = replace(self)  # type: ignore[type-var]
        object.__setattr__(same, "known", KnownRun(profile, occurring))
        return same

    @remembered_property
    def _prepared(self) -> Costs:
        costs = self.costs(one_run_of(self.run, self.known))
        costs.prepare()
        return costs

    @remembered_property
    def _pairs(self) -> tuple[Loss, ...]:
        return tuple(best_run_pairs(self._prepared))

    def _one_run(self, run: OneRun) -> tuple[Loss, ...]:
        """Where all scores are equal, the first run is kept, if there is one."""
        if run.known is None or self.number.none != ZERO:
            return ()
        return run.known.occurring

    def _parts(self) -> Parts:
        """The costs of the best run, and losses that occur: by moments, and from one run alone, if
        more takes too much work.
        """
        pairs: tuple[Loss, ...] = ()
        try:
            with share(PREPARED):
                costs = self._prepared
        except Exhausted:
            run = one_run_of(self.run, self.known)
            costs = replace(self.costs(run), coarse=True)
        if not costs.coarse:
            with suppress(Exhausted), share(PREPARED):
                pairs = self._pairs
        losses = *self._one_run(costs.run), *pairs
        return costs, losses or (worst_pair(ZERO, ZERO),)

    def loss(self) -> NoReturn:
        raise UndecidedError(
            f"no single pair of laws stands for {shorten(str(self), 80)}; ask for delta"
            " or epsilon."
        )

    def profile(self) -> BestRunProfile:
        return BestRunProfile((), self._parts)

    def attained(self) -> tuple[Loss, ...]:
        """One run, and whether outputs of large losses are the best."""
        return self._parts()[1]

    def directions(self) -> tuple[Direction, ...]:
        """A law above the best run, or its moments alone; below, what occurs."""
        with attempt() as used:
            costs, losses = self._parts()
            below = tuple(loss.direction() for loss in losses)
            above = self._above(costs)
        rests_on = above.rests_on | used
        law = above.transform, above.at_infinity
        return (Direction(*law, below, rests_on=rests_on),)

    def _above(self, costs: Costs) -> Direction:
        if costs.run.known is not None:
            try:
                return self._law.direction()
            except UndecidedError:
                pass
        return Direction(BestRunTransform(costs))

    @remembered_property
    def _law(self) -> PrivacyLoss:
        return self.profile().dominating()

    def select(
        self,
        run: Callable[[], Any],
        score: Callable[[Any], Any] | None = None,
        rng: Source = None,
    ) -> Any:
        """The best output of a random number of calls of ``run``; None if there are none."""
        outputs = [run() for _ in range(self.number.draw(randomness(rng)))]
        return max(outputs, key=score, default=None)

    def sample(self, value: Any, rng: Source = None) -> Any:
        """The best output for a value, where each run is one release and the largest is best."""
        single = self.run.single
        if single is None or not single.has_sampler:
            raise InputError(
                f"a run of {shorten(str(self.run), 80)} is not one release that can be"
                " sampled; give select() a function that does one run."
            )
        source = randomness(rng)
        return self.select(lambda: single.sample(value, source), rng=source)

    def hypotheses(self) -> tuple[str, ...]:
        inside = [said for m, _ in self.run.releases for said in m.hypotheses()]
        return (*self._of_the_runs, *dict.fromkeys(inside))

    def assumes(self) -> tuple[str, ...]:
        inside = [said for m, _ in self.run.releases for said in m.assumes()]
        return (*self._of_the_runs, *dict.fromkeys(inside))

    @property
    def _of_the_runs(self) -> tuple[str, str]:
        """The assumptions on the number of runs, and on their scores."""
        return (
            f"{self}: the number of runs is drawn as stated, and told to nobody.",
            f"{self}: runs are independent, and scores are computed from what a run"
            " releases.",
        )


@dataclass(frozen=True)
class BestOfRuns(BestRun):
    """The best of a truncated negative binomial number of runs with this mean and shape.

    The shape is above -1: 0 is the logarithmic law, 1 the geometric one. There is at least one run.
    """

    run: RunIn = RunIn()
    mean: Parameter = Parameter(1)
    shape: Parameter = Parameter(-1, above_least=True, default=1)

    @property
    def number(self) -> NegativeBinomialRuns:
        return NegativeBinomialRuns(self.mean, self.shape)

    def costs(self, run: OneRun) -> Costs:
        return NegativeBinomialCosts(run, self.number)

    @classmethod
    def examples(cls) -> Iterable["BestOfRuns"]:
        return (cls(Gaussian(4), 10, 0),)


@dataclass(frozen=True)
class BestOfPoissonRuns(BestRun):
    """The best of a Poisson number of runs with this mean; nothing is released if there are
    none.
    """

    run: RunIn = RunIn()
    mean: Parameter = Parameter(above_least=True)

    @property
    def number(self) -> PoissonRuns:
        return PoissonRuns(self.mean)

    def costs(self, run: OneRun) -> Costs:
        return PoissonCosts(run, self.number)

    @classmethod
    def examples(cls) -> Iterable["BestOfPoissonRuns"]:
        return (cls(DiscreteLaplace(4), 5),)
