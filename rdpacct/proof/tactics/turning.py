"""The transform of a sampled Laplace loss at a height, by parts: atoms, ends and the variation of
the density between them.

In every direction alpha + i beta the transform has a projection, which is bounded; in its own
direction the projection is its modulus.
"""

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import absolute, cos, exp, sin
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    at_most,
    below,
    combine,
    dominated,
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
from rdpacct.proof.tactics.valley import (
    DENSITY,
    ENDS,
    LOSS,
    MASS,
    RATE,
    SAMPLED,
    SLOPE,
    UNIFORM,
    WEIGHT,
    a,
    mu,
    q,
    x,
)

theta, m, alpha, beta = map(Symbol, ("theta", "m", "alpha", "beta"))
ANGLE = theta * LOSS
ALONG = alpha * cos(ANGLE) + beta * sin(ANGLE)
ACROSS = alpha * sin(ANGLE) - beta * cos(ANGLE)
MOST = (1 + alpha**2 + beta**2) / 2
"""At least the modulus of alpha + i beta."""
TURNING = (*SAMPLED, "theta > 0")


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
        bound = given_by(specialize(rule, B=most, **waves), best, *positive)
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
        return combine(bound.relation, bound, *((fact, 0) for fact in spoken))


def longest() -> Fact:
    """C**2 + S**2 <= B**2, if the projection of (C, S) on itself over B is at most what `MOST`
    allows.
    """
    cosine, sine, most = map(Symbol, "CSB")
    sides = {"alpha": cosine / most, "beta": sine / most}
    left = sides["alpha"] * cosine + sides["beta"] * sine
    line = at_most(left, most * MOST.at(**sides))
    known = real(line, line, "B > 0")
    claim = at_most(cosine**2 + sine**2, most**2)
    return combine(claim, (known, 2 * most), given=("B > 0",))


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
    uses = [(specialize(rule, v=exponent), factor) for exponent, factor in terms]
    return combine(below(0, BOUND), *uses, given=TURNING)
