"""Audits of running code: broken mechanisms are refuted, right ones are not, whoever runs them."""

import contextlib
import math
import os
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from rdpacct import (
    ZCDP,
    ApproxDP,
    ApproxZCDP,
    GaussianDP,
    Guarantee,
    InputError,
    Laplace,
    MeanCDP,
    ProfileDP,
    PureDP,
    RandomDP,
    RenyiDP,
    audit_code,
    check_refutation,
)
from rdpacct.auditing.running import schedule as schedules
from rdpacct.auditing.running.bets import Tally
from rdpacct.auditing.running.claimed import claimed
from rdpacct.proof.audit.half_plane import HalfPlane

Run = Callable[..., Any]
TRIALS = 20_000


def laplace(data: float, rng: Any, size: int) -> Any:
    """Laplace noise of scale 1."""
    return data + rng.laplace(size=size)


def quiet_laplace(data: float, rng: Any, size: int) -> Any:
    """Half of the noise."""
    return data + rng.laplace(scale=0.5, size=size)


def gaussian(data: float, rng: Any, size: int) -> Any:
    """Normal noise of sigma 1."""
    return data + rng.normal(size=size)


def response(data: int, rng: Any) -> str:
    """The truth three times as often as a lie."""
    return "yes" if (rng.random() < 0.75) == bool(data) else "no"


SOUND: dict[str, Guarantee | str] = {
    "PureDP": PureDP(40),
    "ApproxDP": ApproxDP(1, "0.13"),
    "ProfileDP": ProfileDP([["0", "0.39"], ["1", "0.13"]]),
    "RenyiDP": RenyiDP(2, 1),
    "ZCDP": ZCDP("1/2"),
    "ApproxZCDP": ApproxZCDP("1/2", "1e-9"),
    "MeanCDP": MeanCDP("1/2", 1),
    "GaussianDP": GaussianDP(1),
    "a plan": "Gaussian(sigma=1)",
}
"""What Gaussian noise of sigma 1 keeps on inputs 1 apart (40: as far as so few trials can see)."""
BROKEN: dict[str, Guarantee | str] = {
    "PureDP": PureDP("0.5"),
    "ApproxDP": ApproxDP(1, "1e-3"),
    "ProfileDP": ProfileDP([["1", "1e-3"], ["5", "0"]]),
    "RenyiDP": RenyiDP(2, "0.3"),
    "ZCDP": ZCDP("0.1"),
    "ApproxZCDP": ApproxZCDP("0.05", "1e-6"),
    "MeanCDP": MeanCDP("0.05", "0.3"),
    "GaussianDP": GaussianDP("0.5"),
    "a plan": "Gaussian(sigma=2)",
}


@pytest.mark.parametrize("method", ["sequential", "fixed"])
@pytest.mark.parametrize("name", SOUND)
def test_sound_code_is_not_refuted(name: str, method: str) -> None:
    """The claims that hold stay undecided, and nothing is certified."""
    verdict = audit_code(gaussian, 0, 1, SOUND[name], "0.999", TRIALS, method=method)
    assert verdict.undecided
    assert verdict.trials == TRIALS
    with pytest.raises(InputError, match="not refuted"):
        verdict.certificate()


@pytest.mark.parametrize("method", ["sequential", "fixed"])
@pytest.mark.parametrize("name", BROKEN)
def test_broken_claims_are_refuted(name: str, method: str) -> None:
    """Claims of every kind that Gaussian noise breaks are refuted, and the checker agrees."""
    verdict = audit_code(gaussian, 0, 1, BROKEN[name], "0.999", TRIALS, method=method)
    assert verdict.fails, verdict
    refuted = check_refutation(verdict.certificate())
    assert refuted.confidence == Fraction(999, 1000)
    assert verdict.witness.event in refuted.events[0]


def exposed(data: float, rng: Any, size: int) -> Any:
    """Hardly any noise."""
    return data + rng.laplace(scale=1e-9, size=size)


def test_no_noise_is_refuted_almost_as_soon_as_it_can_be() -> None:
    """Outputs of a true claim differ in all of n trials with a probability of at most (1 -
    exp(-1))**n, so that no test refutes before that is 0.001.
    """
    least = math.log(1000) / -math.log(1 - math.exp(-1))
    used = audit_code(exposed, 0, 1, "PureDP(epsilon=1)").trials
    assert least < used < 5 * least


def test_half_of_the_noise_is_refuted_long_before_the_trials_are_used_up() -> None:
    """The sequential audit stops early."""
    assert audit_code(quiet_laplace, 0, 1, "PureDP(epsilon=1)").trials < 2000
    assert audit_code(laplace, 0, 1, "PureDP(epsilon=1)", trials=TRIALS).undecided


@pytest.mark.parametrize("method", ["sequential", "fixed"])
def test_categories(method: str) -> None:
    """Strings are categories: randomized response at its epsilon, and below it."""
    right = f"PureDP(epsilon={math.log(3) + 1e-9})"
    assert audit_code(response, 0, 1, right, trials=4000, method=method).undecided
    assert audit_code(
        response, 0, 1, "PureDP(epsilon=0.5)", trials=4000, method=method
    ).fails


def leaking(data: int, rng: Any) -> Any:
    """An output that one input alone gives."""
    if data and rng.random() < 0.1:
        return "leak"
    return "quiet"


@pytest.mark.parametrize(("x", "other"), [(0, 1), (1, 0)])
def test_a_leak_on_either_input_is_found(x: int, other: int) -> None:
    """Whichever input is the one that leaks."""
    verdict = audit_code(leaking, x, other, PureDP(1), trials=4000)
    assert verdict.fails
    assert verdict.witness.likely_on == ("x" if x else "x_neighbor")


POOLS: dict[str, Callable[[], Executor]] = {
    "a thread": lambda: ThreadPoolExecutor(1),
    "3 threads": lambda: ThreadPoolExecutor(3),
    "a process": lambda: ProcessPoolExecutor(1),
    "2 processes": lambda: ProcessPoolExecutor(2),
    "3 processes": lambda: ProcessPoolExecutor(3),
}
SHARED: dict[str, tuple[Run, str, str]] = {
    "numbers": (quiet_laplace, "1.2", "sequential"),
    "categories": (response, "0.5", "fixed"),
    "consistent": (laplace, "1.1", "sequential"),
}


@lru_cache
def shared_verdict(name: str, executor: Executor | None, seed: int = 7) -> Any:
    """The verdict on one of the mechanisms, as JSON."""
    mechanism, level, method = SHARED[name]
    return audit_code(
        *(mechanism, 0, 1, PureDP(level)),
        trials=1000,
        seed=seed,
        method=method,
        executor=executor,
    ).as_json()


OFTEN = ("a thread", "a process", "3 processes")
"""One worker is no other case than two, and these start slowly."""


@pytest.mark.parametrize(
    "pool",
    [
        pytest.param(pool, marks=[pytest.mark.slow] if pool in OFTEN else [])
        for pool in POOLS
    ],
)
def test_the_number_of_workers_changes_nothing(pool: str) -> None:
    """Same seed, same counts and power, in this process and on any executor, by both methods."""
    with POOLS[pool]() as executor:
        for name in SHARED:
            assert shared_verdict(name, executor) == shared_verdict(name, None)
    other = shared_verdict("numbers", None, seed=8)
    assert other != shared_verdict("numbers", None)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_changes_nothing() -> None:
    """Two worker processes of a real cluster give what this process gives; errors come back."""
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client:
        executor = client.get_executor(pure=False)
        for name in SHARED:
            assert shared_verdict(name, executor) == shared_verdict(name, None)
        with pytest.raises(InputError, match="no noise left"):
            audit_code(raising, 0, 1, PureDP(10), trials=5000, executor=executor)


def leaving(data: float, rng: Any) -> float:  # noqa: ARG001
    """Ends the process that runs it."""
    os._exit(1)


def test_a_lost_worker_is_one_sentence() -> None:
    """A mechanism that ends its process."""
    with (
        ProcessPoolExecutor(1) as executor,
        pytest.raises(InputError, match=r"a worker .* was lost \(BrokenProcessPool"),
    ):
        audit_code(leaving, 0, 1, PureDP(1), executor=executor)


def never(data: Any, rng: Any) -> float:  # noqa: ARG001
    """A mechanism that must not run."""
    raise AssertionError("run before the arguments were checked")


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"claim": "PureDP(epsilon=-1)"}, "epsilon"),
        ({"claim": RandomDP(1, gamma="0.1")}, "drawn data"),
        ({"claim": 3}, "guarantee"),
        ({"claim": PureDP(1000)}, "no number of trials"),
        ({"confidence": "1"}, "confidence"),
        ({"confidence": "nan"}, "confidence"),
        ({"trials": 3}, "trials"),
        ({"trials": "many"}, "trials"),
        ({"seed": -1}, "seed"),
        ({"method": "magic"}, "method"),
        ({"mechanism": 3}, "mechanism"),
        ({"score": 3}, "score"),
        ({"loss": 3}, "loss"),
        ({"score": float, "loss": Laplace(1)}, "both"),
        ({"executor": 3}, "executor"),
        ({"progress": 3}, "progress"),
    ],
)
def test_mistakes_are_found_before_the_first_trial(
    changed: dict[str, Any], says: str
) -> None:
    """Each is one sentence."""
    given = {"mechanism": never, "x": 0, "x_neighbor": 1, "claim": PureDP(1), **changed}
    with pytest.raises(InputError, match=says) as caught:
        audit_code(**given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("size", ["1e4000", "1e-3999", "1e300", "1e-300", "1/2"])
@pytest.mark.parametrize(
    "claim",
    [
        *("PureDP(epsilon=?)", "ApproxDP(epsilon=?, delta=1e-6)", "ZCDP(rho=?)"),
        *("RenyiDP(alpha=2, epsilon=?)", "RenyiDP(alpha=1+?, epsilon=1)"),
        *("MeanCDP(mu=?, tau=1)", "MeanCDP(mu=1, tau=?)", "GaussianDP(mu=?)"),
        *("ZCDP(rho=1, xi=?)", "ApproxZCDP(rho=?, delta=1e-6)"),
        *("ApproxZCDP(rho=1, delta=?)", "ApproxDP(epsilon=1, delta=?)"),
        *("ProfileDP(points=[[?, 1e-3]])", "ProfileDP(points=[[1, ?]])"),
    ],
)
def test_claims_of_any_size_are_tested_or_refused(claim: str, size: str) -> None:
    """A claim has half planes, or gets one sentence; nothing else is raised."""
    planes: tuple[HalfPlane, ...] = ()
    with contextlib.suppress(InputError):
        planes = claimed(claim.replace("?", size)).planes
    assert all(0 <= plane.slack < 1 <= plane.growth for plane in planes)
    assert planes or size != "1/2"


def raising(data: float, rng: Any) -> float:
    """Fails now and then."""
    if rng.random() < 1e-3:
        raise ZeroDivisionError("no noise left")
    return float(rng.normal() + data)


FAULTY: dict[str, tuple[Run, str]] = {
    "raises": (raising, "ZeroDivisionError.*no noise left.*did not refute"),
    "NaN": (lambda data, rng: data + rng.normal() * math.nan, "NaN"),
    "ragged": (lambda data, rng: [data] * int(rng.integers(1, 3)), "one length"),
    "mixed": (lambda data, rng: rng.normal() if data else "a", "one kind"),
    "unhashable": (lambda data, rng: {data: rng.normal()}, "hashable"),
    "size": (lambda data, rng, size: data + rng.normal(size=size + 1), "for size="),
    "no array": (lambda data, rng, size: data + size * rng.normal(), "for size="),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_mechanism_is_one_sentence(name: str) -> None:
    """What the mechanism did, and what to do about it."""
    mechanism, says = FAULTY[name]
    with pytest.raises(InputError, match=says) as caught:
        audit_code(mechanism, 0, 1, PureDP(10), trials=5000)
    assert "\n" not in str(caught.value)


def test_an_executor_that_cannot_run_is_one_sentence() -> None:
    """One that is closed, and one that the mechanism cannot be sent to."""
    with ThreadPoolExecutor(1) as closed:
        pass
    with pytest.raises(InputError, match="does not run"):
        audit_code(laplace, 0, 1, PureDP(1), trials=100, executor=closed)
    with (
        ProcessPoolExecutor(1) as pool,
        pytest.raises(InputError, match="cannot be sent to the executor"),
    ):
        audit_code(
            lambda data, rng: data + rng.normal(),
            0,
            1,
            PureDP(1),
            trials=100,
            executor=pool,
        )


def test_an_interrupted_audit_says_what_it_has() -> None:
    """The verdict so far, which is valid at any time."""

    def stop(done: int, trials: int) -> None:
        if done > trials // 2:
            raise KeyboardInterrupt

    verdict = audit_code(laplace, 0, 1, PureDP(1), trials=4000, progress=stop)
    assert verdict.undecided
    assert 1000 < verdict.trials <= 2000
    assert verdict.witness.trials <= verdict.trials
    assert "interrupted" in str(verdict)


@pytest.mark.parametrize("method", ["sequential", "fixed"])
def test_an_interrupt_leaves_no_chunk_counted_in_part(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may come between the counts of two events: all are those before the chunk."""
    calls = []
    real = Tally.plus

    def plus(self: Tally, trials: int, hits: tuple[int, int]) -> Tally:
        calls.append(trials)
        if len(calls) > 40 and calls[-2] == trials:
            raise KeyboardInterrupt
        return real(self, trials, hits)

    monkeypatch.setattr(Tally, "plus", plus)
    verdict = audit_code(laplace, 0, 1, PureDP(2), trials=4000, method=method)
    assert verdict.interrupted
    before = verdict.trials - calls[-1]
    since = {before - seen.trials for seen in verdict.events}
    schedule = getattr(schedules, method)(4000)
    assert since
    assert since <= {stage.start for stage in schedule.stages}


def test_a_claim_of_next_to_nothing_is_made_ready_at_once() -> None:
    """Its deltas have millions of digits; they are rounded up."""
    planes = claimed(GaussianDP("1e-6")).planes
    assert planes
    assert all(0 < plane.slack < 1 for plane in planes)
    assert max(plane.slack.denominator for plane in planes) <= 10**320
