"""Claims in several variables: their reduction to goals on open boxes and to claims with fewer variables."""

from itertools import pairwise
from typing import Any

from rdpacct.proof.check.language import Expression, Rejected, Relation, parse_expression, replace, variables
from rdpacct.proof.check.pieces import ZERO, Ends, Piece, constant, order
from rdpacct.proof.check.relations import MIRROR, interval, prove_ground, prove_line, prove_open
from rdpacct.proof.check.rules import MAX_NODES, Node, Work, field


def prove_claim(node: object, relation: Relation, given: list[Relation], work: Work) -> None:
    """Check the proof of one relation, whatever the number of its variables."""
    names = variables(relation.left) | variables(relation.right)
    if not isinstance(node, dict):
        raise Rejected("a node of a proof is a dictionary.")
    work.nodes += 1
    if work.nodes > MAX_NODES:
        raise Rejected("the proof is too large.")
    if node.get("rule") == "magnitude":
        _magnitude(node, relation, given, work)
    elif not names:
        prove_ground(node, relation)
    elif len(names) == 1:
        prove_line(node, relation, min(names), given, work)
    elif node.get("rule") == "order":
        _order(node, relation, given, work)
    elif node.get("rule") in ("ratio", "difference"):
        _relative(node, relation, given, work)
    else:
        _prove_box(node, relation, given, {}, names, work)


def substituted(relation: Relation, name: str, by: Expression) -> Relation:
    """The relation with a variable replaced."""
    return Relation(replace(relation.left, name, by), relation.sign, replace(relation.right, name, by))


def _prove_box(
    node: Any, relation: Relation, given: list[Relation], sides: dict[str, Ends], names: set[str], work: Work
) -> None:
    """Cut the sides of the box one after the other; a cut or a closed end is a claim with one variable less."""
    if not isinstance(node, dict):
        raise Rejected("a node of a proof is a dictionary.")
    if set(sides) == names:
        first, *rest = sorted(names)
        prove_open(node, relation, Piece(first, *sides[first], None, {name: sides[name] for name in rest}), work)
        return
    name = field(node, "variable", str)
    if node.get("rule") != "cut" or name not in names or name in sides:
        raise Rejected("each variable of the claim is cut once.")
    domain = interval(name, given)
    cuts, parts = [constant(text) for text in field(node, "cuts", list)], field(node, "parts", list)
    closed = [(domain.low, domain.low_closed), (domain.high, domain.high_closed)]
    points = [*cuts, *(end for end, included in closed if end is not None and included)]
    children = field(node, "points", list)
    if len(parts) != len(cuts) + 1 or len(children) != len(points):
        raise Rejected("the number of parts or points does not fit the cuts.")
    for point, child in zip(points, children, strict=True):
        tree = parse_expression(point.text)
        fewer = [substituted(r, name, tree) for r in given]
        # The other variables keep the sides they were given, which only the assumptions on them may narrow.
        prove_claim(child, substituted(relation, name, tree), fewer, work)
    for ends, child in zip(pairwise([domain.low, *cuts, domain.high]), parts, strict=True):
        _prove_box(child, relation, given, {**sides, name: ends}, names, work)


def _relative(node: Node, relation: Relation, given: list[Relation], work: Work) -> None:
    """For x > y (or x >= y), x is written as y + x with a new x > 0, or for positive y as y * x with a new x > 1."""
    name, base = field(node, "variable", str), field(node, "base", str)
    here, below = ("variable", name), ("variable", base)
    signs = [r.sign for r in given if (r.left, r.right) == (here, below)]
    signs += [MIRROR[r.sign] for r in given if (r.left, r.right) == (below, here)]
    if name == base or not {">", ">="} & set(signs):
        raise Rejected("the order of the two variables is not given.")
    sign = ">" if ">" in signs else ">="
    if node.get("rule") == "ratio":
        low = interval(base, given).low
        if low is None or order(low, ZERO) < 0 or (order(low, ZERO) == 0 and interval(base, given).low_closed):
            raise Rejected("the smaller variable is not known to be positive.")
        image, start = ("*", below, here), "1"
    else:
        image, start = ("+", below, here), "0"
    kept = [r for r in given if name not in variables(r.left) | variables(r.right)]
    kept.append(Relation(here, sign, parse_expression(start)))
    prove_claim(node.get("proof"), substituted(relation, name, image), kept, work)


def _order(node: Node, relation: Relation, given: list[Relation], work: Work) -> None:
    """Two variables are in one order, in the other, or equal."""
    first, second = (("variable", field(node, key, str)) for key in ("variable", "base"))
    prove_claim(node.get("above"), relation, [*given, Relation(first, ">", second)], work)
    prove_claim(node.get("below"), relation, [*given, Relation(second, ">", first)], work)
    equal = [substituted(r, first[1], second) for r in given]
    prove_claim(node.get("equal"), substituted(relation, first[1], second), equal, work)


def magnitude_cases(relation: Relation) -> list[Relation]:
    """abs(a) <= b as the two relations a <= b and -a <= b; nothing for relations of another form."""
    left, sign, right = relation
    if sign in (">", ">="):
        left, sign, right = right, MIRROR[sign], left
    if sign not in ("<", "<=") or left[0] != "abs":
        return []
    return [Relation(left[1], sign, right), Relation(("negative", left[1]), sign, right)]


def _magnitude(node: Node, relation: Relation, given: list[Relation], work: Work) -> None:
    """A bound on an absolute value, for both signs."""
    cases, children = magnitude_cases(relation), field(node, "proofs", list)
    if not cases or len(children) != len(cases):
        raise Rejected("the relation does not bound an absolute value.")
    for case, child in zip(cases, children, strict=True):
        prove_claim(child, case, given, work)
