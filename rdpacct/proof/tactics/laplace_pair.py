"""The pair of the Laplace mechanism: noise of scale 1 around ``s`` and around 0, and the loss of an output."""

from itertools import pairwise

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import absolute, exp
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import Density, Fact, Piece, integrate

x, s = Symbol("output"), Symbol("s")
LOSS = absolute(x) - absolute(x - s)
LEFT, RIGHT = exp(x - s) / 2, exp(s - x) / 2
"""The density around s, and its antiderivatives but for a sign."""


def around(*cuts: Real) -> Density:
    """The Laplace law of scale 1 around s, cut at 0, at s and at points between them."""
    ends: list[Expr | None] = [None, *map(formula, (0, *cuts)), s]
    left = tuple(Piece(low, high, LEFT) for low, high in pairwise(ends))
    return Density("P", ("output",), (), (*left, Piece(s, None, RIGHT)))


def average(law: Density, body: Expr, *antiderivatives: Expr, given: tuple[str | Comparison, ...]) -> Fact:
    """E[body], from antiderivatives of body times density on each piece."""
    mass = (*(LEFT for _ in law.pieces[1:]), -RIGHT)
    return integrate(law, body, antiderivatives, mass, *given)
