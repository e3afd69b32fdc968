"""Counts of shuffled reports in the convex order: what the grid of their losses rests on.

Printed: not in the sources.
Proved: Of reports, let A tell for the first value, B for the second, and N for none; on the first
    value of the person the density of these counts to draws of which none is the person's is (k s
    A/c + s B/c + v N)/n, and with A and B exchanged on the second. It is V (1 + Z)/n and V (1 -
    Z)/n, where Z is the shipped tilt times A - B, and V = both (A + B)/2 + v N. So the two laws
    have the densities 1 + Z and 1 - Z with respect to their mean, and the excess at any level is a
    convex function of Z. Given A + B and N, A - B is a sum of signs. A law that is larger in the
    convex order is worse: one sign more, two tilts at the ends of a range with the mean of those
    between, a larger tilt, and the ends of all for what is cut off. One that is smaller is better:
    fewer signs, the mean of the tilts, and 0.
Idea: Jensen's inequality and chords.
Source: not printed; Shaked and Shanthikumar, Stochastic orders (2007), Section 3.A, for the order.
"""

from rdpacct.book.words import (
    Expr, Fact, Falsehood, Iterator, Quantity, Real, Statement, Status, Step, Theorem, assume,
    at_most, by_prover, combine, equal, formula, given_by, larger_share, maximum, mean_tilt,
    mean_weight, positive_part, proves, real, specialize, symbols, tilts_tilt as tilt, under,
)  # fmt: skip

A, B, N, k, s, c, v, n = symbols("A B N k s c v n")
g, x, y, w, d, p, q, z, e = symbols("g x y w d p q z e")
small, large, mean, out, inside, own = symbols("small large mean out inside own")
low, high, top, mass, moment = symbols("low high top mass moment")
GAP, BOTH = symbols("gap both")
TOLD = A + B
WEIGHT = BOTH * TOLD / 2 + v * N
Z = tilt(GAP, BOTH, v, TOLD, N) * (A - B)
COUNTS = ("0 < both*(A + B) + 2*v*N",)
OWN = (BOTH + GAP) / 2
OTHER = (BOTH - GAP) / 2
SLOPE = (high - low) / (large - small)
SHARE = larger_share(mean, small, large, out)


def value(at: Real) -> Expr:
    """H at a point."""
    return Quantity("H", (formula(at),))


WEIGHTS = ("0 <= w", "0 <= d", "w + d == 1", "w*p + d*q == z")
CONVEX = {
    "convex": assume(
        at_most(value(z), w * value(p) + d * value(q)),
        *WEIGHTS,
        every=("w", "d", "p", "q", "z"),
    )
}

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "first density",
            "the density of the counts on the first value is V (1 + Z)",
            equal(OWN * A + OTHER * B + v * N, WEIGHT * (1 + Z)),
            given=COUNTS,
        ),
        Statement(
            "second density",
            "and on the second it is V (1 - Z)",
            equal(OTHER * A + OWN * B + v * N, WEIGHT * (1 - Z)),
            given=COUNTS,
        ),
        Statement(
            "weights of kinds",
            "gap = (k - 1) s/c and both = (k + 1) s/c give the weights k s/c and s/c",
            equal(
                OWN.at(gap=(k - 1) * s / c, both=(k + 1) * s / c)
                + k * OTHER.at(gap=(k - 1) * s / c, both=(k + 1) * s / c),
                2 * k * s / c,
            ),
            by_prover("their sum and their difference"),
            ("c > 0",),
        ),
        Statement(
            "excess",
            "the excess at a level is convex in Z",
            at_most(
                maximum(1 + w * x + d * y - g * (1 - w * x - d * y), 0),
                w * maximum(1 + x - g * (1 - x), 0)
                + d * maximum(1 + y - g * (1 - y), 0),
            ),
            given=("0 <= w", "0 <= d", "w + d == 1"),
        ),
        Statement(
            "one sign more",
            "a fair sign more makes the mean of a convex function larger",
            at_most(value(y), value(y + x) / 2 + value(y - x) / 2),
            assuming=CONVEX,
        ),
        Statement(
            "larger tilts",
            "and so does a larger tilt of a sum and its opposite",
            at_most(value(e * x) + value(-e * x), value(x) + value(-x)),
            given=("0 <= e", "e <= 1"),
            assuming=CONVEX,
        ),
        Statement(
            "chord",
            "a tilt between two has at most the mean of these, with its shares",
            at_most(
                value((w * large + d * small) * x),
                w * value(large * x) + d * value(small * x),
            ),
            given=("0 <= w", "0 <= d", "w + d == 1"),
            assuming=CONVEX,
        ),
        Statement(
            "shares",
            "the shipped shares of the two ends keep the mean, but for what is out",
            equal(
                (1 - out - SHARE) * low + SHARE * high,
                (1 - out) * (low - small * SLOPE) + mean * SLOPE,
            ),
            by_prover("the chord at the mean"),
            ("small < large",),
        ),
        Statement(
            "what is out",
            "more that is out, at a larger value, and a larger mean are worse",
            at_most(
                inside * (low - small * e) + own * e + (1 - inside) * top,
                (1 - out) * (low - small * e) + mean * e + out * top,
            ),
            given=(
                "0 <= e",
                "own <= mean",
                "1 - out <= inside",
                "low - small*e <= top",
            ),
        ),
        Statement(
            "weight",
            "a number of telling reports has the mean of V over the neutral ones",
            equal(
                mean_weight(BOTH, v * q, n, formula(1), TOLD),
                (BOTH * TOLD / 2 + v * q * (n - TOLD)) / n,
            ),
            by_prover("the definition"),
            ("n > 0",),
        ),
        Statement(
            "weights add up",
            "and blocks of numbers have the sum",
            equal(
                mean_weight(BOTH, v * q, n, mass + p, moment + p * x),
                mean_weight(BOTH, v * q, n, mass, moment)
                + p * mean_weight(BOTH, v * q, n, formula(1), x),
            ),
            by_prover("linear in the masses"),
            ("n > 0",),
        ),
        Statement(
            "half of the gap",
            "2 V times the tilt is the gap, whatever the counts",
            equal(2 * WEIGHT * tilt(GAP, BOTH, v, TOLD, N), GAP),
            given=COUNTS,
        ),
        Statement(
            "mean tilt",
            "so the mean of V times the tilt over n, on a mass, is that of the shipped tilt times"
            " the weight",
            equal(mean_tilt(GAP, n, mass, w) * w, GAP / 2 * mass / n),
            by_prover("the weight cancels"),
            ("n > 0", "w > 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the excess at a level is linear in Z",
            equal(
                maximum(1 + (x + y) / 2 - g * (1 - (x + y) / 2), 0),
                maximum(1 + x - g * (1 - x), 0) / 2
                + maximum(1 + y - g * (1 - y), 0) / 2,
            ),
            ("g >= 0",),
        ),
        Falsehood(
            "with nothing out, the mean of the tilts is that of the two ends with equal shares",
            equal(SHARE, formula(1) / 2),
            ("small < mean", "mean < large", "out == 0"),
        ),
    ),
    in_words=(
        "All orders of the reports are as likely, so that the counts have the density of a mean"
        " over the people; given A + B and N, each of the A + B telling reports of draws of which"
        " none is the person's is for either value as likely, independently.",
        "Laws are compared given blocks of A + B, which post-processing may forget; a mean of"
        " convex functions of a tilt is convex in it, and by `larger tilts` never falls.",
        "Of N neutral reports among M with the weight V, numbers of at least x + 1 have at most the"
        " probability of x or more, and numbers of at most y that of y or fewer: N times its"
        " probability among M is M p times that of N - 1 among M - 1.",
    ),
    rules=(tilt, mean_weight, mean_tilt, larger_share),
)


def along(
    convex: Fact,
    shares: tuple[Real, Real],
    ends: tuple[Expr, Expr],
    at: Expr,
    *given: str,
) -> Fact:
    """The convexity at a point between two ends, with these shares of them."""
    first, second = map(formula, shares)
    line = specialize(convex, w=first, d=second, p=ends[0], q=ends[1], z=at)
    facts = (
        real(at_most(0, first), *given),
        real(at_most(0, second), *given),
        real(equal(first + second, 1)),
        real(equal(first * ends[0] + second * ends[1], at)),
    )
    return given_by(line, *facts)


@proves("excess")
def excess(part: Statement) -> Iterator[Step]:
    """A maximum of two lines."""
    first = 1 + x - g * (1 - x)
    second = 1 + y - g * (1 - y)
    middle = 1 + w * x + d * y - g * (1 - w * x - d * y)
    above = real("0 <= w*(max(u, 0) - u)", "0 <= w")
    least = real("0 <= w*max(u, 0)", "0 <= w")
    lines = [specialize(above, u=first), specialize(above, w=d, u=second)]
    floors = [specialize(least, u=first), specialize(least, w=d, u=second)]
    right = part.claim.right
    total = real("w + d == 1", "w + d == 1")
    upper = combine(at_most(middle, right), *lines, (total, g - 1), given=part.given)
    lower = combine(at_most(0, right), *floors, given=part.given)
    yield upper, "the line"
    yield lower, "and zero"
    larger = positive_part(upper, lower, *part.given)
    yield under(larger, *part.given), "the larger of the two"


@proves("one sign more")
def sign(part: Statement) -> Iterator[Step]:
    """The middle of two points."""
    half = formula(1) / 2
    line = along(part.assuming["convex"], (half, half), (y + x, y - x), y)
    yield combine(part.claim, line), "the middle of two points"


@proves("larger tilts")
def larger_tilts(part: Statement) -> Iterator[Step]:
    """Two points between the two ends."""
    shares = ((1 + e) / 2, (1 - e) / 2)
    convex = part.assuming["convex"]
    given = tuple(map(str, part.given))
    first = along(convex, shares, (x, -x), e * x, *given)
    second = along(convex, shares[::-1], (x, -x), -e * x, *given)
    yield first, "one point"
    yield second, "and its opposite"
    yield combine(part.claim, first, second, given=part.given), "added up"


@proves("chord")
def chord(part: Statement) -> Iterator[Step]:
    """The convexity along the tilt."""
    line = specialize(
        part.assuming["convex"], p=large * x, q=small * x, z=(w * large + d * small) * x
    )
    same = real(equal(w * (large * x) + d * (small * x), (w * large + d * small) * x))
    yield under(given_by(line, same), *part.given), "along the tilt"


@proves("what is out")
def beyond(part: Statement) -> Iterator[Step]:
    """Each change makes it larger."""
    product = real("0 <= a*b", "0 <= a", "0 <= b")
    gap = real("0 <= mean - own", "own <= mean")
    first = given_by(specialize(product, a=e, b=mean - own), gap)
    more = real("0 <= inside - (1 - out)", "1 - out <= inside")
    room = real(at_most(0, top - low + small * e), "low - small*e <= top")
    second = given_by(
        specialize(product, a=inside - (1 - out), b=top - low + small * e), more, room
    )
    yield first, "a larger mean"
    yield second, "and more that is out"
    yield under(combine(part.claim, first, second), *part.given), "added up"


TOTAL = BOTH * TOLD + 2 * v * N


def cancelled() -> Fact:
    """The tilt times both (A + B) + 2 v N is the gap."""
    return specialize(real("x/y*y == x", "0 < y"), x=GAP, y=TOTAL)


@proves("first density", "second density")
def density(part: Statement) -> Iterator[Step]:
    """The tilt cancels V."""
    found = cancelled()
    yield found, "the tilt times 2 V is the gap"
    half = (A - B) / 2 if part.name == "first density" else (B - A) / 2
    yield combine(part.claim, (found, -half), given=part.given), "half of the gap"


@proves("half of the gap")
def half_of_the_gap(part: Statement) -> Iterator[Step]:
    """2 V is both (A + B) + 2 v N."""
    yield combine(part.claim, cancelled(), given=part.given), "it cancels"
