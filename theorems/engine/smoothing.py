"""Two smoothed quadratures, one above the profile and one below it.

Printed: not in the sources
Proved: Let g(eps) = E[F (1 - exp(eps - L))_+] be the finite part of the profile. (1) The upper sum,
    with the shipped truncation, is above the profile (engine/smooth-above). (2) E[F (1 - exp(eps -
    L)) Phi((L - eps)/h)] <= g(eps), at every eps: the lower sum, whose kernel is the transform of
    this test, is below the profile, apart from its aliases. These can be negative, but each is at
    most that of the profile. (3) So the lower sum less the bounds of engine/aliases is at most
    delta, as the shipped enclosure says.
Idea: Dropping the noise is post-processing, and rejecting with probability Phi((L - eps)/h) is a
    test.
Source: This package.
"""

from rdpacct.book.words import (
    AtomsTransform, Attack, E, Falsehood, Fraction, Iterator, Place, Refused, SmoothLine, Statement,
    Status, Step, Symbol, Terms, Theorem, assume, at_most, combine, dataclasses_replace as replace,
    equal, exp, expect, formula, given_by, integrable, lemma, masses, maximum, module, normal_cdf,
    placed, precision, prod, product, random, raw_real as ball, real, smoothed, specialize,
)  # fmt: skip

L, F, eps, h, v, s, a, b, f, low, high, delta = (
    Symbol(name)
    for name in ("L", "F", "eps", "h", "v", "s", "a", "b", "f", "low", "high", "delta")
)
UPPER = module("engine/smooth-above")
PLAIN = UPPER.PLAIN
PROFILE = F * maximum(0, 1 - exp(eps - L))


def upper(part: Statement) -> Iterator[Step]:
    """The upper sum."""
    yield lemma("engine/smooth-above", part.name), "engine/smooth-above"


def below(part: Statement) -> Iterator[Step]:
    """A probability times a gain is at most its positive part."""
    share = normal_cdf((L - eps) / h)
    test = real("p*v <= max(0, v)", "0 <= p", "p <= 1", *part.given)
    moved = specialize(test, v=1 - exp(eps - L), p=share)
    ends = (at_most(0, normal_cdf(v)), at_most(normal_cdf(v), 1))
    certain = [placed(real(end), *part.given, v=(L - eps) / h) for end in ends]
    allowed = given_by(moved, *certain)
    pointwise = combine(at_most(SMOOTHED, PROFILE), (allowed, F), given=("0 <= F",))
    yield pointwise, "rejecting with a probability is a test"
    finite = UPPER.bounded(PLAIN, eps - L)
    mean = expect(
        pointwise, PLAIN, integrable(part.assuming["sum"], E(PLAIN, SMOOTHED)), finite
    )
    yield mean, "on the average"
    yield combine(part.claim, mean, part.assuming["sum"]), "the lower sum"


SMOOTHED = F * (1 - exp(eps - L)) * normal_cdf((L - eps) / h)


def enclosed(part: Statement) -> Iterator[Step]:
    """The lower sum less the aliases of the profile."""
    whole, *others = (part.assuming[name] for name in ("sum", "test", "below", "above"))
    yield (
        combine(part.claim, (whole, 1), *others),
        "every test function is below the profile, and so are its aliases",
    )


def random_atoms(seed: int) -> int:
    """Random finite losses, drawn up to three times: the enclosure by random smoothings, against
    exact sums.
    """
    rng = random.Random(seed)
    tried = 0
    with precision(120):
        for _ in range(12):
            size = rng.randint(2, 3)
            count = rng.randint(1, 3)
            share = masses(rng, size)
            losses = [Fraction(rng.randint(-15, 20), 10) for _ in range(size)]
            atoms = AtomsTransform(
                tuple(map(formula, share)), tuple(map(formula, losses))
            )
            place = Place(
                rng.uniform(0.3, 4), rng.uniform(5, 9), rng.uniform(3, 20), 30.0
            )
            level = Fraction(rng.randint(-10, 40), 10)
            line = smoothed(
                Terms.of([(atoms, count)]),
                place,
                rng.uniform(0.01, 0.4),
                rng.randint(8, 200),
                frozenset(),
            )
            exact = ball(0)
            for picks in product(range(size), repeat=count):
                mass = prod((share[i] for i in picks), start=Fraction(1))
                exact += ball(mass) * (
                    1 - (ball(level) - ball(sum(losses[i] for i in picks))).exp()
                ).max(ball(0))
            if not line.enclosure(ball(level)).overlaps(exact):
                raise Refused(
                    f"{count} draws of {losses} with masses {share} have delta {exact}"
                    f" at {level}: {place}."
                )
            tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        replace(UPPER.THEOREM.parts[1], proof=upper),
        Statement(
            "below",
            "the mean of the lower test function is at most the profile, at any eps",
            at_most(s, E(PLAIN, PROFILE)),
            below,
            ("0 < h",),
            {"sum": assume(equal(E(PLAIN, SMOOTHED), s))},
        ),
        Statement(
            "enclosure",
            "the lower sum s less the bounds a and b on the aliases of the profile is"
            " at most delta",
            at_most(s - a - b, delta),
            enclosed,
            (),
            {
                "sum": assume(equal(s, f + low + high)),
                "test": assume(at_most(f, delta)),
                "below": assume(at_most(low, a)),
                "above": assume(at_most(high, b)),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "the lower test function, and so each of its aliases, is not negative",
            at_most(0, (1 - exp(-v)) * normal_cdf(v)),
        ),
    ),
    attacks=(
        Attack("random finite losses, drawn up to three times, in balls", random_atoms),
    ),
    in_words=(
        (
            "the lower sum is the sum over all j of exp(t j W) times the mean of the"
            " lower test function at eps + j W, by Poisson summation as in"
            " engine/periodic-sum, with the coefficients of engine/smooth-kernels and"
            " the truncation of engine/smooth-truncation; by `below` its terms with j"
            " != 0 are at most the aliases that engine/aliases bounds"
        ),
    ),
    axioms_in_words=(module("engine/periodic-sum").POISSON,),
    rules=(SmoothLine.enclosure,),
)
