"""The entries of a certificate: exact numbers, counts and names, within limits."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rdpacct.proof.check.effort import Rejected

NUMBER = re.compile(
    r"-?\d{1,60}(\.\d{1,60})?(e-?\d{1,3})?|-?\d{1,200}/\d{1,200}", re.ASCII
)
MAX_COUNT = 10**18
Values = Mapping[str, Any]
"""The entries of an object of a certificate."""


def exactly(entries: object, keys: set[str], what: str) -> Values:
    """The entries of an object that has these and no others."""
    if not isinstance(entries, dict) or set(entries) != keys:
        names = ", ".join(sorted(keys))
        raise Rejected(f"the entries of {what} are {names} and no others.")
    return entries


def number(given: object, what: str) -> Fraction:
    """An exact rational number, from a text such as 0.8, 1e-6 or 1/3."""
    if not isinstance(given, str) or NUMBER.fullmatch(given) is None:
        raise Rejected(f"{what} is not written as a decimal or a fraction.")
    try:
        return Fraction(given)
    except ZeroDivisionError:
        raise Rejected(f"{what} has the denominator zero.") from None


def positive(given: object, what: str) -> Fraction:
    """A number above zero."""
    value = number(given, what)
    if value <= 0:
        raise Rejected(f"{what} is not positive.")
    return value


def probability(given: object, what: str) -> Fraction:
    """A number from zero to one."""
    value = number(given, what)
    if not 0 <= value <= 1:
        raise Rejected(f"{what} is not between 0 and 1.")
    return value


def whole(given: object, what: str, least: int, most: int) -> int:
    """A whole number within limits."""
    if type(given) is not int or not least <= given <= most:
        raise Rejected(f"{what} is not a whole number from {least} to {most}.")
    return given


def one_line(given: object, what: str, most: int) -> str:
    """A text that can be printed in a line, so that it cannot pass for a line of the checker."""
    if not isinstance(given, str) or not 0 < len(given) <= most:
        raise Rejected(f"{what} is not described in a text.")
    if not given.isprintable():
        raise Rejected(f"{what} is described in a text that is not one printable line.")
    return given


def known_format(entries: Values, name: str) -> None:
    """Refuse another format, and another version than the number 1."""
    if entries["format"] != name or entries["version"] != 1:
        raise Rejected("only version 1 of the format is known.")
    whole(entries["version"], "the version", 1, 1)
