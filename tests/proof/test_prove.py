"""Settling claims end to end: the lists of true and false claims, verdicts, certificates and the
two commands.
"""

import json
import re
import subprocess
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from rdpacct import InputError
from rdpacct.cli import main
from rdpacct.exact.ball import Ball
from rdpacct.proof.check import Rejected, check
from rdpacct.proof.check.balls import constant_ball
from rdpacct.proof.check.derivation import derivative
from rdpacct.proof.check.language import parse_expression, replace
from rdpacct.proof.check.normal import normal
from rdpacct.proof.check.pieces import Box, constant
from rdpacct.proof.check.signs import GROUND
from rdpacct.proof.language import read_comparisons
from rdpacct.proof.prove import Settled, prove
from tests.proof.test_claims import FALSE

TRUE = [
    ("exp(x) >= 1+x", []),
    ("x*tanh(x/2) <= x*(exp(x)-1)/2", ["x>0"]),
    ("log(cosh(x)) <= x**2/2", []),
    ("log(x) <= x/exp(1)", ["x>0"]),
    ("log(1-p+p*exp(h)) - p*h <= h**2/8", ["0<p<1"]),
    ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= 2*(p-q)**2", ["0<p<1", "0<q<1"]),
    ("erfc(x) <= exp(-x**2)", ["x>=0"]),
    ("erfc(x) > 2*exp(-x**2)/(sqrt(pi)*(x+sqrt(x**2+2)))", ["x>=0"]),
    ("sinh(x)/x <= exp(x**2/6)", ["x>0"]),
    ("(exp(x)-1)/(exp(x)+1) <= x/2", ["x>0"]),
    ("abs(log(1+x)-x) <= x**2", ["x>=0"]),
    ("(1+x/15)**16 > exp(x)", ["0<x<=1"]),
    ("exp(x-1)+log(x)-2*x+1 > 0", ["x>1"]),
    ("x*y <= x*log(x)+exp(y-1)", ["x>0"]),
    ("cosh(x) <= (sinh(x)/x)**3", ["x>0"]),
    ("sqrt(x*y) <= (x-y)/(log(x)-log(y))", ["x>y>0"]),
    ("(x-y)/(log(x)-log(y)) <= (x+y)/2", ["x>y>0"]),
    ("log(exp(a)*t+exp(-a)*(1-t)) <= a*(2*t-1)+a**2/2", ["0<=t<=1"]),
    ("exp(x)+exp(-x) <= 2*exp(x**2/2)", []),
    ("1-exp(-x) >= x-x**2/2", ["x>=0"]),
    ("(n/(n+1))**n/(n+1) < 1/(exp(1)*n)", ["n>=1"]),
]
"""True claims that must be proved."""


@cache
def result_of(conclusion: Any, *assumptions: Any) -> Any:
    """What comes of a claim, which is the same each time."""
    return prove(conclusion, assumptions)


@pytest.mark.parametrize(("conclusion", "assumptions"), TRUE, ids=str)
def test_true_claims_are_proved(conclusion: str, assumptions: Any) -> None:
    """Each is proved with ten seconds of work, and the checker accepts the certificate after a trip
    through JSON.
    """
    result = result_of(conclusion, *assumptions)
    assert result.settled is Settled.PROVED
    verdict = check(json.loads(json.dumps(result.certificate)))
    assert (verdict.verdict, verdict.conclusion) == ("proved", conclusion)


@pytest.mark.parametrize(("conclusion", "assumptions"), FALSE, ids=str)
def test_false_claims_are_refuted(conclusion: str, assumptions: Any) -> None:
    """Each is refuted within ten seconds at a point that the checker accepts."""
    result = prove(conclusion, assumptions)
    assert result.settled is Settled.REFUTED
    assert check(json.loads(json.dumps(result.certificate))).verdict == "refuted"


@pytest.mark.parametrize(("conclusion", "assumptions"), TRUE, ids=str)
def test_a_proof_of_one_claim_is_none_of_its_negation(
    conclusion: str, assumptions: Any
) -> None:
    """The certificate with its relation turned round, or made a little stronger, is rejected."""
    certificate = result_of(conclusion, *assumptions).certificate
    [sign, *_] = re.findall(r"[<>]=?", conclusion)
    turned = conclusion.replace(
        sign, {"<": ">", "<=": ">", ">": "<", ">=": "<"}[sign], 1
    )
    left, right = conclusion.split(sign)
    stronger = (
        f"{left} + 0.01 {sign} {right}"
        if "<" in sign
        else f"{left} {sign} {right} + 0.01"
    )
    for other in (turned, stronger):
        with pytest.raises(Rejected):
            check({**certificate, "claim": {"given": assumptions, "conclusion": other}})


NUDGED = [
    ("exp(x) >= 1+x+{}", [], ("1e-3", "1e-9", "1e-20")),
    ("log(x) <= x/exp(1) - {}", ["x>0"], ("1e-3", "1e-9", "1e-20")),
    ("log(cosh(x)) <= x**2/2 - {}*x**2", [], ("1e-3", "1e-6")),
    ("sinh(x)/x <= exp(x**2/6) - {}", ["x>0"], ("1e-3", "1e-8")),
    ("(1+x/15)**16 > exp(x) + {}", ["0<=x<=1"], ("0.1", "1e-3")),
    ("erfc(x) <= exp(-x**2) - {}", ["x>=0"], ("1e-3", "1e-12")),
    ("1-exp(-x) >= x-x**2/2 + {}*x**2", ["x>=0"], ("1e-3", "1e-9")),
    ("log(1-p+p*exp(h)) - p*h <= h**2/8 - {}*h**2", ["0<p<1"], ("1e-3", "1e-7")),
]


@pytest.mark.parametrize("template", NUDGED, ids=lambda entry: entry[0])
def test_claims_nudged_past_their_margin_are_not_proved(
    template: tuple[str, Any, tuple[str, ...]],
) -> None:
    """A true claim made false by a little is refuted or undecided, never proved."""
    text, assumptions, nudges = template
    for nudge in nudges:
        assert (
            prove(text.format(nudge), assumptions, timeout=2).settled
            is not Settled.PROVED
        )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(1, 400), st.integers(-300, 300), st.integers(-300, 300))
def test_quadratics_are_settled_as_their_discriminant_says(
    a: int, b: int, c: int
) -> None:
    """a x**2 + b x + c >= 0 for all x, in hundredths, is settled by the discriminant."""
    result = prove(f"{a / 100}*x**2 + ({b / 100})*x + ({c / 100}) >= 0", timeout=3)
    expected = Settled.PROVED if b * b - 4 * a * c <= 0 else Settled.REFUTED
    assert result.settled is expected


SIDES = [
    side
    for claim, _ in TRUE
    for side in re.split(r"[<>]=?", claim)
    if "x" in side and "y" not in side
]


@pytest.mark.parametrize(
    "text",
    [side for side in SIDES if not re.search(r"[ahpqnt]\b(?!\()", side)],
    ids=str,
)
def test_the_ring_of_the_checker_agrees_with_the_formula(text: str) -> None:
    """The normal form and the derivative of the checker, against the formula's own balls and
    sympy's derivative.
    """
    tree = parse_expression(text)
    own = read_comparisons(f"{text} > 0")[0].left
    for point in (Fraction(1, 3), Fraction(7, 5), Fraction(4)):
        piece = Box("x", constant("1/10"), constant("10"))
        ring = normal(replace(tree, "x", ("number", point)), GROUND)
        ball = (
            constant_ball(ring.top, 200),
            [constant_ball(f, 200) ** k for f, k in ring.bottom.items()],
        )
        value = ball[0]
        for factor in ball[1]:
            value = value / factor
        assert Ball(value, 200).bound().overlaps(own.ball(200, x=point).bound())
        poly = (
            normal(tree, piece.signs) if not re.search(r"log|sqrt|abs", text) else None
        )
        if poly is None or poly.bottom:
            continue
        slope = normal(
            replace(
                parse_expression(derivative(poly.top, "x").text), "x", ("number", point)
            ),
            GROUND,
        )
        symbol = sympy.Symbol("x", real=True)
        exact = (
            own.sympy(x=symbol)
            .diff(symbol)
            .subs(symbol, sympy.Rational(point.numerator, point.denominator))
        )
        got = constant_ball(slope.top, 200)
        for factor, power in slope.bottom.items():
            got = got / constant_ball(factor, 200) ** power
        reference = Fraction(str(sympy.N(exact, 45)))
        bound = Ball(got, 200).bound()
        near = Fraction(1, 10**35) * (1 + abs(reference))
        assert bound.lower - near <= reference <= bound.upper + near


def test_vacuous_claims_are_said_to_be_vacuous() -> None:
    """Contradictory assumptions are refused as vacuous, not proved."""
    for assumptions in (["x > 1", "x < 1"], ["0 < x < 0"], ["1 > 2"]):
        with pytest.raises(InputError, match="vacuous"):
            prove("x > 0", assumptions)
    with pytest.raises(InputError, match="one relation"):
        prove("0 < x < 1")


def run(capsys: pytest.CaptureFixture[str], *arguments: Any) -> Any:
    """The exit code and the object that a command prints with --json."""
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Exit codes 0, 1, 2 and 3, certificates on disk, and their checking."""
    code, data = run(
        capsys,
        "prove",
        "log(x) <= x-1",
        "--given",
        "x>0",
        "--certificate",
        str(tmp_path / "a.json"),
    )
    assert (code, data["verdict"], data["counterexample"]) == (0, "proved", None)
    assert data["excluded"] == ["points without x > 0"]
    code, data = run(capsys, "check", str(tmp_path / "a.json"))
    assert (code, data["accepted"], data["verdict"]) == (0, True, "proved")
    code, data = run(
        capsys, "prove", "exp(x) <= 1+x", "--certificate", str(tmp_path / "b.json")
    )
    assert (code, data["verdict"]) == (1, "refuted")
    assert set(data["counterexample"]) == {"x"}
    assert run(capsys, "check", str(tmp_path / "b.json"))[0] == 0
    broken = json.loads((tmp_path / "a.json").read_text())
    broken["claim"]["conclusion"] = "log(x) <= x-2"
    (tmp_path / "c.json").write_text(json.dumps(broken))
    code, data = run(capsys, "check", str(tmp_path / "c.json"))
    assert (code, data["accepted"]) == (1, False)
    assert main(["prove", "foo(x) > 1"]) == 2
    assert main(["prove", "x > 1", "--timeout", "0"]) == 2
    assert main(["check", str(tmp_path / "missing.json")]) == 2


def test_the_checker_runs_where_the_search_cannot_be_imported(tmp_path: Path) -> None:
    """A certificate is accepted in an interpreter in which sympy and the search do not exist."""
    certificate = prove("sinh(x)/x <= exp(x**2/6)", ["x>0"]).certificate
    (tmp_path / "certificate.json").write_text(json.dumps(certificate))
    code = (
        "import sys\nfor name in ('sympy', 'mpmath', 'rdpacct.proof.search',"
        " 'rdpacct.proof.refute', 'rdpacct.proof.prove'):\n    sys.modules[name] ="
        " None\nfrom rdpacct.cli import main\nsys.exit(main(['check',"
        f" {str(tmp_path / 'certificate.json')!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("accepted, proved")
