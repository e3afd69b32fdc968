"""Losses and profiles that users take from plans, or give in place of those of a mechanism: they
are answered right or refused in a sentence, against exact sums over finite tables.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest

from rdpacct import (
    ApproxDP,
    Gaussian,
    InputError,
    Laplace,
    Parallel,
    PoissonSampled,
    PrivacyLoss,
    RandomizedResponse,
    Relation,
    SampledWithoutReplacement,
    Shuffled,
    Thresholded,
    UndecidedError,
    audit,
    delta,
    epsilon,
    profile,
)
from rdpacct.exact.formula import ONE, formula
from rdpacct.exact.functions import exp, log
from rdpacct.mechanisms import (
    LOSS,
    Atom,
    Mechanism,
    NoiseMechanism,
    Piece,
    known_mechanisms,
)
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.symbolic import symbolic

Table = Sequence[tuple[Fraction, Fraction]]
LEVELS = [Fraction(0), Fraction(1, 2), Fraction(2)]
CLOSE = 1e-7


def of_table(rows: Table, symmetric: bool = False) -> PrivacyLoss:
    """The loss of a pair of laws, with the masses that only one of them has."""
    atoms = [
        Atom(formula(p), formula(q), log(formula(p / q))) for p, q in rows if p and q
    ]
    infinite = sum((p for p, q in rows if q == 0), Fraction(0))
    unseen = sum((q for p, q in rows if p == 0), Fraction(0))
    return PrivacyLoss(
        tuple(atoms), formula(infinite), formula(unseen), symmetric=symmetric
    )


def stick(rows: Table, level: Fraction) -> float:
    """delta of a pair at an epsilon."""
    growth = math.exp(level)
    return math.fsum(max(float(p) - growth * float(q), 0.0) for p, q in rows)


def together(*tables: Table) -> list[tuple[Fraction, Fraction]]:
    """The pair of independent pairs."""
    return [
        (Fraction(math.prod(p for p, _ in row)), Fraction(math.prod(q for _, q in row)))
        for row in product(*tables)
    ]


def two_ways() -> Iterator[Plan]:
    """Two releases of each mechanism whose directions are told apart, and one beside a sampled
    Gaussian.
    """
    for _, kind in sorted(known_mechanisms().items()):
        for mechanism in kind.examples():
            if mechanism.oriented:
                yield 2 * mechanism
                if mechanism.relation is Relation.ADD_OR_REMOVE_ONE:
                    yield mechanism + PoissonSampled(Gaussian(2), "0.1")


def reversal_of(loss: Loss, level: Fraction) -> tuple[float, float]:
    """The ends of delta of the exchanged pair: 1 - exp(epsilon) (1 - delta(-epsilon))."""
    known = loss.delta(-level)
    growth = math.exp(level)
    return 1 - growth * (1 - float(known.lower)), 1 - growth * (1 - float(known.upper))


PLANS = list(two_ways())
SLOW = ("GaussianMixture", "SampledWithReplacement")
FIRST = {type(plan.releases[0][0]): plan for plan in reversed(PLANS)}.values()
QUICK = [plan for plan in FIRST if not any(kind in str(plan) for kind in SLOW)]


WITHOUT = [
    "Exponential(epsilon=1)",
    "GaussianSparseVector(threshold_sigma=4, query_sigma=8, most_queries=10)",
]
"""Mechanisms whose profile has no losses that compose."""


@pytest.mark.parametrize("plan", WITHOUT)
def test_what_does_not_compose_is_refused(plan: str) -> None:
    assert epsilon(_Wrapped(plan), "0.01").overlaps(epsilon(plan, "0.01"))
    with pytest.raises(
        InputError, match="no losses are known that stand for a release"
    ):
        epsilon(2 * _Wrapped(plan), "0.01")


@pytest.mark.parametrize("plan", QUICK, ids=str)
def test_a_sum_reversed_is_the_exchanged_pair(plan: Plan) -> None:
    """Of each loss that a profile of several releases has."""
    check_reversal(plan)


@pytest.mark.slow
@pytest.mark.parametrize("plan", [each for each in PLANS if each not in QUICK], ids=str)
def test_every_sum_reversed_is_the_exchanged_pair(plan: Plan) -> None:
    check_reversal(plan)


def check_reversal(plan: Plan) -> None:
    """1 - exp(epsilon) (1 - delta(-epsilon)) is the delta of the exchanged pair."""
    losses = profile(plan).losses
    if plan.releases[0][0].each_way():
        pytest.skip("its losses are the pairs, not the directions")
    level = Fraction(1, 2)
    for loss in losses:
        turned = loss.reversed().delta(level)
        low, high = reversal_of(loss, level)
        assert float(turned.lower) <= high + CLOSE
        assert low - CLOSE <= float(turned.upper)
        assert loss.reversed().reversed().delta(level).overlaps(loss.delta(level))


def test_plans_of_many_kinds_are_reversed() -> None:
    assert len({type(plan.releases[0][0]) for plan in PLANS}) >= 8


@dataclass(frozen=True)
class _OneWay(Mechanism):
    """A user's mechanism of one loss of a plan; composition finds the other direction."""

    plan: str
    way: int
    relation = Relation.ADD_OR_REMOVE_ONE
    oriented = True

    def loss(self) -> Loss:
        return profile(self.plan).losses[self.way]


@pytest.mark.parametrize(
    "plan",
    [
        "2*TruncatedPoissonSampled(Gaussian(sigma=1), rate=0.1, of=100, cap=20)",
        "2*PartitionSelection(epsilon=1, delta=0.01)",
        pytest.param(
            "Thresholded(Laplace(scale=1), threshold=5)"
            " + PoissonSampled(Gaussian(sigma=1), rate=0.1)",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_mechanism_of_one_direction_has_both(plan: str) -> None:
    """Whichever of the two losses it gives, it answers as the plan, also repeated."""
    for way in (0, 1):
        mine = _OneWay(plan, way)
        assert delta(mine, "1/2").overlaps(delta(plan, "1/2"))
        assert delta(2 * mine, "1/2").overlaps(delta(f"{plan} + {plan}", "1/2"))


INFINITE = [
    (Fraction(9, 10), Fraction(9, 10)),
    (Fraction(1, 10), Fraction(0)),
    (Fraction(0), Fraction(1, 10)),
]


@dataclass(frozen=True)
class _LeakyGaussian(Gaussian):
    """A Gaussian mechanism whose loss a user has replaced."""

    def loss(self) -> PrivacyLoss:
        return of_table(INFINITE, symmetric=True)


@dataclass(frozen=True)
class _LeakyResponse(RandomizedResponse):
    """Randomized response whose profile a user has replaced."""

    def profile(self) -> Profile:
        return Profile((of_table(INFINITE, symmetric=True),))


@pytest.mark.parametrize("mine", [_LeakyGaussian(1), _LeakyResponse(1)], ids=str)
def test_a_replaced_loss_is_the_one_that_composes(mine: Mechanism) -> None:
    """What the mechanism knew of itself by its own loss is forgotten."""
    for count in (1, 2, 3):
        for level in LEVELS:
            truth = stick(together(*[INFINITE] * count), level)
            found = delta(count * mine, level)
            assert float(found.lower) - CLOSE <= truth <= float(found.upper) + CLOSE
    assert profile(2 * mine).mean().lower == math.inf
    assert delta(Plan.of(mine) + Laplace(1), 3).upper >= Fraction(1, 10)


def test_a_replaced_loss_is_the_one_that_is_sampled() -> None:
    sampled = delta(PoissonSampled(_LeakyGaussian(1), "0.5"), 3)
    assert sampled.overlaps(delta(PoissonSampled(_Table(tuple(INFINITE)), "0.5"), 3))
    assert sampled.lower >= Fraction(1, 25)
    with pytest.raises(InputError, match="samples for mechanisms with one worst pair"):
        PoissonSampled(_LeakyResponse(1), "0.5")  # its loss is not that of its profile
    with pytest.raises(InputError):
        Shuffled(_LeakyResponse(1), 5)


@dataclass(frozen=True)
class _Table(Mechanism):
    """A symmetric pair."""

    rows: tuple[tuple[Fraction, Fraction], ...]
    relation: Relation = Relation.ADD_OR_REMOVE_ONE

    def loss(self) -> PrivacyLoss:
        return of_table(self.rows, symmetric=True)


@dataclass(frozen=True)
class _OneDirection(Mechanism):
    """A pair that is not symmetric, of which the profile has one direction only."""

    relation: Relation = Relation.REPLACE_ONE

    def loss(self) -> PrivacyLoss:
        half, tenth = Fraction(1, 2), Fraction(1, 10)
        return of_table([(half, tenth), (half, 1 - tenth)])

    def profile(self) -> Profile:
        return Profile((self.loss(),))


@dataclass(frozen=True)
class _TwoStories(Mechanism):
    """Its loss and its profile are those of different pairs."""

    relation: Relation = Relation.REPLACE_ONE

    def loss(self) -> PrivacyLoss:
        return of_table(sides(Fraction(3, 4)), symmetric=True)

    def profile(self) -> Profile:
        return Profile((of_table(sides(Fraction(9, 10)), symmetric=True),))


def sides(share: Fraction) -> Table:
    """A coin against the coin with its sides exchanged."""
    return [(share, 1 - share), (1 - share, share)]


@pytest.mark.parametrize("mine", [_OneDirection(), _TwoStories()], ids=str)
def test_samples_take_one_symmetric_pair_only(mine: Mechanism) -> None:
    """One direction of a pair is not it, nor is a loss beside another profile."""
    with pytest.raises(InputError, match="samples for mechanisms with one worst pair"):
        SampledWithoutReplacement(mine, 2, 10, relation=Relation.REPLACE_ONE)


WRAPPED = [
    "ReportNoisyMax(epsilon=1)",
    "RepeatAndSelect(epsilon=1, gamma=1/10)",
    "PermuteAndFlip(epsilon=1)",
    "SparseVector(threshold_scale=2, query_scale=4)",
    "TruncatedPoissonSampled(Gaussian(sigma=1), rate=0.1, of=100, cap=20)",
    "PartitionSelection(epsilon=1, delta=0.01)",
]


@dataclass(frozen=True)
class _Wrapped(Mechanism):
    """A user's mechanism with the profile of a shipped one."""

    plan: str
    relation = Relation.ADD_OR_REMOVE_ONE

    def profile(self) -> Any:
        return profile(self.plan)

    def loss(self) -> Any:
        return self.profile().losses[0]


@pytest.mark.parametrize("plan", WRAPPED)
def test_a_law_that_only_dominates_is_not_attained(plan: str) -> None:
    """Two of a wrapped mechanism are known less well than two of it, and never otherwise."""
    mine = _Wrapped(plan)
    level = Fraction(1, 2)
    assert delta(mine, level).overlaps(delta(plan, level))
    assert delta(2 * mine, level).overlaps(delta(f"2*{plan}", level))
    assert delta(mine + Laplace(2), level).overlaps(
        delta(f"{plan} + Laplace(scale=2)", level)
    )
    truth = epsilon(f"2*{plan}", "0.05")
    claim = ApproxDP(Fraction(truth.upper) + Fraction(1, 10**6), "0.05")
    assert not audit(2 * mine, claim).fails


def test_a_witness_against_gaussian_privacy_occurs() -> None:
    """The event is that of neighbors that there are, and not of a law above them."""
    plan = "TruncatedPoissonSampled(Gaussian(sigma=1), rate=0.5, of=4, cap=2)"
    known = profile(plan)
    most = max(loss.delta(0).upper for loss in known.occurring())
    for mu in ("0.3", "0.5", "0.7", "1.5"):
        verdict = audit(plan, f"GaussianDP(mu={mu})")
        if verdict.witness is not None:
            gap = verdict.witness.p.lower - verdict.witness.q.upper
            assert gap <= most
    assert not audit(plan, "GaussianDP(mu=1.5)").fails


@dataclass(frozen=True)
class _Given(Mechanism):
    """A mechanism that answers with whatever it is given."""

    given: Any
    whole: Any = None
    relation = Relation.ADD_OR_REMOVE_ONE

    def loss(self) -> Any:
        return self.given

    def profile(self) -> Any:
        if self.whole is None:
            return Mechanism.profile(self)
        return self.whole


@dataclass(frozen=True)
class _ComposedNoise(NoiseMechanism):
    """Noise whose loss is a composition."""

    sensitivity = Laplace(1).sensitivity

    def loss(self) -> Loss:
        return profile("2*Laplace(scale=1)").losses[0]

    def upper_tail(self, level: Any) -> Any:
        return Laplace(1).upper_tail(level)


TOLD_APART = PrivacyLoss((), at_infinity=ONE, unseen=ONE)
MISTAKES: list[tuple[str, Callable[[], Any]]] = [
    ("law of nothing", lambda: PrivacyLoss(())),
    ("no losses", lambda: epsilon(_Given(None, Profile(())), "0.1")),
    ("no losses", lambda: delta(2 * _Given(None, Profile(())), 1)),
    ("is a Profile", lambda: epsilon(_Given(profile("Laplace(scale=1)")), "0.1")),
    ("is a PrivacyLoss", lambda: epsilon(_Given(None, TOLD_APART), "0.1")),
    ("is a PrivacyLoss", lambda: epsilon(2 * _Given(None, TOLD_APART), "0.1")),
    (
        "no losses are known",
        lambda: epsilon(
            2 * _Given(None, profile(Parallel([Laplace(1), Gaussian(1)]))), "0.1"
        ),
    ),
    ("no symbolic form", lambda: symbolic(profile("10*Laplace(scale=5)").losses[0])),  # type: ignore[arg-type]
    ("made of parts", lambda: epsilon(Thresholded(_ComposedNoise(), 5), "0.1")),
]


@pytest.mark.parametrize(("words", "mistake"), MISTAKES)
def test_a_mistake_gets_a_sentence(words: str, mistake: Callable[[], Any]) -> None:
    with pytest.raises(InputError, match=words):
        mistake()


def test_what_is_always_told_apart_stays_so() -> None:
    """Alone, turned round and repeated."""
    for plan in (_Given(TOLD_APART), 2 * _Given(TOLD_APART)):
        assert delta(plan, 5).lower == 1
        assert epsilon(plan, "0.5").lower == math.inf


TRUNCATED = exp(-((LOSS - Fraction(1, 2)) ** 2) / 2)
"""The shape of a Gaussian loss, which ends at the edges of a piece."""


@pytest.mark.parametrize(
    "edges", [(-1, 1), ("-1", "1"), (-1.0, 1.0), (-ONE, ONE)], ids=str
)
def test_an_edge_that_is_a_number_ends_a_piece(edges: tuple[Any, Any]) -> None:
    """It was taken for an infinite one, with the mass beyond it."""
    asked = PrivacyLoss((Piece(TRUNCATED, *edges),), symmetric=True)
    cells = 20_000
    width = 2 / cells
    middles = [-1 + (k + 0.5) * width for k in range(cells)]
    expected = sum(
        width * math.exp(-((x - 0.5) ** 2) / 2) * (1 - math.exp(0.5 - x))
        for x in middles
        if x > 0.5
    )
    assert float(asked.delta(Fraction(1, 2)).upper) == pytest.approx(expected, rel=1e-6)
    assert asked.parts[0].range() == (-ONE, ONE)


def test_an_edge_that_is_no_number_is_refused() -> None:
    for wrong in (math.nan, None, "far"):
        with pytest.raises(InputError):
            Piece(TRUNCATED, -1, wrong)  # type: ignore[arg-type]
    assert Piece(TRUNCATED, -math.inf, math.inf).range() == (-math.inf, math.inf)


ENDLESS: list[Any] = [
    math.inf,
    Decimal("Infinity"),
    np.float32("inf"),
    mpmath.mpf("inf"),
]


@pytest.mark.parametrize("end", ENDLESS, ids=lambda end: type(end).__name__)
def test_an_infinite_edge_may_be_a_number_of_any_kind(end: Any) -> None:
    """Those that were no doubles were a traceback when they were asked."""
    half = formula(Fraction(1, 2))
    density = exp(-((LOSS - half) ** 2) / 2)
    asked = PrivacyLoss((Piece(density, -end, end, center=half),))
    expected = PrivacyLoss((Piece(density, -math.inf, math.inf, center=half),))
    assert asked.parts[0].range() == (-math.inf, math.inf)
    assert asked.delta(1) == expected.delta(1)


WRONG: dict[str, Callable[[], object]] = {
    "an array": lambda: Piece(TRUNCATED, np.array([-1, 2]), 1),  # type: ignore[arg-type]
    "a signaling nan": lambda: Piece(TRUNCATED, Decimal("sNaN"), 1),  # type: ignore[arg-type]
    "exchanged": lambda: Piece(TRUNCATED, 1, -1),
    "from infinity": lambda: Piece(TRUNCATED, math.inf, ONE),
    "no spread": lambda: Piece(TRUNCATED, -1, 1, spread=0),  # type: ignore[arg-type]
    "too much mass": lambda: PrivacyLoss((), at_infinity=2),  # type: ignore[arg-type]
    "negative mass": lambda: PrivacyLoss((Atom.of(1, 1),), unseen="-1/2"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_number_in_a_loss_is_one_sentence(wrong: str) -> None:
    with pytest.raises(InputError) as refused:
        WRONG[wrong]()
    assert "\n" not in str(refused.value)
    assert "give" in str(refused.value)


@dataclass(frozen=True)
class _Uniform(Mechanism):
    """Half of the time the loss is anything between 0 and 1, all alike, and else it is one number;
    the density is a number too.
    """

    relation = Relation.ADD_OR_REMOVE_ONE

    def loss(self) -> PrivacyLoss:
        rest = 1 - (1 - exp(-ONE)) / 2
        half = formula(Fraction(1, 2))
        return PrivacyLoss(
            (Piece(Fraction(1, 2), 0, 1), Atom(half, rest, log(half / rest)))  # type: ignore[arg-type]
        )


def test_a_density_may_be_a_number() -> None:
    """An integral of a constant was a traceback."""
    at = math.exp(-0.5)
    assert float(delta(_Uniform(), "1/2").upper) == pytest.approx(0.25 - (1 - at) / 2)
    found = delta(_Uniform() + Laplace(scale=3), "1/2")
    alone = delta(_Uniform(), "1/2")
    assert found.lower >= alone.lower
    assert found.upper <= delta(_Uniform(), "1/6").upper  # Laplace has at most 1/3


def test_masses_at_infinity_may_be_numbers() -> None:
    """As the sentence about the law of nothing says."""
    certain = PrivacyLoss((), at_infinity=1)  # type: ignore[arg-type]
    assert certain.delta(3).lower == 1
    half = formula(Fraction(1, 2))
    some = PrivacyLoss(
        (Atom(half, half, half - half),),
        Fraction(1, 2),  # type: ignore[arg-type]
        "1/2",  # type: ignore[arg-type]
        symmetric=True,
    )
    assert some.delta(1).lower == Fraction(1, 2)
    assert some == PrivacyLoss(some.parts, half, half, symmetric=True)


@dataclass(frozen=True)
class _OneRelation(Mechanism):
    """Its relation is an attribute of the class, and no field."""

    scale: int = 4
    relation = Relation.ADD_OR_REMOVE_ONE

    def loss(self) -> Loss:
        return Laplace(self.scale).loss()


def test_a_relation_that_is_no_field_is_the_only_one() -> None:
    """In a text, too; another relation is refused in a sentence."""
    text = "2*_OneRelation(scale=4)"
    Mechanism.registry["_OneRelation"] = _OneRelation
    try:
        assert epsilon(text, "1e-6") == epsilon("2*Laplace(scale=4)", "1e-6")
        with pytest.raises(InputError, match="is for add_or_remove_one, not for"):
            epsilon(text, "1e-6", relation="replace_one")
    finally:
        del Mechanism.registry["_OneRelation"]


def test_a_profile_without_losses_says_so() -> None:
    """The plan is what answers; the mechanism alone knows the ends between which it lies."""
    shuffled = Shuffled(RandomizedResponse(1, relation=Relation.REPLACE_ONE), people=30)
    with pytest.raises(UndecidedError, match="ask about a plan"):
        shuffled.profile().delta("0.7")
    with pytest.raises(UndecidedError, match="ask about a plan"):
        shuffled.profile().tradeoff("0.1")
    assert profile(shuffled).delta("0.7").upper < 1


@pytest.mark.parametrize("asked", ["tails", "tradeoffs", "curve", "deltas", "way"])
@pytest.mark.parametrize(
    "plan",
    [
        "BestOfPoissonRuns(Gaussian(sigma=1), mean=3)",
        "BestOfRuns(RandomizedResponse(epsilon=1), mean=3)",
        "RandomAllocation(Gaussian(sigma=1), steps=3)",
        "Shuffled(RandomizedResponse(epsilon=1), people=20)",
        "PartitionSelection(epsilon=0.3, delta=1e-5)",
        "2*PartitionSelection(epsilon=0.3, delta=1e-5)",
    ],
)
def test_questions_at_many_points_have_an_answer_or_a_sentence(
    plan: str, asked: str
) -> None:
    """Also of profiles without losses, and for a direction that there is only once."""
    known = profile(plan)
    given = 5 if asked == "way" else [Fraction(1, 10), Fraction(1, 2)]
    try:
        answers: Any = getattr(known, asked)(given)
    except UndecidedError as error:
        answers = [error, error]
    assert asked == "way" or len(answers) == 2
    assert known.one_way(5).one_way(5).delta(Fraction(1, 2)).upper <= 1


def test_a_sum_takes_its_false_positives_as_text() -> None:
    loss = profile("2*ReportNoisyMax(epsilon=4, sensitivity=2)").losses[0]
    text: Any = "0.1"
    assert loss.tradeoff(text) == loss.tradeoff(Fraction(1, 10))
