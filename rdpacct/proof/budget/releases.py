"""From the releases that a certificate names to their worst pairs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from rdpacct.proof.budget.pairs import (
    ExponentialPair,
    NormalPair,
    WholeNormalPair,
    WorstPair,
    geometric,
    rational_atoms,
    response,
)
from rdpacct.proof.budget.pairs import ball as ball_of
from rdpacct.proof.budget.reading import (
    MAX_COUNT,
    Values,
    exactly,
    number,
    positive,
    probability,
    whole,
)
from rdpacct.proof.budget.sampled import (
    SampledExponentialPair,
    SampledNormalPair,
    sampled_geometric,
)
from rdpacct.proof.check.effort import Rejected

MAX_RELEASES = 100
MAX_STEPS = 10_000
SAMPLE = (
    "each record is in the sample with this rate, independently of all others and anew for"
    " each release, and nothing but the release tells which were drawn; the sensitivity is"
    " that between samples of which one has a record more."
)
PROMISE = "the release keeps this promise, whatever came before."
RELATIONS = ("add_or_remove_one", "replace_one", "zero_out")


@dataclass(frozen=True)
class Orientation:
    """The direction of all releases, and what a certificate says for pairs that need a hint."""

    removing: bool
    contour: Fraction
    """The height of the contour on which the decay of a sampled normal loss is bounded."""
    reach: int
    """How far sums over all whole numbers go."""


def _shift(values: Values, spread: str) -> Fraction:
    sensitivity = positive(values["sensitivity"], "a sensitivity")
    return sensitivity / positive(values[spread], spread)


def _steps(values: Values) -> int:
    sensitivity = positive(values["sensitivity"], "a sensitivity")
    if sensitivity.denominator != 1 or sensitivity > MAX_STEPS:
        raise Rejected(f"a whole sensitivity up to {MAX_STEPS} is needed.")
    return int(sensitivity)


def _rate(values: Values) -> Fraction:
    rate = probability(values["rate"], "a rate")
    if not 0 < rate < 1:
        raise Rejected("a rate is not between 0 and 1.")
    return rate


def _gaussian(values: Values, way: Orientation) -> WorstPair:  # noqa: ARG001
    return NormalPair(_shift(values, "sigma") ** 2, ("gaussian/worst-pair",))


def _laplace(values: Values, way: Orientation) -> WorstPair:  # noqa: ARG001
    return ExponentialPair(_shift(values, "scale"))


def _discrete_laplace(values: Values, way: Orientation) -> WorstPair:  # noqa: ARG001
    return geometric(1 / positive(values["scale"], "scale"), _steps(values))


def _discrete_gaussian(values: Values, way: Orientation) -> WorstPair:
    variance = positive(values["sigma_squared"], "sigma_squared")
    return WholeNormalPair(variance, _steps(values), way.reach)


def _randomized_response(values: Values, way: Orientation) -> WorstPair:  # noqa: ARG001
    epsilon = positive(values["epsilon"], "epsilon")
    answers = whole(values["answers"], "answers", 2, 10**9)
    return response(epsilon, answers, ("randomized-response/delta",))


def _maximally_divergent(values: Values, way: Orientation) -> WorstPair:  # noqa: ARG001
    epsilon = positive(values["epsilon"], "epsilon")
    neutral = ball_of(probability(values["neutral"], "neutral"))
    likely = ball_of(epsilon).exp() / (1 + ball_of(epsilon).exp())
    rows = [
        (epsilon, (1 - neutral) * likely),
        (-epsilon, (1 - neutral) * (1 - likely)),
        (Fraction(0), neutral),
    ]
    return rational_atoms(rows, ("cdp/md-symmetric",))


def _sampled_gaussian(values: Values, way: Orientation) -> WorstPair:
    mu = _shift(values, "sigma")
    return SampledNormalPair(mu, _rate(values), way.removing, way.contour)


def _sampled_laplace(values: Values, way: Orientation) -> WorstPair:
    return SampledExponentialPair(_shift(values, "scale"), _rate(values), way.removing)


def _sampled_discrete_laplace(values: Values, way: Orientation) -> WorstPair:
    rate = 1 / positive(values["scale"], "scale")
    return sampled_geometric(rate, _steps(values), _rate(values), way.removing)


def _pure(values: Values, way: Orientation) -> WorstPair:  # noqa: ARG001
    epsilon = positive(values["epsilon"], "epsilon")
    return response(epsilon, 2, ("composition/approx-dp-worst-pair",))


def _approximate(values: Values, way: Orientation) -> WorstPair:  # noqa: ARG001
    epsilon = number(values["epsilon"], "epsilon")
    if epsilon < 0:
        raise Rejected("epsilon is negative.")
    delta = probability(values["delta"], "delta")
    return response(epsilon, 2, ("composition/approx-dp-worst-pair",), delta)


def _gaussian_dp(values: Values, way: Orientation) -> WorstPair:  # noqa: ARG001
    mu = positive(values["mu"], "mu")
    return NormalPair(mu**2, ("composition/dominating-pairs",))


@dataclass(frozen=True)
class PairKind:
    """A kind of release: the names of its parameters, and its worst pair."""

    parameters: frozenset[str]
    pair: Callable[[Values, Orientation], WorstPair]
    oriented: bool = False
    """Whether removing and adding a record have different losses."""
    assumes: str = ""
    """What a release takes for granted beyond its parameters."""


def _kind(names: str, pair: Callable[[Values, Orientation], WorstPair]) -> PairKind:
    return PairKind(frozenset(names.split()), pair)


def _sampled(spread: str, pair: Callable[[Values, Orientation], WorstPair]) -> PairKind:
    names = frozenset({spread, "sensitivity", "rate"})
    return PairKind(names, pair, oriented=True, assumes=SAMPLE)


def _promise(names: str, pair: Callable[[Values, Orientation], WorstPair]) -> PairKind:
    return PairKind(frozenset(names.split()), pair, assumes=PROMISE)


KINDS = {
    "Gaussian": _kind("sigma sensitivity", _gaussian),
    "Laplace": _kind("scale sensitivity", _laplace),
    "DiscreteLaplace": _kind("scale sensitivity", _discrete_laplace),
    "DiscreteGaussian": _kind("sigma_squared sensitivity", _discrete_gaussian),
    "RandomizedResponse": _kind("epsilon answers", _randomized_response),
    "MaximallyDivergent": _kind("epsilon neutral", _maximally_divergent),
    "PoissonSampled(Gaussian)": _sampled("sigma", _sampled_gaussian),
    "PoissonSampled(Laplace)": _sampled("scale", _sampled_laplace),
    "PoissonSampled(DiscreteLaplace)": _sampled("scale", _sampled_discrete_laplace),
    "PureDP": _promise("epsilon", _pure),
    "ApproxDP": _promise("epsilon delta", _approximate),
    "GaussianDP": _promise("mu", _gaussian_dp),
}
"""The kinds of releases whose worst pairs the checker knows."""


@dataclass(frozen=True)
class CertifiedRelease:
    """A release of a certificate, this many times."""

    name: str
    values: Values
    count: int

    @property
    def kind(self) -> PairKind:
        """The kind of its name."""
        return KINDS[self.name]

    @property
    def assumes(self) -> tuple[str, ...]:
        """What it takes for granted beyond its parameters, as at most one sentence."""
        said = self.kind.assumes
        return (f"{replace(self, count=1)}: {said}",) if said else ()

    def __str__(self) -> str:
        numbers = ", ".join(f"{name}={value}" for name, value in self.values.items())
        inner, bracket, _ = self.name.partition("(")
        shown = f"{self.name}({numbers})"
        if bracket:
            shown = f"{inner} of {self.name[len(inner) + 1 : -1]}({numbers})"
        return shown if self.count == 1 else f"{self.count} x {shown}"


def read_releases(given: object, relation: object) -> list[CertifiedRelease]:
    """The releases of a certificate, each of a known kind with all its parameters."""
    if relation not in RELATIONS:
        raise Rejected(f"the relation is none of {', '.join(RELATIONS)}.")
    if not isinstance(given, list) or not 0 < len(given) <= MAX_RELEASES:
        raise Rejected(f"the releases are not a list of 1 to {MAX_RELEASES}.")
    releases = []
    for each in given:
        row = exactly(each, {"mechanism", "parameters", "count"}, "a release")
        name = row["mechanism"]
        if not isinstance(name, str) or name not in KINDS:
            raise Rejected("a release is of no known kind.")
        kind = KINDS[name]
        if kind.oriented and relation == "replace_one":
            raise Rejected(
                "Poisson samples have known pairs for adding, removing and zeroing only."
            )
        values = exactly(row["parameters"], set(kind.parameters), f"a {name}")
        ordered = {key: values[key] for key in sorted(values)}
        count = whole(row["count"], "a count", 1, MAX_COUNT)
        releases.append(CertifiedRelease(name, ordered, count))
    return releases
