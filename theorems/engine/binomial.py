"""The profile of repeated draws of two atoms.

Printed: not in the sources
Proved: A loss is x with probability p and y < x with probability r, and Q has the masses p exp(-x)
    and r exp(-y). In k draws with n lower atoms the loss is (k - n) x + n y. (1) The masses M(k, n)
    of n lower atoms in k draws, M(k + 1, n) = p M(k, n) + r M(k, n - 1), satisfy M(k, n + 1) = M(k,
    n) (r/p) (k - n)/(n + 1), by which the shipped function computes them; the same for Q. (2) Where
    exactly j values of the loss exceed eps, these are the j largest, and the profile is P_j -
    exp(eps) Q_j with their masses P_j and Q_j under P and Q: for two draws and every j with the
    shipped function, called with symbols. (3) exp(eps) = (P_j - delta)/Q_j inverts it, and an
    epsilon in that cell is the only one in it with this delta.
Idea: Pascal's rule, and the best test of eps.
Source: Kairouz, Oh and Viswanath (2015), for randomized responses.
"""

from rdpacct.book.words import (
    Any, Attack, BinomialCurve, E, Expr, Falsehood, Fraction, Iterator, Law, Quantity, Real,
    Refused, Statement, Status, Step, Symbol, Table, Theorem, Whole, assume, at_most, below,
    by_prover, cases, cast, comb, combine, dominated, equal, event, exp, expect, formula, formulas,
    induct, integrable, linear, log, maximum, placed, precision, random, raw_real as ball, read,
    real, relation, specialize, table, terms_replace as replace, under,
)  # fmt: skip

p, r, x, y, eps, k, n, P, Q, d, a, b = (
    Symbol(name)
    for name in ("p", "r", "x", "y", "eps", "k", "n", "P", "Q", "d", "a", "b")
)
j = Symbol("j")
L = Symbol("L")
high, low, upper, lower = formulas(x, y, p, 1 - p)
CURVE = BinomialCurve(2, (upper, high), (lower, low))
LOSSES = tuple(read(CURVE.loss(number)) for number in range(3))
TWICE = Table(
    "D",
    ("L",),
    (),
    tuple(
        zip(
            ((loss,) for loss in LOSSES),
            (p**2, 2 * p * (1 - p), (1 - p) ** 2),
            strict=True,
        )
    ),
)
CELLS = {
    1: (at_most(LOSSES[1], eps), below(eps, LOSSES[0])),
    2: (at_most(LOSSES[2], eps), below(eps, LOSSES[1])),
    3: (below(eps, LOSSES[2]),),
}


def mass(draws: Real, lower: Real) -> Expr:
    """The probability of so many lower atoms in so many draws."""
    return Quantity("M", (formula(draws), formula(lower)))


RATIO = equal(p * (n + 1) * mass(k, n + 1), r * (k - n) * mass(k, n))
PASCAL = {
    "no draw": assume(equal(n * mass(0, n), 0), every="n"),
    "one more draw": assume(
        equal(mass(k + 1, n), p * mass(k, n) + r * mass(k, n - 1)),
        Whole("k", 0),
        every=("k", "n"),
    ),
}
"""Without a draw there is no lower atom, and one more draw adds one with probability r."""


def recursion(part: Statement) -> Iterator[Step]:
    """Pascal's rule, draw after draw: both sides are p r (k + 1) M(k, n)."""
    none = part.assuming["no draw"]
    more = part.assuming["one more draw"]
    base = combine(replace(RATIO, {"k": 0}), (specialize(none, n=n + 1), p), (none, r))
    yield base, "without a draw both sides are 0"
    before = assume(RATIO, Whole("k", 0), every="n")
    here = specialize(before, n=n - 1)
    step = combine(
        replace(RATIO, {"k": k + 1}),
        (specialize(more, n=n + 1), p * (n + 1)),
        (more, -r * (k + 1 - n)),
        (before, p),
        (here, r),
    )
    yield step, "one more draw"
    whole = induct(base, step, "k")
    yield whole, "draw after draw"
    yield (
        combine(part.claim, (whole, 1 / ((n + 1) * p)), given=("0 < p", "0 <= n")),
        "divided",
    )


all_draws, lower_ones = formulas(k, n)
MANY = read(
    BinomialCurve(cast(Any, all_draws), (upper, high), (lower, low)).loss(
        cast(Any, lower_ones)
    )
)
"""The shipped loss with n lower atoms in k draws."""
ANY = Law("D", ("L",))
ABOVE = event(ANY, "A", below(eps, L))
A = Symbol("A")


def counted(part: Statement) -> Iterator[Step]:
    """A lower atom more has a smaller loss."""
    end = relation(str(part.given[-1]))
    order = real("0 <= (x - y)*d", "y < x", "d >= 0")
    steps = j - 1 - n if part.name == "counted" else n - j
    fewer = under(specialize(order, d=steps), "y < x", str(part.given[1]))
    yield fewer, "the losses fall"
    yield combine(part.claim, real(end, end), fewer), "so"


def line(part: Statement) -> Iterator[Step]:
    """At each loss, above eps or not."""
    body = maximum(0, 1 - exp(eps - L))
    same = cases(ABOVE, equal(body, A - exp(eps) * (A * exp(-L))))
    yield same, "above eps, and elsewhere"
    mass_p = dominated(
        cases(ABOVE, at_most(A, 1)), ABOVE, lower=cases(ABOVE, at_most(0, A))
    )
    mass_q = dominated(
        cases(ABOVE, at_most(A * exp(-L), exp(-eps))),
        ABOVE,
        lower=cases(ABOVE, at_most(0, A * exp(-L))),
    )
    parts = {A: formula(1), A * exp(-L): -exp(eps)}
    mean = linear(ABOVE, same.relation.right, parts, mass_p, mass_q)
    over = expect(same, ABOVE, integrable(mean, mean.relation.left))
    yield combine(part.claim, over, mean), "averaged"


def cell(part: Statement) -> Iterator[Step]:
    """The losses above eps count, and the others do not."""
    number = CELL_OF[part.name]
    mean = table(TWICE, maximum(0, 1 - exp(eps - L)), *part.given)
    yield mean, "two draws"
    yes = real("max(0, 1 - exp(v)) == 1 - exp(v)", "v < 0")
    no = real("max(0, 1 - exp(v)) == 0", "0 <= v")
    rows = [
        placed(yes if i < number else no, *part.given, v=eps - loss)
        for i, loss in enumerate(LOSSES)
    ]
    masses = [mass for _, mass in TWICE.rows]
    uses = [(row, mass) for row, mass in zip(rows, masses, strict=True)]
    yield combine(part.claim, (mean, 1), *uses), "the losses above eps"


CELL_OF = {f"two draws, {j} above": j for j in CELLS}


def two_draws(name: str) -> Statement:
    """The part for one cell of two draws."""
    above_p, above_q = (read(found) for found in CURVE.above(CELL_OF[name]))
    return Statement(
        name,
        f"two draws, where {CELL_OF[name]} of the three losses exceed eps",
        equal(E(TWICE, maximum(0, 1 - exp(eps - L))), above_p - exp(eps) * above_q),
        cell,
        ("0 < p", "p < 1", "y < x", *CELLS[CELL_OF[name]]),
    )


def draws(seed: int) -> int:
    """Random atoms and up to eight draws: the enclosure and the inversion against the sum over all
    draws, in balls.
    """
    rng = random.Random(seed)
    tried = 0
    with precision(160):
        for _ in range(40):
            share = Fraction(rng.randint(1, 29), 30)
            count = rng.randint(1, 8)
            loss = Fraction(rng.randint(-5, 40), 10)
            other = Fraction(rng.randint(-50, -6), 10)
            curve = BinomialCurve(
                count, (ball(share), ball(loss)), (ball(1 - share), ball(other))
            )
            at = rng.choice(
                (Fraction(rng.randint(-60, 200), 10), loss * (count - 1) + other)
            )
            exact = ball(0)
            for number in range(count + 1):
                mass = (
                    comb(count, number)
                    * share ** (count - number)
                    * (1 - share) ** number
                )
                excess = (
                    1
                    - (ball(at) - ball(loss * (count - number) + other * number)).exp()
                )
                exact += ball(mass) * excess.max(ball(0))
            if not curve.enclosure(ball(at)).overlaps(exact):
                raise Refused(
                    f"{count} draws of {share}, {loss}, {other} have delta {exact} at"
                    f" {at}."
                )
            found = curve.invert(exact) if exact > 0 else None
            if found is not None and not found.overlaps(ball(at)):
                raise Refused(
                    f"{count} draws of {share}, {loss}, {other} have epsilon {at}, not"
                    f" {found}."
                )
            tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "recursion",
            "the masses of any number of draws are those of the shipped recursion; so are"
            " those under Q, with p exp(-x) and r exp(-y) in the place of p and r",
            equal(mass(k, n + 1), mass(k, n) * ((r / p) * ((k - n) / (n + 1)))),
            recursion,
            ("0 < p", "0 <= n", Whole("k", 0)),
            PASCAL,
        ),
        Statement(
            "line",
            "the profile of any law is the mass under P above eps, less exp(eps) times"
            " that under Q",
            equal(
                E(ABOVE, maximum(0, 1 - exp(eps - L))),
                E(ABOVE, A) - exp(eps) * E(ABOVE, A * exp(-L)),
            ),
            line,
        ),
        Statement(
            "counted",
            "where the loss of j - 1 lower atoms exceeds eps, so do those of fewer",
            below(eps, MANY),
            counted,
            ("y < x", "n <= j - 1", below(eps, MANY.at(n=j - 1))),
        ),
        Statement(
            "not counted",
            "where that of j does not, neither do those of more",
            at_most(MANY, eps),
            counted,
            ("y < x", "j <= n", at_most(MANY.at(n=j), eps)),
        ),
        *map(two_draws, CELL_OF),
        Statement(
            "inverse",
            "the epsilon of a cell has this delta",
            equal(P - exp(log((P - d) / Q)) * Q, d),
            by_prover("exp and log are inverse"),
            ("0 < Q", "d < P"),
        ),
        Statement(
            "only one",
            "in a cell, a larger epsilon has a smaller delta",
            below(P - exp(b) * Q, P - exp(a) * Q),
            by_prover("Q is positive"),
            ("0 < Q", "a < b"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "with two draws the line of the largest loss alone holds for every eps",
            equal(
                p**2 * (1 - exp(eps - 2 * x)),
                p**2 * (1 - exp(eps - 2 * x))
                + 2 * p * (1 - p) * (1 - exp(eps - x - y)),
            ),
            ("0 < p", "p < 1", "y < x", "eps < x + y"),
        ),
    ),
    attacks=(Attack("random atoms and up to eight draws, in balls", draws),),
    rules=(BinomialCurve.above,),
)
