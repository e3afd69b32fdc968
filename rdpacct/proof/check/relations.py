"""The values that assumptions leave to a variable, and relations on an open piece."""

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq_poly

from rdpacct.proof.check.effort import EFFORT, Rejected
from rdpacct.proof.check.language import (
    Expression,
    Inequality,
    parse_expression,
    variables,
)
from rdpacct.proof.check.normal import normal
from rdpacct.proof.check.pieces import ZERO, Box, constant_value, order
from rdpacct.proof.check.ring import Poly, Ratio, univariate
from rdpacct.proof.check.rules import Work, field, prove, rule_of, with_facts
from rdpacct.proof.check.signs import Signs, Undefined
from rdpacct.proof.check.slots import variable_slot, whole

MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass
class Interval:
    """The values that the assumptions leave to one variable; None is infinite."""

    low: Ratio | None = None
    high: Ratio | None = None
    low_closed: bool = False
    high_closed: bool = False

    def restrict(self, sign: str, value: Ratio) -> None:
        """Take ``variable sign value`` into account; equations and inequations are dropped, which
        claims more.
        """
        closed = sign in (">=", "<=")
        if sign in (">", ">="):
            step = 1 if self.low is None else order(value, self.low)
            if step > 0 or (step == 0 and not closed):
                self.low = value
                self.low_closed = closed
        elif sign in ("<", "<="):
            step = -1 if self.high is None else order(value, self.high)
            if step < 0 or (step == 0 and not closed):
                self.high = value
                self.high_closed = closed

    def positive(self) -> bool:
        """All values are positive."""
        return self.low is not None and order(self.low, ZERO) >= (
            1 if self.low_closed else 0
        )

    def closed_ends(self) -> list[Ratio]:
        """The ends that belong to the interval."""
        ends = ((self.low, self.low_closed), (self.high, self.high_closed))
        return [end for end, closed in ends if end is not None and closed]


def both_ways(given: list[Inequality]) -> list[Inequality]:
    """The relations, and the same ones read from right to left."""
    EFFORT.spend(2 * len(given))
    return [
        *given,
        *(Inequality(right, MIRROR[sign], left) for left, sign, right in given),
    ]


def solved(given: list[Inequality]) -> list[Inequality]:
    """The relations both ways, and then those in which a variable is linear, solved for it.

    A solution is a sum of terms that are defined for all values of the variables, so that it is
    where the relation is.
    """
    rows = both_ways(given)
    for left, sign, right in given:
        try:
            value = normal(("-", left, right), Signs())
        except (Rejected, Undefined):
            continue
        for name in sorted(value.top.variables()):
            alone = ((variable_slot(name), 1),)
            factor = value.top.terms.get(alone)
            rest = Poly(
                {
                    monomial: c
                    for monomial, c in value.top.terms.items()
                    if monomial != alone
                }
            )
            if factor and not value.bottom and name not in rest.variables():
                tree = parse_expression(rest.scaled(-1 / Fraction(factor)).text)
                row = Inequality(
                    ("variable", name), sign if factor > 0 else MIRROR[sign], tree
                )
                EFFORT.spend(len(rows))
                rows += [row] if row not in rows else []
    return rows


def interval(name: str, given: list[Inequality]) -> Interval:
    """The interval of a variable, from the assumptions that compare it, or a linear function of it,
    with a constant.
    """
    domain = Interval()
    for left, sign, right in both_ways(given):
        if left == ("variable", name) and not variables(right):
            domain.restrict(sign, constant_value(right))
        elif {name} == variables(left) | variables(right):
            line = _line(("-", left, right), name)
            if line is not None and line.degree() == 1:
                root = -line[0] / line[1]
                value = Ratio(Poly.number(whole(Fraction(int(root.p), int(root.q)))))
                domain.restrict(sign if line[1] > 0 else MIRROR[sign], value)
    return domain


def _line(tree: Expression, name: str) -> fmpq_poly | None:
    """An expression as a polynomial in the variable over the rationals, if it is one without
    further ado.
    """
    try:
        value = normal(tree, Signs())
    except (Rejected, Undefined):
        return None
    if value.bottom:
        return None
    return univariate(value.top, name)


def prove_open(node: object, relation: Inequality, piece: Box, work: Work) -> None:
    """The relation holds on an open piece, or a side of it is undefined on all of it (rule
    ``void``).
    """
    if not isinstance(node, dict):
        raise Rejected("a node of a proof is a dictionary.")
    piece = with_facts(node, piece, work)
    rule = node.get("rule")
    try:
        difference = normal(relation.right, piece.signs) - normal(
            relation.left, piece.signs
        )
    except Undefined:
        if rule == "void":
            return
        raise
    if rule != "piece":
        raise Rejected(f"the rule {rule_of(node)!a} does not fit an open piece.")
    work.spoken = True
    goal = difference.top
    if relation.sign == "==":
        if not goal.zero():
            raise Rejected("the two sides are not identical.")
        return
    direction = 1 if relation.sign in ("<", "<=") else -1
    if relation.sign == "!=":
        direction = field(node, "sign", int)
        if direction not in (1, -1):
            raise Rejected("a sign is 1 or -1.")
    prove(
        node.get("proof"),
        goal.scaled(direction),
        piece,
        relation.sign in ("<", ">", "!="),
        work,
    )
