"""Releases behind a test of distance, and on a private bound: exact on all small data, and their
broken twins.
"""

import random
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import itemgetter
from typing import Any

import pytest

from rdpacct import ApproxDP, InputError, Relation
from rdpacct.auditing import Outcome
from rdpacct.auditing.sampled import audit_samples
from rdpacct.exact.functions import exp, log
from rdpacct.mechanisms.study_only import StudyOnlyWarning
from rdpacct.privacy.random_dp import hockey_stick
from rdpacct.privacy.unpublishable import Unpublishable
from rdpacct.proof.entries import module
from rdpacct.proof.kernel import Refused
from rdpacct.releases import (
    BoundedLocalRelease,
    DistanceTest,
    ProposeTestRelease,
    StabilityRelease,
)
from rdpacct.sensitivity import DistanceOracle, FiniteQuery, Median, OnGrid, Query
from rdpacct.testing.leaks import RawLocalRelease, magnitude_leak
from rdpacct.testing.output_laws import at_least, guarded, spread

VALUES = (0, 1, 7, 8)
SPACES = [(size, VALUES[-kinds:]) for size in range(1, 7) for kinds in (2, 3, 4)]


def worst(query: Any, law: Any, growth: Any) -> Any:
    """The largest exact delta over all neighbors of a finite query."""
    laws = {data: law(data) for data in query.steps}
    pairs = ((data, other) for data, near in query.steps.items() for other in near)
    return max(
        (hockey_stick(laws[one], laws[other], growth) for one, other in pairs),
        default=Fraction(0),
    )


def medians(spaces: Any = SPACES) -> Iterator[Any]:
    """The lower median on all data sets of each space."""
    for size, values in spaces:
        yield FiniteQuery.of_multisets(itemgetter((size - 1) // 2), values, size)


class Proposed:
    """Propose-test-release with exp(-epsilon) = q of the test and w = z**9 of a step of the noise,
    all rational.
    """

    def __init__(self, query: Any, q: Any, z: Any, bound: Any, delta: Any) -> None:
        self.query = query
        self.q = q
        self.z = z
        self.bound = bound
        self.release = ProposeTestRelease(
            query, DistanceTest(-log(q), delta), bound, -9 * bound * log(z)
        )
        self.threshold = self.release.test.threshold()
        self.slip = at_least(q, self.threshold)
        self.growth = 1 / (q * z ** (9 * bound))
        self.ends = (
            min(map(query.function, query.steps)),
            max(map(query.function, query.steps)),
        )

    def delta(
        self,
        threshold: Any = None,
        decay: Any = None,
        always: bool = False,
        test: Any = None,
    ) -> Any:
        """The exact delta of the release, or of a twin."""

        def law(data: Any) -> Any:
            need = (
                self.threshold if threshold is None else threshold
            ) - self.release.distance(data).for_study()
            passes = Fraction(1) if always else at_least(test or self.q, need)
            noise = spread(self.query.function(data), decay or self.z**9, *self.ends)
            return guarded(passes, noise)

        return worst(self.query, law, self.growth)


def test_propose_test_release_on_all_small_data() -> None:
    for query in medians():
        for q, z, bound in (
            (Fraction(1, 3), Fraction(9, 10), 1),
            (Fraction(1, 30), Fraction(1, 2), 6),
        ):
            proposed = Proposed(query, q, z, bound, Fraction(1, 100))
            assert proposed.delta() <= proposed.slip <= Fraction(1, 100)
            promised = proposed.release.guarantee()
            assert promised.delta.bound().contains(proposed.slip)
            assert exp(promised.epsilon).bound().contains(proposed.growth)


def test_broken_twins_of_propose_test_release_are_refuted() -> None:
    """Median of five: (0, 0, 0, 1, 1) and (0, 0, 1, 1, 8) use all of both epsilons, at the
    distances 2 and 1.
    """
    query = FiniteQuery.of_multisets(lambda data: data[2], (0, 1, 8), 5)
    proposed = Proposed(query, Fraction(1, 50), Fraction(9, 10), 1, Fraction(1, 2000))
    assert proposed.threshold == 2
    assert proposed.delta() <= proposed.slip
    assert proposed.delta(decay=proposed.z**10) > proposed.slip, (
        "noise reduced by a tenth"
    )
    assert proposed.delta(always=True) > proposed.slip, "the test dropped"
    y = Fraction(13, 20)
    tested = Proposed(query, y**9, Fraction(9, 10), 1, Fraction(1, 2000))
    assert tested.threshold == 2
    assert tested.delta() <= tested.slip
    assert tested.delta(test=y**10) > tested.slip, (
        "noise of the test reduced by a tenth"
    )
    sharper = Proposed(query, Fraction(1, 50), Fraction(1, 2), 1, Fraction(1, 2000))
    assert sharper.delta() <= sharper.slip
    assert sharper.delta(threshold=sharper.threshold - 1) > sharper.slip, (
        "the threshold lowered by one"
    )


def mode(data: Any) -> Any:
    """The most frequent value, the smallest of those."""
    return max(sorted(set(data)), key=data.count)


class Stable:
    """A release of the mode, with exp(-epsilon) = z**9 rational."""

    def __init__(self, size: Any, values: Any, z: Any, delta: Any) -> None:
        self.query = FiniteQuery.of_multisets(mode, values, size)
        self.z = z
        self.release = StabilityRelease(
            mode, self.to_change, DistanceTest(-9 * log(z), delta)
        )
        self.threshold = self.release.test.threshold()
        self.slip = at_least(z**9, self.threshold)

    def to_change(self, data: Any) -> Any:
        local = (
            self.query.local_within(data, k)
            for k in range(self.query.farthest(data) + 1)
        )
        return (
            next(
                (k for k, found in enumerate(local) if found), self.query.farthest(data)
            )
            + 1
        )

    def delta(
        self, threshold: Any = None, decay: Any = None, silent: bool = False
    ) -> Any:
        def law(data: Any) -> Any:
            need = (
                self.threshold if threshold is None else threshold
            ) - self.release.distance(data).for_study()
            passes = (
                Fraction(need <= 0) if silent else at_least(decay or self.z**9, need)
            )
            return guarded(passes, {mode(data): Fraction(1)})

        return worst(self.query, law, 1 / self.z**9)


def test_stability_release_on_all_small_data() -> None:
    """The slip is the exact delta, wherever a neighbor has another value."""
    for size, values in SPACES:
        for z in (Fraction(4, 5), Fraction(19, 20)):
            stable = Stable(size, values, z, Fraction(1, 10))
            assert stable.delta() == stable.slip <= Fraction(1, 10)


def test_broken_twins_of_the_stability_release_are_refuted() -> None:
    stable = Stable(6, (0, 1), Fraction(3, 5), Fraction(1, 50))
    assert stable.threshold == 1
    assert stable.delta(threshold=0) > stable.slip, "the threshold lowered by one"
    assert stable.delta(decay=stable.z**10) > stable.slip, "noise reduced by a tenth"
    assert stable.delta(silent=True) > stable.slip, "distance without noise"


DELTAS: dict[Any, Any] = {}
"""The deltas of pairs, by all numbers that they depend on."""


def bounded_delta(release: Any, **twin: Any) -> Any:
    """The largest delta over all neighbors, in balls; equal pairs once, also of other queries."""
    query = release.query
    entry = module("release/private-local-bound")
    numbers = (
        release.test().threshold(),
        *(release.steps, str(release.bound_epsilon), str(release.epsilon)),
        str(release.guarantee().epsilon),
        *twin.items(),
    )
    local = {data: int(query.local_within(data, 0)) for data in query.steps}
    value = {data: query.function(data) for data in query.steps}
    found = {
        ((local[one], local[two]), (value[one], value[two]))
        for one, near in query.steps.items()
        for two in near
    }
    for pair in found:
        if (numbers, pair) not in DELTAS:
            DELTAS[numbers, pair] = entry.worst(release, *pair, **twin).bound()
    return max((DELTAS[numbers, pair] for pair in found), key=lambda b: b.upper)


def most_steps(query: Any) -> Any:
    """How far the local sensitivity moves between neighbors."""
    local = {data: int(query.local_within(data, 0)) for data in query.steps}
    return max(
        1,
        *(
            abs(local[one] - local[two])
            for one, near in query.steps.items()
            for two in near
        ),
    )


def ranks(data: Any) -> Any:
    """The sum of the places of the values."""
    return sum(map(VALUES.index, data))


@pytest.mark.parametrize(
    "function",
    [lambda data: data[(len(data) - 1) // 2], lambda data: len(set(data)), ranks],
)
def test_bounded_local_release_on_all_small_data(function: Callable[..., Any]) -> None:
    for size, values in SPACES:
        query = FiniteQuery.of_multisets(function, values, size)
        release = BoundedLocalRelease(query, most_steps(query), 1, 2, "0.05")
        delta = release.guarantee().delta.bound()
        assert bounded_delta(release).certainly_at_most(delta)
        assert delta.certainly_at_most(Fraction(1, 20))


def test_broken_twins_of_the_bounded_local_release_are_refuted() -> None:
    """Three data sets in a row with values 0, 2, 5, whose local sensitivities are 2, 3, 3."""
    query = FiniteQuery((0, 2, 5).__getitem__, {0: (1,), 1: (0, 2), 2: (1,)})
    release = BoundedLocalRelease(query, 1, 2, 3, "0.001")
    delta = release.guarantee().delta.bound()
    assert bounded_delta(release).certainly_at_most(delta)
    assert bounded_delta(release, noise=Fraction(9, 10)).certainly_above(delta), (
        "noise reduced by a tenth"
    )
    assert bounded_delta(release, lower=1).certainly_above(delta), (
        "the threshold lowered by one"
    )
    other = BoundedLocalRelease(query, 1, 3, 3, "0.001")
    delta = other.guarantee().delta.bound()
    assert bounded_delta(other).certainly_at_most(delta)
    assert bounded_delta(other, bound_noise=Fraction(9, 10)).certainly_above(delta), (
        "that of the bound reduced"
    )


def test_raw_local_sensitivity_as_scale_is_refuted() -> None:
    """Wherever a data set of local sensitivity 0 has a neighbor with more: exp(-epsilon/4), /3, /2
    and /1 rational.
    """
    y = Fraction(9, 10)
    refuted = 0
    for query in medians(
        (size, (0, 1, 2, 4)[-kinds:]) for size in range(1, 7) for kinds in (2, 3, 4)
    ):
        scales = {data: int(query.local_within(data, 0)) for data in query.steps}

        def law(data: Any, query: Any = query, scales: Any = scales) -> Any:
            value = query.function(data)
            scale = scales[data]
            if scale:
                return spread(value, y ** (12 // scale), 0, 4)
            return {value: Fraction(1)}

        if 0 in scales.values():
            assert worst(query, law, 1 / y**12) > Fraction(2, 5)
            refuted += 1
    assert refuted >= 12


def test_the_attack_on_raw_local_sensitivity() -> None:
    """Exact probabilities, and real runs that refute even ApproxDP(epsilon=3, delta=0.5)."""
    query = OnGrid(Median(0, 10))
    noisy = (0, 0, 0, 10, 10)
    silent = (0, 0, 0, 0, 10)
    release = RawLocalRelease(query, 1)
    leak = magnitude_leak(release, noisy, silent)
    assert 0.9 < float(leak.bound()) < 1
    rng = random.Random(1)
    runs = [release.release(noisy, rng) for _ in range(4000)]
    assert sum(run != 0 for run in runs) / 4000 == pytest.approx(
        float(leak.bound()), abs=0.02
    )
    assert {release.release(silent, rng) for _ in range(50)} == {0}
    verdict = audit_samples(
        lambda: abs(release.release(noisy, rng)),
        lambda: abs(release.release(silent, rng)),
        ApproxDP(3, "0.5"),
        1000,
    )
    assert verdict.outcome is Outcome.FAILS
    with pytest.raises(InputError, match="same value"):
        magnitude_leak(release, silent, noisy)
    with pytest.raises(InputError, match="integer queries"):
        RawLocalRelease(Median(0, 10), 1)


def score(released: Any) -> Any:
    """The output as a number, a failed test as one far away."""
    if released.value is None:
        return -1e6
    return float(released.value)


def audited(pair: Any, claim: Any, runs: int = 700) -> Any:
    """Both orders of a pair; the worse verdict."""
    one, two = pair
    outcomes = {
        audit_samples(one, two, claim, runs).outcome,
        audit_samples(two, one, claim, runs).outcome,
    }
    if Outcome.FAILS in outcomes:
        return Outcome.FAILS
    return Outcome.UNDECIDED


def test_sampled_outputs_pass_the_audit_and_those_of_twins_fail() -> None:
    rng = random.Random(7)
    query, small = (
        FiniteQuery.of_multisets(lambda data: data[2], ends, 5)
        for ends in ((0, 100), (5, 6))
    )
    low = (0, 0, 0, 100, 100)
    high = (0, 0, 100, 100, 100)
    proposed = ProposeTestRelease(query, DistanceTest(1, "0.01"), 1, 1)
    assert (
        audited(_runs(proposed, low, high, rng), proposed.guarantee())
        is Outcome.UNDECIDED
    )
    untested = ProposeTestRelease(query, DistanceTest("0.1", "0.45"), 1, 1)
    assert (
        audited(_runs(untested, low, high, rng), proposed.guarantee()) is Outcome.FAILS
    )
    far = (5, 5, 5, 5, 6)
    near = (5, 5, 6, 6, 6)
    quiet = ProposeTestRelease(small, DistanceTest(1, "0.1"), 1, 1)
    assert audited(_runs(quiet, near, far, rng), quiet.guarantee()) is Outcome.UNDECIDED
    loud = ProposeTestRelease(small, DistanceTest(1, "0.1"), 1, 6)
    assert (
        audited(_runs(loud, (5, 5, 5, 6, 6), near, rng), quiet.guarantee())
        is Outcome.FAILS
    )

    stable = StabilityRelease(
        mode,
        lambda data: abs(data.count(0) - data.count(1)) // 2 + 1,
        DistanceTest(1, "0.01"),
    )
    assert (
        audited(_runs(stable, (0, 0, 1), (0, 1, 1), rng), stable.guarantee())
        is Outcome.UNDECIDED
    )
    always = StabilityRelease(mode, lambda _: 100, stable.test)
    assert (
        audited(_runs(always, (0, 0, 1), (0, 1, 1), rng), stable.guarantee())
        is Outcome.FAILS
    )

    total = FiniteQuery.of_multisets(sum, (0, 3), 3)
    bounded = BoundedLocalRelease(total, 1, 1, 1, "0.01")
    assert (
        audited(_runs(bounded, (0, 0, 3), (0, 3, 3), rng), bounded.guarantee())
        is Outcome.UNDECIDED
    )
    louder = BoundedLocalRelease(total, 1, 8, 8, "0.4")
    assert (
        audited(_runs(louder, (0, 0, 3), (0, 3, 3), rng), bounded.guarantee())
        is Outcome.FAILS
    )


def _runs(release: Any, one: Any, two: Any, rng: random.Random) -> Any:
    return (lambda: score(release.release(one, rng))), (
        lambda: score(release.release(two, rng))
    )


def test_attacks_of_the_book_find_the_twins() -> None:
    """The same search that finds nothing against the theorems refutes what they do not say."""
    for name, lower in (
        ("propose-test-release", 1),
        ("stability", 1),
        ("private-local-bound", 2),
    ):
        assert any(
            _refuses(module(f"release/{name}").attack, seed, lower)
            for seed in range(40)
        ), name


def _refuses(attack: Any, seed: Any, lower: Any) -> bool:
    try:
        attack(seed, lower=lower)
    except Refused:
        return True
    return False


def test_runs_have_the_laws_that_were_enumerated() -> None:
    """Outputs of the samplers against the exact probabilities."""
    rng = random.Random(3)
    runs = 4000
    test = DistanceTest(1, "0.05")
    for distance in (0, 2, 4):
        passed = sum(test.passes(distance, rng) for _ in range(runs)) / runs
        assert passed == pytest.approx(
            float(test.pass_probability(distance).bound()), abs=0.03
        )
    total = FiniteQuery.of_multisets(sum, (0, 3), 3)
    release = BoundedLocalRelease(total, 1, 1, 2, "0.1")
    bounds = [release.bound((0, 0, 3), rng) for _ in range(runs)]
    below = sum(bound < 3 for bound in bounds) / runs
    assert below == pytest.approx(float(release.guarantee().delta.bound()), abs=0.02)
    assert min(bounds) >= 1


class Halves(Query):
    """Half a number of records: sometimes whole, and not said to be."""

    def value(self, data: Any) -> Fraction:
        return Fraction(sum(data), 2)

    def local_within(self, data: Any, distance: Any) -> Fraction:  # noqa: ARG002
        return Fraction(1, 2)

    def farthest(self, data: Any) -> int:
        return len(data)


def test_the_kind_of_noise_does_not_depend_on_the_data() -> None:
    """A whole value of a query with other values gets noise in doubles too: integers would tell
    them apart.
    """
    release = ProposeTestRelease(Halves(), DistanceTest(1, "0.4"), 1, 1)
    for data in ((0, 0, 0, 0), (0, 0, 0, 1)):
        with pytest.warns(StudyOnlyWarning):
            outputs = {
                type(release.release(data, random.Random(seed)).value)
                for seed in range(20)
            }
        assert outputs == {float, type(None)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        grid = ProposeTestRelease(OnGrid(Halves(), "1/2"), release.test, 1, 1)
        assert isinstance(grid.release((0, 0, 0, 1), random.Random(2)).value, int)
        bounded = BoundedLocalRelease(OnGrid(Halves(), "1/2"), 1, 1, 1, "0.1")
        scale = bounded.release((0, 0, 0, 1), random.Random(2)).scale
    assert scale is not None
    assert scale.denominator == 1


def test_distances_are_not_publishable_and_relations_are_said() -> None:
    release = ProposeTestRelease(OnGrid(Median(0, 10)), DistanceTest(1, "0.01"), 2, 1)
    distance = release.distance((0, 0, 1, 1, 1, 2, 2))
    assert isinstance(distance, Unpublishable)
    assert distance.for_study() == 3, (
        "three records moved above make 2 and 10 the neighbors of the median"
    )
    assert release.relation is Relation.REPLACE_ONE
    constant = FiniteQuery.of_multisets(len, (0, 1), 3)
    never = ProposeTestRelease(constant, DistanceTest(1, "0.01"), 1, 1)
    assert never.distance((0, 0, 1)).for_study() == constant.farthest((0, 0, 1)) + 1


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: DistanceTest(0, "0.1"), "epsilon"),
        (lambda: DistanceTest(1, 0), "delta"),
        (lambda: DistanceTest(1, 1), "delta is 1"),
        (lambda: DistanceTest(1, "nan"), "delta"),
        (lambda: DistanceTest(log(2), "0.1").passes(3), "rational"),
        (
            lambda: ProposeTestRelease(Median(0, 1), DistanceTest(1, "0.1"), 0, 1),
            "proposed",
        ),
        (
            lambda: ProposeTestRelease(
                Median(0, 1), DistanceTest(1, "0.1"), log(2), 1
            ).release([0.5]),
            "rational",
        ),
        (
            lambda: ProposeTestRelease(
                Median(0, 1), DistanceTest(1, "0.1"), 1, 1
            ).release([]),
            "empty",
        ),
        (
            lambda: ProposeTestRelease(
                Median(0, 1), DistanceTest(1, "0.1"), 1, 1
            ).release([float("nan")]),
            "not finite",
        ),
        (
            lambda: ProposeTestRelease(
                Median(0, 1), DistanceTest(1, "0.1"), 1, 1
            ).release([0, 1]),
            "even number",
        ),
        (
            lambda: ProposeTestRelease(
                Median(0, 1), DistanceTest(1, "0.1"), 1, 1
            ).release([2]),
            "above the declared",
        ),
        (lambda: BoundedLocalRelease(Median(0, 1), 0, 1, 1, "0.1"), "steps is 0"),
        (lambda: BoundedLocalRelease(Median(0, 1), 1, 1, -1, "0.1"), "epsilon"),
        (
            lambda: StabilityRelease(mode, lambda _: 0, DistanceTest(1, "0.1")).release(
                (0,)
            ),
            "at least 1",
        ),
        (lambda: OnGrid(Median(0, 1), 0), "step is 0"),
        (
            lambda: _claims_to_be_whole().release((1,), random.Random(1)),
            "all are integers",
        ),
    ],
)
def test_bad_input(ask: Callable[..., Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        ask()


def _claims_to_be_whole() -> Any:
    oracle = DistanceOracle(
        lambda _: Fraction(1, 2), lambda *_: 1, lambda _: 3, integer=True
    )
    return ProposeTestRelease(oracle, DistanceTest(10, "0.4"), 1, 1)
