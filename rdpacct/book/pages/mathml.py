"""Formulas as native MathML."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from unicodedata import lookup
from xml.etree.ElementTree import Element, tostring

from rdpacct.exact.formula import (
    Apply,
    Expr,
    Power,
    Product,
    Rational,
    Sum,
    Symbol,
    multiply,
    power,
)
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.terms import Expectation, Quantity

LETTERS = (
    *(
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "eta",
        "theta",
        "kappa",
        "mu",
        "nu",
    ),
    *("xi", "pi", "rho", "sigma", "tau", "phi", "omega"),
)
GREEK = {name: lookup(f"GREEK SMALL LETTER {name.upper()}") for name in LETTERS}
GREEK |= {"eps": GREEK["epsilon"], "lam": lookup("GREEK SMALL LETTER LAMDA")}
GREEK |= {"lambda": GREEK["lam"], "Delta": lookup("GREEK CAPITAL LETTER DELTA")}
MINUS = lookup("MINUS SIGN")
INVISIBLE_TIMES = lookup("INVISIBLE TIMES")
SIGNS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "==": "=", "!=": "≠"}
NAME = re.compile(r"([A-Za-z]+?)_?(\d*)")
SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly a formula holds together: a looser part stands in parentheses."""


def math(content: Expr | Comparison) -> str:
    """A formula or a relation as a MathML element, with its plain text beside it."""
    outside = Element("math", {"alttext": str(content), "displaystyle": "true"})
    if isinstance(content, Comparison):
        outside.append(_relation(content))
    else:
        outside.append(_shown(content))
    return tostring(outside, encoding="unicode")


def _relation(relation: Comparison) -> Element:
    sign = _operator(SIGNS[relation.sign])
    return _row([_shown(relation.left), sign, _shown(relation.right)])


def _shown(expr: Expr, within: int = SUM) -> Element:
    """A formula, in parentheses if it is looser than where it stands."""
    element, tightness = _element(expr)
    if tightness < within:
        return _row([_operator("("), element, _operator(")")])
    return element


def _element(expr: Expr) -> tuple[Element, int]:
    """A formula, and how tightly it holds together."""
    match expr:
        case Rational():
            return _number(expr.value)
        case Symbol():
            return _name(str(expr)), ATOM
        case Sum():
            return _sum(expr.terms), SUM
        case Product():
            return _product(expr)
        case Power():
            return _power(expr)
        case Apply():
            return _applied(expr)
        case Expectation():
            return _expectation(expr), ATOM
        case Quantity():
            return _call(_name(expr.name), expr.arguments), ATOM
        case _:
            return _leaf("mtext", str(expr)), SUM


def _number(value: Fraction) -> tuple[Element, int]:
    if value < 0:
        return _row([_operator("-"), _number(-value)[0]]), SUM
    if value.denominator == 1:
        return _leaf("mn", str(value.numerator)), ATOM
    above = _leaf("mn", str(value.numerator))
    return _over("mfrac", [above, _leaf("mn", str(value.denominator))]), PRODUCT


def _sum(terms: Sequence[Expr]) -> Element:
    """Terms with their signs; one that is not negative goes first, if there is one."""
    ordered = sorted(terms, key=_is_negative)
    parts: list[Element] = []
    for place, term in enumerate(ordered):
        negative = _is_negative(term)
        if negative or place:
            parts.append(_operator("-" if negative else "+"))
        parts.append(_shown(multiply(-1, term) if negative else term, PRODUCT))
    return _row(parts)


def _is_negative(term: Expr) -> bool:
    first = term.factors_of()[0]
    return isinstance(first, Rational) and first.value < 0


def _product(expr: Product) -> tuple[Element, int]:
    """A product, as a fraction if factors are divided by."""
    if _is_negative(expr):
        return _row([_operator("-"), _shown(multiply(-1, expr), PRODUCT)]), SUM
    above: list[Expr] = []
    below: list[Expr] = []
    for factor in expr.factors_of():
        if isinstance(factor, Rational):
            above.append(Rational(Fraction(factor.value.numerator)))
            below.append(Rational(Fraction(factor.value.denominator)))
        elif _divides(factor):
            below.append(power(factor, -1))
        else:
            above.append(factor)
    top = _without_ones(above)
    bottom = _without_ones(below)
    if not bottom:
        return _times(top), PRODUCT
    return _over("mfrac", [_times(top), _times(bottom)]), PRODUCT


def _without_ones(factors: Iterable[Expr]) -> list[Expr]:
    return [factor for factor in factors if factor != Rational(Fraction(1))]


def _divides(factor: Expr) -> bool:
    return (
        isinstance(factor, Power)
        and isinstance(factor.exponent, Rational)
        and factor.exponent.value < 0
    )


def _times(factors: Sequence[Expr]) -> Element:
    if not factors:
        return _leaf("mn", "1")
    if len(factors) == 1:
        return _shown(factors[0])
    parts: list[Element] = []
    for factor in factors:
        if parts:
            parts.append(
                _operator("·" if isinstance(factor, Rational) else INVISIBLE_TIMES)
            )
        parts.append(_shown(factor, PRODUCT))
    return _row(parts)


def _power(expr: Power) -> tuple[Element, int]:
    if _divides(expr):
        return _over("mfrac", [_leaf("mn", "1"), _shown(power(expr, -1))]), PRODUCT
    if expr.exponent == Rational(Fraction(1, 2)):
        return _over("msqrt", [_shown(expr.base)]), ATOM
    return _over("msup", [_shown(expr.base, ATOM), _shown(expr.exponent)]), POWER


def _applied(expr: Apply) -> tuple[Element, int]:
    first = expr.arguments[0] if expr.arguments else None
    if first is None:
        return _name(expr.function), ATOM
    if expr.function == "exp":
        return _over("msup", [_leaf("mi", "e"), _shown(first)]), POWER
    if expr.function == "sqrt":
        return _over("msqrt", [_shown(first)]), ATOM
    if expr.function == "cbrt":
        return _over("mroot", [_shown(first), _leaf("mn", "3")]), ATOM
    if expr.function == "abs":
        return _row([_operator("|"), _shown(first), _operator("|")]), ATOM
    return _call(_leaf("mi", expr.function), expr.arguments), ATOM


def _expectation(expr: Expectation) -> Element:
    under = _over("msub", [_leaf("mi", "E"), _leaf("mi", expr.law.label)])
    parts = [under, _operator("["), _shown(expr.body)]
    if expr.given:
        parts.append(_operator("|"))
        for place, name in enumerate(expr.given):
            if place:
                parts.append(_operator(","))
            parts.append(_name(name))
    return _row([*parts, _operator("]")])


def _call(head: Element, arguments: Sequence[Expr]) -> Element:
    parts = [head, _operator("(")]
    for place, argument in enumerate(arguments):
        if place:
            parts.append(_operator(","))
        parts.append(_shown(argument))
    return _row([*parts, _operator(")")])


def _name(text: str) -> Element:
    """A name: Greek where it spells a letter, with its digits below the line."""
    match = NAME.fullmatch(text)
    if match is None:
        return _leaf("mi", text)
    letter = _leaf("mi", GREEK.get(match[1], match[1]))
    if not match[2]:
        return letter
    return _over("msub", [letter, _leaf("mn", match[2])])


def _leaf(tag: str, text: str) -> Element:
    element = Element(tag)
    element.text = text
    return element


def _operator(sign: str) -> Element:
    return _leaf("mo", MINUS if sign == "-" else sign)


def _row(parts: Iterable[Element]) -> Element:
    return _over("mrow", parts)


def _over(tag: str, parts: Iterable[Element]) -> Element:
    element = Element(tag)
    element.extend(parts)
    return element
