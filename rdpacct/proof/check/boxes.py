"""Claims: their reduction to goals on open boxes, to claims with fewer variables and to relations
between constants.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from rdpacct.proof.check.effort import Rejected
from rdpacct.proof.check.faces import BOX_RULES
from rdpacct.proof.check.language import (
    Expression,
    Inequality,
    names_of,
    parse_expression,
    substituted,
    variables,
)
from rdpacct.proof.check.pieces import Box, Ends, constant
from rdpacct.proof.check.points import holds
from rdpacct.proof.check.relations import (
    MIRROR,
    both_ways,
    interval,
    prove_open,
    solved,
)
from rdpacct.proof.check.rules import RULES, Node, Work, field, items, rule_of
from rdpacct.proof.check.signs import Undefined

NULL: Expression = ("number", Fraction(0))
ONE: Expression = ("number", Fraction(1))


def prove_claim(
    node: object, relation: Inequality, given: list[Inequality], work: Work
) -> None:
    """Check the proof of one relation, whatever the number of its variables."""
    if not isinstance(node, dict):
        raise Rejected("a node of a proof is a dictionary.")
    names = names_of(relation)
    reduction = REDUCTIONS.get(rule_of(node))
    with work.deeper():
        if not names:
            _ground(node, relation, work)
        elif reduction is not None:
            reduction(node, relation, given, work)
        else:
            _box(node, relation, given, {}, names, work)


def _ground(node: Node, relation: Inequality, work: Work) -> None:
    """A relation between constants holds, or a side of it is undefined and the node says so (rule
    ``void``).
    """
    try:
        right = holds(relation)
    except Undefined:
        if node.get("rule") == "void":
            return
        raise
    if node.get("rule") != "ground" or not right:
        raise Rejected("the relation between constants is not established.")
    work.spoken = True


def _box(
    node: Any,
    relation: Inequality,
    given: list[Inequality],
    sides: dict[str, Ends],
    names: set[str],
    work: Work,
) -> None:
    """Cut the sides of the box one after the other; a cut or a closed end is a claim with one
    variable less.
    """
    if not isinstance(node, dict):
        raise Rejected("a node of a proof is a dictionary.")
    if set(sides) == names:
        first, *rest = sorted(names)
        prove_open(
            node,
            relation,
            Box(first, *sides[first], None, {name: sides[name] for name in rest}),
            work,
        )
        return
    name = field(node, "variable", str)
    if node.get("rule") != "cut" or name not in names or name in sides:
        raise Rejected("each variable of the claim is cut once.")
    domain = interval(name, given)
    cuts = [constant(text) for text in items(node, "cuts", work)]
    parts = field(node, "parts", list)
    points = [*cuts, *domain.closed_ends()]
    children = field(node, "points", list)
    if len(parts) != len(cuts) + 1 or len(children) != len(points):
        raise Rejected("the number of parts or points does not fit the cuts.")
    for point, child in zip(points, children, strict=True):
        tree = parse_expression(point.text)
        # The other variables keep the sides they were given, which only the assumptions on them may
        # narrow.
        prove_claim(
            child,
            substituted(relation, name, tree),
            [substituted(r, name, tree) for r in given],
            work,
        )
    for ends, child in zip(
        pairwise([domain.low, *cuts, domain.high]), parts, strict=True
    ):
        _box(child, relation, given, {**sides, name: ends}, names, work)


def _ratio(
    node: Node, relation: Inequality, given: list[Inequality], work: Work
) -> None:
    """x is written as y * x for positive y, with a new x > 1 (if x > y) or x > 0 (if x was
    positive).
    """
    name = field(node, "variable", str)
    base = field(node, "base", str)
    here = ("variable", name)
    below = ("variable", base)
    signs = {
        sign for left, sign, right in both_ways(given) if (left, right) == (here, below)
    } & {">", ">="}
    if name == base or not (signs or interval(name, given).positive()):
        raise Rejected("the order of the two variables is not given.")
    if not interval(base, given).positive():
        raise Rejected("the variable of reference is not known to be positive.")
    kept = [r for r in given if name not in names_of(r)]
    kept.append(
        Inequality(here, ">=" if signs == {">="} else ">", ONE if signs else NULL)
    )
    prove_claim(
        node.get("proof"), substituted(relation, name, ("*", below, here)), kept, work
    )


def bound(
    name: str, given: list[Inequality], index: int, signs: tuple[str, str]
) -> Inequality:
    """The assumption of that number, among all that are solved for a variable, as a bound of this
    variable.
    """
    rows = solved(given)
    if not 0 <= index < len(rows):
        raise Rejected("there is no such assumption.")
    row = rows[index]
    if (
        row.left != ("variable", name)
        or row.sign not in signs
        or name in variables(row.right)
    ):
        raise Rejected("the assumption is not such a bound of the variable.")
    return row


def between(
    name: str,
    low: Inequality | None,
    high: Inequality | None,
    relation: Inequality,
    given: list[Inequality],
) -> tuple[Inequality, list[Inequality]]:
    """The claim with x as a + x if a <= x, as b - x if x <= b, and if both as a + (b - a)*x with x
    from 0 to 1.

    Where the assumptions hold, a and b are defined and there is such a new x, which is strict where
    they are; all the assumptions stay true of it, and a <= b.
    """
    here = ("variable", name)
    if low is not None and high is not None:
        image: Expression = ("+", low.right, ("*", ("-", high.right, low.right), here))
        order = "<" if "<" in (MIRROR[low.sign], high.sign) else "<="
        new = [
            Inequality(here, low.sign, NULL),
            Inequality(here, high.sign, ONE),
            Inequality(low.right, order, high.right),
        ]
    elif low is not None:
        image = ("+", low.right, here)
        new = [Inequality(here, low.sign, NULL)]
    elif high is not None:
        image = ("-", high.right, here)
        new = [Inequality(here, MIRROR[high.sign], NULL)]
    else:
        raise Rejected("a difference needs an assumption that bounds the variable.")
    return substituted(relation, name, image), [
        *(substituted(r, name, image) for r in given),
        *new,
    ]


def _difference(
    node: Node, relation: Inequality, given: list[Inequality], work: Work
) -> None:
    """A variable measured from formulas that bound it."""
    name = field(node, "variable", str)
    rows = dict[str, Inequality]()
    for key, signs in (("low", (">", ">=")), ("high", ("<", "<="))):
        if key in node:
            rows[key] = bound(name, given, field(node, key, int), signs)
    prove_claim(
        node.get("proof"),
        *between(name, rows.get("low"), rows.get("high"), relation, given),
        work,
    )


def _order(
    node: Node, relation: Inequality, given: list[Inequality], work: Work
) -> None:
    """Two variables are in one order, in the other, or equal."""
    first, second = (
        ("variable", field(node, key, str)) for key in ("variable", "base")
    )
    if not {first[1], second[1]} <= names_of(relation).union(*map(names_of, given)):
        raise Rejected("the claim has no such variables.")
    prove_claim(
        node.get("above"), relation, [*given, Inequality(first, ">", second)], work
    )
    prove_claim(
        node.get("below"), relation, [*given, Inequality(second, ">", first)], work
    )
    equal = [substituted(r, first[1], second) for r in given]
    prove_claim(node.get("equal"), substituted(relation, first[1], second), equal, work)


def _equation(
    node: Node, relation: Inequality, given: list[Inequality], work: Work
) -> None:
    """A variable that an assumption equates with an expression in the others is replaced by it."""
    name = field(node, "variable", str)
    equal = [
        right
        for left, sign, right in solved(given)
        if sign == "==" and left == ("variable", name)
    ]
    image = next((tree for tree in equal if name not in variables(tree)), None)
    if image is None:
        raise Rejected("no assumption gives the value of the variable.")
    prove_claim(
        node.get("proof"),
        substituted(relation, name, image),
        [substituted(r, name, image) for r in given],
        work,
    )


def magnitude_cases(relation: Inequality) -> list[Inequality]:
    """abs(a) <= b as the two relations a <= b and -a <= b; nothing for relations of another
    form.
    """
    left, sign, right = relation
    if sign in (">", ">="):
        left, sign, right = right, MIRROR[sign], left
    if sign not in ("<", "<=") or left[0] != "abs":
        return []
    return [
        Inequality(left[1], sign, right),
        Inequality(("negative", left[1]), sign, right),
    ]


def _magnitude(
    node: Node, relation: Inequality, given: list[Inequality], work: Work
) -> None:
    """A bound on an absolute value, for both signs."""
    cases = magnitude_cases(relation)
    children = field(node, "proofs", list)
    if not cases or len(children) != len(cases):
        raise Rejected("the relation does not bound an absolute value.")
    for case, child in zip(cases, children, strict=True):
        prove_claim(child, case, given, work)


RULES.update(BOX_RULES)
REDUCTIONS = {
    "magnitude": _magnitude,
    "order": _order,
    "ratio": _ratio,
    "difference": _difference,
    "equation": _equation,
}
