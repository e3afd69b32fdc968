"""Whole powers of a complex number, by real and imaginary parts, and how angles multiply."""

from collections.abc import Iterator, Mapping

from rdpacct.exact.formula import Expr, Product, Sum, Symbol, formula, multiply
from rdpacct.exact.functions import cos, exp, sin
from rdpacct.proof.kernel import (
    Fact,
    Quantity,
    Refused,
    Whole,
    assume,
    at_most,
    both,
    closed,
    combine,
    equal,
    given_by,
    induct,
    real,
    specialize,
)
from rdpacct.proof.kernel.terms import replace
from rdpacct.proof.tactics.shipped_complex import power_parts

a, b, n = (Symbol(name) for name in ("a", "b", "n"))


def power_definitions() -> dict[str, Fact]:
    """What powers are: 1 without factors, and with one more factor that factor more."""
    re, im = power_parts(a, b, n)
    after = power_parts(a, b, n + 1)
    start = power_parts(a, b, 0)
    each = ("a", "b", "n")
    return {
        "power": assume(equal(after[0], a * re - b * im), Whole("n", 0), every=each),
        "turned power": assume(
            equal(after[1], a * im + b * re), Whole("n", 0), every=each
        ),
        "no power": assume(equal(start[0], 1), every=each[:2]),
        "no turned power": assume(equal(start[1], 0), every=each[:2]),
    }


def de_moivre(
    known: Mapping[str, Fact], base: tuple[Expr, Expr], rate: Expr, angle: Expr
) -> tuple[Fact, Fact]:
    """For a base with the parts exp(-rate) cos(angle) and -exp(-rate) sin(angle), in whatever way
    they are written, the n-th power has the parts exp(-rate n) cos(n angle) and -exp(-rate n) sin(n
    angle).

    By induction on the square of the distance between the two, of which each further factor makes
    exp(-2 rate) times as much.
    """
    re, im = base
    first, second = power_parts(re, im, n)
    forms = exp(-rate * n) * cos(n * angle), -exp(-rate * n) * sin(n * angle)
    apart = (first - forms[0]) ** 2 + (second - forms[1]) ** 2
    claim = equal(apart, 0)
    after = replace(claim, {"n": n + 1})
    steps = [specialize(known[name], a=re, b=im) for name in ("power", "turned power")]
    starts = [
        specialize(known[name], a=re, b=im) for name in ("no power", "no turned power")
    ]
    ends = [replace(equal(form, 0), {"n": n + 1}).left for form in forms]
    step = combine(
        after,
        (assume(claim, Whole("n", 0)), exp(-2 * rate)),
        *(
            (fact, fact.relation.left + fact.relation.right - 2 * end)
            for fact, end in zip(steps, ends, strict=True)
        ),
    )
    start = combine(
        replace(claim, {"n": 0}),
        (starts[0], starts[0].relation.left - 1),
        (starts[1], starts[1].relation.left),
    )
    nowhere = induct(start, step, "n")
    gaps = {"x": first - forms[0], "y": second - forms[1]}
    parts = []
    for name, here, form in zip(gaps, (first, second), forms, strict=True):
        zero = given_by(specialize(vanishing_square(name), **gaps), nowhere)
        parts.append(combine(equal(here, form), zero))
    return parts[0], parts[1]


def vanishing_square(name: str) -> Fact:
    """If x**2 + y**2 is 0, then x is (or y): it is at most s + x**2/(4 s) for all s > 0."""
    s = Symbol("s")
    own = Symbol(name)
    squares = "x**2 + y**2 == 0"
    nothing = real(squares, squares)
    other = real("0 <= y**2" if name == "x" else "0 <= x**2")
    uses = [(nothing, 1 / (4 * s)), (other, 1 / (4 * s))]
    halves = [
        combine(
            at_most(sign * own, s),
            *uses,
            rest=(own - 2 * sign * s) ** 2 / (4 * s),
            given=("s > 0",),
        )
        for sign in (1, -1)
    ]
    above, below_ = (closed(half, "s") for half in halves)
    return both(above, combine(at_most(0, own), below_))


def base_in(expr: Expr) -> tuple[Expr, Expr]:
    """The two parts of the one number of which a formula has powers."""
    (base,) = set(_bases(expr))
    return base


def _bases(expr: Expr) -> Iterator[tuple[Expr, Expr]]:
    if isinstance(expr, Quantity) and expr.name == "RePower":
        yield expr.arguments[0], expr.arguments[1]
    for part in expr.parts():
        yield from _bases(part)


def coefficient(expr: Expr, atom: Expr) -> Expr:
    """The factor of an atom in a formula that is linear in it."""
    if expr == atom:
        return formula(1)
    if isinstance(expr, Sum):
        return sum((coefficient(term, atom) for term in expr.terms), formula(0))
    if not _holds(expr, atom):
        return formula(0)
    if isinstance(expr, Product):
        (place,) = [k for k, factor in enumerate(expr.factors) if _holds(factor, atom)]
        others = [factor for k, factor in enumerate(expr.factors) if k != place]
        return multiply(coefficient(expr.factors[place], atom), *others)
    raise Refused(f"{expr} is not linear in {atom}.")


def _holds(expr: Expr, atom: Expr) -> bool:
    return expr == atom or any(_holds(part, atom) for part in expr.parts())
