"""A density of three steps, 1, k, 1 on [-1, 0), [0, N), [N, N + 1), against itself shifted, shrunk
and widened.

Densities are in units of B = 1/(2 + k N). Both are constant on stretches of the line: a point is a
stretch, with a probability in proportion to its length, and a uniform point of it.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import ONE, ZERO, Expr, Real, Symbol, add, formula
from rdpacct.proof.kernel import (
    Density,
    E,
    Fact,
    Quantity,
    Stretch,
    Table,
    assume,
    at_most,
    combine,
    dominated,
    equal,
    expect,
    independent_of,
    integrable,
    linear,
    marginal,
    real,
    relations,
    specialize,
    table,
)
from rdpacct.proof.theorem import Statement, Step

k = Symbol("k")
N = Symbol("N")
r = Symbol("r")
T, at, wide, p, q, e, u = map(Symbol, ("T", "at", "wide", "p", "q", "e", "u"))
D = Symbol("D")
SPOT = Density("U", ("u",), relations("0 <= u", "u <= 1"), (Stretch(ZERO, ONE, ONE),))
"""A point of a stretch: u is uniform on [0, 1]."""
ENOUGH = ("1 <= N", "1 + 3/N < k")
HALF_DELTA = (N + 2) / (N + 1)
"""delta/2, in units of B."""


def inside(place: Real) -> Expr:
    """The indicator of the set at a point."""
    return Quantity("T", (formula(place),))


StepCell = tuple[Real, Real, Real, Real, Real]
"""A stretch on which both densities are constant: its lower end and length, the densities in units
of B, and what the first exceeds k times the second by.
"""


def stretches(*cells: StepCell) -> Table:
    """One of the stretches, with a probability in proportion to its length."""
    total = add(*(length for _, length, *_ in cells))
    rows = tuple((tuple(map(formula, cell)), cell[1] / total) for cell in cells)
    support = relations("0 <= e", "0 <= p", "0 <= q", "p <= k*q + e")
    return Table("C", ("at", "wide", "p", "q", "e"), support, rows)


MOVED: dict[str, tuple[Table, tuple[str, ...]]] = {
    "shifted": (
        stretches(
            (-1, D, 1, 0, 1),
            (-1 + D, 1 - D, 1, 1, 0),
            (0, D, k, 1, 0),
            (D, N - D, k, k, 0),
            (N, D, 1, k, 0),
            (N + D, 1 - D, 1, 1, 0),
            (N + 1, D, 0, 1, 0),
        ),
        ("0 <= D", "D <= 1"),
    ),
    "shifted back": (
        stretches(
            (-1 - D, D, 0, 1, 0),
            (-1, 1 - D, 1, 1, 0),
            (-D, D, 1, k, 0),
            (0, N - D, k, k, 0),
            (N - D, D, k, 1, 0),
            (N, 1 - D, 1, 1, 0),
            (N + 1 - D, D, 1, 0, 1),
        ),
        ("0 <= D", "D <= 1"),
    ),
    "shrunk": (
        stretches(
            (-1, 1 - r, 1, 0, 1),
            (-r, r, 1, 1 / r, 0),
            (0, r * N, k, k / r, 0),
            (r * N, N - r * N, k, 1 / r, 0),
            (N, r * (N + 1) - N, 1, 1 / r, 0),
            (r * (N + 1), (1 - r) * (N + 1), 1, 0, 1),
        ),
        ("N/(N + 1) <= r", "r <= 1"),
    ),
    "widened": (
        stretches(
            (-r, r - 1, 0, 1 / r, 0),
            (-1, 1, 1, 1 / r, 0),
            (0, N, k, k / r, 0),
            (N, r * N - N, 1, k / r, 0),
            (r * N, N + 1 - r * N, 1, 1 / r, 0),
            (N + 1, (r - 1) * (N + 1), 0, 1 / r, 0),
        ),
        ("1 <= r", "r <= (N + 1)/N"),
    ),
}
"""The density of steps 1, k, 1 on [-1, 0), [0, N), [N, N + 1), and that of the noise as it is moved
by D, by -D, or to r Z.
"""
SET = {
    "at least 0": assume(at_most(0, inside(T)), every="T"),
    "at most 1": assume(at_most(inside(T), 1), every="T"),
}


def length(law: Table) -> Expr:
    """The length of all stretches."""
    return add(*(point[1] for point, _ in law.rows))


def admissible(name: str) -> Statement:
    """The step density against itself, for every set."""
    law, where = MOVED[name]
    given = (*ENOUGH, *where)
    line = independent_of(law, SPOT)
    spot = inside(at + wide * u)
    total = length(law)

    def proof(part: Statement) -> Iterator[Step]:
        low, high = (
            specialize(part.assuming[key], T=at + wide * u)
            for key in ("at least 0", "at most 1")
        )
        excess = real("p <= k*q + e", "p <= k*q + e")
        rest = real("0 <= e", "0 <= e")
        point = combine(
            at_most(p * spot, k * (q * spot) + e),
            (excess, spot),
            (high, e),
            (low, 0),
            (rest, 0),
        )
        yield point, "at each point of the line"
        finite = dict[Expr, Fact]()
        for density in (p, q):
            mass = table(law, density, *given)
            whole = combine(equal(total * E(law, density), 2 + k * N), (mass, total))
            yield whole, f"{density} has the mass 1/B"
            sign = real(at_most(0, density), at_most(0, density))
            own = marginal(
                line, law, density, integrable(mass, E(law, density)), *given
            )
            finite[density] = dominated(
                combine(at_most(density * spot, density), (high, density), (sign, 0)),
                line,
                integrable(own, E(line, density)),
                lower=combine(at_most(0, density * spot), (low, density), (sign, 0)),
            )
        extra = table(law, e, *given)
        own = marginal(line, law, e, integrable(extra, E(law, e)), *given)
        right = point.relation.right
        split = linear(
            line, right, {q * spot: k, e: 1}, finite[q], integrable(own, E(line, e))
        )
        over = expect(point, line, finite[p], integrable(split, E(line, right)))
        yield over, "averaged over the stretches and their points"
        yield extra, "what the stretches without the second density hold"
        room = real(at_most(total * extra.relation.right, HALF_DELTA), *given)
        uses = ((over, total), (split, total), (own, total), (extra, total), room)
        yield combine(part.claim, *uses, given=given), "which is at most delta/2"

    return Statement(
        name,
        f"the density of steps 1, k, 1 against itself, {name}, for every set: at most k"
        " times as much, and delta/2",
        at_most(
            total * E(line, p * spot), k * (total * E(line, q * spot)) + HALF_DELTA
        ),
        proof,
        given,
        SET,
    )
