"""Admissible noise, scaled with a smooth upper bound, is private; with a larger delta than printed.

Printed: If h is (alpha, beta)-admissible, that is, P(Z in S) <= exp(eps/2) P(Z in S + D) + delta/2
    for |D| <= alpha and P(Z in S) <= exp(eps/2) P(Z in exp(l) S) + delta/2 for |l| <= beta, then
    f(x) + S(x)/alpha Z is (eps, delta)-DP.
Proved: It is (eps, delta (exp(eps/2) + 1)/2)-DP, as the derivation in print has it, and no smaller
    constant will do. Here Pr(a, s) is the probability that a + (s/alpha) Z lies in the set; a is
    the coordinate on the line through f(x) and f(x'), in any dimension and norm.
Idea: First slide from f(x) to f(x'), then dilate from S(x) to S(x'); the second delta/2 is
    multiplied by exp(eps/2).
Source: Lecture 13 (smoothed sensitivity and median), Definition 13.3.2 and section 13.3.2.
Finding (false): (eps, delta) is false for every eps > 0, and contradicts its own derivation:
    section 13.3.2 ends with (exp(eps/2) + 1) delta/2. With k = exp(eps/2), alpha = 1, exp(beta) =
    (N+1)/N and N > 3/(k-1), the density B on [-1, 0), k B on [0, N), B on [N, N+1), B = 1/(2 + k
    N), is admissible with delta = 2 B (N+2)/(N+1); at S(x) = exp(beta) S(x') and f(x') = f(x) -
    S(x') the outputs to the right of the support of A(x') have probability B (1 + k N/(N+1)) >
    delta. In rationals, k = 2 and N = 10: 31/242 > 12/121. The ratio tends to (k + 1)/2 as N grows.
    (A set enters only through how much it holds of each stretch on which both densities are
    constant, so that admissibility is a linear inequality in these lengths.)
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.kernel import (
    Condition,
    Fact,
    Quantity,
    Refused,
    assume,
    at_most,
    below,
    combine,
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics.smooth import known
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Refutation,
    Statement,
    Status,
    Step,
    Theorem,
)
from rdpacct.sensitivity.admissible import admissible_delta

eps, delta, beta, a, b, s, r, f, g = (
    Symbol(one) for one in ("eps", "delta", "beta", "a", "b", "s", "r", "f", "g")
)
k = Symbol("k")
N = Symbol("N")
c = Symbol("c")
LARGE = below(4 * c - 1, N * (k + 1 - 2 * c))


def pr(place: Real, scale: Real) -> Expr:
    """The probability that place + (scale/alpha) Z lies in the set."""
    return Quantity("Pr", (formula(place), formula(scale)))


SLIDE = at_most(pr(a, s), exp(eps / 2) * pr(b, s) + delta / 2)
DILATE = at_most(pr(a, s), exp(eps / 2) * pr(a, r) + delta / 2)


def derived(part: Statement) -> Iterator[Step]:
    """Slide, then dilate."""
    slid = under(specialize(part.assuming["sliding"], a=f, b=g), *part.given)
    yield slid, "slide from f(x) to f(x')"
    wider = under(specialize(part.assuming["dilation"], a=g), *part.given)
    yield wider, "dilate from S(x) to S(x')"
    yield (
        combine(part.claim, slid, (wider, exp(eps / 2))),
        "the second delta is multiplied by exp(eps/2)",
    )


Cell = tuple[Expr, Expr, Real]
"""What a set may hold of a stretch: both densities are constant there, and it has this length where
the second is 0.
"""
NONE = formula(0)
ONE = formula(1)


def excess(cells: list[Cell], *given: str | Condition) -> Fact:
    """P(S) <= k P'(S) + what the stretches without the second density can hold, for every
    measurable set S.
    """
    first = NONE
    second = NONE
    limit = NONE
    uses = list[tuple[Fact, Real]]()
    for number, (one, two, length) in enumerate(cells):
        held = Symbol(f"s{number}")
        first = first + one * held
        second = second + two * held
        if two == NONE:
            limit = limit + one * length
            uses.append((real(at_most(held, length), at_most(held, length)), one))
        else:
            uses.append((real(at_most(0, held), at_most(0, held)), k * two - one))
    return combine(at_most(first, k * second + limit), *uses, given=("1 < k", *given))


def counterexample() -> Refutation:
    """The density of steps 1, k, 1, in units of B, against itself shifted by at most 1, shrunk, and
    widened.
    """
    shifted: list[Cell] = [
        (ONE, NONE, 1),
        (ONE, ONE, 1),
        (ONE, k, 1),
        (k, ONE, 1),
        (k, k, 1),
    ]
    shrunk: list[Cell] = [(ONE, NONE, 1 - r), (ONE, NONE, (N + 1) * (1 - r))]
    shrunk += [(ONE, ONE / r, 1), (k, k / r, 1), (k, ONE / r, 1)]
    widened: list[Cell] = [(ONE, ONE / r, 1), (ONE, k / r, 1), (k, k / r, 1)]
    many = "1 + 3/N < k", "0 < N"
    facts = (
        real("(1 + k*N + 1)*(1/(2 + k*N)) == 1", "1 < k", "0 < N"),
        excess(shifted),
        real("1 <= (N + 2)/(N + 1)", "0 < N"),
        excess(shrunk, "0 < r", "r <= 1"),
        real("1 - r + (N + 1)*(1 - r) <= (N + 2)/(N + 1)", "N/(N + 1) <= r", "0 < N"),
        excess(widened, "1 <= r", "r <= k"),
        real("(N + 1)/N <= k", *many),
        real("2*(N + 2)/(N + 1) < 1 + k*N/(N + 1)", *many),
        real("12/121 < 31/242"),
    )
    steps = [
        (Fraction(-1), Fraction(0), Fraction(1, 22)),
        (Fraction(0), Fraction(10), Fraction(1, 11)),
    ]
    steps.append((Fraction(10), Fraction(11), Fraction(1, 22)))
    found = hockey(
        moved(steps, Fraction(0), Fraction(11, 10)),
        moved(steps, Fraction(-1), Fraction(1)),
        Fraction(4),
    )
    if found != Fraction(31, 242):
        raise Refused(f"at k = 2 and N = 10 the excess is {found}.")
    return Refutation(
        "a density of three steps, k = exp(eps/2) and any N > 3/(k - 1): 31/242 >"
        " 12/121",
        facts,
    )


def best(part: Statement) -> Iterator[Step]:
    """The ratio of the two sides for the step density tends to (k + 1)/2."""
    yield combine(part.claim, known(LARGE, part)), "N large enough"


Steps = list[tuple[Fraction, Fraction, Fraction]]


def moved(steps: Steps, place: Fraction, scale: Fraction) -> Steps:
    """The density of place + scale Z."""
    return [
        (place + scale * low, place + scale * high, height / scale)
        for low, high, height in steps
    ]


def hockey(one: Steps, two: Steps, factor: Fraction) -> Fraction:
    """The largest P(S) - factor P'(S)."""
    ends = sorted({end for low, high, _ in [*one, *two] for end in (low, high)})

    def at(steps: Steps, x: Fraction) -> Fraction:
        return sum(
            (height for low, high, height in steps if low <= x < high), Fraction(0)
        )

    return sum(
        (
            (y - x) * max(Fraction(0), at(one, x) - factor * at(two, x))
            for x, y in pairwise(ends)
        ),
        Fraction(0),
    )


def search(seed: int) -> int:
    """Random step densities: the excess at k**2 is at most that of the slide plus k times that of
    the dilation.
    """
    rng = random.Random(seed)
    for _ in range(150):
        heights = [rng.randint(1, 9) for _ in range(rng.randint(1, 5))]
        noise = [
            (Fraction(i - 1), Fraction(i), Fraction(height, sum(heights)))
            for i, height in enumerate(heights)
        ]
        factor = Fraction(rng.randint(11, 30), 10)
        place = Fraction(rng.randint(-10, 10), 10)
        scale = Fraction(rng.randint(7, 14), 10)
        shifted = moved(noise, place, Fraction(1))
        both = moved(noise, place, scale)
        delta = hockey(noise, shifted, factor) + factor * hockey(shifted, both, factor)
        if hockey(noise, both, factor**2) > delta:
            raise Refused(f"the noise {noise} is not private at {place}, {scale}.")
    return 150


THEOREM = Theorem(
    verdict=Status.CORRECTED,
    in_words=(
        "a set enters through how much of each stretch of the step density it holds",
    ),
    parts=(
        Statement(
            "private",
            "|f - g| <= s and exp(-beta) s <= r <= exp(beta) s: (eps, delta (exp(eps/2)"
            " + 1)/2)-DP",
            claim=at_most(pr(f, s), exp(eps) * pr(g, r) + admissible_delta(eps, delta)),
            given=("abs(f - g) <= s", "exp(-beta)*s <= r", "r <= exp(beta)*s"),
            assuming={
                "sliding": assume(SLIDE, "abs(a - b) <= s", every=("a", "b", "s")),
                "dilation": assume(
                    DILATE,
                    "exp(-beta)*s <= r",
                    "r <= exp(beta)*s",
                    every=("a", "s", "r"),
                ),
            },
            proof=derived,
        ),
    ),
    sharp=(
        Statement(
            "best-constant",
            "for c < (k + 1)/2 the step density breaks c delta, once N is large",
            claim=below(2 * c * (N + 2), N + 1 + k * N),
            given=(LARGE,),
            proof=best,
        ),
    ),
    falsehoods=(
        Falsehood(
            "(eps, delta)-DP, as printed",
            at_most(pr(f, s), exp(eps) * pr(g, r) + delta),
            refutation=counterexample,
        ),
    ),
    attacks=(Attack("random step densities, shifted and scaled", search),),
    rules=(admissible_delta,),
)
