"""Certificates of budgets: accepted by the small checker alone, and never for a false statement."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import pytest
from flint import acb, arb, ctx

from rdpacct import Laplace, Plan, PoissonSampled, epsilon
from rdpacct.budget import budget_certificate, certificate_of, writing
from rdpacct.cli import main
from rdpacct.errors import InputError, UndecidedError
from rdpacct.proof.budget import check_budget
from rdpacct.proof.budget.line import NODE_WORK
from rdpacct.proof.budget.pairs import CLOSED_WORK, WorstPair
from rdpacct.proof.budget.releases import KINDS, Orientation
from rdpacct.proof.check import Rejected
from rdpacct.proof.check.effort import EFFORT

MIX = (
    "Gaussian(sigma=3) + Laplace(scale=4) + DiscreteGaussian(sigma=3)"
    " + DiscreteLaplace(scale=5) + RandomizedResponse(epsilon=0.1, answers=3)"
    " + MaximallyDivergent(epsilon=0.1) + PoissonSampled(Gaussian(sigma=2), rate=0.1)"
    " + PoissonSampled(Laplace(scale=1), rate=0.1) + PureDP(epsilon=0.05)"
    " + PoissonSampled(DiscreteLaplace(scale=2), rate=0.1)"
    " + ApproxDP(epsilon=0.1, delta=1e-8) + GaussianDP(mu=0.1)"
)
PLANS = (
    "1000*Laplace(scale=10)",
    "10000*PoissonSampled(Gaussian(sigma=0.8), rate=0.01)",
    "500*RandomizedResponse(epsilon=0.5)",
    MIX,
)
QUICK = (
    "7*Gaussian(sigma=3)",
    "3*Laplace(scale=1)",
    "9*DiscreteLaplace(scale=3, sensitivity=2)",
    "3*DiscreteGaussian(sigma=2)",
    "5*RandomizedResponse(epsilon=1, answers=4)",
    "MaximallyDivergent(epsilon=1, neutral=0.2)",
    "2*PureDP(epsilon=0.3) + ApproxDP(epsilon=0.2, delta=1e-7)",
    "GaussianDP(mu=1) + Laplace(scale=1)",
    "Gaussian(sigma=1) + 2*PoissonSampled(DiscreteLaplace(scale=2), rate=0.25)",
)
DELTA = "1e-6"
WITHOUT_ENGINE = """
import sys
for name in ("composition", "mechanisms", "questions", "budget", "proof.search", "privacy", "plan"):
    sys.modules["rdpacct." + name] = None
from rdpacct.cli import main
sys.exit(main(["check", sys.argv[1]]))
"""


@cache
def _written_once(plan: str) -> Any:
    return budget_certificate(plan, DELTA)


def written(plan: str) -> Any:
    """The certificate of a plan, to be changed at will; it is worked out once."""
    return deepcopy(_written_once(plan))


@pytest.mark.parametrize("plan", PLANS)
def test_a_budget_is_accepted_with_the_engine_and_the_search_removed(
    plan: str, tmp_path: Path
) -> None:
    """The command `check` has nothing but the small checker, and says the engine's number."""
    file = tmp_path / "budget.json"
    file.write_text(json.dumps(written(plan)))
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_ENGINE, str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("accepted: epsilon <= ")
    bound = epsilon(plan, DELTA)
    assert Fraction(written(plan)["epsilon"]["most"]) == bound.upper
    assert Fraction(written(plan)["epsilon"]["least"]) == bound.lower


@pytest.mark.parametrize("plan", PLANS)
def test_an_upper_end_below_the_truth_is_rejected(plan: str) -> None:
    """The engine's lower end, or less, is no upper end; and its upper end is no lower one."""
    bound = epsilon(plan, DELTA)
    certificate = written(plan)
    false = Fraction(bound.lower) * (1 - Fraction(1, 10**9))
    certificate["epsilon"] = {"least": None, "most": str(false)}
    with pytest.raises(Rejected, match="upper end"):
        check_budget(certificate)
    too_high = str(Fraction(bound.upper) * (1 + Fraction(1, 10**9)))
    certificate["epsilon"] = {"least": too_high, "most": str(2 * bound.upper)}
    with pytest.raises(Rejected, match="lower end"):
        check_budget(certificate)


@pytest.mark.parametrize("plan", QUICK)
def test_each_kind_of_release_has_certificates(plan: str) -> None:
    """The upper end is at most a little above the engine's."""
    budget = check_budget(written(plan))
    bound = epsilon(plan, DELTA)
    assert bound.lower <= budget.most <= bound.upper * Fraction(101, 100)


def test_every_kind_that_the_checker_knows_is_in_the_plans() -> None:
    """The plans above use all of them."""
    texts = " ".join(PLANS + QUICK).replace(" ", "")
    for name in KINDS:
        assert name.rstrip(")") in texts, name


def _mutated(certificate: Any, source: random.Random) -> Any:
    """The certificate with one number, text or entry changed somewhere."""
    changed = deepcopy(certificate)
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        keys = node.keys() if isinstance(node, dict) else range(len(node))
        for key in list(keys):
            if isinstance(node[key], dict | list):
                walk(node[key])
            else:
                places.append((node, key))

    walk(changed)
    node, key = source.choice(places)
    value = node[key]
    if isinstance(value, int) and not isinstance(value, bool):
        node[key] = source.choice([value * 2, value // 2, value + 1, 0, -value])
    elif isinstance(value, str) and value[:1].isdigit():
        factor = source.choice(
            [Fraction(1, 2), Fraction(9, 10), Fraction(2), Fraction(-1)]
        )
        node[key] = str(Fraction(value) * factor)
    else:
        node[key] = source.choice([None, "1", "replace_one", "line", 7])
    return changed


def _plan_of(certificate: Any) -> str:
    texts = []
    for row in certificate["releases"]:
        inner = dict(row["parameters"])
        rate = inner.pop("rate", None)
        name = row["mechanism"].removeprefix("PoissonSampled(").rstrip(")")
        text = f"{name}({', '.join(f'{key}={value}' for key, value in inner.items())})"
        if rate is not None:
            text = f"PoissonSampled({text}, rate={rate})"
        texts.append(f"{row['count']}*{text}")
    return " + ".join(texts)


@pytest.mark.parametrize("plan", ["1000*Laplace(scale=10)", *QUICK[2:5], QUICK[-1]])
def test_a_tampered_certificate_is_rejected_or_still_true(plan: str) -> None:
    """Whatever is changed: what is accepted agrees with the engine's answer for what it says."""
    source = random.Random(20261117)
    certificate = written(plan)
    accepted = 0
    for _ in range(40):
        changed = _mutated(certificate, source)
        try:
            budget = check_budget(changed)
        except Rejected:
            continue
        accepted += 1
        bound = epsilon(_plan_of(changed), budget.delta)
        assert budget.most >= bound.lower
        assert budget.least is None or budget.least <= bound.upper
    assert accepted < 40


def _pair(name: str, parameters: dict[str, Any], removing: bool) -> WorstPair:
    return KINDS[name].pair(parameters, Orientation(removing, Fraction(1, 4), 80))


SAMPLES: dict[str, dict[str, Any]] = {
    "Gaussian": {"sigma": "2", "sensitivity": "1"},
    "Laplace": {"scale": "2", "sensitivity": "1"},
    "DiscreteLaplace": {"scale": "2", "sensitivity": "3"},
    "DiscreteGaussian": {"sigma_squared": "4", "sensitivity": "1"},
    "RandomizedResponse": {"epsilon": "1", "answers": 3},
    "MaximallyDivergent": {"epsilon": "1", "neutral": "1/4"},
    "PoissonSampled(Gaussian)": {"sigma": "1", "sensitivity": "1", "rate": "1/5"},
    "PoissonSampled(Laplace)": {"scale": "1", "sensitivity": "1", "rate": "1/5"},
    "PoissonSampled(DiscreteLaplace)": {
        "scale": "1",
        "sensitivity": "2",
        "rate": "1/5",
    },
    "PureDP": {"epsilon": "1"},
    "ApproxDP": {"epsilon": "1", "delta": "1/10"},
    "GaussianDP": {"mu": "1/2"},
}


def _answers(others: int, share: Any) -> list[tuple[Any, Any]]:
    """The finite outputs of randomized response at epsilon 1, of this mass in all."""
    total = mpmath.e + 1 + others
    rest = [(share / total, share / total)] * others
    return [
        (share * mpmath.e / total, share / total),
        (share / total, share * mpmath.e / total),
        *rest,
    ]


TABLES: dict[str, Callable[[], list[tuple[Any, Any]]]] = {
    "RandomizedResponse": lambda: _answers(1, mpmath.mpf(1)),
    "PureDP": lambda: _answers(0, mpmath.mpf(1)),
    "ApproxDP": lambda: _answers(0, mpmath.mpf(9) / 10),
    "MaximallyDivergent": lambda: [
        *_answers(0, mpmath.mpf(3) / 4),
        (mpmath.mpf(1) / 4, mpmath.mpf(1) / 4),
    ],
}
"""The probabilities of each output under P and Q, where there are finitely many."""


def _mpmath_transform(name: str, removing: bool, z: mpmath.mpc) -> mpmath.mpc:
    """E exp(z L) from the definition of the mechanism, by sums and integrals of mpmath."""

    def mixed(p: Any, q: Any, rate: Any) -> tuple[Any, Any]:
        def mix(x: Any) -> Any:
            return (1 - rate) * q(x) + rate * p(x)

        return (mix, q) if removing else (q, mix)

    def laplace(center: Any) -> Any:
        return lambda x: mpmath.exp(-abs(x - center)) / 2

    def normal(center: Any) -> Any:
        return lambda x: mpmath.npdf(x, center, 1)

    def geometric(center: int, rate: Any) -> Any:
        scale = mpmath.tanh(rate / 2)
        return lambda x: scale * mpmath.exp(-rate * abs(x - center))

    if name in TABLES:
        return mpmath.fsum(
            p * mpmath.exp(z * mpmath.log(p / q)) for p, q in TABLES[name]()
        )
    if name == "DiscreteGaussian":
        weights = [mpmath.exp(-mpmath.mpf(x * x) / 8) for x in range(-200, 201)]
        moved = [
            weight * mpmath.exp(z * mpmath.mpf(1 - 2 * x) / 8)
            for x, weight in zip(range(-200, 201), weights, strict=True)
        ]
        return mpmath.fsum(moved) / mpmath.fsum(weights)
    if name in ("Gaussian", "GaussianDP"):
        p, q = normal(mpmath.mpf(1) / 2), normal(0)
        points: list[Any] = [-14, -4, 0, 1, 5, 16]
    elif name == "PoissonSampled(Gaussian)":
        p, q = mixed(normal(1), normal(0), mpmath.mpf(1) / 5)
        points = [-14, -4, 0, 1, 5, 16]
    elif name == "PoissonSampled(Laplace)":
        p, q = mixed(laplace(1), laplace(0), mpmath.mpf(1) / 5)
        points = [-60, -8, 0, 1, 8, 60]
    elif name == "Laplace":
        p, q = laplace(mpmath.mpf(1) / 2), laplace(0)
        points = [-60, -8, 0, mpmath.mpf(1) / 2, 8, 60]
    else:
        rate = mpmath.mpf(1) / 2 if name == "DiscreteLaplace" else mpmath.mpf(1)
        steps = 3 if name == "DiscreteLaplace" else 2
        p, q = geometric(steps, rate), geometric(0, rate)
        if name.startswith("Poisson"):
            p, q = mixed(p, q, mpmath.mpf(1) / 5)
        terms = (
            p(x) * mpmath.exp(z * mpmath.log(p(x) / q(x))) for x in range(-150, 151)
        )
        return mpmath.fsum(terms)
    return mpmath.quad(lambda x: p(x) * mpmath.exp(z * mpmath.log(p(x) / q(x))), points)


@pytest.mark.parametrize("removing", [True, False])
@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_transforms_agree_with_mpmath(name: str, removing: bool) -> None:
    """The checker's transforms are those of the densities of the definition."""
    ctx.prec = 100
    pair = _pair(name, SAMPLES[name], removing)
    with mpmath.workdps(25):
        for tilt, height in ((0.5, 0.0), (2.0, 3.0)):
            value = pair.transform(arb(tilt), arb(height))
            expected = _mpmath_transform(name, removing, mpmath.mpc(tilt, height))
            gap = abs(value - acb(str(expected.real), str(expected.imag)))
            assert gap < 1e-12


@pytest.mark.parametrize("removing", [True, False])
@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_decays_are_bounds(name: str, removing: bool) -> None:
    """Above a height the transform is nowhere larger than the decay there says."""
    ctx.prec = 80
    pair = _pair(name, SAMPLES[name], removing)
    tilt = arb(1.5)
    start = pair.transform(tilt, arb(0)).real
    for height in (0.5, 3.0):
        most = pair.decay(tilt, arb(height))
        for further in (0.0, 0.3, 2.0, 17.0):
            size = abs(pair.transform(tilt, arb(height + further))) / start
            assert not size > most


def test_the_masses_of_each_pair_add_up() -> None:
    """At the tilt zero the transform is the mass of the finite losses."""
    ctx.prec = 80
    assert set(SAMPLES) == set(KINDS)
    for name, parameters in SAMPLES.items():
        for removing in (True, False):
            pair = _pair(name, parameters, removing)
            mass = pair.transform(arb(0), arb(0)).real
            assert abs(mass + float(pair.infinite) - 1) < 1e-15, name


HOSTILE: tuple[tuple[list[Any], Any], ...] = (
    (["bits"], 10**9),
    (["ways", "either", "nodes"], 10**12),
    (["ways", "either", "tilt"], "-1"),
    (["ways", "either", "tilt"], "1/0"),
    (["ways", "either", "period"], "1e-999"),
    (["ways", "either", "blur"], "-1"),
    (["releases", 0, "count"], 10**30),
    (["releases", 0, "count"], True),
    (["releases", 0, "mechanism"], "Gaussian"),
    (["releases", 0, "parameters", "scale"], "nan"),
    (["releases", 0, "parameters", "scale"], 10),
    (["releases", 0, "parameters", "sensitivity"], "0"),
    (["relation"], "any"),
    (["delta"], "2"),
    (["version"], 2),
    (["further"], 1),
)


@pytest.mark.parametrize(("place", "value"), HOSTILE)
def test_hostile_entries_are_rejected_in_a_sentence(
    place: list[Any], value: Any
) -> None:
    """Wrong types, sizes and names end in a rejection, never in another exception."""
    certificate = written("1000*Laplace(scale=10)")
    node: Any = certificate
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = value
    with pytest.raises(Rejected):
        check_budget(certificate)


@pytest.mark.parametrize("value", [None, [], {}, 3, "x", {"releases": []}])
def test_what_is_no_certificate_is_rejected(value: object) -> None:
    """Any JSON value may come in."""
    with pytest.raises(Rejected):
        check_budget(value)


def test_sampled_releases_need_adding_and_removing() -> None:
    """A certificate for one direction only, or for another relation, is rejected."""
    certificate = written(QUICK[-1])
    one_way = deepcopy(certificate)
    one_way["ways"] = {"either": certificate["ways"]["adding"]}
    with pytest.raises(Rejected, match="the ways"):
        check_budget(one_way)
    other = {**certificate, "relation": "replace_one"}
    with pytest.raises(Rejected, match="for adding, removing and zeroing"):
        check_budget(other)


def test_a_blurred_line_certifies_no_lower_end() -> None:
    """One release more is never more private, so that only upper ends follow from it."""
    certificate = written("1000*Laplace(scale=10)")
    certificate["ways"]["either"]["blur"] = "1/1000000000000000000"
    with pytest.raises(Rejected, match="blur"):
        check_budget(certificate)


@pytest.mark.parametrize(
    ("plan", "delta", "says"),
    [
        ("Exponential(epsilon=1)", DELTA, "has no certificate"),
        ("Gaussian(sigma=sqrt(2))", DELTA, "not rational"),
        ("Gaussian(sigma=1)", "0", "between 0 and 1"),
        ("PoissonSampled(Gaussian(sigma=1), rate=0)", DELTA, "a rate is not between"),
        ("RandomizedResponse(epsilon=0)", DELTA, "epsilon is not positive"),
    ],
)
def test_plans_without_a_certificate_are_refused(
    plan: str, delta: str, says: str
) -> None:
    """In a sentence."""
    with pytest.raises(InputError, match=says):
        budget_certificate(plan, delta)


def test_explain_writes_and_check_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the command line, with the exit codes of the contract."""
    file = tmp_path / "budget.json"
    command = ["explain", "1000*Laplace(scale=10)", "--delta", DELTA]
    assert main([*command, "--certificate", str(file)]) == 0
    told = capsys.readouterr().out
    assert "Assumed:" in told
    assert "laplace/worst-pair" in told
    assert main(["check", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accepted"] is True
    certificate = json.loads(file.read_text())
    certificate["epsilon"] = {"least": None, "most": "1/2"}
    file.write_text(json.dumps(certificate))
    assert main(["check", str(file)]) == 1
    assert capsys.readouterr().out.startswith("rejected: ")
    assert main([*command, "--certificate", str(tmp_path)]) == 2


def test_more_bits_are_more_work() -> None:
    """A certificate that asks for a high precision is counted as what that costs."""
    certificate = budget_certificate("3*Gaussian(sigma=2) + Laplace(scale=3)", "1e-6")
    works = []
    for bits in (certificate["bits"], 2048):
        before = EFFORT.spent
        check_budget({**certificate, "bits": bits})
        works.append(EFFORT.spent - before)
    assert works[1] > 5 * works[0]


def test_adding_up_nodes_is_work() -> None:
    """Each node is counted where it is evaluated, and again where it is added up."""
    certificate = budget_certificate("3*Gaussian(sigma=2)", "1e-6")
    nodes = certificate["ways"]["either"]["nodes"]
    before = EFFORT.spent
    check_budget(certificate)
    assert EFFORT.spent - before > (CLOSED_WORK + NODE_WORK) * nodes


def _work_of_writing(plan: Plan, delta: Fraction) -> int:
    bound = epsilon(plan, delta)
    before = EFFORT.spent
    check_budget(certificate_of(plan, delta, bound))
    return EFFORT.spent - before


def test_a_line_is_evaluated_for_all_upper_ends_at_once() -> None:
    """A blurred line is taken once to find the upper end, and once for the certificate."""
    plan = 3 * Laplace(scale=1)
    delta = Fraction(1, 10**6)
    certificate = certificate_of(plan, delta, epsilon(plan, delta))
    before = EFFORT.spent
    check_budget(certificate)
    once = EFFORT.spent - before
    assert _work_of_writing(plan, delta) < 4 * once


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "scale", "rate", "delta"),
    [
        (10, "1", "0.1", "1e-6"),
        (10, "0.1", "0.01", "1e-6"),
        (100, "0.1", "0.01", "1e-60"),
    ],
)
def test_sampled_laplace_releases_have_certificates_in_bounded_work(
    count: int, scale: str, rate: str, delta: str
) -> None:
    """These took up to five minutes, when each upper end had a line of its own."""
    plan = count * PoissonSampled(Laplace(scale=scale), rate=rate)
    assert _work_of_writing(plan, Fraction(delta)) < 1.5 * writing.WRITING_WORK


def test_a_certificate_that_needs_too_much_work_is_refused_and_nothing_is_lost(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The exit code is that of an open question, and the file stays as it was."""
    monkeypatch.setattr(writing, "WRITING_WORK", 1000)
    file = tmp_path / "budget.json"
    file.write_text("before")
    command = ["explain", "1000*Laplace(scale=10)", "--delta", DELTA]
    assert main([*command, "--certificate", str(file)]) == 3
    printed = capsys.readouterr()
    assert "within the work that writing one may take; ask for epsilon" in printed.err
    assert file.read_text() == "before"
    with pytest.raises(UndecidedError, match="1000\\*Laplace"):
        budget_certificate("1000*Laplace(scale=10)", DELTA)


@pytest.mark.slow
def test_checking_a_hostile_certificate_is_bounded_work() -> None:
    """More nodes than a certificate needs are counted, and end in a rejection."""
    certificate = written("3*Laplace(scale=1)")
    certificate["ways"]["either"]["nodes"] = 100_000
    certificate["bits"] = 2048
    before = EFFORT.spent
    with pytest.raises(Rejected, match="too much work"):
        check_budget(certificate)
    assert EFFORT.spent - before < 10_000_000


def test_a_delta_of_too_many_digits_is_refused() -> None:
    """A certificate names exact numbers of bounded length."""
    with pytest.raises(InputError, match="too many digits"):
        budget_certificate("Gaussian(sigma=1)", "1e-600")


def test_masses_of_very_different_sizes_are_work() -> None:
    """A product of such masses takes minutes; it was counted as that of equal ones."""
    certificate = written("3*DiscreteGaussian(sigma=2)")
    assert certificate["ways"]["either"]["method"] == "lattice"
    certificate["releases"][0]["count"] = 2048
    with pytest.raises(Rejected, match="too much work"):
        check_budget(certificate)
    many = budget_certificate("2048*DiscreteGaussian(sigma=2)", DELTA)
    assert many["ways"]["either"]["method"] == "line"
