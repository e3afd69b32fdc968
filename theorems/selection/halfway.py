"""Where there is a law on the way between two laws, the pair of Laplace noise is at least as bad.

Printed: not in the sources.
Proved: Let p and q be the densities of the outputs on two neighbors, and m that on an input on the
    way between them, with m <= exp(w) p and m <= exp(eps - w) q for w = (eps - at)/2. Then the
    hockey stick of p and q at exp(at) is at most 1 - exp(-w), which for -eps <= at <= eps is that
    of Laplace noise whose center moves by eps scales. Without such an m, pure differential privacy
    alone allows that of randomized response, which is larger. So the Laplace pair dominates every
    mechanism that is d-differentially private for inputs at a distance d, where inputs at each
    distance lie between any two: noisy maxima, permute-and-flip and the sparse vector technique
    are such, as their scores may move by any share of the sensitivity.
Idea: p - exp(at) q is at most p - exp(-w) m, which is never negative and has the mean 1 - exp(-w).
Source: ours; the pair of Laplace noise is that of laplace/delta.
"""

from rdpacct.book.words import (
    Attack, E, Fact, Falsehood, Fraction, Iterator, Law, Random, Refused, Statement, Status, Step,
    Symbol, Theorem, assume, at_most, by_prover, combine, dominated, equal, example, exp, expect,
    exponential_delta, given_by, halfway_law, integrable, linear, maximum, real, relations,
    specialize, under,
)  # fmt: skip

p, q, m, at, w, eps = (Symbol(name) for name in ("p", "q", "m", "at", "w", "eps"))
M = Law(
    "M",
    ("p", "q", "m"),
    (
        *relations("0 <= p", "0 <= q", "0 <= m"),
        at_most(m, exp(w) * p),
        at_most(m, exp(at + w) * q),
    ),
)
"""Densities relative to any law; with eps = at + 2 w the second ratio is exp(eps - w)."""
HYPOTHESES = {
    "p is a law": assume(equal(E(M, p), 1)),
    "m is a law": assume(equal(E(M, m), 1)),
}
STICK = E(M, maximum(0, p - exp(at) * q))
SHIPPED = halfway_law(eps)


def proof(part: Statement) -> Iterator[Step]:
    """Output by output."""
    line = pointwise()
    yield line, "at each output"
    first, middle = part.assuming["p is a law"], part.assuming["m is a law"]
    rest = linear(
        M,
        p - exp(-w) * m,
        {p: 1, m: -exp(-w)},
        integrable(first, E(M, p)),
        integrable(middle, E(M, m)),
    )
    bound = integrable(rest, rest.relation.left)
    least = specialize(real("0 <= max(0, y)"), y=p - exp(at) * q)
    whole = dominated(line, M, bound, lower=least)
    over = expect(line, M, whole, bound)
    yield over, "averaged"
    yield combine(part.claim, over, rest, first, (middle, -exp(-w))), "p and m are laws"


def pointwise() -> Fact:
    """p - exp(at) q <= p - exp(-w) m, and 0 <= p - exp(-w) m."""
    close_p, close_q = (real(one, one) for one in M.support[3:])
    more = combine(at_most(exp(-w) * m, p), (close_p, exp(-w)))
    less = combine(
        at_most(p - exp(at) * q, p - exp(-w) * m), (close_q, exp(-w)), (more, 0)
    )
    larger = specialize(
        real("max(0, y) <= z", "0 <= z", "y <= z"), y=p - exp(at) * q, z=p - exp(-w) * m
    )
    positive = combine(at_most(0, p - exp(-w) * m), more)
    return under(given_by(larger, positive, less), *M.support)


def attack(seed: int) -> int:
    """Random rows whose ratios are bounded, with a random law between them, in exact rationals."""
    rng = Random(seed)
    tried = 0
    while tried < 100:
        size = rng.randint(2, 5)
        middle = [Fraction(rng.randint(1, 30)) for _ in range(size)]
        rows = [
            [one * Fraction(rng.randint(10, 30), 10) for one in middle]
            for _ in range(2)
        ]
        laws = [[one / sum(row) for one in row] for row in (middle, *rows)]
        (mass, first, second), level = laws, Fraction(rng.randint(2, 30), 10)
        near = max(one / two for one, two in zip(mass, first, strict=True))
        far = max(one / two for one, two in zip(mass, second, strict=True))
        share = max(near, far / level)
        sticks = sum(
            (
                max(x - level * y, Fraction(0))
                for x, y in zip(first, second, strict=True)
            ),
            Fraction(0),
        )
        if sticks > 1 - 1 / share:
            raise Refused(f"{laws} break the bound at {level}.")
        tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "that a mechanism of scores has such an input: the scores a share w/eps of the way"
        " from one neighbor to the other",
    ),
    parts=(
        Statement(
            "stick",
            "the hockey stick at exp(at)",
            at_most(STICK, 1 - exp(-w)),
            proof,
            (),
            HYPOTHESES,
            example({"at": 0, "w": 1}, {"M": [((1, 1, 1), 1)]}),
        ),
        Statement(
            "shipped",
            "that is the delta of the shipped law, with eps = at + 2 w",
            equal(SHIPPED.forms.delta(at).at(eps=at + 2 * w), 1 - exp(-w)),  # type: ignore[misc]
            by_prover("half of at less eps is -w"),
            ("w >= 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "pure differential privacy of the two neighbors is enough",
            at_most(STICK, 1 - exp(-w)),
            assuming={"p is a law": HYPOTHESES["p is a law"]},
            instance=example(
                {"at": 0, "w": "log(3)/2"},
                {"M": [(("3/2", "1/2", 0), "1/2"), (("1/2", "3/2", 0), "1/2")]},
            ),
        ),
        Falsehood(
            "it is no larger than the bounded range of the exponential mechanism allows",
            at_most(1 - exp(-w), exponential_delta(2 * w, 0)),
            ("0 < w",),
        ),
    ),
    attacks=(Attack("random laws with another between them", attack),),
    rules=(halfway_law,),
)
