"""That a density or weights on the integers make a law, for laws without parameters: by a few
antiderivatives and by a few exponentials that dominate.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import PI, absolute, erf, exp, sqrt
from rdpacct.proof.kernel.existence import exists, exists_by
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.laws import Density, Lattice, Law
from rdpacct.proof.kernel.logic import real
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.kernel.stretch import Stretch
from rdpacct.proof.kernel.terms import Refused, at_most, below, derivative

SECONDS = 1.0
RATES = tuple(formula(Fraction(text)) for text in ("1", "1/2", "2"))
SIZES = tuple(formula(Fraction(text)) for text in ("0", "1/2", "1", "2"))


def shown(law: Law) -> Fact | None:
    """The fact that there is such a law, if it is found; the law has no parameters."""
    if law.parameters():
        return None
    if isinstance(law, Lattice):
        return _lattice(law)
    if isinstance(law, Density):
        return _density(law)
    return None


def _lattice(law: Lattice) -> Fact | None:
    n = Symbol(law.variables[0])
    for rate, size in product(RATES, SIZES):
        bound = exp(size) * exp(-rate * absolute(n))
        try:
            with searching(SECONDS):
                positive = real(below(0, law.weight))
                tail = real(at_most(law.weight, bound))
                return exists_by(law, positive, tail, rate=rate)
        except Refused:
            continue
    return None


def _density(law: Density) -> Fact | None:
    x = law.variables[0]
    for masses in product(*(_antiderivatives(piece, x) for piece in law.pieces)):
        try:
            with searching(SECONDS):
                return exists(law, mass=masses)
        except Refused:
            continue
    return None


def _antiderivatives(piece: Stretch, name: str) -> Iterator[Expr]:
    """Candidates: of constants, of exponentials of linear formulas, and of the normal density."""
    x = Symbol(name)
    density = piece.density
    if name not in density.symbols():
        yield density * x
        return
    try:
        slope = derivative(density, name) / density
    except (Refused, ZeroDivisionError):
        return
    for rate in (1, -1, formula(1) / 2, -formula(1) / 2, 2, -2):
        yield density / rate
    if slope.symbols():
        yield erf(x / sqrt(2)) / 2
        yield erf(x / sqrt(2)) * sqrt(2 * PI) * density.at(**{name: 0}) / 2
