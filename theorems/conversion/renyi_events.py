"""From a Renyi divergence of one order to the probabilities of an event, by a tangent.

Printed: not in the sources.
Proved: If E exp((alpha - 1) L) <= exp((alpha - 1) eps) for one alpha > 1, then P(S) <= growth Q(S)
    + slack for every event S, with the shipped growth and slack of any numbers u > v. Q(S) is E
    exp(-L) on S, the part of it that P can reach. It holds for tests with values in [0, 1] as well.
    The bound is attained for each pair of probabilities (p, q) that have this divergence, where u =
    log(p/q) and v = log((1 - p)/(1 - q)).
Idea: exp((alpha - 1) L) lies above its tangent at L = u in S and at L = v outside of it
    (Bernoulli's inequality).
Source: not in the sources; for v towards minus infinity it is Proposition 12 of Canonne, Kamath and
    Steinke, The discrete Gaussian for differential privacy (conversion/renyi-to-approx). Asoodeh,
    Liao, Calmon, Kosut and Sankar (2021) have the same region as an optimization.
"""

from rdpacct.book.words import (
    E, Expr, Falsehood, Iterator, Law, Statement, Status, Step, TEST, Theorem, assume, at_most,
    below, combine, event_growth, event_slack, example, exp, given_by, on_average, proves,
    ratios_F as F, ratios_L as L, ratios_alpha as alpha, real, specialize, symbols, under,
)  # fmt: skip

eps, u, v, p, q = symbols("eps u v p q")
P = Law("P", ("L", "F"), TEST)
BACK = exp(-L)
MOMENT = exp((alpha - 1) * L)
GROWTH = event_growth(alpha, u, v)
SLACK = event_slack(alpha, eps, u, v)
SCALE = alpha * (exp((alpha - 1) * u) - exp((alpha - 1) * v))


def tangent(at: Expr) -> Expr:
    """The tangent of exp((alpha - 1) L) at a loss, in terms of exp(-L)."""
    return alpha * exp((alpha - 1) * at) - (alpha - 1) * exp(alpha * at) * BACK


BOTH = F * tangent(u) + (1 - F) * tangent(v)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "tangent",
            "a moment of the loss lies above its tangent",
            at_most(tangent(u), MOMENT),
            given=("alpha > 1",),
        ),
        Statement(
            "scale",
            "by which the bound is divided",
            below(0, SCALE),
            given=("alpha > 1", "v < u"),
        ),
        Statement(
            "event",
            "P(S) <= growth Q(S) + slack, as shipped",
            at_most(E(P, F), GROWTH * E(P, BACK * F) + SLACK),
            given=("alpha > 1", "v < u"),
            assuming={
                "moment": assume(at_most(E(P, MOMENT), exp((alpha - 1) * eps))),
                "mass": assume(at_most(E(P, BACK), 1)),
                "event": assume(at_most(E(P, BACK * F), 1)),
            },
        ),
    ),
    rules=(event_growth, event_slack),
)


@proves("tangent")
def above(part: Statement) -> Iterator[Step]:
    """Bernoulli's inequality at L - u."""
    bernoulli = real("1 + a*(exp(z) - 1) <= exp(a*z)", "a >= 1")
    yield bernoulli, "a power lies above its tangent"
    there = specialize(under(bernoulli, "a >= 1", *part.given), a=alpha, z=L - u)
    there = under(there, *part.given)
    yield combine(part.claim, (there, exp(alpha * u - L))), "at L - u"


@proves("scale")
def scale(part: Statement) -> Iterator[Step]:
    """The exponential rises."""
    order = combine(
        below((alpha - 1) * v, (alpha - 1) * u),
        (under(real("v < u", "v < u"), *part.given), alpha - 1),
        given=("alpha > 1",),
    )
    yield order, "alpha - 1 is positive"
    rises = real("exp(x) < exp(y)", "x < y")
    powers = given_by(
        specialize(
            under(rises, "x < y", *part.given), x=(alpha - 1) * v, y=(alpha - 1) * u
        ),
        order,
    )
    yield combine(part.claim, (powers, alpha), given=("alpha > 1",)), "so"


@proves("event")
def event(part: Statement) -> Iterator[Step]:
    """The tangents, averaged over the event and over the rest."""
    known = part.assuming
    inside = THEOREM.part("tangent").fact()
    outside = specialize(inside, u=v)
    yield inside, "the tangent in S"
    yield outside, "and outside of it"
    least = real("0 <= F", "0 <= F")
    most = real("F <= 1", "F <= 1")
    line = combine(
        at_most(BOTH, MOMENT), (inside, F), (outside, 1 - F), (least, 0), (most, 0)
    )
    yield line, "together"
    over = on_average(line, P, *known.values())
    yield over, "averaged"
    positive = THEOREM.part("scale").fact()
    yield positive, "the scale is positive"
    uses = (
        (over, 1 / SCALE),
        (known["moment"], 1 / SCALE),
        (known["mass"], (alpha - 1) * exp(alpha * v) / SCALE),
        (positive, 0),
    )
    yield combine(part.claim, *uses, given=part.given), "divided"


FALSEHOODS = (
    Falsehood(
        "no slack is needed",
        at_most(E(P, F), GROWTH * E(P, BACK * F)),
        ("alpha > 1", "v < u"),
        assuming=dict(THEOREM.part("event").assuming),
        instance=example(
            {"alpha": 2, "eps": "log(2)", "u": 1, "v": 0}, {"P": [(("log(2)", 1), 1)]}
        ),
    ),
    Falsehood(
        "the slack can be halved",
        at_most(E(P, F), GROWTH * E(P, BACK * F) + SLACK / 2),
        ("alpha > 1", "v < u"),
        assuming=dict(THEOREM.part("event").assuming),
        instance=example(
            {"alpha": 2, "eps": "log(2)", "u": "log(2)", "v": -9},
            {"P": [(("log(2)", 1), 1)]},
        ),
    ),
)
