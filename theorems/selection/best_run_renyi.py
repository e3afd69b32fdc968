"""The best of a negative binomial number of runs, from Renyi divergences of one run.

Printed: not in the sources.
Proved: If one run has the Renyi divergences eps of order lambda and eps' of order lambda', the best
    of K runs has a divergence of order lambda of at most eps + (1 + eta) (1 - 1/lambda') eps' + (1
    + eta) log(1/gamma)/lambda' + log(E K)/(lambda - 1), for every shape eta > -1, where K has the
    truncated negative binomial law of selection/best-run. For, with lambda' = 1 + s, an event has T
    <= exp((b + s u)/(1 + s)) where exp(u) is its probability on the neighbor and exp(b) at least
    the part of E exp(s L) that is on it. So the growth of selection/best-run is R = exp((b - log
    gamma)/(1 + s)), as shipped. The least R of selection/best-run is never larger, since it is the
    least that any event allows.
Idea: Hoelder's inequality for an event, by a tangent; then a power with an exponent below 1 is
    concave, and the base of a weight is at least gamma.
Source: Papernot and Steinke, Hyperparameter tuning with Renyi differential privacy (2022), Theorem
    2, stated from the known theorem and from what dp-accounting 0.6.0 computes, and not quoted.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Statement, Status, Step, TEST, Theorem, ZERO, assume, at_most,
    best_run_shift, by_prover, combine, equal, example, exp, given_by, log, log_best_moment,
    log_growth_by_moment, on_average, proves, ratios_F as F, ratios_L as L, real, specialize,
    symbols, under,
)  # fmt: skip

T, u, V, g, eta, m, b, s, r, z = symbols("T u V gamma eta m b s r z")
eps, hat, t = symbols("eps hat t")
P = Law("P", ("L", "F"), TEST)
EVENT = (b + s * u) / (1 + s)
CENTER = (b - u) / (1 + s)
"""The loss at which a moment has its tangent."""
BASE = ("exp(V) == gamma + (1 - gamma)*exp(u)", "0 < gamma", "gamma <= 1")
"""The base of a weight, as exp(V)."""
CLOSE = at_most(T, exp(EVENT))
SHIPPED = log_growth_by_moment(b, log(g), s)
TOTAL = log_best_moment(
    s * eps, log(m), best_run_shift(log_growth_by_moment(t * hat, log(g), t), eta), s
)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "tangent",
            "a moment and the other law together",
            at_most(1 + s, exp(s * z) + s * exp(-z)),
            given=("0 < s",),
        ),
        Statement(
            "event",
            "the probability of an event, from its part of a moment and from its other"
            " probability",
            at_most(E(P, F), exp(EVENT)),
            given=("0 < s",),
            assuming={
                "other": assume(at_most(E(P, exp(-L) * F), exp(u))),
                "moment": assume(at_most(E(P, exp(s * L) * F), exp(b))),
            },
        ),
        Statement(
            "concave",
            "a power with an exponent of at most 1 is concave",
            at_most(g + (1 - g) * exp(r * u), exp(r * V)),
            given=("0 < r", "r <= 1", *BASE),
        ),
        Statement(
            "growth",
            "the growth of the bases of the weights, as shipped",
            at_most(g + (1 - g) * T, exp(SHIPPED) * exp(V)),
            given=(*BASE, "0 < s", "0 <= b", "log(gamma) <= V", CLOSE),
        ),
        Statement(
            "published",
            "the divergence of the best run is the published sum",
            equal(
                TOTAL / s,
                eps
                + (1 + eta) * (1 - 1 / (1 + t)) * hat
                + (1 + eta) * log(1 / g) / (1 + t)
                + log(m) / s,
            ),
            by_prover("1 - 1/lambda' is t/(1 + t)"),
            ("0 < s", "0 < t", "0 < gamma", "0 < m"),
        ),
    ),
    sharp=(
        Statement(
            "one loss",
            "attained by an event on which the loss is the same everywhere, and always",
            equal(EVENT.at(b=s * z, u=-z), 0),
            by_prover("T is 1 and E exp(s L) is exp(s L)"),
            ("0 < s",),
        ),
    ),
    rules=(log_growth_by_moment,),
)


@proves("tangent")
def tangent(part: Statement) -> Iterator[Step]:
    """Two exponentials above their tangents at 0."""
    line = real("1 + x <= exp(x)")
    first = specialize(line, x=s * z)
    second = specialize(line, x=-z)
    yield combine(part.claim, first, (second, s), given=part.given), "at 0"


@proves("event")
def event(part: Statement) -> Iterator[Step]:
    """The tangent at the center, on the event."""
    known = part.assuming
    given = (*P.support, *part.given)
    line = specialize(THEOREM.part("tangent").fact(), z=L - CENTER)
    yield line, "at the center"
    least = real("0 <= F", "0 <= F")
    rest = exp(-s * CENTER) * (exp(s * L) * F) + s * exp(CENTER) * (exp(-L) * F)
    scaled = combine(at_most((1 + s) * F, rest), (line, F), (least, 0), given=given)
    yield scaled, "on the event"
    over = on_average(scaled, P, *known.values(), where=part.given)
    yield over, "averaged"
    uses = (
        (over, 1 / (1 + s)),
        (known["moment"], exp(-s * CENTER) / (1 + s)),
        (known["other"], s * exp(CENTER) / (1 + s)),
    )
    yield combine(part.claim, *uses, given=part.given), "divided"


@proves("concave")
def concave(part: Statement) -> Iterator[Step]:
    """A power below its tangent at the base."""
    given = part.given
    chord = under(real("exp(r*z) <= 1 + r*(exp(z) - 1)", "0 < r", "r <= 1"), *given)
    first = specialize(chord, z=-V)
    second = specialize(chord, z=u - V)
    yield chord, "a power below its tangent"
    base = real(BASE[0], BASE[0])
    uses = (
        (first, g * exp(r * V)),
        (second, (1 - g) * exp(r * V)),
        (base, -r * exp(r * V - V)),
    )
    yield combine(part.claim, *uses, given=given), "at both ends of the base"


@proves("growth")
def growth(part: Statement) -> Iterator[Step]:
    """Concavity, and the least base."""
    given = part.given
    factor = exp(b / (1 + s))
    power = s / (1 + s)
    mixed = specialize(
        under(THEOREM.part("concave").fact(), "0 < r", "r <= 1", *given), r=power
    )
    mixed = under(mixed, *given)
    yield mixed, "with the exponent s/(1 + s)"
    close = real(CLOSE, CLOSE, "0 < s")
    large = under(
        specialize(
            under(real("1 <= exp(x)", "0 <= x"), "0 <= x", *given), x=b / (1 + s)
        ),
        *given,
    )
    yield large, "the factor is at least 1"
    rise = combine(
        at_most(b / (1 + s) + power * V, SHIPPED + V),
        (real("log(gamma) <= V", "log(gamma) <= V", "0 < gamma"), 1 / (1 + s)),
        given=given,
    )
    powers = given_by(
        specialize(
            under(real("exp(x) <= exp(y)", "x <= y"), "x <= y", *given),
            x=b / (1 + s) + power * V,
            y=SHIPPED + V,
        ),
        rise,
    )
    yield powers, "the base is at least gamma"
    uses = (close, 1 - g), (large, g), (mixed, factor), powers
    yield combine(part.claim, *uses, given=given), "together"


FALSEHOODS = (
    Falsehood(
        "the growth needs no log(1/gamma)",
        at_most(g + (1 - g) * T, exp(log_growth_by_moment(b, ZERO, s)) * exp(V)),
        THEOREM.part("growth").given,
        instance=example(
            {
                **{"gamma": "1/2", "s": 1, "b": 0, "u": -4},
                **{"V": "log(1/2 + exp(-4)/2)", "T": "exp(-2)"},
            }
        ),
    ),
    Falsehood(
        "the event has less than that",
        at_most(E(P, F), exp(EVENT - 1)),
        ("0 < s",),
        assuming=dict(THEOREM.part("event").assuming),
        instance=example({"s": 1, "b": 1, "u": -1}, {"P": [((1, 1), 1)]}),
    ),
    Falsehood(
        "with eta in place of 1 + eta the sum is no smaller",
        at_most(
            best_run_shift(log_growth_by_moment(t * hat, log(g), t), eta),
            eta * log_growth_by_moment(t * hat, log(g), t),
        ),
        ("0 < t", "0 < hat", "0 < gamma", "gamma < 1", "0 <= eta"),
    ),
)
