"""Zero-concentrated differential privacy at one order.

Printed: not in the sources.
Proved: If E exp((a - 1) L) <= exp((a - 1) (xi + rho a)) for all a > 1, then so at the order alpha >
    1: the Renyi divergence of that order is at most xi + rho alpha.
Idea: The definition.
Source: Bun and Steinke, Concentrated differential privacy, the definition of (xi, rho)-zCDP.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Law, PureDP, Refused, Statement, Status, Step, Symbol,
    Theorem, ZCDP, assume, at_most, bounded_pair, combine, exp, log, moment, pure_to_zcdp, random,
    specialize, under, zcdp_to_renyi,
)  # fmt: skip

rho, xi, a, alpha, L = (Symbol(name) for name in ("rho", "xi", "a", "alpha", "L"))
P = Law("P", ("L",))
PROMISE = assume(
    at_most(E(P, exp((a - 1) * L)), exp((a - 1) * (xi + rho * a))), "a > 1", every="a"
)
SHIPPED = zcdp_to_renyi(ZCDP(rho, xi), alpha).epsilon
TRIES = 100


def proof(part: Statement) -> Iterator[Step]:
    """One value of the order."""
    there = under(specialize(part.assuming["zcdp"], a=alpha), *part.given)
    yield combine(part.claim, there), "the definition at this order"


def attack(seed: int) -> int:
    """Random pairs of bounded ratio, which are zCDP, at random orders."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        k = 1 + Fraction(rng.randint(1, 40), rng.randint(1, 12))
        order = 1 + Fraction(rng.randint(1, 40), 8)
        pair = bounded_pair(rng, k, rng.randint(2, 4))
        value = moment(pair.p, pair.q, order - 1)
        bound = zcdp_to_renyi(pure_to_zcdp(PureDP(log(k))), order).epsilon
        if at_most(value, exp((order - 1) * bound)).at({}) is False:
            raise Refused(f"the pair {pair} breaks the definition at order {order}.")
    return TRIES


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "order",
            "the Renyi divergence of order alpha is at most xi + rho alpha",
            at_most(E(P, exp((alpha - 1) * L)), exp((alpha - 1) * SHIPPED)),
            proof,
            ("alpha > 1",),
            {"zcdp": PROMISE},
        ),
    ),
    falsehoods=(
        Falsehood(
            "the divergence is at most xi + rho at every order, here for the Gaussian,"
            " where it is xi + rho alpha",
            at_most(SHIPPED, xi + rho),
            ("alpha > 1", "rho > 0"),
        ),
    ),
    attacks=(Attack("random pairs of bounded ratio, at random orders", attack),),
    rules=(zcdp_to_renyi,),
)
