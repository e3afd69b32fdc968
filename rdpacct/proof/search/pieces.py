"""One open piece of a claim: the signs that its sides need, and the goal in its most promising
form.
"""

from fractions import Fraction

from flint import fmpq_poly

from rdpacct.proof.check.effort import EFFORT, Rejected
from rdpacct.proof.check.language import Expression, Inequality, replace, variables
from rdpacct.proof.check.normal import normal
from rdpacct.proof.check.pieces import Box
from rdpacct.proof.check.ring import Poly, univariate
from rdpacct.proof.check.rules import MAX_DEGREE, cleaned
from rdpacct.proof.check.signs import GROUND, Signs, Undefined
from rdpacct.proof.check.sturm import bits_of
from rdpacct.proof.search.boxes import BoxSearch, box_facts
from rdpacct.proof.search.factors import ProofNode
from rdpacct.proof.search.facts import Facts
from rdpacct.proof.search.goals import Search
from rdpacct.proof.search.samples import sample_points, signs_at

MAX_ROOT_SIZE = 20_000
"""Degree times bits of a polynomial whose rational zeros are looked for."""


def open_box(relation: Inequality, piece: Box, deadline: int) -> ProofNode | None:
    """The node of one open box."""
    line = Search(deadline)
    search = BoxSearch(line)
    facts = box_facts(piece, search)
    try:
        left = normal(relation.left, facts)
        right = normal(relation.right, facts)
    except Undefined:
        return {"rule": "void", "facts": facts.facts}
    except Rejected:
        return None
    goal = (right - left if relation.sign in ("<", "<=") else left - right).top
    if relation.sign == "==":
        if goal.zero():
            return {"rule": "piece", "facts": facts.facts}
        return None
    if relation.sign == "!=":
        return None
    proof = search.prove(goal, piece, relation.sign in ("<", ">"))
    if proof is None:
        return None
    return {"rule": "piece", "facts": facts.facts, "proof": proof}


def line_cuts(relation: Inequality, name: str, contact: bool) -> list[str]:
    """Zero, and the rational points where an argument of log, root or abs or a denominator changes
    sign.

    With contact also simple points at which the two sides are equal.
    """
    cuts = {Fraction(0)}
    whole = ("-", relation.left, relation.right)
    for tree in [*arguments(whole), whole] if contact else arguments(whole):
        try:
            poly = univariate(normal(tree, Signs()).top, name)
        except (Rejected, Undefined):
            poly = None
        if poly is not None:
            cuts |= _rational_roots(poly)
            continue
        for point in (
            Fraction(0),
            Fraction(1),
            Fraction(-1),
            Fraction(1, 2),
            Fraction(2),
        ):
            try:
                if normal(replace(tree, name, ("number", point)), GROUND).top.zero():
                    cuts.add(point)
            except (Rejected, Undefined):
                continue
    return [str(point) for point in sorted(cuts)]


def _rational_roots(poly: fmpq_poly) -> set[Fraction]:
    """The rational zeros of a polynomial; none are looked for if it is too large, as that cannot be
    interrupted.
    """
    size = poly.degree() * bits_of(poly)
    if poly.is_zero() or poly.degree() > MAX_DEGREE or size > MAX_ROOT_SIZE:
        return set()
    EFFORT.spend(20 + poly.degree() * size // 50)
    return {Fraction(int(root.p), int(root.q)) for root, _ in poly.roots()}


def arguments(tree: Expression) -> list[Expression]:
    """The parts of an expression whose sign decides whether it is defined, or which case of it
    holds.
    """
    parts = []
    EFFORT.spend(1)
    if tree[0] in ("log", "sqrt", "cbrt", "abs"):
        parts.append(tree[1])
    elif tree[0] == "/":
        parts.append(tree[2])
    elif tree[0] == "power" or (
        tree[0] == "**" and (tree[2][0] != "number" or tree[2][1].denominator > 1)
    ):
        parts.append(tree[1])
    elif tree[0] in ("min", "max"):
        parts.append(("-", tree[1], tree[2]))
    for part in tree[1:]:
        if isinstance(part, tuple):
            parts += arguments(part)
    return parts


def open_line(relation: Inequality, piece: Box, deadline: int) -> ProofNode | None:
    """The node of one open piece."""
    search = Search(deadline)
    asking = Facts(
        piece,
        lambda rest: set(signs_at(rest, piece.name, sample_points(piece))) - {0},
        lambda goal, how: search.prove(goal, piece, how, 1),
        (True, False),
    )
    try:
        left = normal(relation.left, asking)
        right = normal(relation.right, asking)
    except Undefined:
        return {"rule": "void", "facts": asking.facts}
    if relation.sign in (">", ">="):
        left, right = right, left
    node: ProofNode = {"rule": "piece", "facts": asking.facts}
    goal = (right - left).top
    if relation.sign == "==":
        return node if goal.zero() else None
    strict = relation.sign not in ("<=", ">=")
    if relation.sign == "!=":
        signs = set(signs_at(goal, piece.name, sample_points(piece))) - {0}
        if len(signs) != 1:
            return None
        node["sign"] = signs.pop()
        goal = goal.scaled(node["sign"])
    proof = _strategies(goal, piece, strict, search, relation)
    if proof is None:
        return None
    return node | {"proof": proof}


def _strategies(
    goal: Poly, piece: Box, strict: bool, search: Search, relation: Inequality
) -> ProofNode | None:
    """The goal as it is, by logarithms, and in other coordinates; each gets a part of the work that
    is left.
    """
    final = search.deadline
    goal = cleaned(goal, piece)

    def direct() -> ProofNode | None:
        if piece.low is not None:
            return search.prove(goal, piece, strict)
        return None

    def changed() -> ProofNode | None:
        return search.changed(goal, piece, strict)

    def logarithms() -> ProofNode | None:
        return _by_logarithms(goal, piece, strict, search)

    plan = [
        (direct, 8, 2),
        (logarithms, 5, 2),
        (changed, 5, 2),
        (direct, 8, 4),
        (changed, 8, 4),
        (direct, 10, 8),
    ]
    if piece.low is None:
        plan = [(changed, 8, 2), (changed, 8, 4), (changed, 10, 8)]
    elif _variable_exponent(relation):
        plan.insert(0, (logarithms, 5, 2))
    for attempt, search.depth, search.width in plan:
        search.failed.clear()
        search.deadline = EFFORT.spent + 2 * (final - EFFORT.spent) // 5
        try:
            node = attempt()
        except (Rejected, Undefined):
            node = None
        if node is not None:
            return node
    return None


def _variable_exponent(relation: Inequality) -> bool:
    def occurs(tree: Expression) -> bool:
        EFFORT.spend(1)
        if tree[0] == "power" and variables(tree[2]):
            return True
        return any(occurs(part) for part in tree[1:] if isinstance(part, tuple))

    return occurs(relation.left) or occurs(relation.right)


def _by_logarithms(
    goal: Poly, piece: Box, strict: bool, search: Search
) -> ProofNode | None:
    """Compare the logarithms of the positive and the negative terms."""
    first = Poly({m: c for m, c in goal.terms.items() if c > 0})
    second = first - goal
    if first.zero() or second.zero():
        return None
    return search.logarithms(first, second, piece, strict)
