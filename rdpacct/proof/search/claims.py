"""From a claim to its pieces: cuts, signs of arguments and denominators, and the goal on each open piece."""

import time
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

from rdpacct.proof.check import check
from rdpacct.proof.check.boxes import magnitude_cases, substituted
from rdpacct.proof.check.growth import GROUND
from rdpacct.proof.check.language import (
    Expression,
    Rejected,
    Relation,
    parse_expression,
    parse_relations,
    replace,
    variables,
)
from rdpacct.proof.check.normal import normal
from rdpacct.proof.check.pieces import ZERO, Ends, Piece, constant, order
from rdpacct.proof.check.relations import MIRROR, holds, interval
from rdpacct.proof.check.ring import Poly, univariate
from rdpacct.proof.check.rules import cleaned
from rdpacct.proof.check.signs import Signs, Undefined
from rdpacct.proof.search.boxes import BoxSearch, box_facts
from rdpacct.proof.search.facts import Facts
from rdpacct.proof.search.goals import Node, Search
from rdpacct.proof.search.samples import sample_points, signs_at


def find_proof(given: list[str], conclusion: str, deadline: float) -> dict[str, Any] | None:
    """A certificate of the claim that the checker has accepted, or None; the deadline is a ``time.monotonic()``."""
    assumptions = [relation for text in given for relation in parse_relations(text)]
    proof = []
    for relation in parse_relations(conclusion):
        two = len(variables(relation.left) | variables(relation.right)) == 2
        node = _ordered(relation, assumptions, _share(deadline, 0.5)) if two and _kinks(relation) else None
        node = node or _relation(relation, assumptions, _share(deadline, 0.6 if two else 1.0))
        if node is None and two:
            node = _ordered(relation, assumptions, deadline)
        if node is None:
            return None
        proof.append(node)
    certificate = {
        "format": "rdpacct-certificate",
        "version": 1,
        "claim": {"given": list(given), "conclusion": conclusion},
        "verdict": "proved",
        "proof": proof,
    }
    try:
        check(certificate)
    except Rejected:
        return None
    return certificate


def _relation(relation: Relation, given: list[Relation], deadline: float) -> Node | None:
    """The node of one relation, by the first of some ways that works."""
    names = sorted(variables(relation.left) | variables(relation.right))
    ways: list[Callable[[float], Node | None]] = [lambda _: _ground(relation)]
    if len(names) == 1:
        ways = [lambda until: _one_variable(relation, names[0], given, until)]
    elif names:
        ways = [lambda until: _several(relation, names, given, until)]
    if names:
        ways.append(lambda until: _both_signs(relation, given, until))
    for way in ways:
        try:
            node = way(_share(deadline, 0.8))
        except (Rejected, Undefined):
            continue
        if node is not None:
            return node
    return None


def _kinks(relation: Relation) -> bool:
    """Some abs, min or max compares two variables."""

    def occurs(tree: Expression) -> bool:
        if tree[0] in ("abs", "min", "max") and len(variables(tree)) == 2:
            return True
        return any(occurs(part) for part in tree[1:] if isinstance(part, tuple))

    return occurs(relation.right) or occurs(relation.left)


def _both_signs(relation: Relation, given: list[Relation], deadline: float) -> Node | None:
    """A bound on an absolute value, for both signs."""
    proofs = []
    for case in magnitude_cases(relation):
        proof = _relation(case, given, deadline)
        if proof is None:
            return None
        proofs.append(proof)
    return {"rule": "magnitude", "proofs": proofs} if proofs else None


def _ordered(relation: Relation, given: list[Relation], deadline: float) -> Node | None:
    """Two variables that are not compared yet, in either order."""
    names = sorted(variables(relation.left) | variables(relation.right))
    if len(names) != 2:
        return None
    first, second = (("variable", name) for name in names)
    if any({r.left, r.right} == {first, second} for r in given):
        return None
    node: Node = {"rule": "order", "variable": names[0], "base": names[1]}
    equal = [substituted(r, names[0], second) for r in given]
    node["equal"] = _relation(substituted(relation, names[0], second), equal, deadline)
    node["above"] = node["equal"] and _relation(relation, [*given, Relation(first, ">", second)], deadline)
    node["below"] = node["above"] and _relation(relation, [*given, Relation(second, ">", first)], deadline)
    return node if node["below"] else None


def _ground(relation: Relation) -> Node | None:
    try:
        return {"rule": "ground"} if holds(relation) else None
    except Undefined:
        return {"rule": "void"}


def _several(relation: Relation, names: list[str], given: list[Relation], deadline: float) -> Node | None:
    """The node of a relation in several variables: relative coordinates first, then boxes without and with cuts."""
    for larger, base in permutations(names, 2):
        here, below = ("variable", larger), ("variable", base)
        pairs = {(r.left, r.sign, r.right) for r in given} | {(r.right, MIRROR[r.sign], r.left) for r in given}
        sign = next((s for s in (">", ">=") if (here, s, below) in pairs), None)
        if sign is None:
            continue
        kept = [r for r in given if larger not in variables(r.left) | variables(r.right)]
        domain = interval(base, given)
        positive = domain.low is not None and order(domain.low, ZERO) >= (0 if not domain.low_closed else 1)
        for rule, operation, start in [("ratio", "*", 1)] * positive + [("difference", "+", 0)]:
            bound = Relation(here, sign, ("number", Fraction(start)))
            image = substituted(relation, larger, (operation, below, here))
            proof = _relation(image, [*kept, bound], _share(deadline, 0.4))
            if proof is not None:
                return {"rule": rule, "variable": larger, "base": base, "proof": proof}
    for cutting in (False, True):
        node = _box(relation, names, given, {}, cutting, _share(deadline, 0.4) if not cutting else deadline)
        if node is not None:
            return node
    return None


def _share(deadline: float, part: float) -> float:
    """A deadline that leaves some of the time for later."""
    now = time.monotonic()
    return now + part * (deadline - now)


def _box(
    relation: Relation, names: list[str], given: list[Relation], sides: dict[str, Ends], cutting: bool, deadline: float
) -> Node | None:
    """The node of a relation on a box, of which some sides are cut already."""
    if len(sides) == len(names):
        first, *rest = names
        piece = Piece(first, *sides[first], None, {name: sides[name] for name in rest})
        return _open_box(relation, piece, deadline)
    name = names[len(sides)]
    domain = interval(name, given)
    whole = Piece(name, domain.low, domain.high)
    cuts = ["0"] if cutting and whole.within(constant("0")) else []
    closed = [(domain.low, domain.low_closed), (domain.high, domain.high_closed)]
    points = [*map(constant, cuts), *(end for end, included in closed if end is not None and included)]
    node: Node = {"rule": "cut", "variable": name, "cuts": cuts, "points": [], "parts": []}
    for ends in pairwise([domain.low, *map(constant, cuts), domain.high]):
        part = _box(relation, names, given, {**sides, name: ends}, cutting, deadline)
        if part is None:
            return None
        node["parts"].append(part)
    for point in points:
        tree = parse_expression(point.text)
        fewer = [substituted(r, name, tree) for r in given]
        proof = _relation(substituted(relation, name, tree), fewer, deadline)
        if proof is None:
            return None
        node["points"].append(proof)
    return node


def _open_box(relation: Relation, piece: Piece, deadline: float) -> Node | None:
    line = Search(deadline)
    search = BoxSearch(line)
    facts = box_facts(piece, search)
    try:
        left, right = normal(relation.left, facts), normal(relation.right, facts)
    except Undefined:
        return {"rule": "void", "facts": facts.facts}
    except Rejected:
        return None
    goal = (right - left if relation.sign in ("<", "<=") else left - right).top
    if relation.sign == "==":
        return {"rule": "piece", "facts": facts.facts} if goal.zero() else None
    if relation.sign == "!=":
        return None
    proof = search.prove(goal, piece, relation.sign in ("<", ">"))
    return None if proof is None else {"rule": "piece", "facts": facts.facts, "proof": proof}


def _one_variable(relation: Relation, name: str, given: list[Relation], deadline: float) -> Node | None:
    domain = interval(name, given)
    whole = Piece(name, domain.low, domain.high)
    cuts = [text for text in _cuts(relation, name) if whole.within(constant(text))]
    ends = [domain.low, *map(constant, cuts), domain.high]
    parts = []
    for low, high in pairwise(ends):
        node = _piece(relation, Piece(name, low, high), deadline)
        if node is None:
            return None
        parts.append(node)
    return {"rule": "pieces", "cuts": cuts, "parts": parts}


def _cuts(relation: Relation, name: str) -> list[str]:
    """Zero, and the rational points where an argument of log, root or abs or a denominator changes sign."""
    found = {Fraction(0)}
    for tree in _arguments(("-", relation.left, relation.right)):
        try:
            poly = univariate(normal(tree, Signs()).top, name)
        except (Rejected, Undefined):
            poly = None
        if poly is not None and not poly.is_zero():
            found |= {Fraction(int(root.p), int(root.q)) for root, _ in poly.roots()}
            continue
        for point in (Fraction(0), Fraction(1), Fraction(-1)):
            try:
                if normal(replace(tree, name, ("number", point)), GROUND).top.zero():
                    found.add(point)
            except (Rejected, Undefined):
                continue
    return [str(point) for point in sorted(found)]


def _arguments(tree: Expression) -> list[Expression]:
    found = []
    if tree[0] in ("log", "sqrt", "cbrt", "abs"):
        found.append(tree[1])
    elif tree[0] == "/":
        found.append(tree[2])
    elif tree[0] == "**":
        found.append(tree[1])
    elif tree[0] in ("min", "max"):
        found.append(("-", tree[1], tree[2]))
    for part in tree[1:]:
        if isinstance(part, tuple):
            found += _arguments(part)
    return found


def _piece(relation: Relation, piece: Piece, deadline: float) -> Node | None:
    """The node of one open piece."""
    search = Search(deadline)
    asking = Facts(
        piece,
        lambda rest: set(signs_at(rest, piece.name, sample_points(piece))) - {0},
        lambda goal, how: search.prove(goal, piece, how, 1),
        (True, False),
    )
    try:
        left, right = normal(relation.left, asking), normal(relation.right, asking)
    except Undefined:
        return {"rule": "void", "facts": asking.facts}
    if relation.sign in (">", ">="):
        left, right = right, left
    node: Node = {"rule": "piece", "facts": asking.facts}
    goal = (right - left).top
    if relation.sign == "==":
        return node if goal.zero() else None
    strict = relation.sign not in ("<=", ">=")
    if relation.sign == "!=":
        found = set(signs_at(goal, piece.name, sample_points(piece))) - {0}
        if len(found) != 1:
            return None
        node["sign"] = found.pop()
        goal = goal.scaled(node["sign"])
    proof = _strategies(goal, piece, strict, search, relation)
    return None if proof is None else node | {"proof": proof}


def _strategies(goal: Poly, piece: Piece, strict: bool, search: Search, relation: Relation) -> Node | None:
    """The goal as it is, by logarithms, and in other coordinates; each gets a part of the time that is left."""
    final, goal = search.deadline, cleaned(goal, piece)

    def direct() -> Node | None:
        return search.prove(goal, piece, strict) if piece.low is not None else None

    def changed() -> Node | None:
        return search.changed(goal, piece, strict)

    def logarithms() -> Node | None:
        return _by_logarithms(goal, piece, strict, search)

    plan = [(direct, 8, 2), (logarithms, 5, 2), (changed, 5, 2), (direct, 8, 4), (changed, 8, 4), (direct, 10, 8)]
    if piece.low is None:
        plan = [(changed, 8, 2), (changed, 8, 4), (changed, 10, 8)]
    elif _variable_exponent(relation):
        plan.insert(0, (logarithms, 5, 2))
    for attempt, search.depth, search.width in plan:
        search.failed.clear()
        now = time.monotonic()
        search.deadline = now + 0.4 * (final - now)
        try:
            node = attempt()
        except (Rejected, Undefined):
            node = None
        if node is not None:
            return node
    return None


def _variable_exponent(relation: Relation) -> bool:
    def occurs(tree: Expression) -> bool:
        if tree[0] == "**" and variables(tree[2]):
            return True
        return any(occurs(part) for part in tree[1:] if isinstance(part, tuple))

    return occurs(relation.left) or occurs(relation.right)


def _by_logarithms(goal: Poly, piece: Piece, strict: bool, search: Search) -> Node | None:
    """Compare the logarithms of the positive and the negative terms."""
    first = Poly({m: c for m, c in goal.terms.items() if c > 0})
    second = first - goal
    if first.zero() or second.zero():
        return None
    return search.logarithms(first, second, piece, strict)
