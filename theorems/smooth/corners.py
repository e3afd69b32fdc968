"""Laplace and normal noise on a smooth scale: the worst shift and scale are at a corner.

Printed: not in the sources, which bound the two tails of the noise instead.
Proved: Let Z be Laplace or normal noise, and let neighbors have the outputs Z and c + exp(lam) Z, 0
    <= c <= alpha and 0 <= lam <= beta. For every eps and in both orders the largest P(A) - exp(eps)
    Q(A) over all these pairs and all events A is taken at c = alpha and at lam = 0 or lam = beta;
    so is the smallest error of a test of every size. At lam = beta it is that of the interval of
    ``masses``, or of its complement.
Idea: Overlaps of centered intervals shrink as one of them is shifted, and 1 - (P(A) - exp(eps)
    Q(A)) at the best A is an integral of such overlaps: the largest shift is worst. The outputs on
    which the narrower law exceeds a multiple of the broader one form an interval. With the event
    held fixed at any interval, the probability of the law c + exp(lam) Z first rises with lam and
    then falls, or does one of these: its derivative is a difference of x p(x) at the two ends. So
    P(A) - exp(eps) Q(A) is, for each event A, at most the larger of its values at the two ends of
    lam, which are at most the largest ones there; and the error of each test is at least the
    smaller of those at the two ends.
Source: The scales are those of Nissim, Raskhodnikova and Smith 2007, Smooth Sensitivity and
    Sampling in Private Data Analysis; the argument is new here.
"""

from rdpacct.book.words import (
    Attack, BROAD, BROAD_EXCESS, Callable, Density, E, Expr, Falsehood, Fraction, GaussianNoise,
    Iterator, LaplaceNoise, NOISES, Noise, Refused, ShiftAndScale, Statement, Status, Step, Stretch,
    Symbol, Theorem, absolute, at_most, broad_excess, by_prover, combine, corners, cosh, equal,
    event, exp, form, formula, gaussian_delta, given_by, integrate, known,
    laplace_comparison_placed as placed, laplace_delta as slide_delta, maximum, minimum, no_valley,
    random, real, specialize, under, unimodal_around as around,
)  # fmt: skip

a, b, c, e, u, v, s, t, x, z, m, j, lam, level, eps = map(
    Symbol,
    ("a", "b", "c", "e", "u", "v", "s", "t", "x", "z", "m", "j", "lam", "level", "eps"),
)
Z = Symbol("Z")
A = Symbol("A")
NORMAL = GaussianNoise()
LAPLACE = LaplaceNoise()
LAW = Density("L", ("Z",), (), (Stretch(None, None, exp(-absolute(Z)) / 2),))
BELOW = event(LAW, "A", "Z < x")
RISES = {
    "laplace": (
        "u*exp(-u*s) <= v*exp(-v*s)",
        at_most(u * exp(-u * t), v * exp(-v * t)),
        u,
        v,
        s - t,
    ),
    "normal": (
        "u*exp(-(u*s)**2/2) <= v*exp(-(v*s)**2/2)",
        at_most(u * exp(-((u * t) ** 2) / 2), v * exp(-((v * t) ** 2) / 2)),
        u**2 / 2,
        v**2 / 2,
        s**2 - t**2,
    ),
}


def overlap(shift: Expr) -> Expr:
    """The length that [-a, a] and [shift - b, shift + b] share, if they meet."""
    return minimum(2 * a, minimum(2 * b, a + b - shift))


def shrinks(part: Statement) -> Iterator[Step]:
    """The smallest of three lengths, of which one falls."""
    rule = real("min(x, y) <= min(x, z)", "y <= z")
    inner = placed(rule, part.given, x=2 * b, y=a + b - e, z=a + b - c)
    yield inner, "one of two lengths falls"
    yield (
        placed(
            rule,
            part.given,
            inner,
            x=2 * a,
            y=overlap(e).parts()[1],
            z=overlap(c).parts()[1],
        ),
        "and of three",
    )


def every_event(part: Statement) -> Iterator[Step]:
    """The larger of two grows with each."""
    most = maximum(s, t)
    ends = (
        combine(at_most(u, most), known("u <= s", part), real("s <= max(s, t)")),
        combine(at_most(v, most), known("v <= t", part), real("t <= max(s, t)")),
    )
    joined = specialize(real("max(u, v) <= e", "u <= e", "v <= e"), e=most)
    grows = given_by(joined, *ends)
    yield grows, "the larger of two grows with each"
    yield combine(part.claim, known("x <= max(u, v)", part), grows), "so"


def every_test(part: Statement) -> Iterator[Step]:
    """The smaller of two grows with each."""
    least = minimum(s, t)
    ends = (
        combine(at_most(least, u), known("s <= u", part), real("min(s, t) <= s")),
        combine(at_most(least, v), known("t <= v", part), real("min(s, t) <= t")),
    )
    joined = specialize(real("e <= min(u, v)", "e <= u", "e <= v"), e=least)
    grows = given_by(joined, *ends)
    yield grows, "the smaller of two grows with each"
    yield combine(part.claim, known("min(u, v) <= x", part), grows), "so"


def once(name: str) -> Statement:
    """Once the probability of an interval beside c falls with lam, it goes on falling."""
    falling, claim, low, high, way = RISES[name]

    def proof(part: Statement) -> Iterator[Step]:
        longer = real("0 <= x*y", "0 <= x", "0 <= y")
        steps = placed(longer, part.given, x=high - low, y=way)
        yield steps, "the farther end gains more"
        order = combine(at_most(low * way, high * way), steps)
        grows = placed(
            real("exp(x) <= exp(y)", "x <= y"),
            part.given,
            order,
            x=low * way,
            y=high * way,
        )
        yield grows, "in the exponential too"
        there = known(falling, part)
        yield (
            combine(
                part.claim,
                (there, exp(low * way)),
                (grows, v * exp(-high * _squared(name, s))),
            ),
            "together",
        )

    return Statement(
        f"{name}-falls-once",
        "s = exp(-lam): d/dlam of the probability of [c - v, c - u] has the sign of u"
        " p(u s) - v p(v s)",
        claim=claim,
        given=(
            *("0 <= u" if name == "normal" else "0 <= v", "u <= v", "t <= s"),
            *_positive(name),
            falling,
        ),
        proof=proof,
    )


def _positive(name: str) -> tuple[str, ...]:
    return ("0 <= t",) if name == "normal" else ()


def _squared(name: str, at: Expr) -> Expr:
    return at if name == "laplace" else at**2


def mass(side: str) -> Callable[[Statement], Iterator[Step]]:
    """The antiderivative of the density up to x."""

    def proof(part: Statement) -> Iterator[Step]:
        left = exp(Z) / 2
        right = -exp(-Z) / 2
        pieces, counted = (
            ((left, left, right), (left, 0, 0))
            if side == "left"
            else ((left, right, right), (left, right, 0))
        )
        found = integrate(
            BELOW,
            A,
            counted,
            pieces,
            *part.given,
            cuts=(x, formula(0)) if side == "left" else (formula(0), x),
        )
        yield found, "integrated up to x"
        yield (
            combine(
                part.claim,
                found,
                real(equal(LAPLACE.below(x), found.relation.right), *part.given),
            ),
            "as shipped",
        )

    return proof


def quadratic(part: Statement) -> Iterator[Step]:
    """The square of the half width."""
    curve = 1 - exp(-2 * lam)
    room = NORMAL.largest(c, lam) - level
    sign = placed(real("0 <= x*y", "0 <= x", "0 <= y"), part.given, x=2 / curve, y=room)
    square = 2 * room / curve
    width = placed(
        real("sqrt(max(0, x))**2 == x", "0 <= x"),
        part.given,
        combine(at_most(0, square), sign),
        x=square,
    )
    yield width, "the half width is a root"
    yield combine(part.claim, (width, curve / 2)), "the rest is an identity"


def tails(shift: Expr, ratio: Expr, epsilon: Expr) -> Expr:
    """The excess of the broader Laplace law, for a shift of at most epsilon + ratio: it counts in
    two tails.
    """
    spread = exp(ratio) - 1
    return (1 - exp(-ratio)) * exp(-(epsilon + ratio) / spread) * cosh(shift / spread)


def integrated(part: Statement) -> Iterator[Step]:
    """The integral over the two tails."""
    found = under(specialize(broad_excess(), j=exp(-lam), T=eps + lam), *part.given)
    yield found, "by antiderivatives"
    yield combine(part.claim, found), "in terms of exp(lam) - 1"


def agreement(seed: int) -> int:
    """The shipped masses against the integrals that are proved: the broad law, and both places of
    the interval.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(80):
        shift, ratio, level = (
            formula(Fraction(rng.randint(1, top), 20)) for top in (40, 40, 60)
        )
        inverse = exp(-ratio)
        found = (
            [(False, tails(shift, ratio, level))]
            if (level + ratio - shift).bound().lower >= 0
            else []
        )
        gap = ratio - level
        if (gap - shift).bound().lower >= 0:
            rest = exp(-gap / (1 - inverse)) * cosh(shift * inverse / (1 - inverse))
            found.append((True, 1 - exp(-gap) / inverse + (1 / inverse - 1) * rest))
        elif (gap + inverse * shift).bound().lower >= 0:
            found.append((True, form(inverse, gap + inverse * shift)))
        for narrow_first, proved in found:
            p, q = ShiftAndScale(LAPLACE, shift, ratio, narrow_first).masses(level)
            tried += 1
            if not (p - exp(level) * q - proved).bound().contains(Fraction(0)):
                raise Refused(
                    f"shift {shift}, ratio {ratio}, level {level}: the masses are not"
                    " those of the integral."
                )
    return tried


def hockey(
    noise: Noise, shift: Fraction, ratio: Fraction, eps: Fraction, narrow_first: bool
) -> Expr:
    """The largest P(A) - exp(eps) Q(A) of one pair."""
    if ratio:
        return ShiftAndScale(noise, formula(shift), formula(ratio), narrow_first).delta(
            eps
        )
    if noise is LAPLACE:
        return slide_delta(shift, eps)
    return gaussian_delta(formula(shift), formula(eps))


def search(seed: int) -> int:
    """Random pairs inside the box, in balls: none exceeds both corners."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(60):
        noise = rng.choice((LAPLACE, NORMAL))
        alpha, beta, eps = (Fraction(rng.randint(1, top), 20) for top in (50, 30, 50))
        shift = alpha * Fraction(rng.randint(1, 4), 4)
        ratio = beta * Fraction(rng.randint(1, 3), 4)
        for narrow_first in (False, True):
            inside = hockey(noise, shift, ratio, eps, narrow_first)
            ends = maximum(
                hockey(noise, alpha, beta, eps, narrow_first),
                hockey(noise, alpha, Fraction(0), eps, True),
            )
            tried += 1
            if (inside - ends).ball(200).certainly_positive():
                raise Refused(
                    f"{noise} at alpha = {alpha}, beta = {beta}: {shift}, {ratio} is"
                    f" worse at eps = {eps}."
                )
    return tried


LOSS = NORMAL.log_density(z) - NORMAL.log_density((z - c) * exp(-lam)) + lam
LOW = LAPLACE.interval(c, lam, level)[0]
ENDS = NORMAL.interval(c, lam, level)
ONE = Fraction(1)
TENTH = Fraction(1, 10)
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "1 - (P(A) - exp(eps) Q(A)) at the best A is the integral of min(p,"
            " exp(eps) q), and that is the integral over h > 0 of the length that the"
            " intervals {p > h} and {exp(eps) q > h} share"
        ),
    ),
    parts=(
        Statement(
            "overlap",
            "centered intervals of half lengths a and b share less at a larger shift",
            claim=at_most(overlap(e), overlap(c)),
            given=("c <= e",),
            proof=shrinks,
        ),
        Statement(
            "every event",
            "what is at most the larger of its values u and v at the ends of lam is at"
            " most the larger of the largest ones s and t there, event by event",
            claim=at_most(x, maximum(s, t)),
            given=("x <= max(u, v)", "u <= s", "v <= t"),
            proof=every_event,
        ),
        Statement(
            "every test",
            "and an error that is at least the smaller of its values at the ends is at"
            " least the smaller of the smallest ones there",
            claim=at_most(minimum(s, t), x),
            given=("min(u, v) <= x", "s <= u", "t <= v"),
            proof=every_test,
        ),
        once("laplace"),
        once("normal"),
        *(
            part
            for name in NOISES
            for part in (no_valley(name, once(name)), around(name))
        ),
        Statement(
            "laplace-left",
            "m = lam + j c - level, j = exp(-lam): left of 0 the loss is above the"
            " level from -m/(1 - j) on",
            claim=equal(m - c * j - absolute(z) + j * absolute(z - c), m + (1 - j) * z),
            given=("z <= 0", "0 <= c"),
            proof=by_prover("both centers are to the right"),
        ),
        Statement(
            "laplace-low",
            "so the shipped lower end has that loss",
            claim=equal(lam - absolute(LOW) + absolute(LOW - c) * exp(-lam), level),
            given=("0 < lam", "0 <= c", at_most(level, LAPLACE.largest(c, lam))),
            proof=by_prover("the root of that line"),
        ),
        Statement(
            "laplace-right",
            "right of 0 it is the larger of two falling lines, and above the level up"
            " to the larger of their roots",
            claim=equal(
                m - c * j - absolute(z) + j * absolute(z - c),
                maximum(m - (1 + j) * z, m - 2 * c * j - (1 - j) * z),
            ),
            given=("0 <= z", "0 < j"),
            proof=by_prover("before c and beyond it"),
        ),
        Statement(
            "below-0",
            "P(Z < x) as shipped, for x <= 0",
            equal(E(BELOW, A), LAPLACE.below(x)),
            mass("left"),
            ("x <= 0",),
        ),
        Statement(
            "below-1",
            "P(Z < x) as shipped, for x >= 0",
            equal(E(BELOW, A), LAPLACE.below(x)),
            mass("right"),
            ("0 <= x",),
        ),
        Statement(
            "laplace-broad",
            "the largest P(A) - exp(eps) Q(A) of the broader law, integrated; at eps ="
            " 2 c it is exact_eta",
            claim=equal(
                E(BROAD.at(j=exp(-lam)), BROAD_EXCESS.at(j=exp(-lam), T=eps + lam)),
                tails(c, lam, eps),
            ),
            given=("0 < lam", "0 <= c", "c <= eps + lam"),
            proof=integrated,
        ),
        Statement(
            "normal-interval",
            "the loss is above the level between the shipped ends: it is a multiple of"
            " (z - low)(high - z)",
            claim=equal(
                (z - ENDS[0]) * (ENDS[1] - z) * (1 - exp(-2 * lam)) / 2, LOSS - level
            ),
            given=("0 < lam", at_most(level, NORMAL.largest(c, lam))),
            proof=quadratic,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the largest ratio of scales is worst for every eps: Laplace, alpha = 1,"
            " beta = 0.1, eps = 0",
            at_most(
                slide_delta(1, 0),
                hockey(LAPLACE, ONE, TENTH, Fraction(0), narrow_first=False),
            ),
        ),
        Falsehood(
            "equal scales are worst for every eps: the same at eps = 2",
            at_most(
                hockey(LAPLACE, ONE, TENTH, Fraction(2), narrow_first=False),
                slide_delta(1, 2),
            ),
        ),
    ),
    attacks=(
        Attack("random shifts and scales inside the box, both orders", search),
        Attack("the shipped masses are those of the integrals", agreement),
    ),
    rules=(corners, ShiftAndScale.masses),
)
