"""The profile of Laplace and exponential losses and atoms together: powers of c = offset - eps,
term by term.

Printed: not in the sources.
Proved: Write delta(eps) = exp(eps/2) T. One more loss L makes of T at c the mean of exp(-L/2) T at
    c + L. (1) With G(y) = max(0, exp(a y) - 1), y = c/2 and w G = G/a - max(0, y), the integral of
    G up to y: a Laplace loss of shift s makes of G(y) exp(-s/2)/2 [(1 + w) G(y + s/2) + (1 - w) G(y
    - s/2)], and the law of the exponential mechanism exp(-s/2)/(1 - exp(-s)) [w G(y + s/2) - w G(y
    - s/2)], for every a > 0 and y, so for each power of y. (2) No loss has T = 2 sinh(y) for y >= 0
    and else 0. So a pattern with kappa_r w**r has 2 kappa_r (y**n/n! for n = r + 1, r + 3, ...),
    the shipped series. (3) The bounds of its terms, twice S_n x**n/n! with S_n the sum of C(k, r)
    over r < n, fall from n > N on by rho = x max(k + 1, N + 1)/(N + 1)**2 each in the derivative,
    so that the terms past N come to at most the first over 1 - rho there, and in the sum to x/(N +
    1) times that. (4) |kappa_r| <= C(k, r), and the recursion of the kappas. The rule itself is
    numeric: the facts are what its lines rely on, with their names.
Idea: Under exp(-L/2) a Laplace loss is uniform between -s and s with equal atoms at the ends: no
    transform is needed.
Source: ours; the density of a sum of Laplace variables is in Kotz, Kozubowski and Podgorski (2001),
    The Laplace Distribution and Generalizations.
Finding: The ratio (k + 1) x/(N + 1)**2, without the max, is too small as soon as N > k: the sums
    S_n stop growing, and the terms then fall like those of exp(x) only.
"""

from rdpacct.book.words import (
    Attack, BODY, BODY_OF_LOSS, Ball, Callable, Density, E, Expr, Fact, Falsehood, Fraction,
    Iterator, LaplaceTransform, Quantity, Real, Refused, Series, Statement, Status, Step, Stretch,
    Symbol, Terms, Theorem, Whole, absolute, around, assume, at_most, by_prover, combine,
    derivative, equal, example, exp, formula, gain, given_by, induct, laplace_delta,
    laplace_pair_s as s, laplace_series, laplace_series_HALF as HALF, laplace_series_z as z, loss,
    math, maximum, once, pairwise, partial, parts_LOSS as LOSS, patterns_of, precision, random,
    raw_real as raw, real, relations_of, sinh, specialize, terms_replace, under, worst_law,
)  # fmt: skip

eps, k, n, N, x, S, C, P, w, i, m, rho, u, b, K, M = (
    Symbol(name)
    for name in (
        "eps",
        "k",
        "n",
        "N",
        "x",
        "S",
        "C",
        "P",
        "w",
        "i",
        "m",
        "rho",
        "u",
        "b",
        "K",
        "M",
    )
)
ALL = ("s > 0", "a > 0", "z <= 0")
BEYOND = ("s > 0", "a > 0", "0 <= z", "z <= s")


def one_more(
    name: str,
    says: str,
    mean: Expr,
    value: Expr,
    rule: Callable[..., tuple[Fact, Fact]],
    all_: bool,
) -> Statement:
    """What one more loss makes of a power series in y."""

    def proof(part: Statement) -> Iterator[Step]:
        total, found = rule(all_, *map(str, part.given))
        yield total, "antiderivatives on the pieces"
        yield found, "the positive parts are these"

    return Statement(name, says, equal(mean, value), proof, ALL if all_ else BEYOND)


LAPLACE = HALF / 2 * (gain(s - z) + once(s - z) + gain(-z) - once(-z))
EXPONENTIAL = HALF / (1 - exp(-s)) * (once(s - z) - once(-z))
(PART,) = worst_law(s).parts
DENSITY = PART.density.at(**{LOSS.name: loss})  # type: ignore[attr-defined]
EXPONENTIAL_RULE = partial(laplace_series.exponential, DENSITY)
WHOLE = Density("W", ("loss",), (), (Stretch(-s, s, DENSITY),))
CUT = Density(
    "W",
    ("loss",),
    (),
    (Stretch(-s, 2 * z - s, DENSITY), Stretch(2 * z - s, s, DENSITY)),
)
NEXT = maximum(0, (k + 1 - n) / n) * C
"""C(k, n), from C = C(k, n - 1): it is 0 from n = k + 1 on."""
RHO = x * maximum(k + 1, N + 1) / (N + 1) ** 2
FALLING = ("0 <= C", "C <= S", "0 < N + 1", "N + 1 <= n", "0 <= x", "0 <= P")


def falls(part: Statement) -> Iterator[Step]:
    """The sum of binomials grows by at most max(1, (k + 1)/n), which over n falls in n."""
    room = combine(
        at_most(S + maximum(0, u) * C, S + maximum(0, u) * S),
        (real("C <= S", "C <= S"), maximum(0, u)),
    )
    yield room, "C(k, n - 1) is one of the summands"
    given = ("0 < M", "M <= n", "M <= b")
    later, over, beyond = (real(text, text) for text in ("M <= n", "K <= b", "M <= b"))
    rate = b / M**2
    first = combine(
        at_most((K - n) / n, n * rate - 1),
        (later, (n + M) * rate / n),
        (over, 1 / n),
        given=given,
    )
    second = combine(
        at_most(0, n * rate - 1), (later, rate), (beyond, 1 / M), given=given
    )
    bound = real("max(0, u) <= v", "u <= v", "0 <= v")
    bound = specialize(
        under(bound, *bound.domain, *given), u=(K - n) / n, v=n * rate - 1
    )
    slower = given_by(bound, first, second)
    most = maximum(k + 1, N + 1)
    slower = given_by(
        specialize(slower, b=most, K=k + 1, M=N + 1),
        *(real(at_most(one, most)) for one in (k + 1, N + 1)),
    )
    yield slower, "that growth, over n, falls"
    there = specialize(under(room, *room.domain, "n > 0"), u=(k + 1 - n) / n)
    uses = ((there, P * x / n), (slower, S * P * x / n))
    found = combine(part.claim, *uses, given=part.given)
    yield under(found, *part.given), "times the growth of the power"


def smaller(_: Statement) -> Iterator[Step]:
    """n is at least N + 1."""
    found = real("P*x/n <= P*x/M", "0 < M", "M <= n", "0 <= x", "0 <= P")
    yield specialize(found, M=N + 1), "n is at least N + 1"


def term(at: Real) -> Expr:
    """The bound of a term past N, counted from 0."""
    return Quantity("term", (formula(at),))


def total(at: Real) -> Expr:
    """The sum of so many of them."""
    return Quantity("total", (formula(at),))


def geometric(part: Statement) -> Iterator[Step]:
    """Induction: the total so far and the next term over 1 - rho stay below the first term over 1 -
    rho.
    """
    none, more, fall, sign = (
        part.assuming[name] for name in ("none", "more", "fall", "sign")
    )
    given = tuple(one for one in part.given if isinstance(one, str))
    stronger = at_most(total(m) + term(m) / (1 - rho), term(0) / (1 - rho))
    start = combine(
        at_most(*(one.at(m=0) for one in (stronger.left, stronger.right))),
        none,
        (under(specialize(sign, m=0)), 0),
        given=given,
    )
    before = assume(stronger, Whole("m", 0), *given)
    after = at_most(*(one.at(m=m + 1) for one in (stronger.left, stronger.right)))
    step = combine(after, before, more, (fall, 1 / (1 - rho)), given=given)
    yield step, "one more term"
    found = induct(start, step, "m")
    yield found, "by induction"
    yield (
        combine(part.claim, found, (sign, 1 / (1 - rho)), given=given),
        "without the next term",
    )


def coefficients(part: Statement) -> Iterator[Step]:
    """The triangle inequality."""
    triangle = real("abs(b + d) <= abs(b) + abs(d)")
    yield (
        combine(
            part.claim, triangle, *(real(one, one) for one in relations_of(*part.given))
        ),
        "as binomial coefficients add up",
    )


def of(name: str, at: Real) -> Expr:
    """A sequence by its name: every other kappa, C and S, and the coefficients they add up to."""
    return Quantity(name, (formula(at),))


def added(part: Statement) -> Iterator[Step]:
    """Each kappa enters a coefficient once, twice over."""
    none, more, room, size = (
        part.assuming[name] for name in ("none", "more", "room", "size")
    )
    found = list[Fact]()
    for sign in (1, -1):
        claim = at_most(sign * of("coefficient", m), 2 * of("S", m))
        text = "b <= abs(b)" if sign == 1 else "-b <= abs(b)"
        one = specialize(real(text), b=of("kappa", m))
        first = specialize(real(text), b=of("coefficient", 0))
        base = combine(terms_replace(claim, {"m": 0}), first, none)
        before = assume(claim, Whole("m", 0))
        step = combine(
            terms_replace(claim, {"m": m + 1}),
            before,
            (more, sign),
            (one, 2),
            (size, 2),
            (room, 2),
        )
        found.append(induct(base, step, "m"))
        yield found[-1], "kappa after kappa"
    both = specialize(
        real("abs(b) <= c", "b <= c", "-b <= c"),
        b=of("coefficient", m),
        c=2 * of("S", m),
    )
    yield given_by(both, *found), "so its size"


GENERATING = (1 + w) ** (k - i) * (1 - w) ** i


def against_sums(seed: int) -> int:
    """The shipped series at random counts and degrees, against its definition in rationals."""
    rng = random.Random(seed)
    for _ in range(60):
        count = rng.randint(0, 9)
        power = rng.randint(0, 3)
        degree = rng.randint(1, 14)
        lower = rng.randint(0, count)
        limit = Fraction((degree + 1) ** 2, max(count + 1, degree + 1))
        at = limit * Fraction(rng.choice((1, 30, 60, 90, 99)), 100)
        kappas = [
            sum(
                (-1) ** j * math.comb(lower, j) * math.comb(count - lower, r - j)
                for j in range(min(r, lower) + 1)
            )
            for r in range(count + 1)
        ]
        shares = [Fraction(0)] * 140
        for r, kappa in enumerate(kappas):
            for n_ in range(r + power + 1, len(shares), 2):
                shares[n_] += 2 * kappa
        powers = [at**n_ / math.factorial(n_) for n_ in range(len(shares))]
        wanted = sum(share * one for share, one in zip(shares, powers, strict=True))
        slope = sum(share * one for share, one in zip(shares[1:], powers, strict=False))
        with precision(128):
            series = Series(count, lower, power, degree) if count + power else None
            found = (
                () if series is None else (*series.at(raw(at)), *series.at(raw(at), 0))
            )
        for got, exact in zip(found, (wanted, slope, wanted), strict=False):
            if not (Ball(got, 128) - exact).bound().overlaps(NEAR):
                raise Refused(
                    f"the series of {count}, {lower}, {power} up to {degree} is not"
                    f" {exact} at {at}."
                )
    return 60


NEAR = Ball.hull(Fraction(-1, 10**20), Fraction(1, 10**20), 128).bound()


def against_integrals(seed: int) -> int:
    """The shipped delta of two Laplace losses, against the integral over the second in closed
    form.
    """
    rng = random.Random(seed)
    for _ in range(60):
        one, two = (Fraction(rng.randint(1, 30), 10) for _ in range(2))
        level = (one + two) * Fraction(rng.randint(-99, 99), 100)
        patterns = patterns_of(
            Terms.of([(LaplaceTransform(formula(shift)), 1) for shift in (one, two)])
        )
        if patterns is None:
            raise Refused("two losses are no sum of patterns.")
        with precision(128):
            found = Ball(patterns.enclosure(raw(level)), 128)
        if not (found - two_losses(one, two, level).ball(128)).bound().overlaps(NEAR):
            raise Refused(f"shifts {one} and {two} at {level}.")
    return 60


def two_losses(one: Fraction, two: Fraction, level: Fraction) -> Expr:
    """delta of two Laplace losses: atoms and density of the second, times delta of the first at
    what is left.
    """

    def first(at: Fraction) -> Expr:
        if at >= one:
            return formula(0)
        if at >= -one:
            return 1 - exp((at - one) / 2)
        return 1 - exp(formula(at))

    def between(low: Fraction, high: Fraction) -> Expr:
        """The integral of exp((l - two)/2)/4 first(level - l), where the form of first does not
        change.
        """
        middle = level - (low + high) / 2
        if middle >= one or high <= low:
            return formula(0)
        if middle >= -one:
            ends = [
                exp((v - two) / 2) / 2 - v * exp((level - one - two) / 2) / 4
                for v in (low, high)
            ]
        else:
            ends = [
                exp((v - two) / 2) / 2 + exp(level - (v + two) / 2) / 2
                for v in (low, high)
            ]
        return ends[1] - ends[0]

    cuts = sorted(
        {-two, two, *(v for v in (level - one, level + one) if -two < v < two)}
    )
    inside = sum((between(low, high) for low, high in pairwise(cuts)), formula(0))
    return first(level - two) / 2 + exp(formula(-two)) * first(level + two) / 2 + inside


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "both sides of (1) are power series in a, equal for every a > 0, so that"
            " they agree in each power: w makes y**(n + 1)/(n + 1)! of y**n/n!; for z"
            " >= s, where no output counts, both sides are 0"
        ),
        (
            "the induction over the losses and over the factors 1 + w and 1 - w, which"
            " is linear; an atom only moves c"
        ),
    ),
    parts=(
        one_more(
            "above",
            "a Laplace loss, all outputs",
            E(around(), BODY),
            LAPLACE,
            laplace_series.laplace,
            True,
        ),
        one_more(
            "between",
            "a Laplace loss, outputs beyond z",
            E(around(z), BODY),
            LAPLACE,
            laplace_series.laplace,
            False,
        ),
        one_more(
            "exponential, above",
            "a loss of the exponential mechanism, all of them",
            E(WHOLE, BODY_OF_LOSS),
            EXPONENTIAL,
            EXPONENTIAL_RULE,
            True,
        ),
        one_more(
            "exponential, between",
            "a loss of the exponential mechanism, those beyond 2 z - s",
            E(CUT, BODY_OF_LOSS),
            EXPONENTIAL,
            EXPONENTIAL_RULE,
            False,
        ),
        Statement(
            "no loss",
            "the profile of no loss at all: the odd powers of y = -eps/2, twice",
            equal(
                maximum(0, 1 - exp(eps)), exp(eps / 2) * maximum(0, 2 * sinh(-eps / 2))
            ),
            by_prover("twice the hyperbolic sine"),
        ),
        Statement(
            "recursion",
            "the differential equation of (1 + w)**(k - i) (1 - w)**i, whose"
            " coefficients the recursion compares",
            equal(
                (1 - w**2) * derivative(GENERATING, "w"),
                (k - 2 * i - k * w) * GENERATING,
            ),
            by_prover("the product rule"),
            ("-1 < w", "w < 1"),
        ),
        Statement(
            "kappa",
            "|kappa_r| <= C(k, r) for one factor more: b = kappa_r, and d = kappa_(r -"
            " 1) or its negative",
            at_most(absolute(Symbol("b") + Symbol("d")), Symbol("B") + Symbol("D")),
            coefficients,
            ("abs(b) <= B", "abs(d) <= D"),
        ),
        Statement(
            "size",
            "a coefficient, twice the sum of every other kappa, is at most twice the sum"
            " of the binomials up to there",
            at_most(absolute(of("coefficient", m)), 2 * of("S", m)),
            added,
            (Whole("m", 0),),
            {
                "none": assume(at_most(absolute(of("coefficient", 0)), 2 * of("S", 0))),
                "more": assume(
                    equal(
                        of("coefficient", m + 1),
                        of("coefficient", m) + 2 * of("kappa", m),
                    ),
                    Whole("m", 0),
                    every="m",
                ),
                "size": assume(
                    at_most(absolute(of("kappa", m)), of("C", m)),
                    Whole("m", 0),
                    every="m",
                ),
                "room": assume(
                    at_most(of("S", m) + of("C", m), of("S", m + 1)),
                    Whole("m", 0),
                    every="m",
                ),
            },
            example(
                {"m": 1},
                coefficient=("m", "2*m"),
                kappa=("m", "1"),
                C=("m", "1"),
                S=("m", "m"),
            ),
        ),
        Statement(
            "falls",
            "the bound of a term of the derivative, S P with P = x**(n - 1)/(n - 1)!,"
            " falls by rho; C = C(k, n - 1)",
            at_most((S + NEXT) * (P * x / n), RHO * (S * P)),
            falls,
            FALLING,
        ),
        Statement(
            "tail",
            "terms that fall by rho come to at most the first over 1 - rho, however"
            " many",
            at_most(total(m), term(0) / (1 - rho)),
            geometric,
            (Whole("m", 0), "rho < 1"),
            {
                "none": assume(equal(total(0), 0)),
                "more": assume(
                    equal(total(m + 1), total(m) + term(m)), Whole("m", 0), every="m"
                ),
                "fall": assume(
                    at_most(term(m + 1), rho * term(m)), Whole("m", 0), every="m"
                ),
                "sign": assume(at_most(0, term(m)), Whole("m", 0), every="m"),
            },
        ),
        Statement(
            "value",
            "a term past N of the sum is at most x/(N + 1) times that of the"
            " derivative",
            at_most(P * x / n, P * x / (N + 1)),
            smaller,
            FALLING[2:],
        ),
    ),
    sharp=(
        Statement(
            "one loss",
            "one Laplace loss: the upper pattern has 2 sinh(y) + 2 cosh(y) - 2, and the"
            " shipped delta is its share",
            equal(
                exp(eps / 2) * HALF / 2 * (2 * exp((s - eps) / 2) - 2),
                laplace_delta(s, eps),
            ),
            by_prover("one exponential"),
            ("0 <= eps", "eps <= s"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the terms fall by (k + 1) x/(N + 1)**2, also for N > k",
            at_most((S + NEXT) * (P * x / n), x * (k + 1) / (N + 1) ** 2 * (S * P)),
            FALLING,
            instance=example({"S": 1, "C": 0, "P": 1, "x": 1, "n": 2, "k": 0, "N": 1}),
        ),
        Falsehood(
            "the terms fall by x/(N + 1), also for N < k",
            at_most(1 + maximum(0, (k + 1 - n) / n), 1),
            ("k >= 0", "n >= 1"),
        ),
    ),
    attacks=(
        Attack("the shipped series against its definition, in rationals", against_sums),
        Attack(
            "two Laplace losses against an integral in closed form", against_integrals
        ),
    ),
    rules=(Series.at,),
)
