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
    Condition, E, Expr, Fact, Falsehood, Iterator, Law, Location, MINIMIZERS, Real, RidgeSlope,
    Statement, Status, Step, Symbol, Theorem, Whole, absolute, assume, at_most, below, by_prover,
    clip, combine, divided, dominated, either, equal, example, exp, expect, formula, given_by,
    integrable, linear, minimum, new, old, proves, pushed, real, relations, relations_of,
    ridge_most, ridge_move, ridge_reach, shifted, specialize, swapped, under,
)  # fmt: skip

lam, n, theta, other, p, q, b, d, x, y, t, u, v, r, a, w, Y, R = (
    Symbol(name) for name in ("lam", "n", "theta", "other", *"pqbdxytuvrawYR")
)
RECORDS = Law(
    "X", ("x", "y"), relations("abs(y) <= Y", "abs(x)*(t**2 + r) <= t*(x**2 + r)")
)
"""A record of X, each of which is as likely as the others."""


def logistic_slope(u: Real, at: Real) -> Expr:
    """The derivative of the logistic loss log(1 + exp(-u theta)), u = x y, at theta."""
    return -formula(u) / (1 + exp(formula(u) * at))


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
            given=("0 < b",),
        ),
        Statement(
            "monotone",
            "clipping is increasing",
            at_most(0, (clip(x) - clip(y)) * (x - y)),
        ),
        Statement(
            "logistic rises",
            "the derivative of the logistic loss rises, so that the mean loss is convex",
            at_most(
                0,
                (theta - other) * (logistic_slope(p, theta) - logistic_slope(p, other)),
            ),
        ),
        Statement(
            "logistic",
            "two derivatives of the logistic loss differ by at most |x| + |x'|",
            at_most(
                absolute(logistic_slope(p, theta) - logistic_slope(q, theta)),
                absolute(p) + absolute(q),
            ),
        ),
        Statement(
            "short range",
            "t = X is a turn where X**2 <= ridge",
            at_most(a * (t**2 + r), t * (a**2 + r)),
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
            given=("abs(y) <= Y", "abs(v) <= Y"),
        ),
        Statement(
            "gradients",
            "the gradients p theta - q, p = x**2 - x'**2 and q = x y - x' y', are"
            " largest at an end of the reach",
            at_most(
                absolute(p * theta - q), r * ridge_move(absolute(p), absolute(q), R, r)
            ),
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


@proves("minimizers")
def minimizers(part: Statement) -> Iterator[Step]:
    """w**2 <= -d w, for w = lam n (theta - theta') and d = p - q, implies |w| <= |d|."""
    positive, many = part.given
    one = absolute(w)
    size = absolute(d)
    push = "w**2 <= -d*w"
    terms = real("abs(w)**2 == w**2"), real(push, push), real("-d*w <= abs(d)*abs(w)")
    product = combine(at_most((one - size) * one, 0), *terms)
    quotient = specialize(
        real("u <= z/v", "u*v <= z", "0 < v"), u=one - size, v=one, z=0
    )
    moved = combine(at_most(one, size), given_by(quotient, product))
    still = combine(
        at_most(one, size), real("abs(w) <= 0", "abs(w) <= 0"), real("0 <= abs(d)")
    )
    found = either(moved, under(still, "abs(w) <= 0", push))
    yield found, "divided by the move, if there is one"
    convex = pushed()
    yield convex, "the sum of the derivatives rises, and is 0 at the minimizers"
    move = lam * n * (theta - other)
    change = old(other) - new(other)
    far = combine(
        at_most(move**2, -change * move), (convex, lam * n**2), given=("0 < lam",)
    )
    yield far, "how far strong convexity lets the minimizers be apart"
    there = given_by(specialize(found, w=move, d=change), far)
    factor = specialize(
        real("s*abs(v) <= abs(s*v)", "0 <= s"), s=lam * n, v=theta - other
    )
    factor = given_by(factor, real("0 <= lam*n", "0 < lam", "1 <= n"))
    found = combine(part.claim, factor, there)
    yield (
        under(found, positive, many),
        "so the move is at most the difference of the gradients",
    )


@proves("clipped")
def clipped(part: Statement) -> Iterator[Step]:
    """Not farther apart than before, and not beyond the ends."""
    gap = absolute(x - y)
    sign = specialize(real("0 <= abs(v)"), v=x - y)
    up = combine(at_most(x, y + gap), specialize(real("v <= abs(v)"), v=x - y))
    down = combine(at_most(y, x + gap), specialize(real("-v <= abs(v)"), v=x - y))
    inside = specialize(
        real("max(u, v) <= b", "u <= b", "v <= b"), u=-b, v=minimum(x, b)
    )
    inside = given_by(inside, real("-b <= b", *part.given), real("min(x, b) <= b"))
    ends = combine(
        at_most(clip(x) - clip(y), 2 * b),
        inside,
        specialize(real("u <= max(u, v)"), u=-b, v=minimum(y, b)),
    )
    yield ends, "no value is beyond an end"
    bounds = []
    for shift, near, most in (
        (shifted(), up, ends),
        (swapped(shifted()), down, swapped(ends)),
    ):
        over = given_by(specialize(shift, d=gap), near, sign)
        yield over, "clipping moves nothing apart"
        left = most.relation.left
        smaller = specialize(
            real("v <= min(s, t)", "v <= s", "v <= t"), v=left, s=gap, t=2 * b
        )
        bounds.append(given_by(smaller, combine(at_most(left, gap), over), most))
    change = clip(x) - clip(y)
    room = minimum(gap, 2 * b)
    back = combine(at_most(-change, room), bounds[1])
    size = specialize(real("abs(v) <= s", "v <= s", "-v <= s"), v=change, s=room)
    yield given_by(size, bounds[0], back), "in both directions"


@proves("monotone")
def monotone(part: Statement) -> Iterator[Step]:
    """x <= y or y <= x."""
    less = combine(at_most(0, clip(y) - clip(x)), specialize(shifted(), d=0))
    order = specialize(
        real("0 <= u*v", "0 <= u", "0 <= v"), u=clip(y) - clip(x), v=y - x
    )
    one = combine(part.claim, given_by(order, less, real("0 <= y - x", "x <= y")))
    yield one, "a larger value is clipped to a larger one"
    yield (
        either(
            under(one, "x <= y"), under(combine(part.claim, swapped(one)), "y <= x")
        ),
        "in both orders",
    )


@proves("short range")
def short(part: Statement) -> Iterator[Step]:
    """The difference is (t - a) (r - t**2 + t (t - a))."""
    sign, order, turn = part.given
    room = real("0 <= r - t**2", turn)
    gap = real("0 <= t - a", order)
    yield (
        combine(part.claim, (room, t - a), (gap, t * (t - a)), given=(sign, order)),
        "a product of signs",
    )


def mean_reach(squares: Fact, *given: str | Condition) -> Fact:
    """The mean of |x y| is at most R times the mean of x**2 + ridge, record by record."""
    shape = real(at_most(absolute(x) * (t**2 + r), t * (x**2 + r)), *RECORDS.support)
    factors = real("abs(x*y) == abs(x)*abs(y)")
    size = real("abs(y) <= Y", *RECORDS.support)
    rate = ridge_reach(Y, t, r)
    product = absolute(x * y)
    terms = factors, (size, absolute(x)), (shape, Y / (t**2 + r))
    line = combine(at_most(product, rate * (x**2 + r)), *terms, given=given)
    right = linear(
        RECORDS,
        rate * (x**2 + r),
        {x**2: rate},
        squares,
        constant=rate * r,
        where=given,
    )
    whole = integrable(right, right.relation.left)
    finite = dominated(
        line, RECORDS, whole, lower=specialize(real("0 <= abs(v)"), v=x * y)
    )
    claim = at_most(E(RECORDS, product), rate * (E(RECORDS, x**2) + r))
    return combine(claim, expect(line, RECORDS, finite, whole), right)


@proves("reach")
def reach(part: Statement) -> Iterator[Step]:
    """Record by record, then the mean."""
    squares = integrable(part.assuming["squares"], E(RECORDS, x**2))
    yield (
        combine(part.claim, mean_reach(squares, *part.given)),
        "|x| (t**2 + ridge) <= t (x**2 + ridge), record by record, then on average",
    )


@proves("slope")
def slope_reach(part: Statement) -> Iterator[Step]:
    """|theta| (E x**2 + ridge) is |E x y|, and so at most E |x y|."""
    normal = part.assuming["normal equation"]
    squares = integrable(normal, E(RECORDS, x**2))
    product = integrable(normal, E(RECORDS, x * y))
    bound = mean_reach(squares, *part.given)
    yield bound, "the mean of |x y|"
    sizes = integrable(bound, E(RECORDS, absolute(x * y)))
    size = E(RECORDS, absolute(x * y))
    up = expect(specialize(real("v <= abs(v)"), v=x * y), RECORDS, product, sizes)
    turned = linear(RECORDS, -(x * y), {x * y: -1}, product)
    line = specialize(real("-v <= abs(v)"), v=x * y)
    down = expect(line, RECORDS, integrable(turned, turned.relation.left), sizes)
    down = combine(at_most(-E(RECORDS, x * y), size), down, turned)
    weight = expect(real("0 <= x**2"), RECORDS, squares)
    positive = combine(below(0, E(RECORDS, x**2) + r), weight, rest=r, given=part.given)
    yield positive, "the mean of x**2 + ridge is not 0"
    rate = ridge_reach(Y, t, r)
    ends = []
    for sign, side in ((1, up), (-1, down)):
        claim = at_most(sign * theta, rate)
        scaled = combine(
            at_most((claim.left - rate) * (E(RECORDS, x**2) + r), 0),
            side,
            bound,
            (normal, sign),
        )
        ends.append(divided(claim, scaled, positive, *part.given))
    both = real("abs(v) <= s", "v <= s", "-v <= s", *part.given)
    both = specialize(both, v=theta, s=rate)
    yield under(given_by(both, *ends), *part.given), "divided by it, in both directions"


@proves("products")
def products(part: Statement) -> Iterator[Step]:
    """The triangle inequality."""
    first = real("abs(x*y) == abs(x)*abs(y)")
    second = specialize(first, x=u, y=v)
    triangle = specialize(real("abs(v - q) <= abs(v) + abs(q)"), v=x * y, q=u * v)
    yield triangle, "the triangle inequality"
    near, far = (real(one, one) for one in relations_of(*part.given))
    terms = first, second, (near, absolute(x)), (far, absolute(u))
    yield combine(part.claim, triangle, *terms), "each factor by itself"


@proves("gradients")
def gradients(part: Statement) -> Iterator[Step]:
    """The triangle inequality."""
    triangle = specialize(real("abs(v - q) <= abs(v) + abs(q)"), v=p * theta)
    product = real("abs(p*theta) == abs(p)*abs(theta)")
    near = real("abs(theta) <= R", *part.given)
    yield triangle, "the triangle inequality"
    yield (
        combine(part.claim, triangle, product, (near, absolute(p))),
        "at the ends of the reach",
    )


@proves("largest")
def largest(part: Statement) -> Iterator[Step]:
    """Larger in a up to w, and in b up to the turn."""
    rate = Y / (t**2 + r)
    terms = (
        (real("0 <= (t - b)*(r - b*t)", *part.given), rate / r),
        (real("0 <= w**2 - a**2", *part.given), rate * t / r),
        (real("0 <= w - a", *part.given), Y / r),
    )
    yield (
        combine(part.claim, *terms, given=part.given),
        "the rest is a product of signs",
    )


@proves("logistic rises")
def logistic_rises(part: Statement) -> Iterator[Step]:
    """A product of two differences of the same sign."""
    order = real("0 <= (s - c)*(1/(1 + exp(c)) - 1/(1 + exp(s)))")
    yield order, "1/(1 + exp(s)) falls"
    placed = specialize(order, s=p * theta, c=p * other)
    yield combine(part.claim, placed), "so the derivative rises with theta"


@proves("logistic")
def logistic(part: Statement) -> Iterator[Step]:
    """Each derivative is at most the covariate."""
    share = real("abs(-u*s) <= abs(u)", "0 < s", "s < 1")
    inside = real("0 < 1/(1 + exp(v))"), real("1/(1 + exp(v)) < 1")
    sizes = []
    for record in (p, q):
        weight = 1 / (1 + exp(record * theta))
        chance = [specialize(one, v=record * theta) for one in inside]
        size = given_by(specialize(share, u=record, s=weight), *chance)
        sizes.append(size)
        yield size, "no derivative exceeds its covariate"
    first, second = (logistic_slope(record, theta) for record in (p, q))
    triangle = specialize(real("abs(u - v) <= abs(u) + abs(v)"), u=first, v=second)
    yield combine(part.claim, triangle, *sizes), "the triangle inequality"


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
