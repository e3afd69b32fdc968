"""A banded strategy on cyclic Poisson samples: the records are in as many groups as there are
bands, and each step samples from the group whose turn it is.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, ClassVar

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.formula import Scalar
from rdpacct.exact.number import shorten
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.alternatives import Alternatives
from rdpacct.mechanisms.correlated.correlated_noise import steps_at_most, total_move
from rdpacct.mechanisms.correlated.participation import most_within
from rdpacct.mechanisms.correlated.toeplitz_mechanism import (
    CoefficientsIn,
    ToeplitzMechanism,
)
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.inside import WholeIn
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.poisson.poisson_sampled import PoissonSampled
from rdpacct.mechanisms.sampling import bernoulli
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.relation import Relation, RelationIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by


@dataclass(frozen=True)
class SampledBands(Mechanism):
    """The stream of a ``ToeplitzMechanism`` whose step i has each record of group i mod b with
    probability ``rate``, where b is the number of coefficients and of groups.

    Which group a record is in is fixed before, and depends on the record alone; where records are
    replaced, on its place alone, so that the new record is in the same group. In a step in which it
    is sampled a record moves the stream by at most the sensitivity, in the L2 norm.
    """

    inside: ClassVar[Relation] = Relation.ADD_OR_REMOVE_ONE
    continuous: ClassVar[bool] = True
    sigma: Parameter = Parameter(above_least=True)
    steps: WholeIn = WholeIn("the number of steps")
    coefficients: CoefficientsIn = CoefficientsIn()
    rate: Parameter = Parameter(
        most=1, remedy="give the share of the records of a group, as in rate=256/6000"
    )
    sensitivity: Parameter = Parameter(above_least=True, default=1)
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def __post_init__(self) -> None:
        steps_at_most(self.steps)

    @property
    def oriented(self) -> bool:
        """Whether one of the data sets has the record and the other has none."""
        return self.relation is not Relation.REPLACE_ONE

    def plan(self) -> Plan:
        """The releases that all steps amount to for a record of the first group, which is sampled
        as often as any and has the longest columns.
        """
        squares = squares_of_group(self.coefficients, self.steps)
        return Plan.counted(
            (self._release(square), count) for square, count in squares.items()
        )

    def _release(self, square: Fraction) -> Mechanism:
        """The rows that a step of the group moves, as one release of a sample."""
        move = total_move(self.sensitivity, square)
        noise = Gaussian(self.sigma, move)
        return PoissonSampled(noise, self.rate, relation=self.relation)

    def alternatives(self) -> Alternatives:
        plan = self.plan()
        return Alternatives((plan,), plan, all_of_them=True)

    def loss(self) -> Loss:
        return self._single().loss()

    def directions(self) -> tuple[Direction, ...]:
        return self._single().directions()

    def attained(self) -> tuple[Loss, ...]:
        single = self.plan().single
        return () if single is None else single.attained()

    def _single(self) -> Mechanism:
        """The one release of a stream in which each group has one turn."""
        single = self.plan().single
        if single is None:
            raise UndecidedError(
                f"{shorten(str(self), 60)} amounts to several releases, so that no single"
                " pair of laws stands for it; ask the plan for delta or epsilon."
            )
        return single

    def hypotheses(self) -> tuple[str, ...]:
        bands = len(self.coefficients)
        group = "which depends on the record alone"
        if self.relation is Relation.REPLACE_ONE:
            group = "and the record that replaces it is in the same one"
        return (
            f"{self}: each record is in one of {bands} groups, {group}; step i has each"
            f" record of group i mod {bands} with probability"
            f" {self.rate}, independently of all others and anew for each step, and"
            " nothing but the release tells which were drawn.",
            f"{self}: a record that is sampled moves the stream by at most"
            f" {self.sensitivity} in the L2 norm; the stream may depend on what was"
            " released before.",
        )

    def certified(self) -> tuple[str, dict[str, Any]]:
        raise InputError(
            f"certificates of budgets know no {type(self).__name__}; ask for one of the"
            f" plan that it amounts to, {shorten(str(self.plan()), 120)}."
        )

    def sample(self, value: Sequence[Any], rng: Source = None) -> list[Any]:
        """The noisy entries of C x, given for each step its values with and without the record, one
        of which is drawn; for study only. They are the same where it is not the turn of its group.
        """
        source = randomness(rng)
        pairs = isinstance(value, list | tuple) and all(
            isinstance(both, tuple | list) and len(both) == 2 for both in value
        )
        if not pairs or len(value) != self.steps:
            raise InputError(
                f"the value is {shorten(repr(value))}; give a list with two values for"
                f" each of the {self.steps} steps, with the record and without it."
            )
        rate = rational_of(self.rate, "rate")
        drawn = [both[0] if bernoulli(rate, source) else both[1] for both in value]
        stream = ToeplitzMechanism(self.sigma, self.steps, self.coefficients)
        return stream.sample(drawn, source)

    @classmethod
    def examples(cls) -> Iterable["SampledBands"]:
        yield cls(2, 2, [1, "1/2"], "1/4")


def squares_of_group(coefficients: Sequence[Fraction], steps: int) -> Counter[Fraction]:
    """The squares of the columns of the steps of the first group, with how often each occurs."""
    squares = list(
        accumulate(coefficient * coefficient for coefficient in coefficients)
    )
    bands = len(squares)
    turns = most_within(steps, bands)
    last = step_of_group(Fraction(0), Fraction(turns - 1), Fraction(bands))
    counts = Counter({squares[-1]: turns - 1}) if turns > 1 else Counter[Fraction]()
    counts[squares[min(bands, steps - int(last)) - 1]] += 1
    return counts


@by("matrix/sampled-bands")
def step_of_group(group: Scalar, turn: Scalar, bands: Scalar) -> Scalar:
    """The step of a turn of a group, both counted from 0."""
    return group + turn * bands
