"""The shapes in which a side condition may be proved: real claims, each of which implies it."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from rdpacct.exact.formula import Apply, Expr, Power, Rational, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.terms import conditions, replace


class Shape(NamedTuple):
    """A claim that implies a side condition, and what it is given."""

    claim: Comparison
    given: tuple[Comparison, ...]

    @property
    def text(self) -> dict[str, object]:
        """As the claim of a certificate says it."""
        return {"given": list(map(str, self.given)), "conclusion": str(self.claim)}


def identities(claim: Comparison, known: list[Comparison]) -> Iterator[Shape]:
    """An equation with its corners and inverses as variables, given only what bounds single
    variables of it.
    """
    if claim.sign != "==":
        return
    for smooth in dict.fromkeys(
        _without_corners(claim, inverses) for inverses in (False, True)
    ):
        near = [
            relation
            for relation in known
            if relation.symbols() <= smooth.symbols() and len(relation.symbols()) == 1
        ]
        yield Shape(smooth, tuple(_needed(smooth, near)))
        yield Shape(smooth, tuple(near))


def on_boxes(claim: Comparison, known: list[Comparison]) -> Iterator[Shape]:
    """The claim as it stands, then with variables that others bound replaced: x in [a, b] is a + (b
    - a) s.
    """
    for relations in dict.fromkeys((tuple(known), tuple(_chained(known)))):
        yield Shape(
            claim,
            tuple(
                relation
                for relation in relations
                if relation.symbols() <= claim.symbols()
            ),
        )
    moved = claim, known
    for name in sorted(claim.symbols()):
        moved = _on_interval(*moved, name)
    if moved[0] != claim:
        yield Shape(
            moved[0],
            tuple(
                relation
                for relation in moved[1]
                if relation.symbols() <= moved[0].symbols()
            ),
        )


def _needed(claim: Comparison, known: list[Comparison]) -> list[Comparison]:
    """The relations that decide where an equation is defined; an identity needs no others."""
    parts = [part for side in (claim.left, claim.right) for part, _ in conditions(side)]
    names = frozenset[str]().union(*(part.symbols() for part in parts))
    return [relation for relation in known if relation.symbols() & names]


def _without_corners(claim: Comparison, inverses: bool) -> Comparison:
    """The relation with each abs, min and max, and inverse, as a variable; an identity may hold
    whatever they are.
    """
    names: dict[Expr, str] = {}

    def walk(expr: Expr) -> Expr:
        corner = isinstance(expr, Apply) and expr.function in ("abs", "min", "max")
        inverse = (
            isinstance(expr, Power)
            and isinstance(expr.exponent, Rational)
            and expr.exponent.value < 0
        )
        if corner or (inverse and inverses):
            return Symbol(names.setdefault(expr, f"part_{len(names) + 1}_within"))
        if expr.parts():
            return expr.rebuild(tuple(map(walk, expr.parts())))
        return expr

    return Comparison(walk(claim.left), claim.sign, walk(claim.right))


def _chained(known: list[Comparison]) -> list[Comparison]:
    """The relations, and bounds by numbers that follow through a variable in between: 0 < c and c
    <= x give 0 < x.
    """
    relations = list(known)
    for lower, upper in product(known, known):
        if (
            isinstance(lower.right, Symbol)
            and lower.right == upper.left
            and "==" not in (lower.sign, upper.sign)
        ):
            sign = "<" if "<" in (lower.sign, upper.sign) else "<="
            if isinstance(lower.left, Rational) != isinstance(upper.right, Rational):
                relations.append(Comparison(lower.left, sign, upper.right))
    return list(dict.fromkeys(relations))


def _on_interval(
    claim: Comparison, known: list[Comparison], name: str
) -> tuple[Comparison, list[Comparison]]:
    below_ = [
        (relation.left, relation)
        for relation in known
        if relation.right == Symbol(name)
    ]
    above = [
        (relation.right, relation)
        for relation in known
        if relation.left == Symbol(name)
    ]
    lower = _bound(below_, name)
    upper = _bound(above, name)
    if lower is None and upper is None:
        return claim, known
    lower = lower or _constant(below_)
    upper = upper or _constant(above)
    s = Symbol(f"{name}_within")
    zero = formula(0)
    one = formula(1)
    if lower is not None and upper is not None:
        value = lower[0] + (upper[0] - lower[0]) * s
        inside = [Comparison(zero, lower[1].sign, s), Comparison(s, upper[1].sign, one)]
    elif lower is not None:
        value = lower[0] + s
        inside = [Comparison(zero, lower[1].sign, s)]
    else:
        value, inside = upper[0] - s, [Comparison(zero, upper[1].sign, s)]  # type: ignore[index]
    used = [bound[1] for bound in (lower, upper) if bound is not None]
    rest = [replace(other, {name: value}) for other in known if other not in used]
    return replace(claim, {name: value}), inside + rest


def _bound(
    bounds: list[tuple[Expr, Comparison]], name: str
) -> tuple[Expr, Comparison] | None:
    """A bound that moves with other variables, and not with the variable itself; equations are no
    bounds.
    """
    for expr, relation in bounds:
        if expr.symbols() and name not in expr.symbols() and relation.sign != "==":
            return expr, relation
    return None


def _constant(bounds: list[tuple[Expr, Comparison]]) -> tuple[Expr, Comparison] | None:
    """A bound by a number, for a variable that is bounded by other variables on the other side."""
    return next(
        (
            (expr, relation)
            for expr, relation in bounds
            if not expr.symbols() and relation.sign != "=="
        ),
        None,
    )
