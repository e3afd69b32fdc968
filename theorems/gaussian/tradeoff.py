"""The trade-off function of the Gaussian mechanism.

Printed: not in the sources.
Proved: The same, for mu > 0, with alpha = Phi(-c): every test with the false positive rate Phi(-c)
    has a false negative rate of at least 1 - delta(eps) - exp(eps) Phi(-c) for every eps
    (tradeoff/from-profile), which at eps = mu c - mu**2/2 is Phi(c - mu); and the test that says
    yes above c has exactly these rates.
Idea: The loss is increasing, so that the best tests are thresholds.
Source: Dong, Roth and Su (2022), Gaussian differential privacy, equation (6).
"""

from rdpacct.book.words import (
    Attack, Falsehood, Fraction, Gaussian, Iterator, Random, Refused, Statement, Status, Step,
    Symbol, Theorem, at_most, combine, equal, exp, formula, gaussian_delta, gaussian_misses,
    gaussian_tradeoff, lemma, normal_cdf, placed, real, searched_tradeoff,
)  # fmt: skip

mu, c, x = (Symbol(name) for name in ("mu", "c", "x"))
SLOPE = mu * c - mu**2 / 2


def complement(part: Statement) -> Iterator[Step]:
    """erfc(-x) + erfc(x) = 2."""
    yield real(part.claim), "by the definition of Phi"


def best(part: Statement) -> Iterator[Step]:
    """The line that touches the curve at this test, and the complement of its power."""
    touch = placed(lemma("gaussian/delta", "best-test"), *part.given, eps=SLOPE)
    here = combine(
        equal(
            normal_cdf(mu - c) - exp(SLOPE) * normal_cdf(-c), gaussian_delta(mu, SLOPE)
        ),
        touch,
    )
    yield here, "the line at this epsilon touches the curve at c"
    missed = COMPLEMENT.fact()
    yield missed, "what is not found is missed"
    yield combine(part.claim, here, missed), "together"


def from_the_profile(seed: int) -> int:
    """Random shifts and rates: the closed form against the largest line of the profile."""
    rng = Random(seed)
    for _ in range(6):
        shift = Fraction(rng.randint(1, 60), 20)
        rate = Fraction(rng.randint(1, 99), 100)
        closed = gaussian_tradeoff(formula(shift), rate)
        searched = searched_tradeoff(Gaussian(1 / shift).loss().missed, rate)
        if not closed.overlaps(searched):
            raise Refused(
                f"the trade-off at {shift} and {rate} is {searched}, not {closed}."
            )
    return 6


COMPLEMENT = Statement(
    "complement",
    "what a test does not find, it misses",
    equal(normal_cdf(x) + normal_cdf(-x), 1),
    complement,
)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        COMPLEMENT,
        Statement(
            "best",
            "the lower bound on false negatives from the profile, at mu c - mu**2/2, is"
            " that of the threshold c",
            equal(
                1 - gaussian_delta(mu, SLOPE) - exp(SLOPE) * normal_cdf(-c),
                gaussian_misses(mu, c),
            ),
            best,
            ("mu > 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "twice the shift leaves at most an eighth of the false negatives",
            at_most(gaussian_misses(2, 1), gaussian_misses(1, 1) / 8),
        ),
    ),
    attacks=(Attack("the closed form against the profile", from_the_profile),),
    rules=(gaussian_misses,),
)
