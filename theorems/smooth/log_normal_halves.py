"""Laplace noise of a log-normal size on a smooth scale: one release is within pairs that have a
corner on each side.

Printed: not in the sources.
Proved: Let Z = X exp(sigma Y) with X of density exp(-|x|)/2 and a standard normal Y, and let
    neighbors have the outputs Z and c + exp(lam) Z, 0 < c <= alpha and 0 <= lam <= beta. For every
    eps >= 0 and in both orders P(A) - exp(eps) Q(A), for all these pairs and all events A, is at
    most the largest one of the shipped pairs: c = alpha, and the broader law has the scale 1 or
    exp(beta) below its center, and 1 or exp(beta) above it. With the same scale on both sides the
    pair occurs. The outputs with a loss above a level are the shipped ones, and the shipped sums
    contain their probabilities.
Idea: A larger shift is worse for every noise whose density falls from its center on both sides. On
    each side of the center of the broader law an event is best at one of the two ends of the
    scales: beyond both centers what the two laws share is an integral of the smaller of two
    functions that are log-concave in the logarithm of the distance, and so is log-concave in lam;
    before the center of the broader law the outputs with a loss above a level are an interval,
    whose probability is log-concave in lam.
Source: The noise is that of Bun and Steinke 2019; the argument is new here.
"""

from rdpacct.book.words import (
    Attack, BeyondBoth, Falsehood, Fraction, Iterator, LogNormalHalves, LogNormalLaw, Refused,
    Statement, Status, Step, Symbol, Theorem, at_most, by_prover, combine, equal, exp, falling_rate,
    formula, formulas, known, log_normal_pairs, node_error, random, read, real,
)  # fmt: skip

W, X, R, c, h, k, s, t, u, v, w, z = map(
    Symbol, ("W", "X", "R", "c", "h", "k", "s", "t", "u", "v", "w", "z")
)
S1, S2, alpha, beta, sigma = map(Symbol, ("S1", "S2", "alpha", "beta", "sigma"))
CORNERS, HALVES = log_normal_pairs(sigma, alpha, beta)
RATE = read(falling_rate(*formulas(exp(3 * sigma**2 / 2), S1, S2)))

NEARER = ("X*(w + c) <= w*t", "0 <= c", "0 <= t")


def nearer(part: Statement) -> Iterator[Step]:
    """What is added is not negative."""
    line = known(NEARER[0], part)
    yield line, "given"
    added = real(at_most(0, c * t), *NEARER[1:])
    yield added, "the product of two that are not negative"
    yield combine(part.claim, line, added), "so"


FAR = ("s*u == z - c", "u*X <= (z - c)*R")


def falls_far(part: Statement) -> Iterator[Step]:
    """The same product."""
    same = known(FAR[0], part)
    yield same, "given"
    line = known(FAR[1], part)
    yield line, "given"
    yield combine(part.claim, line, (same, -R)), "so"


def inside(seed: int) -> int:
    """Random pairs inside the box, in balls: none has a larger delta."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(4):
        alpha, eps = (Fraction(rng.randint(1, top), 20) for top in (20, 10))
        beta = Fraction(rng.randint(2, 8), 20)
        sigma = formula(Fraction(rng.randint(2, 8), 8))
        corners, halves = log_normal_pairs(sigma, formula(alpha), formula(beta))
        most = max(loss.delta(eps).upper for loss in (*corners, *halves))
        law = LogNormalLaw(sigma)
        for share in (1, 2):
            ratio = formula(beta * Fraction(share, 2))
            there = BeyondBoth(law, formula(alpha * Fraction(share, 2)), ratio)
            for narrow_first in (False, True):
                pair = LogNormalHalves(ratio, there, narrow_first)
                tried += 1
                if pair.excess(eps, 96).bound().certainly_above(most):
                    raise Refused(
                        f"alpha = {alpha}, beta = {beta}, sigma = {sigma}: a ratio {ratio} is"
                        f" worse at eps = {eps}."
                    )
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "|Z| is above z with probability S(z) = E exp(-z W), W = exp(sigma Y); the density of Z"
            " at z is exp(sigma**2/2)/2 times S(|z| exp(sigma**2)), and its slope is the same with"
            " W**2, as E W**n exp(-z W) = exp(n**2 sigma**2/2) S(z exp(n sigma**2)): a normal law"
            " that is weighted with exp(n sigma Y) is one with a shifted mean"
        ),
        (
            "so r(z) = -g'(z)/g(z), for the density g and z > 0, is the shipped rate; its"
            " derivative is r(z)**2 - E W**3 exp(-z W)/E W exp(-z W), which the squares below,"
            " averaged with the weight exp(-z W) at t = r(z), show to be at most 0: r falls"
        ),
        (
            "the logarithm of |Z| is that of |X|, of log-concave density exp(v - exp(v)), and an"
            " independent normal variable: so it has a log-concave density (Prekopa), and z r(z),"
            " 1 less the derivative of the logarithm of that by log(z), rises"
        ),
        (
            "1 - (P(A) - exp(eps) Q(A)) at the best A is the integral over h > 0 of the length"
            " that the intervals {p > h} and {exp(eps) q > h} share, which shrinks with the shift:"
            " so c = alpha is the worst"
        ),
        (
            "beyond both centers, at the distance w = exp(v) from that of the broader law, the"
            " densities of v are multiples of w g(c + w), log-concave as w r(c + w) rises, and of"
            " one that depends on v - lam, log-concave in both; so is the smaller of the two, and"
            " its integral over v is log-concave in lam (Prekopa): what is left of either law"
            " beside the other is at most the larger of what is left for lam = 0 and for lam = beta"
        ),
        (
            "before the center of the broader law the loss of the narrower one rises up to the"
            " center of that, by the two statements below, and then falls, as both densities then"
            " change against it: so the outputs with a loss above a level are an interval there,"
            " and its probability under the broader law is log-concave in lam; narrow first the"
            " event is that interval, broad first all else on that side: in both cases P(A) -"
            " exp(eps) Q(A) for one and the same A is at most the larger of its values at lam = 0"
            " and at lam = beta"
        ),
        (
            "the sum over both sides is at most the sum of the two larger ones, which is that of a"
            " law with a scale of its own on each side: half of the broader law is on each"
        ),
        (
            "beyond both centers the loss of the narrower law has the slope r(u)/s - r(z), u = (z -"
            " c)/s and s = exp(lam): it falls where r(u) < s r(z), and all over a cell if that"
            " holds for the ends that make it worst, as r falls and z r(z) (z - c)/z rises; with"
            " equal scales it rises, and is below 0"
        ),
        (
            "the trapezoid rule for an integral of a function f that is analytic for |Im y| <= h is"
            " off by at most the sum over j >= 1 of 2 exp(-j turn) times the integral of |f(y + i"
            " h)|, turn = 2 pi h/step (Poisson summation); for f(y) = exp(-y**2/2 - z exp(sigma"
            " y))/sqrt(2 pi) and sigma h < pi/2 the latter is at most exp(h**2/2), as exp(sigma (y"
            " + i h)) has a positive real part; and the nodes beyond k on one side are less than"
            " the normal tail there, which is at most exp(-k**2/2)/2"
        ),
    ),
    parts=(
        Statement(
            "squares",
            "W (W - t)**2 is not negative",
            at_most(2 * t * W**2, t**2 * W + W**3),
            by_prover("a square times W"),
            ("0 <= W",),
        ),
        Statement(
            "shipped-rate",
            "r is a ratio of two values of S: exp(2 sigma**2) over exp(sigma**2/2)",
            equal(exp(2 * sigma**2) * S2 / (exp(sigma**2 / 2) * S1), RATE),
            by_prover("the same ratio"),
            ("0 < S1",),
        ),
        Statement(
            "farther",
            "before both centers, at distances w and u = (w + c)/s with r(w) = R and r(u) = X: if"
            " u >= w then X <= R, and X/s <= R",
            at_most(X / s, R),
            by_prover("s >= 1"),
            ("X <= R", "1 <= s", "0 <= R"),
        ),
        Statement(
            "nearer",
            "and if u <= w then u X <= w R, and times s, with s u = w + c, again X <= s R = t",
            at_most(X * (w + c), t * (w + c)),
            nearer,
            NEARER,
        ),
        Statement(
            "rises",
            "w/(c + w) rises with w, and so does w r(c + w)",
            at_most(w * (c + v), v * (c + w)),
            by_prover("c (v - w) is not negative"),
            ("0 <= c", "w <= v"),
        ),
        Statement(
            "falls-far",
            "u r(u) < (z - c) r(z) says that r(u) < s r(z)",
            at_most(u * X, s * u * R),
            falls_far,
            FAR,
        ),
        Statement(
            "node-error",
            "the aliases are a geometric series, and the nodes that are left out two tails",
            equal(
                2 * exp(h**2 / 2) * (exp(-t) / (1 - exp(-t))) + exp(-(k**2) / 2),
                read(node_error(*formulas(h, t, k))),
            ),
            by_prover("the sum of the series"),
            ("0 < t",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "before both centers the slope is no larger at larger scales",
            at_most(X, R),
            ("X <= s*R", "1 <= s", "0 <= R"),
        ),
        Falsehood(
            "the sum of squares with one more on the other side",
            at_most(2 * t * W**2, t**2 * W**2 + W**3),
            ("0 <= W",),
        ),
    ),
    attacks=(Attack("random shifts and scales inside the box, both orders", inside),),
    rules=(falling_rate, log_normal_pairs, node_error),
)
