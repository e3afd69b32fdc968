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
            one
            for one in known
            if one.symbols() <= smooth.symbols() and len(one.symbols()) == 1
        ]
        yield Shape(smooth, tuple(_needed(smooth, near)))
        yield Shape(smooth, tuple(near))


def on_boxes(claim: Comparison, known: list[Comparison]) -> Iterator[Shape]:
    """The claim as it stands, then with variables that others bound replaced: x in [a, b] is a + (b
    - a) s.
    """
    for relations in dict.fromkeys((tuple(known), tuple(_chained(known)))):
        yield Shape(
            claim, tuple(one for one in relations if one.symbols() <= claim.symbols())
        )
    moved = claim, known
    for name in sorted(claim.symbols()):
        moved = _on_interval(*moved, name)
    if moved[0] != claim:
        yield Shape(
            moved[0],
            tuple(one for one in moved[1] if one.symbols() <= moved[0].symbols()),
        )


def _needed(claim: Comparison, known: list[Comparison]) -> list[Comparison]:
    """The relations that decide where an equation is defined; an identity needs no others."""
    parts = [part for side in (claim.left, claim.right) for part, _ in conditions(side)]
    names = frozenset[str]().union(*(part.symbols() for part in parts))
    return [one for one in known if one.symbols() & names]


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
    found = list(known)
    for one, two in product(known, known):
        if (
            isinstance(one.right, Symbol)
            and one.right == two.left
            and "==" not in (one.sign, two.sign)
        ):
            sign = "<" if "<" in (one.sign, two.sign) else "<="
            if isinstance(one.left, Rational) != isinstance(two.right, Rational):
                found.append(Comparison(one.left, sign, two.right))
    return list(dict.fromkeys(found))


def _on_interval(
    claim: Comparison, known: list[Comparison], name: str
) -> tuple[Comparison, list[Comparison]]:
    below_ = [(one.left, one) for one in known if one.right == Symbol(name)]
    above = [(one.right, one) for one in known if one.left == Symbol(name)]
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
    found: list[tuple[Expr, Comparison]], name: str
) -> tuple[Expr, Comparison] | None:
    """A bound that moves with other variables, and not with the variable itself; equations are no
    bounds.
    """
    for expr, one in found:
        if expr.symbols() and name not in expr.symbols() and one.sign != "==":
            return expr, one
    return None


def _constant(found: list[tuple[Expr, Comparison]]) -> tuple[Expr, Comparison] | None:
    """A bound by a number, for a variable that is bounded by other variables on the other side."""
    return next(
        ((expr, one) for expr, one in found if not expr.symbols() and one.sign != "=="),
        None,
    )
