"""The moment of R = A + D over the outputs near neither component of a sampled Gaussian: those
above a first edge, and below a second.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import exp, log
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    assume,
    at_most,
    combine,
    dominated,
    expect,
    given_by,
    integrable,
    linear,
    real,
    relations,
    specialize,
    under,
)
from rdpacct.proof.tactics import normal
from rdpacct.proof.theorem import Statement, Step

a, mu, x, z, u, first, second = map(
    Symbol, ("a", "mu", "x", "z", "u", "first", "second")
)
N = normal.standard_normal()
ABOVE = normal.lies_above(N, "F", z)
BENEATH = normal.lies_below(N, "F", z)
F = Symbol("F")
BUMP = exp(a * (mu * x - mu**2 / 2))
"""D**a over q**a."""
LIFT = exp((a**2 - a) * mu**2 / 2)
OUTPUTS = Law("X", ("u", "f", "g", "h"), relations("0 <= f", "f <= g", "f <= h"))
f, g, h = (OUTPUTS.symbol(name) for name in ("f", "g", "h"))
RATIO_POWER = exp(a * log(1 + exp(u)))
TAILS = {
    "above the first": assume(at_most(E(OUTPUTS, g), first)),
    "below the second": assume(at_most(E(OUTPUTS, exp(a * u) * h), second)),
}


def bound(at: Expr) -> Expr:
    """The bound on a normal tail."""
    return exp(-(at**2) / 2) / 2


def tail(at: Expr) -> Fact:
    """A normal tail at a point that is not negative."""
    return specialize(real("erfc(v/sqrt(2))/2 <= exp(-v**2/2)/2", "v >= 0"), v=at)


def beyond(part: Statement) -> Iterator[Step]:
    """The probability of a half-line."""
    chance = normal.probability(ABOVE, z)
    yield chance, "the normal tail"
    yield combine(part.claim, chance, tail(z)), "at most exp(-z**2/2)/2"


def bump_beneath(part: Statement) -> Iterator[Step]:
    """The tilted law is normal about a mu."""
    chance = normal.probability(BENEATH, z, shift=a * mu)
    yield chance, "a normal tail about a mu"
    body = normal.mean_of(chance).body
    scaled = linear(
        BENEATH, F * BUMP, {body: LIFT}, integrable(chance, E(BENEATH, body))
    )
    least = tail(a * mu - z)
    side = combine(at_most(0, a * mu - z), real("z <= a*mu", "z <= a*mu"))
    uses = scaled, (chance, LIFT), (given_by(least, side), LIFT)
    yield combine(part.claim, *uses), "times the mean of the bump"


def near_neither(part: Statement, between: Fact) -> Iterator[Step]:
    """Pointwise, and then in the mean."""
    given = ("a >= 1",)
    twice = exp((a - 1) * log(2))
    body = RATIO_POWER * f
    line = twice * g + twice * (exp(a * u) * h)
    known = relations(*given, *OUTPUTS.support)
    below_g, below_h = (real(text, *known) for text in ("f <= g", "f <= h"))
    point = combine(
        at_most(body, line),
        (between, f),
        (below_g, twice),
        (below_h, twice * exp(a * u)),
        given=known,
    )
    yield under(point, *known), "near neither, R**a is at most this"
    finite = [
        integrable(part.assuming[name], fact.relation.left)
        for name, fact in part.assuming.items()
    ]
    total = linear(OUTPUTS, line, {g: twice, exp(a * u) * h: twice}, *finite)
    over = integrable(total, E(OUTPUTS, line))
    least = real(at_most(0, body), *known)
    inside = dominated(under(point, *known), OUTPUTS, over, lower=least)
    mean = expect(under(point, *known), OUTPUTS, inside, over)
    uses = [(fact, twice) for fact in part.assuming.values()]
    yield combine(part.claim, mean, total, *uses, given=given), "in the mean"


def moment_parts(between: Statement) -> Iterator[Statement]:
    """The two tails under N(0, 1), and the moment by them."""
    yield Statement(
        "beyond",
        "under N(0, 1) an output is above z with at most this probability",
        at_most(E(ABOVE, F), bound(z)),
        beyond,
        ("z >= 0",),
    )
    yield Statement(
        "bump beneath",
        "and D**a, over q**a, has at most this mean over outputs up to z",
        at_most(E(BENEATH, F * BUMP), LIFT * bound(a * mu - z)),
        bump_beneath,
        ("z <= a*mu",),
    )

    def proof(part: Statement) -> Iterator[Step]:
        yield from near_neither(part, between.fact())

    yield Statement(
        "near neither",
        "R**a, over A**a with exp(u) = D/A, where f = 1: only above the first edge, g = 1,"
        " and below the second, h = 1",
        at_most(E(OUTPUTS, RATIO_POWER * f), exp((a - 1) * log(2)) * (first + second)),
        proof,
        ("a >= 1",),
        TAILS,
    )
