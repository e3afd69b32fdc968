"""Pairs of bounded range beside a ramp: one pair with a rare large loss dominates all of them.

Printed: not in the sources.
Proved: Let U = q/p be the ratio of a pair under P, with losses of at most m, U >= a = exp(-m), that
    lie in an interval of length l: v <= U <= v/c for some v, where c = exp(-l). (1) The variance of
    U is at most the shipped spread (1 - c)**2/(4 c). (2) Beside a ramp (composition/ramp) the
    hockey stick at the level 2/k is, up to a factor, the mean of max(k - U, 0)**2: it is 0 up to k
    = a, at most (k - a)**2 V/(V + (1 - a)**2) from there to k = 1 + V/(1 - a), and at most (k -
    1)**2 + V beyond, where V is the spread. (3) That is what the shipped pair has, with the loss m
    of the mass V/(V + (1 - a)**2), and the ratio 1 + V/(1 - a). So it dominates beside a ramp.
Idea: A square of a positive part lies below a parabola through the two points of the pair.
Source: the two points are those of Bentkus (2004) and Hoeffding (1963), for one bound and the
    variance.
"""

from rdpacct.book.words import (
    AtomsTransform, Density, E, Expr, Fact, Falsehood, Iterator, Law, Statement, Status, Step,
    Stretch, Symbol, Theorem, assume, at_most, below, by_prover, cast, combine, dominated, either,
    equal, example, exp, expect, exponential_spread as spread, formula, given_by, integrable,
    integrate, linear, maximum, other_ratio, rare_large_loss, rare_mass, real, relations,
    specialize, under,
)  # fmt: skip

U, v, c, a, k, V, y, z, r, m, n = map(
    Symbol, ("U", "v", "c", "a", "k", "V", "y", "z", "r", "m", "n")
)
RANGE = Law("P", ("U",), relations("v <= U", "c*U <= v"))
"""A pair of bounded range: its ratios q/p under P."""
PAIR = Law("P", ("U",), relations("a <= U"))
"""A pair with losses of at most -log a."""
LAWS = {
    "ratio of laws": assume(equal(E(PAIR, U), 1)),
    "variance": assume(at_most(E(PAIR, (U - 1) ** 2), V)),
}
SAME = {"P": [((1,), 1)]}
BELOW = ("0 < a", "a < 1", "0 < V")
SQUARE = maximum(k - U, 0) ** 2
OTHER = other_ratio(a, V)
MASS = rare_mass(a, V)
UNIFORM = Density(
    "Y",
    ("y",),
    (),
    (Stretch(formula(0), r / 2, formula(1)), Stretch(r / 2, formula(1), formula(1))),
)
"""The unit interval, under the second law of the ramp."""


def variance(part: Statement) -> Iterator[Step]:
    """A parabola that is 0 at both ends."""
    mass = part.assuming["ratio of laws"]
    chord = (v + v / c - 2) * U - v**2 / c + 1
    inside = real("0 <= (U - v)*(v - c*U)", *RANGE.support)
    line = combine(at_most((U - 1) ** 2, chord), (inside, 1 / c), given=part.given)
    yield line, "(U - v) (v/c - U) is not negative"
    flat = linear(
        RANGE,
        chord,
        {U: v + v / c - 2},
        integrable(mass, E(RANGE, U)),
        constant=1 - v**2 / c,
        where=part.given,
    )
    bound = integrable(flat, E(RANGE, chord))
    finite = dominated(line, RANGE, bound, lower=real("0 <= (U - 1)**2"))
    over = expect(line, RANGE, finite, bound)
    yield over, "averaged"
    best = real(at_most((1 - v) * (v / c - 1), spread(c)), *part.given)
    yield best, "largest for v = (1 + c)/2"
    yield (
        combine(part.claim, over, flat, (mass, v + v / c - 2), best),
        "the mean of U is 1",
    )


def parabola(part: Statement, scale: Expr, zero: Expr, line: Fact) -> Iterator[Step]:
    """The square of a positive part below a parabola with its minimum 0 at ``zero``."""
    mass, spread_of = part.assuming["ratio of laws"], part.assuming["variance"]
    bound = scale * (zero - U) ** 2
    yield line, "the square lies below the parabola"
    taken = linear(
        PAIR,
        bound,
        {(U - 1) ** 2: scale, U: -2 * scale * (zero - 1)},
        integrable(spread_of, E(PAIR, (U - 1) ** 2)),
        integrable(mass, E(PAIR, U)),
        constant=scale * (zero**2 - 1),
        where=part.given,
    )
    whole = integrable(taken, E(PAIR, bound))
    low = real(at_most(0, SQUARE))
    over = expect(line, PAIR, dominated(line, PAIR, whole, lower=low), whole)
    yield over, "averaged"
    yield (
        combine(
            part.claim,
            over,
            taken,
            (spread_of, scale),
            (mass, -2 * scale * (zero - 1)),
            given=part.given,
        ),
        "the mean and the variance are known",
    )


def near(part: Statement) -> Iterator[Step]:
    """A parabola through (k - a)**2 at a."""
    place = ("a < z", "a <= k", "k <= z", "a <= U")
    steep = (k - a) * (z - U) / (z - a)
    squares = real("max(x, 0)**2 <= t**2", "x <= t", "0 <= t")
    square = specialize(under(squares, *squares.domain, *place), x=k - U, t=steep)
    above = real(at_most(k - U, steep), *place)
    sign = real(at_most(0, steep), *place, "U <= z")
    before = under(given_by(square, above, sign), *place, "U <= z")
    flat = real("max(x, 0)**2 <= t**2", "x <= 0")
    none = specialize(under(flat, *flat.domain, *place), x=k - U, t=steep)
    beyond = given_by(none, real("k - U <= 0", "k <= z", "z <= U"))
    beyond = under(beyond, *place, "z <= U")
    line = either(before, beyond)
    line = specialize(under(line, *line.domain, *BELOW), z=OTHER)
    over = given_by(line, real(below(a, OTHER), *BELOW))
    scale = (k - a) ** 2 / (OTHER - a) ** 2
    bound = at_most(SQUARE, scale * (OTHER - U) ** 2)
    known = combine(bound, under(over, *PAIR.support, *part.given))
    yield from parabola(part, scale, OTHER, known)


def far(part: Statement) -> Iterator[Step]:
    """The parabola (k - U)**2 itself."""
    line = real(at_most(SQUARE, (k - U) ** 2))
    yield from parabola(part, formula(1), k, line)


def sticks(part: Statement) -> Iterator[Step]:
    """2 y is above r from r/2 on."""
    body = maximum(2 * y - r, 0)
    on = (
        (real(equal(body, 0), "y <= r/2"),),
        (
            real(equal(body, 2 * y - r), "r/2 <= y"),
            real(at_most(0, 2 * y - r), "r/2 <= y"),
        ),
    )
    total = integrate(
        UNIFORM, body, (formula(0), y**2 - r * y), (y, y), *part.given, on=on
    )
    yield total, "the antiderivative"
    yield combine(part.claim, total), "at the ends"


SHIPPED = cast(AtomsTransform, rare_large_loss(m, n).transform)
LEAST, WIDTH = exp(-m), spread(exp(-n))
RATIOS = LEAST, other_ratio(LEAST, WIDTH)
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "beside a ramp the ratio is w U/(2 y), where y has the density 2 y: the mean of max(1 - w"
        " U/(2 y), 0) is that of max(2 y - w U, 0) over the unit interval, w**2/4 times max(2/w -"
        " U, 0)**2, or 0 if w U >= 2",
    ),
    parts=(
        Statement(
            "variance",
            "the variance of the ratio of a pair of bounded range",
            at_most(E(RANGE, (U - 1) ** 2), spread(c)),
            variance,
            ("0 < c",),
            {"ratio of laws": assume(equal(E(RANGE, U), 1))},
            example({"c": "1/2", "v": "3/4"}, SAME),
        ),
        Statement(
            "sticks",
            "a hockey stick beside a ramp is a square",
            equal(E(UNIFORM, maximum(2 * y - r, 0)), (2 - r) ** 2 / 4),
            sticks,
            ("0 <= r", "r <= 2"),
        ),
        Statement(
            "near",
            "up to the other ratio",
            at_most(E(PAIR, SQUARE), MASS * (k - a) ** 2),
            near,
            (*BELOW, "a <= k", at_most(k, OTHER)),
            LAWS,
            example({"a": "1/2", "V": 1, "k": 1}, SAME),
        ),
        Statement(
            "far",
            "beyond it",
            at_most(
                E(PAIR, SQUARE), MASS * (k - a) ** 2 + (1 - MASS) * (k - OTHER) ** 2
            ),
            far,
            BELOW[1:],
            LAWS,
            example({"a": "1/2", "V": 1, "k": 4}, SAME),
        ),
        Statement(
            "mean",
            "the pair is one of two laws",
            equal(MASS * a + (1 - MASS) * OTHER, 1),
            by_prover("algebra"),
            BELOW[1:],
        ),
        *(
            Statement(
                name,
                "what is shipped of the pair",
                equal(exp(-loss), ratio),
                by_prover("as it stands"),
                given,
            )
            for name, loss, ratio, given in zip(
                ("loss", "other loss"),
                SHIPPED.losses,
                RATIOS,
                ((), ("m > 0",)),
                strict=True,
            )
        ),
        Statement(
            "masses",
            "with these masses",
            equal(SHIPPED.masses[0], rare_mass(LEAST, WIDTH)),
            by_prover("as it stands"),
            ("m > 0",),
        ),
        Statement(
            "other mass",
            "and all",
            equal(SHIPPED.masses[0] + SHIPPED.masses[1], 1),
            by_prover("as it stands"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "half of the spread is enough",
            at_most((1 - v) * (v / c - 1), spread(c) / 2),
            ("0 < c", "c < 1", "c <= v", "v <= 1"),
        ),
    ),
    rules=(rare_large_loss, spread, other_ratio, rare_mass),
)
