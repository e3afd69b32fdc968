"""The nodes of a quadrature that are left out.

Printed: not in the sources
Proved: Let z = t + i theta at theta = (N + n) D, n = 0, 1, ..., the nodes beyond the last one, at
    (N - 1) D. Let X(n) + i Y(n) be the transform there relative to M(t), turned by exp(-i theta
    eps), and of modulus at most B. Such a node contributes (D/pi) Re (X + i Y)/(z (z + 1)), twice
    its real part, to the sums of engine/quadrature. The sum of the first n of them lies between
    -B/(pi (N - 1) D) and B/(pi (N - 1) D), for every n: the shipped bound, called with symbols. To
    turn a number does not change its modulus.
Idea: |z (z + 1)| >= theta**2, and 1/k**2 <= 1/(k - 1) - 1/k.
Source: This package.
"""

from rdpacct.book.words import (
    Attack, Condition, Expr, Fact, Falsehood, Fraction, Iterator, PI, Quantity, Real, Refused,
    Statement, Status, Step, Symbol, Theorem, Whole, assume, at_most, by_prover, by_steps, combine,
    complex_of, cos, discharge, equal, error, formulas, placed, random, raw_pi as pi,
    raw_real as ball, read, real, series_n as n, series_sums as sums, sin, total, truncation,
)  # fmt: skip

t, theta, B, D, N, u, v, w, k = (
    Symbol(name) for name in ("t", "theta", "B", "D", "N", "u", "v", "w", "k")
)
X, Y = (Quantity(name, (n,)) for name in ("X", "Y"))
SQUARE = t * (t + 1) - theta**2
SLANT = (2 * t + 1) * theta
before = Symbol("before")
after = Symbol("after")
MODULUS = at_most(u**2 + v**2, B**2)
POSITIVE = ("0 < B", "0 < D", "1 < N")


def node(sign: int) -> Expr:
    """The real part of (u + i v)/(z (z + 1)), or its opposite."""
    return sign * (SQUARE * u + SLANT * v) / (SQUARE**2 + SLANT**2)


def one_node(sign: int) -> Fact:
    """The real part of (u + i v)/(z (z + 1)) is at most B/theta**2 in size."""
    where = ("0 < B", "0 < theta")
    square = real("2*x*y <= k*x**2 + y**2/k", "0 < k")
    halves = [
        placed(square, *where, x=x, y=sign * y, k=theta**2 / B)
        for x, y in ((u, SQUARE), (v, SLANT))
    ]
    large = real(at_most(theta**4, SQUARE**2 + SLANT**2), "0 < theta")
    half = Fraction(1, 2)
    ratio = B / (2 * theta**2)
    sum_ = combine(
        at_most(sign * (SQUARE * u + SLANT * v), B * (SQUARE**2 + SLANT**2) / theta**2),
        *((one, half) for one in halves),
        (assume(MODULUS), theta**2 / (2 * B)),
        (large, ratio),
    )
    return combine(
        at_most(node(sign), B / theta**2), (sum_, 1 / (SQUARE**2 + SLANT**2))
    )


def left_out(
    sign: int,
    sum_: Expr,
    start: Fact,
    one_more: Fact,
    modulus: Fact,
    *order: str | Condition,
    **values: Real,
) -> Iterator[Step]:
    """A sum that begins at 0 and grows by the nodes from N on, whose relative values u + i v have
    modulus at most B.
    """
    grown = assume(equal(after, before + D / PI * node(sign)))
    bound = combine(
        at_most(after, before + D / PI * B / theta**2),
        grown,
        (one_node(sign), D / PI),
        given=("0 < D",),
    )
    further = sum_.at(n=n + 1)
    place = {"theta": (N + n) * D, "after": further, "before": sum_, **values}
    moved = discharge(placed(bound, *order, Whole("n", 0), **place), one_more, modulus)
    yield moved, "|z (z + 1)| >= theta**2"
    fixed = {key: value for key, value in values.items() if key in ("B", "D", "N")}
    limit = (B / (PI * D) * (1 / (N - 1) - 1 / (N + n - 1))).at(**fixed)
    gap = (B / (PI * D) * (1 / (N + n - 1) - 1 / (N + n) - 1 / (N + n) ** 2)).at(
        **fixed
    )
    step = combine(
        at_most(further, sum_ + limit.at(n=n + 1) - limit),
        moved,
        rest=gap,
    )
    yield step, "1/k**2 <= 1/(k - 1) - 1/k"
    summed = by_steps(start, step, sum_, limit, *order)
    yield summed, "by induction"
    rest = (B / (PI * D * (N + n - 1))).at(**fixed)
    yield (
        combine(at_most(sum_, LEFT.at(**fixed)), summed, rest=rest),
        "and what is left is positive",
    )


def beyond(part: Statement) -> Iterator[Step]:
    """Node by node, and by telescoping."""
    *order, _ = part.given
    yield from left_out(
        SIGNS[part.name],
        total(part.name[0].upper()),
        part.assuming["nothing"],
        part.assuming["one more"],
        part.assuming["modulus"],
        *order,
        u=X,
        v=Y,
    )


SIGNS = {"upper": 1, "lower": -1}
LEFT = read(truncation(*formulas(B, D * (N - 1))))


def side(name: str) -> Statement:
    """The part for one sign of the sum."""
    term = D / PI * node(SIGNS[name]).at(theta=(N + n) * D, u=X, v=Y)
    return Statement(
        name,
        f"the nodes left out, however many, add up to at most B/(pi last), {name} side",
        at_most(total(name[0].upper()), LEFT),
        beyond,
        (*POSITIVE, Whole("n", 0)),
        {
            **sums(name[0].upper(), term),
            "modulus": assume(at_most(X**2 + Y**2, B**2), Whole("n", 0), every="n"),
        },
    )


def point_losses(seed: int) -> int:
    """A loss that is always the same, whose transform does not decay: three hundred nodes against
    the bound.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(20):
        tilt, step, shift = (ball(Fraction(rng.randint(1, 60), 10)) for _ in range(3))
        first = rng.randint(2, 9)
        found = ball(0)
        for m in range(first, first + 300):
            z = complex_of(tilt, step * m)
            found += (step / pi()) * (
                complex_of((step * m * shift).cos(), (step * m * shift).sin())
                / (z * (z + 1))
            ).real
        if not error(truncation(ball(1), step * (first - 1))).contains(found):
            raise Refused(
                f"the nodes from {first} on add up to {found} at the tilt {tilt} and"
                f" the step {step}."
            )
        tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        side("upper"),
        side("lower"),
        Statement(
            "turned",
            "to turn a complex number u + i v by an angle does not change its modulus",
            equal(
                (u * cos(w) + v * sin(w)) ** 2 + (v * cos(w) - u * sin(w)) ** 2,
                u**2 + v**2,
            ),
            by_prover("cos**2 + sin**2 = 1"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the first node that is left out can stand in the place of the last one"
            " that is not",
            at_most(1 / k**2, 1 / k - 1 / (k + 1)),
            ("2 <= k",),
        ),
    ),
    attacks=(
        Attack(
            "three hundred nodes of losses that are always the same, in balls",
            point_losses,
        ),
    ),
    rules=(truncation,),
)
