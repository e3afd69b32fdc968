"""The rules for boxes of several variables: one that does not occur, faces, and the floor of a
valley.
"""

from rdpacct.proof.check.effort import Rejected
from rdpacct.proof.check.normal import substitute
from rdpacct.proof.check.pieces import Box
from rdpacct.proof.check.ring import Poly, Ratio
from rdpacct.proof.check.rules import (
    Node,
    Rule,
    Work,
    field,
    polynomial,
    prove,
    slope_of,
    with_facts,
)
from rdpacct.proof.check.signs import Undefined
from rdpacct.proof.check.slots import variable_slot


def focus(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """The goal does not depend on some of the variables; they are forgotten."""
    prove(node.get("proof"), goal, piece.projected(goal.variables()), strict, work)


def on_face(poly: Poly, piece: Box, value: Ratio, face: Box) -> Poly:
    """The numerator of a polynomial where the variable has a value that depends on the other
    variables only.
    """
    try:
        return substitute(poly, piece.name, value, face.signs).top
    except Undefined as error:
        raise Rejected(f"a polynomial is undefined on a face: {error}.") from None


def along(node: Node, piece: Box, work: Work) -> tuple[Box, Poly, Box]:
    """The box seen along one of its variables, a weight that is positive on it, and the box of the
    other variables.
    """
    piece = piece.turned(field(node, "variable", str))
    if not piece.others:
        raise Rejected("a face or a valley needs several variables; use a chain.")
    weight = polynomial(node.get("weight"), piece)
    prove(node.get("weight_proof"), weight, piece, True, work)
    return piece, weight, with_facts(node, piece.projected(set(piece.others)), work)


def face(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """goal/weight is monotone in one variable, and not negative on the face of the box where the
    variable starts.
    """
    piece, weight, side = along(node, piece, work)
    direction = field(node, "direction", int)
    end = piece.low if direction == 1 else piece.high
    if direction not in (1, -1) or end is None:
        raise Rejected("a face is a finite end of a variable.")
    prove(
        node.get("face_weight_proof"),
        on_face(weight, piece, end, side),
        side,
        True,
        work,
    )
    prove(node.get("face_proof"), on_face(goal, piece, end, side), side, False, work)
    prove(
        node.get("proof"),
        slope_of(goal, weight, piece.name).scaled(direction),
        piece,
        strict,
        work,
    )


def valley(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """goal/weight falls in one variable until a floor that depends on the others, then rises; not
    negative there.
    """
    piece, weight, side = along(node, piece, work)
    floor = polynomial(node.get("floor"), side)
    for end, key, sign in ((piece.low, "low_proof", 1), (piece.high, "high_proof", -1)):
        if end is not None:
            prove(
                node.get(key), (Ratio(floor) - end).top.scaled(sign), side, True, work
            )
    prove(
        node.get("face_proof"),
        on_face(goal, piece, Ratio(floor), side),
        side,
        strict,
        work,
    )
    rise = slope_of(goal, weight, piece.name) * (
        Poly.slot(variable_slot(piece.name)) - floor
    )
    prove(node.get("proof"), rise, piece, False, work)


BOX_RULES: dict[str, Rule] = {"focus": focus, "face": face, "valley": valley}
