"""Student noise on a smooth scale: the worst shift and scale are at a corner, for every epsilon.

Printed: not in the sources.
Proved: Let Z have the law of Student's t with d degrees of freedom, and let neighbors have the
    outputs Z and c + exp(lam) Z, 0 < c <= alpha and 0 <= lam <= beta. For every eps and in both
    orders the largest P(A) - exp(eps) Q(A) over all these pairs and all events A is taken at c =
    alpha and at lam = 0 or lam = beta; so is the smallest error of a test of every size. The
    outputs with a loss above a level are those between, or outside, the roots of the shipped
    quadratic.
Idea: The outputs with a loss above a level are an interval or all but an interval. The probability
    of an interval first rises and then falls as the scale grows, in the scales of either law,
    because the ratio of the densities at its ends is monotone. So what is subtracted has no valley,
    or what is added has no peak. Narrow first, the event is an interval for eps >= 0. Broad first
    it is all but an interval, in scales of the narrower law; or it is an interval, in scales of the
    broader one. For eps < 0, narrow first, it is an interval as long as eps > -d lam, and all but
    an interval below: the laws are exchanged there. That interval reaches beyond the center c, as
    the ratio is no smaller at c + t than at c - t. If it begins beyond c, broad-once applies; if it
    contains c, the derivative by lam is positive throughout. The case is that of the ratio between,
    so that the ends of a stretch may be of the other one.
Source: The scales are those of Nissim, Raskhodnikova and Smith 2007, the noise that of Bun and
    Steinke 2019; the argument is new here.
"""

from rdpacct.book.words import (
    Attack, Falsehood, Fraction, Iterator, Refused, Statement, Status, Step, StudentPair, Symbol,
    Theorem, at_most, by_prover, cauchy_turn, combine, equal, formula, known,
    laplace_comparison_placed as placed, lemma, quadratic, random, sqrt, student_corners,
    student_epsilon,
)  # fmt: skip

A, B, C, c, d, h, j, k, s, t, u, v, x, z = map(
    Symbol, ("A", "B", "C", "c", "d", "h", "j", "k", "s", "t", "u", "v", "x", "z")
)
alpha, beta = map(Symbol, ("alpha", "beta"))
(BROAD,) = student_corners(alpha, beta, d).losses[1].parts  # type: ignore[attr-defined]
QUADRATIC = quadratic(c, j, d, k)
ROOT = ("s**2 == B**2 - A*C", "0 < B + s")


def roots(part: Statement) -> Iterator[Step]:
    """The product of the two factors."""
    square = known(ROOT[0], part)
    yield square, "the discriminant"
    yield combine(part.claim, (square, z / (B + s)), given=(ROOT[1],)), "multiplied out"


def shipped(part: Statement) -> Iterator[Step]:
    """The largest loss of a pair, and the larger of two of them."""
    turn = cauchy_turn(alpha / sqrt(d), beta)
    pair = placed(lemma("smooth/student", "broad-first"), part.given, t=turn, lam=beta)
    yield pair, "the largest loss of this pair"
    larger = placed(lemma("smooth/student", "largest-ratio"), part.given, a=alpha)
    yield larger, "is one of those of which epsilon is the larger"
    yield combine(part.claim, pair, larger), "so"


def inside(seed: int) -> int:
    """Random pairs inside the box, in balls: none has a larger delta, or a larger loss."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(12):
        alpha, beta, eps = (Fraction(rng.randint(1, top), 20) for top in (60, 30, 50))
        degrees = formula(Fraction(rng.randint(1, 24), 4))
        profile = student_corners(formula(alpha), formula(beta), degrees)
        most = profile.delta(eps)
        largest = student_epsilon(alpha, beta, degrees).bound()
        for _ in range(6):
            shift = formula(alpha * Fraction(rng.randint(1, 4), 4))
            ratio = formula(beta * Fraction(rng.randint(0, 4), 4))
            for narrow_first in (False, True):
                pair = StudentPair(shift, ratio, degrees, narrow_first)
                high = pair.range()[1].bound()
                tried += 1
                if pair.excess(eps, 200).bound().certainly_above(
                    most
                ) or high.certainly_above(largest):
                    raise Refused(
                        f"alpha = {alpha}, beta = {beta}, {degrees} degrees: {shift}, {ratio} is"
                        f" worse at eps = {eps}."
                    )
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "the probability of outputs beyond x, away from 0, is half of the regularized"
            " incomplete beta function at d/(d + x**2) with the parameters d/2 and 1/2"
        ),
        (
            "1 - (P(A) - exp(eps) Q(A)) at the best A is the integral over h > 0 of the length"
            " that the intervals {p > h} and {exp(eps) q > h} share, which shrinks with the shift"
        ),
        (
            "a probability that depends on the scale, and whose derivative changes its sign at"
            " most once, from plus to minus, is at least the smaller of its values at two ends; an"
            " interval about the center only loses as the noise grows; and an interval on which the"
            " broader law exceeds the narrower one reaches beyond its center, away from the other"
        ),
    ),
    parts=(
        Statement(
            "shipped",
            "the largest loss of the shipped pair with the largest ratio of scales, the broader"
            " law first, is within the largest loss of all pairs",
            at_most(BROAD.range()[1], student_epsilon(alpha, beta, d)),
            shipped,
            ("0 < d", "0 < alpha", "0 < beta"),
        ),
        Statement(
            "quadratic",
            "the loss is above a level where d + ((z - c) j)**2 > k (d + z**2), j = exp(-lam)",
            equal(
                d + ((z - c) * j) ** 2 - k * (d + z**2),
                QUADRATIC[0] * z**2 - 2 * QUADRATIC[1] * z + QUADRATIC[2],
            ),
            by_prover("an identity"),
        ),
        Statement(
            "roots",
            "s is the root of the discriminant: between C/(B + s) and (B + s)/A, or outside",
            equal(
                A * z**2 - 2 * B * z + C,
                (B + s) * (C / (B + s) - z) * (1 - A / (B + s) * z),
            ),
            roots,
            ROOT,
        ),
        Statement(
            "narrow-once",
            "1/scale = s >= t: the ratio of the densities at two ends u <= v beside the center"
            " rises with s, so that u p(u s) - v p(v s) changes its sign once",
            at_most(
                (1 + (v * t) ** 2) * (1 + (u * s) ** 2),
                (1 + (v * s) ** 2) * (1 + (u * t) ** 2),
            ),
            by_prover("(v**2 - u**2)(s**2 - t**2) is not negative"),
            ("0 <= u", "u <= v", "0 <= t", "t <= s"),
        ),
        Statement(
            "broad-once",
            "in scales of the broader law an interval from u to u + v beyond its center: the"
            " ratio of the narrower density at its near end c + x u to that at its far end"
            " c + x (u + v), x = exp(lam), does not fall as x rises to x + h",
            at_most(
                (1 + (c + (x + h) * u) ** 2) * (1 + (c + x * (u + v)) ** 2),
                (1 + (c + x * u) ** 2) * (1 + (c + (x + h) * (u + v)) ** 2),
            ),
            by_prover("a polynomial without negative coefficients"),
            ("0 <= c", "0 <= x", "0 <= h", "0 <= u", "0 <= v"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the ratio at the ends falls as the scale shrinks",
            at_most(
                (1 + (v * s) ** 2) * (1 + (u * t) ** 2),
                (1 + (v * t) ** 2) * (1 + (u * s) ** 2),
            ),
            ("0 <= u", "u <= v", "0 <= t", "t <= s"),
        ),
        Falsehood(
            "in scales of the broader law, also before its center",
            at_most(
                (1 + (c + (x + h) * u) ** 2) * (1 + (c + x * v) ** 2),
                (1 + (c + x * u) ** 2) * (1 + (c + (x + h) * v) ** 2),
            ),
            ("0 <= c", "0 <= x", "0 <= h", "u <= v", "v <= 0"),
        ),
    ),
    attacks=(Attack("random shifts and scales inside the box, both orders", inside),),
    rules=(quadratic, student_corners),
)
