"""The integral of a turning density that falls and then rises: by parts, and by its variation.

The density g of the loss L = log R of a sampled Laplace release, times exp(a L), has the slope g
((2 a - 1) q exp(x) - 3 (1 - q))/(2 R) along the loss x of the release itself, which changes its
sign once at most, from below. So the mean of its modulus is at most g at the two ends.
"""

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import absolute, cos, exp, log, sin
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Condition,
    Density,
    E,
    Fact,
    Stretch,
    at_most,
    below,
    combine,
    dominated,
    either,
    equal,
    expect,
    given_by,
    integrable,
    integrate,
    linear,
    real,
    relations,
    specialize,
    under,
)

q, a, mu, x, theta, k, m = map(Symbol, ("q", "a", "mu", "x", "theta", "k", "m"))
alpha, beta = map(Symbol, ("alpha", "beta"))
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
ANGLE = theta * LOSS
ALONG = alpha * cos(ANGLE) + beta * sin(ANGLE)
ACROSS = alpha * sin(ANGLE) - beta * cos(ANGLE)
MOST = (1 + alpha**2 + beta**2) / 2
"""At least the modulus of alpha + i beta."""
TURNING = (*SAMPLED, "theta > 0")


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


def sign_beside(point: Expr, rising: bool, *given: str | Condition) -> Fact:
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
    found = given_by(here, order, *positive)
    side = at_most(*ends)
    found = under(found, *RATE, known, side)
    claim = at_most(0, SLOPE) if rising else at_most(SLOPE, 0)
    factor = DENSITY / (2 * RATIO)
    return combine(claim, (found, factor), given=(*RATE, known, side))


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
    found = []
    for text, *side in (
        ("b*exp(log(c) - log(b)) == c",),
        ("-m <= log(c) - log(b)", "b*exp(-m) <= c"),
        ("log(c) - log(b) <= m", "c <= b*exp(m)"),
    ):
        rule = real(text, *side, "0 < b", "0 < c")
        there = specialize(under(rule, *rule.domain, *known), b=size, c=rest, m=mu)
        found.append(given_by(there, *signs))
    domain = (*inside.domain, *known, below(0, size))
    return given_by(specialize(under(inside, *domain), k=point), *found, positive)


def atoms(wave: Expr) -> Expr:
    """What the two atoms add, 1/2 at -mu and exp(-mu)/2 at mu."""
    body = exp(a * LOSS) * wave
    return (body.at(x=-mu) + exp(-mu) * body.at(x=mu)) / 2


def transform(wave: Expr) -> Expr:
    """The mean of exp(a L) and a wave: that of the two atoms, and the integral between them."""
    return atoms(wave) + 2 * mu * E(UNIFORM, WEIGHT * wave)


BOUND = atoms(formula(1)) + 2 * ENDS / theta


class Decay:
    """The transform at the height theta, from its value m on the axis."""

    def __init__(self, moment: Fact) -> None:
        self.moment = moment
        self.weight = integrable(moment, E(UNIFORM, WEIGHT))
        self.waves = {wave: self._finite(name) for name, wave in self._waves()}

    @staticmethod
    def _waves() -> tuple[tuple[str, Expr], ...]:
        return (("cos", cos(ANGLE)), ("sin", sin(ANGLE)))

    def _finite(self, name: str) -> Fact:
        """The mean of the weight and a wave is finite."""
        size = specialize(
            under(real(f"abs(u*{name}(w)) <= u", "0 <= u"), "0 <= u", *RATE),
            u=WEIGHT,
            w=ANGLE,
        )
        size = given_by(size, real(at_most(0, WEIGHT), *RATE))
        return dominated(size, UNIFORM, self.weight)

    def split(self) -> Fact:
        """E[weight (alpha cos + beta sin)] by its two parts."""
        parts = {
            WEIGHT * wave: factor
            for wave, factor in zip(self.waves, (alpha, beta), strict=True)
        }
        return linear(
            UNIFORM, WEIGHT * ALONG, parts, *self.waves.values(), where=relations(*RATE)
        )

    def by_parts(self, slope: Fact) -> Fact:
        """2 mu E[weight (alpha cos + beta sin)] <= 2 (g(-mu) + g(mu)) (1 + alpha**2 +
        beta**2)/(2 theta), from the variation of g.
        """
        whole = self.split()
        size = absolute(SLOPE)
        scaled = linear(
            UNIFORM,
            size * MOST,
            {size: MOST},
            integrable(slope, E(UNIFORM, size)),
            where=relations(*RATE),
        )
        over = integrable(scaled, E(UNIFORM, size * MOST))
        across = SLOPE * ACROSS
        least = _bounded(at_most(-across, size * MOST), -1)
        both = real("abs(v) <= s", "v <= s", "-v <= s", *RATE)
        both = specialize(both, v=across, s=size * MOST)
        both = given_by(both, _bounded(at_most(across, size * MOST), 1), least)
        finite = dominated(both, UNIFORM, over)
        body = WEIGHT * ALONG + across / theta
        parts = linear(
            UNIFORM,
            body,
            {WEIGHT * ALONG: 1, across: 1 / theta},
            integrable(whole, E(UNIFORM, WEIGHT * ALONG)),
            finite,
            where=relations(*TURNING),
        )
        grown = integrate(
            UNIFORM,
            body,
            (DENSITY * ACROSS / (2 * mu * theta),),
            (MASS,),
            *TURNING,
            finite=integrable(parts, E(UNIFORM, body)),
        )
        away = linear(UNIFORM, -across, {across: -1}, finite, where=relations(*RATE))
        rest = expect(least, UNIFORM, integrable(away, E(UNIFORM, -across)), over)
        up = specialize(_across(1), x=mu)
        down = specialize(_across(-1), x=-mu)
        claim = at_most(2 * mu * E(UNIFORM, WEIGHT * ALONG), 2 * ENDS / theta * MOST)
        return combine(
            claim,
            (parts, -2 * mu),
            (grown, 2 * mu),
            (away, -2 * mu / theta),
            (rest, 2 * mu / theta),
            (scaled, 2 * mu / theta),
            (slope, 2 * mu * MOST / theta),
            (up, DENSITY.at(x=mu) / theta),
            (down, DENSITY.at(x=-mu) / theta),
            given=TURNING,
        )

    def direction(self, inner: Fact, most: Expr) -> Fact:
        """alpha C + beta S <= most (1 + alpha**2 + beta**2)/2, from a bound on what is between the
        atoms.
        """
        ends = [specialize(_along(), x=end) for end in (-mu, mu)]
        sizes = [exp(a * LOSS).at(x=-mu) / 2, exp(-mu) * exp(a * LOSS).at(x=mu) / 2]
        claim = at_most(
            alpha * transform(cos(ANGLE)) + beta * transform(sin(ANGLE)), most * MOST
        )
        return combine(
            claim,
            (self.split(), -2 * mu),
            inner,
            *zip(ends, sizes, strict=True),
            given=TURNING,
        )

    def on_the_axis(self) -> Fact:
        """2 mu E[weight (alpha cos + beta sin)] <= (m - atoms) (1 + alpha**2 + beta**2)/2."""
        scaled = linear(
            UNIFORM, WEIGHT * MOST, {WEIGHT: MOST}, self.weight, where=relations(*RATE)
        )
        line = combine(at_most(WEIGHT * ALONG, WEIGHT * MOST), (_along(), WEIGHT))
        over = expect(
            line,
            UNIFORM,
            integrable(self.split(), E(UNIFORM, WEIGHT * ALONG)),
            integrable(scaled, E(UNIFORM, WEIGHT * MOST)),
        )
        claim = at_most(
            2 * mu * E(UNIFORM, WEIGHT * ALONG), (m - atoms(formula(1))) * MOST
        )
        return combine(
            claim,
            (over, 2 * mu),
            (scaled, 2 * mu),
            (self.moment, MOST),
            given=SAMPLED,
        )

    def square(self, direction: Fact, most: Expr, *positive: Fact) -> Fact:
        """C**2 + S**2 <= most**2, in the direction of C + i S, where most is positive."""
        waves = dict(zip("CS", map(transform, self.waves), strict=True))
        best = specialize(
            under(direction, *direction.domain, below(0, most)),
            alpha=waves["C"] / most,
            beta=waves["S"] / most,
        )
        best = given_by(best, *positive)
        rule = longest()
        rule = under(rule, *rule.domain, *direction.domain)
        found = given_by(specialize(rule, B=most, **waves), best, *positive)
        spoken = [
            linear(
                UNIFORM,
                WEIGHT * wave,
                {WEIGHT * wave: 1},
                finite,
                where=relations(*RATE),
            )
            for wave, finite in self.waves.items()
        ]
        return combine(found.relation, found, *((fact, 0) for fact in spoken))


def longest() -> Fact:
    """C**2 + S**2 <= B**2, if the projection of (C, S) on itself over B is at most what `MOST`
    allows.
    """
    C, S, B = map(Symbol, "CSB")
    line = at_most((C / B) * C + (S / B) * S, B * MOST.at(alpha=C / B, beta=S / B))
    known = real(line, line, "B > 0")
    return combine(at_most(C**2 + S**2, B**2), (known, 2 * B), given=("B > 0",))


def _along() -> Fact:
    """alpha cos + beta sin <= (1 + alpha**2 + beta**2)/2."""
    rule = under(real("a*cos(w) + b*sin(w) <= (1 + a**2 + b**2)/2"), *RATE)
    return specialize(rule, w=ANGLE, a=alpha, b=beta)


def _across(sign: int) -> Fact:
    """The same across, in either sense."""
    turn = "a*sin(w) - b*cos(w)" if sign > 0 else "b*cos(w) - a*sin(w)"
    rule = under(real(f"{turn} <= (1 + a**2 + b**2)/2"), *RATE)
    return specialize(rule, w=ANGLE, a=alpha, b=beta)


def _bounded(claim: Comparison, sign: int) -> Fact:
    """slope across <= abs(slope) (1 + alpha**2 + beta**2)/2, in either sense."""
    text = "d*v <= abs(d)*s" if sign > 0 else "-(d*v) <= abs(d)*s"
    rule = real(text, "v <= s", "-v <= s", *RATE)
    rule = specialize(rule, d=SLOPE, v=ACROSS, s=MOST)
    lower = combine(at_most(-ACROSS, MOST), _across(-1))
    return combine(claim, given_by(rule, _across(1), lower))


def positive_bound() -> Fact:
    """0 < BOUND: a sum of exponentials."""
    rule = under(real("0 < exp(v)"), *RATE)
    power = a * LOSS
    logs = (a + 1) * LOSS - (x + mu) / 2 - x
    terms = [
        (power.at(x=-mu), formula(1) / 2),
        (power.at(x=mu), exp(-mu) / 2),
        (logs.at(x=-mu), 1 / (2 * q * theta)),
        (logs.at(x=mu), 1 / (2 * q * theta)),
    ]
    uses = [(specialize(rule, v=one), factor) for one, factor in terms]
    return combine(below(0, BOUND), *uses, given=TURNING)
