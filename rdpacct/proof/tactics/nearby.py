"""Losses that are near others but for rare draws: their profile is near that of the others.

S is the sum of the losses L, T that of the nearby losses K, each raised by d; L is at most K + d
but where f = 1, and F is the number of such draws so far.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import exp, maximum
from rdpacct.proof.kernel import (
    E,
    Fact,
    Whole,
    assume,
    at_most,
    chain,
    combine,
    dominated,
    either,
    equal,
    expect,
    given_by,
    integrable,
    linear,
    real,
    relations,
    specialize,
    under,
)
from rdpacct.proof.tactics.sequences import carried, sum_by_sum, sums
from rdpacct.proof.theorem import Statement, Step

S, T, F, L, K, f, d, e, k = map(Symbol, ("S", "T", "F", "L", "K", "f", "d", "e", "k"))
SUPPORT = ("0 <= F", "0 <= f", "(1 - f)*(L - K - d) <= 0")
NEARBY_DRAWS = chain(
    "R",
    {"S": (0, S + L), "T": (0, T + K + d), "F": (0, F + f)},
    ("L", "K", "f"),
    k,
    relations(*SUPPORT),
)
AHEAD = maximum(0, S - T) * maximum(0, 1 - F)
"""It is 0: where S is above T, a draw was rare."""
((MORE, SO_FAR),) = sums("M")
"""The probability of a rare draw, and the sum of those so far."""
MISSED = assume(at_most(E(NEARBY_DRAWS, f), MORE), Whole("k", 0), every="k")


def stick(loss: Expr) -> Expr:
    """max(0, 1 - exp(-v)) of a loss that is v above a level."""
    return maximum(0, 1 - exp(-loss))


CLAIM = at_most(E(NEARBY_DRAWS, stick(S - e)), E(NEARBY_DRAWS, stick(T - e)) + SO_FAR)


def not_ahead() -> Fact:
    """max(0, x + y) max(0, 1 - F - f) <= max(0, x) max(0, 1 - F): a draw with f < 1 has y <= 0."""
    claim = "max(0, x + y)*max(0, 1 - (F + f)) <= max(0, x)*max(0, 1 - F)"
    known = relations("0 <= F", "0 <= f", "(1 - f)*y <= 0")
    order = ("a <= u", "b <= v", "0 <= b", "0 <= u")
    first, second = (real(relation, *order) for relation in order[:2])
    product = combine("a*b <= u*v", (first, Symbol("b")), (second, Symbol("u")))
    y = Symbol("y")
    below_ = combine(
        at_most(y, 0),
        (real("(1 - f)*y <= 0", *known, "f < 1"), 1 / (1 - f)),
        given=("f < 1",),
    )
    x = Symbol("x")
    sides = {"a": maximum(0, x + y), "b": maximum(0, 1 - (F + f))}
    sides |= {"u": maximum(0, x), "v": maximum(0, 1 - F)}
    grows = real("max(0, u) <= max(0, v)", "u <= v")
    near = given_by(
        specialize(product, **sides),
        given_by(specialize(grows, u=x + y, v=x), combine(at_most(x + y, x), below_)),
        given_by(
            specialize(grows, u=1 - (F + f), v=1 - F),
            real(at_most(1 - (F + f), 1 - F), "0 <= f"),
        ),
        specialize(real("0 <= max(0, v)"), v=1 - (F + f)),
        real("0 <= max(0, x)"),
    )
    rare = given_by(
        specialize(real("max(0, u) == 0", "u <= 0"), u=1 - (F + f)),
        real(at_most(1 - (F + f), 0), "1 <= f", "0 <= F"),
    )
    sign = real("0 <= u*v", "0 <= u", "0 <= v")
    rest = given_by(
        specialize(sign, u=sides["u"], v=sides["v"]),
        real("0 <= max(0, x)"),
        real("0 <= max(0, 1 - F)"),
    )
    far = combine(claim, (rare, sides["a"]), rest)
    return either(under(near, *known, "f < 1"), under(far, *known, "1 <= f"))


def same_excess(u: Expr, v: Expr) -> Fact:
    """max(0, u) == max(0, v) for two forms of a number."""
    rule = specialize(real("max(0, u) == max(0, v)", "u == v"), u=u, v=v)
    return given_by(rule, real(equal(u, v)))


def never_ahead() -> Iterator[Step]:
    """E[max(0, S - T) max(0, 1 - F)] <= 0."""
    y = L - K - d
    line = specialize(not_ahead(), x=S - T, y=y)
    after = S + L - (T + K + d)
    left = maximum(0, 1 - (F + f))
    same = same_excess(after, S - T + y)
    line = combine(at_most(maximum(0, after) * left, AHEAD), line, (same, left))
    line = under(line, *NEARBY_DRAWS.support)
    sign = real("0 <= max(0, u)*max(0, v)")
    positive = specialize(sign, u=after, v=1 - (F + f))
    yield from carried(at_most(E(NEARBY_DRAWS, AHEAD), 0), NEARBY_DRAWS, line, positive)


def slope() -> Fact:
    """stick(x) <= stick(y) + x - y for y <= x."""
    x, y = map(Symbol, "xy")
    claim = "max(0, 1 - exp(-x)) <= max(0, 1 - exp(-y)) + x - y"
    return either(
        real(claim, "0 <= y", "y <= x"),
        combine(
            claim,
            real("max(0, 1 - exp(-x)) <= max(0, x)"),
            given_by(
                specialize(real("max(0, x) <= z", "x <= z", "0 <= z"), z=x - y),
                combine(at_most(x, x - y), real("y <= 0", "y <= 0")),
                combine(at_most(0, x - y), real("y <= x", "y <= x")),
            ),
            real("0 <= max(0, 1 - exp(-y))"),
        ),
    )


def rises() -> Fact:
    """stick(x) <= stick(y) + F + max(0, x - y) max(0, 1 - F)."""
    sticks = "max(0, 1 - exp(-x)) <= max(0, 1 - exp(-y))"
    claim = f"{sticks} + F + max(0, x - y)*max(0, 1 - F)"
    x, y = map(Symbol, "xy")
    product = specialize(real("0 <= max(0, u)*max(0, v)"), u=x - y, v=1 - F)
    low = combine(claim, real(sticks, "x <= y"), product, real("0 <= F", "0 <= F"))
    whole = real(f"{sticks} + 1")
    short = slope()
    known = ("0 <= F", "y <= x")
    rare = combine(claim, whole, product, real("1 <= F", "1 <= F"))
    parts = real("max(0, x - y)*max(0, 1 - F) == (x - y)*(1 - F)", "y <= x", "F <= 1")
    near = combine(
        claim, (whole, F), (short, 1 - F), (parts, -1), given=("0 <= F", "F <= 1")
    )
    high = either(under(rare, *known, "1 <= F"), under(near, *known, "F <= 1"))
    return either(under(low, "0 <= F", "x <= y"), high)


def profile(part: Statement) -> Iterator[Step]:
    """The pointwise bound in the mean."""
    steps = list(never_ahead())
    ahead = steps[-1][0]
    yield from steps
    claim = at_most(E(NEARBY_DRAWS, F), SO_FAR)
    steps = list(sum_by_sum(claim, NEARBY_DRAWS, f, part.assuming["missed"]))
    rare = steps[-1][0]
    yield from steps
    line = specialize(rises(), x=S - e, y=T - e)
    body = stick(T - e) + F + AHEAD
    same = same_excess(S - e - (T - e), S - T)
    line = combine(at_most(stick(S - e), body), line, (same, maximum(0, 1 - F)))
    line = under(line, *NEARBY_DRAWS.support)
    yield (
        line,
        "the sticks are in order where no draw was rare, and differ by 1 at most",
    )
    sticks = [
        dominated(
            specialize(real("max(0, 1 - exp(-v)) <= 1"), v=at),
            NEARBY_DRAWS,
            lower=specialize(real("0 <= max(0, 1 - exp(-v))"), v=at),
        )
        for at in (S - e, T - e)
    ]
    finite = [
        integrable(rare, E(NEARBY_DRAWS, F)),
        integrable(ahead, E(NEARBY_DRAWS, AHEAD)),
    ]
    total = linear(
        NEARBY_DRAWS, body, {stick(T - e): 1, F: 1, AHEAD: 1}, sticks[1], *finite
    )
    over = expect(
        line, NEARBY_DRAWS, sticks[0], integrable(total, E(NEARBY_DRAWS, body))
    )
    yield combine(part.claim, over, total, rare, ahead), "in the mean"
