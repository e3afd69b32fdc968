"""Why the narrower of two Laplace laws has no more excess than the broader one, by inequalities of
real numbers.

The laws are those of ``rdpacct.proof.tactics.laplace``; exp(lam) is the ratio of the scales, and
exp(2 alpha) the factor of the hockey stick. ``eta`` stands for the excess of the broader law at the
shift alpha, as a function of alpha and lam: (1 - exp(-lam)) exp(-v - 2 x) cosh(x) with x =
alpha/(exp(lam) - 1) and v = lam/(exp(lam) - 1).
"""

from collections.abc import Callable
from fractions import Fraction

from rdpacct.exact.formula import Expr, Real, Symbol
from rdpacct.exact.functions import cosh, exp, log, sinh, tanh
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    at_most,
    below,
    combine,
    either,
    equal,
    given_by,
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics.laplace import (
    NARROW,
    NARROW_EXCESS,
    c,
    form,
    j,
    narrow_excess_between,
    narrow_excess_beyond,
    narrow_excess_none,
)

Eta = Callable[[Expr, Expr], Expr]
alpha, beta, lam = (Symbol(name) for name in ("alpha", "beta", "lam"))
w, q, m, u, x, y, v, more = (
    Symbol(name) for name in ("w", "q", "m", "u", "x", "y", "v", "more")
)
R = exp(-lam)
SPREAD = exp(lam) - 1
V = lam / SPREAD

POINT = ("0 < alpha", "0 <= c", "c <= alpha", "0 < lam")
GAP = lam - 2 * alpha
NARROW_MEAN = E(NARROW, NARROW_EXCESS.at(j=R, S=GAP))


def placed(
    fact: Fact, given: tuple[str | Condition, ...], *proofs: Fact, **values: Real
) -> Fact:
    """A fact at formulas, where its conditions follow from what is given or are proved apart."""
    moved = specialize(under(fact, *fact.domain, *given), **values)
    return under(given_by(moved, *proofs), *given)


def eta_grows(eta: Eta) -> Fact:
    """eta grows with lam: exp(x) >= 1 + x twice for its first factor, and the others fall with
    1/(exp(lam) - 1).
    """
    given = ("0 < alpha", "0 < lam", "lam <= beta")
    tangent = real("1 + x <= exp(x)")
    falls = real("exp(-u*x) <= exp(-u*y)", "0 <= u", "y <= x")
    spread = exp(beta) - 1
    tangent_below = placed(tangent, given, x=-(beta - lam) / spread)
    tangent_above = placed(tangent, given, x=beta - lam)
    first = at_most(1 - R, (1 - exp(-beta)) * exp(-(beta - lam) / spread))
    order = real(at_most(1 / spread, 1 / SPREAD), "0 < lam", "lam <= beta")
    rates = (alpha + lam, 3 * alpha + lam)
    sides = [
        placed(falls, given, order, u=rate, x=1 / SPREAD, y=1 / spread)
        for rate in rates
    ]
    tails = [
        exp(-(2 * alpha + lam) / width) * cosh(alpha / width)
        for width in (SPREAD, spread)
    ]
    second = combine(at_most(*tails), *((side, Fraction(1, 2)) for side in sides))
    parts = (
        (second, 1 - R),
        (
            combine(
                first, (tangent_below, 1 - exp(-beta)), (tangent_above, exp(-beta))
            ),
            tails[1],
        ),
    )
    return combine(at_most(eta(alpha, lam), eta(alpha, beta)), *parts)


def form_grows() -> Fact:
    """form(m) <= form(m + more): the difference is exp(-m/(1 - j)) form(more) and a term that is
    not negative.
    """
    positive = real(at_most(0, form(j, more)), "0 < j", "j < 1", "0 <= more")
    order = real("exp(-m/(1 - j)) <= exp(-m/(1 + j))", "0 < j", "j < 1", "0 <= m")
    factor = (1 / j + 1) / 2 * (1 - exp(-more / (1 + j)))
    return combine(
        at_most(form(j, m), form(j, m + more)),
        (positive, exp(-m / (1 - j))),
        (order, factor),
    )


def first_polynomial() -> Fact:
    """(1 + w + w**2)(1 + q)(1 - w**2 q**2) <= 2 (1 + w): in q monotone for small w, above a
    parabola for others.
    """
    s = 1 + w + w**2
    given = ("0 < w", "w <= 1", "0 < q", "q <= 1")
    claim = at_most(s * (1 + q) * (1 - w**2 * q**2), 2 * (1 + w))
    cubic = real("q**2 - q/4 <= q**3", "0 < q", "q <= 1")
    room = real(
        at_most(s * (1 + w**2 / 4) ** 2, 8 * w**2 * (1 + w - w**2)),
        "0.44 <= w",
        "w <= 1",
    )
    square = s * (4 * w**2 * q - (1 + w**2 / 4)) ** 2 / (8 * w**2)
    large = combine(
        claim,
        (cubic, s * w**2),
        (room, 1 / (8 * w**2)),
        rest=square,
        given=(*given, "0.44 <= w"),
    )
    return either(real(claim, *given, "w <= 0.44"), under(large, *given, "0.44 <= w"))


def second_polynomial() -> Fact:
    """(1 + w + w**2) q <= 1 + w - w**2 + 2 w**2 (1 + w + w**2) q**3: by tangents of the cube."""
    s = 1 + w + w**2
    given = ("0 < w", "w <= 1", "0 < q", "q <= 1")
    claim = at_most(s * q, 1 + w - w**2 + 2 * w**2 * s * q**3)
    tangent = combine(
        "3*y**2*q - 2*y**3 <= q**3", real("0 <= (q - y)**2*(q + 2*y)", "0 < q", "0 < y")
    )
    cube = placed(tangent, ("0 < w", "0 < q"), y=2 / (5 * w))
    room = real(
        at_most(s * (Fraction(1, 25) + Fraction(32, 125) / w), 1 + w - w**2),
        "0.4 <= w",
        "w <= 1",
    )
    large = combine(
        claim,
        (cube, 2 * w**2 * s),
        room,
        (real("q <= 1", *given), s / 25),
        given=("0.4 <= w",),
    )
    return either(real(claim, *given, "w <= 0.4"), under(large, *given, "0.4 <= w"))


def sinh_slope() -> Fact:
    """sinh(w)/w grows with w >= 0: sinh lies above its tangent at w, and w cosh(w) above
    sinh(w).
    """
    given = ("0 <= w", "w <= q")
    step = q - w
    above = combine(
        at_most(sinh(w) + cosh(w) * step, sinh(q)),
        (placed(real("1 <= cosh(v)"), given, v=step), sinh(w)),
        (placed(real("v <= sinh(v)", "0 <= v"), given, v=step), cosh(w)),
    )
    steep = real("sinh(w) <= w*cosh(w)", "0 <= w")
    return combine(at_most(sinh(w) * q, sinh(q) * w), (above, w), (steep, step))


def sinh_ratio() -> Fact:
    """cosh(u x) sinh((1 + 2 u) x)/sinh(x) grows with x > 0: so do cosh(x), sinh(x)/x and
    x/tanh(x).
    """
    given = ("0 < u", "0 < x", "x <= y")
    even = placed(
        real("cosh(x) <= cosh(y)", "0 <= x", "x <= y"), given, x=u * x, y=u * y
    )
    odd = placed(sinh_slope(), given, w=2 * u * x, q=2 * u * y)
    outer = placed(sinh_slope(), ("0 < x", "x <= y"), w=y - x, q=y + x)
    rest = combine(
        at_most(x * sinh(y) * cosh(x), y * sinh(x) * cosh(y)), (outer, Fraction(1, 2))
    )
    both = combine(
        at_most(
            sinh(2 * u * x) * cosh(x) * sinh(y), sinh(2 * u * y) * cosh(y) * sinh(x)
        ),
        (odd, cosh(x) * sinh(y) / (2 * u * y)),
        (rest, sinh(2 * u * y) / y),
    )
    sums = at_most(sinh(x + 2 * u * x) * sinh(y), sinh(y + 2 * u * y) * sinh(x))
    double = under(specialize(even, u=2 * u), *given)
    ratio = combine(sums, both, (double, sinh(x) * sinh(y)))
    claim = at_most(
        cosh(u * x) * sinh(x + 2 * u * x) * sinh(y),
        cosh(u * y) * sinh(y + 2 * u * y) * sinh(x),
    )
    return combine(claim, (ratio, cosh(u * x)), (even, sinh(y + 2 * u * y) * sinh(x)))


def beyond_form(shift: Expr) -> Expr:
    """The excess of the narrow law for shift <= lam - 2 alpha."""
    gap = lam - 2 * alpha
    return 1 - exp(2 * alpha) + SPREAD * exp(-gap - gap / SPREAD) * cosh(shift / SPREAD)


def excess_grows(size: Expr, rate: Expr, shift: Expr, largest: Expr) -> Fact:
    """size exp(rate) cosh(shift/(exp(lam) - 1)) is at most that at the largest shift, for lam > 0
    and shift >= 0.
    """
    order = real("cosh(x) <= cosh(y)", "0 <= x", "x <= y")
    factor = u * exp(v)
    known = combine(
        at_most(factor * cosh(x), factor * cosh(y)), (order, factor), given=("0 <= u",)
    )
    given = ("0 < lam", "0 <= w", "w <= q")
    return specialize(
        placed(known, given, u=size, v=rate, x=w / SPREAD, y=q / SPREAD),
        w=shift,
        q=largest,
    )


def below_third(eta: Eta) -> Fact:
    """beyond_form(alpha) <= eta for 3 alpha <= lam: the gap is 2 exp(alpha) times that of a bound
    on sinh(alpha).
    """
    given = ("0 < alpha", "0 < lam", "3*alpha <= lam")
    third = lam / 3
    base = placed(first_polynomial(), ("0 < y", "0 < v"), w=exp(-y), q=exp(-2 * v / 3))
    end = at_most(
        (1 - exp(-3 * y)) * exp(-v) * cosh(v / 3) * sinh(y + 2 * v / 3), sinh(y)
    )
    at_third = placed(
        combine(end, (base, (1 - exp(-y)) / (4 * exp(-y)))), ("0 < lam",), y=third, v=V
    )
    ratio = placed(sinh_ratio(), given, x=alpha, y=third, u=1 / SPREAD)
    a, b, e, d, s = (Symbol(name) for name in "abeds")
    known = [
        real(relation, relation)
        for relation in (at_most(a * e, d * b), at_most(s * d, e))
    ]
    chain = combine(
        at_most(s * a, b),
        (known[0], s / e),
        (known[1], b / e),
        given=("0 <= s", "0 <= b", "0 < e"),
    )
    scale = (1 - R) * exp(-V)
    values = {
        "a": cosh(alpha / SPREAD) * sinh(alpha + 2 * alpha / SPREAD),
        "b": sinh(alpha),
        "e": sinh(third),
    }
    values |= {"d": cosh(V / 3) * sinh(third + 2 * V / 3), "s": scale}
    same = combine(at_most(values["a"] * values["e"], values["d"] * values["b"]), ratio)
    last = combine(at_most(scale * values["d"], values["e"]), at_third)
    signs = (
        real(at_most(0, scale), "0 < lam"),
        real("0 <= sinh(alpha)", "0 < alpha"),
        real(below(0, sinh(third)), "0 < lam"),
    )
    small = placed(chain, given, same, last, *signs, **values)
    return combine(
        at_most(beyond_form(alpha), eta(alpha, lam)), (small, 2 * exp(alpha))
    )


def below_half(eta: Eta) -> Fact:
    """form(m) <= eta for 2 alpha <= lam and m <= lam (1 + exp(-lam))/3: form grows, and its last
    value is bounded.
    """
    given = ("0 < alpha", "0 < lam", "2*alpha <= lam")
    most = lam * (1 + R) / 3
    base = placed(second_polynomial(), ("0 < y", "0 < v"), w=exp(-y), q=exp(-2 * v / 3))
    high = (
        1 + (exp(3 * y) - 1) / 2 * exp(-y - 2 * v / 3) - (exp(3 * y) + 1) / 2 * exp(-y)
    )
    at_top = combine(
        at_most(high, (1 - exp(-3 * y)) * exp(-2 * v)),
        (base, (1 - exp(-y)) / (2 * exp(-2 * y))),
    )
    top = same_form(
        most / (1 - R), most / (1 + R), lam / 3 + 2 * V / 3, lam / 3, "0 < lam"
    )
    last = combine(
        at_most(top.relation.left, (1 - R) * exp(-2 * V)),
        top,
        placed(at_top, ("0 < lam",), y=lam / 3, v=V),
    )
    low = real(
        "(1 - j)*exp(-2*v) <= (1 - j)*exp(-v - 2*x)*cosh(x)",
        "0 < j",
        "j < 1",
        "0 <= x",
        "2*x <= v",
    )
    lower = placed(low, given, j=R, v=V, x=alpha / SPREAD)
    grows = specialize(
        placed(form_grows(), ("0 < lam", "0 <= m", "0 <= more"), j=R), more=most - m
    )
    return combine(at_most(form(R, m), eta(alpha, lam)), grows, last, lower)


def same_form(
    left: Expr, right: Expr, new_left: Expr, new_right: Expr, *given: str | Condition
) -> Fact:
    """The formula of ``form`` is at most that with another first exponent, no larger, and second
    one, no smaller.
    """
    order = real("exp(-x) <= exp(-y)", "y <= x")
    less = placed(order, given, x=left, y=new_left)
    more_ = placed(order, given, x=new_right, y=right)
    first = (1 / R - 1) / 2
    second = (1 / R + 1) / 2
    old, new = (
        1 + first * exp(-a) - second * exp(-b)
        for a, b in ((left, right), (new_left, new_right))
    )
    return combine(at_most(old, new), (less, first), (more_, second))


def above_half(eta: Eta) -> Fact:
    """form(m) <= eta for alpha <= lam and m <= lam exp(-lam)/2: form is at most a square."""
    given = ("0 < alpha", "0 < lam", "alpha <= lam")
    square = real(
        at_most(form(j, m), m**2 / (2 * (1 - j**2))), "0 < j", "j < 1", "0 <= m"
    )
    larger = real("m**2 <= y**2", "0 <= m", "m <= y")
    first = combine(
        at_most(form(j, m), y**2 / (2 * (1 - j**2))),
        square,
        (larger, 1 / (2 * (1 - j**2))),
    )
    fraction = real("v**2/(8*(1 + j)) <= v**2/(8*(1 + v**2))", "0 < v", "v**2 <= j")
    small = real("v**2/(8*(1 + v**2)) <= (exp(-2*v) + exp(-4*v))/2", "0 < v", "v < 1")
    falls = real(
        "(exp(-2*v) + exp(-4*v))/2 <= exp(-v - 2*x)*cosh(x)", "0 <= x", "x <= v"
    )
    last = combine(
        at_most((1 - j) * v**2 / (8 * (1 + j)), (1 - j) * exp(-v - 2 * x) * cosh(x)),
        *((fact, 1 - j) for fact in (fraction, small, falls)),
        given=("0 < j", "j < 1"),
    )
    start = specialize(
        placed(first, ("0 < lam", "0 <= m", "m <= y"), j=R), y=lam * R / 2
    )
    share = placed(
        real("x/z <= y/z", "0 < z", "x <= y"), given, x=alpha, y=lam, z=SPREAD
    )
    bounds = [
        real(relation, "0 < lam")
        for relation in (at_most(V**2, R), below(0, V), below(V, 1))
    ]
    end = placed(last, given, share, *bounds, j=R, v=V, x=alpha / SPREAD)
    same = real(equal(start.relation.right, end.relation.left), "0 < lam")
    high = combine(at_most(start.relation.right, eta(alpha, lam)), same, end)
    return combine(at_most(form(R, m), eta(alpha, lam)), start, high)


def beyond(eta: Eta) -> Fact:
    """lam - 2 alpha >= c: the interval holds both means."""
    where = (*POINT, at_most(c, GAP), at_most(-R * c, GAP))
    claim = at_most(NARROW_MEAN, eta(alpha, lam))
    exact = under(
        specialize(narrow_excess_beyond(), j=R, S=GAP),
        "0 < lam",
        "0 <= c",
        at_most(c, GAP),
    )
    mean_value = combine(equal(NARROW_MEAN, beyond_form(c)), exact)
    rate = -GAP - GAP / SPREAD
    wider = excess_grows(SPREAD, rate, c, alpha)
    first = combine(claim, mean_value, wider, below_third(eta))
    wider = excess_grows(SPREAD, rate, c, GAP)
    room = combine(
        at_most(2 * alpha, lam), real("0 <= c", *where), real(at_most(c, GAP), *where)
    )
    m = GAP * (1 + R)
    at = ("0 < lam", at_most(2 * alpha, lam))
    same = same_form(GAP + 2 * GAP / SPREAD, GAP, m / (1 - R), m / (1 + R), *at)
    half = under(specialize(below_half(eta), m=m), "0 < alpha", *at, "lam <= 3*alpha")
    halves = real("y*exp(-x - x*v)*cosh(x*v) == y/2*(exp(-x) + exp(-x - 2*x*v))")
    split = placed(halves, at, y=SPREAD, x=GAP, v=1 / SPREAD)
    last = combine(at_most(beyond_form(GAP), form(R, m)), split, same)
    second = given_by(combine(claim, mean_value, wider, last, half), room)
    return either(
        under(first, *where, "3*alpha <= lam"), under(second, *where, "lam <= 3*alpha")
    )


def between(eta: Eta) -> Fact:
    """-exp(-lam) c <= lam - 2 alpha <= c: the interval ends short of the other mean."""
    where = (*POINT, at_most(GAP, c), at_most(-R * c, GAP))
    claim = at_most(NARROW_MEAN, eta(alpha, lam))
    interval = ("0 < lam", "0 <= c", at_most(-R * c, GAP), at_most(GAP, c))
    mean_value = under(specialize(narrow_excess_between(), j=R, S=GAP), *interval)
    m, shift, high, low = (
        GAP + R * c,
        *(
            real(relation, *where)
            for relation in ("c <= alpha", at_most(GAP, c), at_most(-R * c, GAP))
        ),
    )
    positive = combine(at_most(0, m), low)
    room = combine(
        at_most(0, lam * (1 + R) / 3 - m), (shift, R + (2 - R) / 3), (high, (2 - R) / 3)
    )
    half = given_by(specialize(below_half(eta), m=m), positive, room)
    first = under(combine(claim, mean_value, half), *where, "2*alpha <= lam")
    many = (*where, "lam <= 2*alpha")
    short = combine(
        at_most(alpha, lam), low, (shift, R), (real("0 < alpha", *where), 1 - R)
    )
    less = combine(
        at_most(m, lam * R / 2), (real("lam <= 2*alpha", *many), 1 - R / 2), (shift, R)
    )
    square = given_by(specialize(above_half(eta), m=m), positive, short, less)
    return either(first, under(combine(claim, mean_value, square), *many))


def narrow_excess(eta: Eta) -> Fact:
    """The mean excess of the narrow law is at most eta, for every shift of at most alpha."""
    nothing = specialize(narrow_excess_none(), j=R, S=GAP)
    signs = real("0 <= u*exp(x)*cosh(y)", "0 <= u")
    positive = placed(
        signs, ("0 < lam",), u=1 - R, x=-(2 * alpha + lam) / SPREAD, y=alpha / SPREAD
    )
    none = combine(at_most(NARROW_MEAN, eta(alpha, lam)), nothing, positive)
    inside = either(beyond(eta), between(eta))
    return either(inside, under(none, *POINT, at_most(GAP, -R * c)))


def stays_above() -> Fact:
    """k x + log(cosh(x)) > v >= 0 stays so for larger x: log(cosh(x))/x grows, because log(cosh(x))
    is convex.
    """
    tangent = real("1 + x <= exp(x)")
    k = Symbol("k")
    up = specialize(tangent, x=u * (1 - v))
    down = specialize(tangent, x=-u * (1 + v))
    sides = (up, (1 + v) / 2 * exp(u * v)), (down, (1 - v) / 2 * exp(u * v))
    two = combine(
        at_most(exp(u * v), (1 + v) / 2 * exp(u) + (1 - v) / 2 * exp(-u)),
        *sides,
        given=("-1 <= v", "v <= 1"),
    )
    there = placed(two, ("0 < x",), v=tanh(x), u=y - x)
    above = combine(
        at_most(cosh(x) * exp(tanh(x) * (y - x)), cosh(y)), (there, cosh(x))
    )
    logs = placed(
        real("log(u) <= log(v)", "0 < u", "u <= v"),
        ("0 < x",),
        above,
        u=above.relation.left,
        v=cosh(y),
    )
    split = placed(
        real("log(u*exp(v)) == log(u) + v", "0 < u"),
        ("0 < x",),
        u=cosh(x),
        v=tanh(x) * (y - x),
    )
    convex = combine(
        at_most(log(cosh(x)) + tanh(x) * (y - x), log(cosh(y))), (split, -1), logs
    )
    flat = real("log(cosh(x)) <= x*tanh(x)", "0 < x")
    given = ("0 < x", "x <= y")
    ratio = combine(
        at_most(y * log(cosh(x)), x * log(cosh(y))),
        (convex, x),
        (flat, y - x),
        given=given,
    )
    known = real(below(v, k * x + log(cosh(x))), below(v, k * x + log(cosh(x))))
    parts = (known, y / x), (ratio, 1 / x), (real("0 <= v", "0 <= v"), y / x - 1)
    return combine(below(v, k * y + log(cosh(y))), *parts, given=given)
