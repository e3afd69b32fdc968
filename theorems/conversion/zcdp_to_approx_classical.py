"""From zero-concentrated differential privacy to (epsilon, delta), in closed form.

Printed: not in the sources.
Proved: If E exp((a - 1) L) <= exp((a - 1) (xi + rho a)) for all a > 1, rho > 0, then P(S) <= exp(e)
    Q(S) + delta for every event S and every 0 < delta < 1, with e the larger of 0 and xi + rho + 2
    sqrt(rho log(1/delta)). For rho = 0 even delta = 0 will do (conversion/zcdp-to-approx).
Idea: The classical conversion at the order 1 + sqrt(log(1/delta)/rho).
Source: Bun and Steinke, Concentrated differential privacy, Lemma 3.5.
Finding: The improved conversion (conversion/renyi-to-approx) gives less at the same order.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Iterator, Law, PureDP, Statement, Status, Step, Symbol, TEST, Theorem,
    ZCDP, assume, at_most, attack_from_pure, by_prover, combine, discharge, equal, exp, expect,
    formula, gaussian_delta, given_by, lemma, log, pure_to_zcdp, ratios_F as F, ratios_L as L, real,
    specialize, sqrt, tested, under, zcdp_to_approx_classical,
)  # fmt: skip

rho, xi, a, delta, s, r = (
    Symbol(name) for name in ("rho", "xi", "a", "delta", "s", "r")
)
P = Law("P", ("L", "F"), TEST)
PROMISE = assume(
    at_most(E(P, exp((a - 1) * L)), exp((a - 1) * (xi + rho * a))), "a > 1", every="a"
)
MASS = assume(at_most(E(P, exp(-L)), 1))
SHIPPED = zcdp_to_approx_classical(ZCDP(rho, xi), delta).epsilon
CLOSED = xi + rho + 2 * sqrt(-rho * log(delta))
REACHED = E(P, exp(-L) * F)
TRIES = 100


def proof(part: Statement) -> Iterator[Step]:
    """The classical conversion at the order 1 + s, and then at the best s."""
    order = s + 1
    convert = under(
        lemma("conversion/renyi-to-approx-classical", "approx"),
        "alpha > 1",
        "delta > 0",
        "s > 0",
    )
    convert = specialize(convert, alpha=order, eps=xi + rho * order)
    promise = under(
        specialize(under(part.assuming["zcdp"], "a > 1", "s > 0"), a=order), "s > 0"
    )
    found = under(discharge(convert, promise), "s > 0", *part.given)
    yield found, "at the order 1 + s"
    size = sqrt(-rho * log(delta))
    best = under(specialize(found, s=size / rho), *part.given)
    yield best, "at s = sqrt(log(1/delta)/rho)"
    e = xi + rho * (size / rho + 1) - log(delta) / (size / rho)
    same = real(equal(e, CLOSED), *part.given)
    yield same, "which is the closed form"
    larger = specialize(under(real("x <= max(0, x)"), *part.given), x=CLOSED)
    less = combine(at_most(e, SHIPPED), same, larger)
    up = given_by(
        specialize(
            under(real("exp(x) <= exp(y)", "x <= y"), "x <= y", *part.given),
            x=e,
            y=SHIPPED,
        ),
        less,
    )
    yield up, "or the larger 0"
    _, finite = tested(P, 1, part.assuming["mass"])
    positive = expect(real(at_most(0, exp(-L) * F), "0 <= F"), P, finite)
    yield combine(part.claim, best, (up, REACHED), (positive, 0)), "together"


def attack(seed: int) -> int:
    """Random pairs of bounded ratio, which are zCDP: their exact delta at the shipped epsilon."""
    return attack_from_pure(
        seed,
        TRIES,
        lambda pure, small: (
            zcdp_to_approx_classical(pure_to_zcdp(PureDP(pure)), small).epsilon
        ),
    )


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "approx",
            "P(S) <= exp(e) Q(S) + delta, with the shipped e",
            at_most(E(P, F), exp(SHIPPED) * REACHED + delta),
            proof,
            ("rho > 0", "0 < delta", "delta < 1"),
            {"zcdp": PROMISE, "mass": MASS},
        ),
    ),
    sharp=(
        Statement(
            "order",
            "no other order of the classical conversion gives less: with r ="
            " log(1/delta)",
            at_most(rho + 2 * sqrt(rho * r), rho * (1 + s) + r / s),
            by_prover("the mean of two numbers is at least their geometric mean"),
            ("rho > 0", "r > 0", "s > 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the factor 2 can be dropped, here for the Gaussian pair of rho = 1/2, with"
            " r = log(1/delta)",
            at_most(gaussian_delta(formula(1), formula(1) / 2 + sqrt(r / 2)), exp(-r)),
            ("r > 0",),
        ),
    ),
    attacks=(Attack("random pairs of bounded ratio, at random delta", attack),),
    rules=(zcdp_to_approx_classical,),
)
