"""The best of a random number of runs of which each may lose any amount: tuning in private."""

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NoReturn, Self

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import ZERO, formula
from rdpacct.exact.number import shorten
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.discrete.discrete_gaussian import DiscreteGaussian
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.mechanism import Mechanism, Plan, randomness
from rdpacct.mechanisms.promised.promised import Promised, worst_pair
from rdpacct.mechanisms.selection.best_run_costs import (
    Costs,
    NegativeBinomialCosts,
    PoissonCosts,
)
from rdpacct.mechanisms.selection.best_run_profile import (
    BestRunProfile,
    BestRunTransform,
    best_run_pairs,
    largest_loss,
)
from rdpacct.mechanisms.selection.number_of_runs import (
    NegativeBinomialRuns,
    NumberOfRuns,
    PoissonRuns,
)
from rdpacct.mechanisms.selection.one_run import KnownRun, one_run_of
from rdpacct.mechanisms.source import Source
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt


class RunIn:
    """A field that holds the plan of one run."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Plan:
        if instance is None:
            raise AttributeError(self.name)
        plan: Plan = instance.__dict__[self.name]
        return plan

    def __set__(self, instance: Any, given: Plan | Mechanism | Guarantee) -> None:
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
        instance.__dict__[self.name] = plan


def _check(mechanism: Mechanism) -> None:
    """Refuse a release for which no pair of laws stands."""
    if mechanism.alternatives() is not None or mechanism.randomly() is not None:
        raise InputError(
            f"a run has {shorten(str(mechanism), 80)}, for which no single pair of laws"
            " stands; give runs of other releases."
        )


class BestRun(Mechanism):
    """The best output of a random number of independent runs of the same plan.

    Outputs are compared by a score that they show themselves. Among the best the first is kept, and
    nothing else is released, nor how many runs there were.
    """

    of_plans: ClassVar[tuple[str, ...]] = ("run",)
    run: RunIn
    known: KnownRun | None = None
    """What composition knows of one run; without it, what the one release of a run says."""

    @property
    @abstractmethod
    def number(self) -> NumberOfRuns:
        """The law of the number of runs."""

    @abstractmethod
    def costs(self) -> Costs:
        """What the best run costs beyond one run."""

    @property
    def relation(self) -> Relation:  # type: ignore[override]
        """The relation of the runs."""
        return self.run.relation

    def stated_for(self, relation: Relation) -> Self:
        if relation is self.relation:
            return self
        terms = [(m.stated_for(relation), count) for m, count in self.run.terms]
        return replace(self, run=Plan.counted(terms))  # type: ignore[type-var]

    def knowing(self, known: KnownRun) -> Self:
        """The same, with what composition knows of one run."""
        same: Self = replace(self)  # type: ignore[type-var]
        object.__setattr__(same, "known", known)
        return same

    @cached_property
    def _costs(self) -> Costs:
        return self.costs()

    def loss(self) -> NoReturn:
        raise UndecidedError(
            f"no single pair of laws stands for {shorten(str(self), 80)}; ask for delta"
            " or epsilon."
        )

    def profile(self) -> BestRunProfile:
        return BestRunProfile(self.attained(), self._costs)

    def directions(self) -> tuple[Direction, ...]:
        """The pair of the largest loss, or the moments if there is none; below, what occurs."""
        with attempt() as used:
            top = largest_loss(self._costs)
            below = tuple(loss.direction() for loss in self.attained())
            above = Direction(BestRunTransform(self._costs))
            if not isinstance(top, float):
                above = worst_pair(formula(top), ZERO).direction()
        rests_on = above.rests_on | used
        law = above.transform, above.at_infinity
        return (Direction(*law, below, rests_on=rests_on),)

    @cached_property
    def _attained(self) -> tuple[Loss, ...]:
        pairs = tuple(best_run_pairs(self._costs))
        return (*self._one_run(), *pairs) or (worst_pair(ZERO, ZERO),)

    def attained(self) -> tuple[Loss, ...]:
        """Outputs that are told apart by their loss."""
        return self._attained

    def _one_run(self) -> tuple[Loss, ...]:
        """The losses of one run, if it is what is left where all scores are equal."""
        known = self._costs.run.known
        if known is None or self.number.none != ZERO:
            return ()
        return known.occurring

    def select(
        self,
        run: Callable[[], Any],
        score: Callable[[Any], Any] | None = None,
        rng: Source = None,
    ) -> Any:
        """The best output of so many calls of ``run`` as are drawn; None if there are none."""
        outputs = [run() for _ in range(self.number.draw(randomness(rng)))]
        return max(outputs, key=score, default=None)

    def sample(self, value: Any, rng: Source = None) -> Any:
        """The best output for a value, where each run is one release and the largest is best."""
        single = self.run.single
        release = getattr(single, "sample", None)
        if release is None:
            raise InputError(
                f"a run of {shorten(str(self.run), 80)} is not one release that can be"
                " sampled; give select() a function that does one run."
            )
        source = randomness(rng)
        return self.select(lambda: release(value, source), rng=source)

    def assumes(self) -> tuple[str, ...]:
        inside = [said for m, _ in self.run.releases for said in m.assumes()]
        return (
            f"{self}: the number of runs is drawn as stated, and told to nobody.",
            f"{self}: runs are independent, and scores are computed from what a run"
            " releases.",
            *dict.fromkeys(inside),
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

    def costs(self) -> Costs:
        return NegativeBinomialCosts(one_run_of(self.run, self.known), self.number)

    @classmethod
    def examples(cls) -> Iterable["BestOfRuns"]:
        return (cls(Gaussian(4), 10), cls(DiscreteGaussian(3), 5, 0))


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

    def costs(self) -> Costs:
        return PoissonCosts(one_run_of(self.run, self.known), self.number)

    @classmethod
    def examples(cls) -> Iterable["BestOfPoissonRuns"]:
        return (cls(Gaussian(4), 10),)
