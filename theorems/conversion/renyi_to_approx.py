"""From a Renyi divergence of one order to (epsilon, delta), improved.

Printed: not in the sources.
Proved: If E exp((alpha - 1) L) <= exp((alpha - 1) eps) for one alpha > 1, then P(S) <= exp(e) Q(S)
    + delta for every event S and every 0 < delta, where e is the larger of 0 and eps + log(1 -
    1/alpha) - (log(delta) + log(alpha))/(alpha - 1). Q(S) is E exp(-L) on S, the part of it that P
    can reach. It holds for tests with values in [0, 1] as well.
Idea: With y = exp(L - e): 1 - 1/y <= y**(alpha - 1) (1 - 1/alpha)**(alpha - 1)/alpha, which is a
    power above its tangent at y = alpha/(alpha - 1) (Bernoulli's inequality), averaged over P.
Source: Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy, Proposition 12.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Iterator, Law, RenyiDP, Statement, Status, Step, Symbol, TEST, Theorem,
    approx_from_moment, assume, at_most, attack_from_renyi, by_prover, combine, equal, exp,
    given_by, log, ratios_F as F, ratios_L as L, ratios_alpha as alpha, ratios_e as e,
    ratios_z as z, real, renyi_to_approx, specialize, under,
)  # fmt: skip

eps = Symbol("eps")
delta = Symbol("delta")
P = Law("P", ("L", "F"), TEST)
SHIPPED = renyi_to_approx(RenyiDP(alpha, eps), delta).epsilon
NEEDED = eps - (log(delta) + log(alpha)) / (alpha - 1) + log(1 - 1 / alpha)
TRIES = 150


def power(part: Statement) -> Iterator[Step]:
    """Bernoulli's inequality at z - log(alpha/(alpha - 1))."""
    bernoulli = real("1 + a*(exp(z) - 1) <= exp(a*z)", "a >= 1")
    yield bernoulli, "a power lies above its tangent"
    there = under(
        specialize(
            under(bernoulli, "a >= 1", *part.given), a=alpha, z=z + log(1 - 1 / alpha)
        ),
        *part.given,
    )
    yield (
        combine(part.claim, (there, exp(-z) / (alpha - 1))),
        "the tangent at alpha/(alpha - 1)",
    )


def proof(part: Statement) -> Iterator[Step]:
    """The power, averaged; then the e at which what is left is delta."""
    line = THEOREM.parts[0].fact()
    yield line, "a power above its tangent"
    steps = list(
        approx_from_moment(line, P, part.assuming["moment"], part.assuming["mass"])
    )
    yield from steps
    enough = real(at_most(NEEDED, e), at_most(NEEDED, e), *part.given)
    rest = (alpha - 1) * (log(1 - 1 / alpha) + eps - e) - log(alpha)
    logs = combine(at_most(rest, log(delta)), (enough, alpha - 1))
    yield logs, "the choice of e"
    small = given_by(
        specialize(
            under(real("exp(x) <= exp(y)", "x <= y"), "x <= y", *part.given),
            x=rest,
            y=log(delta),
        ),
        logs,
    )
    bound = at_most(E(P, F), exp(e) * E(P, exp(-L) * F) + delta)
    found = combine(bound, steps[-1][0], small)
    yield found, "for any e from there on"
    larger = specialize(under(real("x <= max(0, x)"), *part.given), x=NEEDED)
    yield (
        given_by(specialize(found, e=SHIPPED), larger),
        "in particular for the shipped one",
    )


def attack(seed: int) -> int:
    """Random pairs with their exact divergence of an order: their exact delta at the shipped
    epsilon.
    """
    return attack_from_renyi(
        seed,
        TRIES,
        lambda order, e_, small: renyi_to_approx(RenyiDP(order, e_), small).epsilon,
    )


CONSTANT = exp((alpha - 1) * log(1 - 1 / alpha)) / alpha
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "power",
            "1 - exp(-z) is at most a multiple of exp((alpha - 1) z)",
            at_most(1 - exp(-z), CONSTANT * exp((alpha - 1) * z)),
            power,
            ("alpha > 1",),
        ),
        Statement(
            "approx",
            "P(S) <= exp(e) Q(S) + delta, with the shipped e",
            at_most(E(P, F), exp(SHIPPED) * E(P, exp(-L) * F) + delta),
            proof,
            ("alpha > 1", "delta > 0"),
            {
                "moment": assume(
                    at_most(E(P, exp((alpha - 1) * L)), exp((alpha - 1) * eps))
                ),
                "mass": assume(at_most(E(P, exp(-L)), 1)),
            },
        ),
    ),
    sharp=(
        Statement(
            "point-mass",
            "attained at delta = 1/alpha, by P on one outcome that Q has with"
            " probability exp(-eps)",
            equal(1 - exp(NEEDED.at(delta=1 / alpha)) * exp(-eps), 1 / alpha),
            by_prover("P(S) - exp(e) Q(S) is delta"),
            ("alpha > 1",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the multiple can be halved",
            at_most(1 - exp(-z), CONSTANT / 2 * exp((alpha - 1) * z)),
            ("alpha > 1",),
        ),
    ),
    attacks=(
        Attack("random pairs at random orders, with their exact divergence", attack),
    ),
    rules=(renyi_to_approx,),
)
