"""The profile of repeated draws of two atoms.

Printed: not in the sources
Proved: A loss is x with probability p and y < x with probability r, and Q has the masses p exp(-x)
    and r exp(-y). In k draws with n lower atoms the loss is (k - n) x + n y. (1) If the masses of k
    draws satisfy M(n + 1) = M(n) (r/p) (k - n)/(n + 1), so do those of k + 1 draws; the same for Q.
    (2) Where exactly j values of the loss exceed eps, the profile is P_j - exp(eps) Q_j, with the
    masses P_j and Q_j of the j largest losses: for two draws and every j with the shipped function,
    called with symbols; for any law by engine/event-probabilities. (3) exp(eps) = (P_j - delta)/Q_j
    inverts it, and an epsilon in that cell is the only one in it with this delta.
Idea: Pascal's rule, and the best test of eps.
Source: Kairouz, Oh and Viswanath (2015), for randomized responses.
"""

from rdpacct.book.words import (
    Attack, BinomialCurve, E, Falsehood, Fraction, Iterator, Refused, Statement, Status, Step,
    Symbol, Table, Theorem, assume, at_most, below, by_prover, comb, combine, equal, exp, formulas,
    log, maximum, placed, precision, random, raw_real as ball, read, real, table,
)  # fmt: skip

p, r, x, y, eps, k, n, P, Q, d, a, b = (
    Symbol(name)
    for name in ("p", "r", "x", "y", "eps", "k", "n", "P", "Q", "d", "a", "b")
)
BEFORE, HERE, AFTER = (Symbol(name) for name in ("m0", "m1", "m2"))
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


def one_more(part: Statement) -> Iterator[Step]:
    """Pascal's rule: the mass of n lower atoms among k + 1 is p M(n) + r M(n - 1)."""
    first = part.assuming["before"]
    second = part.assuming["after"]
    ring = combine(
        equal(
            (p * AFTER + r * HERE) * (n + 1) * p,
            (p * HERE + r * BEFORE) * (k + 1 - n) * r,
        ),
        (first, r * n * p),
        (second, p * (n + 1) * p),
        given=part.given,
    )
    yield ring, "both are p r (k + 1) M(n)"
    yield combine(part.claim, (ring, 1 / ((n + 1) * p))), "divided"


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
            "one more draw",
            "the ratio of the masses of n + 1 and n lower atoms, for one more draw",
            equal(
                p * AFTER + r * HERE,
                (p * HERE + r * BEFORE) * (r / p) * ((k + 1 - n) / (n + 1)),
            ),
            one_more,
            ("0 < p", "0 < n"),
            {
                "before": assume(equal(HERE, BEFORE * (r / p) * ((k - n + 1) / n))),
                "after": assume(equal(AFTER, HERE * (r / p) * ((k - n) / (n + 1)))),
            },
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
    in_words=(
        (
            "by induction on the draws, from `one more draw`, the masses are those of"
            " the shipped recursion; for Q with p exp(-x) and r exp(-y) in the place of"
            " p and r"
        ),
        (
            "for more than two draws the line of a cell is `under P` of"
            " engine/event-probabilities"
        ),
    ),
    rules=(BinomialCurve.above,),
)
