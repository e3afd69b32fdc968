"""The losses of Hadamard response: epsilon, -epsilon and 0, the last half of the time.

Printed: not in the sources.
Proved: Let X and Y be the entries, 1 or -1, of two rows of a Hadamard matrix at an output that is
    drawn uniformly. A row but the first is 1 as often as -1, so that E X = E Y = 0, and so is the
    product of two different ones, so that E[X Y] = 0. Of the outputs on the value of the first row,
    whose density is 1 + X tanh(eps/2), the rows agree on half, and where they do not the density is
    e**eps or e**-eps times that on the other value.
Idea: A row has the sign (-1)**(y_i) times one that does not depend on the bit y_i, for some i;
    three means that are 0 settle the rest.
Source: Acharya, Sun and Zhang, Hadamard response (2019), Section 4.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Statement, Status, Step, Symbol, Table, Theorem, absolute,
    agreement, assume, at_most, by_prover, combine, dominated, equal, example, exp, expect, formula,
    independent, independent_of, integrable, linear, proves, real, relations, symbols, table, tanh,
    third_row,
)  # fmt: skip

eps = Symbol("epsilon")
X, Y, W, B, K = symbols("X Y W B K")
U = Law("U", ("X", "Y"), relations("X**2 == 1", "Y**2 == 1"))
"""The two rows at an output that is drawn uniformly."""
SHIFT = tanh(eps / 2)
DENSITY = 1 + SHIFT * X
THIRD = (1 + SHIFT * X * Y) * (1 + X) * (1 - Y) / 4
ZEROS = {
    "first row": assume(equal(E(U, X), 0)),
    "second row": assume(equal(E(U, Y), 0)),
    "their product": assume(equal(E(U, X * Y), 0)),
}
REST = Law("R", ("W",), relations("-1 <= W", "W <= 1"))
COIN = Table("C", ("B",), (), tuple(((formula(b),), formula(1) / 2) for b in (0, 1)))
BOTH = independent_of(REST, COIN)
EVEN = example(
    {"epsilon": 1, "K": 4}, {"U": [((x, y), "1/4") for x in (1, -1) for y in (1, -1)]}
)

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "row",
            "a sign that turns with a fair bit has mean 0, whatever else it depends on",
            equal(E(BOTH, W * (1 - 2 * B)), 0),
        ),
        Statement(
            "neutral",
            "the rows agree at an output of the first value with the shipped probability",
            equal(E(U, DENSITY * (1 + X * Y) / 2), agreement(K)),
            given=("K > 0",),
            assuming=ZEROS,
            witness=EVEN,
        ),
        Statement(
            "density",
            "the densities of an output of the first value are a law",
            equal(E(U, DENSITY), 1),
            assuming={"first row": ZEROS["first row"]},
            witness=EVEN,
        ),
        Statement(
            "third value",
            "on the value whose row is the product, the first row is 1 and the second -1 with the"
            " shipped probability",
            equal(E(U, THIRD), third_row(eps)),
            assuming=ZEROS,
            witness=EVEN,
        ),
        Statement(
            "telling",
            "where the rows differ, one density is e**eps times the other",
            equal(1 + SHIFT, exp(eps) * (1 - SHIFT)),
            by_prover("the hyperbolic tangent by exponentials"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "without the product of the rows, here of a row with itself, they agree half of the"
            " time",
            equal(E(U, DENSITY * (1 + X * Y) / 2), agreement(K)),
            ("K > 0",),
            assuming={name: ZEROS[name] for name in ("first row", "second row")},
            instance=example(
                {"epsilon": 1, "K": 4}, {"U": [((1, 1), "1/2"), ((-1, -1), "1/2")]}
            ),
        ),
    ),
    in_words=(
        "Row u of the matrix at y is (-1) to the number of bits that u and y share, so that the"
        " product of two rows is the row of their exclusive or; a row but the first turns its"
        " sign with some bit of y, and y has independent fair bits.",
    ),
    rules=(agreement, third_row),
)


@proves("row")
def row(part: Statement) -> Iterator[Step]:
    """Independent, and the bit has mean one half."""
    size = dominated(real(at_most(absolute(W), 1), *REST.support), REST)
    turned = table(COIN, 1 - 2 * B)
    yield turned, "a fair bit"
    both = independent(
        BOTH, W, 1 - 2 * B, size, integrable(turned, turned.relation.left)
    )
    yield both, "independent of the rest"
    yield combine(part.claim, both, (turned, E(REST, W))), "which is 0"


@proves("density")
def density(part: Statement) -> Iterator[Step]:
    """Linear in the row."""
    zero = part.assuming["first row"]
    mean = linear(U, DENSITY, {X: SHIFT}, integrable(zero, E(U, X)), constant=1)
    yield combine(part.claim, mean, (zero, SHIFT)), "its mean is 0"


@proves("neutral")
def neutral(part: Statement) -> Iterator[Step]:
    """Linear in the two rows and their product, as X**2 is 1."""
    known = part.assuming
    finite = [integrable(one, one.relation.left) for one in known.values()]
    half = formula(1) / 2
    parts = {X: half * SHIFT, Y: half * SHIFT, X * Y: half}
    plain = half + sum((factor * one for one, factor in parts.items()), formula(0))
    square = real("X**2 == 1", "X**2 == 1")
    line = combine(equal(DENSITY * (1 + X * Y) / 2, plain), (square, half * SHIFT * Y))
    yield line, "X**2 is 1"
    mean = linear(U, plain, parts, *finite, constant=half)
    over = expect(line, U, integrable(mean, E(U, plain)))
    uses = list(zip(known.values(), parts.values(), strict=True))
    yield combine(part.claim, over, mean, *uses, given=part.given), "three means are 0"


@proves("third value")
def third_value(part: Statement) -> Iterator[Step]:
    """Linear in the two rows and their product, as their squares are 1."""
    known = part.assuming
    finite = [integrable(one, one.relation.left) for one in known.values()]
    fourth = formula(1) / 4
    shift = fourth * (1 - SHIFT)
    parts = {X: shift, Y: -shift, X * Y: -shift}
    plain = shift + sum((factor * one for one, factor in parts.items()), formula(0))
    squares = [real(f"{name}**2 == 1", f"{name}**2 == 1") for name in ("X", "Y")]
    uses = (
        (squares[0], fourth * SHIFT * Y * (1 - Y)),
        (squares[1], -fourth * SHIFT * X - fourth * SHIFT),
    )
    line = combine(equal(THIRD, plain), *uses)
    yield line, "X**2 and Y**2 are 1"
    mean = linear(U, plain, parts, *finite, constant=shift)
    over = expect(line, U, integrable(mean, E(U, plain)))
    yield over, "in the mean"
    same = real(equal(shift, third_row(eps)))
    zeros = list(zip(known.values(), parts.values(), strict=True))
    yield combine(part.claim, over, mean, same, *zeros), "three means are 0"
