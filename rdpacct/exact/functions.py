"""The functions of formulas, each written once for symbols and for enclosures."""

from rdpacct.exact.formula import Expr, Real, apply, formula


def exp(x: Real) -> Expr:
    """The exponential."""
    return apply("exp", x)


def log(x: Real) -> Expr:
    """The natural logarithm."""
    return apply("log", x)


def sqrt(x: Real) -> Expr:
    """The square root."""
    return apply("sqrt", x)


def cbrt(x: Real) -> Expr:
    """The real cube root."""
    return apply("cbrt", x)


def absolute(x: Real) -> Expr:
    """The absolute value."""
    return apply("abs", x)


def minimum(x: Real, y: Real) -> Expr:
    """The smaller of the two."""
    return apply("min", x, y)


def maximum(x: Real, y: Real) -> Expr:
    """The larger of the two."""
    return apply("max", x, y)


def tanh(x: Real) -> Expr:
    """The hyperbolic tangent."""
    return apply("tanh", x)


def sinh(x: Real) -> Expr:
    """The hyperbolic sine."""
    return apply("sinh", x)


def cosh(x: Real) -> Expr:
    """The hyperbolic cosine."""
    return apply("cosh", x)


def cos(x: Real) -> Expr:
    """The cosine."""
    return apply("cos", x)


def sin(x: Real) -> Expr:
    """The sine."""
    return apply("sin", x)


def erf(x: Real) -> Expr:
    """The error function."""
    return apply("erf", x)


def erfc(x: Real) -> Expr:
    """The complementary error function."""
    return apply("erfc", x)


PI = apply("pi")

READABLE = {"min": 2, "max": 2} | dict.fromkeys(
    ("exp", "log", "sqrt", "cbrt", "abs", "tanh", "sinh", "cosh", "erf", "erfc"), 1
)
"""The functions that are read in a text, a number or a claim, with how many arguments they take."""


def normal_cdf(x: Real) -> Expr:
    """The probability that a standard normal variable is at most x."""
    return erfc(-formula(x) / sqrt(2)) / 2


def normal_density(x: Real, mean: Real, deviation: Real) -> Expr:
    """The density at x of a normal variable with that mean and standard deviation."""
    return exp(-(((formula(x) - mean) / deviation) ** 2) / 2) / (
        sqrt(2 * PI) * deviation
    )
