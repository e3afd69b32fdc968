"""How far the value of a query moved between two inputs, in words."""

from collections.abc import Sequence
from fractions import Fraction

from rdpacct.exact.formula import Expr, Rational
from rdpacct.privacy.relation import Sensitivity


def too_far(moves: Sequence[Fraction], declared: Sensitivity) -> str:
    """A sentence that a value moved by more than its sensitivity; empty if it did not."""
    if not declared.is_exceeded_by(moves):
        return ""
    length = declared.norm.length(moves)
    return (
        f"the value moved by {shown(length)} in {declared.norm}, more than the declared"
        f" sensitivity {shown(declared.value)}"
    )


def shown(value: Expr) -> str:
    """A number in a sentence: exact if it is rational, otherwise its enclosure."""
    return str(value if isinstance(value, Rational) else value.bound())
