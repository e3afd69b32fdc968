"""A log moment near zero: Taylor's theorem, with the coefficients that a recursion gives.

Printed: not in the sources.
Proved: Let -w <= X <= w, and write M_k(s) = E X**k exp(s X)/k!. (1) Let K_1, K_2, ... be the
    coefficients that the shipped recursion makes of M_0, M_1, ..., at each s from 0 to t. If K_n(s)
    <= c for all of these s, then log E exp(t X) <= K_1(0) t + ... + K_{n-1}(0) t**(n-1) + c t**n,
    by the shipped polynomial; and it is at least that if K_n(s) >= c. This is for n = 5 and n = 14,
    the orders that are used. (2) If E X = 0 and E X**2 = V, then abs(M_k(s) - M_k(0)) is at most
    what the shipped function says, for 0 <= s <= t, for each k up to 14. (3) A polynomial over u +
    v t is the quotient of t times it by u t + v t**2 (of t**2 times it, by u t**2), and the shipped
    slope is its derivative.
Idea: M_k has the slope (k + 1) M_{k+1}, up to a multiple of the square of the step. The recursion
    is that of M_1 = K_1 M_0, so K_k has the slope (k + 1) K_{k+1} in the same sense, and log M_0
    has the slope K_1. A bound on K_{k+1} on [0, t] gives one on K_k: the steps of j equal parts add
    up to an excess of 1/j.
Source: Taylor's theorem with the remainder of Lagrange. The recursion between moments and cumulants
    is in Smith (1995), The American Statistician 49.
"""

from rdpacct.book.words import (
    Any, BOUNDED as RANGE, CENTERED as MEAN_ZERO, Comparison, E, Expr, Fact, Falsehood, Instance,
    Iterator, Real, SHORT_ORDER, Statement, Status, Step, TAYLOR_ORDER, Table, Theorem,
    VARIANCE as SQUARE, absolute, assume, at_most, by_prover, combine, derivative, equal, example,
    exp, formula, formulas, log, log_coefficients_coefficient as coefficient,
    log_coefficients_moment as moment, moment_series_next_coefficient as next_coefficient, moved,
    moved_by, near_zero, partial, polynomial, proves, quotient_near_zero, read, slope_near_zero,
    slope_series, symbols, table, without,
)  # fmt: skip

s, t, u, v, w, c, a, V = symbols("s t u v w c a V")
HERE = ("0 <= s", "s <= t")
PLACES = ("0 <= t", "0 <= w")
SERIES = symbols(" ".join(f"c_{k}" for k in range(TAYLOR_ORDER)))
X = RANGE.symbol("X")
CONSTANT = Table("P", ("X",), rows=(((a,), formula(1)),))


def symbolic(*values: Real) -> tuple[Any, ...]:
    """Formulas in the place of balls and of exact numbers."""
    return formulas(*values)


def defined(k: int) -> Fact:
    """That K_k is what the shipped recursion makes of the moments, at each s."""
    moments = symbolic(*(moment(i) for i in range(k + 1)))
    smaller = symbolic(moment(0), *(coefficient(i) for i in range(1, k)))
    value = read(next_coefficient(moments, smaller))
    return assume(equal(coefficient(k), value), *HERE, every="s")


def bounded(order: int, sign: int) -> Comparison:
    """The log moment against the shipped polynomial; a minus sign turns the relation."""
    first = [coefficient(k, 0) for k in range(1, order)]
    *series, rate = symbolic(*first, c, t)
    sides = log(moment(0, t)), t * read(polynomial(series, rate))
    return at_most(*sides[::sign])


def taylor(order: int, sign: int) -> Statement:
    """Taylor's theorem of this order, in one direction."""
    most = at_most(*(coefficient(order), c)[::sign])
    above = sign > 0
    return Statement(
        f"{'above' if above else 'below'} {order}",
        f"log E exp(t X) is at {'most' if above else 'least'} the polynomial of order"
        f" {order} whose last coefficient is at {'least' if above else 'most'}"
        " K_n(s) for all s",
        bounded(order, sign),
        partial(near_zero, order=order, sign=sign),
        PLACES,
        {
            **{f"K_{k}": defined(k) for k in range(1, order + 1)},
            "remainder": assume(most, *HERE, every="s"),
        },
        nothing(order, 0),
    )


def nothing(order: int, last: int) -> Instance:
    """A loss that is always 0, with its coefficients."""
    zeros = {f"K_{k}": ("s", "0") for k in range(1, order + 1)}
    return example({"t": 1, "w": 1, "c": last}, {"P": [(0, 1)]}, **zeros)


def change(order: int) -> Statement:
    """How far a moment moves."""
    size = read(moved_by(order, *symbolic(V, w, t)))
    needed = {"variance": SQUARE}
    return Statement(
        f"moved {order}",
        f"the moment of order {order} moves by at most a multiple of the variance",
        at_most(absolute(moment(order) - moment(order, 0)), size),
        partial(moved, order=order),
        (*HERE, *PLACES),
        {"centered": MEAN_ZERO, **needed} if order == 0 else needed,
    )


def over(first: Expr, second: Expr) -> Expr:
    """The shipped quotient near zero."""
    *series, rate, start, rise = symbolic(*SERIES, t, first, second)
    return read(quotient_near_zero(series, rate, start, rise))


def slope() -> Expr:
    """The shipped slope of the quotient."""
    *series, rate, start, rise = symbolic(*SERIES, t, u, v)
    return read(slope_near_zero(slope_series(series, start, rise), rate, start, rise))


POLYNOMIAL = read(polynomial(symbolic(*SERIES), symbolic(t)[0]))
UNDER = ("0 < t", "0 < u", "0 <= v")
FIRST = taylor(SHORT_ORDER, 1)
MASS = change(0)

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        FIRST,
        taylor(SHORT_ORDER, -1),
        taylor(TAYLOR_ORDER, 1),
        taylor(TAYLOR_ORDER, -1),
        MASS,
        *map(change, range(1, TAYLOR_ORDER + 1)),
        Statement(
            "quotient",
            "a polynomial over u + v t is the quotient of t times it",
            equal(over(u, v), t * POLYNOMIAL / (u * t + v * t**2)),
            by_prover("a factor t"),
            UNDER,
        ),
        Statement(
            "square-quotient",
            "over u alone, that of t**2 times it",
            equal(over(u, formula(0)), t**2 * POLYNOMIAL / (u * t**2)),
            by_prover("a factor t**2"),
            ("0 < t", "0 < u"),
        ),
        Statement(
            "slope",
            "the shipped slope is the derivative",
            equal(derivative(over(u, v), "t"), slope()),
            by_prover("term by term"),
            UNDER,
        ),
    ),
    sharp=(
        Statement(
            "constant",
            "of a constant the polynomial is the log moment",
            equal(
                E(CONSTANT, exp(t * X)),
                exp(t * read(polynomial(symbolic(a, 0, 0, 0, 0), symbolic(t)[0]))),
            ),
        ),
    ),
    rules=(
        *(moved_by, next_coefficient, polynomial),
        *(quotient_near_zero, slope_series, slope_near_zero),
    ),
    in_words=(
        "An enclosure of the last coefficient, made by the recursion from sets in which the"
        " moments lie for all s up to the reach, contains the coefficient for all of these s: its"
        " ends serve as c.",
        "For each c in this enclosure: on an interval the quotient is at most its value in the"
        " middle plus what its slope, enclosed over the interval, times the distance comes to (the"
        " mean value theorem).",
    ),
)


@proves("constant")
def constant(part: Statement) -> Iterator[Step]:
    """One point."""
    mean = table(CONSTANT, exp(t * X))
    yield mean, "one point"
    yield combine(part.claim, mean), "whose polynomial is a t"


FALSEHOODS = (
    Falsehood(
        "the last coefficient at 0 is enough: log E exp(t X) <= K_2(0) t**2, here for X = 2"
        " with probability 1/3 and else -1",
        at_most(log((2 * exp(-t) + exp(2 * t)) / 3), t**2),
        ("t > 0",),
    ),
    Falsehood(
        "the moments of order 2 and more move by at most t w in place of exp(t w) - 1, here"
        " for X = w = 1, and order 2",
        at_most(exp(t) / 2 - formula(1) / 2, t / 2),
        ("t > 0",),
    ),
    without(
        FIRST,
        "remainder",
        "c may be any number",
        nothing(SHORT_ORDER, -1),
    ),
    without(
        MASS,
        "centered",
        "X need not be centered for the moment of order 0",
        example({"s": 1, "t": 1, "w": 1, "V": 1}, {"P": [(1, 1)]}),
    ),
)
