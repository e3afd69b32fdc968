"""|R**s| on the lines beside the axis, R = 1 - q + q exp(u + i p), at a point and in the mean.

With V and W the modulus and the argument of R, |R**s| is exp(a log V - theta W) for s = a + i
theta. Above the axis it is at most R(u)**a, below it this times exp(theta |p|); for a <= 0 both
have the factor cos(p/2)**a.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import cos, exp, log
from rdpacct.proof.claim import Comparison
from rdpacct.proof.instance import example
from rdpacct.proof.kernel import (
    E,
    Law,
    assume,
    at_most,
    below,
    combine,
    dominated,
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
from rdpacct.proof.tactics.mirrored import conjugate
from rdpacct.proof.tactics.turned import (
    RATE,
    RATIO,
    angle,
    argument_below,
    argument_positive,
    modulus_above,
    modulus_below,
    polar,
)
from rdpacct.proof.theorem import Statement, Step

a, p, c, theta, V, W, J = map(Symbol, ("a", "p", "c", "theta", "V", "W", "I"))
TURNED = polar(p, V, W)
BEND = equal(c, cos(p / 2))
X = Law("X", ("u", "V", "W"), TURNED)
BELOW = Law("Y", ("u", "V", "W"), polar(-p, V, W))
"""u = mu x - mu**2/2, with the modulus and the argument of R(x + i b), mu b = p or -p."""
MOMENT = E(X, exp(a * log(RATIO)))
MOMENT_BELOW = E(BELOW, exp(a * log(RATIO)))
EXPONENT = a * log(V) - theta * W
"""The logarithm of |R**s|, s = a + i theta."""
HALF = Fraction(1, 2)


def known_of(part: Statement) -> tuple[Comparison, ...]:
    """What is given, as relations."""
    return relations(
        *(
            condition
            for condition in part.given
            if isinstance(condition, str | Comparison)
        )
    )


def share(negative: bool, below_axis: bool) -> Expr:
    """The integral along a line over the moment, apart from exp(b**2/2)."""
    bend = exp(a * log(c)) if negative else formula(1)
    return bend * exp(theta * p) if below_axis else bend


def on_line(below_axis: bool) -> Law:
    """The law X of a line above the axis, or Y of one below it."""
    return BELOW if below_axis else X


def conditions(negative: bool) -> tuple[str | Comparison, ...]:
    """What is given on a line, for one sign of the power."""
    sign = ("a <= 0", "0 < c", BEND) if negative else ("a >= 0",)
    return (*RATE, *angle(p), "theta >= 0", *sign)


def pointwise(part: Statement, negative: bool, below_axis: bool) -> Iterator[Step]:
    """The modulus and the argument of R on a line, and then the power."""
    given = known_of(part)
    turned = conjugate(p) if below_axis else []
    size = modulus_below(-p if below_axis else p, V, W)
    if negative:
        least = modulus_above(p, V, -W if below_axis else W)
        cosine = real(BEND, BEND, "0 < c", *angle(p))
        size = combine(
            at_most(c * RATIO, V), given_by(least, *turned), (cosine, -RATIO)
        )
    yield size, "the modulus on the line"
    if below_axis:
        turn = combine(at_most(-W, p), given_by(argument_below(p, V, -W), *turned))
    else:
        turn = argument_positive(p, V, W)
    yield turn, "the argument on the line"
    positive = real(below(0, RATIO), *RATE)
    if negative:
        rule = real("log(c) + log(r) <= log(v)", "0 < c", "0 < r", "c*r <= v")
        rule = specialize(rule, r=RATIO, v=V)
        logs = under(given_by(rule, size, positive), *given)
    else:
        rule = specialize(real("log(v) <= log(w)", "0 < v", "v <= w"), v=V, w=RATIO)
        logs = under(given_by(rule, size), *given)
    parts = [(logs, -a if negative else a), (turn, theta)]
    target = (
        a * log(RATIO)
        + (a * log(c) if negative else 0)
        + (theta * p if below_axis else 0)
    )
    less = under(combine(at_most(EXPONENT, target), *parts, given=given), *given)
    signs = ("0 < V", *RATE, *(("0 < c",) if negative else ()))
    rises = real("exp(v) <= exp(w)", "v <= w", *signs)
    grown = given_by(specialize(rises, v=EXPONENT, w=target), less)
    yield under(combine(part.claim, grown, given=given), *given), "so R**s is below"


def point_part(name: str, says: str, negative: bool, below_axis: bool) -> Statement:
    """The part for one point of a line."""
    law = on_line(below_axis)
    turn = -HALF if below_axis else HALF
    return Statement(
        f"{name}, at a point",
        f"{says}: |R**s|, with V and W the modulus and the argument of R there",
        at_most(exp(EXPONENT), share(negative, below_axis) * exp(a * log(RATIO))),
        partial(pointwise, negative=negative, below_axis=below_axis),
        (*conditions(negative), *law.support),
        witness=example(
            {
                **{"p": 1, "theta": 0, "a": 0, "q": HALF, "u": 0},
                **{"c": "cos(1/2)", "V": "cos(1/2)", "W": turn},
            }
        ),
    )


def along(part: Statement, negative: bool, below_axis: bool) -> Iterator[Step]:
    """The same in the mean."""
    given = known_of(part)
    law = on_line(below_axis)
    size = share(negative, below_axis)
    whole = exp(a * log(RATIO))
    bound = point_part("", "", negative, below_axis).fact()
    yield bound, "at each point"
    finite = integrable(part.assuming["moment"], E(law, whole))
    scaled = linear(law, size * whole, {whole: size}, finite, where=given)
    over = integrable(scaled, E(law, size * whole))
    lower = specialize(real("0 <= exp(v)", "0 < V"), v=EXPONENT)
    mean = expect(bound, law, dominated(bound, law, over, lower=lower), over)
    uses = (mean, scaled, (part.assuming["moment"], size))
    yield under(combine(part.claim, *uses), *given), "in the mean"


def line_part(name: str, says: str, negative: bool, below_axis: bool) -> Statement:
    """The part for one kind of line and one sign of the power."""
    law = on_line(below_axis)
    moment = E(law, exp(a * log(RATIO)))
    return Statement(
        name,
        f"{says}: the mean of |R**s| over a law of u, with V and W the modulus and the"
        " argument of R there",
        at_most(E(law, exp(EXPONENT)), share(negative, below_axis) * J),
        partial(along, negative=negative, below_axis=below_axis),
        conditions(negative),
        {"moment": assume(equal(moment, J))},
        example(
            {**dict.fromkeys(("p", "theta", "a"), 0), "q": HALF, "I": 1, "c": 1},
            {law.name: [((0, 1, 0), 1)]},
        ),
    )


def lines() -> Iterator[tuple[str, str, bool, bool]]:
    """The four kinds of lines."""
    for name, negative in (("", False), ("-negative", True)):
        power = "a <= 0, c = cos(p/2)" if negative else "a >= 0"
        yield f"above{name}", f"a line above the axis, {power}", negative, False
        yield f"below{name}", f"a line below the axis, {power}", negative, True
