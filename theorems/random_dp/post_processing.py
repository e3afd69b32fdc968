"""Post-processing of random differential privacy.

Printed: not in the sources.
Proved: If, on data that are not marked as bad, E[max(p - exp(alpha) q, 0) | data] <= eta, then the
    same holds for the densities p', q' of whatever is made of the output without looking at the
    data; the marks stay, and so does gamma.
Idea: Data processing for the hockey stick, for each data set by itself.
Source: Hall, Rinaldo and Wasserman, Random differential privacy, leave it out; the argument is that
    of Dwork and Roth, The algorithmic foundations of differential privacy, Proposition 2.1.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Law, On, Random, RandomDP, Refused, Statement, Status,
    Step, Symbol, Theorem, assume, at_most, combine, conditional as conditionally, dominated, equal,
    example, excess, excess_is_positive, exp, expect, finite_excess, formula, integrable,
    kept_excess, linear, masses, positive_times, post_process_random, product,
    random_dp_processed as processed, real, relations, scaled, smallest_gamma, tower, under,
)  # fmt: skip

p, q, p_kept, q_kept, B = map(Symbol, ("p", "q", "p_kept", "q_kept", "B"))
GUARANTEE = RandomDP(Symbol("alpha"), Symbol("eta"), gamma=Symbol("gamma"))
AFTER = post_process_random(GUARANTEE)
FACTOR = exp(AFTER.alpha)
D = Law(
    "D",
    ("data", "B", "p", "q", "p_kept", "q_kept"),
    relations("0 <= B <= 1", "p >= 0", "q >= 0"),
)
DATA = ("B", "data")
SEEN = ("B", "data", "p_kept", "q_kept")
WHOLE = excess(p, q, FACTOR)
KEPT = excess(p_kept, q_kept, FACTOR)


def proof(part: Statement) -> Iterator[Step]:
    """Jensen given the data and what is kept, then averaged given the data."""
    mass = part.assuming["mass"]
    promise = part.assuming["promise"]
    whole = finite_excess(D, p, q, FACTOR, integrable(mass, E(D, p)))
    jensen = kept_excess(
        D,
        FACTOR,
        whole,
        part.assuming["p of what is kept"],
        part.assuming["q of what is kept"],
    )
    yield jensen, "Jensen, given the data and what is kept"
    good = real("0 <= 1 - B", "0 <= B <= 1")
    bound = scaled(good, jensen)
    body = (1 - B) * WHOLE
    pulled = linear(D, body, {WHOLE: 1 - B}, conditionally(whole, SEEN), given=SEEN)
    unmarked = combine(at_most((1 - B) * KEPT, E(D, body, SEEN)), bound, (pulled, -1))
    yield unmarked, "on good data"
    joined = tower(D, body, SEEN, integrable(promise, E(D, body, DATA)), coarse=DATA)
    outer = integrable(joined, E(D, E(D, body, SEEN), DATA))
    lower = positive_times(
        1 - B, excess_is_positive(p_kept, q_kept, FACTOR), "0 <= B <= 1"
    )
    inside = dominated(unmarked, D, outer, lower=lower, given=DATA)
    over = expect(unmarked, D, inside, outer, given=DATA)
    yield (
        under(combine(part.claim, over, joined, promise), *part.given),
        "averaged over the output",
    )


HALF = formula(Fraction(1, 2))
"""The densities, with respect to a fair coin, of two outputs that tell all."""


def attack(seed: int) -> int:
    """Random releases on random small populations, through random channels."""
    rng = Random(seed)
    for _ in range(60):
        size = rng.randint(2, 3)
        records = rng.randint(1, 2)
        outputs = rng.randint(2, 3)
        population = dict(enumerate(masses(rng, size)))
        rows = {
            data: dict(enumerate(masses(rng, outputs, 6)))
            for data in product(range(size), repeat=records)
        }
        channel = [dict(enumerate(masses(rng, 2, 9))) for _ in range(outputs)]
        factor = Fraction(rng.randint(4, 12), 4)
        eta = Fraction(rng.choice((0, 1, 2, 5)), 20)
        before = smallest_gamma(rows.__getitem__, population, records, factor, eta)
        after = processed(rows.__getitem__, channel.__getitem__)
        if smallest_gamma(after, population, records, factor, eta) > before:
            raise Refused(f"processing raised gamma above {before}.")
    return 60


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "good data",
            "on data that are not marked as bad, what is made of the output has no"
            " larger hockey stick",
            at_most(E(D, (1 - B) * KEPT, DATA), AFTER.eta),
            proof,
            (On(D),),
            {
                "promise": assume(
                    at_most(
                        E(D, (1 - B) * excess(p, q, exp(GUARANTEE.alpha)), DATA),
                        GUARANTEE.eta,
                    )
                ),
                "mass": assume(equal(E(D, p), 1)),
                "p of what is kept": assume(equal(E(D, p, SEEN), p_kept)),
                "q of what is kept": assume(equal(E(D, q, SEEN), q_kept)),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "the same for what is made of output and data: a constant release becomes a"
            " copy of the record",
            at_most(E(D, (1 - B) * KEPT, DATA), AFTER.eta),
            (On(D),),
            assuming={
                "promise": assume(at_most(E(D, (1 - B) * WHOLE, DATA), GUARANTEE.eta)),
                "mass": assume(equal(E(D, p), 1)),
                "p of what is made": assume(equal(E(D, p_kept, DATA), 1)),
                "q of what is made": assume(equal(E(D, q_kept, DATA), 1)),
            },
            instance=example(
                {"alpha": 0, "eta": 0, "B": 0, "data": 0},
                {"D": [((0, 0, 1, 1, 2, 0), "1/2"), ((0, 0, 1, 1, 0, 2), "1/2")]},
            ),
        ),
    ),
    attacks=(Attack("random releases through random channels", attack),),
    rules=(post_process_random,),
)
