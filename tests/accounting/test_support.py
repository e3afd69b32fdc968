"""Audits of what outputs can happen: porous doubles, grids, and sums that round."""

import copy
import json
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rdpacct import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    FiniteMechanism,
    Gaussian,
    InputError,
    Laplace,
    RandomDP,
    Rejected,
    audit_grid,
    audit_sum,
    audit_support,
    check_unreachable,
)
from rdpacct.auditing.support.doubles import is_a_sum, noise_of
from rdpacct.auditing.support.float_sums import RoundedRecords
from rdpacct.auditing.support.inversion import OneUniform
from rdpacct.cli import main
from rdpacct.mechanisms import Mechanism
from rdpacct.testing.twins.floating import FLOATING_TWINS, FloatingTwin
from rdpacct.testing.twins.floating.naive_laplace import broken as by_inversion

RELATIONS = ("add_or_remove_one", "replace_one", "zero_out")


def in_sum(count: int, rng: Any) -> float:
    """Noise that is added in doubles."""
    return float(count + rng.laplace())


def by_sign(count: int, rng: Any) -> float:
    """Noise by a sign and the logarithm of a uniform double."""
    return float(count + rng.choice((-1, 1)) * math.log(1 - rng.random()))


@pytest.mark.parametrize("twin", FLOATING_TWINS, ids=lambda twin: twin.name)
def test_doubles_break_one_of_the_twins(twin: FloatingTwin) -> None:
    """The audit fails for the broken one, and is undecided for the right one."""
    assert twin.audit_broken().fails
    assert twin.audit_right().undecided


def test_there_are_pairs_for_each_audit() -> None:
    """With names of their own."""
    verdicts = {type(twin.audit_right()).__name__ for twin in FLOATING_TWINS}
    assert verdicts == {"GridVerdict", "SumVerdict", "SupportVerdict"}
    assert len({twin.name for twin in FLOATING_TWINS}) == len(FLOATING_TWINS) == 5


def doubles_near(number: Fraction, distance: float) -> Iterator[float]:
    """All doubles within a distance of a number."""
    double = float(number - Fraction(distance))
    while double <= number + Fraction(distance):
        yield double
        double = math.nextafter(double, math.inf)


def test_sums_are_decided_as_by_trying_all_doubles() -> None:
    """Noises further from the difference than two last digits of the output give another sum."""
    rng = random.Random(3)
    seen = {True: 0, False: 0}
    for _ in range(400):
        value = rng.choice((1.0, -3.0, 0.1, 1024.5, 2.0**-30)) * rng.choice((1, 1.5))
        output = rng.choice((rng.uniform(-1, 1), value + rng.gauss(0, 1), value / 3))
        difference = Fraction(output) - Fraction(value)
        distance = 2 * math.ulp(output)
        if distance > 4000 * math.ulp(float(difference)):
            continue
        tried = any(value + n == output for n in doubles_near(difference, distance))
        assert is_a_sum(value, output) is tried
        noise = noise_of(value, output)
        assert (noise is not None) is tried
        assert noise is None or value + noise == output
        seen[tried] += 1
    assert min(seen.values()) > 50


def test_a_sum_of_the_largest_doubles_is_decided() -> None:
    """Differences beyond all doubles, and tiny ones; infinite outputs are refused."""
    largest = math.nextafter(math.inf, 0)
    assert not is_a_sum(-largest, largest)
    assert is_a_sum(largest, largest)
    assert is_a_sum(5e-324, 0.0)
    assert not is_a_sum(1.0, 5e-324)
    with pytest.raises(OverflowError):
        is_a_sum(0.0, math.inf)


CODES: dict[str, Callable[[Any, Any], Any]] = {
    "sum": in_sum,
    "location": lambda count, rng: rng.laplace(count),
    "inversion": by_inversion,
    "sign": by_sign,
    "against": lambda count, rng: rng.laplace() - count,
    "minus": lambda count, rng: count - rng.laplace(),
    "array against": lambda count, rng: rng.normal(size=2) - np.array([count, 2]),
    "array": lambda count, rng: np.array([count, 0.0]) + rng.normal(size=2),
    "mechanism": lambda count, rng: Laplace(1).sample(count, rng),
    "gaussian": lambda count, rng: Gaussian(1).sample([count, count], rng),
}


@pytest.mark.parametrize("name", CODES)
def test_porous_outputs_are_found_with_a_certificate(name: str) -> None:
    """Of every form of noise in doubles; the certificate passes, after a trip through JSON."""
    verdict = audit_support(CODES[name], 0, 1, "PureDP(epsilon=20)", outputs=40)
    assert verdict.fails
    assert verdict.witness is not None
    certificate = json.loads(json.dumps(verdict.witness.certificate()))
    said = check_unreachable(certificate, CODES[name], 0, 1)
    assert said.startswith(repr(verdict.witness.output))
    assert 0 < verdict.share.lower < Fraction(verdict.seen.unreachable, 40)
    first, second, third = str(verdict).splitlines()
    assert first == "fails: PureDP(epsilon=20)"
    assert second.startswith(f"  only on D: {verdict.witness.output!r}: it is")
    assert third.startswith("  of 40 outputs the neighbor has ")


def test_the_output_of_a_certificate_is_really_one() -> None:
    """Run with the uniform double that it names, and with all those nearby on the neighbor."""
    witness = audit_support(by_sign, 0, 1, outputs=20).witness
    assert witness is not None
    entries = witness.certificate()
    assert entries["kind"] == "inversion"
    first, second = OneUniform(by_sign, 0, None), OneUniform(by_sign, 1, None)
    if witness.turned:
        first, second = second, first
    path = tuple(entries["choices"])
    assert first.output(path, entries["uniform"]) == witness.output
    for other in ((0,), (1,)):
        nearest = second.straddle(other, witness.output)
        assert nearest is not None
        near = range(nearest.below - 200, nearest.below + 200)
        reached = {second.output(other, k) for k in near if 0 < k < 2**53}
        assert witness.output not in reached


TAMPERED: list[tuple[str, str, Any]] = [
    *(("sum", name, "0x1.0p+1") for name in ("unreachable", "value", "noise")),
    ("sum", "neighbor", (0.0).hex()),
    *(("sum", "neighbor", bad) for bad in ("nan", "inf", 3, None, "one", [1])),
    ("sum", "kind", "product"),
    ("sum", "kind", None),
    ("sum", "more", 1),
    ("inversion", "unreachable", (0.25).hex()),
    ("inversion", "turned", True),
    ("inversion", "bits", 52),
    *(("inversion", "choices", bad) for bad in ([0], [-1], "text", None, [0.5])),
    *(("inversion", "uniform", bad) for bad in (1, -1, 2**53, "1", 0.5, True)),
    *(("inversion", "window", bad) for bad in (0, 99, -1, "100", 10**7)),
    *(("inversion", "straddles", bad) for bad in (None, [3], [None])),
    ("inversion", "straddles", []),
    ("inversion", "straddles", [{}]),
]


@cache
def certificate_of(name: str) -> dict[str, Any]:
    """A certificate that passes."""
    witness = audit_support(CODES[name], 0, 1, outputs=20).witness
    assert witness is not None
    certificate = witness.certificate()
    assert check_unreachable(certificate, CODES[name], 0, 1)
    return certificate


@pytest.mark.parametrize(("kind", "entry", "value"), TAMPERED)
def test_a_tampered_certificate_is_rejected(kind: str, entry: str, value: Any) -> None:
    """Whichever entry is changed."""
    code = CODES[kind]
    certificate = certificate_of(kind)
    with pytest.raises(Rejected):
        check_unreachable({**certificate, entry: value}, code, 0, 1)


@pytest.mark.parametrize("entry", ["below", "above", "low", "high", "choices"])
def test_a_tampered_straddle_is_rejected(entry: str) -> None:
    """Uniform doubles that are not next to each other, or outputs that are others."""
    for index in range(2):
        certificate = copy.deepcopy(certificate_of("sign"))
        straddle = certificate["straddles"][index]
        changed: dict[str, Any] = {"choices": [5], "low": "0x1p+3", "high": "0x1p-3"}
        below = straddle["below"]
        straddle[entry] = changed.get(entry, below + 7 if below < 9 else below - 7)
        with pytest.raises(Rejected):
            check_unreachable(certificate, by_sign, 0, 1)


def test_a_certificate_of_other_code_is_rejected() -> None:
    """The code is run again; without code there is nothing to check."""
    certificate = certificate_of("inversion")
    with pytest.raises(Rejected):
        check_unreachable(certificate, by_inversion, 0, 2)
    with pytest.raises(InputError, match="about running code"):
        check_unreachable(certificate)
    with pytest.raises(Rejected, match="not a certificate"):
        check_unreachable([1])


def test_the_command_line_checks_certificates_of_sums(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Accepted with exit code 0, rejected with 1; one of running code needs Python."""
    witness = audit_support(in_sum, 0, 1).witness
    assert witness is not None
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(witness.certificate()))
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().out.startswith(f"accepted: {witness.output!r} is 0.0 +")
    file.write_text(json.dumps({**witness.certificate(), "neighbor": (0.0).hex()}))
    assert main(["check", str(file)]) == 1
    assert "rejected: some double added" in capsys.readouterr().out
    file.write_text(json.dumps(certificate_of("inversion")))
    assert main(["check", str(file)]) == 2
    assert "about running code" in capsys.readouterr().err


def coarse(count: int, rng: Any) -> float:
    """Noise of a uniform number of 12 bits, so that all outputs can be enumerated."""
    uniform = (math.floor(rng.random() * 4096) + 0.5) / 4096
    return count + 0.37 * math.log(uniform)


def test_inversion_finds_what_enumeration_finds() -> None:
    """For code whose outputs depend on 12 bits of the uniform double."""
    code = OneUniform(coarse, 1, None)
    outputs = {code.output((), k << 41) for k in range(4096)}
    others = {OneUniform(coarse, 0, None).output((), k << 41) for k in range(4096)}
    assert len(outputs) > 4000
    rng = random.Random(1)
    for output in rng.sample(sorted(outputs), 60):
        assert code.never(output, 8) is None
        assert code.never(math.nextafter(output, 9), 8) is not None
    mine = outputs | {math.nextafter(x, 9) for x in others}
    for output in rng.sample(sorted(mine), 60):
        assert (code.never(output, 8) is None) is (output in outputs)


def test_python_alone_is_enough() -> None:
    """With a generator of Python, also for exponential noise, which it makes by inversion."""

    def exponential(count: int, rng: Any) -> float:
        sign = rng.choice((-1, 1))
        return float(count + float(sign * rng.expovariate(1.0)))

    for code in (by_inversion, exponential):
        verdict = audit_support(code, 0, 1, source=random.Random)
        assert verdict.fails
        assert verdict.witness is not None
        certificate = verdict.witness.certificate()
        assert check_unreachable(certificate, code, 0, 1, source=random.Random)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (lambda x, rng: x + math.sin(40 * rng.random()), "not monotone"),
        (lambda x, rng: x + rng.random() + rng.random(), "more than one uniform"),
        (lambda x, rng: x + rng.random(3).sum(), "an array of uniform doubles"),
        (lambda x, rng: x + math.log(rng.gamma(2.0)), "gamma is called"),
        (lambda x, rng: x + rng.choice(range(999)) + rng.random(), "999 options"),
        (lambda x, rng: [x + rng.random()], "not a double"),
        (lambda x, rng: round(x + rng.laplace(), 3), "not released as they are"),
        (lambda x, rng: np.float32(x) + rng.laplace(), "added in float32"),
        (lambda x, rng: float(x), "no uniform double is drawn"),  # noqa: ARG005
    ],
)
def test_what_is_not_decided_says_why(code: Callable[..., Any], why: str) -> None:
    """Nothing is concluded from noise that is neither a sum nor inverted."""
    verdict = audit_support(code, 0, 1, outputs=30)
    assert verdict.undecided
    assert verdict.witness is None
    assert verdict.seen.unknown
    assert why in str(verdict)


def test_the_probability_of_such_outputs_decides_other_claims() -> None:
    """They are impossible on the neighbor, so that delta is at least their probability."""
    claims = ("GaussianDP(mu=3)", "ApproxDP(epsilon=9, delta=0.1)", "ZCDP(rho=1)")
    for claim in claims:
        assert audit_support(in_sum, 0, 1, claim, outputs=300).fails
    loose = audit_support(in_sum, 0, 1, "ApproxDP(epsilon=1, delta=0.9)")
    assert loose.undecided
    assert loose.witness is not None
    assert loose.share.upper == 1


EXACT = [
    each
    for cls in Mechanism.registry.values()
    if cls.__module__.startswith("rdpacct.") and cls.same_outputs
    for each in cls.examples()
    if each.pair() is not None
]


@pytest.mark.parametrize("mechanism", EXACT, ids=str)
def test_the_exact_samplers_of_the_package_pass(mechanism: Any) -> None:
    """Their outputs are whole numbers, which both neighbors have."""

    def code(value: Any, rng: Any) -> Any:
        return mechanism.sample(value, rng)

    pair = mechanism.pair()
    first, second = pair
    verdict = audit_support(code, first, second, "PureDP(epsilon=1/1000)", outputs=10)
    assert (verdict.undecided, verdict.witness) == (True, None)
    assert verdict.seen.reachable == verdict.seen.outputs
    grid = audit_grid(code, pair, 1, runs=20)
    assert (grid.undecided, grid.outputs) == (True, 40)


def test_the_exact_samplers_are_these() -> None:
    """All those of the package whose outputs do not depend on the input."""
    names = {type(mechanism).__name__ for mechanism in EXACT}
    assert names == {"DiscreteGaussian", "DiscreteLaplace", "RandomizedResponse"}
    choice = audit_support(
        lambda x, rng: Exponential(1).sample(x, rng), [0, 1], [1, 0], outputs=10
    )
    assert choice.seen.reachable == 20


def test_a_table_is_not_taken_to_have_all_outputs() -> None:
    """An output that one row never has is not said to be one of both."""
    table = FiniteMechanism([["1/2", "1/2", 0], [0, "1/2", "1/2"]])
    verdict = audit_support(lambda x, rng: table.sample(x, rng), 0, 1)
    assert verdict.seen.reachable == 0
    assert "FiniteMechanism does not say which outputs it has" in str(verdict)


def test_a_vector_on_a_grid_passes() -> None:
    """Integer noise on arrays and lists, in steps that doubles represent."""

    def code(data: Any, rng: Any) -> Any:
        steps = DiscreteGaussian(8, sensitivity=4, dimension=2).sample(data, rng)
        return [step / 4 for step in steps]

    pair = ([0, 0], [4, 0])
    assert audit_grid(code, pair, "1/4").undecided
    assert audit_grid(code, pair, "1/2").fails
    verdict = audit_support(code, *pair)
    assert verdict.seen.reachable == verdict.seen.outputs == 200


def test_multiples_are_exact() -> None:
    """The double 0.1 is one of itself, and not of a tenth; infinity is one of nothing."""

    def tenth(data: Any, rng: Any) -> float:
        return float(data) * 0.1 * (1 + int(rng.integers(1)))

    assert audit_grid(tenth, [1], 0.1).undecided
    verdict = audit_grid(tenth, [0, 1], "0.1")
    assert verdict.fails
    assert (verdict.output, verdict.data, verdict.outputs) == (0.1, 1, 101)
    assert str(verdict).endswith("the output 0.1 on 1 is not one")
    assert audit_grid(lambda data, _: data * math.inf, [1.0], 1).fails
    with pytest.raises(InputError, match="not a number"):
        audit_grid(lambda *_: "text", [1], 1)
    with pytest.raises(InputError, match="must be above 0"):
        audit_grid(tenth, [1], 0)


def pairwise_sum(data: list[float]) -> float:
    """Halves first, as NumPy does."""
    if len(data) < 3:
        return sum(data)
    half = len(data) // 2
    return pairwise_sum(data[:half]) + pairwise_sum(data[half:])


TOTALS: dict[str, Callable[[list[Any]], Any]] = {
    "sum": lambda data: sum(data, 0.0),
    "loop": lambda data: float(np.cumsum([0.0, *data])[-1]),
    "pairwise": pairwise_sum,
    "fsum": math.fsum,
    "single": lambda data: float(np.sum(np.array(data, dtype=np.float32))),
}


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("name", TOTALS)
def test_every_sum_in_doubles_moves_too_far(name: str, relation: str) -> None:
    """Also the one that is rounded only once; the neighbors found are in the range."""
    verdict = audit_sum(TOTALS[name], -0.75, 1.0, relation, steps=600)
    assert verdict.fails
    ideal = Fraction(7, 4) if relation == "replace_one" else Fraction(1)
    assert verdict.ideal == ideal
    pair = verdict.found.pair
    assert all(-0.75 <= x <= 1 for x in (*pair.first, *pair.second))
    moved = Fraction(TOTALS[name](pair.first)) - Fraction(TOTALS[name](pair.second))
    assert abs(moved) == verdict.found.length.lower
    assert abs(moved) > ideal
    records = [*pair.first, *(-x for x in pair.second)]
    assert abs(sum(map(Fraction, records), Fraction(0))) <= ideal


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("ends", [(0, 9), (-5, 7), (-(2**70), 2**70)])
def test_sums_of_integers_do_not(relation: str, ends: tuple[int, int]) -> None:
    """The search attains their sensitivity, and does not exceed it."""
    verdict = audit_sum(sum, *ends, relation, steps=200)
    assert verdict.undecided
    assert verdict.found.length.lower == verdict.ideal
    assert verdict.order.lower == 0


def test_order_and_overflow_are_told() -> None:
    """The same records in another order, and a sum that is infinite."""
    verdict = audit_sum(TOTALS["sum"], 0.0, 1.0, "replace_one")
    assert verdict.order.lower > 0
    assert "the same records in another order move it by" in str(verdict)
    infinite = audit_sum(TOTALS["sum"], 0.0, 1.5e308, "add_or_remove_one")
    assert infinite.fails
    assert "moves to infinity" in str(infinite)


@pytest.mark.parametrize("ends", [("0.1", "0.7"), ("-1/3", "1/3"), (0.0, 1e-300)])
def test_records_are_in_the_range_that_is_declared(ends: tuple[Any, Any]) -> None:
    """Also where the ends are no doubles."""
    low, high = map(Fraction, ends)
    family = RoundedRecords(low, high, 6, are_whole=False)
    rng = random.Random(0)
    rows = [family.drawn(rng) for _ in range(300)]
    assert all(low <= x <= high for row in rows for x in row)
    assert {len(row) for row in rows} == set(range(1, 7))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((sum, 1, 0, "replace_one"), "has no two numbers"),
        ((sum, 0, 0, "replace_one"), "has no two numbers"),
        ((sum, "a", 1, "replace_one"), "not a finite number"),
        ((sum, 0, 1, "groups"), "is not known"),
    ],
)
def test_bad_ranges_are_refused(arguments: Any, words: str) -> None:
    """The value, the reason and the remedy."""
    with pytest.raises(InputError, match=words):
        audit_sum(*arguments)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"claim": RandomDP(1, gamma="0.1")}, "about two data sets"),
        ({"claim": 7}, "give a guarantee"),
        ({"outputs": 0}, "whole number from 1"),
        ({"seed": -2}, "the seed is -2"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], words: str) -> None:
    """Before anything is run."""
    with pytest.raises(InputError, match=words):
        audit_support(in_sum, 0, 1, **options)


def test_a_discrete_release_and_a_porous_one_are_told_apart_within_one_code() -> None:
    """One porous number in an output is enough."""

    def code(count: int, rng: Any) -> Any:
        return DiscreteLaplace(1).sample(count, rng), count + rng.normal()

    assert audit_support(code, 0, 1, "PureDP(epsilon=9)").fails
