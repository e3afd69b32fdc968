"""A privacy loss as symbols: its atoms and densities as sympy expressions, and what sympy derives
from them.
"""

from dataclasses import dataclass
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.symbols import load
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import LOSS, Atom, Edge, Piece


@dataclass(frozen=True)
class SymbolicLoss:
    """The law of a loss in sympy: atoms as (mass, loss), pieces as (density, low, high) in the
    variable ``loss``.
    """

    variable: Any
    atoms: tuple[tuple[Any, Any], ...]
    pieces: tuple[tuple[Any, Any, Any], ...]
    at_infinity: Any

    def expectation(self, function: Any) -> Any:
        """The expectation of an expression in ``variable``, on the losses that are finite."""
        sympy = load()
        total = sum(
            (mass * function.subs(self.variable, loss) for mass, loss in self.atoms),
            start=sympy.Integer(0),
        )
        for density, low, high in self.pieces:
            total += sympy.integrate(
                sympy.expand(density * function), (self.variable, low, high)
            )
        return total

    def mean(self) -> Any:
        """The expectation of the loss."""
        return self.expectation(self.variable)

    def moment(self, rate: Any) -> Any:
        """The expectation of exp(rate * loss)."""
        return self.expectation(load().exp(rate * self.variable))

    def renyi(self, order: Any) -> Any:
        """The Renyi divergence of an order other than 1."""
        return load().log(self.moment(order - 1)) / (order - 1)


def symbolic(loss: PrivacyLoss, **symbols: Any) -> SymbolicLoss:
    """The loss in sympy; parameters left open in its formulas are real symbols, unless others are
    given by name.
    """
    if not isinstance(loss, PrivacyLoss):
        raise InputError(
            f"a {type(loss).__name__} has no symbolic form, as it is not made of parts; ask it"
            " for numbers instead, or take the loss of one release."
        )
    sympy = load()
    variable = sympy.Symbol(LOSS.name, real=True)
    known = {LOSS.name: variable, **symbols}

    def end(edge: Edge) -> Any:
        if isinstance(edge, Expr):
            return edge.sympy(**known)
        return sympy.oo * (1 if edge > 0 else -1)

    atoms = []
    pieces = []
    for part in loss.parts:
        if isinstance(part, Atom):
            atoms.append((part.p.sympy(**known), part.loss.sympy(**known)))
        elif isinstance(part, Piece):
            pieces.append((part.density.sympy(**known), end(part.low), end(part.high)))
        else:
            raise InputError(
                f"a loss with a {type(part).__name__} has no symbolic form; ask it for"
                " numbers instead."
            )
    return SymbolicLoss(
        variable, tuple(atoms), tuple(pieces), loss.at_infinity.sympy(**known)
    )
