"""Cosine and sine: in the ring, in the rules, in the search, and who may use them."""

import random
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
import pytest

from rdpacct import InputError
from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import PI, cos, sin
from rdpacct.proof.check import Rejected, check
from rdpacct.proof.check.balls import Evaluation, rational_ball, working
from rdpacct.proof.check.derivation import derivative
from rdpacct.proof.check.language import parse_expression
from rdpacct.proof.check.normal import normal, substitute
from rdpacct.proof.check.ring import Poly, Ratio
from rdpacct.proof.check.signs import Signs
from rdpacct.proof.check.slots import TURNS, Slot
from rdpacct.proof.language import KERNEL_FUNCTIONS, read_comparisons
from rdpacct.proof.prove import Settled, prove
from rdpacct.proof.search import find_proof

TRUE = [
    ("cos(x)**2 + sin(x)**2 == 1", []),
    ("cos(a+b) == cos(a)*cos(b) - sin(a)*sin(b)", []),
    ("sin(a-b) == sin(a)*cos(b) - cos(a)*sin(b)", []),
    ("cos(3*x) == 4*cos(x)**3 - 3*cos(x)", []),
    ("cos(x/2)**2 == (1 + cos(x))/2", []),
    ("cos(x+pi) == -cos(x)", []),
    ("sin(pi/2-x) == cos(x)", []),
    ("cos(-x)*sin(-x) == -sin(2*x)/2", []),
    ("cos(7*pi/6) == -sqrt(3)/2", []),
    ("sin(-9*pi/4) == -sqrt(2)/2", []),
    ("a**2+b**2 == (a*cos(x)+b*sin(x))**2 + (a*sin(x)-b*cos(x))**2", []),
    ("cos(x) <= 1", []),
    ("abs(exp(t*x)*sin(w*x)) <= exp(t*x)", []),
    ("cos(x) >= 1-x**2/2", []),
    ("sin(x) < x", ["x>0"]),
    ("sin(x) >= x-x**3/6", ["x>=0"]),
    ("x*sin(x)+2*cos(x) <= 2", ["0<=x<=pi"]),
    ("1-cos(x) >= 2*x**2/pi**2", ["0<=x<=pi"]),
    ("sin(x) > 0", ["0<x<pi"]),
    ("sin(x)/x <= 1", ["x>0"]),
    ("x**2+3+sin(x) > 2*x", []),
    ("log(cos(x)) <= -x**2/2", ["0<=x", "x<pi/2"]),
    ("abs(cos(x)-cos(y)) <= abs(x-y)", []),
    ("(1-cos(x))**2 >= 0", []),
    ("(1-cos(x))**2*(a-b*cos(y))**2 >= 0", []),
    ("sin(x)**3*(2+cos(x)) >= 0", ["0<=x<=pi"]),
    ("s*sin(x) <= sin(s*x)", ["0<=s<=1", "0<=x<=pi"]),
    ("cos(x) <= cos(y)", ["0<=y", "y<=x", "x<=pi"]),
    ("(1-cos(x))*y**2 <= (1-cos(y))*x**2", ["0<y", "y<=x", "x<=pi"]),
    (
        "(1-q)**2+2*q*(1-q)*exp(u)*cos(b)+q**2*exp(2*u) <= (1-q+q*exp(u))**2",
        ["0<=q<=1"],
    ),
]

FALSE = [
    ("cos(a+b) == cos(a)*cos(b) + sin(a)*sin(b)", []),
    ("cos(x)**2 - sin(x)**2 == 1", []),
    ("sin(2*x) == sin(x)*cos(x)", []),
    ("sin(pi/2+x) == -cos(x)", []),
    ("cos(x) >= 1-x**2/3", []),
    ("cos(x) >= 1-x**2/2.0000001", []),
    ("cos(x) <= 1-x**2/2", []),
    ("cos(x) < 1", []),
    ("cos(x) <= 0.9999999", []),
    ("-0.9999999 <= sin(x)", []),
    ("sin(x) < x", ["x>=0"]),
    ("sin(x) <= x", []),
    ("sin(x) <= x", ["x>=-1e-6"]),
    ("sin(x) >= x-x**3/6.0001", ["x>=0"]),
    ("x*sin(x)+2*cos(x) <= 1.9999999", ["0<=x<=pi"]),
    ("x*sin(x)+2*cos(x) < 2", ["0<=x<=pi"]),
    ("1-cos(x) >= 2.0000001*x**2/pi**2", ["0<=x<=pi"]),
    ("1-cos(x) >= 2*x**2/pi**2", ["0<=x<=3.15"]),
    ("sin(x) > 0", ["0<x<=pi"]),
    ("sin(x) >= 0", ["0<=x<=3.1416"]),
    ("x*cos(x) <= x*0.9", ["x>=0"]),
    ("y*cos(x) <= y", []),
    ("exp(x)*cos(y) <= exp(x)-1e-9", []),
    ("x**2+cos(5*x) >= 0", []),
    ("cos(x)+x >= -100", []),
    ("cos(x)-x >= -100", ["x>=0"]),
    ("x*cos(x) >= -100", ["x>=0"]),
    ("2+cos(x) > 1", []),
    ("abs(cos(x)-cos(y)) <= 0.99*abs(x-y)", []),
    ("cos(x) <= cos(y)", ["0<=y", "y<=x", "x<=3.2"]),
    ("cos(x) <= cos(y)", ["y<=x", "x<=pi"]),
    ("(1-cos(x))**2 > 0", []),
    ("s*sin(x) <= sin(s*x)", ["0<=s<=1", "0<=x<=3.2"]),
    ("(1-cos(x))*y**2 <= (1-cos(y))*x**2", ["0<y", "y<=x"]),
]


def proof(claim: Any, given: Any, seconds: float = 5.0) -> Any:
    """The proof that the search finds, which is the same each time and searched for once."""
    return _proof(claim, tuple(given), seconds)


@cache
def _proof(claim: Any, given: tuple[Any, ...], seconds: float) -> Any:
    return find_proof(list(given), claim, seconds)


@pytest.mark.parametrize(("claim", "given"), TRUE)
def test_true_claims_are_proved(claim: str, given: Any) -> None:
    certificate = proof(claim, given, 20.0)
    assert certificate is not None
    assert check(certificate).verdict == "proved"


@pytest.mark.parametrize(("claim", "given"), FALSE)
def test_false_claims_are_not_proved_with_any_proof_of_a_true_one(
    claim: str, given: Any
) -> None:
    assert proof(claim, given, 1.5) is None
    for true, _ in TRUE[11:15]:
        certificate = proof(true, []) or {}
        with pytest.raises(Rejected):
            check(certificate | {"claim": {"given": given, "conclusion": claim}})


def random_formula(rng: random.Random, depth: int = 0) -> Any:
    """A random polynomial in cosines and sines of linear formulas in x, y and pi, as text."""
    if depth > 2 or rng.random() < 0.3:
        angle = "+".join(
            f"({rng.randint(-6, 6)}/{rng.choice([1, 2, 3, 4])})*{name}"
            for name in ("x", "y", "pi")
        )
        return rng.choice(
            [
                f"cos({angle})",
                f"sin({angle})",
                "x",
                "y",
                "pi",
                f"exp({rng.randint(-2, 2)}*x)",
                "cos(x*y)",
            ]
        )
    parts = [random_formula(rng, depth + 1) for _ in range(2)]
    return f"({parts[0]}){rng.choice('+-**')}({parts[1]})"


def value(text: Any, point: Any) -> Any:
    names = {
        "cos": mpmath.cos,
        "sin": mpmath.sin,
        "exp": mpmath.exp,
        "pi": mpmath.pi,
        **point,
    }
    return eval(text.replace("/", "*mpmath.mpf(1)/"), {"mpmath": mpmath}, names)


POINT = {"x": Fraction(7, 5), "y": Fraction(-3, 8)}


def in_ring(ratio: Any, **change: Any) -> Any:
    point = {name: rational_ball(v) for name, v in (POINT | change).items()}
    return Evaluation(point).ratio(ratio)


@pytest.mark.parametrize("seed", range(60))
def test_the_ring_agrees_with_plain_numbers(seed: int) -> None:
    """Normal forms, their derivatives and substitutions, against mpmath on the text."""
    text = random_formula(random.Random(seed))
    with mpmath.workdps(60), working(200):
        plain = {
            name: mpmath.mpf(v.numerator) / v.denominator for name, v in POINT.items()
        }
        ratio = normal(parse_expression(text), Signs())
        scale = 1 + abs(value(text, plain))

        def close(ball: Any, number: Any, margin: Any) -> None:
            assert abs(mpmath.mpf(ball.str(50, radius=False)) - number) < margin, text

        close(in_ring(ratio), value(text, plain), mpmath.mpf(10) ** -12 * scale)
        slope = mpmath.diff(lambda x: value(text, plain | {"x": x}), plain["x"])
        close(
            in_ring(derivative(ratio.top, "x")),
            slope,
            mpmath.mpf(10) ** -10 * (scale + abs(slope)),
        )
        image = normal(parse_expression("2*y-x+pi/3"), Signs())
        there = value(text, plain | {"x": 2 * plain["y"] - plain["x"] + mpmath.pi / 3})
        close(
            in_ring(substitute(ratio.top, "x", image, Signs())),
            there,
            mpmath.mpf(10) ** -12 * (1 + abs(there)),
        )


def test_a_monomial_has_at_most_one_turn() -> None:
    for seed in range(40):
        ratio = normal(parse_expression(random_formula(random.Random(seed))), Signs())
        for monomial in ratio.top.terms:
            assert [e for s, e in monomial if s.kind in TURNS] in ([], [1])
    slot = next(s for s in normal(parse_expression("cos(x)"), Signs()).top.slots())
    assert isinstance(slot, Slot)
    for exponent in (-1, 2, Fraction(1, 2)):
        with pytest.raises(Rejected):
            Poly.slot(slot, Fraction(exponent))
    assert Ratio(Poly.slot(slot)).variables() == {"x"}


BOUNDED = {"rule": "bounded", "proof": {"rule": "terms"}}


def on_line(name: Any, node: Any) -> Any:
    return {"rule": "cut", "variable": name, "cuts": [], "points": [], "parts": [node]}


def certificate_of(claim: Any, node: Any, given: Any = ()) -> Any:
    claims = {"given": list(given), "conclusion": claim}
    return {
        "format": "rdpacct-certificate",
        "version": 1,
        "claim": claims,
        "verdict": "proved",
        "proof": [node],
    }


def test_a_bound_needs_a_sign_beside_the_turn() -> None:
    """The rule by hand: 1 and -1 are the worst values only where the rest of the term is not
    negative.
    """
    piece = {"rule": "piece", "facts": [], "proof": BOUNDED}
    for claim in (
        "cos(x) <= 1",
        "cos(x) >= -1",
        "2 + cos(x) - sin(2*x) >= 0",
        "x**2*(2 + cos(x)) >= x**2",
    ):
        assert check(certificate_of(claim, on_line("x", piece))).verdict == "proved"
    for claim in (
        "cos(x) < 1",
        "x*cos(x) <= x",
        "x**3*cos(x) <= x**3",
        "2 + cos(x) - 1.1*sin(2*x) >= 0",
    ):
        with pytest.raises(Rejected):
            check(certificate_of(claim, on_line("x", piece)))
    assert (
        check(certificate_of("x*cos(x) <= x", on_line("x", piece), ["x>0"])).verdict
        == "proved"
    )


def test_an_arc_lies_between_0_and_pi() -> None:
    """The rule by hand: the sine of the angle is the goal, and the angle is inside."""

    def arc(angle: Any, low: Any = None, high: Any = None) -> Any:
        proofs = {
            "low_proof": low or {"rule": "terms"},
            "high_proof": high or {"rule": "ball"},
        }
        return on_line(
            "x",
            {
                "rule": "piece",
                "facts": [],
                "proof": {"rule": "arc", "angle": angle, **proofs},
            },
        )

    for claim, angle, given in [
        ("sin(x) > 0", "x", "0<x<3"),
        ("cos(x) > 0", "x+pi/2", "0<x<1.5"),
        ("sin(3*x) > 0", "3*x", "0<x<1"),
        ("-5*x*cos(x+pi/2) > 0", "x", "0<x<3"),
        ("-cos(x+pi/2) > 0", "x", "0<x<3"),
    ]:
        assert check(certificate_of(claim, arc(angle), [given])).verdict == "proved"
    for claim, angle, given in [
        ("sin(x) > 0", "x", "0<x<3.2"),
        ("sin(x) > 0", "x", "-1<x<3"),
        ("sin(x) < 0", "x", "0<x<3"),
        ("sin(x) > 0", "x/2", "0<x<4"),
        ("sin(x) >= 1/2", "x", "0<x<3"),
        ("cos(x) > 0", "x", "0<x<3"),
        ("sin(x) > 0", "x+2*pi", "0<x<3"),
        ("sin(x) > 0", "", "0<x<3"),
        ("sin(x) > 0", "y", "0<x<3"),
    ]:
        with pytest.raises(Rejected):
            check(certificate_of(claim, arc(angle), [given]))


def test_users_do_not_claim_with_them() -> None:
    for text in ("sin(x) > 0", "cos(x) <= 1", "1 <= 2*sin", "cos > 0"):
        with pytest.raises(InputError):
            read_comparisons(text)
        with pytest.raises(InputError):
            prove(text)
    (one,) = read_comparisons("sin(x) <= cos(0)", KERNEL_FUNCTIONS)
    assert one.left == sin(Symbol("x"))
    for text in ("sin > 0", "sin(x, y) > 0"):
        with pytest.raises(InputError):
            read_comparisons(text, KERNEL_FUNCTIONS)


def test_refutations_of_the_kernel() -> None:
    result = prove("cos(x) <= 1 - x**2/2", timeout=5.0, functions=KERNEL_FUNCTIONS)
    assert result.settled is Settled.REFUTED
    assert check(result.certificate).verdict == "refuted"


def test_formulas_have_values_and_symbols() -> None:
    import sympy

    x = Symbol("x")
    assert cos(0) == 1 + sin(0)
    assert abs(float((cos(PI / 3) - Fraction(1, 2)).bound().upper)) < 1e-15
    assert sympy.simplify((cos(x) ** 2 + sin(x) ** 2).sympy()) == 1
    assert abs(float(sin(x).ball(80, x=Fraction(1, 2))) - 0.479425538604203) < 1e-14
