"""Formulas read as symbols: the same tree as a sympy expression."""

import importlib
from collections.abc import Mapping
from typing import Any

from rdpacct.errors import NotInstalledError
from rdpacct.exact.formula import Apply, Expr, Power, Product, Rational, Sum, Symbol

_NAMES = {"abs": "Abs", "min": "Min", "max": "Max"}


def load() -> Any:
    """The module sympy."""
    try:
        return importlib.import_module("sympy")
    except ImportError:
        message = (
            "symbolic forms are built with sympy, which is not installed; install"
            " rdpacct[symbolic]."
        )
        raise NotInstalledError(message, "sympy") from None


def to_sympy(formula: Expr, symbols: Mapping[str, Any]) -> Any:
    """The sympy expression of a formula, over real symbols unless others are given by name."""
    sympy = load()
    parts = [to_sympy(part, symbols) for part in formula.parts()]
    match formula:
        case Rational(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Symbol(name):
            if name in symbols:
                return symbols[name]
            return sympy.Symbol(name, real=True)
        case Sum():
            return sympy.Add(*parts)
        case Product():
            return sympy.Mul(*parts)
        case Power():
            return parts[0] ** parts[1]
        case Apply("pi"):
            return sympy.pi
        case Apply(function):
            return getattr(sympy, _NAMES.get(function, function))(*parts)
    raise TypeError(f"{formula!r} is not a formula")
