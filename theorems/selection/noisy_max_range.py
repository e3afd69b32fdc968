"""Any two losses of a noisy maximum differ by at most 29/20 of epsilon.

Printed: not in the sources.
Proved: Let t = exp(-x) for a noisy score x in scales of the noise, so that the earliest t is
    chosen. The candidate of the score u has the time exp(-u); its t is later than s times that with
    probability F = 1 - s/2 up to s = 1 and 1/(2 s) beyond, and log F falls at the rate r, s/(2 - s)
    up to s = 1 and 1 beyond, as the score rises. Where all of some candidates rise at the rate 1,
    log p rises at the rate E_i b for one of them, i, and falls at the rate E_j a for one of the
    others, j: a and b
    add up the r of those who rise and of the others, and E_i is the mean over t if i is chosen. Its
    density is G w(t/t_i), the product G of all F times w = 1/(2 - s) up to s = 1 and 1/s beyond.
    Let j have the earlier time h and i the time 1 (or the other way round), and let w* be that of j
    up to h, and go on in proportion to that of i. (1) w*/w_i and w*/w_j rise with t. (2) So do a
    and b, so that E_i b <= E* b and E_j a <= E* a. (3) E* (a + b) = E* e for e = 2/(2 - t/h) up to
    h, 2/(2 - t) from there to 1, and 0 beyond. (4) w* G is a weight, 1 - t/2 and (1 - h/2) h/t, up
    to 1, times a factor that falls; over the weight up to h, and over that up to 1, the mean of e
    is at most the shipped range of an epsilon of 1. So is E* e, and E_i b + E_j a. (5) Scores that
    move by epsilon in all make two losses that differ by at most the shipped range.
Idea: One law of t that is later than both, and whose mean is known by an integration by parts.
Source: ours. The exponential mechanism has the range epsilon (Durfee and Rogers), where w is
    constant: e is 1.
"""

from rdpacct.book.words import (
    Attack, Density, E, Falsehood, Fraction, Iterator, Law, Random, Refused, Statement, Status,
    Step, Stretch, Symbol, Theorem, assume, at_most, by_prover, combine, dominated, equal, example,
    expect, formula, integrable, integrate, linear, log, math, noisy_range, real, relations,
    two_behind_win,
)  # fmt: skip

t, z, h, k, n, f, b, w, eps = map(
    Symbol, ("t", "z", "h", "k", "n", "f", "b", "w", "eps")
)
RANGE = noisy_range(1)
LATER = Law(
    "M", ("f", "b"), relations("0 <= f", "0 <= b", "b <= n", "0 <= (f - 1)*(b - k)")
)
"""At the time t of the choice, the ratio of two densities of t, and a sum of rates: if both rise
with t, one k divides the sums where the ratio is below 1 from those where it is above.
"""
FIRST = Density(
    "T", ("t",), (), (Stretch(formula(0), h, (1 - t / 2) / (h - h**2 / 4)),)
)
SECOND = Density("T", ("t",), (), (Stretch(h, formula(1), 1 / (t * log(1 / h))),))
"""The weights up to h and from h to 1, as densities."""
MASSES = h - h**2 / 4, (1 - h / 2) * h * log(1 / h)
EARLY, LATE = 2 / (2 - t / h), 2 / (2 - t)


def later(part: Statement) -> Iterator[Step]:
    """Output by output."""
    mass = part.assuming["densities"]
    sign = LATER.support[3]
    line = combine(at_most(b, f * b - k * f + k), real(sign, sign))
    yield line, "both are above, or both below"
    high = real("f*b <= n*f", *LATER.support)
    low = real("0 <= f*b", *LATER.support)
    scaled = linear(LATER, n * f, {f: n}, integrable(mass, E(LATER, f)))
    product = dominated(high, LATER, integrable(scaled, E(LATER, n * f)), lower=low)
    plain = dominated(
        real("b <= n", *LATER.support), LATER, lower=real("0 <= b", *LATER.support)
    )
    right = f * b - k * f + k
    taken = linear(
        LATER,
        right,
        {f * b: 1, f: -k},
        product,
        integrable(mass, E(LATER, f)),
        constant=k,
    )
    over = expect(line, LATER, plain, integrable(taken, E(LATER, right)))
    yield over, "averaged"
    yield combine(part.claim, over, taken, (mass, -k)), "the mean of f is 1"


def early(part: Statement) -> Iterator[Step]:
    """An integral with a logarithm."""
    size = h - h**2 / 4
    total = integrate(
        FIRST,
        EARLY,
        (h * (t - (2 - 2 * h) * log(2 * h - t)) / size,),
        ((t - t**2 / 4) / size,),
        *part.given,
    )
    yield total, "the antiderivative"
    yield combine(part.claim, total), "at the ends"


def late(part: Statement) -> Iterator[Step]:
    """An integral with a logarithm."""
    scale = log(1 / h)
    total = integrate(
        SECOND,
        LATE,
        ((log(t) - log(2 - t)) / scale,),
        (log(t) / scale,),
        *part.given,
    )
    yield total, "the antiderivative"
    yield combine(part.claim, total), "at the ends"


MEANS = (
    (h + 2 * (1 - h) * log(2)) / (1 - h / 4),
    log((2 - h) / h) / log(1 / h),
)
INSIDE = ("0 < h", "h < 1")


def both(part: Statement) -> Iterator[Step]:
    """The two means, in the proportion of the weights."""
    means = THEOREM.part("early").fact(), THEOREM.part("late").fact()
    yield means[0], "up to h"
    yield means[1], "from h to 1"
    line = real(
        at_most(
            MASSES[0] * MEANS[0] + MASSES[1] * MEANS[1], RANGE * (MASSES[0] + MASSES[1])
        ),
        *part.given,
    )
    yield line, "in h alone"
    uses = zip(means, MASSES, strict=True)
    yield combine(part.claim, line, *uses), "so"


def first_alone(part: Statement) -> Iterator[Step]:
    """In h alone."""
    mean = THEOREM.part("early").fact()
    line = real(at_most(MEANS[0], RANGE), *part.given)
    yield line, "in h alone"
    yield combine(part.claim, line, mean), "so"


def attack(seed: int) -> int:
    """Random candidates whose times grow by random factors: all losses, to many digits."""
    rng = Random(seed)
    for _ in range(30):
        size = rng.randint(2, 5)
        times = [Fraction(rng.randint(1, 12), 4) for _ in range(size)]
        most = Fraction(rng.choice((11, 15, 30)), 10)
        moved = [time * rng.choice((1, 1 + (most - 1) / 3, most)) for time in times]
        losses = [
            math.log(one / two)
            for one, two in zip(_chances(times), _chances(moved), strict=True)
        ]
        if max(losses) - min(losses) > float(RANGE.ball(64)) * math.log(most) + 1e-9:
            raise Refused(f"the losses of {times} and {moved} are too far apart.")
    return 30


def _chances(times: list[Fraction]) -> list[float]:
    """The probability of each candidate to be the earliest."""
    return [_earliest(time, times[:k] + times[k + 1 :]) for k, time in enumerate(times)]


def _earliest(own: Fraction, others: list[Fraction]) -> float:
    """The integral over t of the density of the own time and the chances that others are later, a
    polynomial in t and 1/t on each piece.
    """
    total = 0.0
    edges = [Fraction(0), *sorted({own, *others})]
    for left, right in zip(edges, [*edges[1:], None], strict=True):
        terms = {0: 1 / (2 * own)} if left < own else {-2: own / 2}
        for time in others:
            factors = {0: Fraction(1), 1: -1 / (2 * time)}
            factors = factors if left < time else {-1: time / 2}
            product: dict[int, Fraction] = {}
            for power, one in terms.items():
                for more, two in factors.items():
                    product[power + more] = product.get(power + more, 0) + one * two
            terms = product
        for power, one in terms.items():
            if power == -1:
                total += float(one) * math.log(right / left)  # type: ignore[operator]
                continue
            end = 0 if right is None else right ** (power + 1)
            total += float(one * (end - left ** (power + 1)) / (power + 1))
    return total


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "the chance of i is the integral over t of its density times the F of the others;"
        " differentiated, and as a common shift of all scores changes nothing, log p has the"
        " stated rates. The rate of log p_i - log p_j is linear in those of the scores: it is"
        " largest where each score rises at the rate 1 or stays, and then i rises and j stays",
        "two ratios that rise, by the parts `before h` and `between`, rise as w* is"
        " continuous and in proportion elsewhere; where the ratio of the densities, of mean 1,"
        " passes 1, b or a has the value k of the part `later`",
        "the derivative of t w* G is w* G (e - a - b), and t w* G is 0 at 0 and at infinity:"
        " (t w*)' is e w*, and t G' is -(a + b) G",
        "a factor that falls is a mixture of steps, so that the mean over w* G is at most the"
        " largest over the weight up to some t. As e rises from 1 up to h, rises from h to 1 and"
        " is 0 beyond, the integral of e less the range times the weight is largest at 0, h or"
        " 1",
        "on a straight way between the scores of two neighbors the losses of i and j part at no"
        " more than these rates; scores that move either way by half of epsilon are scores that"
        " rise by up to epsilon, after a common shift",
    ),
    parts=(
        Statement(
            "before h",
            "w*/w_i = (2 - t)/(2 - t/h) rises up to h",
            at_most((2 - t) * (2 - z / h), (2 - z) * (2 - t / h)),
            by_prover("2 (z - t) (1/h - 1) is not negative"),
            ("0 < h", "h <= 1", "t <= z"),
        ),
        Statement(
            "between",
            "w*/w_j is in proportion to t/(2 - t), which rises, from h to 1",
            at_most(t * (2 - z), z * (2 - t)),
            by_prover("2 t <= 2 z"),
            ("t <= z",),
        ),
        Statement(
            "later",
            "a sum of rates has a larger mean under the law of the larger times",
            at_most(E(LATER, b), E(LATER, f * b)),
            later,
            (),
            {"densities": assume(equal(E(LATER, f), 1))},
            example({"k": 0, "n": 1}, {"M": [((1, 1), 1)]}),
        ),
        Statement(
            "early",
            "the mean of e up to h",
            equal(E(FIRST, EARLY), MEANS[0]),
            early,
            INSIDE,
        ),
        Statement(
            "late",
            "the mean of e from h to 1",
            equal(E(SECOND, LATE), MEANS[1]),
            late,
            INSIDE,
        ),
        Statement(
            "up to h",
            "the mean of e over the weight up to h is at most the shipped range",
            at_most(E(FIRST, EARLY), RANGE),
            first_alone,
            INSIDE,
        ),
        Statement(
            "up to 1",
            "so is that over the weight up to 1",
            at_most(
                MASSES[0] * E(FIRST, EARLY) + MASSES[1] * E(SECOND, LATE),
                RANGE * (MASSES[0] + MASSES[1]),
            ),
            both,
            INSIDE,
        ),
        Statement(
            "equal times",
            "for h = 1 the weight is 1 - t/2 up to 1, the mean is 4/3",
            at_most(MEANS[0].at(h=1), RANGE),
            by_prover("4/3 is less"),
        ),
        Statement(
            "shipped",
            "the range grows with epsilon",
            equal(noisy_range(eps), RANGE * eps),
            by_prover("as it stands"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "it has the range of the exponential mechanism: the losses of two against two"
            " candidates, ahead by w and then behind, differ by 2 w at most",
            at_most(log((1 - two_behind_win(w)) / two_behind_win(w)), w),
            ("0 < w", "w <= 1"),
        ),
        Falsehood(
            "the mean up to h is at most 4/3, as for h = 1",
            at_most(MEANS[0], Fraction(4, 3)),
            INSIDE,
        ),
    ),
    attacks=(Attack("random candidates", attack),),
    rules=(noisy_range,),
)
