"""The checker of certificates: what it accepts, and what it must never."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from rdpacct.proof.check import Rejected, check
from rdpacct.proof.check.effort import EFFORT
from tests.proof.test_prover_search import TARGETS, proof_of


@pytest.fixture(scope="module")
def certificates() -> Any:
    return {claim: proof_of(claim, given) for claim, given, _, _ in TARGETS[:6]}


MALFORMED: list[Any] = [
    None,
    [],
    "text",
    {},
    {"format": "rdpacct-certificate"},
    {"format": "rdpacct-certificate", "version": 2},
    {"format": "rdpacct-certificate", "version": True},
]


@pytest.mark.parametrize("certificate", MALFORMED)
def test_malformed_certificate_is_rejected(certificate: Any) -> None:
    with pytest.raises(Rejected):
        check(certificate)


def certificate_of(
    conclusion: Any, proof: Any, given: Any = (), verdict: str = "proved"
) -> Any:
    return {
        "format": "rdpacct-certificate",
        "version": 1,
        "claim": {"given": list(given), "conclusion": conclusion},
        "verdict": verdict,
        "proof": proof,
    }


@pytest.mark.parametrize(
    "conclusion",
    [
        "x.__class__ > 0",
        "sin(x) > 0",
        "(x > 0",
        "x",
        "",
        "1 < " + "9" * 300,
        "1 < 1e999",
        "1 < " + "1+" * 20000 + "1",
        "(" * 200 + "1" + ")" * 200 + " > 0",
        "9**9**9**9 > 0",
        "1/0 > 0",
        "log(0) < 1",
        "exp(exp(exp(exp(9)))) > 1",
        "Ⅷ > 0",
    ],
)
def test_bad_or_hostile_claims_are_rejected(conclusion: str) -> None:
    with pytest.raises(Rejected):
        check(certificate_of(conclusion, [{"rule": "ground"}]))


def test_ground_claims() -> None:
    for claim in [
        "exp(pi) > pi**exp(1)",
        "sqrt(2)*sqrt(8) == 4",
        "exp(log(3)) <= 3",
        "log(6) == log(2)+log(3)",
    ]:
        assert check(certificate_of(claim, [{"rule": "ground"}])).verdict == "proved"
    for claim in [
        "exp(pi) < pi**exp(1)",
        "sqrt(2)*sqrt(8) > 4",
        "exp(log(3)) < 3",
        "pi == 3.14159265358979",
    ]:
        with pytest.raises(Rejected):
            check(certificate_of(claim, [{"rule": "ground"}]))


def test_huge_numbers_cost_little() -> None:
    before = EFFORT.spent
    assert (
        check(
            certificate_of("((9**1000)**1000)**1000 > 0", [{"rule": "ground"}])
        ).verdict
        == "proved"
    )
    assert EFFORT.spent - before < 3000


def test_a_claim_that_is_nowhere_defined_is_not_proved() -> None:
    """It is true of nothing; a proof that is void everywhere, in whatever form, says nothing."""
    nowhere = [{"rule": "void", "facts": []}]
    line = {"rule": "cut", "variable": "x", "cuts": [], "points": [], "parts": nowhere}
    for claim, node in [
        ("log(0) < 1", {"rule": "void"}),
        (
            "abs(log(0)) < 1",
            {"rule": "magnitude", "proofs": [{"rule": "void"}, {"rule": "void"}]},
        ),
        ("log(x) < 1", line),
        ("abs(log(x)) < 1", {"rule": "magnitude", "proofs": [line, line]}),
    ]:
        with pytest.raises(Rejected):
            check(certificate_of(claim, [node], ["x < 0"]))
    assert proof_of("log(x) < 1", ["x<0"]) is None


def test_names_of_variables_come_from_the_claim() -> None:
    """A certificate cannot bring in a variable that is written like a function or a constant."""
    for name in ("exp(x)", "pi", "z"):
        node: dict[str, Any] = {
            "rule": "order",
            "variable": "x",
            "base": name,
            "above": {},
            "below": {},
            "equal": {},
        }
        with pytest.raises(Rejected, match="no such variables"):
            check(certificate_of("x+y > 0", [node]))
    assert proof_of("exp(x) >= 1+x", []) is not None


def test_powers_with_variable_exponents_need_positive_bases() -> None:
    """x**y has no value at x = -1, y = 3, so that this point refutes nothing; x**3 has one."""
    with pytest.raises(Rejected, match="undefined: a base that is not positive"):
        check(
            certificate_of("x**y > 0", refutation({"x": "-1", "y": "3"}), (), "refuted")
        )
    check(certificate_of("x**3 > 0", refutation({"x": "-1"}), (), "refuted"))
    check(certificate_of("x**y > 1", refutation({"x": "1", "y": "3"}), (), "refuted"))
    for claim, given in [("x**x >= 0.7", []), ("x**y >= 0", ["x<0"])]:
        assert proof_of(claim, given, seconds=0.5) is None
    assert proof_of("x**y > 0", ["x>=0"]) is not None
    assert proof_of("1-(1-x)**n <= n*x", ["0<=x<=1", "n>=1"]) is not None


BALLS = [
    ("erfc(x/(sqrt(2)+x)) > 0.9", {"x": "7/10"}),
    ("erf(sqrt(x)/(1+log(x))) < 0.7", {"x": "2"}),
    ("cbrt(erfc(-x/(sqrt(2)+x))) < 1", {"x": "1"}),
    ("max(erfc(1/(sqrt(2)+x)), 0.1) > 1", {"x": "1"}),
    ("abs(erf(-1/(pi+x))) < 0.1", {"x": "1"}),
    ("(-2)**3*erfc(1/(pi+x)) > 0", {"x": "1"}),
]


@pytest.mark.parametrize(("claim", "point"), BALLS)
def test_points_at_which_only_balls_decide(claim: str, point: dict[str, str]) -> None:
    """The ring has no erfc of a quotient; the value at a rational point is known all the same."""
    assert (
        check(certificate_of(claim, refutation(point), (), "refuted")).verdict
        == "refuted"
    )


@pytest.mark.parametrize(
    "claim",
    [
        "erfc(1/(sqrt(2)+x)) + 0*log(0*x) > 5",
        "erfc(1/(sqrt(2)+x)) + 0/(sqrt(2)*sqrt(2)-2+0*x) > 5",
        "erfc(1/(sqrt(2)+x)) + 0*sqrt(-x) > 5",
        "erfc(1/(sqrt(2)+x)) + 0*(-x)**0.5 > 5",
        "erfc(1/(sqrt(2)+x)) + 0*(sqrt(2)*sqrt(2)-2)**(-1) > 5",
        "erfc(1/(sqrt(2)+x)) > erfc(sqrt(2)/(2+x*sqrt(2)))",
    ],
)
def test_balls_decide_nothing_where_a_side_may_be_undefined(claim: str) -> None:
    with pytest.raises(Rejected):
        check(certificate_of(claim, refutation({"x": "1"}), (), "refuted"))


def test_checks_in_threads(certificates: Any) -> None:
    """Checks from several threads do not disturb each other."""
    rows = [certificates[target[0]] for target in TARGETS[:6]] * 3
    with ThreadPoolExecutor(4) as pool:
        verdicts = list(pool.map(check, rows))
    assert [verdict.conclusion for verdict in verdicts] == [
        row["claim"]["conclusion"] for row in rows
    ]


def refutation(point: Any) -> Any:
    return {"rule": "refute", "point": point}


def test_refutations() -> None:
    check(
        certificate_of(
            "log(x) < x/2.7182819", refutation({"x": "2.71828185"}), ["x>0"], "refuted"
        )
    )
    check(certificate_of("x**2 > 0", refutation({"x": "0"}), (), "refuted"))
    check(
        certificate_of(
            "x*y > 0", refutation({"x": "1/3", "y": "-2"}), ["x>y"], "refuted"
        )
    )
    wrong = [
        ("x**2 >= 0", {"x": "0"}, []),
        ("x > 1", {"x": "1"}, ["x>1"]),
        ("x > 1", {"x": "0"}, ["log(x) < 5"]),
        ("log(x) > 1", {"x": "-1"}, []),
        ("1/x > 1", {"x": "0"}, []),
        ("x > 1", {"x": "exp(0.5)-1"}, []),
        ("x > 1", {"x": "0", "y": "0"}, []),
        ("x > 1 > log(x)", {"x": "0"}, []),
        ("x > y", {"x": "0"}, []),
    ]
    for claim, point, given in wrong:
        with pytest.raises(Rejected):
            check(certificate_of(claim, refutation(point), given, "refuted"))


def test_checker_imports_nothing_of_ours(certificates: Any, tmp_path: Path) -> None:
    path = Path(tmp_path) / "certificate.json"
    path.write_text(json.dumps(certificates[TARGETS[2][0]]))
    script = """
import importlib.abc, json, sys
class Block(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        ours = name.startswith("rdpacct.") and name != "rdpacct.proof"
        ours = ours and not name.startswith("rdpacct.proof.check")
        if ours or name.split(".")[0] in ("sympy", "mpmath"):
            raise ImportError("blocked " + name)
import types, pathlib
for name in ("rdpacct", "rdpacct.proof"):
    package = types.ModuleType(name)
    package.__path__ = [str(pathlib.Path(sys.argv[2]).joinpath(*name.split(".")))]
    sys.modules[name] = package
sys.meta_path.insert(0, Block())
from rdpacct.proof.check import check
print(check(json.load(open(sys.argv[1]))).verdict)
"""
    root = str(Path(__file__).parents[2])
    result = subprocess.run(
        [sys.executable, "-c", script, str(path), root],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout.strip() == "proved", result.stderr
