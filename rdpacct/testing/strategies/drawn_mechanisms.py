"""Mechanisms drawn from the declared limits of their parameters, tables of probabilities, and plans
of several releases.
"""

import math
import operator
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from fractions import Fraction
from typing import Any, TypeAlias

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten, whole
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms import Mechanism, Plan, ours
from rdpacct.mechanisms.allocation.random_allocation import RandomAllocation
from rdpacct.mechanisms.correlated.matrix_mechanism import MatrixMechanism
from rdpacct.mechanisms.correlated.sampled_bands import SampledBands
from rdpacct.mechanisms.correlated.square_root_mechanism import SquareRootMechanism
from rdpacct.mechanisms.correlated.toeplitz_mechanism import ToeplitzMechanism
from rdpacct.mechanisms.correlated.tree_aggregation import TreeAggregation
from rdpacct.mechanisms.discrete.discrete_gaussian import DiscreteGaussian
from rdpacct.mechanisms.discrete.discrete_laplace import DiscreteLaplace
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import (
    SampledWithoutReplacement,
)
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.laplace.laplace import Laplace
from rdpacct.mechanisms.local.subset_selection import SubsetSelection
from rdpacct.mechanisms.mixtures.gaussian_mixture import GaussianMixture
from rdpacct.mechanisms.non_private import NonPrivate
from rdpacct.mechanisms.parallel import Parallel
from rdpacct.mechanisms.poisson.poisson_sampled import PoissonSampled
from rdpacct.mechanisms.poisson.truncated_poisson_sampled import (
    TruncatedPoissonSampled,
)
from rdpacct.mechanisms.promised.promised import Promised
from rdpacct.mechanisms.randomized_response.randomized_response import (
    RandomizedResponse,
)
from rdpacct.mechanisms.selection.best_of_runs import BestOfPoissonRuns, BestOfRuns
from rdpacct.mechanisms.selection.gaussian_sparse_vector import GaussianSparseVector
from rdpacct.mechanisms.selection.thresholded import Thresholded
from rdpacct.mechanisms.shuffled.shuffled import Shuffled
from rdpacct.mechanisms.smooth.smooth_noise import SmoothNoise
from rdpacct.mechanisms.smooth.smooth_uniform_log_normal import SmoothUniformLogNormal
from rdpacct.mechanisms.with_replacement.sampled_with_replacement import (
    SampledWithReplacement,
)
from rdpacct.privacy.guarantee import ApproxDP, GaussianDP, PureDP
from rdpacct.privacy.relation import Relation, SensitivityIn
from rdpacct.testing.strategies.drawn_guarantees import guarantees, within
from rdpacct.testing.strategies.drawn_laws import laws
from rdpacct.testing.strategies.drawn_numbers import positive_numbers, probabilities
from rdpacct.testing.strategies.installed import DrawFn, SearchStrategy, st

DrawnMechanism: TypeAlias = SearchStrategy[Any]
LARGEST_SIGNAL = 100
"""The largest ratio of the sensitivity to the noise of a drawn Gaussian."""


def finite_mechanisms(
    *, inputs: int = 3, outputs: int = 4
) -> SearchStrategy[FiniteMechanism]:
    """Tables with a law for each of 2 to ``inputs`` inputs on at most ``outputs`` outputs, in small
    exact rationals, zeros included.
    """
    most_inputs = whole(inputs, "the number of inputs", 2, 100)
    most_outputs = whole(outputs, "the number of outputs", 1, 100)
    rows = st.integers(1, most_outputs).flatmap(
        lambda size: st.lists(laws(size), min_size=2, max_size=most_inputs)
    )
    return rows.map(FiniteMechanism)


def mechanisms(*classes: type[Mechanism]) -> DrawnMechanism:
    """Mechanisms of these classes, yours or ours, or of every class of the package.

    The fields say what is drawn: a ``Parameter`` within its limits, a sensitivity, a truth value or
    a small whole number. Another field keeps its default.
    """
    for each in classes:
        if not (isinstance(each, type) and issubclass(each, Mechanism)):
            raise InputError(
                f"{shorten(repr(each))} is not a class of mechanisms; give one such as"
                " Gaussian."
            )
    return st.one_of([_of(cls) for cls in classes or _all_of_ours()])


def plans(
    *classes: type[Mechanism], most_terms: int = 3, most_times: int = 10
) -> SearchStrategy[Plan]:
    """Plans of 1 to ``most_terms`` mechanisms of these classes, each run at most ``most_times``.

    Without classes they are of the package, but for those that do not compose, or are private for
    drawn data only, or are for replaced records only, and for ``NonPrivate``.
    """
    most = whole(most_terms, "most_terms", 1, 100)
    times = whole(most_times, "most_times", 1, 10**6)
    each = mechanisms(*(classes or _that_compose()))
    term = st.builds(operator.mul, each, st.integers(1, times))
    return st.lists(term, min_size=1, max_size=most).map(Plan.total)


def _all_of_ours() -> tuple[type[Mechanism], ...]:
    """The classes of the package, first those with few fields, to which examples shrink."""
    return tuple(sorted(ours().values(), key=_fields_and_name))


def _fields_and_name(cls: type[Mechanism]) -> tuple[int, str]:
    return len(fields(cls)), cls.__name__  # type: ignore[arg-type]


def _that_compose() -> tuple[type[Mechanism], ...]:
    """The classes that are private for all data, and of which every composition is."""
    return tuple(
        cls
        for cls in _all_of_ours()
        if not issubclass(cls, NonPrivate | SmoothNoise)
        and all(map(_for_all_data, cls.examples()))
    )


def _for_all_data(example: Mechanism) -> bool:
    """Whether a mechanism is private for all data, and for a record more or less."""
    stated = example.relation is Relation.ADD_OR_REMOVE_ONE
    return stated and example.random_guarantee() is None


def _of(cls: type[Mechanism]) -> DrawnMechanism:
    return SPECIAL[cls]() if cls in SPECIAL else _by_its_fields(cls)


def _by_its_fields(cls: type[Mechanism]) -> DrawnMechanism:
    drawn = dict[str, DrawnMechanism]()
    for field in fields(cls):  # type: ignore[arg-type]
        values = _field(cls, field)
        if values is not None:
            drawn[field.name] = values
        elif field.default is MISSING and field.default_factory is MISSING:
            raise InputError(
                f"how to draw {field.name} of {cls.__name__} is not known; build the"
                " strategy with hypothesis.strategies.builds."
            )
    return st.builds(cls, **drawn)


def _field(cls: type[Mechanism], field: "Field[Any]") -> DrawnMechanism | None:
    """What may be drawn for a field; None for what has no limits to draw from."""
    declared = _declared(cls, field.name)
    if isinstance(declared, SensitivityIn):
        return positive_numbers()
    if isinstance(declared, Parameter):
        return within(declared)
    return PLAIN.get(field.type)


def _declared(cls: type[Mechanism], name: str) -> object:
    """What the class has under the name of a field, without asking it for a value."""
    homes = (vars(home) for home in cls.__mro__)
    return next((home[name] for home in homes if name in home), None)


PLAIN: dict[object, DrawnMechanism] = {
    bool: st.booleans(),
    "bool": st.booleans(),
    int: st.integers(2, 6),
    "int": st.integers(2, 6),
}


def _gaussians() -> SearchStrategy[Gaussian]:
    """With noise that is not far smaller than the sensitivity."""
    return st.builds(_gaussian, positive_numbers(), positive_numbers())


def _gaussian(sigma: Fraction, sensitivity: Fraction) -> Gaussian:
    return Gaussian(max(sigma, sensitivity / LARGEST_SIGNAL), sensitivity)


def _discrete_laplaces() -> SearchStrategy[DiscreteLaplace]:
    """The noise is whole, and so is the sensitivity."""
    return st.builds(DiscreteLaplace, positive_numbers(), st.integers(1, 4))


@st.composite
def _discrete_gaussians(draw: DrawFn) -> DiscreteGaussian:
    """By sigma or by its square."""
    size = draw(positive_numbers())
    sensitivity = draw(st.integers(1, 4))
    if draw(st.booleans()):
        return DiscreteGaussian(sigma_squared=size, sensitivity=sensitivity)
    return DiscreteGaussian(size, sensitivity)


def _sampled() -> SearchStrategy[PoissonSampled]:
    return st.builds(PoissonSampled, mechanisms(Gaussian, Laplace), probabilities())


@st.composite
def _batches(draw: DrawFn) -> SampledWithoutReplacement:
    """Of up to a hundred records."""
    records = draw(st.integers(2, 100))
    inside = draw(mechanisms(Gaussian, Laplace)).stated_for(Relation.REPLACE_ONE)
    batch = draw(st.integers(1, records - 1))
    return SampledWithoutReplacement(inside, batch, records)


@st.composite
def _cut(draw: DrawFn) -> TruncatedPoissonSampled:
    """Of fifty records, rarely cut."""
    inside = draw(mechanisms(Gaussian))
    cap = draw(st.integers(30, 60))
    return TruncatedPoissonSampled(inside, Fraction(1, 10), 50, cap)


@st.composite
def _draws(draw: DrawFn) -> SampledWithReplacement:
    """A few draws from up to a hundred records."""
    records = draw(st.integers(2, 100))
    inside = draw(mechanisms(Gaussian)).stated_for(Relation.REPLACE_ONE)
    batch = draw(st.integers(1, 3))
    return SampledWithReplacement(inside, batch, records)


@st.composite
def _mixtures(draw: DrawFn) -> GaussianMixture:
    """Of up to three lengths, the longest of which is not far longer than the noise."""
    shares = draw(st.integers(1, 3).flatmap(laws))
    lengths = [draw(st.integers(0, 12)) for _ in shares]
    return GaussianMixture(draw(st.integers(1, 6)), lengths, shares)


@st.composite
def _trees(draw: DrawFn) -> TreeAggregation:
    """Of up to eight steps, in one or two of which a record takes part."""
    sigma = draw(st.integers(1, 9))
    return TreeAggregation(sigma, draw(st.integers(1, 8)), draw(st.integers(1, 2)))


@st.composite
def _square_roots(draw: DrawFn) -> SquareRootMechanism:
    """Of up to eight steps, in one or two of which a record takes part."""
    sigma = draw(st.integers(1, 9))
    steps = draw(st.integers(1, 8))
    return SquareRootMechanism(sigma, steps, participations=draw(st.integers(1, 2)))


@st.composite
def _sampled_bands(draw: DrawFn) -> SampledBands:
    """Of two bands and one turn for each group."""
    numbers = [2, draw(st.integers(0, 2))]
    rate = draw(probabilities())
    return SampledBands(draw(st.integers(2, 20)), 2, numbers, rate)


@st.composite
def _toeplitz(draw: DrawFn) -> ToeplitzMechanism:
    """With coefficients that fall."""
    later = draw(st.lists(st.integers(0, 3), max_size=3))
    numbers = [4, *sorted(later, reverse=True)]
    return ToeplitzMechanism(draw(st.integers(4, 20)), draw(st.integers(1, 8)), numbers)


@st.composite
def _matrices(draw: DrawFn) -> MatrixMechanism:
    """Of two steps, with one participation."""
    rows = [[1, 0], [draw(st.integers(-2, 2)), 1]]
    return MatrixMechanism(draw(st.integers(1, 9)), rows)


def _best_of_runs() -> SearchStrategy[BestOfRuns]:
    """Of runs with Gaussian or Laplace noise."""
    means = positive_numbers().map(lambda drawn: drawn + 1)
    shapes = st.sampled_from(["-1/2", "0", "1/2", "1", "3"])
    return st.builds(BestOfRuns, mechanisms(Gaussian, Laplace), means, shapes)


def _best_of_poisson_runs() -> SearchStrategy[BestOfPoissonRuns]:
    run = mechanisms(Gaussian, Laplace)
    return st.builds(BestOfPoissonRuns, run, positive_numbers())


def _gaussian_sparse_vectors() -> SearchStrategy[GaussianSparseVector]:
    """Of few queries."""
    sigmas = positive_numbers()
    return st.builds(
        GaussianSparseVector, sigmas, sigmas, st.integers(1, 6), st.integers(1, 2)
    )


def _parallels() -> SearchStrategy[Parallel]:
    return st.lists(mechanisms(Laplace), min_size=1, max_size=1).map(Parallel)


@st.composite
def _thresholded(draw: DrawFn) -> Thresholded:
    """From a whole number above the sensitivity on."""
    noise = draw(mechanisms(Laplace, DiscreteLaplace))
    least = math.ceil(float(noise.sensitivity.value.ball(64)))
    return Thresholded(noise, least + draw(st.integers(0, 20)))


def _promises() -> SearchStrategy[Promised]:
    return guarantees(PureDP, ApproxDP, GaussianDP).map(Promised)


@st.composite
def _subsets(draw: DrawFn) -> SubsetSelection:
    """Of fewer values than there are."""
    answers = draw(st.integers(2, 6))
    size = draw(st.integers(1, answers - 1))
    return SubsetSelection(draw(positive_numbers()), answers, size)


def _allocations() -> SearchStrategy[RandomAllocation]:
    """Of few steps with much noise."""
    noises = st.sampled_from([Gaussian(1), Gaussian(2), Gaussian(5)])
    return st.builds(RandomAllocation, noises, st.integers(1, 6))


def _shuffles() -> SearchStrategy[Shuffled]:
    """Of few people with few answers."""
    epsilons = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3)])
    responses = st.builds(RandomizedResponse, epsilons, st.integers(3, 4))
    return st.builds(Shuffled, responses, st.integers(1, 4))


def _uniform_log_normals() -> SearchStrategy[SmoothUniformLogNormal]:
    """Wide enough for the bound on their density."""
    sigmas = positive_numbers().map(lambda drawn: drawn + Fraction(3, 2))
    return st.builds(
        SmoothUniformLogNormal, positive_numbers(), positive_numbers(), sigmas
    )


SPECIAL: dict[type[Mechanism], Callable[[], DrawnMechanism]] = {
    BestOfPoissonRuns: _best_of_poisson_runs,
    BestOfRuns: _best_of_runs,
    DiscreteGaussian: _discrete_gaussians,
    DiscreteLaplace: _discrete_laplaces,
    FiniteMechanism: finite_mechanisms,
    Gaussian: _gaussians,
    GaussianMixture: _mixtures,
    GaussianSparseVector: _gaussian_sparse_vectors,
    MatrixMechanism: _matrices,
    Parallel: _parallels,
    PoissonSampled: _sampled,
    RandomAllocation: _allocations,
    Promised: _promises,
    SampledBands: _sampled_bands,
    SampledWithReplacement: _draws,
    TruncatedPoissonSampled: _cut,
    SampledWithoutReplacement: _batches,
    Shuffled: _shuffles,
    SubsetSelection: _subsets,
    SmoothUniformLogNormal: _uniform_log_normals,
    SquareRootMechanism: _square_roots,
    Thresholded: _thresholded,
    ToeplitzMechanism: _toeplitz,
    TreeAggregation: _trees,
}
"""Mechanisms whose fields depend on each other, or hold other things than numbers."""
