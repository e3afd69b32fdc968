"""What values of a log moment at some points say of all other points: chords and slopes.

Printed: not in the sources.
Proved: (1) Let exp(A) and exp(B) be the moments E exp(a L) and E exp(b L) for a < b, and v a
    number.
    The shipped line through A - v a at a and B - v b at b bounds log E exp(t L) - v t for t from a
    to b; with a = A = 0 the line is t (B - v b)/b. A loss that is at most m has log E exp(t L) - v
    t <= t (m - v) for t >= 0. (2) Where N <= r t with r >= 0, the shipped quotient N/(linear t +
    square t**2) is at most the shipped bound r/(linear + square a) for all t >= a. (3) Where N is
    at most a line slope t - drop with a positive slope and drop, the quotient is at most that of
    the line at the shipped crest; left of the crest the quotient of the line rises, right of it, it
    falls. (4) A bound r on log E exp(t L) - v t by r (linear t + square t**2) is no smaller than
    the quotient of the value at t.
Idea: exp(t L) lies below the chord of the exponential through a L - A and b L - B, averaged. At the
    crest x the line touches the parabola with the quotient at x, and lies below it elsewhere.
Source: Lyapunov's inequality: Loeve (1977), Probability Theory I, section 9.3. Suprema of log E
    exp(t L)/(t + t**2) define zCDP: Bun and Steinke (2016).
"""

from rdpacct.book.words import (
    Any, E, Expr, Fact, Falsehood, Iterator, Law, Real, Statement, Status, Step, Theorem, assume,
    at_crest, at_most, below, combine, crest, dominated, equal, example, exp, expect, formula,
    formulas, from_slope, given_by, log, moment_chords_chord as chord, on_average, placed, proves,
    quotient_at, read, real, relations, specialize, symbols, under, without,
)  # fmt: skip

a, b, t, v, A, B, L, m, r, N = symbols("a b t v A B L m r N")
slope, drop, linear, square, x, y = symbols("slope drop linear square x y")
P = Law("P", ("L",))
BOUNDED = Law("P", ("L",), relations("L <= m"))


def symbolic(*values: Real) -> tuple[Any, ...]:
    """Formulas in the place of balls and of exact numbers."""
    return formulas(*values)


SLOPE, DROP = map(read, chord(*symbolic(a, b, A - v * a, B - v * b)))
MOMENTS = {
    "first": assume(equal(E(P, exp(a * L)), exp(A))),
    "second": assume(equal(E(P, exp(b * L)), exp(B))),
}
SHAPE = ("0 <= linear", "0 < square")
LINE = ("0 < slope", "0 < drop", *SHAPE)
CREST = read(crest(*symbolic(slope, drop, linear, square)))
HIGHEST = read(at_crest(*symbolic(x, slope, drop, linear, square)))
"""The shipped quotient of the line at x."""


def quotient(at: Expr, value: Expr) -> Expr:
    """The shipped quotient."""
    return read(quotient_at(*symbolic(at, value, linear, square)))


def on_line(at: Expr) -> Expr:
    """The quotient of the line."""
    return quotient(at, slope * at - drop)


CHORD = Statement(
    "chord",
    "a log moment less a line lies below its chord",
    at_most(E(P, exp(t * L)), exp(v * t + SLOPE * t - DROP)),
    given=("a < b", "a <= t", "t <= b"),
    assuming=MOMENTS,
)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        CHORD,
        Statement(
            "steepest",
            "a loss that is at most m has log E exp(t L) - v t <= t (m - v)",
            at_most(E(BOUNDED, exp(t * L)), exp(v * t + t * (m - v))),
            given=("0 <= t",),
        ),
        Statement(
            "from-slope",
            "where N <= r t, the quotient is at most the one at the start",
            at_most(quotient(t, N), read(from_slope(*symbolic(r, a, linear, square)))),
            given=(
                *("0 <= r", "a <= t", "0 < t", "N <= r*t"),
                *("0 <= square", "0 < linear + square*a"),
            ),
        ),
        Statement(
            "crest",
            "where N lies below a line, the quotient is at most that of the line at the"
            " crest",
            at_most(quotient(t, N), HIGHEST.at(x=CREST)),
            given=(*LINE, "0 < t", "N <= slope*t - drop"),
        ),
        Statement(
            "falls",
            "right of the crest the quotient of the line falls",
            at_most(on_line(t), on_line(a)),
            given=(*LINE, at_most(CREST, a), "a <= t"),
        ),
        Statement(
            "rises",
            "left of it, it rises",
            at_most(on_line(t), on_line(b)),
            given=(*LINE, "0 < t", "t <= b", at_most(b, CREST)),
        ),
        Statement(
            "value",
            "a bound on the log moment at t is no smaller than the quotient there",
            at_most(quotient(t, A - v * t), r),
            given=("0 < t", *SHAPE),
            assuming={
                "moment": assume(equal(E(P, exp(t * L)), exp(A))),
                "bound": assume(
                    at_most(
                        E(P, exp(t * L)), exp(v * t + r * (linear * t + square * t**2))
                    )
                ),
            },
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "at the crest the line reaches the bound",
            equal(on_line(CREST), HIGHEST.at(x=CREST)),
            given=LINE,
        ),
    ),
    rules=(quotient_at, from_slope, chord, crest, at_crest),
)


@proves("chord")
def below_the_chord(part: Statement) -> Iterator[Step]:
    """The exponential is convex, and both ends have the mean 1."""
    first, second = (part.assuming[name] for name in ("first", "second"))
    share = (t - a) / (b - a)
    ends = a * L - A, b * L - B
    between = (1 - share) * ends[0] + share * ends[1]
    tangent = under(real("1 + x <= exp(x)"), "a < b")
    lower, upper = (specialize(tangent, x=end - between) for end in ends)
    height = v * t + SLOPE * t - DROP
    claim = at_most(
        exp(t * L),
        exp(height) * (1 - share) * exp(-A) * exp(a * L)
        + exp(height) * share * exp(-B) * exp(b * L),
    )
    line = combine(
        claim,
        (lower, exp(t * L) * (1 - share)),
        (upper, exp(t * L) * share),
        given=part.given,
    )
    yield line, "at each loss"
    mean = on_average(line, P, first, second, where=part.given)
    yield mean, "on the average"
    uses = (
        (first, exp(height - A) * (1 - share)),
        (second, exp(height - B) * share),
    )
    yield (
        combine(part.claim, mean, *uses, given=part.given),
        "both ends have the mean 1",
    )


@proves("steepest")
def no_steeper(part: Statement) -> Iterator[Step]:
    """At each loss."""
    most = real("L <= m", "L <= m")
    least = combine(at_most(t * L, t * m), (most, t), given=part.given)
    rises = specialize(real("exp(x) <= exp(y)", "x <= y"), x=t * L, y=t * m)
    line = given_by(rises, least)
    positive = specialize(real("0 <= exp(x)"), x=t * L)
    finite = dominated(line, BOUNDED, lower=positive)
    yield line, "at each loss"
    mean = expect(line, BOUNDED, finite)
    yield combine(part.claim, mean), "on the average"


@proves("from-slope")
def from_the_start(part: Statement) -> Iterator[Step]:
    """N is at most r t, and the denominator grows."""
    conditions = ("N <= r*t", "x <= y", "0 <= r", "0 < t", "0 < x")
    below_line, grows, *_, positive = (real(one, *conditions) for one in conditions)
    later = combine(below(0, y), positive, grows)
    line = combine(
        at_most(N / (t * y), r / x),
        (below_line, 1 / (t * y)),
        (grows, r / (x * y)),
        *((fact, 0) for fact in (later, positive)),
    )
    yield line, "the denominator is t times what grows"
    start, end = (linear + square * place for place in (a, t))
    early, first = (real(one, one) for one in ("a <= t", "0 < linear + square*a"))
    grown = combine(at_most(start, end), (early, square), given=("0 <= square",))
    there = under(given_by(specialize(line, x=start, y=end), grown), *part.given)
    sign = combine(below(0, end), grown, first)
    size = combine(below(0, linear * t + square * t**2), (sign, t), given=("0 < t",))
    known = [(fact, 0) for fact in (sign, size, first)]
    yield combine(part.claim, there, *known), "linear + square t"


SIDE = (*LINE, "0 < x")
SUM = 2 * square * x + linear
ROOT = equal(slope * square * x**2, drop * SUM)
"""What makes x the crest."""


def at_root(fact: Fact) -> Fact:
    """A fact about every x that solves the equation, at the crest."""
    sign = real(below(0, CREST), *LINE)
    root = real(equal(ROOT.left.at(x=CREST), ROOT.right.at(x=CREST)), *LINE)
    return given_by(specialize(fact, x=CREST), sign, root)


@proves("crest")
def highest(part: Statement) -> Iterator[Step]:
    """The parabola with the height of the crest touches the line there."""
    size, top = linear * t + square * t**2, x * (linear + square * x)
    height = slope / SUM
    conditions = (*SIDE, ROOT, "0 < t", "N <= slope*t - drop")
    line = real("N <= slope*t - drop", *conditions)
    root = real(ROOT, *conditions)
    here = combine(
        at_most(quotient(t, N), HIGHEST),
        (line, 1 / size),
        (root, (1 / size - 1 / top) / SUM),
        rest=height * square * (t - x) ** 2 / size,
        given=conditions,
    )
    yield here, "a square is not negative"
    yield under(at_root(here), *part.given), "at the crest"


@proves("falls")
def falling(part: Statement) -> Iterator[Step]:
    """In the distances from the crest to a and from a to t all terms have one sign."""
    line = real(
        at_most(on_line(x + y + r).at(drop=EXACT), on_line(x + y).at(drop=EXACT)),
        *("0 < slope", *SHAPE, "0 < x", "0 <= y", "0 <= r"),
    )
    yield line, "with the drop that makes x the crest"
    line = placed(
        line, "0 < slope", *SHAPE, "0 < x", "x <= a", "a <= t", y=a - x, r=t - a
    )
    start, after, later = (real(one, one) for one in ("0 < x", "x <= a", "a <= t"))
    signs = (
        combine(below(0, a), start, after),
        combine(below(0, t), start, after, later),
    )
    yield from at_drop(part, line, a, *signs)


@proves("rises")
def rising(part: Statement) -> Iterator[Step]:
    """In the distances from t to b and from b to the crest all terms have one sign."""
    drops = EXACT.at(x=t + y + r)
    line = real(
        at_most(on_line(t).at(drop=drops), on_line(t + y).at(drop=drops)),
        *("0 < slope", *SHAPE, "0 < t", "0 <= y", "0 <= r"),
    )
    yield line, "with the drop that makes x the crest"
    where = ("0 < slope", *SHAPE, "0 < t", "t <= b", "b <= x")
    line = placed(line, *where, y=b - t, r=x - b)
    start, after = (real(one, one) for one in ("0 < t", "t <= b"))
    yield from at_drop(part, line, b, start, combine(below(0, b), start, after))


EXACT = slope * square * x**2 / SUM
"""The drop that makes x the crest."""


def at_drop(part: Statement, line: Fact, end: Expr, *signs: Fact) -> Iterator[Step]:
    """The same with the drop itself, and at the crest."""
    conditions = (*SIDE, ROOT)
    sizes = [linear * place + square * place**2 for place in (t, end)]
    factor = (1 / sizes[0] - 1 / sizes[1]) / SUM
    root = real(ROOT, *conditions), factor
    known = [(sign, 0) for sign in signs]
    claim = at_most(on_line(t), on_line(end))
    here = combine(claim, line, root, *known, given=conditions)
    yield here, "with the drop"
    yield under(at_root(here), *part.given), "at the crest"


@proves("value")
def at_one_point(part: Statement) -> Iterator[Step]:
    """The logarithm of the bound."""
    size = linear * t + square * t**2
    moment, bound = part.assuming["moment"], part.assuming["bound"]
    both_ = combine(at_most(exp(A), exp(v * t + r * size)), bound, moment)
    yield both_, "the bound on the moment"
    most = v * t + r * size
    tangent = specialize(real("1 + x <= exp(x)"), x=A - most)
    line = combine(at_most(A, most), tangent, (both_, exp(-most)))
    yield line, "and on its logarithm"
    yield combine(part.claim, (line, 1 / size), given=part.given), "over the quadratic"


@proves("attained")
def reached(part: Statement) -> Iterator[Step]:
    """The same number."""
    same = real(equal(on_line(x), HIGHEST), "0 < x", *SHAPE)
    same = under(same, "0 < x", *LINE)
    there = given_by(specialize(same, x=CREST), real(below(0, CREST), *LINE))
    yield under(there, *part.given), "the same quotient"


FALSEHOODS = (
    Falsehood(
        "the larger one of the ends is enough, whatever is between: of the line 2 t - 1 over"
        " t + t**2, from 1/2 to 2",
        at_most((2 * t - 1) / (t + t**2), formula(1) / 2),
        ("1/2 <= t", "t <= 2"),
    ),
    Falsehood(
        "beyond b the chord is still a bound: for L = 1 or -1, each with probability 1/2, and"
        " the points 0 and 1",
        at_most(log((exp(t) + exp(-t)) / 2), t * log((exp(1) + exp(-1)) / 2)),
        ("t >= 0",),
    ),
    without(
        CHORD,
        "second",
        "the value at b may be any number",
        example({"a": 0, "b": 1, "t": 1, "v": 0, "A": 0, "B": -1}, {"P": [(0, 1)]}),
    ),
)
