"""Random allocation: each record is in one of several batches, drawn for each on its own."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.formula import ZERO, Expr, Real, formula
from rdpacct.exact.functions import sqrt
from rdpacct.exact.number import shorten
from rdpacct.mechanisms.allocation.allocated_steps import (
    AllocationProfile,
    _AllocatedSteps,
    allocated_loss,
)
from rdpacct.mechanisms.allocation.allocation_loss import AllocationLoss
from rdpacct.mechanisms.alternatives import Alternatives
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.inside import Inside, WholeIn, assumed_inside
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation, RelationIn
from rdpacct.provenance import attempt, by

MOST_STEPS = 10**6
LEAST_SHIFT, MOST_SHIFT = 2.0**-30, 8.0
"""The laws are worked out for sensitivities between these, in standard deviations."""
MOST_SAMPLED = 64


@dataclass(frozen=True)
class RandomAllocation(Mechanism):
    """A Gaussian mechanism on each of ``steps`` batches, of which each record is in ``times``,
    drawn uniformly and independently of all other records.

    The steps may depend on what was released before. The mechanism is stated for a batch that has
    the record or does not have it.
    """

    inside: ClassVar[Relation] = Relation.ADD_OR_REMOVE_ONE
    oriented: ClassVar[bool] = True
    mechanism: Inside = Inside(Relation.ADD_OR_REMOVE_ONE)
    steps: WholeIn = WholeIn("the number of steps")
    times: WholeIn = WholeIn("the number of batches of a record", 1)
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def __post_init__(self) -> None:
        if self.relation is Relation.REPLACE_ONE:
            raise InputError(
                f"no theorem of this package gives {shorten(str(self), 80)} for a replaced"
                " record; state it for add_or_remove_one or zero_out, of which a"
                " replacement is two steps (group=2)."
            )
        if not isinstance(self.mechanism, Gaussian):
            raise InputError(
                f"RandomAllocation holds {shorten(str(self.mechanism), 80)}, but is worked"
                " out for Gaussian steps only; give a Gaussian mechanism, or Poisson"
                " samples."
            )
        if self.times > self.steps or self.steps > MOST_STEPS:
            raise InputError(
                f"a record is in {self.times} of {self.steps} batches; give at most"
                f" {MOST_STEPS} batches, and no more times than batches."
            )
        shift = float(self.mechanism.shift.ball(64))
        if shift and not LEAST_SHIFT <= shift <= MOST_SHIFT and self.steps > 1:
            raise InputError(
                f"the sensitivity is {shift:g} standard deviations of the noise, but random"
                f" allocation is worked out from {LEAST_SHIFT:g} to {MOST_SHIFT:g}; give"
                " the mechanism itself, which is at least as bad."
            )

    @property
    def _gaussian(self) -> Gaussian:
        if not isinstance(self.mechanism, Gaussian):
            raise InputError(f"{self.mechanism} is not Gaussian.")
        return self.mechanism

    def alternatives(self) -> Alternatives:
        """Laws below and above the release; a record in all batches has all of the steps."""
        gaussian = self._gaussian.stated_for(self.relation)
        if gaussian.shift == ZERO:
            return Alternatives((Plan.of(),), Plan.of(), all_of_them=True)
        if self.times == self.steps:
            every = Plan.of(gaussian) * self.steps
            return Alternatives((every,), every, all_of_them=True)
        with attempt() as used:
            on_all = self._on_all()
        return Alternatives(
            (self._below(),),
            self._above(),
            all_of_them=False,
            or_above=on_all.resting_on(frozenset(used)),
            why_apart="the likelihood ratio is rounded to a grid"
            if self.times == 1
            else "a record in several batches is bounded by one in a batch of each of"
            " several blocks",
        )

    def _above(self) -> Plan:
        size = whole_blocks(self.steps, self.times)
        if size == 1:
            return Plan.of(self._gaussian.stated_for(self.relation)) * self.times
        steps = _AllocatedSteps(self._gaussian, size, True, self.relation)
        return Plan.of(steps) * self.times

    @by("sampling/random-allocation")
    def _on_all(self) -> Plan:
        """As many steps that have the record for certain, which are worse at every level."""
        return Plan.of(self._gaussian.stated_for(self.relation)) * self.times

    def _below(self) -> Plan:
        if self.times == 1:
            steps = _AllocatedSteps(self._gaussian, self.steps, False, self.relation)
            return Plan.of(steps)
        return Plan.of(self._added())

    def _added(self) -> Gaussian:
        """The sum of all outputs, over the root of their number."""
        inner = self._gaussian.stated_for(self.relation)
        length = added_shift(inner.sensitivity.value, self.steps, self.times)
        return replace(inner, sensitivity=replace(inner.sensitivity, value=length))

    def loss(self) -> Loss:
        """The loss of removing a record that is in one of the batches."""
        if self.steps == 1 or self._gaussian.shift == ZERO:
            return self._gaussian.loss()
        if self.times > 1:
            raise UndecidedError(
                f"no single pair of laws is known to be the worst of {self}; ask for"
                " epsilon or delta."
            )
        return self._ways[0]

    @property
    def _ways(self) -> tuple[AllocationLoss, AllocationLoss]:
        return allocated_loss(self._gaussian, self.steps).both_ways()

    def profile(self) -> Profile:
        """The questions whose answers add up; the plan is asked for epsilon and delta."""
        if self.steps == 1 or self._gaussian.shift == ZERO:
            return self._gaussian.profile()
        return AllocationProfile((), () if self.times > 1 else self._ways)

    def attained(self) -> tuple[Loss, ...]:
        """Pooled outcomes of steps that all move by the sensitivity, or the sum of all outputs."""
        if self.steps == 1 or self._gaussian.shift == ZERO:
            return self._gaussian.profile().losses
        if self.times > 1:
            return self._added().profile().losses
        return tuple(way.pooled() for way in self._ways)

    def pair(self) -> tuple[Any, Any] | None:
        if self.times > 1 or self.steps > MOST_SAMPLED:
            return None
        far = float(self._gaussian.sensitivity.value.ball(64))
        return ((far, 0.0),) * self.steps, ((0.0, 0.0),) * self.steps

    def observed(self, output: Sequence[float]) -> float:
        """The logarithm of the mean of the ratios of all steps."""
        sigma = float(self._gaussian.sigma.ball(64))
        far = float(self._gaussian.sensitivity.value.ball(64))
        ratios = [math.exp(far * (2 * x - far) / (2 * sigma**2)) for x in output]
        return math.log(math.fsum(ratios) / len(ratios))

    def hypotheses(self) -> tuple[str, ...]:
        how = "one batch" if self.times == 1 else f"{self.times} batches"
        return (
            f"{self}: each record is in {how} of {self.steps}, drawn uniformly,"
            " independently of all other records and anew for each release, and nothing"
            " but the outputs tells which; batches of fixed size from a shuffled list are"
            " another mechanism.",
            *assumed_inside(self.mechanism),
        )

    def about_noise(self) -> tuple[str, ...]:
        return self.mechanism.about_noise()

    def certified(self) -> tuple[str, dict[str, Any]]:
        raise InputError(
            f"certificates of budgets know no {type(self).__name__}; ask for epsilon"
            " without a certificate."
        )

    def sample(
        self, value: Sequence[tuple[Any, Any]], rng: Source = None
    ) -> tuple[Any, ...]:
        """The noisy values of all steps, given for each the values of its query with the record and
        without it.
        """
        if len(value) != self.steps:
            raise InputError(
                f"there are {len(value)} pairs of values, but {self.steps} steps; give one"
                " for each: with the record and without it."
            )
        source = randomness(rng)
        places = list(range(self.steps))
        chosen = set()
        for _ in range(self.times):
            chosen.add(places.pop(source.randrange(len(places))))
        run = self._gaussian.sample
        return tuple(
            run(with_it if step in chosen else without, source)
            for step, (with_it, without) in enumerate(value)
        )

    def __str__(self) -> str:
        times = f", times={self.times}" if self.times > 1 else ""
        return f"RandomAllocation({self.mechanism}, steps={self.steps}{times})"

    @classmethod
    def examples(cls) -> Iterable["RandomAllocation"]:
        yield cls(Gaussian(1), 2)
        yield cls(Gaussian(1), 4, 2)


def whole_blocks(steps: int, times: int) -> int:
    """The size of the blocks of steps, each of which has the record once: as many blocks as times,
    and what is left over has no record.
    """
    return steps // times


@by("sampling/random-allocation")
def added_shift(sensitivity: Real, steps: Real, times: Real) -> Expr:
    """How far the sum of all outputs moves, over the root of the number of steps."""
    return formula(times) * formula(sensitivity) / sqrt(steps)
