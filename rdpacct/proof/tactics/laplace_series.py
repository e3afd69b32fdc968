"""One more Laplace or exponential loss: what it makes of max(0, exp(a y) - 1), the sum of a**n
y**n/n! over n >= 1.

Under exp(-L/2) the loss is uniform on [-s, s], with equal atoms at the ends for the Laplace
mechanism. Here y is s/2 - z + L/2, so that outputs beyond z count.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import exp, maximum
from rdpacct.proof.kernel import (
    Condition,
    Density,
    Fact,
    Stretch,
    at_most,
    combine,
    equal,
    given_by,
    integrate,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.terms import derivative
from rdpacct.proof.tactics.laplace_pair import LEFT, LOSS, RIGHT, around, s
from rdpacct.proof.tactics.laplace_pair import x as output

a = Symbol("a")
z = Symbol("z")
loss = Symbol("loss")
HALF = exp(-s / 2)


def gain(y: Expr) -> Expr:
    """The sum of a**n y**n/n! over n >= 1, where y is positive."""
    return maximum(0, exp(a * y) - 1)


def once(y: Expr) -> Expr:
    """w applied to it: the sum of a**n y**(n + 1)/(n + 1)! over n >= 1."""
    return gain(y) / a - maximum(0, y)


SeriesUses = Sequence[tuple[str, int | Fraction]]
GROWS = "max(0, exp(a*y) - 1) == exp(a*y) - 1"
IS_POSITIVE = "0 <= exp(-l/2)*(exp(a*y) - 1)"


def at_sign(
    texts: Sequence[str], y: Expr, counts: bool, uses: SeriesUses, **values: Expr
) -> Iterator[Fact]:
    """Relations that hold for y >= 0, or for y <= 0, whose sign is a sum of given relations."""
    sign = combine(
        at_most(0, y) if counts else at_most(y, 0),
        *((real(relation, relation), factor) for relation, factor in uses),
    )
    for text in texts:
        fact = real(text, "a > 0", "y >= 0" if counts else "y <= 0")
        yield given_by(specialize(fact, y=y, **values), sign)


def on_piece(
    y: Expr, counts: bool, uses: SeriesUses, loss_there: Expr, *here: str | Condition
) -> tuple[Fact, ...]:
    """What the gain is at y on a piece, and its sign."""
    texts = (GROWS, IS_POSITIVE) if counts else ("max(0, exp(a*y) - 1) == 0",)
    return tuple(
        under(fact, *here) for fact in at_sign(texts, y, counts, uses, l=loss_there)
    )


BODY = exp(-LOSS / 2) * gain(s / 2 - z + LOSS / 2)


def laplace(counts: bool, *given: str | Condition) -> tuple[Fact, Fact]:
    """The mean under the Laplace law, where all outputs count, or those beyond z between 0 and s;
    and its value.
    """
    law = around() if counts else around(z)
    bases = {
        -s: real(equal(LOSS, -s), "output <= 0", "s > 0"),
        2 * output - s: real(equal(LOSS, 2 * output - s), "0 <= output", "output <= s"),
        s: real(equal(LOSS, s), "s <= output", "s > 0"),
    }
    values = [-s, *(2 * output - s for _ in law.pieces[2:]), s]
    uses: list[SeriesUses] = [
        [("z <= 0", 1)],
        [("0 <= output", 1), ("z <= 0", 1)],
        [("z <= 0", 1), ("0 < s", 1)],
    ]
    if not counts:
        uses = [
            [("0 <= z", 1)],
            [("output <= z", 1)],
            [("z <= output", 1)],
            [("z <= s", 1)],
        ]
    on = []
    parts = []
    for number, (piece, value) in enumerate(zip(law.pieces, values, strict=True)):
        y = s / 2 - z + value / 2
        here = counts or number > 1
        inside: tuple[str | Condition, ...] = (*piece.where("output"), *given)
        on.append(
            (
                under(bases[value], *inside),
                *on_piece(y, here, uses[number], value, *inside),
            )
        )
        grown = exp(a * y) - 1
        forms = {-s: exp(s / 2) * grown * LEFT, s: -HALF * grown * RIGHT}
        parts.append(
            forms.get(value, HALF / 2 * (exp(a * y) / a - output))
            if here
            else formula(0)
        )
    mass = (*(LEFT for _ in law.pieces[1:]), -RIGHT)
    total = integrate(law, BODY, tuple(parts), mass, *given, on=tuple(on))
    return total, valued(
        total,
        HALF / 2 * (gain(s - z) + once(s - z) + gain(-z) - once(-z)),
        counts,
        *given,
    )


def exponential(
    density: Expr, counts: bool, *given: str | Condition
) -> tuple[Fact, Fact]:
    """The same under the law of the exponential mechanism, which has this density of losses on [-s,
    s].
    """
    y = s / 2 - z + loss / 2
    scale = 1 - exp(-s)
    cut = 2 * z - s
    pieces = (
        (Stretch(-s, s, density),)
        if counts
        else (Stretch(-s, cut, density), Stretch(cut, s, density))
    )
    law = Density("W", ("loss",), (), pieces)
    here = (True,) if counts else (False, True)
    half = Fraction(1, 2)
    uses: list[SeriesUses] = [[("-s <= loss", half), ("z <= 0", 1)]]
    if not counts:
        uses = [[("loss <= 2*z - s", half)], [("2*z - s <= loss", half)]]
    rows = zip(pieces, here, uses, strict=True)
    on = tuple(
        on_piece(y, positive, why, loss, *piece.where("loss"), *given)
        for piece, positive, why in rows
    )
    grown = HALF / scale * (exp(a * y) / a - loss / 2)
    parts = tuple(grown if positive else formula(0) for positive in here)
    mass = (exp((loss - s) / 2) / scale,) * len(parts)
    total = integrate(law, BODY_OF_LOSS, parts, mass, *given, on=on)
    return total, valued(total, HALF / scale * (once(s - z) - once(-z)), counts, *given)


BODY_OF_LOSS = exp(-loss / 2) * gain(s / 2 - z + loss / 2)


def valued(total: Fact, value: Expr, counts: bool, *given: str | Condition) -> Fact:
    """The mean in the form given, whose positive parts are known."""
    parts = ("max(0, y) == y", GROWS)
    none = ("max(0, y) == 0", "max(0, exp(a*y) - 1) == 0")
    upper = at_sign(
        parts, s - z, True, [("z <= 0", 1), ("0 < s", 1)] if counts else [("z <= s", 1)]
    )
    lower = at_sign(
        parts if counts else none, -z, counts, [("z <= 0" if counts else "0 <= z", 1)]
    )
    ends = [under(fact, *given) for fact in (*upper, *lower)]
    uses = [(end, -_share(value, end.relation.left)) for end in ends]
    return combine(equal(total.relation.left, value), total, *uses)


def _share(whole: Expr, atom: Expr) -> Expr:
    """The factor with which a formula enters a sum."""

    def put(expr: Expr) -> Expr:
        if expr == atom:
            return Symbol("entry")
        if expr.parts():
            return expr.rebuild(tuple(map(put, expr.parts())))
        return expr

    return derivative(put(whole), "entry")
