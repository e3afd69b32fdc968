"""A bound on one Renyi divergence bounds those of all smaller orders.

Printed: not in the sources.
Proved: If E exp(t (L - eps)) <= 1 under P for one t, then E exp(r t (L - eps)) <= 1 for every r in
    (0, 1]: the divergence of order 1 + t bounds that of order 1 + r t. With xi + rho order in place
    of eps the bound on log E exp(s L) is the shipped s (xi + rho (1 + s)).
Idea: A power exp(r z) lies below its chord 1 + r (exp(z) - 1), averaged over P.
Source: van Erven and Harremoes (2014), Renyi divergence and Kullback-Leibler divergence, Theorem 3.
"""

from rdpacct.book.words import (
    Attack, Ball, E, Falsehood, Fraction, Iterator, Law, Refused, RenyiDP, Statement, Status, Step,
    Symbol, Theorem, ZERO, any_pair, assume, at_most, by_prover, combine, dominated, equal, exp,
    expect, integrable, linear, log_moment_bound, random, real, renyi_at_smaller_order, specialize,
    under,
)  # fmt: skip

L, eps, r, t, z, rho, xi, alpha = map(
    Symbol, ("L", "eps", "r", "t", "z", "rho", "xi", "alpha")
)
P = Law("P", ("L",))
TRIES = 150


def smaller(part: Statement) -> Iterator[Step]:
    """The chord, averaged over P."""
    line = specialize(THEOREM.parts[0].fact(), z=t * (L - eps))
    yield line, "a power below its chord"
    moment = part.assuming["moment"]
    growth = exp(t * (L - eps))
    finite = integrable(moment, E(P, growth))
    chord = linear(P, 1 + r * (growth - 1), {growth: r}, finite, constant=1 - r)
    above = integrable(chord, E(P, 1 + r * (growth - 1)))
    below = specialize(real("0 <= exp(r*z)", "r > 0"), z=t * (L - eps))
    power = dominated(
        under(line, *part.given), P, above, lower=under(below, *part.given)
    )
    over = expect(under(line, *part.given), P, power, above)
    yield over, "averaged"
    yield (
        combine(part.claim, over, chord, (moment, r), given=part.given),
        "with the bound on the moment",
    )


def attack(seed: int) -> int:
    """Random pairs: the exact divergence of a smaller order against the shipped bound from a larger
    one.
    """
    rng = random.Random(seed)
    for _ in range(TRIES):
        pair = any_pair(rng, rng.randint(2, 5))
        rate = Fraction(rng.randint(1, 24), 8)
        share = Fraction(rng.randint(1, 8), 8)
        rows = [
            (Ball.of(p, 128), Ball.of(q, 128))
            for p, q in zip(pair.p, pair.q, strict=True)
        ]
        logs = [
            sum(
                (p * ((p / q).log() * s).exp() for p, q in rows), start=Ball.of(0, 128)
            ).log()
            for s in (rate, share * rate)
        ]
        bound = log_moment_bound(
            Ball.of(0, 128), logs[0] / rate, Ball.of(share * rate, 128)
        )
        if (logs[1] - bound).certainly_positive():
            raise Refused(
                f"the pair {pair} has a larger divergence of a smaller order."
            )
    return TRIES


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "chord",
            "exp(r z) is at most 1 + r (exp(z) - 1)",
            at_most(exp(r * z), 1 + r * (exp(z) - 1)),
            by_prover("a power with exponent at most one lies below its tangent at 1"),
            ("r > 0", "r <= 1"),
        ),
        Statement(
            "smaller",
            "the divergence of order 1 + t bounds that of order 1 + r t",
            at_most(E(P, exp(r * (t * (L - eps)))), 1),
            smaller,
            ("r > 0", "r <= 1"),
            {"moment": assume(at_most(E(P, exp(t * (L - eps))), 1))},
        ),
        Statement(
            "shipped-renyi",
            "for one order the shipped bound is s eps",
            equal(log_moment_bound(ZERO, eps, r * t), r * t * eps),
            by_prover("no rho"),
        ),
        Statement(
            "guarantee",
            "the guarantee of the smaller order has the same epsilon",
            equal(renyi_at_smaller_order(RenyiDP(1 + t, eps), 1 + r * t).epsilon, eps),
            by_prover("the same number"),
        ),
        Statement(
            "shipped-zcdp",
            "for all orders it is (alpha - 1)(xi + rho alpha)",
            equal(
                log_moment_bound(rho, xi, alpha - 1), (alpha - 1) * (xi + rho * alpha)
            ),
            by_prover("s = alpha - 1"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "r may exceed 1: exp(2 z) <= 1 + 2 (exp(z) - 1)",
            at_most(exp(2 * z), 1 + 2 * (exp(z) - 1)),
        ),
    ),
    attacks=(Attack("random pairs at two orders", attack),),
    rules=(log_moment_bound, renyi_at_smaller_order),
)
