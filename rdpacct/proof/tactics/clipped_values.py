"""Clipped values: no farther apart than before, and in the same order."""

from collections.abc import Iterator

from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import absolute, minimum
from rdpacct.proof.kernel import (
    at_most,
    combine,
    either,
    given_by,
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics.clipping import clip, shifted, swapped
from rdpacct.proof.theorem import Statement, Step

b, x, y = map(
    Symbol,
    (
        "b",
        "x",
        "y",
    ),
)


def clipped(part: Statement) -> Iterator[Step]:
    """Not farther apart than before, and not beyond the ends."""
    gap = absolute(x - y)
    sign = specialize(real("0 <= abs(v)"), v=x - y)
    up = combine(at_most(x, y + gap), specialize(real("v <= abs(v)"), v=x - y))
    down = combine(at_most(y, x + gap), specialize(real("-v <= abs(v)"), v=x - y))
    inside = specialize(
        real("max(u, v) <= b", "u <= b", "v <= b"), u=-b, v=minimum(x, b)
    )
    inside = given_by(inside, real("-b <= b", *part.given), real("min(x, b) <= b"))
    ends = combine(
        at_most(clip(x) - clip(y), 2 * b),
        inside,
        specialize(real("u <= max(u, v)"), u=-b, v=minimum(y, b)),
    )
    yield ends, "no value is beyond an end"
    bounds = []
    for shift, near, most in (
        (shifted(), up, ends),
        (swapped(shifted()), down, swapped(ends)),
    ):
        over = given_by(specialize(shift, d=gap), near, sign)
        yield over, "clipping moves nothing apart"
        left = most.relation.left
        smaller = specialize(
            real("v <= min(s, t)", "v <= s", "v <= t"), v=left, s=gap, t=2 * b
        )
        bounds.append(given_by(smaller, combine(at_most(left, gap), over), most))
    change = clip(x) - clip(y)
    room = minimum(gap, 2 * b)
    back = combine(at_most(-change, room), bounds[1])
    size = specialize(real("abs(v) <= s", "v <= s", "-v <= s"), v=change, s=room)
    yield given_by(size, bounds[0], back), "in both directions"


def monotone(part: Statement) -> Iterator[Step]:
    """x <= y or y <= x."""
    less = combine(at_most(0, clip(y) - clip(x)), specialize(shifted(), d=0))
    order = specialize(
        real("0 <= u*v", "0 <= u", "0 <= v"), u=clip(y) - clip(x), v=y - x
    )
    ordered = combine(part.claim, given_by(order, less, real("0 <= y - x", "x <= y")))
    yield ordered, "a larger value is clipped to a larger one"
    yield (
        either(
            under(ordered, "x <= y"),
            under(combine(part.claim, swapped(ordered)), "y <= x"),
        ),
        "in both orders",
    )
