"""Pure differential privacy implies zero-concentrated differential privacy with rho = eps**2/2.

Printed: not in the sources.
Proved: If the losses lie in [-eps, eps], eps > 0, then E exp((alpha - 1) L) <= exp((alpha - 1)
    alpha eps**2/2) for every alpha > 1.
Idea: rho = eps tanh(eps/2) does (cdp/from-dp), and tanh(x) <= x.
Source: Bun and Steinke, Concentrated differential privacy, Proposition 1.4.
Finding: rho = eps tanh(eps/2) is smaller, and optimal: 0.462 for 0.5 at eps = 1, at most eps for
    large eps.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, PureDP, Refused, Statement, Status, Step, Symbol,
    Theorem, at_most, bounded_pair, combine, exp, given_by, lemma, log, moment, pure_to_zcdp,
    pure_to_zcdp_classical, random, ratios_L as L, ratios_MASS as MASS, ratios_P as P,
    ratios_eps as eps, real, specialize,
)  # fmt: skip

alpha = Symbol("alpha")
RHO = pure_to_zcdp_classical(PureDP(eps)).rho
SHARP = pure_to_zcdp(PureDP(eps)).rho
TRIES = 100


def proof(part: Statement) -> Iterator[Step]:
    """The optimal rho is smaller."""
    sharper = lemma("cdp/from-dp", "zcdp")
    yield sharper, "with the optimal rho"
    rate = (alpha - 1) * alpha
    less = combine(
        at_most(rate * SHARP, rate * RHO),
        (real(at_most(SHARP, RHO), "eps > 0"), rate),
        given=part.given,
    )
    up = given_by(
        specialize(real("exp(x) <= exp(y)", "x <= y"), x=rate * SHARP, y=rate * RHO),
        less,
    )
    yield up, "tanh(x) <= x"
    yield combine(part.claim, sharper, up), "together"


def attack(seed: int) -> int:
    """Random pairs of bounded ratio at random orders."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        k = 1 + Fraction(rng.randint(1, 40), rng.randint(1, 12))
        order = 1 + Fraction(rng.randint(1, 40), 8)
        pair = bounded_pair(rng, k, rng.randint(2, 4))
        value = moment(pair.p, pair.q, order - 1)
        if (
            at_most(
                value,
                exp((order - 1) * order * pure_to_zcdp_classical(PureDP(log(k))).rho),
            ).at({})
            is False
        ):
            raise Refused(f"the pair {pair} breaks the conversion at order {order}.")
    return TRIES


THEOREM = Theorem(
    verdict=Status.SHARPENED,
    parts=(
        Statement(
            "zcdp",
            "every Renyi divergence of order alpha > 1 is at most alpha eps**2/2",
            at_most(E(P, exp((alpha - 1) * L)), exp((alpha - 1) * alpha * RHO)),
            proof,
            ("eps > 0", "alpha > 1"),
            {"mass": MASS},
        ),
    ),
    falsehoods=(
        Falsehood(
            "rho can be lowered by a twentieth for every eps, here below the"
            " optimal one",
            at_most(SHARP, RHO * 19 / 20),
            ("eps > 0",),
        ),
    ),
    attacks=(Attack("random pairs of bounded ratio, at random orders", attack),),
    rules=(pure_to_zcdp_classical,),
)
