"""How far one record moves a regularized estimator: a function of the record and of its
replacement.

Printed: sup |g(X) - g(X')| = sup h(x, x')/n; it holds e.g. for statistical point estimators and
    regularized logistic regression estimates.
Proved: Let theta and theta' minimize the means of losses l over X and X' plus ridge theta**2/2,
    where one record x is replaced by x' and each loss is convex, with derivative l'. Then ridge n
    |theta - theta'| <= |l'(x, theta') - l'(x', theta')|, pair by pair. For Huber's location, whose
    l' is clipped at +-b, that is at most min(|x - x'|, 2 b). For the slope of y on x, |x| <= X and
    |y| <= Y: |theta| <= R = Y t/(t**2 + ridge), t = min(X, sqrt(ridge)), and the difference of the
    gradients is at most |x**2 - x'**2| R + |x y - x' y'|, which is at most (X**2 - t**2) R + (X +
    t) Y. For logistic regression on one covariate, u = x y with y = +-1, it is at most |x| + |x'|.
Idea: The gradient of X is 0 at theta, and (l'(x, theta') - l'(x', theta'))/n at theta'; its slope
    is at least ridge. |x| (t**2 + ridge) <= t (x**2 + ridge) for each record, so |mean of x y| <= R
    (mean of x**2 + ridge).
Source: Hall, Rinaldo and Wasserman, section 6, after equation (9), which refers to Chaudhuri,
    Monteleoni and Sarwate (2011) for regularized logistic regression.
Finding (gap): What is printed equates two suprema, which says nothing of the pair at hand, and the
    release needs a bound for that pair (sensitivity/random). It holds pair by pair, as an
    inequality.
Finding: The reach of the slope is half of what comparing the objective with that at 0 gives,
    Y/sqrt(ridge), where X**2 >= ridge.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Location, MINIMIZERS, RECORDS, RidgeSlope, Statement, Status, Step,
    Symbol, Theorem, Whole, absolute, assume, at_most, by_prover, clip, clipped, combine, equal,
    example, gradients, integrable, largest, logistic, logistic_rises, logistic_slope, mean_reach,
    minimizers, minimum, monotone, new, old, proves, ridge_most, ridge_move, ridge_reach,
    ridge_slope_products as products, short, slope_reach, symbols,
)  # fmt: skip

lam, n, theta, other, p, q, b, x, y, t, u, v, r, a, w, Y, R = symbols(
    "lam n theta other p q b x y t u v r a w Y R"
)


THEOREM = Theorem(
    verdict=Status.CORRECTED,
    in_words=(
        "the methods `pair` and `most` compute these bounds in doubles, rounded up",
    ),
    parts=(
        Statement(
            "minimizers",
            "ridge n |theta - theta'| is at most the difference of the gradients p of x"
            " and q of x' at theta'",
            at_most(
                lam * n * absolute(theta - other), absolute(old(other) - new(other))
            ),
            proof=minimizers,
            given=("0 < lam", Whole("n", 1)),
            assuming=MINIMIZERS,
            witness=example(
                {"lam": 1, "n": 3, "theta": 0, "other": 0},
                g=("i", "a", "a"),
                G=("j", "a", "j*a"),
                p=("a", "a"),
                q=("a", "a"),
            ),
        ),
        Statement(
            "clipped",
            "clipped gradients differ by at most the distance of the records, and by at"
            " most 2 b",
            at_most(absolute(clip(x) - clip(y)), minimum(absolute(x - y), 2 * b)),
            proof=clipped,
            given=("0 < b",),
        ),
        Statement(
            "monotone",
            "clipping is increasing",
            at_most(0, (clip(x) - clip(y)) * (x - y)),
            proof=monotone,
        ),
        Statement(
            "logistic rises",
            "the derivative of the logistic loss rises, so that the mean loss is convex",
            at_most(
                0,
                (theta - other) * (logistic_slope(p, theta) - logistic_slope(p, other)),
            ),
            proof=logistic_rises,
        ),
        Statement(
            "logistic",
            "two derivatives of the logistic loss differ by at most |x| + |x'|",
            at_most(
                absolute(logistic_slope(p, theta) - logistic_slope(q, theta)),
                absolute(p) + absolute(q),
            ),
            proof=logistic,
        ),
        Statement(
            "short range",
            "t = X is a turn where X**2 <= ridge",
            at_most(a * (t**2 + r), t * (a**2 + r)),
            proof=short,
            given=("0 <= a", "a <= t", "t**2 <= r"),
        ),
        Statement(
            "long range",
            "t = sqrt(ridge) is a turn for all x",
            at_most(a * (t**2 + t**2), t * (a**2 + t**2)),
            by_prover("the difference is t (t - a)**2"),
            ("0 <= t",),
        ),
        Statement(
            "reach",
            "the mean of |x y| is at most R times the mean of x**2 + ridge",
            at_most(
                E(RECORDS, absolute(x * y)),
                ridge_reach(Y, t, r) * (E(RECORDS, x**2) + r),
            ),
            given=("0 < r",),
            assuming={"squares": assume(at_most(E(RECORDS, x**2), Symbol("S")))},
        ),
        Statement(
            "slope",
            "so |theta| is at most R, as the minimizer solves the normal equation",
            at_most(absolute(theta), ridge_reach(Y, t, r)),
            proof=slope_reach,
            given=("0 < r",),
            assuming={
                "normal equation": assume(
                    equal(theta * (E(RECORDS, x**2) + r), E(RECORDS, x * y))
                )
            },
        ),
        Statement(
            "products",
            "|x y - x' y'| is at most (|x| + |x'|) Y, where u = x' and v = y'",
            at_most(absolute(x * y - u * v), (absolute(x) + absolute(u)) * Y),
            proof=products,
            given=("abs(y) <= Y", "abs(v) <= Y"),
        ),
        Statement(
            "gradients",
            "the gradients p theta - q, p = x**2 - x'**2 and q = x y - x' y', are"
            " largest at an end of the reach",
            at_most(
                absolute(p * theta - q), r * ridge_move(absolute(p), absolute(q), R, r)
            ),
            proof=gradients,
            given=("abs(theta) <= R", "0 < r"),
        ),
        Statement(
            "largest",
            "for |x| = a, |x'| = b and t a turn for b, no move is larger than"
            " `ridge_most`",
            at_most(
                ridge_move(a**2 - b**2, (a + b) * Y, ridge_reach(Y, t, r), r),
                ridge_most(w, Y, t, r),
            ),
            proof=largest,
            given=(
                "0 <= a",
                "a <= w",
                "0 <= Y",
                "0 <= t",
                "0 < r",
                "0 <= (t - b)*(r - b*t)",
            ),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "far from theta the gradient is b: one record has the location b/ridge, or"
            " -b/ridge when it is replaced",
            equal(clip(w), b),
            by_prover("clipped at its end"),
            ("0 < b", "b <= w"),
        ),
    ),
    rules=(Location.pair, RidgeSlope.pair, ridge_reach, ridge_move, ridge_most),
)


@proves("reach")
def record_by_record(part: Statement) -> Iterator[Step]:
    """Record by record, then the mean."""
    squares = integrable(part.assuming["squares"], E(RECORDS, x**2))
    bound = mean_reach(ridge_reach(Y, t, r), squares, *part.given)
    yield (
        combine(part.claim, bound),
        "|x| (t**2 + ridge) <= t (x**2 + ridge), record by record, then on average",
    )


FALSEHOODS = (
    Falsehood(
        "clipped gradients differ by at most b",
        at_most(clip(x) - clip(y), b),
        ("0 < b",),
    ),
    Falsehood(
        "the reach is half as large",
        at_most(a * (t**2 + t**2), t * (a**2 + t**2) / 2),
        ("0 <= t", "0 <= a"),
    ),
)
