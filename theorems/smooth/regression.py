"""How far one row moves the solution of ridge regression.

Printed: The minimizer of |X theta - Y|**2 + lambda |theta|**2 is (X'X)^-1 X'Y; a new row moves it
    by at most L/lambda_min(X'X), the local sensitivity is 2 L/lambda_min(X'X), and the global
    sensitivity is unbounded.
Proved: theta minimizes the objective if (X'X + lambda I) theta = X'Y. With A = X'X + lambda I,
    smallest eigenvalue at least l > 0, and r the move of the minimizer: a new row (x, y) gives l
    |r| <= |e| |x|, where e is the residual of the new row at the new minimizer (or at the old one);
    one replaced row gives l |r| <= 2 L, where L bounds |e_i| |x_i|, half of the gradient of the
    squared loss, of the old and the new row at the minimizer of the neighbor. In the parts a vector
    is a random variable: E_P is the mean over the rows, E_C that over the coordinates, and the
    normal equations of both minimizers are tested along r.
Idea: The normal equations, subtracted, are A r = e x, so l |r|**2 <= r'A r = e x'r, and 2 e x'r <=
    e**2 |x|**2/l + l |r|**2, coordinate by coordinate. For a replaced row A r = e2 x2 - e1 x1.
Source: Lecture 13 (smoothed sensitivity and median), sections 13.1.2 and 13.2.
Finding (misprint): The printed minimizer lacks lambda I: with one row (1, 1) it is 1, and the
    minimizer is 1/(1 + lambda).
Finding (gap): The bound 2 L/lambda_min is an upper bound on the local sensitivity, not its value,
    and L (undefined in print) must be taken at the neighbor's minimizer. The global sensitivity is
    unbounded for lambda = 0; for lambda > 0 and bounded rows it is finite, since lambda_min(A) >=
    lambda.
"""

from rdpacct.book.words import (
    Comparison, E, Expr, Fact, Falsehood, Iterator, Law, Real, Statement, Status, Step, Theorem,
    assume, at_most, by_prover, combine, equal, formula, integrable, linear, on_average, proves,
    real, specialize, symbols,
)  # fmt: skip

lam, low, n, d, e, e1, e2, L, h, t = symbols("lam l n d e e1 e2 L h t")
DATA = Law("P", ("F", "Y", "G"))
"""A row drawn at random: X theta, Y and X r there, so that n E_P[F G] is the inner product."""
SPACE = Law("C", ("T", "R", "X"))
"""A coordinate drawn at random: of theta, of r and of the new row, so that d E_C[X R] is x'r."""
PAIR = Law("C", ("T", "R", "X1", "X2"))
"""The same with the row that leaves and the row that comes."""
F, Y, G, T, R, X, X1, X2 = symbols("F Y G T R X X1 X2")
POSITIVE = ("l > 0", "d > 0")
ALONG, OLD, NEW = d * E(SPACE, X * R), d * E(PAIR, X1 * R), d * E(PAIR, X2 * R)
"""x'r, for the new row, the one that leaves and the one that comes."""


def inner(law: Law) -> Expr:
    """theta'r, but for the factor d."""
    return E(law, T * R)


def normal_equations(law: Law, *, moved: bool, rows: Expr) -> Comparison:
    """The gradient of the objective at theta (or theta + r), tested along r, is 0; ``rows`` is what
    further rows add.
    """
    fitted = F + G - Y if moved else F - Y
    theta = T + R if moved else T
    tested = n * E(DATA, fitted * G) + lam * d * E(law, theta * R)
    return equal(tested + rows, 0)


def eigenvalue(law: Law, *further: Expr) -> Comparison:
    """l |r|**2 <= r'A r, with A = X'X + lam I."""
    form = n * E(DATA, G**2) + lam * d * E(law, R**2)
    for row in further:
        form = form + row**2
    return at_most(low * d * E(law, R**2), form)


THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "minimizer",
            "F = X theta with (X'X + lam I) theta = X'Y minimizes the objective; G = X"
            " r is any change",
            claim=at_most(
                n * E(DATA, (F - Y) ** 2) + lam * d * E(SPACE, T**2),
                n * E(DATA, (F - Y + G) ** 2) + lam * d * E(SPACE, (T + R) ** 2),
            ),
            given=("lam >= 0", "n > 0", "d > 0"),
            assuming={
                "normal equations": assume(
                    normal_equations(SPACE, moved=False, rows=formula(0))
                ),
                "finite residuals": assume(at_most(0, E(DATA, (F - Y) ** 2))),
                "finite change": assume(at_most(0, E(DATA, G**2))),
                "finite theta": assume(at_most(0, E(SPACE, T**2))),
                "finite r": assume(at_most(0, E(SPACE, R**2))),
            },
        ),
        *(
            Statement(
                f"add-one, at theta{prime}",
                "l |r| <= |e| |x| for a new row x, whose residual at"
                f" theta{prime} is e",
                claim=at_most(low**2 * d * E(SPACE, R**2), e**2 * d * E(SPACE, X**2)),
                given=POSITIVE,
                assuming={
                    "at theta": assume(
                        normal_equations(SPACE, moved=False, rows=formula(0))
                    ),
                    "at theta'": assume(
                        normal_equations(SPACE, moved=True, rows=-residual * ALONG)
                    ),
                    "eigenvalue": assume(eigenvalue(SPACE)),
                    "length": assume(at_most(0, E(SPACE, X**2))),
                },
            )
            for prime, residual in (("'", e), ("", e - ALONG))
        ),
        Statement(
            "replace-one",
            "l |r| <= 2 L for a replaced row, where |e1| |x1| and |e2| |x2| are at most"
            " L, with the residuals at theta'",
            claim=at_most(low**2 * d * E(PAIR, R**2), (2 * L) ** 2),
            given=POSITIVE,
            assuming={
                "at theta": assume(
                    normal_equations(PAIR, moved=False, rows=-(e1 + OLD) * OLD)
                ),
                "at theta'": assume(normal_equations(PAIR, moved=True, rows=-e2 * NEW)),
                "eigenvalue": assume(eigenvalue(PAIR, OLD)),
                "old row": assume(at_most(e1**2 * d * E(PAIR, X1**2), L**2)),
                "new row": assume(at_most(e2**2 * d * E(PAIR, X2**2), L**2)),
            },
        ),
    ),
    sharp=(
        Statement(
            "one-dimension",
            "in one dimension r = e x/lam: the bound of an added row is attained",
            claim=equal(lam**2 * (e * X / lam) ** 2, e**2 * X**2),
            given=("lam > 0",),
            proof=by_prover("A is the number lam"),
        ),
    ),
)


def curvature(part: Statement, law: Law, form: Expr, *uses: tuple[Fact, Real]) -> Fact:
    """l |r|**2 <= form: the difference of the two normal equations is r'A r."""
    before, after, least = (
        part.assuming[name] for name in ("at theta", "at theta'", "eigenvalue")
    )
    fit = linear(
        DATA,
        (F + G - Y) * G,
        {(F - Y) * G: 1, G**2: 1},
        integrable(before, E(DATA, (F - Y) * G)),
        integrable(least, E(DATA, G**2)),
    )
    size = linear(
        law,
        (T + R) * R,
        {T * R: 1, R**2: 1},
        integrable(before, inner(law)),
        integrable(least, E(law, R**2)),
    )
    wanted = at_most(low * d * E(law, R**2), form)
    return combine(
        wanted, least, (after, 1), (before, -1), (fit, -n), (size, -lam * d), *uses
    )


@proves("add-one, at theta'", "add-one, at theta")
def added(part: Statement) -> Iterator[Step]:
    """Half of the curvature is spent on the square of the gradient."""
    square_ = specialize(real("0 <= v**2"), v=ALONG)
    uses = ((square_, 1),) if part.name == "add-one, at theta" else ()
    curved = curvature(part, SPACE, e * ALONG, *uses)
    yield curved, "the normal equations at theta and theta', subtracted"
    length = part.assuming["length"]
    young = real("e*X*R <= e**2*X**2/(2*l) + l*R**2/2", "l > 0")
    yield young, "the mean of two squares, coordinate by coordinate"
    over = on_average(young, SPACE, curved, length, where=("l > 0",))
    yield over, "summed over the coordinates"
    scaled = (curved, 2 * low), (over, 2 * low * d)
    half = combine(part.claim, *scaled, given=part.given)
    yield half, "and half of the curvature is left"


def square(
    part: Statement, law: Law, one: Expr, two: Expr, names: tuple[str, str]
) -> Fact:
    """E[(one + two)**2], with what is known to be finite."""
    bodies = dict(
        zip(("normal equations", *names), (one * two, one**2, two**2), strict=True)
    )
    finite = (
        integrable(part.assuming[name], E(law, body)) for name, body in bodies.items()
    )
    return linear(law, (one + two) ** 2, {one**2: 1, one * two: 2, two**2: 1}, *finite)


@proves("minimizer")
def minimal(part: Statement) -> Iterator[Step]:
    """The objective at theta + r is that at theta, plus twice what is 0, plus squares."""
    fit = square(part, DATA, F - Y, G, ("finite residuals", "finite change"))
    yield fit, "the squared residuals"
    size = square(part, SPACE, T, R, ("finite theta", "finite r"))
    yield size, "the squared length"
    normal, more, longer = (
        part.assuming[name]
        for name in ("normal equations", "finite change", "finite r")
    )
    final = combine(
        part.claim,
        (fit, -n),
        (size, -lam * d),
        (normal, -2),
        (more, n),
        (longer, lam * d),
        given=part.given,
    )
    yield final, "the mixed terms cancel by the normal equations, and squares are left"


@proves("replace-one")
def replaced(part: Statement) -> Iterator[Step]:
    """The same with the difference of two gradients."""
    curved = curvature(part, PAIR, e2 * NEW - e1 * OLD)
    yield curved, "the normal equations at theta and theta', subtracted"
    old, new = part.assuming["old row"], part.assuming["new row"]
    young = specialize(
        real("(a - b)*R <= (a**2 + b**2)/l + l*R**2/2", "l > 0"), a=e2 * X2, b=e1 * X1
    )
    yield young, "squares, coordinate by coordinate"
    over = on_average(young, PAIR, curved, old, new, where=("l > 0",))
    yield over, "summed over the coordinates"
    scaled = (curved, 2 * low), (over, 2 * low * d), (old, 2), (new, 2)
    bound = combine(part.claim, *scaled, given=part.given)
    yield bound, "the two gradients are at most L"


FALSEHOODS = (
    Falsehood(
        "the minimizer is (X'X)^-1 X'Y: one row (1, 1), theta = 1",
        at_most(lam, (t - 1) ** 2 + lam * t**2),
        ("lam > 0",),
    ),
    Falsehood(
        "without the ridge the sensitivity is bounded for bounded data: one row (h,"
        " 1), then (h, -1) too",
        at_most(1 / h, L),
        ("0 < h", "h <= 1", "L > 0"),
    ),
    Falsehood(
        "with the residual e at the old minimizer the bound e x/lam is the move"
        " itself, e x/(lam + x**2)",
        at_most(e * X / lam, e * X / (lam + X**2)),
        ("lam > 0", "e > 0", "X > 0"),
    ),
)
