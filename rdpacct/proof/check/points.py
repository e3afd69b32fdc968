"""Relations between constants: exactly where the ring can, otherwise in balls."""

from fractions import Fraction
from typing import Any

from flint import arb, ctx

from rdpacct.proof.check.balls import LADDER, constant_sign, rational_ball, working
from rdpacct.proof.check.effort import EFFORT, Rejected, transcendental
from rdpacct.proof.check.language import Expression, Inequality
from rdpacct.proof.check.normal import normal
from rdpacct.proof.check.signs import GROUND, Undefined
from rdpacct.proof.check.slots import size


def holds(relation: Inequality) -> bool:
    """A relation between constants that are both defined; an undecided one is Rejected."""
    difference = ("-", relation.left, relation.right)
    try:
        sign = constant_sign(normal(difference, GROUND).top)
    except Rejected:
        sign = _sign_by_balls(difference)
    signs = {
        "<": sign < 0,
        "<=": sign <= 0,
        ">": sign > 0,
        ">=": sign >= 0,
        "==": sign == 0,
        "!=": sign != 0,
    }
    return signs[relation.sign]


def _sign_by_balls(tree: Expression) -> int:
    for bits in LADDER:
        with working(bits):
            value = _ball(tree)
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
    raise Rejected("the sign of a constant is not decided.")


def _ball(tree: Expression) -> Any:
    """A ball around the value of an expression without variables; each part of it is certainly
    defined.
    """
    head, *parts = tree
    EFFORT.spend(2 * transcendental(ctx.prec))
    if head == "number":
        value = rational_ball(parts[0])
    elif head == "pi":
        value = arb.pi()
    elif head == "**":
        value = _power(_ball(parts[0]), parts[1])
    elif head == "power":
        value = (_ball(parts[0]).log() * _ball(parts[1])).exp()
    elif head in OPERATIONS:
        value = OPERATIONS[head](*map(_ball, parts))
    else:
        raise Rejected(f"the operation {head!r} is unknown.")
    if not value.is_finite():
        raise Rejected("a constant may be undefined.")
    return value


def _power(base: Any, exponent: Expression) -> Any:
    """A whole power of anything, and any power of what is certainly positive."""
    try:
        exact = normal(exponent, GROUND)
        whole = exact.top.constant() if not exact.bottom else None
    except (Rejected, Undefined):
        whole = None
    if whole is not None and whole.denominator == 1 and size(whole) <= 1000:
        return base ** int(whole)
    return (base.log() * _ball(exponent)).exp()


def _cube_root(value: Any) -> Any:
    third = rational_ball(Fraction(1, 3))
    if value > 0:
        return (value.log() * third).exp()
    return -((-value).log() * third).exp()


OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "negative": lambda a: -a,
    "min": lambda a, b: a.min(b),
    "max": lambda a, b: a.max(b),
    "abs": abs,
    "cbrt": _cube_root,
} | {
    name: getattr(arb, name)
    for name in (
        "exp",
        "log",
        "sqrt",
        "tanh",
        "sinh",
        "cosh",
        "erf",
        "erfc",
        "cos",
        "sin",
    )
}
