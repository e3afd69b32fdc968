"""The privacy curve of a record that moves from one cell with noise to another.

Printed: not in the sources.
Proved: Let both cells have Laplace noise of scale 1, in units in which a record is s, and let alpha
    = 2 s. In one cell E max(0, 1 - exp(e - L)) is 1 - exp((e - s)/2), for -s <= e <= s. In both
    together, with losses L1 and L2 that are independent, it is 1 - (1 + c/4) exp(-c/2) for c =
    alpha - epsilon and 0 <= epsilon <= alpha, and 0 beyond. The pair is symmetric, as exchanging
    the data sets exchanges the cells, so this curve determines the law of the loss.
Idea: Given the first cell, what is left is the curve of the second one at epsilon - L1; integrate
    that over the first.
Source: Balle, Barthe and Gaboardi, Privacy amplification by subsampling, Theorem 3, for one cell.
"""

from rdpacct.book.words import (
    Attack, Condition, Density, E, Expr, Fact, Falsehood, Fraction, Iterator, LEFT, RIGHT, Random,
    Refused, Statement, Status, Step, Stretch, Symbol, Theorem, absolute, around, at_most,
    by_prover, combine, dominated, either, equal, exp, formula, fubini_one_by_one as one_by_one,
    given_by, independent_of, integrable, integrate, laplace_pair_LOSS as LOSS, laplace_pair_s as s,
    laplace_pair_x as x, marginal, maximum, on_pieces, parts_LOSS as PART, real, specialize,
    two_cells, two_cells_delta, under,
)  # fmt: skip

eps = Symbol("epsilon")
ZERO = formula(0)
MIDDLE = 2 * x - s
LOST = Symbol("l")
y = Symbol("other")
e = Symbol("e")
SECOND = Density(
    "P2", ("other",), (), (Stretch(None, None, exp(-absolute(y - s)) / 2),)
)
OTHER_LOSS = absolute(y) - absolute(y - s)
"""The output of the second cell, and its loss."""
LEFT_OF = exp(y - s) / 2
RIGHT_OF = exp(s - y) / 2
CURVE = maximum(0, 1 - exp((eps - LOSS - s) / 2))
"""What the second cell leaves of the excess over epsilon, once the loss in the first is known."""
FIRST = around(eps / 2)
BOTH = independent_of(FIRST, SECOND)
EXCESS = maximum(0, 1 - exp(eps - LOSS - OTHER_LOSS))


def _on(
    lower: Expr | None, upper: Expr | None, value: Expr, counts: bool, *given: str
) -> tuple[Fact, ...]:
    """The distance from s, and the excess of the loss over e, between two outputs of the second
    cell.
    """
    here: tuple[str | Condition, ...] = (
        *Stretch(lower, upper, formula(1)).where("other"),
        *given,
    )
    right = lower == s
    sides = {
        -s: ("other <= 0", "s > 0"),
        s: ("s <= other", "s > 0"),
        2 * y - s: ("0 <= other", "other <= s"),
    }
    loss = under(real(equal(OTHER_LOSS, value), *sides[value]), *here)
    size = y - s if right else s - y
    side = "s <= other" if right else "other <= s"
    distance = under(real(equal(absolute(y - s), size), side), *here)
    texts = ["max(0, 1 - exp(u)) == 0"]
    if counts:
        texts = ["max(0, 1 - exp(u)) == 1 - exp(u)", "0 <= 1 - exp(u)"]
    sign = "u <= 0" if counts else "u >= 0"
    body = [under(specialize(real(one, sign), u=e - value), *here) for one in texts]
    return loss, *body, distance


def one_cell(part: Statement) -> Iterator[Step]:
    """Only outputs to the right of z = (s + e)/2 count, if there are any."""
    claim = part.claim
    body = maximum(0, 1 - exp(e - OTHER_LOSS))
    near = (*map(str, part.given), "e <= s")
    cut = (s + e) / 2
    middle = 2 * y - s
    on = (
        _on(None, ZERO, -s, False, *near),
        _on(ZERO, cut, middle, False, *near),
        _on(cut, s, middle, True, *near),
        _on(s, None, s, True, *near),
    )
    found = (ZERO, ZERO, LEFT_OF + exp(e - y) / 2, -(1 - exp(e - s)) * RIGHT_OF)
    masses = (LEFT_OF, LEFT_OF, LEFT_OF, -RIGHT_OF)
    total = integrate(SECOND, body, found, masses, *near, cuts=(ZERO, cut, s), on=on)
    yield total, "the antiderivatives on the four pieces"
    value = real(equal(claim.right, 1 - exp((e - s) / 2)), *near)
    first = combine(claim, total, value)
    far = (*map(str, part.given), "s <= e")
    nowhere = (
        _on(None, ZERO, -s, False, *far),
        _on(ZERO, s, middle, False, *far),
        _on(s, None, s, False, *far),
    )
    three = (LEFT_OF, LEFT_OF, -RIGHT_OF)
    none = integrate(SECOND, body, (ZERO,) * 3, three, *far, cuts=(ZERO, s), on=nowhere)
    second = combine(claim, none, real(equal(claim.right, 0), *far))
    yield second, "no output counts beyond s"
    yield either(first, second), "together"


def both_cells(part: Statement) -> Iterator[Step]:
    """Only outputs of the first cell to the right of epsilon/2 leave the second one a chance."""
    given = tuple(map(str, part.given))
    on = on_pieces(
        FIRST,
        (eps - LOST - s) / 2,
        (-s, MIDDLE, MIDDLE, s),
        (False, False, True, True),
        *given,
    )
    found = (
        ZERO,
        ZERO,
        LEFT - x * exp(eps / 2 - s) / 2,
        -(1 - exp(eps / 2 - s)) * RIGHT,
    )
    total = integrate(FIRST, CURVE, found, (LEFT, LEFT, LEFT, -RIGHT), *given, on=on)
    yield total, "the antiderivatives on the four pieces"
    here = real(
        equal(
            two_cells_delta(2 * s, eps), 1 - (1 + (2 * s - eps) / 4) * exp(eps / 2 - s)
        ),
        *given,
    )
    value = combine(equal(E(FIRST, CURVE), two_cells_delta(2 * s, eps)), total, here)
    yield value, "added up"
    inner = specialize(ONE_CELL.fact(), e=eps - LOSS)
    triangle = real("abs(v + s) <= abs(v) + s", "s > 0")
    triangle = specialize(triangle, v=x - s)
    most = combine(
        at_most(-s, eps - LOSS),
        combine(at_most(LOSS, s), triangle),
        real("0 <= epsilon", "0 <= epsilon"),
    )
    inner = given_by(inner, most)
    yield inner, "given the first cell, the excess in the second"
    gap = eps - LOSS - OTHER_LOSS
    positive = specialize(real("0 <= max(0, 1 - exp(g))"), g=gap)
    bounded = dominated(specialize(real("abs(max(0, 1 - exp(g))) <= 1"), g=gap), BOTH)
    parted = one_by_one(BOTH, inner, positive, bounded)
    alone = marginal(BOTH, FIRST, CURVE, integrable(parted, E(BOTH, CURVE)))
    whole = combine(part.claim, parted, alone, value)
    yield under(whole, *part.given), "the cells are independent"


TOP, UPPER, AT_ZERO, LOWER, BOTTOM = two_cells(2 * s).parts
ABOVE = Density("U", ("loss",), (), (Stretch(eps, 2 * s, 1 / (2 * s - eps)),))
"""The losses above epsilon, evenly: means under it, times their length, are integrals."""
SHARE = UPPER.density * (1 - exp(eps - PART))  # type: ignore[attr-defined]


def shipped_parts(part: Statement) -> Iterator[Step]:
    """The integral of the shipped density over the losses above epsilon."""
    length = 2 * s - eps
    gap = 2 * s - PART
    found = exp(-gap / 2) * (Fraction(3, 4) + gap / 8) + exp(gap / 2 - length) * (
        Fraction(1, 4) + gap / 8
    )
    given = tuple(map(str, part.given))
    inside = ("epsilon <= loss", "loss <= 2*s", *given)
    factors = dict(zip("abcd", (length * SHARE).factors_of(), strict=True))
    sign = specialize(
        real("0 <= a*b*c*d", *(f"0 <= {name}" for name in factors)), **factors
    )
    sign = under(sign, *inside)
    total = integrate(
        ABOVE,
        length * SHARE,
        (found,),
        (PART / length,),
        *given,
        on=((sign,),),
    )
    yield total, "the losses between epsilon and the largest one"
    yield combine(part.claim, total, given=part.given), "and the largest one"


ONE_CELL = Statement(
    "one cell",
    "delta of one cell, for negative thresholds too",
    equal(
        E(SECOND, maximum(0, 1 - exp(e - OTHER_LOSS))),
        maximum(0, 1 - exp((e - s) / 2)),
    ),
    one_cell,
    ("s > 0", "-s <= e"),
)


def attack(seed: int) -> int:
    """The shipped law of the loss: its parts against the curve, at random thresholds."""
    rng = Random(seed)
    for _ in range(20):
        alpha = Fraction(rng.randint(1, 60), 20)
        epsilon = alpha * Fraction(rng.randint(0, 24), 20)
        derived = two_cells(formula(alpha)).derived().delta(epsilon)
        if not derived.overlaps(two_cells_delta(alpha, epsilon).bound()):
            raise Refused(
                f"at alpha = {alpha} the parts give delta({epsilon}) = {derived}."
            )
    return 20


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "a symmetric pair is determined by its delta at epsilon >= 0 (profile/exchange)",
    ),
    parts=(
        ONE_CELL,
        Statement(
            "both cells",
            "delta of both cells, whose noises are independent",
            equal(E(BOTH, EXCESS), two_cells_delta(2 * s, eps)),
            both_cells,
            ("s > 0", "0 <= epsilon", "epsilon <= 2*s"),
        ),
        Statement(
            "shipped parts",
            "the shipped parts have this delta: the excess of the largest loss, and of"
            " those between",
            equal(
                TOP.p * (1 - exp(eps - 2 * s))  # type: ignore[attr-defined]
                + E(ABOVE, (2 * s - eps) * SHARE),
                two_cells_delta(2 * s, eps),
            ),
            shipped_parts,
            ("epsilon < 2*s",),
        ),
        Statement(
            "symmetric",
            "and are symmetric: the density of -l is that of l, seen from the other side",
            equal(
                LOWER.density.at(loss=-PART),  # type: ignore[attr-defined]
                UPPER.density * exp(-PART),  # type: ignore[attr-defined]
            ),
            by_prover("by its form"),
        ),
        Statement(
            "symmetric ends",
            "as are the masses of the largest and of the smallest loss",
            equal(BOTTOM.p, TOP.q),  # type: ignore[attr-defined]
            by_prover("by their form"),
        ),
    ),
    sharp=(
        Statement(
            "pure",
            "at epsilon = alpha it is 0",
            equal(two_cells_delta(2 * s, 2 * s), 0),
            by_prover("the gap is 0"),
            ("s > 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "one cell of twice the shift is no worse",
            at_most(1 - exp((eps - 2 * s) / 2), two_cells_delta(2 * s, eps)),
            ("s > 0", "0 <= epsilon", "epsilon <= 2*s"),
        ),
    ),
    attacks=(Attack("the parts of the shipped loss against the curve", attack),),
    rules=(two_cells, two_cells_delta),
)
