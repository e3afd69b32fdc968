"""The largest score with Laplace noise is private, and so by every share of the sensitivity.

Printed: not in the sources.
Proved: Let S be the probability that Laplace noise of scale 1 exceeds a level. Then S(x) <= exp(y -
    x) S(y) for x <= y. Given the noise of the others, a candidate wins with probability S(m - s),
    where s is its score and m the largest of the other noisy scores. If between neighbors s falls
    by at most b and m rises by at most a, the probability that it wins falls by a factor of at
    least exp(-(a + b)): for scores that move by half of epsilon scales either way a + b is epsilon,
    and for monotone scores that move by epsilon too. Two Laplace variables add up to more than w >=
    0 with probability (2 + w) exp(-w)/4, as shipped. If two candidates are w behind two others, one
    of them is chosen with the shipped probability. Two candidates far apart have losses as near to
    epsilon as one likes.
Idea: The noise of the winner alone is moved.
Source: Dwork and Roth, The algorithmic foundations of differential privacy (2014), Claim 3.9, for
    monotone counts.
"""

from rdpacct.book.words import (
    Attack, Comparison, Density, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Random, Refused,
    Statement, Status, Step, Stretch, Symbol, Theorem, absolute, at_most, by_prover, combine,
    dominated, either, equal, example, exp, expect, formula, four_noisy_scores, given_by,
    integrable, integrate, linear, minimum, real, relations, specialize, sum_above, two_behind_win,
    two_low_scores, two_noisy_scores,
)  # fmt: skip

x, y, z, w, eps = (Symbol(name) for name in ("x", "y", "z", "w", "eps"))
m, n, s, r, a, b = (Symbol(name) for name in ("m", "n", "s", "r", "a", "b"))
OTHERS = Law("N", ("m", "n"), (at_most(n, m + a),))
"""The largest of the other noisy scores, from the two neighbors with the same noise."""
GIVEN = ("0 <= a", "0 <= b", "s - b <= r")
NOISE = Density(
    "X",
    ("x",),
    (),
    (
        Stretch(None, formula(0), exp(x) / 2),
        Stretch(formula(0), w, exp(-x) / 2),
        Stretch(w, None, exp(-x) / 2),
    ),
)
"""Laplace noise of scale 1, cut at 0 and at w."""


def survival(level: Expr) -> Expr:
    """The probability that Laplace noise of scale 1 exceeds a level."""
    return 1 - exp(minimum(level, 0)) + exp(-absolute(level)) / 2


SLOWER = at_most(survival(x), exp(y - x) * survival(y))


def in_three_cases(claim: Comparison) -> Fact:
    """A relation for x <= y, on either side of 0 or across it."""
    low, across, high = (
        real(claim, "x <= y", *where)
        for where in (("x <= 0", "y <= 0"), ("x <= 0", "0 <= y"), ("0 <= x",))
    )
    return either(either(low, across), high)


def slower(part: Statement) -> Iterator[Step]:
    """The density falls by the same factor."""
    yield in_three_cases(part.claim), "on either side of 0, and across it"


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


def wins(part: Statement) -> Iterator[Step]:
    """Given the noise of the others."""
    moved = m - s + (a + b)
    conditions = relations(*GIVEN)
    up = combine(at_most(m - s, moved), held(conditions[0]), held(conditions[1]))
    later = given_by(specialize(in_three_cases(SLOWER), x=m - s, y=moved), up)
    yield later, "the winner's noise is moved"
    reached = combine(
        at_most(n - r, moved), held(OTHERS.support[0]), held(conditions[2])
    )
    falls = in_three_cases(at_most(survival(y), survival(x)))
    smaller = given_by(specialize(falls, x=n - r, y=moved), reached)
    yield smaller, "the others have risen by a, and the winner fallen by b"
    growth = real(equal(exp(moved - (m - s)), exp(a + b)))
    first, second = survival(m - s), survival(n - r)
    grown = combine(
        at_most(first, exp(a + b) * survival(moved)), later, (growth, survival(moved))
    )
    line = combine(at_most(first, exp(a + b) * second), grown, (smaller, exp(a + b)))
    known = is_finite(n - r)
    scaled = linear(OTHERS, exp(a + b) * second, {second: exp(a + b)}, known)
    over = expect(
        line, OTHERS, is_finite(m - s), integrable(scaled, scaled.relation.left)
    )
    yield over, "averaged over the noise of the others"
    yield combine(part.claim, over, scaled), "so"


def sums(part: Statement) -> Iterator[Step]:
    """The second variable exceeds what the first one leaves of w."""
    body = survival(w - x)
    above = real(equal(survival(y), exp(-y) / 2), "0 <= y")
    below_zero = real(equal(survival(y), 1 - exp(y) / 2), "y <= 0")
    before = specialize(above, y=w - x)
    on = (
        (given_by(before, real("0 <= w - x", "x <= 0", "0 <= w")),),
        (given_by(before, real("0 <= w - x", "x <= w")),),
        (given_by(specialize(below_zero, y=w - x), real("w - x <= 0", "w <= x")),),
    )
    total = integrate(
        NOISE,
        body,
        (exp(2 * x - w) / 8, x * exp(-w) / 4, exp(w - 2 * x) / 8 - exp(-x) / 2),
        (exp(x) / 2, -exp(-x) / 2, -exp(-x) / 2),
        *part.given,
        on=on,
    )
    yield total, "three pieces"
    yield combine(part.claim, total), "added up"


def below(level: Expr) -> Expr:
    """The probability that Laplace noise of scale 1 is below a level."""
    return 1 - survival(level)


def of_four(part: Statement) -> Iterator[Step]:
    """A candidate behind has the noise x; the other one is below x, and both ahead are."""
    low = real(equal(below(y), exp(y) / 2), "y <= 0")
    high = real(equal(below(y), 1 - exp(-y) / 2), "0 <= y")
    behind = specialize(low, y=x - w)
    ahead = specialize(high, y=x - w)
    to_zero = (
        specialize(low, y=x),
        given_by(behind, real("x - w <= 0", "x <= 0", "0 <= w")),
    )
    to_w = (specialize(high, y=x), given_by(behind, real("x - w <= 0", "x <= w")))
    from_w = (
        given_by(specialize(high, y=x), real("0 <= x", "w <= x", "0 <= w")),
        given_by(ahead, real("0 <= x - w", "w <= x")),
    )
    total = integrate(
        NOISE,
        below(x) * below(x - w) ** 2,
        (
            exp(4 * x - 2 * w) / 64,
            exp(x - 2 * w) / 8 - x * exp(-2 * w) / 16,
            -exp(-x) / 2
            + exp(w - 2 * x) / 4
            + exp(-2 * x) / 8
            - exp(2 * w - 3 * x) / 24
            - exp(w - 3 * x) / 12
            + exp(2 * w - 4 * x) / 64,
        ),
        (exp(x) / 2, -exp(-x) / 2, -exp(-x) / 2),
        *part.given,
        on=(to_zero, to_w, from_w),
    )
    yield total, "three pieces"
    yield combine(part.claim, total), "added up, for either of the two"


def attack(seed: int) -> int:
    """The shipped chances of two candidates are those of randomly many steps of a sum, in balls."""
    rng = Random(seed)
    for _ in range(50):
        epsilon, far = (formula(Fraction(rng.randint(1, 60), 10)) for _ in range(2))
        for loss in (
            two_noisy_scores(epsilon, epsilon * Fraction(rng.randint(0, 8), 8)),
            two_low_scores(epsilon, far),
            four_noisy_scores(epsilon, epsilon * Fraction(rng.randint(0, 8), 8)),
        ):
            if (loss.parts[0].loss - epsilon).ball(96).certainly_positive():  # type: ignore[attr-defined]
                raise Refused(f"two candidates lose more than {epsilon}.")
    return 150


FIRST, OTHER = two_noisy_scores(eps, w).parts
LOW = two_low_scores(eps, w).parts[0]
FOUR = four_noisy_scores(eps, w).parts[0]
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "that the largest of the other scores moves by no more than the scores do, and that"
        " a bound for each candidate is one for each set of them",
    ),
    parts=(
        Statement(
            "slower",
            "the tail of the noise falls by at most exp(x - y)",
            SLOWER,
            slower,
            ("x <= y",),
        ),
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
            "sums",
            "the shipped chance that two Laplace variables add up to more than w",
            equal(E(NOISE, survival(w - x)), sum_above(w)),
            sums,
            ("0 <= w",),
        ),
        Statement(
            "four",
            "the shipped chance of one of two candidates that are behind two others by w",
            equal(2 * E(NOISE, below(x) * below(x - w) ** 2), two_behind_win(w)),
            of_four,
            ("0 <= w",),
        ),
        Statement(
            "four ahead",
            "and that of two that are ahead by w",
            equal(FOUR.p, 1 - two_behind_win(w)),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
        Statement(
            "four behind",
            "and after they have fallen back by eps",
            equal(FOUR.q, two_behind_win(eps - w)),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
        Statement(
            "ahead",
            "the shipped chance of a first candidate that is ahead by w",
            equal(FIRST.p, 1 - sum_above(w)),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
        Statement(
            "behind",
            "and the shipped chance after it has fallen back by eps",
            equal(FIRST.q, sum_above(eps - w)),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
    ),
    sharp=(
        Statement(
            "far",
            "a first candidate that is w behind loses nearly eps",
            at_most(exp(eps) * (1 - eps / w), LOW.p / LOW.q),  # type: ignore[attr-defined]
            by_prover("2 + w against 2 + w + eps"),
            ("0 < eps", "0 < w"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "half of the noise is enough if scores move both ways",
            at_most(survival(x), exp((y - x) / 2) * survival(y)),
            ("x < y",),
        ),
        Falsehood(
            "scores that rise all the same way may lose nothing",
            at_most(survival(x), survival(y)),
            ("x < y",),
        ),
    ),
    attacks=(Attack("two candidates", attack),),
    rules=(
        two_noisy_scores,
        sum_above,
        two_low_scores,
        four_noisy_scores,
        two_behind_win,
    ),
)
