"""From zero-concentrated differential privacy to (epsilon, delta), at the best order.

Printed: not in the sources.
Proved: If E exp((a - 1) L) <= exp((a - 1) (xi + rho a)) for all a > 1, then P(S) <= exp(e) Q(S) +
    delta for every event S, every delta > 0 and every order alpha > 1, with the e of
    conversion/renyi-to-approx at xi + rho alpha. The shipped function searches a good order in
    floating point and returns that e, evaluated exactly, at a rational order above 1: every order
    gives a valid answer. If rho = 0, then P(S) <= exp(xi) Q(S), without delta.
Idea: The improved conversion at one order; for rho = 0 its delta at e = xi is below 1/alpha, for
    every order.
Source: Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy, Corollary 13.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Iterator, Law, PureDP, Statement, Status, Step, Symbol, TEST, Theorem,
    ZCDP, approx_from_moment, assume, at_most, attack_from_pure, closed, combine, discharge, exp,
    expect, given_by, lemma, log, pure_to_approx, pure_to_zcdp, ratios_F as F, ratios_L as L,
    ratios_alpha as alpha, real, renyi_to_approx, specialize, tested, under, zcdp_to_approx,
    zcdp_to_renyi,
)  # fmt: skip

rho, xi, a, delta, s = (Symbol(name) for name in ("rho", "xi", "a", "delta", "s"))
P = Law("P", ("L", "F"), TEST)
PROMISE = assume(
    at_most(E(P, exp((a - 1) * L)), exp((a - 1) * (xi + rho * a))), "a > 1", every="a"
)
ZERO_PROMISE = assume(
    at_most(E(P, exp((a - 1) * L)), exp((a - 1) * xi)), "a > 1", every="a"
)
MASS = assume(at_most(E(P, exp(-L)), 1))
AT_ORDER = zcdp_to_renyi(ZCDP(rho, xi), alpha)
SHIPPED = renyi_to_approx(AT_ORDER, delta).epsilon
SHIPPED_ZERO = zcdp_to_approx(ZCDP(0, xi), delta).epsilon
REACHED = E(P, exp(-L) * F)
t = Symbol("t")
RESPONSE_RHO = pure_to_zcdp(PureDP(t)).rho
TRIES = 60


def at_order(part: Statement) -> Iterator[Step]:
    """The improved conversion at this order."""
    convert = specialize(
        lemma("conversion/renyi-to-approx", "approx"), eps=AT_ORDER.epsilon
    )
    yield convert, "the improved conversion"
    promise = under(specialize(part.assuming["zcdp"], a=alpha), "alpha > 1")
    yield under(discharge(convert, promise), *part.given), "the promise at this order"


def pure(part: Statement) -> Iterator[Step]:
    """At e = xi what is left is at most 1/alpha."""
    line = lemma("conversion/renyi-to-approx", "power")
    moment = under(specialize(part.assuming["zcdp"], a=alpha), "alpha > 1")
    steps = list(approx_from_moment(line, P, moment, part.assuming["mass"]))
    yield steps[-1][0], "a power above its tangent, averaged"
    exponent = (alpha - 1) * log(1 - 1 / alpha)
    falls = combine(
        at_most(exponent, 0), (real("log(1 - 1/alpha) <= 0", "alpha > 1"), alpha - 1)
    )
    small = given_by(
        specialize(
            under(real("exp(x) <= 1", "x <= 0"), "x <= 0", "alpha > 1"), x=exponent
        ),
        falls,
    )
    there = specialize(steps[-1][0], e=xi)
    left = combine(
        at_most(E(P, F), exp(xi) * REACHED + 1 / alpha), there, (small, 1 / alpha)
    )
    yield left, "what is left at e = xi is at most 1/alpha"
    moved = under(
        specialize(under(left, "alpha > 1", "s > 0"), alpha=1 + 1 / s), "s > 0"
    )
    slack = combine(at_most(E(P, F), exp(xi) * REACHED + s), moved, rest=s**2 / (1 + s))
    yield slack, "below s, at the order 1 + 1/s"
    yield closed(slack, "s"), "for every s"


def shipped_zero(part: Statement) -> Iterator[Step]:
    """The larger of 0 and xi, and a delta on top."""
    exact = THEOREM.parts[1].fact()
    yield exact, "without delta"
    larger = specialize(real("x <= max(0, x)"), x=xi)
    up = given_by(
        specialize(real("exp(x) <= exp(y)", "x <= y"), x=xi, y=SHIPPED_ZERO), larger
    )
    _, finite = tested(P, 1, part.assuming["mass"])
    positive = expect(real(at_most(0, exp(-L) * F), "0 <= F"), P, finite)
    uses = (exact, (up, REACHED), (positive, 0))
    yield (
        combine(part.claim, *uses, rest=delta, given=part.given),
        "the larger of 0 and xi, and delta to spare",
    )


def attack(seed: int) -> int:
    """Random pairs of bounded ratio, which are zCDP: their exact delta at the shipped epsilon."""
    return attack_from_pure(
        seed,
        TRIES,
        lambda pure, small: zcdp_to_approx(pure_to_zcdp(PureDP(pure)), small).epsilon,
    )


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "order",
            "P(S) <= exp(e) Q(S) + delta, with the e of any order, as the shipped"
            " function computes it",
            at_most(E(P, F), exp(SHIPPED) * REACHED + delta),
            at_order,
            ("alpha > 1", "delta > 0"),
            {"zcdp": PROMISE, "mass": MASS},
        ),
        Statement(
            "zero",
            "for rho = 0, P(S) <= exp(xi) Q(S)",
            at_most(E(P, F), exp(xi) * REACHED),
            pure,
            (),
            {"zcdp": ZERO_PROMISE, "mass": MASS},
        ),
        Statement(
            "shipped-zero",
            "and so what the shipped function says for rho = 0",
            at_most(E(P, F), exp(SHIPPED_ZERO) * REACHED + delta),
            shipped_zero,
            ("delta > 0",),
            {"zcdp": ZERO_PROMISE, "mass": MASS},
        ),
    ),
    falsehoods=(
        Falsehood(
            "at epsilon = rho no delta is needed, here for randomized response, where"
            " rho is t tanh(t/2)",
            at_most(pure_to_approx(PureDP(t), RESPONSE_RHO).delta, 0),
            ("t > 0",),
        ),
    ),
    attacks=(Attack("random pairs of bounded ratio, by the shipped function", attack),),
    rules=(zcdp_to_approx,),
)
