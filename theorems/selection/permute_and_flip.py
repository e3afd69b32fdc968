"""Permute-and-flip: private, as bad as Laplace noise for every epsilon, and not of bounded range.

Printed: not in the sources.
Proved: Given the exponential noise of the others, a candidate wins with probability exp(-max(0, m -
    s)), where s is its score and m the largest of the other noisy scores. If s falls by at most b
    and m rises by at most a, the probability that it wins falls by a factor of at least exp(-(a +
    b)). Of two candidates the first one, w >= 0 ahead, is chosen with probability 1 - exp(-w)/2, as
    shipped: by this race, and by a random order and a coin. For -eps <= at <= eps the two
    candidates with w = (eps - at)/2 have exactly the hockey stick of Laplace noise at exp(at), so
    that the law of selection/halfway is the least one that dominates permute-and-flip.
Idea: The noise of the winner alone is moved.
Source: McKenna and Sheldon, Permute-and-flip (2020), for the mechanism and pure privacy; Ding,
    Kifer, Saghaian, Steinke, Wang, Xiao and Zhang, The permute-and-flip mechanism is identical to
    report-noisy-max with exponential noise (2021).
"""

from rdpacct.book.words import (
    Attack, Comparison, Density, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Random, Refused,
    Statement, Status, Step, Stretch, Symbol, Theorem, at_most, by_prover, combine, dominated,
    equal, example, exp, expect, formula, given_by, integrable, integrate, laplace_delta, linear,
    maximum, real, relations, specialize, two_candidates,
)  # fmt: skip

x, y, w, eps, at = (Symbol(name) for name in ("x", "y", "w", "eps", "at"))
m, n, s, r, a, b = (Symbol(name) for name in ("m", "n", "s", "r", "a", "b"))
OTHERS = Law("N", ("m", "n"), (at_most(n, m + a),))
"""The largest of the other noisy scores, from the two neighbors with the same noise."""
GIVEN = ("0 <= a", "0 <= b", "s - b <= r")
RACE = Density(
    "X",
    ("x",),
    (),
    (Stretch(formula(0), w, exp(-x)), Stretch(w, None, exp(-x))),
)
"""The noise of the second of two candidates, cut at w."""
FIRST, SECOND = two_candidates(eps, w).parts
NONE_AHEAD = two_candidates(eps, formula(0)).parts
MEAN = sum((part.p * part.loss for part in NONE_AHEAD), formula(0))  # type: ignore[attr-defined]
"""The mean loss of two candidates of equal scores, one of which falls behind by eps."""


def survival(level: Expr) -> Expr:
    """The probability that exponential noise of scale 1 exceeds a level."""
    return exp(-maximum(0, level))


def held(condition: Comparison) -> Fact:
    """What is given."""
    return real(condition, condition)


def is_finite(level: Expr) -> Fact:
    """The mean chance of a candidate is finite."""
    upper, lower = (
        specialize(real(one), x=level)
        for one in (at_most(survival(x), 1), at_most(0, survival(x)))
    )
    return dominated(upper, OTHERS, lower=lower)


def slower() -> Fact:
    """The tail of the noise falls by at most exp(-y) over a distance y."""
    here, there = maximum(0, x), maximum(0, x + y)
    least = specialize(real("max(0, u) <= v", "0 <= v", "u <= v"), u=x + y, v=here + y)
    room = combine(at_most(0, here + y), real("0 <= max(0, x)"), held(at_most(0, y)))
    farther = combine(at_most(x + y, here + y), real("x <= max(0, x)"))
    nearer = combine(at_most(there - y, here), given_by(least, room, farther))
    rises = specialize(real("exp(-u) <= exp(-v)", "v <= u"), u=here, v=there - y)
    product = specialize(real("exp(-(v - u)) == exp(u)*exp(-v)"), u=y, v=there)
    return combine(
        at_most(exp(-here), exp(y) * exp(-there)), given_by(rises, nearer), product
    )


def wins(part: Statement) -> Iterator[Step]:
    """Given the noise of the others."""
    moved = m - s + (a + b)
    conditions = relations(*GIVEN)
    reached = combine(
        at_most(n - r, moved), held(OTHERS.support[0]), held(conditions[2])
    )
    falls = real(at_most(survival(y), survival(x)), "x <= y")
    smaller = given_by(specialize(falls, x=n - r, y=moved), reached)
    yield smaller, "the others have risen by a, and the winner fallen by b"
    growth = slower()
    up = combine(at_most(0, a + b), held(conditions[0]), held(conditions[1]))
    later = given_by(specialize(growth, x=m - s, y=a + b), up)
    yield later, "the winner's noise is moved"
    first, second = survival(m - s), survival(n - r)
    line = combine(at_most(first, exp(a + b) * second), later, (smaller, exp(a + b)))
    known = is_finite(n - r)
    scaled = linear(OTHERS, exp(a + b) * second, {second: exp(a + b)}, known)
    over = expect(
        line, OTHERS, is_finite(m - s), integrable(scaled, scaled.relation.left)
    )
    yield over, "averaged over the noise of the others"
    yield combine(part.claim, over, scaled), "so"


def race(part: Statement) -> Iterator[Step]:
    """The first one wins where the noise of the second is below w plus its own."""
    before = real(equal(survival(x - w), 1), "x <= w")
    after = real(equal(survival(x - w), exp(w - x)), "w <= x")
    total = integrate(
        RACE,
        survival(x - w),
        (-exp(-x), -exp(w - 2 * x) / 2),
        (-exp(-x), -exp(-x)),
        *part.given,
        on=((before,), (after,)),
    )
    yield total, "two pieces"
    yield combine(part.claim, total), "added up"


def attack(seed: int) -> int:
    """The shipped pairs of two candidates, against the pure epsilon and the law of Laplace
    noise.
    """
    rng = Random(seed)
    for _ in range(60):
        epsilon = formula(Fraction(rng.randint(1, 60), 10))
        loss = two_candidates(epsilon, epsilon * Fraction(rng.randint(0, 8), 8))
        level = Fraction(rng.randint(0, 60), 10)
        most = laplace_delta(epsilon, level)
        if loss.delta(level).certainly_above(most.bound()):
            raise Refused(f"two candidates exceed the law at {epsilon} and {level}.")
    return 60


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "that a random order with coins is the race of exponential noise (the paper of 2021),"
        " that the largest of the other scores moves by no more than the scores do, and that a"
        " bound for each candidate is one for each set of them",
    ),
    parts=(
        Statement(
            "wins",
            "the probability that a candidate wins falls by at most exp(-(a + b))",
            at_most(
                E(OTHERS, survival(m - s)), exp(a + b) * E(OTHERS, survival(n - r))
            ),
            wins,
            GIVEN,
            witness=example({"a": 0, "b": 0, "s": 0, "r": 0}, {"N": [((0, 0), 1)]}),
        ),
        Statement(
            "race",
            "the shipped chance of the first of two candidates, w ahead, by the race",
            equal(E(RACE, survival(x - w)), FIRST.p),  # type: ignore[attr-defined]
            race,
            ("0 <= w",),
        ),
        Statement(
            "coins",
            "and by a random order and the coin of the second",
            equal(FIRST.p, formula(1) / 2 + (1 - exp(-w)) / 2),  # type: ignore[attr-defined]
            by_prover("the second comes first with probability 1/2"),
        ),
        Statement(
            "fallen",
            "the shipped chance after it has fallen back by eps: that of the other, eps - w"
            " ahead, subtracted from 1",
            equal(FIRST.q, 1 - FIRST.p.at(w=eps - w)),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
    ),
    sharp=(
        Statement(
            "least",
            "at eps = at + 2 w, two candidates have the delta of the dominating law",
            equal((FIRST.p - exp(at) * FIRST.q).at(eps=at + 2 * w), 1 - exp(-w)),  # type: ignore[attr-defined]
            by_prover("both shares are exp(-w)/2"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "it is eps**2/8-zCDP, as the exponential mechanism is: even the mean loss is larger",
            at_most(MEAN, eps**2 / 8),
            ("0 < eps",),
        ),
        Falsehood(
            "its losses lie in an interval of length eps (bounded range)",
            at_most(NONE_AHEAD[0].loss - NONE_AHEAD[1].loss, eps),  # type: ignore[attr-defined]
            ("0 < eps",),
        ),
    ),
    attacks=(Attack("two candidates", attack),),
    rules=(two_candidates,),
)
