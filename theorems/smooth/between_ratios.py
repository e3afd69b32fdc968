"""Noise on a smooth scale before another choice: what a ratio of scales gains, from the ratios at
the two ends of a stretch.

Printed: not in the sources.
Proved: Let neighbors have the outputs Z and c + exp(lam) Z of Laplace noise, normal noise, or
    Student's t, and let a choice of the pair of a second release follow. For a fixed order of the
    two laws and a fixed lam the largest shift is best (smooth/corners, smooth/student-corners: its
    delta is the largest at every epsilon, and what follows is a mean of deltas). Let lam be within
    a stretch of width w. (1) The gain is at most that of the larger of both deltas of the ends, at
    each epsilon (the same entries, whose arguments hold for each stretch). (2) Let K be the shipped
    bend and t the shipped 1/(1 - K w**2/8). The probability that the broader law gives to an
    outcome of any test, and to any strategy for what follows, is at most t times the larger of
    those at the two ends. So the gain at g = exp(epsilon) is, the broader law first, at most t
    times the larger gain of the ends at g/t; the narrower law first, at most the larger gain of the
    ends at g t, and g (t - 1) more.
Idea: The second derivative of the broader density by lam is at least -K times the density, whatever
    the output is. So a probability F has F'' >= -K F, and its largest value m on the stretch is
    above the larger one of the ends by at most K m w**2/8.
Source: new here.
"""

from rdpacct.book.words import (
    Attack, Falsehood, Fraction, GAUSSIAN_BEND, GaussianNoise, Iterator, LAPLACE_BEND, LaplaceNoise,
    Refused, Statement, Status, Step, Symbol, Theorem, at_most, broad_within, by_prover, combine,
    equal, exp, formula, gaussian_turn, known, laplace_comparison_placed as placed, laplace_turn,
    narrow_within, random, real, stretched, student_bend, student_turn,
)  # fmt: skip

K, d, e, g, m, p, q, s, t, u, v, w, y, z = map(
    Symbol, ("K", "d", "e", "g", "m", "p", "q", "s", "t", "u", "v", "w", "y", "z")
)
ABOVE = "m <= e + K*m*w**2/8"
SHORT = "0 < 1 - K*w**2/8"
TIMES = "u <= t*v"


def within(part: Statement) -> Iterator[Step]:
    """Solved for the largest value."""
    above = known(ABOVE, part)
    yield above, "the chord, and what a second derivative adds"
    left = 1 - K * w**2 / 8
    moved = combine(at_most(m * left, e), above)
    yield moved, "on one side"
    rule = real("m <= 1/x*e", "m*x <= e", "0 < x")
    yield placed(rule, part.given, moved, m=m, e=e, x=left), "divided"


def broad(part: Statement) -> Iterator[Step]:
    """What the other law has is subtracted on both sides."""
    more = known(TIMES, part)
    yield more, "for each strategy"
    yield combine(part.claim, more, given=("0 < t",)), "less g times the other law"


def narrow(part: Statement) -> Iterator[Step]:
    """The same of the complement."""
    more = known(TIMES, part)
    yield more, "for the complement of each strategy"
    yield combine(part.claim, (more, g), given=("0 <= g",)), "g times that"


def inside(seed: int) -> int:
    """Random intervals and stretches, in balls."""
    rng = random.Random(seed)
    tried = 0
    for noise, bend in (
        (LaplaceNoise(), LAPLACE_BEND),
        (GaussianNoise(), GAUSSIAN_BEND),
    ):
        for _ in range(40):
            low, between, high = sorted(
                Fraction(rng.randint(-60, 60), 100) for _ in range(3)
            )
            ends = sorted(Fraction(rng.randint(-400, 400), 100) for _ in range(2))
            masses = []
            for ratio in (low, between, high):
                below = [noise.below(formula(x) * exp(-ratio)) for x in ends]
                masses.append((below[1] - below[0]).bound())
            times = stretched(bend, formula(high - low)).bound()
            most = max(masses[0].upper, masses[2].upper) * times.upper
            tried += 1
            if masses[1].lower > most:
                raise Refused(f"{noise}: {ends} at {between} in {low} to {high}.")
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "for a density f((x - c) exp(-lam)) exp(-lam), with r the derivative of its logarithm"
            " by lam, the second derivative is r**2 + r' times the density; in scales of the noise"
            " r is |z| - 1, z**2 - 1 or (d + 1) y - 1 with y = z**2/(d + z**2), and these change by"
            " -|z|, -2 z**2 and -2 (d + 1) y (1 - y); at a fixed output no density has a kink"
            " in lam"
        ),
        (
            "a function whose second derivative is nowhere below -k is at most k w**2/8 above the"
            " larger of its values at the two ends of an interval of length w"
        ),
        (
            "what a strategy gains is P - g Q of a function with values between 0 and 1 of both"
            " outputs; the largest of such gains is the gain of the game, and with everything"
            " exchanged for its complement P - g Q is 1 - g + g Q - P"
        ),
    ),
    parts=(
        Statement(
            "within",
            "m is the largest value on the stretch, e the larger one of the ends",
            at_most(m, stretched(K, w) * e),
            within,
            (ABOVE, SHORT),
        ),
        Statement(
            "broad-first",
            "u and v are probabilities under the broader law, within and at an end; q under the"
            " other one",
            at_most(u - g * q, broad_within(t, v - g / t * q)),
            broad,
            (TIMES, "0 < t"),
        ),
        Statement(
            "narrow-first",
            "u and v are those of the complement; p is the probability under the narrower law",
            at_most(p - g * (1 - u), narrow_within(t, p - t * g * (1 - v), g)),
            narrow,
            (TIMES, "0 <= g"),
        ),
        Statement(
            "laplace-turn",
            "r**2 + r' in |z|",
            equal((z - 1) ** 2 - z, laplace_turn(z)),
            by_prover("an identity"),
        ),
        Statement(
            "gaussian-turn",
            "r**2 + r' in s = z**2",
            equal((s - 1) ** 2 - 2 * s, gaussian_turn(s)),
            by_prover("an identity"),
        ),
        Statement(
            "student-turn",
            "r**2 + r' in y",
            equal(
                ((d + 1) * y - 1) ** 2 - 2 * (d + 1) * y * (1 - y), student_turn(y, d)
            ),
            by_prover("an identity"),
        ),
        Statement(
            "laplace",
            "the bend of the Laplace law",
            at_most(-LAPLACE_BEND, laplace_turn(z)),
            by_prover("a square"),
        ),
        Statement(
            "gaussian",
            "the bend of the normal law",
            at_most(-GAUSSIAN_BEND, gaussian_turn(s)),
            by_prover("a square"),
        ),
        Statement(
            "student",
            "the bend of Student's t",
            at_most(-student_bend(d) * (d + 3), student_turn(y, d) * (d + 3)),
            by_prover("(d + 1) ((d + 3) y - 2)**2 is not negative"),
            ("0 < d",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "no probability is larger within a stretch than at its ends",
            at_most(m, e),
            (ABOVE, SHORT),
        ),
        Falsehood(
            "with the narrower law first nothing is added",
            at_most(p - g * (1 - u), p - t * g * (1 - v)),
            (TIMES, "0 <= g", "1 < t"),
        ),
        Falsehood(
            "a smaller bend is enough for the Laplace law",
            at_most(-LAPLACE_BEND / 2, laplace_turn(z)),
        ),
    ),
    attacks=(Attack("random intervals and stretches, in balls", inside),),
    rules=(
        stretched,
        broad_within,
        narrow_within,
        student_bend,
    ),
)
