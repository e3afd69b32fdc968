"""The integral of a turning density that falls and then rises: by parts, and by its variation.

The density g of the loss L = log R of a sampled Laplace release, times exp(a L), has the slope g
((2 a - 1) q exp(x) - 3 (1 - q))/(2 R) along the loss x of the release itself, which changes its
sign once at most, from below. So the mean of its modulus is at most g at the two ends.
"""

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import absolute, exp, log
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Density,
    E,
    Fact,
    Stretch,
    at_most,
    below,
    combine,
    either,
    equal,
    given_by,
    integrate,
    real,
    relations,
    specialize,
    under,
)

q, a, mu, x, k = map(Symbol, ("q", "a", "mu", "x", "k"))
RATE = ("0 < q", "q < 1")
SAMPLED = (*RATE, "mu > 0")
RATIO = 1 - q + q * exp(x)
LOSS = log(RATIO)
DENSITY = exp((a + 1) * LOSS - (x + mu) / 2 - x) / (4 * q)
SLOPE = DENSITY * ((2 * a - 1) * q * exp(x) - 3 * (1 - q)) / (2 * RATIO)
UNIFORM = Density(
    "U",
    ("x",),
    relations(at_most(-mu, x), at_most(x, mu)),
    (Stretch(-mu, mu, 1 / (2 * mu)),),
)
"""Uniform between the two ends of the loss."""
MASS = x / (2 * mu)
ENDS = DENSITY.at(x=-mu) + DENSITY.at(x=mu)
WEIGHT = exp(a * LOSS) * exp(-(x + mu) / 2) / 4
"""exp(a L) and the density of x under Q."""


def steep(at: Expr) -> Comparison:
    """The slope is not negative there."""
    return at_most(3 * (1 - q), (2 * a - 1) * q * exp(at))


def flat(at: Expr) -> Comparison:
    """The slope is not positive there."""
    return at_most((2 * a - 1) * q * exp(at), 3 * (1 - q))


def stays(rising: bool) -> Fact:
    """The slope keeps its sign to the right of k, where it is not negative; or to the left, where
    it is not positive.
    """
    known = relations("0 < q", "q < 1", "0 < s", "0 < t", "s <= t")
    s, t, b = map(Symbol, ("s", "t", "b"))
    order = real(known[4], *known)
    here, there = (s, t) if rising else (t, s)
    if rising:
        sign = at_most(3 * (1 - q), b * q * here)
        positive = combine(
            at_most(0, b),
            (real(sign, sign, *known), 1 / (q * here)),
            rest=3 * (1 - q) / (q * here),
            given=known,
        )
        claim = at_most(3 * (1 - q), b * q * there)
        product = real("0 <= u*v", "0 <= u", "0 <= v")
        gap = given_by(
            specialize(product, u=b, v=t - s),
            positive,
            combine(at_most(0, t - s), order),
        )
        return combine(claim, real(sign, sign, *known), (gap, q), given=known)
    sign = at_most(b * q * here, 3 * (1 - q))
    claim = at_most(b * q * there, 3 * (1 - q))
    product = real("0 <= u*v", "0 <= u", "0 <= v")
    gap = specialize(under(product, "0 <= u", "0 <= v", *known), u=b, v=t - s)
    gap = given_by(gap, combine(at_most(0, t - s), order))
    up = combine(claim, real(sign, sign, *known), (gap, q), given=known)
    down = combine(
        claim,
        (real("b <= 0", "b <= 0"), q * s),
        rest=3 * (1 - q),
        given=known,
    )
    return either(
        under(up, *known, sign, "0 <= b"), under(down, *known, sign, "b <= 0")
    )


def sign_beside(point: Expr, rising: bool) -> Fact:
    """The sign of the slope at x, right of a point at which it is not negative; or left of one at
    which it is not positive.
    """
    ends = (point, x) if rising else (x, point)
    s, t = (exp(end) for end in ends)
    here = specialize(stays(rising), b=2 * a - 1, s=s, t=t)
    rises = real("exp(u) <= exp(v)", "u <= v")
    order = specialize(rises, u=ends[0], v=ends[1])
    positive = [specialize(real("0 < exp(u)"), u=end) for end in ends]
    known = steep(point) if rising else flat(point)
    sign = given_by(here, order, *positive)
    side = at_most(*ends)
    sign = under(sign, *RATE, known, side)
    claim = at_most(0, SLOPE) if rising else at_most(SLOPE, 0)
    factor = DENSITY / (2 * RATIO)
    return combine(claim, (sign, factor), given=(*RATE, known, side))


def magnitude(sign: Fact) -> Fact:
    """abs(slope), where its sign is known."""
    rising = sign.relation.right == SLOPE
    text = ("abs(v) == v", "0 <= v") if rising else ("abs(v) == -v", "v <= 0")
    rule = real(*text)
    rule = under(rule, *rule.domain, *sign.domain)
    return given_by(specialize(rule, v=SLOPE), sign)


def _rises_or_falls(rising: bool) -> Fact:
    """The variation, where g rises or falls all the way."""
    end = -mu if rising else mu
    known = (*SAMPLED, steep(end) if rising else flat(end))
    (piece,) = UNIFORM.pieces
    size = magnitude(sign_beside(end, rising))
    here = under(size, *known, *piece.where("x"))
    grown = DENSITY / (2 * mu) if rising else -DENSITY / (2 * mu)
    return integrate(
        UNIFORM,
        absolute(SLOPE),
        (grown,),
        (MASS,),
        *known,
        on=((here, _positive(here)),),
    )


def _positive(size: Fact) -> Fact:
    """What the modulus is has its sign."""
    rule = specialize(under(real("0 <= abs(v)"), *size.domain), v=SLOPE)
    return combine(at_most(0, size.relation.right), rule, size)


def _valley() -> Fact:
    """The variation, where g falls up to k and then rises."""
    there = equal((2 * a - 1) * q * exp(k), 3 * (1 - q))
    known = (*SAMPLED, there, "-mu <= k", "k <= mu")
    left = Stretch(-mu, k, 1 / (2 * mu))
    right = Stretch(k, mu, 1 / (2 * mu))
    facts = []
    for piece, rising in ((left, False), (right, True)):
        level = real(there, there)
        at = combine(steep(k) if rising else flat(k), (level, -1 if rising else 1))
        size = given_by(magnitude(sign_beside(k, rising)), at)
        size = under(size, *known, *piece.where("x"))
        facts.append((size, _positive(size)))
    return integrate(
        UNIFORM,
        absolute(SLOPE),
        (-DENSITY / (2 * mu), DENSITY / (2 * mu)),
        (MASS, MASS),
        *known,
        cuts=(k,),
        on=tuple(facts),
    )


def variation() -> Fact:
    """E abs(g') <= (g(-mu) + g(mu))/(2 mu)."""
    size = E(UNIFORM, absolute(SLOPE))
    claim = at_most(size, ENDS / (2 * mu))
    positive = real(at_most(0, DENSITY), *RATE)
    cases_ = [
        under(
            combine(
                claim,
                _rises_or_falls(rising),
                (specialize(positive, x=-mu if rising else mu), 1 / mu),
                given=SAMPLED,
            ),
            *SAMPLED,
            steep(-mu) if rising else flat(mu),
        )
        for rising in (True, False)
    ]
    inside = combine(
        claim, _valley(), (specialize(positive, x=k), 1 / mu), given=SAMPLED
    )
    both = (*SAMPLED, flat(-mu), steep(mu))
    inside = under(_at_the_floor(inside), *both)
    rest = either(inside, under(cases_[1], *SAMPLED, flat(-mu), flat(mu)))
    return either(cases_[0], rest)


def _at_the_floor(inside: Fact) -> Fact:
    """The cut is where the slope is 0."""
    known = relations(*SAMPLED, flat(-mu), steep(mu))
    size = (2 * a - 1) * q
    rest = 3 * (1 - q)
    positive = combine(
        below(0, size),
        (real(known[-1], *known), exp(-mu)),
        rest=rest * exp(-mu),
        given=known,
    )
    signs = (positive, real(below(0, rest), *RATE))
    point = log(rest) - log(size)
    facts = []
    for text, *side in (
        ("b*exp(log(c) - log(b)) == c",),
        ("-m <= log(c) - log(b)", "b*exp(-m) <= c"),
        ("log(c) - log(b) <= m", "c <= b*exp(m)"),
    ):
        rule = real(text, *side, "0 < b", "0 < c")
        there = specialize(under(rule, *rule.domain, *known), b=size, c=rest, m=mu)
        facts.append(given_by(there, *signs))
    domain = (*inside.domain, *known, below(0, size))
    return given_by(specialize(under(inside, *domain), k=point), *facts, positive)
