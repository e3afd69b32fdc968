"""The search for proofs: what is proved, what must never be, and how long it may take."""

import copy
import json
from functools import cache
from typing import Any

import pytest

from rdpacct.proof.check import Rejected, check
from rdpacct.proof.check.effort import EFFORT, STEP, UNITS_PER_SECOND, Vacuous
from rdpacct.proof.search import find_proof
from rdpacct.proof.search.claims import GRACE
from tests.counting import counted_calls

SECONDS = 10

# (claim, given, false version of the claim, given of the false version)
TARGETS = [
    ("exp(x) >= 1+x", [], "exp(x) > 1+x", []),
    (
        "x*tanh(x/2) <= x*(exp(x)-1)/2",
        ["x>0"],
        "x*tanh(x/2) <= 0.999999*x*(exp(x)-1)/2",
        ["x>0"],
    ),
    ("log(cosh(x)) <= x**2/2", [], "log(cosh(x)) <= x**2/2.000001", []),
    ("log(x) <= x/exp(1)", ["x>0"], "log(x) < x/exp(1)", ["x>0"]),
    ("erfc(x) <= exp(-x**2)", ["x>=0"], "erfc(x) <= exp(-x**2)", ["x>=-1e-9"]),
    ("sinh(x)/x <= exp(x**2/6)", ["x>0"], "sinh(x)/x <= exp(x**2/6.000001)", ["x>0"]),
    (
        "(exp(x)-1)/(exp(x)+1) <= x/2",
        ["x>0"],
        "(exp(x)-1)/(exp(x)+1) <= x/2.000001",
        ["x>0"],
    ),
    ("abs(log(1+x)-x) <= x**2", ["x>=0"], "abs(log(1+x)-x) <= 0.499999*x**2", ["x>=0"]),
    ("(1+x/15)**16 > exp(x)", ["0<x<=1"], "(1+x/15)**16 > exp(x)", ["0<=x<=1"]),
    ("exp(x-1)+log(x)-2*x+1 > 0", ["x>1"], "exp(x-1)+log(x)-2*x+1 > 0", ["x>=1"]),
    (
        "exp(x)+exp(-x) <= 2*exp(x**2/2)",
        [],
        "exp(x)+exp(-x) <= 2*exp(x**2/2.000001)",
        [],
    ),
    ("1-exp(-x) >= x-x**2/2", ["x>=0"], "1-exp(-x) >= x-x**2/2.000001", ["x>=0"]),
    ("cosh(x) <= (sinh(x)/x)**3", ["x>0"], "cosh(x) <= (sinh(x)/x)**2.99", ["x>0"]),
    (
        "erfc(x) > 2*exp(-x**2)/(sqrt(pi)*(x+sqrt(x**2+2)))",
        ["x>=0"],
        "erfc(x) > 2*exp(-x**2)/(sqrt(pi)*(x+sqrt(x**2+1.99)))",
        ["x>=0"],
    ),
    (
        "(n/(n+1))**n/(n+1) < 1/(exp(1)*n)",
        ["n>=1"],
        "(n/(n+1))**n/(n+1) < 1/(2.7182819*n)",
        ["n>=1"],
    ),
    (
        "log(1-p+p*exp(h)) - p*h <= h**2/8",
        ["0<p<1"],
        "log(1-p+p*exp(h)) - p*h <= h**2/8.00001",
        ["0<p<1"],
    ),
    (
        "p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= 2*(p-q)**2",
        ["0<p<1", "0<q<1"],
        "p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= 2.0001*(p-q)**2",
        ["0<p<1", "0<q<1"],
    ),
    ("x*y <= x*log(x)+exp(y-1)", ["x>0"], "x*y < x*log(x)+exp(y-1)", ["x>0"]),
    (
        "sqrt(x*y) <= (x-y)/(log(x)-log(y))",
        ["x>y>0"],
        "sqrt(x*y) <= 0.9999*(x-y)/(log(x)-log(y))",
        ["x>y>0"],
    ),
    (
        "(x-y)/(log(x)-log(y)) <= (x+y)/2",
        ["x>y>0"],
        "(x-y)/(log(x)-log(y)) <= (x+y)/2.0001",
        ["x>y>0"],
    ),
    (
        "log(exp(a)*t+exp(-a)*(1-t)) <= a*(2*t-1)+a**2/2",
        ["0<=t<=1"],
        "log(exp(a)*t+exp(-a)*(1-t)) <= a*(2*t-1)+a**2/2.0001",
        ["0<=t<=1"],
    ),
]

FALSE = [
    ("log(x) <= x/2.7182819", ["x>0"]),
    ("exp(x) <= 1+x+x**2", ["0<=x<=1.7933"]),
    ("erfc(x) <= exp(-x**2) - 1e-9*x", ["x>=0"]),
    ("1+x <= exp(x) - 1e-12", []),
    ("tanh(x) <= x - x**3/3 + x**5/8", ["x>0"]),
    # Strictness and open or closed ends.
    ("x**2 > 0", []),
    ("exp(x) > 1+x", ["x>=0"]),
    ("(x-1)**2*exp(x) > 0", ["x>0"]),
    ("sqrt(x) > 0", ["x>=0"]),
    ("x**0.5 > 0", ["x>=0"]),
    # Poles, also behind even powers, and functions that change sign across a pole.
    ("1/x >= 0", []),
    ("1/(x-1)**2 > 1/2", ["0<x<2.5"]),
    ("1/(exp(x)-2) <= 1", ["x>0"]),
    ("x/(x-1) >= 1", ["x>0"]),
    # Limits whose leading terms cancel or are tight.
    ("sqrt(x**2+1)-x > 1e-9", ["x>=0"]),
    ("log(x+1)-log(x) > 1/(x+0.49)", ["x>0"]),
    ("exp(sqrt(log(x))) >= x**0.5", ["x>1"]),
    ("x**(1/30) >= log(x)", ["x>0"]),
    ("log(x)**4 <= x", ["x>1"]),
    ("exp(-1/x) >= x/4", ["0<x<4"]),
    ("abs(x) >= x+1e-12", ["x>=-1"]),
    ("max(x, 1-x) > 0.5", []),
    ("cbrt(x) <= x", ["x>=-1"]),
    ("x**3 == x", []),
    ("x**2 != 2", []),
    ("erf(x) <= 0.9999999", ["x>0"]),
    ("x*y >= -1e-9", []),
    ("x > y", ["x>=y"]),
    ("x**2+y**2 > 0", []),
    ("x**2+y**2 > 2*x*y", []),
    ("x**2+y**2 > 2*x*y", ["x>=y"]),
    ("(x+y)/2 > sqrt(x*y)", ["x>=y>0"]),
    ("x/y >= 1", ["x>=y"]),
    ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) > 2*(p-q)**2", ["0<p<1", "0<q<1"]),
    ("log(1+exp(x)) >= max(x, 0)+1e-9", []),
    ("log((exp(e)-1)/e)+e/(exp(e)-1)-1 <= e**2/8.0001", ["e>0"]),
    ("(x+0.4999)*log(1+1/x) > 1", ["x>0"]),
    ("log(exp(x)+exp(y)) >= max(x, y)+1e-9", []),
    # Bounds by formulas.
    ("x*y <= 1/4", ["x+y<=1"]),
    ("x*y < 1/4", ["x+y<=1", "x>=0", "y>=0"]),
    ("x < 1", ["x+y<=1", "y>=0"]),
    ("x*y < 1/4", ["x+y==1"]),
    ("0 < (r-exp(-e))/(exp(e)-exp(-e))", ["e>0", "exp(-e)<=r"]),
    ("0 <= (r-exp(-e))/(exp(e)-exp(-e))", ["exp(-e)<=r"]),
    ("x*y > 1", ["x>=1", "y>=1/x"]),
    ("x*y >= 1", ["y>=1/x"]),
    ("e > 0", ["-e<=l", "l<=e"]),
    ("l < e", ["-e<=l", "l<=e"]),
    ("l**2 < e**2", ["-e<=l", "l<e"]),
    ("x <= 1", ["x<=y", "y>=1"]),
]


@pytest.fixture(scope="module")
def certificates() -> Any:
    return {claim: proof_of(claim, given) for claim, given, _, _ in TARGETS}


def proof_of(claim: Any, given: Any, seconds: Any = SECONDS) -> Any:
    """The proof that the search finds, which is the same each time and therefore searched for once;
    vacuous claims have none.
    """
    return _proof_of(claim, tuple(given), seconds)


@cache
def _proof_of(claim: Any, given: Any, seconds: Any) -> Any:
    try:
        return find_proof(list(given), claim, seconds)
    except Vacuous:
        return None


@pytest.mark.parametrize(("claim", "given"), [target[:2] for target in TARGETS])
def test_target_is_proved(claim: str, given: Any) -> None:
    certificate = proof_of(claim, given)
    assert certificate is not None
    again = json.loads(json.dumps(certificate))
    assert again == certificate
    verdict = check(again)
    assert (verdict.verdict, verdict.given, verdict.conclusion) == (
        "proved",
        tuple(given),
        claim,
    )


@pytest.mark.parametrize(("claim", "given"), FALSE + [target[2:] for target in TARGETS])
def test_false_claim_is_not_proved(claim: str, given: Any) -> None:
    assert proof_of(claim, given, seconds=2) is None


def test_proof_of_a_target_does_not_prove_its_false_version(certificates: Any) -> None:
    for claim, _, false, given in TARGETS:
        forged = copy.deepcopy(certificates[claim])
        forged["claim"] = {"given": given, "conclusion": false}
        with pytest.raises(Rejected):
            check(forged)


MORE = [
    ("erfc(x) <= 2*exp(-x**2)/(sqrt(pi)*(x+sqrt(x**2+4/pi)))", ["x>=0"]),
    ("log(log(x)) <= log(x)-1", ["x>1"]),
    ("sqrt(x)*log(1/x) <= 2/exp(1)", ["0<x<1"]),
    ("erf(x)**2 <= 1-exp(-4*x**2/pi)", ["x>=0"]),
    ("abs(sqrt(1+x**2)-sqrt(1+y**2)) <= abs(x-y)", []),
    ("abs(x+y) <= abs(x)+abs(y)", []),
    ("x**2+y**2+z**2 >= x*y+y*z+z*x", []),
    ("(1+x)**r >= 1+r*x", ["x>-1", "r>=1"]),
    ("x**(1/x) <= exp(1/exp(1))", ["x>0"]),
    ("exp(x) <= x+exp(x**2)", []),
    ("-p*log(p)-(1-p)*log(1-p) <= log(2)", ["0<p<1"]),
    ("exp(x*y) >= 1+x*y", []),
    ("min(x, y) <= sqrt(x*y)", ["x>0", "y>0"]),
    ("max(x, y) >= (x+y)/2", []),
    ("max(x, y)+z >= z+(x+y)/2", []),
    ("(x+y+z)**3 >= 27*x*y*z", ["x>0", "y>0", "z>0"]),
    ("(x*y*z)**(1/3) <= (x+y+z)/3", ["x>0", "y>0", "z>0"]),
    ("x**t*y**(1-t) <= t*x+(1-t)*y", ["x>0", "y>0", "0<t<1"]),
    ("x*log(x/y) >= x-y", ["x>0", "y>0"]),
    ("4*p*(1-p) <= (-p*log(p)-(1-p)*log(1-p))/log(2)", ["0<p<1"]),
    ("x > 0", ["x>y", "y>0"]),
    ("log(1-x) <= -x", ["1-x>0"]),
    # Limits where the leading terms cancel.
    ("log(2)/(1+2*x) <= log(1+1/(1+x))", ["x>=0"]),
    ("(x+1/2)*log(1+1/x) > 1", ["x>0"]),
    ("log(1+1/x) < 1/sqrt(x**2+x)", ["x>0"]),
    ("log((exp(e)-1)/e)+e/(exp(e)-1)-1 <= e**2/8", ["e>0"]),
    ("log(sinh(x)/x) <= x**2/6", ["x>0"]),
    # Bounds by formulas among the assumptions.
    ("0 <= (r-exp(-e))/(exp(e)-exp(-e))", ["e>0", "exp(-e)<=r"]),
    ("(r-exp(-e))/(exp(e)-exp(-e)) <= 1", ["e>0", "r<=exp(e)"]),
    ("x*y >= 1", ["x>=1", "y>=1/x"]),
    ("x >= 1", ["x>=y", "y>=1"]),
    ("x <= z", ["x<=y", "y<=z"]),
    ("x+y <= 2", ["x<=1", "y<=2-x"]),
    ("abs(l) <= e", ["-e<=l", "l<=e"]),
    ("e >= 0", ["-e<=l", "l<=e"]),
    ("e > 0", ["-e<=l", "l<e"]),
    ("exp(l) <= cosh(e)+l/e*sinh(e)", ["e>0", "-e<=l<=e"]),
    ("x*y <= 1/4", ["x+y<=1", "x>=0", "y>=0"]),
    ("x <= 1", ["x+y<=1", "y>=0"]),
    ("r >= 1", ["r-exp(e)>=0", "e>=0"]),
    ("exp(x)*exp(y) <= exp(1)", ["x+y<=1"]),
    # Equations among the assumptions.
    ("a*b+b*c+c*a <= 1/3", ["a>=0", "b>=0", "c>=0", "a+b+c==1"]),
    ("x > 0", ["y == x+1", "y>1"]),
    ("y <= 3", ["y == 2*x+1", "x<=1"]),
    ("k >= 1+e", ["k == exp(e)"]),
    ("z >= -1/4", ["z == x*y", "x == y-1"]),
    # Identities, and variables that cancel.
    ("exp(a+b)*exp(c) == exp(a+b+c)", []),
    ("(a*b)*c - c*(b*a) == 0", []),
    ("a*b*c*d*e*f*g*h*i*j == j*i*h*g*f*e*d*c*b*a", []),
    ("(a+b)**2/c == a**2/c+2*a*b/c+b**2/c", []),
    ("x+y-y >= x", []),
    # Exponentials of goals with logarithms.
    ("log(1+exp(x)) >= max(x, 0)", []),
    ("log(exp(x)+exp(y)) >= max(x, y)", []),
    ("log(exp(x)+exp(-x)) >= abs(x)", []),
    ("-p*log(p)-(1-p)*log(1-p) <= 2*log(2)*sqrt(p*(1-p))", ["0<p<1"]),
    ("abs(x)+abs(y) <= sqrt(2)*sqrt(x**2+y**2)", []),
    # Constants under variables.
    ("1-x == 0.8*exp(-6)+0.2*exp(log(-4*exp(-6)+5))-x", []),
    ("x+log(exp(sqrt(2)-pi)) == x+sqrt(2)-pi", []),
    ("x*y*sqrt(pi-exp(1))**2 == x*y*(pi-exp(1))", []),
    ("x/exp(log(2-sqrt(2))) <= y/(2-sqrt(2))", ["x<=y"]),
    ("x**2*y**2*(pi-exp(1)) >= 0", []),
]


@pytest.mark.parametrize(("claim", "given"), MORE)
def test_textbook_inequality_is_proved(claim: str, given: Any) -> None:
    certificate = proof_of(claim, given, seconds=20)
    assert certificate is not None
    assert check(json.loads(json.dumps(certificate))).conclusion == claim


NASTY = [
    ("x**y+y**x > 1", ["0<x<1", "0<y<1"]),
    ("erf(x)**2 <= 1-exp(-4*x**2/pi)-1e-12", ["x>=0"]),
    ("cosh(s*x) <= cosh(x)*exp((s**2-1)/2*x*tanh(x))", ["x>0", "s>=1"]),
    ("(a+b+c+d+e+f)**12 >= 0", ["a>0"]),
    ("(1+x+y+z)**20 >= 1+2*x*y*z", ["x>0", "y>0", "z>0"]),
    ("tanh(x)**9*tanh(y)**9*cosh(x+y)**7 <= exp(9*x+9*y)", ["x>0", "y>0"]),
    ("((x+exp(x))**31-(x+exp(x)+1)**31)**2 > 0", ["x>0"]),
    ("(x**17-1)**3/(x**13-1)**2+(y**17-1)**3/(y**13-1)**2 >= x+y-4", ["x>1", "y>1"]),
    ("log((x+1/7)**60*(x-1/3)**60*(x+5/11)**60-3*x**150+12345) >= 0", ["x>=0"]),
    ("x**(97/89)+y**(83/79)+z**(73/71) >= x*y*z/1000-5", ["x>0", "y>0", "z>0"]),
    ("(sqrt(x)+sqrt(y)+sqrt(x+y)+cbrt(x*y))**12 <= 10**9*(x+y+1)**12", ["x>0", "y>0"]),
    ("x**y*y**z*z**x >= (x*y*z)**((x+y+z)/3)-1", ["x>0", "y>0", "z>0"]),
    (
        "(sinh(x)/x)**(1/s)*(tanh(s*x)/x)**s <= exp(x**2*s**3)+(1+s*x)**(1/x)",
        ["x>0", "s>0"],
    ),
]


MOST_CALLS = 3_000_000
"""Of functions, which take about a second and a half."""


@pytest.mark.parametrize(("claim", "given"), NASTY)
def test_the_search_keeps_its_limit(claim: str, given: list[str]) -> None:
    """In units of work, and these are worth what they promise in calls of functions."""
    before = EFFORT.spent
    with counted_calls() as steps:
        assert find_proof(given, claim, 0.4) is None
    assert EFFORT.spent - before <= 0.4 * UNITS_PER_SECOND + GRACE + STEP
    assert steps.number < MOST_CALLS


def test_the_search_says_nothing_where_there_is_nothing_to_say() -> None:
    """Malformed texts and constants that do not exist end in no proof, and raise nothing."""
    for claim, given in [
        ("x > ", []),
        ("x", []),
        ("x > 0", ["((("]),
        ("1/0 > x", []),
        ("x > 0", ["x > log(-1)"]),
        ("x > 0", ["x > 1/0"]),
        ("x >= y", ["x >= y/0"]),
        ("log(y-y+x-x) >= x", []),
    ]:
        assert proof_of(claim, given, seconds=1) is None


def test_an_empty_domain_is_not_proved() -> None:
    assert proof_of("x > 5", ["x > 2", "x < 1"]) is None
    assert proof_of("x > 5", ["x > 2", "x < 2"]) is None


def test_points_where_a_side_is_undefined_are_outside_the_domain() -> None:
    assert proof_of("log(x) <= x-1", []) is not None
    assert proof_of("sqrt(x) <= (x+1)/2", []) is not None
    assert proof_of("1/x**2 > 0", []) is not None
