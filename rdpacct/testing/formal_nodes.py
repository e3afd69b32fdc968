"""Nodes of a vertical line with formulas for the tilt and the step."""

from rdpacct.exact.formula import Real
from rdpacct.privacy.nodes import ChosenNodes
from rdpacct.proof.tactics.shipped import formulas


def one_node(tilt: Real, height: Real, given: tuple[str, ...] = ()) -> ChosenNodes:
    """The shipped nodes tilt + i m step of a vertical line, for m = 1 alone and the step
    ``height``: any node.
    """
    start, step = formulas(tilt, height, given=given)
    return ChosenNodes(start, step, [1])
