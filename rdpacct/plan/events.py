"""Plans from the events of another vocabulary: those of Google's dp-accounting, by their names.

An event is any object whose class has the name of an event and whose attributes have the names of
its fields, so that the other library is not imported, and need not be installed.

The noise of an event is a multiple of the norm of one record. Neighbors that replace a record move
a sum by two such norms, and other neighbors by one, unless ``sensitivity`` says otherwise.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import ONE, ZERO, Expr
from rdpacct.exact.functions import log
from rdpacct.exact.number import Number, listed, rational, shorten, whole
from rdpacct.exact.parameter import number_in
from rdpacct.mechanisms.correlated.tree_aggregation import TreeAggregation
from rdpacct.mechanisms.discrete.discrete_laplace import DiscreteLaplace
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import (
    SampledWithoutReplacement,
)
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.laplace.laplace import Laplace
from rdpacct.mechanisms.mechanism import MAX_COUNT, Mechanism, Plan
from rdpacct.mechanisms.mixtures.gaussian_mixture import GaussianMixture
from rdpacct.mechanisms.non_private import NonPrivate
from rdpacct.mechanisms.poisson.poisson_sampled import PoissonSampled
from rdpacct.mechanisms.poisson.truncated_poisson_sampled import (
    TruncatedPoissonSampled,
)
from rdpacct.mechanisms.randomized_response.randomized_response import (
    MAX_ANSWERS,
    RandomizedResponse,
)
from rdpacct.mechanisms.selection.best_of_runs import BestOfPoissonRuns, BestOfRuns
from rdpacct.mechanisms.with_replacement.sampled_with_replacement import (
    SampledWithReplacement,
)
from rdpacct.privacy.compose import compose_gaussian_shifts
from rdpacct.privacy.guarantee import ZCDP
from rdpacct.privacy.relation import Norm, Relation, Sensitivity
from rdpacct.provenance import attempt

DEEPEST = 50
"""The deepest that events may be nested."""
SUFFIX = "DpEvent"


def plan_from_event(
    event: object,
    relation: Relation | str = Relation.ADD_OR_REMOVE_ONE,
    *,
    sensitivity: Number | None = None,
) -> Plan:
    """The plan that an event of dp-accounting describes, for neighbors of this relation.

    ``sensitivity`` says how far neighbors move a sum of records whose norm is at most 1: by
    default 2 for replace_one, and 1 for the others.
    """
    asked = relation if isinstance(relation, Relation) else Relation.named(relation)
    given = None if sensitivity is None else Sensitivity(sensitivity).value
    plan = EventReader(asked, given).plan(event)
    return plan if plan.terms else replace(plan, if_empty=asked)


@dataclass(frozen=True)
class EventReader:
    """Reads events for one relation, at one depth."""

    relation: Relation
    given: Expr | None = None
    """The sensitivity for a norm of 1, if the user says it."""
    depth: int = 0

    def plan(self, event: object) -> Plan:
        """The plan of an event."""
        name = type(event).__name__
        read = READERS.get(name.removesuffix(SUFFIX))
        if read is None:
            raise InputError(
                f"the event {shorten(name)} is not known; give one of dp-accounting:"
                f" {', '.join(READERS)}, each followed by {SUFFIX}."
            )
        if self.depth == DEEPEST:
            raise InputError(
                f"more than {DEEPEST} events stand in each other; give a flatter event."
            )
        return read(replace(self, depth=self.depth + 1), event)

    @property
    def moves(self) -> Expr:
        """How far neighbors move a sum of records of norm 1."""
        if self.given is not None:
            return self.given
        return number_in(2 if self.relation is Relation.REPLACE_ONE else 1, "moves")

    def noise(
        self, kind: Callable[..., Mechanism], scale: Expr, norm: Norm, size: Expr = ONE
    ) -> Plan:
        """Noise for records of this norm; without any the release is not private."""
        if scale == ZERO:
            return Plan.of(NonPrivate(relation=self.relation))
        moves = Sensitivity(self.moves * size, norm=norm, relation=self.relation)
        return Plan.of(kind(scale, sensitivity=moves))

    def on_samples(
        self,
        event: object,
        differing: Relation,
        sampled: Callable[[Mechanism], Mechanism],
    ) -> Plan:
        """A mechanism on samples that differ like this."""
        plan = replace(self, relation=differing).plan(event)
        if not plan.terms:
            return plan
        with attempt() as used:
            together = _one_release(plan)
        return replace(Plan.of(sampled(together)), rests_on=frozenset(used))


def _one_release(plan: Plan) -> Mechanism:
    """The mechanism that does what all of a plan does on one sample: Gaussian releases are one."""
    if plan.single is not None:
        return plan.single
    mechanisms = [mechanism for mechanism, _ in plan.terms]
    if any(isinstance(mechanism, NonPrivate) for mechanism in mechanisms):
        return NonPrivate(relation=plan.relation)
    shifts = [(m.shift, n) for m, n in plan.terms if isinstance(m, Gaussian)]
    if len(shifts) < len(mechanisms):
        raise InputError(
            f"{shorten(str(plan), 120)} on one sample is not one mechanism, as it is not"
            " all Gaussian; sample each release, if each draws its own records."
        )
    moves = Sensitivity(1, norm=Norm.L2, relation=plan.relation)
    return Gaussian(1 / compose_gaussian_shifts(shifts), sensitivity=moves)


def _number(event: object, field: str) -> Expr:
    """A field of an event that is a number of at least 0."""
    value = number_in(_field(event, field), field)
    if value.bound().certainly_below(0):
        raise InputError(
            f"{field} is {value}, but must be at least 0; give such a value."
        )
    return value


def _field(event: object, field: str) -> Any:
    if not hasattr(event, field):
        raise InputError(
            f"the {type(event).__name__} has no {field}; give the event that dp-accounting"
            " has under this name."
        )
    return getattr(event, field)


def _count(event: object, field: str) -> int:
    return whole(_field(event, field), field, 1, MAX_COUNT)


def _nothing(reader: EventReader, event: object) -> Plan:  # noqa: ARG001
    return Plan.of()


def _non_private(reader: EventReader, event: object) -> Plan:  # noqa: ARG001
    return Plan.of(NonPrivate(relation=reader.relation))


def _unsupported(reader: EventReader, event: object) -> Plan:  # noqa: ARG001
    raise InputError(
        "an UnsupportedDpEvent says that nothing is known of a release; give the release"
        " itself, or a NonPrivateDpEvent."
    )


def _gaussian(reader: EventReader, event: object) -> Plan:
    return reader.noise(Gaussian, _number(event, "noise_multiplier"), Norm.L2)


def _laplace(reader: EventReader, event: object) -> Plan:
    return reader.noise(Laplace, _number(event, "noise_multiplier"), Norm.L1)


def _discrete_laplace(reader: EventReader, event: object) -> Plan:
    """Masses in proportion to exp(-parameter |x|): the scale is one over it."""
    parameter = _number(event, "noise_parameter")
    if parameter == ZERO:
        raise InputError(
            "noise_parameter is 0, for which the discrete Laplace has no law; give a"
            " number above 0."
        )
    size = _number(event, "sensitivity")
    return reader.noise(DiscreteLaplace, 1 / parameter, Norm.L1, size)


def _response(reader: EventReader, event: object) -> Plan:
    """With probability p any of the k answers: the true one is 1 + (1 - p) k/p times as likely."""
    noise = _number(event, "noise_parameter")
    answers = whole(_field(event, "num_buckets"), "num_buckets", 1, MAX_ANSWERS)
    if noise.bound().certainly_above(1):
        raise InputError(
            f"noise_parameter is {noise}, but must be at most 1; give such a value."
        )
    if answers == 1 or noise == ONE:
        return Plan.of()
    if noise == ZERO:
        return Plan.of(NonPrivate(relation=reader.relation))
    epsilon = log(1 + (1 - noise) * answers / noise)
    return Plan.of(RandomizedResponse(epsilon, answers, relation=reader.relation))


def _repeated(reader: EventReader, event: object) -> Plan:
    return _count(event, "count") * reader.plan(_field(event, "event"))


def _composed(reader: EventReader, event: object) -> Plan:
    events = _field(event, "events")
    if not isinstance(events, list | tuple):
        raise InputError(
            f"the events of a ComposedDpEvent are {shorten(repr(events))}, which is not a"
            " list; give a list of events."
        )
    return Plan.total(map(reader.plan, events)) if events else Plan.of()


def _poisson(reader: EventReader, event: object) -> Plan:
    sampled = partial(
        PoissonSampled,
        rate=_number(event, "sampling_probability"),
        relation=reader.relation,
    )
    return reader.on_samples(_field(event, "event"), PoissonSampled.inside, sampled)


def _fixed_size(
    sampler: type[SampledWithoutReplacement] | type[SampledWithReplacement],
    reader: EventReader,
    event: object,
) -> Plan:
    sampled = partial(
        sampler,
        batch=_count(event, "sample_size"),
        of=_count(event, "source_dataset_size"),
        relation=reader.relation,
    )
    return reader.on_samples(_field(event, "event"), sampler.inside, sampled)


def _tree(reader: EventReader, event: object) -> Plan:
    """A record takes part once, in one of the trees: that with the most steps is the worst."""
    given = listed(_field(event, "step_counts"))
    counts = given if isinstance(given, list | tuple) else [given]
    steps = [whole(count, "step_counts", 0, MAX_COUNT) for count in counts]
    if not any(steps):
        raise InputError(
            f"step_counts is {shorten(repr(given))}, which has no step; give the steps of"
            " each tree."
        )
    tree = partial(TreeAggregation, steps=max(steps))
    return reader.noise(tree, _number(event, "noise_multiplier"), Norm.L2)


def _repeated_choice(reader: EventReader, event: object) -> Plan:
    """The best of a random number of runs: Poisson for an infinite shape."""
    mean = _number(event, "mean")
    if mean.bound().certainly_below(1):
        raise InputError(f"mean is {mean}, but must be at least 1; give such a value.")
    shape = _field(event, "shape")
    inner = reader.plan(_field(event, "event"))
    if not inner.terms:
        return inner
    if any(isinstance(mechanism, NonPrivate) for mechanism, _ in inner.terms):
        return Plan.of(NonPrivate(relation=reader.relation))
    if isinstance(shape, float) and math.isinf(shape) and shape > 0:
        return replace(Plan.of(BestOfPoissonRuns(inner, mean)), rests_on=inner.rests_on)
    runs = BestOfRuns(inner, mean, number_in(shape, "shape"))
    return replace(Plan.of(runs), rests_on=inner.rests_on)


def _truncated(reader: EventReader, event: object) -> Plan:
    """Gaussian noise on a Poisson sample of which a random part is kept if it is too large."""
    inside = replace(reader, relation=TruncatedPoissonSampled.inside)
    noise = inside.noise(Gaussian, _number(event, "noise_multiplier"), Norm.L2)
    sampled = TruncatedPoissonSampled(
        _one_release(noise),
        _number(event, "sampling_probability"),
        _count(event, "dataset_size"),
        _count(event, "truncated_batch_size"),
        relation=reader.relation,
    )
    return Plan.of(sampled)


def _mixture(reader: EventReader, event: object) -> Plan:
    """A record moves the query by a random length, which a replaced one does twice."""
    noise = _number(event, "standard_deviation")
    if noise == ZERO:
        return Plan.of(NonPrivate(relation=reader.relation))
    size = reader.given if reader.given is not None else ONE
    lengths = [
        number_in(length, "a sensitivity") * size
        for length in _numbers(event, "sensitivities")
    ]
    shares = _shares(_numbers(event, "sampling_probs"))
    mixture = GaussianMixture(noise, lengths, shares, relation=reader.relation)
    return Plan.of(mixture)


def _numbers(event: object, field: str) -> list[Any]:
    values = listed(_field(event, field))
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InputError(
            f"{field} is {shorten(repr(values))}, but must be a list of numbers; give one."
        )
    return list(values)


def _shares(given: Sequence[Any]) -> Sequence[Any]:
    """Probabilities, each as the decimal that it is printed as if these add up to 1, as doubles
    seldom do.
    """
    try:
        decimals = [rational(str(value)) for value in given]
    except InputError:
        return given
    return decimals if sum(decimals) == 1 else given


def _concentrated(reader: EventReader, event: object) -> Plan:
    promise = ZCDP(_number(event, "rho"), xi=_number(event, "xi"))
    return replace(Plan.of(), if_empty=reader.relation) + promise


READERS: dict[str, Callable[[EventReader, object], Plan]] = {
    "NoOp": _nothing,
    "NonPrivate": _non_private,
    "Unsupported": _unsupported,
    "RandomizedResponse": _response,
    "Gaussian": _gaussian,
    "Laplace": _laplace,
    "DiscreteLaplace": _discrete_laplace,
    "SelfComposed": _repeated,
    "Composed": _composed,
    "PoissonSampled": _poisson,
    "SampledWithReplacement": partial(_fixed_size, SampledWithReplacement),
    "SampledWithoutReplacement": partial(_fixed_size, SampledWithoutReplacement),
    "SingleEpochTreeAggregation": _tree,
    "RepeatAndSelect": _repeated_choice,
    "MixtureOfGaussians": _mixture,
    "ZC": _concentrated,
    "TruncatedSubsampledGaussian": _truncated,
}
"""What reads the event of each name."""
