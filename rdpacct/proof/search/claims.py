"""From a claim to its pieces: equations, orders, ratios, signs and cuts that lead to goals on open
pieces.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from rdpacct.proof.check import check
from rdpacct.proof.check.boxes import between, magnitude_cases
from rdpacct.proof.check.effort import EFFORT, LOCK, UNITS_PER_SECOND, Rejected, Vacuous
from rdpacct.proof.check.language import (
    Expression,
    Inequality,
    names_of,
    parse_expression,
    parse_relations,
    substituted,
    variables,
)
from rdpacct.proof.check.normal import normal
from rdpacct.proof.check.pieces import Box, Ends, constant
from rdpacct.proof.check.points import holds
from rdpacct.proof.check.relations import both_ways, interval, solved
from rdpacct.proof.check.rules import cleaned
from rdpacct.proof.check.signs import Signs, Undefined
from rdpacct.proof.check.slots import fresh_slots
from rdpacct.proof.search.factors import ProofNode
from rdpacct.proof.search.pieces import arguments, line_cuts, open_box, open_line

SearchWay = Callable[[int], ProofNode | None]
"""A way to a proof, with the count of work at which it has to stop."""


BROKEN = (
    Rejected,
    Undefined,
    ArithmeticError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)
"""The exceptions that end one way to a proof; the next way is still tried."""
MAX_MOVES = 5
GRACE = 75_000
"""The work that is left for checking a proof that was found at the last moment."""
NET = 8.0
"""How much more processor time than seconds of work a search may take: far beyond what a busy or
slow machine needs.
"""


def find_proof(
    given: list[str], conclusion: str, seconds: float
) -> dict[str, Any] | None:
    """A certificate of the claim that the checker has accepted, or None if none is found with that
    much work.

    A second of work is a fixed number of steps, about what a processor does in a second, so that
    the same claim has the same answer at any load; much more processor time ends it all the same.
    Vacuous claims raise ``Vacuous``.
    """
    work = int(seconds * UNITS_PER_SECOND)
    with LOCK, fresh_slots(), EFFORT.allowed(work + GRACE, NET * seconds + 1):
        try:
            certificate = _certificate(given, conclusion, EFFORT.spent + work)
            if certificate is not None:
                check(certificate)
        except Vacuous:
            raise
        except BROKEN:
            return None
    return certificate


def _certificate(
    given: list[str], conclusion: str, deadline: int
) -> dict[str, Any] | None:
    assumptions = [relation for text in given for relation in parse_relations(text)]
    with EFFORT.allowed(deadline - EFFORT.spent, math.inf):
        proof = [
            _relation(relation, assumptions, deadline)
            for relation in parse_relations(conclusion)
        ]
    if None in proof:
        return None
    return {
        "format": "rdpacct-certificate",
        "version": 1,
        "claim": {"given": list(given), "conclusion": conclusion},
        "verdict": "proved",
        "proof": proof,
    }


def _relation(
    relation: Inequality, given: list[Inequality], deadline: int, moved: int = 0
) -> ProofNode | None:
    """The node of one relation, by the first of some ways that works; each gets a part of the work
    that is left.

    Where variables were moved, ``moved`` times, the orders of the variables mean nothing and are
    not looked at again.
    """
    for way, share in _ways(relation, sorted(names_of(relation)), given, moved):
        if EFFORT.spent > deadline:
            return None
        try:
            node = way(_share(deadline, share))
        except BROKEN:
            continue
        if node is not None:
            return node
    return None


def _ways(
    relation: Inequality, names: list[str], given: list[Inequality], moved: int
) -> Iterator[tuple[SearchWay, float]]:
    if not names:
        yield lambda _: _ground(relation), 1.0
        return
    for name, image in _equated(relation, given):
        yield (
            lambda until: _by_equation(relation, name, image, given, until),  # noqa: B023
            1.0,
        )
        return
    if relation.sign == "==" and len(names) > 1:
        inside = sorted(
            set[str]().union(
                *map(variables, arguments(("-", relation.left, relation.right)))
            )
        )
        for cuts in ({}, dict.fromkeys(inside, "0")):
            yield (
                lambda until: _box(relation, names, given, {}, cuts, until),  # noqa: B023
                0.6,
            )
    pairs = [pair for pair in _kinks(relation) if not _compared(*pair, given)]
    if pairs and not moved:
        yield lambda until: _ordered(relation, *pairs[0], given, until), 0.8
    if len(names) == 1:
        for contact in (False, True):
            yield (
                lambda until: _one_variable(relation, names[0], given, contact, until),  # noqa: B023
                0.6,
            )
    yield lambda until: _both_signs(relation, given, until), 0.8
    if len(names) > 1:
        yield lambda until: _scaled(relation, names, given, until), 0.3
    yield lambda until: _relative(relation, names, given, until), 0.6
    if moved < MAX_MOVES:
        yield lambda until: _bounded(relation, names, given, moved, until), 0.6
    if len(names) > 1:
        for cuts, share in (
            ({}, 0.3),
            (dict.fromkeys(names, "0"), 0.6),
            (dict.fromkeys(names, "1"), 0.7),
        ):
            yield (
                lambda until: _box(relation, names, given, {}, cuts, until),  # noqa: B023
                share,
            )
    if (
        len(names) == 2
        and not moved
        and not pairs
        and not _compared(names[0], names[1], given)
    ):
        yield lambda until: _ordered(relation, names[0], names[1], given, until), 1.0


def _share(deadline: int, part: float) -> int:
    """A deadline that leaves some of the work for later."""
    return EFFORT.spent + int(part * (deadline - EFFORT.spent))


def _ground(relation: Inequality) -> ProofNode | None:
    try:
        if holds(relation):
            return {"rule": "ground"}
        return None
    except Undefined:
        return {"rule": "void"}


def _equated(
    relation: Inequality, given: list[Inequality]
) -> Iterator[tuple[str, Expression]]:
    """The variables, of the relation first, that an assumption equates with something free of
    them.
    """
    explicit = [
        (left[1], right)
        for left, sign, right in solved(given)
        if sign == "==" and left[0] == "variable" and left[1] not in variables(right)
    ]
    yield from sorted(explicit, key=lambda pair: pair[0] not in names_of(relation))


def _by_equation(
    relation: Inequality,
    name: str,
    image: Expression,
    given: list[Inequality],
    deadline: int,
) -> ProofNode | None:
    kept = [substituted(r, name, image) for r in given]
    proof = _relation(substituted(relation, name, image), kept, deadline)
    return proof and {"rule": "equation", "variable": name, "proof": proof}


def _kinks(relation: Inequality) -> list[tuple[str, str]]:
    """The pairs of variables that some abs, min or max compares."""

    def inside(tree: Expression) -> Iterator[tuple[str, str]]:
        if tree[0] in ("abs", "min", "max") and len(names := _needed(tree)) == 2:
            yield min(names), max(names)
        for part in tree[1:]:
            if isinstance(part, tuple):
                yield from inside(part)

    return [*inside(relation.right), *inside(relation.left)]


def _needed(tree: Expression) -> set[str]:
    """The variables on which the case of an abs, min or max depends."""
    compared = tree[1] if tree[0] == "abs" else ("-", tree[1], tree[2])
    try:
        return normal(compared, Signs()).variables()
    except (Rejected, Undefined):
        return variables(tree)


def _compared(first: str, second: str, given: list[Inequality]) -> bool:
    return any(
        {r.left, r.right} == {("variable", first), ("variable", second)} for r in given
    )


def _both_signs(
    relation: Inequality, given: list[Inequality], deadline: int
) -> ProofNode | None:
    """A bound on an absolute value, for both signs."""
    proofs = []
    for case in magnitude_cases(relation):
        proof = _relation(case, given, deadline)
        if proof is None:
            return None
        proofs.append(proof)
    if proofs:
        return {"rule": "magnitude", "proofs": proofs}
    return None


def _ordered(
    relation: Inequality, name: str, base: str, given: list[Inequality], deadline: int
) -> ProofNode | None:
    """Two variables that are not compared yet, in either order."""
    first = ("variable", name)
    second = ("variable", base)
    node: ProofNode = {"rule": "order", "variable": name, "base": base}
    equal = [substituted(r, name, second) for r in given]
    node["equal"] = _relation(substituted(relation, name, second), equal, deadline)
    node["above"] = node["equal"] and _relation(
        relation, [*given, Inequality(first, ">", second)], deadline
    )
    node["below"] = node["above"] and _relation(
        relation, [*given, Inequality(second, ">", first)], deadline
    )
    return node if node["below"] else None


def _relative(
    relation: Inequality, names: list[str], given: list[Inequality], deadline: int
) -> ProofNode | None:
    """A positive variable above another one, as its multiple."""
    for left, sign, right in both_ways(given):
        if (
            sign not in (">", ">=")
            or left[0] != "variable"
            or right[0] != "variable"
            or left[1] not in names
        ):
            continue
        if not interval(right[1], given).positive():
            continue
        kept = [r for r in given if left[1] not in names_of(r)]
        image = substituted(relation, left[1], ("*", right, left))
        proof = _relation(
            image,
            [*kept, Inequality(left, sign, ("number", Fraction(1)))],
            _share(deadline, 0.4),
            1,
        )
        if proof is not None:
            return {
                "rule": "ratio",
                "variable": left[1],
                "base": right[1],
                "proof": proof,
            }
    return None


def _bounded(
    relation: Inequality,
    names: list[str],
    given: list[Inequality],
    moved: int,
    deadline: int,
) -> ProofNode | None:
    """A variable measured from formulas in other variables that bound it."""
    for name, rows in _formula_bounds(names, given):
        low, high = ((None if row is None else solved(given)[row]) for row in rows)
        proof = _relation(
            *between(name, low, high, relation, given), _share(deadline, 0.6), moved + 1
        )
        if proof is not None:
            ends = {
                key: row
                for key, row in zip(("low", "high"), rows, strict=True)
                if row is not None
            }
            return {"rule": "difference", "variable": name, **ends, "proof": proof}
    return None


def _formula_bounds(
    names: list[str], given: list[Inequality]
) -> list[tuple[str, tuple[int | None, int | None]]]:
    """Variables with the numbers of assumptions that bound them by formulas: on both sides, below,
    above.
    """
    bounds: dict[str, tuple[list[int], list[int]]] = {}
    rows = solved(given)
    for index, (left, sign, right) in enumerate(rows):
        if (
            left[0] == "variable"
            and left[1] not in variables(right)
            and sign in (">", ">=", "<", "<=")
        ):
            bounds.setdefault(left[1], ([], []))[sign in ("<", "<=")].append(index)
    two_sided = list[tuple[str, tuple[int | None, int | None]]]()
    one_sided = list[tuple[str, tuple[int | None, int | None]]]()
    for name, (lows, highs) in sorted(
        bounds.items(), key=lambda item: item[0] not in names
    ):
        two_sided += [
            (name, (i, j))
            for i in lows
            for j in highs
            if variables(rows[i].right) | variables(rows[j].right)
        ]
        if name in names:
            one_sided += [(name, (i, None)) for i in lows if variables(rows[i].right)]
            one_sided += [(name, (None, j)) for j in highs if variables(rows[j].right)]
    return [*two_sided, *one_sided][:8]


def _scaled(
    relation: Inequality, names: list[str], given: list[Inequality], deadline: int
) -> ProofNode | None:
    """Positive variables as multiples of one of them, if that one then cancels."""
    positive = [n for n in names if interval(n, given).positive()]
    for size in range(len(positive), 1, -1):
        for group in combinations(positive, size):
            if any(_compared(*pair, given) for pair in combinations(group, 2)):
                continue
            *others, base = group
            image = relation
            kept = given
            for name in others:
                here = ("variable", name)
                image = substituted(image, name, ("*", ("variable", base), here))
                kept = [r for r in kept if name not in names_of(r)] + [
                    Inequality(here, ">", ("number", Fraction(0)))
                ]
            if not _cancels(image, base, names, kept):
                continue
            proof = _relation(image, kept, deadline, 1)
            for name in reversed(others):
                proof = proof and {
                    "rule": "ratio",
                    "variable": name,
                    "base": base,
                    "proof": proof,
                }
            return proof
    return None


def _cancels(
    relation: Inequality, base: str, names: list[str], given: list[Inequality]
) -> bool:
    """The sign of the difference of the sides does not depend on a variable that occurs in them."""
    first, *rest = (
        (name, (interval(name, given).low, interval(name, given).high))
        for name in names
    )
    piece = Box(first[0], *first[1], None, dict(rest))
    try:
        goal = (
            normal(relation.left, piece.signs) - normal(relation.right, piece.signs)
        ).top
        return base in goal.variables() and base not in cleaned(goal, piece).variables()
    except (Rejected, Undefined):
        return False


def _box(
    relation: Inequality,
    names: list[str],
    given: list[Inequality],
    sides: dict[str, Ends],
    cuts: dict[str, str],
    deadline: int,
) -> ProofNode | None:
    """The node of a relation on a box, of which some sides are cut already; the others are cut
    where it says.
    """
    if len(sides) == len(names):
        first, *rest = names
        return open_box(
            relation,
            Box(first, *sides[first], None, {name: sides[name] for name in rest}),
            deadline,
        )
    name = names[len(sides)]
    domain = interval(name, given)
    whole = Box(name, domain.low, domain.high)
    own = [cuts[name]] if name in cuts and whole.within(constant(cuts[name])) else []
    node: ProofNode = {
        "rule": "cut",
        "variable": name,
        "cuts": own,
        "points": [],
        "parts": [],
    }
    for ends in pairwise([domain.low, *map(constant, own), domain.high]):
        part = _box(relation, names, given, {**sides, name: ends}, cuts, deadline)
        if part is None:
            return None
        node["parts"].append(part)
    for point in (*map(constant, own), *domain.closed_ends()):
        tree = parse_expression(point.text)
        fewer = [substituted(r, name, tree) for r in given]
        proof = _relation(substituted(relation, name, tree), fewer, deadline)
        if proof is None:
            return None
        node["points"].append(proof)
    return node


def _one_variable(
    relation: Inequality,
    name: str,
    given: list[Inequality],
    contact: bool,
    deadline: int,
) -> ProofNode | None:
    """The node of a relation in one variable, cut where an argument or a denominator changes its
    sign.
    """
    domain = interval(name, given)
    whole = Box(name, domain.low, domain.high)
    cuts = [
        text
        for text in line_cuts(relation, name, contact)
        if whole.within(constant(text))
    ]
    if contact and set(cuts) <= set(line_cuts(relation, name, False)):
        return None
    ends = [domain.low, *map(constant, cuts), domain.high]
    parts = []
    for low, high in pairwise(ends):
        node = open_line(relation, Box(name, low, high), deadline)
        if node is None:
            return None
        parts.append(node)
    points = []
    for point in (*map(constant, cuts), *domain.closed_ends()):
        node = _ground(substituted(relation, name, parse_expression(point.text)))
        if node is None:
            return None
        points.append(node)
    return {
        "rule": "cut",
        "variable": name,
        "cuts": cuts,
        "points": points,
        "parts": parts,
    }
