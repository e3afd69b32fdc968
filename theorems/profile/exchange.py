"""The profile of a pair at a negative epsilon, from that of the exchanged pair at a positive one.

Printed: not in the sources.
Proved: Let p and q be the densities of two laws and delta = E max(q - exp(eps) p, 0) the profile of
    the exchanged pair at eps. Then E max(p - exp(-eps) q, 0) = 1 - exp(-eps) (1 - delta).
Idea: max(x, 0) = x + max(-x, 0) at x = p - exp(-eps) q, and the means of p and q are 1.
Source: not in the sources; a known identity of hockey-stick divergences.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Law, Random, Refused, Statement, Status, Step, Symbol,
    Theorem, any_pair, assume, at_most, below_excess, both, by_prover, combine, equal, excess,
    excess_is_positive, exchanged as exchanged_value, exp, expect, formula, integrable, linear,
    positive_part, questions_exchanged as exchanged, relations,
)  # fmt: skip

p, q, eps, delta = (Symbol(name) for name in ("p", "q", "eps", "delta"))
M = Law("M", ("p", "q"), relations("p >= 0", "q >= 0"))
OTHER = excess(q, p, exp(eps))
HERE = excess(p, q, exp(-eps))
SPLIT = p - exp(-eps) * q + exp(-eps) * OTHER
"""What the profile averages, in terms of the exchanged pair."""


def exchange(part: Statement) -> Iterator[Step]:
    """Both sides are at most each other at each output; the identity is averaged."""
    down = exp(-eps)
    up = exp(eps)
    upper = combine(at_most(p - down * q, SPLIT), (excess_is_positive(q, p, up), down))
    lower = combine(at_most(0, SPLIT), (below_excess(q, p, up), down))
    most = positive_part(upper, lower)
    yield most, "where p is larger, and where q is"
    left = up * (HERE - p + down * q)
    over_there = combine(
        at_most(q - up * p, left), (excess_is_positive(p, q, down), up)
    )
    zero = combine(at_most(0, left), (below_excess(p, q, down), up))
    least = combine(at_most(SPLIT, HERE), (positive_part(over_there, zero), down))
    yield least, "the same the other way round"
    same = both(most, least)
    yield same, "at each output"
    rows = {"p is a law": p, "q is a law": q, "exchanged": OTHER}
    finite = [
        integrable(part.assuming[name], E(M, body)) for name, body in rows.items()
    ]
    factors = {p: formula(1), q: -exp(-eps), OTHER: exp(-eps)}
    mean = linear(M, same.relation.right, factors, *finite)
    over = expect(same, M, integrable(mean, mean.relation.left))
    yield over, "averaged"
    uses = [(part.assuming[name], factors[body]) for name, body in rows.items()]
    yield combine(part.claim, over, mean, *uses), "the means are known"


def attack(seed: int) -> int:
    """Random pairs at random factors, in rationals."""
    rng = Random(seed)
    for _ in range(300):
        pair = any_pair(rng, rng.randint(2, 5))
        factor = 1 + Fraction(rng.randint(0, 40), 7)
        rows = list(zip(pair.p, pair.q, strict=True))
        other = sum((max(b - factor * a, Fraction(0)) for a, b in rows), Fraction(0))
        here = sum((max(a - b / factor, Fraction(0)) for a, b in rows), Fraction(0))
        if here != 1 - (1 - other) / factor:
            raise Refused(f"{pair} has {here} at 1/{factor}.")
    return 300


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "exchange",
            "the profile at -eps, from that of the exchanged pair at eps",
            equal(E(M, HERE), exchanged(eps, delta)),
            exchange,
            (),
            {
                "p is a law": assume(equal(E(M, p), 1)),
                "q is a law": assume(equal(E(M, q), 1)),
                "exchanged": assume(equal(E(M, OTHER), delta)),
            },
        ),
    ),
    sharp=(
        Statement(
            "factors",
            "the same at the factor exp(eps)",
            equal(exchanged_value(exp(eps), delta), exchanged(eps, delta)),
            by_prover("one over exp(eps)"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "delta at -eps is delta at eps of the exchanged pair",
            equal(exchanged(eps, delta), delta),
            ("eps > 0", "0 <= delta", "delta < 1"),
        ),
    ),
    attacks=(Attack("random pairs at random factors", attack),),
    rules=(exchanged, exchanged_value),
)
