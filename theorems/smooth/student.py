"""Student noise on a smooth scale: the largest loss in closed form.

Printed: not in the sources. Bun and Steinke have, for Z with the law of Student's t with d degrees
    of freedom and a beta-smooth bound S, that f(x) + (S(x)/alpha) Z is eps-DP with eps = beta (d +
    1) + alpha (d + 1)/(2 sqrt(d)).
Proved: In units of sqrt(d), let neighbors have the outputs Z and c + exp(lam) Z, 0 <= c <= a =
    alpha/sqrt(d) and 0 <= lam <= beta. The loss of the narrower law lies between -(d+1)/2 T -
    (d-1)/2 lam and (d+1)/2 T - (d-1)/2 lam, where cosh(T) = cosh(lam) + c**2 exp(-lam)/2. At every
    output, in scales of the broader law, the loss is below its chord in lam: so the largest one
    over all of these pairs is at c = a and at lam = 0 or lam = beta, the shipped epsilon. It is at
    most max(1, d) beta + a (d+1)/2, which is less than theirs.
Idea: The ratio of the densities is a power of that of two Cauchy densities, which is a quadratic
    form in the cosine and sine of half an angle.
Source: Bun and Steinke 2019, Average-case averages: private algorithms for smooth sensitivity and
    mean estimation, the theorem on Student's t.
"""

from rdpacct.book.words import (
    Callable, Condition, Expr, Fact, Falsehood, Fraction, Iterator, Real, Statement, Status, Step,
    Symbol, Theorem, absolute, at_most, by_prover, cauchy_turn, combine, cosh, equal, exp, formula,
    known, laplace_comparison_placed as placed, largest_loss, log, maximum, narrow_range, real,
    sinh, specialize, sqrt, student_epsilon, sufficient_student_epsilon, under,
)  # fmt: skip


a, b, c, d, h, j, k, q, r, s, t, u, v, w, x, y, z = map(
    Symbol,
    (
        "a",
        "b",
        "c",
        "d",
        "h",
        "j",
        "k",
        "q",
        "r",
        "s",
        "t",
        "u",
        "v",
        "w",
        "x",
        "y",
        "z",
    ),
)
A, B, C, K, S, lam, beta = map(Symbol, ("A", "B", "C", "K", "S", "lam", "beta"))
SIZE = cosh(lam) + c**2 * exp(-lam) / 2
BROAD = exp(lam) * (1 + ((z - c) * exp(-lam)) ** 2)
RATIO = BROAD / (1 + z**2)
"""The ratio of two Cauchy densities, the narrower one first."""
WAVE = (exp(lam) + c**2 * exp(-lam) - exp(-lam)) / 2
OTHER = -c * exp(-lam)
TOP = SIZE + sqrt(SIZE**2 - 1)
LOSS = lam + (d + 1) / 2 * (log(RATIO) - lam)
LOW, HIGH = narrow_range(cauchy_turn(c, lam), lam, d)
ENDS = narrow_range(t, lam, d)
LARGEST = largest_loss(t, lam, d)
GIVEN = ("0 < d", "0 <= lam")
SUMS = ("A + B + C == exp(u)", "A + B*exp(b) + C*exp(2*b) == exp(v)")
TERMS = ("0 <= A", "0 <= B", "0 <= C", "0 <= r", "r <= 1")
CHORD = "log(S) <= (1 - r)*u + r*v"
AMPLITUDE = "y**2 + w**2 == x**2"
LENGTH = equal(q**2, SIZE**2 - 1)


def legs(part: Statement) -> Iterator[Step]:
    """A leg of a right triangle is at most its hypotenuse."""
    first = y * (1 - z**2) + w * 2 * z
    second = w * (1 - z**2) - y * 2 * z
    long = x * (1 + z**2)
    amplitude = known(AMPLITUDE, part)
    rest = specialize(real("0 <= x**2"), x=second)
    below = combine(at_most(first**2, long**2), rest, (amplitude, (1 + z**2) ** 2))
    yield below, "the rest is a square"
    positive = placed(real("0 <= u*v", "0 <= u", "0 <= v"), part.given, u=x, v=1 + z**2)
    leg = placed(
        real("u <= sqrt(v)", "u**2 <= v"), part.given, below, u=first, v=long**2
    )
    root = placed(real("sqrt(v**2) == v", "0 <= v"), part.given, positive, v=long)
    yield combine(part.claim, leg, root), "so the leg is shorter"


def ratio(sign: int) -> Callable[[Statement], Iterator[Step]]:
    """The wave is between its amplitude and minus its amplitude."""

    def proof(part: Statement) -> Iterator[Step]:
        square = known(LENGTH, part)
        same = combine(
            equal((sign * WAVE) ** 2 + (sign * OTHER) ** 2, q**2), (square, -1)
        )
        moved = {"y": sign * WAVE, "w": sign * OTHER, "x": q}
        found = placed(THEOREM.part("legs").fact(), part.given, same, **moved)
        yield found, "the amplitude of the wave"
        yield combine(part.claim, (found, 1 / (1 + z**2)), given=part.given), "divided"

    return proof


def _of_size(name: str, *given: str | Condition) -> Fact:
    """The bound on the ratio at the root itself."""
    root = sqrt(SIZE**2 - 1)
    size = real(at_most(1, SIZE), *given)
    positive = placed(real("0 <= x**2 - 1", "1 <= x"), given, size, x=SIZE)
    square = placed(real("sqrt(u)**2 == u", "0 <= u"), given, positive, u=SIZE**2 - 1)
    least = placed(real("0 <= sqrt(u)", "0 <= u"), given, positive, u=SIZE**2 - 1)
    return placed(THEOREM.part(name).fact(), given, square, least, q=root)


def highest(part: Statement) -> Iterator[Step]:
    """The ratio is at most TOP, and the logarithm grows."""
    above = _of_size("ratio-above", *part.given)
    yield above, "the ratio of the densities"
    logs = real("log(x) <= log(y)", "0 < x", "x <= y")
    grows = placed(logs, part.given, above, x=RATIO, y=TOP)
    yield grows, "and so are the logarithms"
    rule = real("l + (d + 1)/2*(x - l) <= (d + 1)/2*y - (d - 1)/2*l", "x <= y", "0 < d")
    uses = {"l": lam, "x": log(RATIO), "y": log(TOP)}
    yield placed(rule, part.given, grows, **uses), "in the loss"


def lowest(part: Statement) -> Iterator[Step]:
    """1/TOP is SIZE less the amplitude."""
    below = _of_size("ratio-below", *part.given)
    yield below, "the ratio of the densities"
    size = real(at_most(1, SIZE), *part.given)
    rule = real("1 <= (x + sqrt(x**2 - 1))*y", "1 <= x", "x - sqrt(x**2 - 1) <= y")
    product = placed(rule, part.given, size, below, x=SIZE, y=RATIO)
    yield product, "so this product is at least 1"
    positive = placed(
        real("0 < x + sqrt(x**2 - 1)", "1 <= x"), part.given, size, x=SIZE
    )
    logs = combine(
        at_most(0, log(x) + log(y)),
        placed(real("0 <= log(u)", "1 <= u"), ("0 < x", "0 < y", "1 <= x*y"), u=x * y),
        real("log(x*y) <= log(x) + log(y)", "0 < x", "0 < y"),
    )
    both = placed(logs, part.given, product, positive, x=TOP, y=RATIO)
    yield both, "in logarithms"
    uses = {"l": lam, "x": log(RATIO), "y": log(TOP)}
    rule = real(
        "-(d + 1)/2*y - (d - 1)/2*l <= l + (d + 1)/2*(x - l)", "0 <= y + x", "0 < d"
    )
    yield placed(rule, part.given, both, **uses), "in the loss"


def chord(part: Statement) -> Iterator[Step]:
    """exp is convex, term by term."""
    mean = (1 - r) * u + r * v
    tangent = real("exp(z)*(1 + x - z) <= exp(x)")
    yield tangent, "exp lies above its tangents"
    lines = []
    for rate in (0, 1, 2):
        at = rate * r * b - mean
        near = specialize(tangent, z=at, x=-u)
        far = specialize(tangent, z=at, x=rate * b - v)
        claim = at_most(exp(at), (1 - r) * exp(-u) + r * exp(rate * b - v))
        lines.append(
            combine(claim, (near, 1 - r), (far, r), given=("0 <= r", "r <= 1"))
        )
    yield lines[2], "so it is below its chords"
    sums = [real(text, text) for text in SUMS]
    weights = zip(lines, (A, B, C), strict=True)
    uses = [(line, weight * exp(mean)) for line, weight in weights]
    total = at_most(A + B * exp(r * b) + C * exp(2 * r * b), exp(mean))
    yield (
        combine(
            total,
            *uses,
            (sums[0], (1 - r) * exp(mean - u)),
            (sums[1], r * exp(mean - v)),
            given=part.given,
        ),
        "added up",
    )


def corner(part: Statement) -> Iterator[Step]:
    """A mean is at most the larger."""
    below = under(real(CHORD, "0 < S", CHORD), *part.given)
    first = (d + 1) / 2 * (u - K)
    last = (d + 1) / 2 * (v - K) - beta
    tops = [
        specialize(real(text), x=first, y=last)
        for text in ("x <= max(x, y)", "y <= max(x, y)")
    ]
    yield below, "the chord"
    yield (
        combine(
            part.claim,
            (below, (d + 1) / 2),
            (tops[0], 1 - r),
            (tops[1], r),
            given=part.given,
        ),
        "weighted",
    )


GROWS = "log(x + sqrt(x**2 - 1)) <= log(y + sqrt(y**2 - 1))"


def turn_grows(part: Statement) -> Iterator[Step]:
    """cosh(T) grows with the shift, and so does T."""
    sizes = [SIZE.at(c=shift) for shift in (c, a)]
    order = real(at_most(*sizes), *part.given)
    yield order, "the shift counts with its square"
    least = real(at_most(1, sizes[0]), *part.given)
    squares = placed(
        real("x**2 - 1 <= y**2 - 1", "1 <= x", "x <= y"),
        part.given,
        least,
        order,
        x=sizes[0],
        y=sizes[1],
    )
    inside = [size**2 - 1 for size in sizes]
    positive = placed(real("0 <= x**2 - 1", "1 <= x"), part.given, least, x=sizes[0])
    roots = placed(
        real("sqrt(x) <= sqrt(y)", "0 <= x", "x <= y"),
        part.given,
        positive,
        squares,
        x=inside[0],
        y=inside[1],
    )
    tops = [size + sqrt(size**2 - 1) for size in sizes]
    total = combine(at_most(*tops), order, roots)
    lower = placed(
        real("0 < x + sqrt(x**2 - 1)", "1 <= x"), part.given, least, x=sizes[0]
    )
    logs = real("log(x) <= log(y)", "0 < x", "x <= y")
    yield (
        placed(logs, part.given, lower, total, x=tops[0], y=tops[1]),
        "so does the logarithm",
    )


def turn_bounded(part: Statement) -> Iterator[Step]:
    """cosh(T) is at most cosh(lam + c)."""
    above = real(at_most(SIZE, cosh(lam + c)), *part.given)
    yield above, "exp(-lam) is at most cosh(lam), and c**2/2 at most cosh(c) - 1"
    least = real(at_most(1, SIZE), *part.given)
    positive = placed(real("0 <= x**2 - 1", "1 <= x"), part.given, least, x=SIZE)
    square = placed(
        real("x**2 - 1 <= y**2 - 1", "1 <= x", "x <= y"),
        part.given,
        least,
        above,
        x=SIZE,
        y=cosh(lam + c),
    )
    sines = combine(at_most(SIZE**2 - 1, sinh(lam + c) ** 2), square)
    leg = placed(
        real("sqrt(u) <= v", "u <= v**2", "0 <= v", "0 <= u"),
        part.given,
        sines,
        positive,
        u=SIZE**2 - 1,
        v=sinh(lam + c),
    )
    whole = combine(at_most(TOP, exp(lam + c)), above, leg)
    yield whole, "so exp(T) is at most exp(lam + c)"
    lower = placed(real("0 < x + sqrt(x**2 - 1)", "1 <= x"), part.given, least, x=SIZE)
    logs = real("log(x) <= y", "0 < x", "x <= exp(y)")
    yield (
        placed(logs, part.given, lower, whole, x=TOP, y=lam + c),
        "and T at most lam + c",
    )


def either_end(sign: int) -> Callable[[Statement], Iterator[Step]]:
    """An end of the range is at most the largest loss: x <= |x|."""

    def proof(part: Statement) -> Iterator[Step]:
        middle = real(
            at_most(sign * (d - 1) / 2 * lam, absolute(d - 1) / 2 * lam), *part.given
        )
        yield middle, "the middle of the range"
        yield combine(part.claim, middle), "and half its width"

    return proof


def a_corner(text: str) -> Callable[[Statement], Iterator[Step]]:
    """One of two numbers is at most the larger one."""

    def proof(part: Statement) -> Iterator[Step]:
        first, last = (
            largest_loss(cauchy_turn(a / sqrt(d), ratio), ratio, d)
            for ratio in (0, beta)
        )
        yield placed(real(text), part.given, x=first, y=last), "the larger of two"

    return proof


def sufficient(part: Statement) -> Iterator[Step]:
    """T is at most lam + c."""
    turn = THEOREM.part("turn-bounded").fact()
    yield turn, "T is at most lam + c"
    both = real("(x + 1)/2 + abs(x - 1)/2 == max(1, x)")
    slopes = specialize(both, x=d)
    yield slopes, "both slopes of lam"
    yield (
        combine(part.claim, (turn, (d + 1) / 2), (slopes, lam), given=part.given),
        "added",
    )


def corner_loss(shift: Real, ratio: Real, degrees: Real) -> Expr:
    """The largest loss of a pair, both orders."""
    return largest_loss(cauchy_turn(shift, ratio), ratio, degrees)


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "legs",
            "the amplitude of a wave: (1 - z**2)/(1 + z**2) and 2 z/(1 + z**2) are the cosine and"
            " sine of an angle",
            at_most(y * (1 - z**2) + w * 2 * z, x * (1 + z**2)),
            legs,
            (AMPLITUDE, "0 <= x"),
        ),
        Statement(
            "ratio-above",
            "the ratio of two Cauchy densities, cosh(T) + sinh(T) times a cosine",
            at_most(RATIO, SIZE + q),
            ratio(1),
            (LENGTH, "0 <= q"),
        ),
        Statement(
            "ratio-below",
            "from below",
            at_most(SIZE - q, RATIO),
            ratio(-1),
            (LENGTH, "0 <= q"),
        ),
        Statement(
            "highest",
            "the loss of the narrower law, at every output z, is at most the shipped one",
            at_most(LOSS, HIGH),
            highest,
            GIVEN,
        ),
        Statement(
            "lowest", "and at least the shipped one", at_most(LOW, LOSS), lowest, GIVEN
        ),
        Statement(
            "chord",
            "lam = r b; broad first, at w >= 0 in scales of the broader law: A = 1 + c**2, B = 2 c"
            " w, C = w**2; narrow first, with -b for b: A = 1, B = 0, C = (z - c)**2",
            at_most(A + B * exp(r * b) + C * exp(2 * r * b), exp((1 - r) * u + r * v)),
            chord,
            (*TERMS, *SUMS),
        ),
        Statement(
            "corner",
            "S at lam = r beta, below its chord: the loss is at most the larger of those at lam ="
            " 0 and lam = beta; K is the logarithm of the other density",
            at_most(
                (d + 1) / 2 * (log(S) - K) - r * beta,
                maximum((d + 1) / 2 * (u - K), (d + 1) / 2 * (v - K) - beta),
            ),
            corner,
            ("0 < d", "0 < S", "0 <= r", "r <= 1", CHORD),
        ),
        Statement(
            "far-broad",
            "broad first: at every output w in its scales, |c + x w|, x = exp(lam), is at most what"
            " the shift a has at |w|",
            at_most(absolute(c + x * w), a + x * absolute(w)),
            by_prover("the triangle inequality"),
            ("0 <= c", "c <= a", "0 < x"),
        ),
        Statement(
            "turn-grows",
            "a larger shift has a larger T",
            at_most(cauchy_turn(c, lam), cauchy_turn(a, lam)),
            turn_grows,
            ("0 <= lam", "0 <= c", "c <= a"),
        ),
        Statement(
            "narrow-first",
            "the largest loss of the narrower law is at most the shipped largest loss",
            at_most(ENDS[1], LARGEST),
            either_end(-1),
            ("0 <= lam",),
        ),
        Statement(
            "broad-first",
            "and so is that of the broader law",
            at_most(-ENDS[0], LARGEST),
            either_end(1),
            ("0 <= lam",),
        ),
        *(
            Statement(
                name,
                f"the shipped epsilon is at least the largest loss at {where}",
                at_most(
                    largest_loss(cauchy_turn(a / sqrt(d), ratio), ratio, d),
                    student_epsilon(a, beta, d),
                ),
                a_corner(text),
                ("0 < d", "0 < a", "0 < beta"),
            )
            for name, where, ratio, text in (
                ("equal-scales", "lam = 0", formula(0), "x <= max(x, y)"),
                ("largest-ratio", "lam = beta", beta, "y <= max(x, y)"),
            )
        ),
        Statement(
            "turn-bounded",
            "T is at most lam + c",
            at_most(cauchy_turn(c, lam), lam + c),
            turn_bounded,
            ("0 <= lam", "0 <= c"),
        ),
        Statement(
            "sufficient",
            "so the largest loss is at most this, with max(1, d) in place of the printed d + 1",
            at_most(
                largest_loss(cauchy_turn(c, lam), lam, d),
                maximum(1, d) * lam + (d + 1) / 2 * c,
            ),
            sufficient,
            ("0 < d", "0 <= lam", "0 <= c"),
        ),
        Statement(
            "as shipped",
            "which the package has in terms of alpha",
            equal(
                sufficient_student_epsilon(a, beta, d),
                maximum(1, d) * beta + (d + 1) / 2 * (a / sqrt(d)),
            ),
            by_prover("the same sum"),
            ("0 < d",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "equal scales are worst: three degrees, alpha = 0.2 sqrt(3), beta = 0.5",
            at_most(
                corner_loss(Fraction(1, 5), Fraction(1, 2), 3),
                corner_loss(Fraction(1, 5), 0, 3),
            ),
        ),
        Falsehood(
            "the largest ratio of scales is worst: one degree, alpha = 1, beta = 0.1",
            at_most(corner_loss(1, 0, 1), corner_loss(1, Fraction(1, 10), 1)),
        ),
        Falsehood(
            "d beta is enough for less than one degree",
            at_most(corner_loss(c, lam, d), d * lam + (d + 1) / 2 * c),
            ("0 < d", "0 <= lam", "0 <= c"),
        ),
    ),
    rules=(
        cauchy_turn,
        largest_loss,
        narrow_range,
        student_epsilon,
        sufficient_student_epsilon,
    ),
)
