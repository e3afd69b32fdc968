"""Gaussian releases together act as one: the squares of the shifts add up.

Printed: not in the sources
Proved: The loss of two independent Gaussian releases with shifts a and b has, at every real rate,
    the moment of one release with shift sqrt(a**2 + b**2); k releases with shift mu act as one with
    sqrt(k) mu. So mean, tau, rho and all Renyi divergences agree. Two releases have the delta of
    the one, at every real eps, for a > 0 and any real b; so has one more release after any past
    whose delta is, at every eps, that of one; and so has one release together with k others, with
    any shifts. Releases that are chosen adaptively are covered as long as each shift is fixed in
    advance: it is used only that given the loss so far each one acts on moments and on delta curves
    as a Gaussian release does.
Idea: Moments of independent losses multiply, and t (1 + t) mu**2/2 is additive in mu**2. For delta:
    with c = sqrt(a**2 + b**2) and (c z - b y)/a in the place of the first noise x, its law becomes
    a density to that of z, whose mean over y is 1; so the means over y and z may be exchanged.
Source: Dong, Roth and Su (2022), Corollary 3.3; Feller (1971), An Introduction to Probability
    Theory II.
"""

from rdpacct.book.words import (
    Attack, Bound, Comparison, Density, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Real,
    Refused, Statement, Status, Step, Symbol, Theorem, Whole, Witness, assume, at_first, at_most,
    at_start, below, both, chain, combine, compose_gaussian_shifts, dominated, equal, example, exp,
    expect, finite, for_all, formula, fubini, gaussian_delta, gaussian_log_moment as log_moment,
    given_by, image, independent_of, induct, integrable, integral_integrate as integrate, later,
    lemma, linear, losses, marginal, maximum, mu_of_squares, normal, normal_density, normal_sum,
    one_by_one, one_more as one_more_law, over_the_past, placed, random, real, renewed,
    sequences_sums as sums, specialize, sqrt, taken_in, under,
)  # fmt: skip

t, mu, a, b, x, y, k, q, eps, S, W = (
    Symbol(name) for name in ("t", "mu", "a", "b", "x", "y", "k", "q", "eps", "S", "W")
)
ONE = normal_sum.ONE
TWO = normal_sum.TWO
SLACK = Bound(Fraction(-1, 10**12), Fraction(1, 10**12))
BOTH = independent_of(ONE, TWO)
LOSS = normal.loss(a, x) + normal.loss(b, y)
TOGETHER = compose_gaussian_shifts([(a, 1), (b, 1)])


def composed(number: Real) -> Expr:
    """What the shipped rule makes of it."""
    return exp(log_moment(compose_gaussian_shifts([(mu, number)]), t))


def two(part: Statement) -> Iterator[Step]:
    """The moments of the two noises multiply."""
    noise = normal.product_mean(
        BOTH,
        normal.exponential_moment(ONE, t * a),
        normal.exponential_moment(TWO, t * b),
    )
    yield noise, "the moments of independent noises multiply"
    shifted = linear(
        BOTH,
        exp(t * LOSS),
        {normal.mean_of(noise).body: exp(t * (a**2 + b**2) / 2)},
        finite(noise),
    )
    yield combine(part.claim, shifted, noise), "the squares add up"


MANY = chain("M", {"S": (0, S + normal.loss(mu, x))}, ONE, k)
"""The loss S of k releases with the shift mu, and the noise of the next one."""
RELEASES = losses()
L = RELEASES.symbol("L")
((SQUARE, SQUARES),) = sums("V")
"""The squares of the shifts are the steps of V."""


def many(part: Statement) -> Iterator[Step]:
    """Induction on the number of releases."""
    noise = normal.exponential_moment(ONE, t * mu)
    body = exp(t * normal.loss(mu, x))
    shifted = linear(ONE, body, {exp(t * mu * x): exp(t * mu**2 / 2)}, finite(noise))
    one = combine(equal(E(ONE, body), exp(log_moment(mu, t))), shifted, noise)
    yield one, "the moment of one release"
    yield from one_by_one(part.claim, MANY, body, renewed(MANY, one))


def different(part: Statement) -> Iterator[Step]:
    """The same with a shift for each release."""
    yield from one_by_one(part.claim, RELEASES, exp(t * L), part.assuming["each"])


def curve(square: Expr, level: Expr) -> Expr:
    """The delta of a release with a shift of this square."""
    return gaussian_delta(sqrt(square), level)


CURVE = curve(W, eps - S)
BEFORE = {
    "each": assume(
        equal(E(RELEASES, taken_in(RELEASES, CURVE), "S"), curve(W + SQUARE, eps - S)),
        Whole("k", 0),
        "W > 0",
        every=("k", "W", "eps"),
    ),
    "squares": assume(at_most(0, SQUARE), Whole("k", 0), every="k"),
}


def acts(part: Statement) -> Iterator[Step]:
    """The delta of two releases, by Fubini."""
    one = placed(lemma("gaussian/delta", "hockey-stick"), *part.given, mu=a)
    rest = normal.loss(b, y)
    gap = q - rest - normal.loss(a, x)
    first = specialize(one, eps=normal_sum.LEVEL - rest)
    noise = normal_sum.SUM
    found = normal_sum.hockey_stick(noise, first, gap.at(q=normal_sum.LEVEL))
    single = lemma("gaussian/delta", "hockey-stick")
    together = normal_sum.at_level(found, single, gap)
    yield together, "the delta of two releases"
    level = gap.at(q=eps)
    positive = specialize(real("0 <= max(0, 1 - exp(g))"), g=level)
    law = independent_of(noise, TWO)
    bounded = dominated(specialize(real("abs(max(0, 1 - exp(g))) <= 1"), g=level), law)
    inner = specialize(one, eps=eps - rest)
    parted = fubini.one_by_one(law, inner, positive, bounded)
    yield parted, "given the second noise, what the first leaves"
    outer = parted.relation.right
    body = inner.relation.right
    own = marginal(law, TWO, body, integrable(parted, outer))
    found = combine(part.claim, own, parted, together)
    laws = map(normal.is_law, (noise, TWO))
    yield given_by(found, *laws), "which does not depend on the first"


def positive_curve() -> Fact:
    """0 <= the delta of one release."""
    one = lemma("gaussian/delta", "hockey-stick")
    mean = normal.mean_of(one)
    gap = eps - normal.loss(mu, x)
    positive = specialize(real("0 <= max(0, 1 - exp(g))"), g=gap)
    least = expect(positive, mean.law, finite(one))
    found = combine(at_most(0, one.relation.right), least, one)
    return given_by(found, normal.is_law(normal_sum.SUM))


def equated(claim: Comparison, positive: Fact, *uses: Fact) -> Fact:
    """An equation from others, defined where something is positive."""
    halves = (claim.left, claim.right), (claim.right, claim.left)
    return both(*(combine(at_most(*one), *uses, (positive, 0)) for one in halves))


def squares_are_positive(squares: Fact) -> Fact:
    """The sum of the squares of k shifts is not negative."""
    claim = at_most(0, SQUARES)
    before = assume(claim, Whole("k", 0))
    step = combine(later(claim, "k"), before, squares)
    return induct(real(at_first(claim, "k")), step, "k")


def curves(part: Statement) -> Iterator[Step]:
    """One more release raises the square, for every square and level at once."""
    given = ("W > 0",)
    before = assume(part.claim, Whole("k", 0), *given, every=("W", "eps"))
    larger = combine(
        below(0, W + SQUARE), (part.assuming["squares"], 1), real("0 < W", "0 < W")
    )
    there = given_by(specialize(before, W=W + SQUARE), larger)
    yield there, "the releases so far, at the larger square"
    positive = placed(positive_curve(), *given, mu=sqrt(W))
    positive = specialize(positive, eps=eps - (S + L))
    flat = over_the_past(
        RELEASES,
        part.assuming["each"],
        integrable(there, there.relation.left),
        positive,
    )
    yield flat, "one more release, whatever came before"
    taken = one_more_law(RELEASES, CURVE, integrable(flat, flat.relation.left))
    after = squares_are_positive(part.assuming["squares"])
    more = combine(
        below(0, W + SQUARES.at(k=k + 1)),
        after,
        part.assuming["squares"],
        real("0 < W", "0 < W"),
    )
    step = equated(later(part.claim, "k"), more, taken, flat, there)
    start = at_start(RELEASES.sequence, CURVE, *given)
    base = combine(at_first(part.claim, "k"), start)
    yield for_all(base, step, "k", *given), "by induction"


STICK = E(BOTH, maximum(0, 1 - exp(eps - LOSS)))
PAST = Law("P", ("L",))
REST = eps - normal.loss(b, y)
"""What is left of the level after the second loss."""
MORE = E(independent_of(PAST, TWO), maximum(0, 1 - exp(REST - L)))


def every_delta(part: Statement) -> Iterator[Step]:
    """The two noises add up to one."""
    gap = q - LOSS
    first = normal_sum.first_delta(gap.at(q=normal_sum.LEVEL))
    yield (
        first,
        "the delta of the first release, at what the second leaves of the level",
    )
    yield from _one_more(part, ONE, first, gap, ONE, TWO, normal_sum.SUM)


def one_more(part: Statement) -> Iterator[Step]:
    """The same for any first loss with the delta of a normal one."""
    gap = REST.at(eps=q) - L
    level = normal_sum.LEVEL - normal.loss(b, y)
    first = under(specialize(part.assuming["past"], eps=level), *part.given)
    yield first, "the delta of the past, at what the new release leaves of the level"
    yield from _one_more(part, PAST, first, gap, TWO, normal_sum.SUM)


def _one_more(
    part: Statement, past: Law, first: Fact, gap: Expr, *laws: Density
) -> Iterator[Step]:
    yield normal_sum.given_second(), "it is a mean over the sum, with a density ratio"
    yield normal_sum.given_sum(), "whose mean over the second noise is 1"
    found = normal_sum.hockey_stick(past, first, gap.at(q=normal_sum.LEVEL))
    yield found, "so the sum acts as sqrt(a**2 + b**2) times one noise"
    one = lemma("gaussian/delta", "hockey-stick")
    yield one, "the delta of one release"
    sum_ = normal_sum.at_level(found, one, gap)
    there = given_by(sum_, *map(normal.is_law, laws))
    yield combine(part.claim, there), "is that of the sum"


def gaps(seed: int) -> int:
    """Random shifts and epsilons: delta of two releases by an integral over the first, against the
    closed form.
    """
    rng = random.Random(seed)
    for _ in range(3):
        first, second, level = (Fraction(rng.randint(5, 20), 10) for _ in range(3))
        given = gaussian_delta(second, level - normal.loss(first, x)) * normal_density(
            x, 0, 1
        )
        total = integrate(given, "x", formula(-9), formula(9), 60)
        if (
            not (total - gaussian_delta(sqrt(first**2 + second**2), level).ball(60))
            .bound()
            .overlaps(SLACK)
        ):
            raise Refused(f"shifts {first} and {second} do not act as one at {level}.")
    return 3


def shifted() -> Witness:
    """The loss of a shift by 1."""
    law = normal.standard_normal("N", "x")
    fact = specialize(lemma("gaussian/delta", "hockey-stick"), mu=1)
    found = example({"a": 1, "b": 1, "eps": 0}, {"P": image(law, "x + 1/2")})
    return Witness(found, (fact,))


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "two",
            "two releases have the moments of one",
            equal(E(BOTH, exp(t * LOSS)), exp(log_moment(TOGETHER, t))),
            two,
        ),
        Statement(
            "many",
            "k releases with the shift mu have the moments of one",
            equal(E(MANY, exp(t * S)), composed(k)),
            many,
            (Whole("k", 0),),
        ),
        Statement(
            "many, different",
            "k releases, each with the moment of a shift given the loss so far: their"
            " squares, the steps of V, add up",
            equal(E(RELEASES, exp(t * S)), exp(t * (1 + t) * SQUARES / 2)),
            different,
            (Whole("k", 0),),
            {
                "each": assume(
                    equal(E(RELEASES, exp(t * L), "S"), exp(t * (1 + t) * SQUARE / 2)),
                    Whole("k", 0),
                    every="k",
                )
            },
        ),
        Statement(
            "delta",
            "two releases have the delta of one, at every eps",
            equal(STICK, gaussian_delta(TOGETHER, eps)),
            every_delta,
            ("a > 0",),
        ),
        Statement(
            "one-more",
            "one more release, if those before have at most the delta of one; L is their"
            " loss",
            at_most(MORE, gaussian_delta(TOGETHER, eps)),
            one_more,
            ("a > 0",),
            {
                "past": assume(
                    at_most(
                        E(PAST, maximum(0, 1 - exp(eps - L))), gaussian_delta(a, eps)
                    ),
                    every="eps",
                )
            },
            witness=shifted,
        ),
        Statement(
            "acts",
            "a release adds its square to that of a curve, as `curves` needs it",
            equal(
                E(TWO, gaussian_delta(a, eps - normal.loss(b, y))),
                gaussian_delta(TOGETHER, eps),
            ),
            acts,
            ("a > 0",),
        ),
        Statement(
            "curves",
            "a release with the square W, at what k others leave of the level, has the"
            " delta of one with all squares, if each acts so whatever came before",
            equal(E(RELEASES, CURVE), curve(W + SQUARES, eps)),
            curves,
            (Whole("k", 0), "W > 0"),
            BEFORE,
        ),
    ),
    falsehoods=(
        Falsehood(
            "one release with the sum of the shifts is no worse",
            at_most(log_moment(a + b, t), log_moment(TOGETHER, t)),
            ("a > 0", "b > 0", "t > 0"),
        ),
        Falsehood(
            "the larger shift decides",
            at_most(log_moment(TOGETHER, t), log_moment(maximum(a, b), t)),
            ("a > 0", "b > 0", "t > 0"),
        ),
    ),
    attacks=(
        Attack("delta of two releases by integration over the first, in balls", gaps),
    ),
    rules=(compose_gaussian_shifts, mu_of_squares),
)
