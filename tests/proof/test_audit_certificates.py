"""The checker of refutations: right certificates pass, and every tampered one is rejected."""

import copy
import json
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import InputError, Rejected, audit_code, check_refutation
from rdpacct.auditing.running.certificate import _names, one_printable_line
from rdpacct.auditing.running.output_events import SomeValues
from rdpacct.auditing.running.scores import TheNumber
from rdpacct.proof.audit.bets import CertifiedBet, CertifiedEvent
from rdpacct.proof.audit.certificate import digest
from rdpacct.proof.audit.half_plane import HalfPlane
from rdpacct.proof.check.effort import EFFORT

CLAIM = "ApproxDP(epsilon=1, delta=1e-3)"


def noisy(data: float, rng: Any, size: int) -> Any:
    """Too little noise for the claim."""
    return data + rng.normal(size=size)


def leaking(data: float, rng: Any, size: int) -> Any:
    """Enough noise, but for one output in ten."""
    return data * (rng.random(size) < 0.1) * 100 + data + rng.normal(size=size)


def refutation(method: str) -> dict[str, Any]:
    """A certificate that is accepted."""
    verdict = audit_code(noisy, 0, 1, CLAIM, trials=4000, method=method)
    certificate: dict[str, Any] = json.loads(json.dumps(verdict.certificate()))
    return certificate


CERTIFICATES = {method: refutation(method) for method in ("sequential", "fixed")}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values that are no objects or lists."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from leaves(inner, (*path, key))
    else:
        yield path


def changed(certificate: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with another value in one place."""
    tampered = copy.deepcopy(certificate)
    inner = tampered
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return tampered


def others(value: Any) -> list[Any]:
    """What a value may be changed to."""
    junk: list[Any] = [
        None,
        [],
        {},
        "",
        True,
        -1,
        "-1",
        1e400,
        "1e999",
        10**400,
        "9" * 300,
    ]
    if isinstance(value, bool) or value is None:
        return [*junk[1:], "2"]
    if isinstance(value, int):
        return [*junk, value + 1, str(value)]
    try:
        return [*junk, str(Fraction(value) * 2 + 1), str(Fraction(value) / 2), "nan"]
    except ValueError:
        return [*junk, value + "x"]


@pytest.mark.parametrize("method", CERTIFICATES)
def test_every_change_of_a_field_is_rejected(method: str) -> None:
    """The digest finds every change, also of a description; all paths are walked."""
    certificate = CERTIFICATES[method]
    assert check_refutation(certificate).method == method
    tried = 0
    for path in leaves(certificate):
        value = certificate
        for key in path:
            value = value[key]
        for other in others(value):
            if other == value and type(other) is type(value):
                continue
            with pytest.raises(Rejected):
                check_refutation(changed(certificate, path, other))
            tried += 1
    assert tried > 200


WEAKER: dict[str, dict[tuple[Any, ...], Any]] = {
    "sequential": {
        ("claim", "parameters", "epsilon"): "1.5",
        ("claim", "parameters", "delta"): "0.1",
        ("confidence",): "0.9999999999",
        ("evidence", 0, "half_plane", "growth"): "2.7",
        ("evidence", 0, "half_plane", "slack"): "0.0001",
        ("evidence", 0, "half_plane", "epsilon"): "0.9",
        ("evidence", 0, "weight"): "1.01",
        ("evidence", 0, "likely_hits"): 1,
        ("evidence", 0, "rare_hits"): 2000,
        ("evidence", 0, "trials"): 10**6,
        ("evidence", 0, "likely", 1): "50",
        ("evidence", 0, "likely", 0): "1.5",
        ("evidence", 0, "rare", 0): "1.9",
        ("evidence", 0, "rare", 1): "30",
    },
    "fixed": {
        ("claim", "parameters", "epsilon"): "1.5",
        ("confidence",): "0.99999999999999999999999999999",
        ("evidence", "half_plane", "growth"): "2.7",
        ("evidence", "at_least"): "0.9",
        ("evidence", "at_most"): "0.0001",
        ("evidence", "sharing"): 10**6,
        ("evidence", "likely_hits"): 1,
        ("evidence", "rare_hits"): 3000,
    },
}


@pytest.mark.parametrize("method", CERTIFICATES)
def test_what_matters_is_rejected_with_a_new_digest_too(method: str) -> None:
    """The digest is no secret: numbers that do not bear out the refutation are rejected."""
    for path, value in WEAKER[method].items():
        tampered = changed(CERTIFICATES[method], path, value)
        tampered["digest"] = digest(tampered)
        with pytest.raises(Rejected) as caught:
            check_refutation(tampered)
        assert "digest" not in str(caught.value), path


@pytest.mark.parametrize("method", CERTIFICATES)
def test_huge_numbers_are_refused(method: str) -> None:
    """Within the grammar, as large as it allows: refused or answered at once."""
    certificate = CERTIFICATES[method]
    for path in leaves(certificate):
        for value in ("9" * 60 + "e999", "1/" + "9" * 200, 10**15, 10**18):
            tampered = changed(certificate, path, value)
            tampered["digest"] = digest(tampered)
            try:
                check_refutation(tampered)
            except Rejected:
                continue


WEAKENED: dict[str, tuple[str, dict[str, str]]] = {
    "PureDP(epsilon=0.5)": ("PureDP", {"epsilon": "0.6"}),
    "ApproxDP(epsilon=1, delta=1e-3)": (
        "ApproxDP",
        {"epsilon": "1.1", "delta": "0.0011"},
    ),
    "GaussianDP(mu=0.5)": ("GaussianDP", {"mu": "0.52"}),
    "RenyiDP(alpha=2, epsilon=0.3)": ("RenyiDP", {"alpha": "1.05", "epsilon": "0.33"}),
    "ZCDP(rho=0.1)": ("ZCDP", {"rho": "0.12", "xi": "0.02"}),
    "ApproxZCDP(rho=0.05, delta=1e-6)": (
        "ApproxZCDP",
        {"rho": "0.06", "delta": "0.01", "xi": "0.01"},
    ),
    "MeanCDP(mu=0.05, tau=0.3)": ("MeanCDP", {"mu": "0.06", "tau": "0.32"}),
}
"""Claims that the noise breaks, and parameters that claim less."""


@pytest.mark.parametrize("claim", WEAKENED)
def test_a_weaker_claim_is_not_refuted_by_the_same_half_plane(claim: str) -> None:
    """Each parameter matters: the half plane must follow from the claim."""
    kind, weaker = WEAKENED[claim]
    certificate = audit_code(noisy, 0, 1, claim, trials=20_000).certificate()
    assert certificate["claim"]["kind"] == kind
    assert set(certificate["claim"]["parameters"]) == set(weaker)
    assert check_refutation(certificate).claim.startswith(kind)
    for name, value in weaker.items():
        tampered = changed(certificate, ("claim", "parameters", name), value)
        tampered["digest"] = digest(tampered)
        with pytest.raises(Rejected):
            check_refutation(tampered)


def test_a_plan_is_claimed_with_its_budget() -> None:
    """The checker of budgets is asked, and its budget must reach the half plane."""
    plan = "Gaussian(sigma=1)"
    certificate = audit_code(leaking, 0, 1, plan, trials=4000).certificate()
    assert certificate["claim"]["kind"] == "CertifiedPlan"
    refuted = check_refutation(certificate)
    assert refuted.claim.startswith("Gaussian(sensitivity=1, sigma=1)")
    assert "gaussian/worst-pair" in refuted.rests_on
    path = ("claim", "parameters", "budgets", 0)
    for name, value in (("sigma", "0.9"), ("sensitivity", "2")):
        release = (*path, "releases", 0, "parameters", name)
        tampered = changed(certificate, release, value)
        tampered["digest"] = digest(tampered)
        with pytest.raises(Rejected):
            check_refutation(tampered)
    other = changed(certificate, path, {})
    other["digest"] = digest(other)
    with pytest.raises(Rejected):
        check_refutation(other)


def test_a_plan_without_a_budget_says_what_is_taken_for_granted() -> None:
    """Points of its profile, which the checker does not compute."""
    certificate = audit_code(noisy, 0, 3, "Laplace(scale=2)", trials=4000).certificate()
    assert certificate["claim"]["kind"] == "StatedPlan"
    said = check_refutation(certificate).claim
    assert said.startswith("ProfileDP(points=[[")
    assert "stated for Laplace(scale=2)" in said
    epsilons = {bet["half_plane"]["epsilon"] for bet in certificate["evidence"]}
    points = certificate["claim"]["parameters"]["points"]
    assert {point["epsilon"] for point in points} == epsilons


@pytest.mark.slow
def test_a_sampled_plan_is_certified_or_stated_without_a_long_search() -> None:
    """One proposal for each line; at a large delta the small checker has no budget for it."""
    before = EFFORT.spent
    plan = "PoissonSampled(Gaussian(sigma=1), rate=1/2)"
    certificate = audit_code(noisy, 0, 2, plan, trials=4000).certificate()
    assert certificate["claim"]["kind"] == "StatedPlan"
    assert EFFORT.spent - before < 2_000_000


def test_events_that_read_alike_are_told_apart() -> None:
    """The checker takes equal names for one event."""
    values = [frozenset(map(float, range(k))) for k in (8, 9)]
    pair = [SomeValues(TheNumber(), each) for each in values]
    pair.append(SomeValues(TheNumber(), (values[0] - {7.0}) | {70.0}))
    names = _names([*pair, pair[0]])
    assert len(set(names.values())) == 3
    assert names[pair[2]] == f"{names[pair[0]]} (set 2)"
    assert one_printable_line("a\nb") == "a\\nb"


def test_fair_bets_are_those_of_a_grid() -> None:
    """Random bets: accepted if the mean is at most 1 at all pairs of a grid, and rejected if it is
    clearly above at one.
    """
    rng = random.Random(3)
    accepted = rejected = 0
    for _ in range(300):
        growth = 1 + Fraction(rng.randint(0, 30), 10)
        slack = Fraction(rng.randint(0, 4), 10)
        plane = HalfPlane(Fraction(0), growth, slack)
        event = CertifiedEvent("an event", "x", plane, 10, 5, 5)
        factors = [Fraction(rng.randint(1, 40), 20) for _ in range(4)]
        bet = CertifiedBet(
            event, Fraction(1), (factors[0], factors[1]), (factors[2], factors[3])
        )
        largest = max(
            ((1 - p) * factors[0] + p * factors[1])
            * ((1 - q) * factors[2] + q * factors[3])
            for q in (Fraction(k, 40) for k in range(41))
            for p in (min(growth * q + slack, Fraction(1)), Fraction(0))
        )
        try:
            bet.check_fair()
        except Rejected:
            rejected += 1
            assert largest > Fraction(99, 100)
        else:
            accepted += 1
            assert largest <= 1
    assert accepted > 30
    assert rejected > 30


def test_entries_that_are_missing_or_new_are_rejected() -> None:
    """Every object has its entries and no others."""
    certificate = CERTIFICATES["sequential"]
    for name in certificate:
        less = {key: value for key, value in certificate.items() if key != name}
        with pytest.raises(Rejected):
            check_refutation(less)
    with pytest.raises(Rejected):
        check_refutation({**certificate, "note": "x"})
    junk: list[Any] = [None, [], "x", 3, {"format": "rdpacct-audit"}]
    for given in junk:
        with pytest.raises(Rejected):
            check_refutation(given)


def test_no_certificate_without_a_refutation() -> None:
    """A verdict that is consistent certifies nothing."""
    verdict = audit_code(noisy, 0, 0, CLAIM, trials=200)
    with pytest.raises(InputError):
        verdict.certificate()
