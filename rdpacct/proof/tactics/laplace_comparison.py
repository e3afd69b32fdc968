"""Why the narrower of two Laplace laws has no more excess than the broader one, by inequalities of real numbers.

The laws are those of ``rdpacct.proof.tactics.laplace``; exp(lam) is the ratio of the scales, and exp(2 alpha) the
factor of the hockey stick. ``eta`` stands for the excess of the broader law at the shift alpha, as a function of alpha
and lam: (1 - exp(-lam)) exp(-v - 2 x) cosh(x) with x = alpha/(exp(lam) - 1) and v = lam/(exp(lam) - 1).
"""

from collections.abc import Callable
from fractions import Fraction

from rdpacct.exact.formula import Expr, Real, Symbol
from rdpacct.exact.functions import cosh, exp, sinh
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
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
from rdpacct.proof.tactics.laplace import form, j

Eta = Callable[[Expr, Expr], Expr]
alpha, beta, lam = (Symbol(name) for name in ("alpha", "beta", "lam"))
w, q, m, u, x, y, v, more = (Symbol(name) for name in ("w", "q", "m", "u", "x", "y", "v", "more"))
R, SPREAD = exp(-lam), exp(lam) - 1
V = lam / SPREAD


def placed(fact: Fact, given: tuple[str | Comparison, ...], *proofs: Fact, **values: Real) -> Fact:
    """A fact at formulas, where its conditions follow from what is given or are proved apart."""
    moved = specialize(under(fact, *fact.domain, *given), **values)
    return under(given_by(moved, *proofs), *given)


def eta_grows(eta: Eta) -> Fact:
    """eta grows with lam: exp(x) >= 1 + x twice for its first factor, and the others fall with 1/(exp(lam) - 1)."""
    given = ("0 < alpha", "0 < lam", "lam <= beta")
    tangent, falls = real("1 + x <= exp(x)"), real("exp(-u*x) <= exp(-u*y)", "0 <= u", "y <= x")
    spread = exp(beta) - 1
    one, two = placed(tangent, given, x=-(beta - lam) / spread), placed(tangent, given, x=beta - lam)
    first = at_most(1 - R, (1 - exp(-beta)) * exp(-(beta - lam) / spread))
    order = real(at_most(1 / spread, 1 / SPREAD), "0 < lam", "lam <= beta")
    rates = (alpha + lam, 3 * alpha + lam)
    sides = [placed(falls, given, order, u=rate, x=1 / SPREAD, y=1 / spread) for rate in rates]
    tails = [exp(-(2 * alpha + lam) / one) * cosh(alpha / one) for one in (SPREAD, spread)]
    second = combine(at_most(*tails), *((side, Fraction(1, 2)) for side in sides))
    parts = (second, 1 - R), (combine(first, (one, 1 - exp(-beta)), (two, exp(-beta))), tails[1])
    return combine(at_most(eta(alpha, lam), eta(alpha, beta)), *parts)


def form_grows() -> Fact:
    """form(m) <= form(m + more): the difference is exp(-m/(1 - j)) form(more) and a term that is not negative."""
    positive = real(at_most(0, form(j, more)), "0 < j", "j < 1", "0 <= more")
    order = real("exp(-m/(1 - j)) <= exp(-m/(1 + j))", "0 < j", "j < 1", "0 <= m")
    factor = (1 / j + 1) / 2 * (1 - exp(-more / (1 + j)))
    return combine(at_most(form(j, m), form(j, m + more)), (positive, exp(-m / (1 - j))), (order, factor))


def first_polynomial() -> Fact:
    """(1 + w + w**2)(1 + q)(1 - w**2 q**2) <= 2 (1 + w): in q monotone for small w, above a parabola for others."""
    s, given = 1 + w + w**2, ("0 < w", "w <= 1", "0 < q", "q <= 1")
    claim = at_most(s * (1 + q) * (1 - w**2 * q**2), 2 * (1 + w))
    cubic = real("q**2 - q/4 <= q**3", "0 < q", "q <= 1")
    room = real(at_most(s * (1 + w**2 / 4) ** 2, 8 * w**2 * (1 + w - w**2)), "0.44 <= w", "w <= 1")
    square = s * (4 * w**2 * q - (1 + w**2 / 4)) ** 2 / (8 * w**2)
    large = combine(claim, (cubic, s * w**2), (room, 1 / (8 * w**2)), rest=square, given=(*given, "0.44 <= w"))
    return either(real(claim, *given, "w <= 0.44"), under(large, *given, "0.44 <= w"))


def second_polynomial() -> Fact:
    """(1 + w + w**2) q <= 1 + w - w**2 + 2 w**2 (1 + w + w**2) q**3: by tangents of the cube."""
    s, given = 1 + w + w**2, ("0 < w", "w <= 1", "0 < q", "q <= 1")
    claim = at_most(s * q, 1 + w - w**2 + 2 * w**2 * s * q**3)
    tangent = combine("3*y**2*q - 2*y**3 <= q**3", real("0 <= (q - y)**2*(q + 2*y)", "0 < q", "0 < y"))
    cube = placed(tangent, ("0 < w", "0 < q"), y=2 / (5 * w))
    room = real(at_most(s * (Fraction(1, 25) + Fraction(32, 125) / w), 1 + w - w**2), "0.4 <= w", "w <= 1")
    large = combine(claim, (cube, 2 * w**2 * s), room, (real("q <= 1", *given), s / 25), given=("0.4 <= w",))
    return either(real(claim, *given, "w <= 0.4"), under(large, *given, "0.4 <= w"))


def sinh_ratio() -> Fact:
    """cosh(u x) sinh((1 + 2 u) x)/sinh(x) grows with x > 0: so do cosh(x), sinh(x)/x and x/tanh(x)."""
    given = ("0 < u", "0 < x", "x <= y")
    even = placed(real("cosh(x) <= cosh(y)", "0 <= x", "x <= y"), given, x=u * x, y=u * y)
    odd = placed(real("sinh(x)*y <= sinh(y)*x", "0 < x", "x <= y"), given, x=2 * u * x, y=2 * u * y)
    rest = real("x*sinh(y)*cosh(x) <= y*sinh(x)*cosh(y)", "0 < x", "x <= y")
    both = combine(
        at_most(sinh(2 * u * x) * cosh(x) * sinh(y), sinh(2 * u * y) * cosh(y) * sinh(x)),
        (odd, cosh(x) * sinh(y) / (2 * u * y)),
        (rest, sinh(2 * u * y) / y),
    )
    sums = at_most(sinh(x + 2 * u * x) * sinh(y), sinh(y + 2 * u * y) * sinh(x))
    double = under(specialize(even, u=2 * u), *given)
    ratio = combine(sums, both, (double, sinh(x) * sinh(y)))
    claim = at_most(cosh(u * x) * sinh(x + 2 * u * x) * sinh(y), cosh(u * y) * sinh(y + 2 * u * y) * sinh(x))
    return combine(claim, (ratio, cosh(u * x)), (even, sinh(y + 2 * u * y) * sinh(x)))


def beyond_form(shift: Expr) -> Expr:
    """The excess of the narrow law for shift <= lam - 2 alpha."""
    gap = lam - 2 * alpha
    return 1 - exp(2 * alpha) + SPREAD * exp(-gap - gap / SPREAD) * cosh(shift / SPREAD)


def excess_grows(size: Expr, rate: Expr, shift: Expr, largest: Expr) -> Fact:
    """size exp(rate) cosh(shift/(exp(lam) - 1)) is at most that at the largest shift, for lam > 0 and shift >= 0."""
    order, factor = real("cosh(x) <= cosh(y)", "0 <= x", "x <= y"), u * exp(v)
    known = combine(at_most(factor * cosh(x), factor * cosh(y)), (order, factor), given=("0 <= u",))
    given = ("0 < lam", "0 <= w", "w <= q")
    return specialize(placed(known, given, u=size, v=rate, x=w / SPREAD, y=q / SPREAD), w=shift, q=largest)


def below_third(eta: Eta) -> Fact:
    """beyond_form(alpha) <= eta for 3 alpha <= lam: the gap is 2 exp(alpha) times that of a bound on sinh(alpha)."""
    given, third = ("0 < alpha", "0 < lam", "3*alpha <= lam"), lam / 3
    base = placed(first_polynomial(), ("0 < y", "0 < v"), w=exp(-y), q=exp(-2 * v / 3))
    end = at_most((1 - exp(-3 * y)) * exp(-v) * cosh(v / 3) * sinh(y + 2 * v / 3), sinh(y))
    at_third = placed(combine(end, (base, (1 - exp(-y)) / (4 * exp(-y)))), ("0 < lam",), y=third, v=V)
    ratio = placed(sinh_ratio(), given, x=alpha, y=third, u=1 / SPREAD)
    a, b, c, d, s = (Symbol(name) for name in "abcds")
    known = [real(one, one) for one in (at_most(a * c, d * b), at_most(s * d, c))]
    chain = combine(at_most(s * a, b), (known[0], s / c), (known[1], b / c), given=("0 <= s", "0 <= b", "0 < c"))
    scale = (1 - R) * exp(-V)
    values = {"a": cosh(alpha / SPREAD) * sinh(alpha + 2 * alpha / SPREAD), "b": sinh(alpha), "c": sinh(third)}
    values |= {"d": cosh(V / 3) * sinh(third + 2 * V / 3), "s": scale}
    same = combine(at_most(values["a"] * values["c"], values["d"] * values["b"]), ratio)
    last = combine(at_most(scale * values["d"], values["c"]), at_third)
    signs = (
        real(at_most(0, scale), "0 < lam"),
        real("0 <= sinh(alpha)", "0 < alpha"),
        real(below(0, sinh(third)), "0 < lam"),
    )
    small = placed(chain, given, same, last, *signs, **values)
    return combine(at_most(beyond_form(alpha), eta(alpha, lam)), (small, 2 * exp(alpha)))


def below_half(eta: Eta) -> Fact:
    """form(m) <= eta for 2 alpha <= lam and m <= lam (1 + exp(-lam))/3: form grows, and its last value is bounded."""
    given, most = ("0 < alpha", "0 < lam", "2*alpha <= lam"), lam * (1 + R) / 3
    base = placed(second_polynomial(), ("0 < y", "0 < v"), w=exp(-y), q=exp(-2 * v / 3))
    high = 1 + (exp(3 * y) - 1) / 2 * exp(-y - 2 * v / 3) - (exp(3 * y) + 1) / 2 * exp(-y)
    at_top = combine(at_most(high, (1 - exp(-3 * y)) * exp(-2 * v)), (base, (1 - exp(-y)) / (2 * exp(-2 * y))))
    top = same_form(most / (1 - R), most / (1 + R), lam / 3 + 2 * V / 3, lam / 3, "0 < lam")
    last = combine(at_most(top.relation.left, (1 - R) * exp(-2 * V)), top, placed(at_top, ("0 < lam",), y=lam / 3, v=V))
    low = real("(1 - j)*exp(-2*v) <= (1 - j)*exp(-v - 2*x)*cosh(x)", "0 < j", "j < 1", "0 <= x", "2*x <= v")
    lower = placed(low, given, j=R, v=V, x=alpha / SPREAD)
    grows = specialize(placed(form_grows(), ("0 < lam", "0 <= m", "0 <= more"), j=R), more=most - m)
    return combine(at_most(form(R, m), eta(alpha, lam)), grows, last, lower)


def same_form(left: Expr, right: Expr, new_left: Expr, new_right: Expr, *given: str) -> Fact:
    """The formula of ``form`` is at most that with another first exponent, no larger, and second one, no smaller."""
    order = real("exp(-x) <= exp(-y)", "y <= x")
    less, more_ = placed(order, given, x=left, y=new_left), placed(order, given, x=new_right, y=right)
    first, second = (1 / R - 1) / 2, (1 / R + 1) / 2
    old, new = (1 + first * exp(-a) - second * exp(-b) for a, b in ((left, right), (new_left, new_right)))
    return combine(at_most(old, new), (less, first), (more_, second))


def above_half(eta: Eta) -> Fact:
    """form(m) <= eta for alpha <= lam and m <= lam exp(-lam)/2: form is at most a square."""
    given = ("0 < alpha", "0 < lam", "alpha <= lam")
    square = real(at_most(form(j, m), m**2 / (2 * (1 - j**2))), "0 < j", "j < 1", "0 <= m")
    larger = real("m**2 <= y**2", "0 <= m", "m <= y")
    first = combine(at_most(form(j, m), y**2 / (2 * (1 - j**2))), square, (larger, 1 / (2 * (1 - j**2))))
    fraction = real("v**2/(8*(1 + j)) <= v**2/(8*(1 + v**2))", "0 < v", "v**2 <= j")
    small = real("v**2/(8*(1 + v**2)) <= (exp(-2*v) + exp(-4*v))/2", "0 < v", "v < 1")
    falls = real("(exp(-2*v) + exp(-4*v))/2 <= exp(-v - 2*x)*cosh(x)", "0 <= x", "x <= v")
    last = combine(
        at_most((1 - j) * v**2 / (8 * (1 + j)), (1 - j) * exp(-v - 2 * x) * cosh(x)),
        *((one, 1 - j) for one in (fraction, small, falls)),
        given=("0 < j", "j < 1"),
    )
    start = specialize(placed(first, ("0 < lam", "0 <= m", "m <= y"), j=R), y=lam * R / 2)
    end = placed(last, given, j=R, v=V, x=alpha / SPREAD)
    same = real(equal(start.relation.right, end.relation.left), "0 < lam")
    high = combine(at_most(start.relation.right, eta(alpha, lam)), same, end)
    return combine(at_most(form(R, m), eta(alpha, lam)), start, high)
