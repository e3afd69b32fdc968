"""The modulus of the Laplace transform: the square of a sum of two complex numbers of known moduli,
below a tangent.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.proof.kernel import at_most, combine, equal, real, specialize, under
from rdpacct.proof.theorem import Step

s, y, h, p, C, S = map(Symbol, ("s", "y", "h", "p", "C", "S"))
T, G, k, f, e, c, m = map(Symbol, ("T", "G", "k", "f", "e", "c", "m"))
CIRCLE = "C**2 + S**2 == 1"


def parts(total: Expr, gap: Expr) -> tuple[Expr, Expr, Expr, Expr]:
    """The real and imaginary parts of the two numbers whose sum is M, from the sum and the gap of
    the tilted atoms.
    """
    scale = 2 * (s**2 + y**2)
    return (
        total * C,
        gap * S,
        (s * gap * C + y * total * S) / scale,
        (s * total * S - y * gap * C) / scale,
    )


def square(total: Expr, gap: Expr) -> Expr:
    """The square of the modulus of M."""
    x1, x2, y1, y2 = parts(total, gap)
    return (x1 + y1) ** 2 + (x2 + y2) ** 2


CONDITIONS = ("f > 0", "e > 0", "c > 0", "k > 0", "s > 0", "0 <= h", "h <= y")
SLOPE = c / (2 * e) - k / (2 * f)
RELATIONS = (
    CIRCLE,
    "T**2 - G**2 == k",
    "f**2 == T**2 - k*p",
    "k*e**2 == G**2 + k*p",
    "4*c**2*(s**2 + h**2) == k",
    at_most(SLOPE * (1 - p), m),
    at_most(-SLOPE * p, m),
)


def tangent() -> Iterator[Step]:
    """The bound for numbers with these relations between them."""
    x1, x2, y1, y2 = parts(T, G)
    circle, atoms, inside, outside, size, right, left = (
        real(relation, relation, *CONDITIONS) for relation in RELATIONS
    )
    young = under(
        real("(u + v)**2 <= (1 + l)*u**2 + (1 + 1/l)*v**2", "l > 0"),
        "l > 0",
        *CONDITIONS,
    )
    both = [
        under(specialize(young, u=a, v=b, l=c * e / f), *CONDITIONS)
        for a, b in ((x1, y1), (x2, y2))
    ]
    split = combine(
        at_most(
            square(T, G),
            (1 + c * e / f) * (x1**2 + x2**2) + (1 + f / (c * e)) * (y1**2 + y2**2),
        ),
        *both,
    )
    yield split, "the square of a sum"
    first = combine(
        equal(x1**2 + x2**2, f**2 - k * (S**2 - p)),
        (circle, T**2),
        (atoms, -(S**2)),
        (inside, -1),
    )
    yield first, "the square of the first modulus"
    top = combine(
        equal(G**2 * C**2 + T**2 * S**2, G**2 + k * S**2), (circle, G**2), (atoms, S**2)
    )
    lower = real(
        "1/(4*(s**2 + y**2)) <= 1/(4*(s**2 + h**2))", "s > 0", "0 <= h", "h <= y"
    )
    second = combine(
        at_most(y1**2 + y2**2, (G**2 + k * S**2) / (4 * (s**2 + h**2))),
        (top, 1 / (4 * (s**2 + y**2))),
        (lower, G**2 + k * S**2),
        given=CONDITIONS,
    )
    yield second, "the square of the second modulus"
    scale = 1 / (4 * (s**2 + h**2))
    known = combine(
        equal((G**2 + k * S**2) * scale, c**2 * (e**2 + S**2 - p)),
        (outside, -scale),
        (size, -scale * (e**2 + S**2 - p)),
        given=CONDITIONS,
    )
    yield known, "at the height h"
    total = f + c * e
    value = combine(
        at_most(square(T, G), total * (total + 2 * SLOPE * (S**2 - p))),
        split,
        (first, 1 + c * e / f),
        (second, 1 + f / (c * e)),
        (known, 1 + f / (c * e)),
    )
    yield value, "together"
    ends = combine(
        at_most(SLOPE * (S**2 - p), m),
        (right, S**2),
        (left, C**2),
        (circle, SLOPE * p + m),
    )
    yield ends, "the tangent is largest at an end"
    yield (
        combine(
            at_most(square(T, G), (total + m) ** 2), value, (ends, 2 * total), rest=m**2
        ),
        "so",
    )
