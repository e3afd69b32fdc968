"""Relations at a point, in one variable, and on an open piece."""

from dataclasses import dataclass

from rdpacct.proof.check.balls import constant_sign
from rdpacct.proof.check.growth import GROUND
from rdpacct.proof.check.language import Rejected, Relation, parse_expression, replace, variables
from rdpacct.proof.check.normal import normal
from rdpacct.proof.check.pieces import Piece, constant, constant_value, order
from rdpacct.proof.check.ring import Ratio
from rdpacct.proof.check.rules import Node, Work, field, prove, with_facts
from rdpacct.proof.check.signs import Undefined

MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass
class Interval:
    """The values that the assumptions leave to one variable; None is infinite."""

    low: Ratio | None = None
    high: Ratio | None = None
    low_closed: bool = False
    high_closed: bool = False

    def restrict(self, sign: str, value: Ratio) -> None:
        """Take ``variable sign value`` into account; equations and inequations are dropped, which claims more."""
        closed = sign in (">=", "<=")
        if sign in (">", ">="):
            step = 1 if self.low is None else order(value, self.low)
            if step > 0 or (step == 0 and not closed):
                self.low, self.low_closed = value, closed
        elif sign in ("<", "<="):
            step = -1 if self.high is None else order(value, self.high)
            if step < 0 or (step == 0 and not closed):
                self.high, self.high_closed = value, closed


def prove_ground(node: Node, relation: Relation) -> None:
    """A relation between constants holds, or a side of it is undefined and the node says so (rule ``void``)."""
    try:
        right = holds(relation)
    except Undefined:
        if node.get("rule") == "void":
            return
        raise
    if node.get("rule") != "ground" or not right:
        raise Rejected("the relation between constants is not established.")


def prove_line(node: Node, relation: Relation, name: str, given: list[Relation], work: Work) -> None:
    """A relation in one variable: at the cuts and closed ends one by one, and on the open pieces between them."""
    domain = interval(name, given)
    if node.get("rule") != "pieces":
        raise Rejected("the proof of a relation in one variable starts with its pieces.")
    cuts = [constant(text) for text in field(node, "cuts", list)]
    children = field(node, "parts", list)
    if len(children) != len(cuts) + 1:
        raise Rejected("the number of parts does not fit the cuts.")
    ends = [domain.low, *cuts, domain.high]
    closed = [(domain.low, domain.low_closed), (domain.high, domain.high_closed)]
    for point in [*cuts, *(end for end, included in closed if end is not None and included)]:
        _point(relation, name, point)
    for low, high, child in zip(ends, ends[1:], children, strict=False):
        prove_open(child, relation, Piece(name, low, high), work)


def interval(name: str, given: list[Relation]) -> Interval:
    """The interval of a variable; only assumptions that compare it with a constant are used."""
    domain = Interval()
    for left, sign, right in given:
        if left == ("variable", name) and not variables(right):
            domain.restrict(sign, constant_value(right))
        elif right == ("variable", name) and not variables(left):
            domain.restrict(MIRROR[sign], constant_value(left))
    return domain


def _point(relation: Relation, name: str, point: Ratio) -> None:
    """The relation holds at a point, or a side of it is undefined there."""
    tree = parse_expression(point.text)
    left, right = (replace(side, name, tree) for side in (relation.left, relation.right))
    try:
        values = normal(left, GROUND), normal(right, GROUND)
    except Undefined:
        return
    if not _compare(constant_sign((values[0] - values[1]).top), relation.sign):
        raise Rejected("the relation fails at a point.")


def _compare(sign: int, relation: str) -> bool:
    return {"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0, "==": sign == 0, "!=": sign != 0}[relation]


def holds(relation: Relation) -> bool:
    """A relation between constants that are both defined; an undecided one is Rejected."""
    return _compare(constant_sign((normal(relation.left, GROUND) - normal(relation.right, GROUND)).top), relation.sign)


def prove_open(node: object, relation: Relation, piece: Piece, work: Work) -> None:
    """The relation holds on an open piece, or a side of it is undefined on all of it (rule ``void``)."""
    if not isinstance(node, dict):
        raise Rejected("a node of a proof is a dictionary.")
    piece = with_facts(node, piece, work)
    rule = node.get("rule")
    try:
        difference = normal(relation.right, piece.signs) - normal(relation.left, piece.signs)
    except Undefined:
        if rule == "void":
            return
        raise
    if rule != "piece":
        raise Rejected(f"the rule {str(rule)[:40]!r} does not fit an open piece.")
    goal = difference.top
    if relation.sign == "==":
        if not goal.zero():
            raise Rejected("the two sides are not identical.")
        return
    if relation.sign == "!=":
        direction = field(node, "sign", int)
        if direction not in (1, -1):
            raise Rejected("a sign is 1 or -1.")
        prove(node.get("proof"), goal.scaled(direction), piece, True, work)
        return
    goal = goal if relation.sign in ("<", "<=") else goal.scaled(-1)
    prove(node.get("proof"), goal, piece, relation.sign in ("<", ">"), work)
