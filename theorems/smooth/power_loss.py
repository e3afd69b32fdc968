"""Power-law noise on a smooth scale: the largest loss, and for Cauchy noise one pair that is worst
for every question.

Printed: not in the sources, which add the bound for a slide to the bound for a dilation.
Proved: Let Z have a density proportional to 1/(1 + |z|**g), g > 1, and let neighbors have the
    outputs Z and c + exp(lam) Z, 0 <= c <= alpha and 0 <= lam <= beta. At every output and in both
    orders, the ratio of the densities is at most that for the largest shift alpha at the same
    distance from the center, and at most its chord between lam = 0 and lam = beta: so the largest
    loss is at c = alpha and at lam = 0 or lam = beta. There it is log K - lam or log K + lam, where
    K is the largest (1 + (A + B y)**g)/(1 + y**g) over y >= 0 (A = c, B = exp(lam), or A = c
    exp(-lam), B = exp(-lam)), and K is both sides of 1 + h**(1-g) A**g = (1-h)**(1-g) B**g at the
    one h between 0 and 1 where they agree. For g = 2 the exponential of the loss is x + sqrt(x**2 -
    1) cos(phi), phi uniform under P and x = cosh(lam) + c**2 exp(-lam)/2: its law is that of a
    change of scale alone, by eps with cosh(eps) = x, and the pair with the largest x is worst for
    every event: the broader law has less in every interval around 0, the larger the change of
    scale. The other order is the same pair with -lam for lam and c exp(-lam) for c, and has the
    same x.
Idea: (A + B y)**g <= h**(1-g) A**g + (1-h)**(1-g) (B y)**g for every h, with equality at one y. In
    lam the ratios of densities are convex, output by output, if outputs are named in scales of the
    broader law. For g = 2 let z = tan(phi/2): the ratio of the densities is a quadratic form of
    determinant 1 in the cosine and sine of phi/2.
Source: The mechanism is in Lecture 13 (smoothed sensitivity and median), Lemma 13.2; that one
    number decides all divergences of two Cauchy laws is in Nielsen and Okamura 2021, On
    f-divergences between Cauchy distributions.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Law, Refused, SmoothPower, Statement, Status, Step,
    Symbol, Theorem, absolute, at_most, by_prover, cases, cauchy_epsilon, combine, cosh, dominated,
    equal, event, exp, expect, formula, known, laplace_comparison_placed as placed,
    largest_log_ratio, log, maximum, pure_epsilon, random, real, relation, specialize,
)  # fmt: skip

g, h, x, y, r, K, U, V, w, c, lam, beta = map(
    Symbol, ("g", "h", "x", "y", "r", "K", "U", "V", "w", "c", "lam", "beta")
)
a, b, near, far, first, last = map(Symbol, ("a", "b", "near", "far", "first", "last"))
TANGENT = "1 + g*(q - 1) <= q**g"
BROAD = "U <= near + far*V"


def means(part: Statement) -> Iterator[Step]:
    """The tangent of the power at 1, twice."""
    tangent = real(TANGENT, "0 < q", "1 < g")
    yield tangent, "the power is convex"
    one, two = (placed(tangent, part.given, q=at) for at in (x / h, (1 - x) / (1 - h)))
    yield combine(part.claim, (one, h), (two, 1 - h)), "with weights h and 1 - h"


def ratio(part: Statement) -> Iterator[Step]:
    """Both terms are the same multiple."""
    near_side = known("1 + near <= K", part)
    far_side = known("far <= K", part)
    yield (
        combine(
            part.claim, known(BROAD, part), near_side, (far_side, V), given=("0 <= V",)
        ),
        "added",
    )


def narrow(part: Statement) -> Iterator[Step]:
    """The chords of two exponentials."""
    up = real("(exp(x) - 1)*y <= x*(exp(y) - 1)", "0 <= x", "x <= y")
    down = real("(exp(-x) - 1)*y <= x*(exp(-y) - 1)", "0 <= x", "x <= y")
    one = placed(up, part.given, x=lam, y=beta)
    yield one, "the chord of exp(lam)"
    order = placed(
        real("0 <= x*y", "0 <= x", "0 <= y"), part.given, x=g - 1, y=beta - lam
    )
    within = combine(at_most((g - 1) * lam, (g - 1) * beta), order)
    two = placed(down, part.given, within, x=(g - 1) * lam, y=(g - 1) * beta)
    yield two, "and of exp(-(g - 1) lam)"
    yield combine(part.claim, (one, 1 / beta), (two, w / ((g - 1) * beta))), "added"


def convex(part: Statement) -> Iterator[Step]:
    """The tangent at the mean."""
    mean = (1 - r) * first + r * last
    tangent = real(TANGENT, "0 < q", "1 < g")
    one, two = (placed(tangent, part.given, q=at / mean) for at in (first, last))
    yield one, "the power is convex"
    yield combine(part.claim, (one, 1 - r), (two, r)), "with weights 1 - r and r"


def sums(part: Statement) -> Iterator[Step]:
    """The chords of exp(-lam/g) and exp(lam - lam/g)."""
    up = real("(exp(x) - 1)*y <= x*(exp(y) - 1)", "0 <= x", "x <= y")
    down = real("(exp(-x) - 1)*y <= x*(exp(-y) - 1)", "0 <= x", "x <= y")
    rule = real("x*u <= x*v", "0 <= x", "u <= v")
    rates = 1 / g, 1 - 1 / g
    orders = [placed(rule, part.given, x=rate, u=lam, v=beta) for rate in rates]
    one, two = (
        placed(chord, part.given, order, x=rate * lam, y=rate * beta)
        for chord, order, rate in zip((down, up), orders, rates, strict=True)
    )
    yield one, "the chord of exp(-lam/g)"
    yield two, "and of exp(lam - lam/g)"
    yield (
        combine(part.claim, (one, c * g / beta), (two, w / ((1 - 1 / g) * beta))),
        "added",
    )


CHORD = "h <= (1 - r)*first + r*last"


def ends(part: Statement) -> Iterator[Step]:
    """A mean is at most the larger."""
    chord, one, two = (known(text, part) for text in (CHORD, "first <= K", "last <= U"))
    tops = (real(f"{name} <= max(K, U)") for name in ("K", "U"))
    low, high = (
        combine(at_most(side, maximum(K, U)), fact, top)
        for side, fact, top in zip((first, last), (one, two), tops, strict=True)
    )
    yield chord, "below the chord"
    uses = (chord, (low, 1 - r), (high, r))
    yield combine(part.claim, *uses, given=("0 <= r", "r <= 1")), "weighted"


FEW = event(Law("P", ("N",)), "few", "N <= a")
LESS = event(FEW, "less", "N < b")
"""Whether the size of the noise is at most a, and whether it is below b."""


def wider(part: Statement) -> Iterator[Step]:
    """What is at most a is below b."""
    few, less = map(Symbol, ("few", "less"))
    low, high, near = (
        cases(FEW, one) for one in ("0 <= few", "few <= 1", "0 <= few*(a - N)")
    )
    least, most, apart = (
        cases(LESS, one)
        for one in ("0 <= less", "less <= 1", "0 <= (1 - less)*(N - b)")
    )
    gap = known("a < b", part)
    both = combine(
        at_most(few * (1 - less), 0),
        (near, (1 - less) / (b - a)),
        (apart, few / (b - a)),
        (low, 0),
        (most, 0),
        (gap, 0),
    )
    yield both, "no noise is at most a and not below b"
    point = combine(at_most(few, less), both, (high, less), (least, 0))
    finite = dominated(high, LESS, lower=low), dominated(most, LESS, lower=least)
    yield expect(point, LESS, *finite), "averaged"


SIZE = maximum(1 + a**2 / 2, cosh(b) + a**2 * exp(-b) / 2)


def shipped(part: Statement) -> Iterator[Step]:
    """The inverse of cosh."""
    least = specialize(
        real("1 <= max(1 + x, y)", "0 <= x"), x=a**2 / 2, y=cosh(b) + a**2 * exp(-b) / 2
    )
    inverse = real("cosh(log(x + sqrt(x**2 - 1))) == x", "1 <= x")
    yield placed(inverse, part.given, least, x=SIZE), "for every number of at least 1"


def search(seed: int) -> int:
    """Random powers, shifts, scales and outputs, in balls: no loss is above the largest one."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(8):
        power = formula(Fraction(rng.randint(12, 60), 10))
        alpha = Fraction(rng.randint(1, 40), 10)
        beta = Fraction(rng.randint(1, 20), 10)
        most = Fraction(pure_epsilon(formula(alpha), formula(beta), power).upper)
        for _ in range(15):
            shift = alpha * Fraction(rng.randint(1, 4), 4)
            turn = beta * Fraction(rng.randint(0, 4), 4)
            z = Fraction(rng.randint(-300, 300), rng.choice((30, 100)))
            sizes = [
                formula(abs(one)) ** power if one else formula(0)
                for one in (z, z - shift)
            ]
            loss = turn + log(1 + sizes[1] * exp(-power * turn)) - log(1 + sizes[0])
            tried += 1
            if any(
                (side * loss - most).ball(120).certainly_positive() for side in (1, -1)
            ):
                raise Refused(
                    f"power {power}, alpha = {alpha}, beta = {beta}: {shift}, {turn} at"
                    f" {z}."
                )
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "under P the angle of tan(phi/2) is uniform, and a turn of the circle does"
            " not change that"
        ),
    ),
    parts=(
        Statement(
            "means",
            "x = A/(A + B y): (A + B y)**g <= h**(1-g) A**g + (1-h)**(1-g) (B y)**g,"
            " over (A + B y)**g",
            claim=at_most(1, h * (x / h) ** g + (1 - h) * ((1 - x) / (1 - h)) ** g),
            given=("0 < h", "h < 1", "0 < x", "x < 1", "1 < g"),
            proof=means,
        ),
        Statement(
            "ratio",
            "U = (A + B y)**g, V = y**g, near = h**(1-g) A**g, far = (1-h)**(1-g) B**g:"
            " the ratio is at most K",
            claim=at_most(1 + U, K * (1 + V)),
            given=("0 <= V", BROAD, "1 + near <= K", "far <= K"),
            proof=ratio,
        ),
        Statement(
            "narrow-first",
            "w = |z - c|**g: the ratio of the densities, times that of the broad one,"
            " is below its chord in lam",
            claim=at_most(
                exp(lam) + w * exp(-((g - 1) * lam)),
                (1 - lam / beta) * (1 + w)
                + lam / beta * (exp(beta) + w * exp(-((g - 1) * beta))),
            ),
            given=("0 <= lam", "lam <= beta", "0 < beta", "1 < g", "0 <= w"),
            proof=narrow,
        ),
        Statement(
            "broad-first",
            "exp(-lam/g) (c + exp(lam) w) is below its chord in lam",
            claim=at_most(
                c * exp(-(1 / g * lam)) + w * exp((1 - 1 / g) * lam),
                (1 - lam / beta) * (c + w)
                + lam / beta * (c * exp(-(1 / g * beta)) + w * exp((1 - 1 / g) * beta)),
            ),
            given=("0 <= lam", "lam <= beta", "0 < beta", "1 < g", "0 <= c", "0 <= w"),
            proof=sums,
        ),
        Statement(
            "power",
            "so is its power g: the power of a mean is at most the mean of the powers",
            claim=at_most(
                1,
                (1 - r) * (first / ((1 - r) * first + r * last)) ** g
                + r * (last / ((1 - r) * first + r * last)) ** g,
            ),
            given=("0 <= r", "r <= 1", "0 < first", "0 < last", "1 < g"),
            proof=convex,
        ),
        Statement(
            "far-narrow",
            "narrow first: at every output z and shift c <= a, |z - c| is at most what"
            " the shift a has at the output -|z|",
            claim=at_most(absolute(Symbol("z") - c), absolute(Symbol("z")) + a),
            given=("0 <= c", "c <= a"),
            proof=by_prover("the triangle inequality"),
        ),
        Statement(
            "far-broad",
            "broad first: the same of |c + x w|, x = exp(lam)",
            claim=at_most(absolute(c + x * w), a + x * absolute(w)),
            given=("0 <= c", "c <= a", "0 < x"),
            proof=by_prover("the triangle inequality"),
        ),
        Statement(
            "ends",
            "what is below a chord whose ends are at most K and U is at most the larger"
            " of these",
            claim=at_most(h, maximum(K, U)),
            given=("0 <= r", "r <= 1", CHORD, "first <= K", "last <= U"),
            proof=ends,
        ),
        Statement(
            "wider",
            "P(N < b) for the size N of the noise: a larger change of scale has the"
            " smaller b, and the smaller probability",
            claim=at_most(E(LESS, Symbol("few")), E(LESS, Symbol("less"))),
            given=("a < b",),
            proof=wider,
        ),
        Statement(
            "cauchy-form",
            "g = 2, times 1 + z**2; (1 - z**2)/(1 + z**2) and 2 z/(1 + z**2) are the"
            " cosine and sine of phi",
            claim=relation(
                "exp(lam)*(1 + ((z - c)*exp(-lam))**2) == (cosh(lam) +"
                " c**2*exp(-lam)/2)*(1 + z**2) + (exp(lam) + c**2*exp(-lam) -"
                " exp(-lam))/2*(1 - z**2) - c*exp(-lam)*2*z"
            ),
            proof=by_prover("an identity"),
        ),
        Statement(
            "cauchy-amplitude",
            "the amplitude of that wave is sqrt(x**2 - 1)",
            claim=relation(
                "((exp(lam) + c**2*exp(-lam) - exp(-lam))/2)**2 + (c*exp(-lam))**2"
                " == (cosh(lam) + c**2*exp(-lam)/2)**2 - 1"
            ),
            proof=by_prover("an identity"),
        ),
        Statement(
            "cauchy-orders",
            "seen from the broader law x is the same",
            claim=relation(
                "cosh(-lam) + (c*exp(-lam))**2*exp(lam)/2 == cosh(lam) +"
                " c**2*exp(-lam)/2"
            ),
            proof=by_prover("an identity"),
        ),
        Statement(
            "cauchy-epsilon",
            "the shipped epsilon is that of the larger of the two corners",
            claim=equal(cosh(cauchy_epsilon(a, b)), SIZE),
            proof=shipped,
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "at x = h the means agree, so that K is attained",
            claim=equal(h * (h / h) ** g + (1 - h) * ((1 - h) / (1 - h)) ** g, 1),
            given=("0 < h", "h < 1"),
            proof=by_prover("both powers are 1"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "equal scales are worst: alpha = 0.2, beta = 0.5",
            relation("cosh(0.5) + 0.02*exp(-0.5) <= 1.02"),
        ),
        Falsehood(
            "the largest ratio of scales is worst: alpha = 1, beta = 0.1",
            relation("1.5 <= cosh(0.1) + exp(-0.1)/2"),
        ),
    ),
    attacks=(Attack("random losses are at most the largest", search),),
    rules=(cauchy_epsilon, pure_epsilon, largest_log_ratio, SmoothPower.loss),
)
