"""From finitely many lines to a Gaussian trade-off curve: it is enough to look at the corners.

Printed: not in the sources
Proved: Every test S of P against Q has power P(S) <= exp(s) Q(S) + delta(s), a line for each
    threshold s. Let two neighboring corners of the lines at s1 < s2 < s3 have false alarms a1 =
    Phi(-c1) and a2 = Phi(-c2), and powers at most Phi(mu - c1) and Phi(mu - c2). Then a test with
    false alarms Phi(-c) between them, a share w of the way, has power at most Phi(mu - c). The last
    corners are (0, 0) and (1, 1), where the lines for the largest and the least loss end. So the
    largest mu over the corners is enough; the mu of the test {L > s} itself is needed. A corner of
    the exchanged pair, mirrored, is below the curve if and only if the corner is. The adaptive
    choice of thresholds in the shipped function is numerical; it relies on these statements alone.
Idea: Between two corners a test lies below one line, which is their chord; the Gaussian curve is
    above its own chord, because each of its tangents lies above it (gaussian/delta).
Source: This package; Dong, Roth and Su (2022), section 2, for trade-off curves and their tangents.
"""

from rdpacct.book.words import (
    Attack, Expr, Fact, Falsehood, Fraction, Iterator, Quantity, RandomizedResponse, Real, Refused,
    Statement, Status, Step, Symbol, Theorem, Whole, add, assume, at_most, below, combine, either,
    equal, example, exp, formula, gaussian_delta, gaussian_mu_between, gaussian_mu_of_profile,
    given_by, induct, lemma, maximum, normal_cdf, placed, profile, random, real,
    smallest_gaussian_mu, specialize, under,
)  # fmt: skip

mu, c, c1, c2, w, b, b1, b2, s, s1, s2, delta, delta1, delta2, a = (
    Symbol(name)
    for name in (
        "mu",
        "c",
        "c1",
        "c2",
        "w",
        "b",
        "b1",
        "b2",
        "s",
        "s1",
        "s2",
        "delta",
        "delta1",
        "delta2",
        "a",
    )
)
BETWEEN = assume(equal(normal_cdf(-c), (1 - w) * normal_cdf(-c1) + w * normal_cdf(-c2)))
SLOPE = mu * c - mu**2 / 2
SHARE = ("0 <= w", "w <= 1", "mu > 0")


def other_factor(x: Expr, product: Fact, positive: Fact) -> Fact:
    """From 0 < x y and 0 < y: 0 < x."""
    y = positive.relation.right
    divided = specialize(real("z/y < x", "z < x*y", "0 < y"), x=x, y=y, z=0)
    return given_by(divided, combine(below(0, x * y), product), positive)


def chord(part: Statement) -> Iterator[Step]:
    """The tangent of the Gaussian curve at c, above both ends of the chord."""
    ends = []
    for name, end in (("c1", c1), ("c2", c2)):
        at_infinity = {"c1": "positive", "c2": "not-below-certainty"}[name]
        known = name in part.claim.symbols()
        tangent = lemma("gaussian/delta", "threshold" if known else at_infinity)
        ends.append(
            placed(tangent, *part.given, eps=SLOPE, **({"c": end} if known else {}))
        )
    yield from (
        (end, "an end of the chord lies below the tangent at c") for end in ends
    )
    touch = placed(lemma("gaussian/delta", "best-test"), *part.given, eps=SLOPE)
    here = combine(
        equal(
            normal_cdf(mu - c) - exp(SLOPE) * normal_cdf(-c), gaussian_delta(mu, SLOPE)
        ),
        touch,
    )
    yield here, "which touches the curve there"
    between = part.assuming["between"]
    above = combine(
        part.claim, (ends[0], 1 - w), (ends[1], w), (here, -1), (between, -exp(SLOPE))
    )
    yield above, "so the curve is above its chord"


def between_corners(part: Statement) -> Iterator[Step]:
    """The line through the two corners is the chord, and lies below the curve."""
    line, first, second, low, high, between = (
        part.assuming[name]
        for name in ("line", "first corner", "second corner", "low", "high", "between")
    )
    curve = CHORD.fact()
    yield curve, "the curve is above its chord"
    on_line = combine(
        at_most(b, (1 - w) * b1 + w * b2),
        line,
        (between, exp(s)),
        (first, -(1 - w)),
        (second, -w),
        given=part.given,
    )
    yield (
        on_line,
        "between two corners of a line, a test below it lies below their chord",
    )
    yield (
        combine(part.claim, on_line, (low, 1 - w), (high, w), curve),
        "and so below the curve",
    )


def corner(part: Statement) -> Iterator[Step]:
    """Where two lines meet."""
    yield (
        real(part.claim, *part.given),
        "the lines meet where the shipped function says",
    )


def mirror(part: Statement) -> Iterator[Step]:
    """The complement of a Gaussian test is one, with the rates exchanged."""
    missed = lemma("gaussian/tradeoff", "complement")
    yield missed, "what is not found is missed"
    yield (
        combine(part.claim, part.assuming["power"], missed),
        "so that the false alarms are at least as many",
    )


j, n, excess = map(Symbol, ("j", "n", "D"))


def place(number: Real) -> Expr:
    """The false alarms at a corner."""
    return Quantity("X", (formula(number),))


def scale(number: Real) -> Expr:
    """A positive number for each cell between two corners."""
    return Quantity("K", (formula(number),))


BETWEEN_CORNERS = (place(j + 1) - a) * (place(j) - a)
"""Not positive if the false alarms lie between two corners."""


def cover(part: Statement) -> Iterator[Step]:
    """From corner to corner the false alarms of the test stay on one side."""
    room = maximum(BETWEEN_CORNERS, 0)
    some = combine(
        below(0, room * scale(j)),
        under(real("0 < D", "0 < D"), "0 < D"),
        part.assuming["none between"],
    )
    wide = other_factor(room, some, part.assuming["scale"])
    none = specialize(real("(max(P, 0) - P)*max(P, 0) <= 0"), P=BETWEEN_CORNERS)
    share = real("x <= z/y", "x*y <= z", "0 < y")
    same = specialize(share, x=room - BETWEEN_CORNERS, y=room, z=0)
    apart = combine(below(0, BETWEEN_CORNERS), wide, given_by(same, none, wide))
    yield apart, "a test with an excess is not between two corners"
    before = assume(below(0, place(j) - a), "0 < D")
    step = other_factor(place(j + 1) - a, apart, before)
    yield step, "so it is on the same side of both"
    first = under(part.assuming["first"], "0 < D")
    beyond = specialize(induct(first, step, "j"), j=n)
    yield beyond, "so on the same side of all"
    last = part.assuming["last"]
    turned = combine(
        at_most(excess * (place(n) - a), 0), (last, excess), given=("0 < D",)
    )
    least = specialize(share, x=excess, y=place(n) - a, z=0)
    most = combine(at_most(excess, 0), given_by(least, turned, beyond))
    yield most, "which the last one is not"
    trivial = real("D <= 0", "D <= 0")
    given = [one for one in most.domain if one != below(0, excess)]
    yield either(most, under(trivial, "D <= 0", *given)), "so there is no excess"


def mirrored(part: Statement) -> Iterator[Step]:
    """The line of the exchanged pair, for the complement of the test."""
    yield (
        combine(part.claim, (part.assuming["exchanged"], exp(s))),
        "times exp(s)",
    )


def sums(seed: int) -> int:
    """Sums of two randomized responses: the least mu from the profile, against all tests by
    thresholds, in balls.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(4):
        levels = [Fraction(rng.randint(1, 20), 10) for _ in range(2)]
        found = profile(
            RandomizedResponse(levels[0]) + RandomizedResponse(levels[1])
        ).gaussian_mu()
        powers = [exp(level) / (1 + exp(level)) for level in levels]
        both = [
            (p * q, (1 - p) * (1 - q))
            for p in (powers[0], 1 - powers[0])
            for q in (powers[1], 1 - powers[1])
        ]
        both.sort(key=lambda pair: -float(pair[0].ball(64)))
        for count in range(1, 4):
            power, alarm = (
                add(*(pair[side] for pair in both[:count])).ball(200) for side in (0, 1)
            )
            needed = power.normal_quantile() - alarm.normal_quantile()
            if needed.lower() > found.upper:
                raise Refused(
                    f"a test of the responses at {levels} needs mu = {needed}, not"
                    f" {found}."
                )
            tried += 1
    return tried


def responses(seed: int) -> int:
    """Randomized responses: the least mu, against random tests, in balls."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(6):
        epsilon = Fraction(rng.randint(1, 30), 10)
        found = RandomizedResponse(epsilon).loss().gaussian_mu()
        for _ in range(10):
            share = Fraction(rng.randint(1, 19), 20)
            truth = exp(epsilon) / (1 + exp(epsilon))
            power = (share * truth).ball(200)
            alarm = (share * (1 - truth)).ball(200)
            needed = power.normal_quantile() - alarm.normal_quantile()
            if needed.lower() > found.upper:
                raise Refused(
                    f"a test of the responses at {epsilon} needs mu = {needed}, not"
                    f" {found}."
                )
            tried += 1
    return tried


CHORD = Statement(
    "chord",
    "the Gaussian trade-off curve lies above its chords",
    at_most(
        (1 - w) * normal_cdf(mu - c1) + w * normal_cdf(mu - c2), normal_cdf(mu - c)
    ),
    chord,
    SHARE,
    {"between": BETWEEN},
)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        CHORD,
        Statement(
            "first-chord",
            "so do those that begin at (0, 0), where no test raises an alarm",
            at_most(w * normal_cdf(mu - c2), normal_cdf(mu - c)),
            chord,
            SHARE,
            {"between": assume(equal(normal_cdf(-c), w * normal_cdf(-c2)))},
        ),
        Statement(
            "last-chord",
            "and those that end at (1, 1), where every test does",
            at_most((1 - w) * normal_cdf(mu - c1) + w, normal_cdf(mu - c)),
            chord,
            SHARE,
            {"between": assume(equal(normal_cdf(-c), (1 - w) * normal_cdf(-c1) + w))},
        ),
        Statement(
            "between-corners",
            "a test below a line whose two corners lie below the Gaussian curve lies"
            " below the curve",
            at_most(b, normal_cdf(mu - c)),
            between_corners,
            SHARE,
            {
                "between": BETWEEN,
                "line": assume(at_most(b, exp(s) * normal_cdf(-c) + delta)),
                "first corner": assume(equal(b1, exp(s) * normal_cdf(-c1) + delta)),
                "second corner": assume(equal(b2, exp(s) * normal_cdf(-c2) + delta)),
                "low": assume(at_most(b1, normal_cdf(mu - c1))),
                "high": assume(at_most(b2, normal_cdf(mu - c2))),
            },
            witness=example(
                {
                    **dict.fromkeys(("c", "c1", "c2", "w", "s", "delta"), 0),
                    **dict.fromkeys(("b", "b1", "b2"), "1/2"),
                    "mu": 1,
                }
            ),
        ),
        Statement(
            "corner",
            "the lines at s1 and s2 meet at the false alarms (delta1 - delta2)/(exp(s2)"
            " - exp(s1))",
            equal(
                delta1 + exp(s1) * (delta1 - delta2) / (exp(s2) - exp(s1)),
                delta2 + exp(s2) * (delta1 - delta2) / (exp(s2) - exp(s1)),
            ),
            corner,
            ("s1 < s2",),
        ),
        Statement(
            "cover",
            "the lines and corners cover all tests: if the excess D of a test over the"
            " curve is at most 0 where its false alarms a lie between two neighboring"
            " corners, X(j) and X(j + 1), it is at most 0 between the first and the last"
            " corner",
            at_most(excess, 0),
            cover,
            (Whole("n", 0),),
            {
                "none between": assume(
                    at_most(excess, maximum(BETWEEN_CORNERS, 0) * scale(j)), every="j"
                ),
                "scale": assume(below(0, scale(j)), every="j"),
                "first": assume(below(0, place(0) - a)),
                "last": assume(at_most(place(n), a)),
            },
            witness=example(
                {"D": -1, "a": "1/2", "n": 1}, X=("j", "1 - j"), K=("j", "1")
            ),
        ),
        Statement(
            "mirrored line",
            "the line of a pair at s < 0, from that of the exchanged pair at -s: 1 - a"
            " is what the exchanged test finds, and 1 - b its false alarms",
            at_most(b, exp(s) * a + 1 - exp(s) * (1 - delta)),
            mirrored,
            (),
            {"exchanged": assume(at_most(1 - a, exp(-s) * (1 - b) + delta))},
        ),
        Statement(
            "mirror",
            "a corner of the exchanged pair below the curve is a corner of the pair"
            " below it: what one test finds, the other misses",
            at_most(normal_cdf(c1 - mu), a),
            mirror,
            (),
            {
                "power": assume(at_most(1 - a, normal_cdf(mu - c1))),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "the curve of mu = 1 lies below its chord between the false alarms Phi(-1)"
            " and Phi(1)",
            at_most(normal_cdf(1), (normal_cdf(0) + normal_cdf(2)) / 2),
        ),
    ),
    attacks=(
        Attack("random tests of randomized responses, in balls", responses),
        Attack("tests of two randomized responses, in balls", sums),
    ),
    rules=(smallest_gaussian_mu, gaussian_mu_of_profile, gaussian_mu_between),
)
