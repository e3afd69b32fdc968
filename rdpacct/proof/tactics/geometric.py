"""The sum of a complex geometric progression, by real and imaginary parts, by induction."""

from collections.abc import Mapping

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import cos, exp, sin
from rdpacct.proof.kernel import Fact, Quantity, Whole, assume, combine, equal, induct
from rdpacct.proof.kernel.terms import replace

n, g, phi = (Symbol(name) for name in ("n", "g", "phi"))
RATIO = exp(-g)


def sums(count: Real) -> tuple[Expr, Expr]:
    """The sums of exp(-g k) cos(k phi) and of exp(-g k) sin(k phi) over 0 <= k < count."""
    return Quantity("C", (formula(count),)), Quantity("S", (formula(count),))


def definitions() -> dict[str, Fact]:
    """What the two sums are: 0 without terms, and with one more term that term more."""
    facts = {}
    for name, f, here, after, start in zip(
        ("cosines", "sines"), (cos, sin), sums(n), sums(n + 1), sums(0), strict=True
    ):
        term = exp(-g * n) * f(n * phi)
        facts[name] = assume(equal(after, here + term), Whole("n", 0), every="n")
        facts[f"{name}-start"] = assume(equal(start, 0))
    return facts


def closed_forms(known: Mapping[str, Fact]) -> tuple[Fact, Fact]:
    """(1 - u) times the sum of u**k over k < n is 1 - u**n, for u = exp(-g - i phi): real and
    imaginary parts.
    """
    c, s = sums(n)
    claims = (
        equal(
            c * (1 - RATIO * cos(phi)) + s * RATIO * sin(phi),
            1 - exp(-g * n) * cos(n * phi),
        ),
        equal(
            c * RATIO * sin(phi) - s * (1 - RATIO * cos(phi)),
            exp(-g * n) * sin(n * phi),
        ),
    )
    factors = (
        (1 - RATIO * cos(phi), RATIO * sin(phi)),
        (RATIO * sin(phi), -(1 - RATIO * cos(phi))),
    )
    forms = []
    for claim, (first, second) in zip(claims, factors, strict=True):
        base = combine(
            replace(claim, {"n": 0}),
            (known["cosines-start"], first),
            (known["sines-start"], second),
        )
        before = assume(claim, Whole("n", 0))
        after = replace(claim, {"n": n + 1})
        step = combine(
            after, before, (known["cosines"], first), (known["sines"], second)
        )
        forms.append(induct(base, step, "n"))
    return forms[0], forms[1]
