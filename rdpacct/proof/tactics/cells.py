"""Cells of losses beside other releases: moved to their ends, pooled, lowered, and counted.

An outcome has the ratio U = exp(-L) of its probabilities under Q and P, and K is exp(epsilon) over
the exponential of the loss of the others: the delta of all together is E max(1 - K U, 0).
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import maximum
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    assume,
    at_most,
    cases,
    combine,
    conditional,
    dominated,
    draw,
    drawn,
    equal,
    expect,
    given_by,
    independent,
    independent_of,
    integrable,
    linear,
    real,
    relations,
    specialize,
    tower,
    under,
)
from rdpacct.proof.tactics.divergences import positive_part
from rdpacct.proof.theorem import Statement, Step

a, b, T, K, S, U, w, R, hit, u = map(
    Symbol, ("a", "b", "T", "K", "S", "U", "w", "R", "hit", "u")
)
INSIDE = a + T * (b - a)
CELL = Law(
    "P",
    ("a", "b", "T", "K"),
    relations("0 <= a", "0 <= b", "0 <= T", "T <= 1", "0 <= K"),
)
"""The ends of the cell of an outcome, its place between them, and the others."""
MOVED = draw(CELL, "S", {formula(1): T, formula(0): 1 - T})
"""The same with the end that it is moved to: S is 1 for b."""
END = a + S * (b - a)
POOL = Law("P", ("w", "U", "K"), relations("0 <= w", "0 <= U", "0 <= K"))
"""The mean of the cell of an outcome, the outcome, and the others."""
LESS = Law("P", ("U", "R", "K"), relations("0 <= U", "0 <= R", "0 <= K"))
ATOM = Law("A", ("hit",), relations("0 <= hit", "hit <= 1"))
OTHERS = Law("O", ("K",), relations("0 <= K"))
BESIDE = independent_of(ATOM, OTHERS)


def stick(ratio: Expr) -> Expr:
    """How much P exceeds K Q at an outcome with exp(-L) = ratio, relative to P."""
    return maximum(1 - K * ratio, 0)


def chord() -> Fact:
    """max(1 - K U, 0) <= (1 - T) max(1 - K a, 0) + T max(1 - K b, 0)."""
    left = Symbol("left")
    right = Symbol("right")
    signs = real("0 <= u*v", "u >= 0", "v >= 0")
    line = (1 - T) * left + T * right
    upper = combine(
        at_most(1 - K * INSIDE, line),
        specialize(signs, u=1 - T, v=left - (1 - K * a)),
        specialize(signs, u=T, v=right - (1 - K * b)),
    )
    lower = combine(
        at_most(0, line),
        specialize(signs, u=1 - T, v=left),
        specialize(signs, u=T, v=right),
    )
    both = specialize(real("max(c, 0) <= d", "c <= d", "0 <= d"), c=1 - K * INSIDE)
    bound = given_by(specialize(both, d=line), upper, lower)
    bound = specialize(bound, left=stick(a), right=stick(b))
    over = real("0 <= max(c, 0) - c")
    positive = real("0 <= max(c, 0)")
    return given_by(
        bound,
        *(
            specialize(fact, c=1 - K * end)
            for fact in (over, positive)
            for end in (a, b)
        ),
    )


def bounded(law: Law, ratio: Expr, positive: Fact | None = None) -> Fact:
    """max(1 - K U, 0) lies between 0 and 1, as K U is not negative."""
    upper = specialize(real("max(1 - c, 0) <= 1", "0 <= c"), c=K * ratio)
    known = positive or real(at_most(0, K * ratio), *law.support)
    return dominated(given_by(upper, known), law, lower=stick_is_positive(ratio))


def stick_is_positive(ratio: Expr) -> Fact:
    """0 <= max(1 - K U, 0)."""
    return specialize(real("0 <= max(c, 0)"), c=1 - K * ratio)


def above(part: Statement) -> Iterator[Step]:
    """The chord over the cell is the mean over the two ends."""
    line = chord()
    yield line, "a hockey stick lies below its chord"
    ends = drawn(MOVED, stick(END))
    inner = combine(at_most(stick(INSIDE), ends.relation.left), line, ends)
    yield inner, "which is the mean over the two ends"
    size = bounded(MOVED, END, cases(MOVED, at_most(0, K * END)))
    whole = tower(MOVED, stick(END), CELL.variables, size)
    over = expect(
        inner, MOVED, bounded(MOVED, INSIDE), integrable(whole, whole.relation.left)
    )
    yield combine(part.claim, over, whole), "averaged over cells and others"


def pooled(part: Statement) -> Iterator[Step]:
    """Jensen: the mean of the positive part is at least the mean, and at least 0."""
    known = part.assuming["mean"]
    given = ("K", "w")
    line = specialize(real("c <= max(c, 0)"), c=1 - K * U)
    yield line, "a number is at most its positive part"
    flat = linear(
        POOL,
        1 - K * U,
        {U: -K},
        integrable(known, E(POOL, U, given)),
        constant=1,
        given=given,
    )
    whole = bounded(POOL, U)
    size = conditional(whole, given)
    over = expect(line, POOL, integrable(flat, flat.relation.left), size, given=given)
    upper = combine(
        at_most(1 - K * w, E(POOL, stick(U), given)), over, flat, (known, K)
    )
    yield upper, "averaged, given the cell and the others"
    lower = expect(stick_is_positive(U), POOL, size, given=given)
    inner = positive_part(upper, lower)
    yield inner, "and its mean is not negative"
    joined = tower(POOL, stick(U), given, whole)
    outer = expect(
        inner, POOL, bounded(POOL, w), integrable(joined, joined.relation.left)
    )
    yield combine(part.claim, outer, joined), "averaged"


def lowered(_: Statement) -> Iterator[Step]:
    """K R >= 0 is taken off."""
    less = real("0 <= K*R", "0 <= K", "0 <= R")
    line = specialize(real("c <= max(c, 0)"), c=1 - K * U)
    upper = combine(at_most(1 - K * (U + R), line.relation.right), less, line)
    yield upper, "less is left"
    lower = positive_part(upper, stick_is_positive(U))
    yield lower, "and not below 0"
    yield expect(lower, LESS, bounded(LESS, U + R), bounded(LESS, U)), "averaged"


def beside(part: Statement) -> Iterator[Step]:
    """The others are independent of the atom."""
    yield (
        independent(BESIDE, hit, stick(u), *sizes(*map(str, part.given))),
        "others are independent",
    )


def sizes(*given: str) -> tuple[Fact, Fact]:
    """The two factors are bounded."""
    upper = specialize(
        under(real("max(1 - c, 0) <= 1", "0 <= c"), "0 <= c", *given), c=K * u
    )
    inside = given_by(upper, real(at_most(0, K * u), "0 <= K", *given))
    return (
        dominated(
            real("hit <= 1", "hit <= 1"), ATOM, lower=real("0 <= hit", "0 <= hit")
        ),
        dominated(inside, OTHERS, lower=stick_is_positive(u)),
    )


CELLS = (
    Statement(
        "above",
        "each cell moved to its ends, beside others: at least the delta",
        at_most(E(MOVED, stick(INSIDE)), E(MOVED, stick(END))),
        above,
    ),
    Statement(
        "beside",
        "an atom adds its mass times the profile of the others",
        equal(E(BESIDE, hit * stick(u)), E(ATOM, hit) * E(OTHERS, stick(u))),
        beside,
        ("0 <= u",),
    ),
    Statement(
        "pooled",
        "pooled cells, beside others that tell no more about the outcome than its"
        " cell does: at most the delta",
        at_most(E(POOL, stick(w)), E(POOL, stick(U))),
        pooled,
        (),
        {"mean": assume(equal(E(POOL, U, ("K", "w")), w))},
    ),
    Statement(
        "lowered",
        "more mass under Q has at most the delta",
        at_most(E(LESS, stick(U + R)), E(LESS, stick(U))),
        lowered,
    ),
)
"""What is proved of cells."""
