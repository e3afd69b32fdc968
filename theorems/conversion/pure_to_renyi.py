"""The largest Renyi divergence under pure differential privacy.

Printed: not in the sources.
Proved: If the losses lie in [-eps, eps], eps > 0, then E exp((alpha - 1) L) <= (exp(alpha eps) +
    exp((1 - alpha) eps))/(1 + exp(eps)) for alpha > 1: the Renyi divergence is at most that of
    randomized response.
Idea: Split each outcome into losses eps and -eps (cdp/md-dominate): the moment grows, and on the
    two losses it is linear in exp(-loss), whose mean is 1.
Source: the argument of Bun and Steinke, Concentrated differential privacy, for alpha eps**2/2;
    Mironov, Renyi differential privacy, for randomized response.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, PureDP, RESPONSE, Refused, Statement, Status, Step,
    Symbol, Theorem, at_most, bounded_pair, cases, combine, equal, exists, exp, expect, given_by,
    integrable, lemma, linear, log, moment, pure_to_renyi, random, ratios_B as B, ratios_L as L,
    ratios_M as M, ratios_MASS as MASS, ratios_P as P, ratios_eps as eps, specialize, table, under,
)  # fmt: skip

alpha = Symbol("alpha")
t = alpha - 1
SHIPPED = pure_to_renyi(PureDP(eps), alpha).epsilon
TRIES = 150


def proof(part: Statement) -> Iterator[Step]:
    """The moment of the split pair, which is linear in exp(-loss)."""
    grown = under(specialize(lemma("cdp/md-dominate", "moment"), t=t), *part.given)
    yield grown, "the moment of the split pair is no smaller"
    mass = lemma("cdp/md-dominate", "mass")
    body = exp(t * eps * B)
    ratio = exp(-eps * B)
    slope = (exp(-t * eps) - exp(t * eps)) / (exp(eps) - exp(-eps))
    start = exp(t * eps) - slope * exp(-eps)
    line = cases(M, equal(body, start + slope * ratio), "eps > 0")
    yield line, "on two losses, it is a line"
    right = linear(
        M,
        line.relation.right,
        {ratio: slope},
        integrable(mass, E(M, ratio)),
        constant=start,
        where=("eps > 0",),
    )
    total = expect(line, M, integrable(right, E(M, line.relation.right)))
    value = combine(equal(E(M, body), start + slope), total, right, mass)
    yield value, "at the mean of exp(-loss), which is 1"
    whole = combine(part.claim, grown, value)
    split = exists(M, "eps > 0")
    yield given_by(whole, split), "which is the moment of randomized response"


def attained(part: Statement) -> Iterator[Step]:
    """A finite sum."""
    mean = table(RESPONSE, exp(t * eps * B))
    yield mean, "the moment of randomized response"
    yield combine(part.claim, mean, given=part.given), "is the bound"


def attack(seed: int) -> int:
    """Random pairs with ratios in [1/k, k] at random orders, in balls."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        k = 1 + Fraction(rng.randint(1, 40), rng.randint(1, 12))
        order = 1 + Fraction(rng.randint(1, 40), 8)
        pair = bounded_pair(rng, k, rng.randint(2, 4))
        value = moment(pair.p, pair.q, order - 1)
        bound = exp((order - 1) * pure_to_renyi(PureDP(log(k)), order).epsilon)
        if at_most(value, bound).at({}) is False:
            raise Refused(
                f"the pair {pair} breaks the bound at k = {k} and order {order}."
            )
    return TRIES


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "moment",
            "the Renyi divergence is at most that of randomized response",
            at_most(E(P, exp(t * L)), exp(t * SHIPPED)),
            proof,
            ("eps > 0", "alpha > 1"),
            {"mass": MASS},
        ),
    ),
    sharp=(
        Statement(
            "response",
            "randomized response attains it",
            equal(E(RESPONSE, exp(t * eps * B)), exp(t * SHIPPED)),
            attained,
            ("alpha > 1",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the divergence is at most alpha eps**2/4",
            at_most(SHIPPED, alpha * eps**2 / 4),
            ("eps > 0", "alpha > 1"),
        ),
    ),
    attacks=(Attack("random pairs of bounded ratio", attack),),
    rules=(pure_to_renyi,),
)
