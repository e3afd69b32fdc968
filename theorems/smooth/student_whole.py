"""Student's t with a whole number of degrees of freedom: its tails as finite sums.

Printed: not in the sources.
Proved: Let Z have the law of Student's t with d degrees of freedom, d whole, and let w be between 0
    and pi/2. The probability that Z exceeds sqrt(d) tan(w) is I(d - 1, w)/(2 I(d - 1, 0)), where
    I(n, w) is the integral of cos**n from w to pi/2. I(0, w) is pi/2 - w, I(1, w) is 1 - sin(w) =
    cos(w)**2/(1 + sin(w)), and I(n, w) is ((n - 1) I(n - 2, w) - sin(w) cos(w)**(n - 1))/n: both
    sides have the same derivative, and both are 0 at pi/2.
Idea: Integration by parts.
Source: Abramowitz and Stegun 1964, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
"""

from rdpacct.book.words import (
    Attack, Falsehood, Fraction, Iterator, Refused, Statement, Status, Step, Symbol, Theorem,
    by_prover, combine, equal, half_beta, known, precision, random, raw_real as number, two_more,
    whole_tail,
)  # fmt: skip

c, n, p, s, x = map(Symbol, ("c", "n", "p", "s", "x"))
CIRCLE = "s**2 + c**2 == 1"
TURNED = two_more(-x, n, c**2 * x - (n - 1) * s**2 * x)


def derivatives(part: Statement) -> Iterator[Step]:
    """A multiple of the equation of the circle."""
    circle = known(CIRCLE, part)
    yield circle, "sine and cosine"
    yield (
        combine(part.claim, (circle, (n - 1) * x / n), given=("0 < n",)),
        "so many times",
    )


def first(part: Statement) -> Iterator[Step]:
    """The equation of the circle, divided."""
    circle = known(CIRCLE, part)
    yield circle, "sine and cosine"
    steps = combine(part.claim, (circle, -1 / (1 + s)), given=("0 <= s",))
    yield steps, "divided"


def against_beta(seed: int) -> int:
    """Random outputs, against the incomplete beta function."""
    rng = random.Random(seed)
    tried = 0
    with precision(160):
        for degrees in range(1, 41):
            for _ in range(4):
                sine = number(Fraction(rng.randint(1, 999), 1000))
                rest = sine * sine
                tail = whole_tail(degrees, sine, (1 - rest).sqrt())
                other = half_beta(1 - rest, rest, number(Fraction(2 * degrees, 2)))
                tried += 1
                if not tail.overlaps(other):
                    raise Refused(f"{degrees} degrees: the tail at sine {sine}.")
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "with z = sqrt(d) tan(w), (1 + z**2/d)**(-(d + 1)/2) dz is sqrt(d) cos(w)**(d - 1) dw"
        ),
        "two functions with the same derivative that are 0 at pi/2 are the same",
    ),
    parts=(
        Statement(
            "derivatives",
            "x = c**(n - 2), c = cos(w), s = sin(w): the derivatives of I(n - 2, w) and of"
            " sin(w) cos(w)**(n - 1) make that of I(n, w), -c**n",
            equal(TURNED, -(c**2) * x),
            derivatives,
            (CIRCLE, "0 < n"),
        ),
        Statement(
            "at the end",
            "at w = pi/2, where x = I(n - 2, w) and p = sin(w) cos(w)**(n - 1) are 0, so is I(n,"
            " w)",
            equal(two_more(x, n, p), 0),
            by_prover("a multiple of 0"),
            ("0 < n", "x == 0", "p == 0"),
        ),
        Statement(
            "first",
            "the integral of cos from w to pi/2",
            equal(1 - s, c**2 / (1 + s)),
            first,
            (CIRCLE, "0 <= s"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the product is added",
            equal(two_more(-x, n, -(c**2) * x + (n - 1) * s**2 * x), -(c**2) * x),
            (CIRCLE, "0 < n"),
        ),
    ),
    attacks=(Attack("against the incomplete beta function", against_beta),),
    rules=(two_more,),
)
