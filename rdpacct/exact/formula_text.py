"""Formulas read as text: sums, products, powers and functions as a reader writes them."""

from rdpacct.exact.formula import (
    Apply,
    Expr,
    Power,
    Product,
    Rational,
    Sum,
    Symbol,
    formula,
    multiply,
    power,
)

INVERSE = formula(-1)


def text_of(expr: Expr) -> str:
    """The text of a formula that is made of others; a number and a symbol have their own."""
    match expr:
        case Sum(terms):
            return " + ".join(map(str, terms)).replace("+ -", "- ")
        case Product():
            return _product(expr)
        case Power(base, exponent):
            return _power(base, exponent)
        case Apply(function, arguments):
            if arguments:
                return f"{function}({', '.join(map(str, arguments))})"
            return function
    raise NotImplementedError(f"a {type(expr).__name__} has no text")


def _product(expr: Product) -> str:
    first = expr.factors[0]
    sign = "-" if isinstance(first, Rational) and first.value < 0 else ""
    factors = multiply(-1, expr).factors_of() if sign else expr.factors
    above = [factor for factor in factors if not _is_inverse(factor)]
    below = [power(factor, -1) for factor in factors if _is_inverse(factor)]
    over = "*".join(map(_in_product, above)) or "1"
    return sign + "/".join([over, *map(_in_product, below)])


def _power(base: Expr, exponent: Expr) -> str:
    if exponent == INVERSE:
        return f"1/{_in_product(base)}"
    whole = (
        isinstance(exponent, Rational)
        and exponent.value.denominator == 1
        and exponent.value > 0
    )
    raised = str(exponent) if whole else _in_power(exponent)
    return f"{_in_power(base)}**{raised}"


def _in_power(side: Expr) -> str:
    """The text of a base or an exponent, in parentheses unless it is one word."""
    return str(side) if isinstance(side, Symbol | Apply) else f"({side})"


def _is_inverse(factor: Expr) -> bool:
    return isinstance(factor, Power) and factor.exponent == INVERSE


def _in_product(factor: Expr) -> str:
    """The text of a factor, in parentheses if it would fall apart."""
    loose = isinstance(factor, Sum | Product) or (
        isinstance(factor, Rational) and "/" in str(factor)
    )
    return f"({factor})" if loose else str(factor)
