"""Atoms at dots whose profile is the polygon through the dots: their sums telescope.

Dots have places g and heights h, and are numbered from the last one on, which has the number 0.
"""

from collections.abc import Callable, Iterator, Sequence

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.kernel import (
    Fact,
    Quantity,
    Whole,
    assume,
    below,
    combine,
    equal,
    given_by,
    induct,
    real,
    specialize,
    under,
)
from rdpacct.proof.theorem import Statement, Step

Connect = Callable[[Sequence[tuple[Expr, Expr]]], list[tuple[Expr, Expr]]]
"""From dots to the masses under P and Q of an atom at each."""
x = Symbol("x")
m = Symbol("m")


def dot(name: str, number: Real) -> Expr:
    """A quantity of a dot, by its number from the last one on, which has the number 0."""
    return Quantity(name, (formula(number),))


def slope(g: Expr, h: Expr, g_before: Expr, h_before: Expr) -> Expr:
    """The slope from one dot to another one before it."""
    return (h - h_before) / (g - g_before)


def line_at(number: Real) -> Expr:
    """The line through a dot and the one before it, at x."""
    before = formula(number) + 1
    rise = slope(dot("g", number), dot("h", number), dot("g", before), dot("h", before))
    return dot("h", number) + rise * (x - dot("g", number))


THREE_DOTS = {
    f"{name}{i}": dot(name, m + i) for name in ("g", "h") for i in range(3)
} | {f"F{i}": dot("F", m + i) for i in range(2)}


def next_line(connect: Connect) -> Fact:
    """One atom more turns the line of two dots into that of the next two, for numbers in the place
    of the quantities.
    """
    g0, g1, g2, h0, h1, h2, f0, f1 = map(Symbol, THREE_DOTS)
    (_, _), (p_next, q_next), (_, _) = connect([(g2, h2), (g1, h1), (g0, h0)])
    where = ("g1 < g0", "g2 < g1")
    line = equal(f0, h0 + slope(g0, h0, g1, h1) * (x - g0))
    atom = equal(f1, f0 + p_next - x * q_next)
    known = [
        under(real(relation, relation, *where), relation, *where)
        for relation in (line, atom)
    ]
    rise = equal(slope(g0, h0, g1, h1) * (g0 - g1), h0 - h1)
    return combine(
        equal(f1, h1 + slope(g1, h1, g2, h2) * (x - g1)),
        *known,
        (real(rise, *where), -1),
    )


LAST_DOTS = ("g0", "g1", "h0", "h1", "F0")


def last_line(connect: Connect) -> Fact:
    """The same for the last atom and the mass at infinity."""
    g0, g1, h0, h1, f0 = map(Symbol, LAST_DOTS)
    _, (p_last, q_last) = connect([(g1, h1), (g0, h0)])
    atom = equal(f0, h0 + p_last - x * q_last)
    return combine(
        equal(f0, h0 + slope(g0, h0, g1, h1) * (x - g0)),
        under(real(atom, atom, "g1 < g0"), atom, "g1 < g0"),
    )


def telescoped(connect: Connect) -> Statement:
    """The atoms that a function puts at dots, where those at a dot hang on its neighbors only."""
    middle = connect([(dot("g", m + i), dot("h", m + i)) for i in (2, 1, 0)])[1]
    last = connect([(dot("g", i), dot("h", i)) for i in (1, 0)])[1]

    def proof(part: Statement) -> Iterator[Step]:
        so_far = assume(equal(dot("F", m), line_at(m)))
        order = part.assuming["order"]
        atom = part.assuming["next atom"]
        generic = next_line(connect)
        yield generic, "the difference of slopes turns one line into the next"
        step = given_by(
            specialize(generic, **THREE_DOTS),
            so_far,
            atom,
            order,
            specialize(order, m=m + 1),
        )
        last = {name: value.at(m=0) for name, value in THREE_DOTS.items()}
        base = given_by(
            specialize(last_line(connect), **{name: last[name] for name in LAST_DOTS}),
            part.assuming["last atom"],
            specialize(order, m=0),
        )
        yield base, "the last atom, beyond which the slope is 0"
        yield induct(base, step, "m"), "dot after dot"

    return Statement(
        "polygon",
        "the atoms from the last dot to dot m add up to the line from it to the"
        " one before, at every x; F(m) is their sum",
        equal(dot("F", m), line_at(m)),
        proof,
        (Whole("m", 0),),
        {
            "order": assume(below(dot("g", m + 1), dot("g", m)), every="m"),
            "last atom": assume(
                equal(dot("F", 0), dot("h", 0) + last[0] - x * last[1])
            ),
            "next atom": assume(
                equal(dot("F", m + 1), dot("F", m) + middle[0] - x * middle[1]),
                every="m",
            ),
        },
    )
