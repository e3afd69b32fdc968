"""Remedies for mistakes in plans and claims: what the writer most likely meant."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

NOTHING: Mapping[str, Sequence[str]] = MappingProxyType({})

FUNCTIONS = (
    *("exp", "log", "sqrt", "cbrt", "abs", "min", "max"),
    *("tanh", "sinh", "cosh", "erf", "erfc", "pi"),
)
"""The names of numbers and of functions of numbers."""

CHARACTERS = {
    ".": (
        "a point stands in decimals alone; write names without one, and the plan of a"
        " file into .toml or .json"
    ),
    "^": "write a power with **, as in 10**-6, or 1e-6",
    "%": "write a percentage as a fraction, as in 0.01 for 1 percent",
    ";": "join releases with +, and arguments with a comma",
    "&": "join releases with +",
    ":": "write a parameter as in sigma=1",
    "{": "write lists in [ ]",
    "}": "write lists in [ ]",
    '"': "write names and numbers without quotes",
    "'": "write names and numbers without quotes",
    "<": "write a parameter as in epsilon=1",
    ">": "write a parameter as in epsilon=1",
    "\u2264": "write a parameter as in epsilon=1",
    "\u00d7": "write a product with *",
    "\u00b7": "write a product with *",
    "\u22c5": "write a product with *",
    "\u2212": "write a minus sign as -",
    "\u2013": "write a minus sign as -",
    "\u221a": "write a root as sqrt(2)",
    "\u221e": "a number is finite",
}
"""What to write in place of a character."""

PLAIN = "use names, numbers and + - * / ** ( ) , = [ ] only"


CLAIM = "write a guarantee with its parameters by name, as in ApproxDP(epsilon=1, delta=1e-5)"
REPEAT = "repeat a release with *, as in 1000*Gaussian(sigma=1)"
JOIN = "join releases with +"
JOINING = ("and", "plus", "then", "with")
TIMES = re.compile(r"[xX](\d*)|times")
"""What is written for a product by mistake."""


def for_character(character: str, before: str = "", what: str = "plan") -> str:
    """What to write in place of a character that has no meaning; ``before`` is the text before
    it.
    """
    if what == "claim" and character in "<>\u2264\u2265":
        return CLAIM
    if character == "^" and before.rstrip().endswith(")"):
        return REPEAT
    if character in CHARACTERS:
        return CHARACTERS[character]
    name = unicodedata.name(character, "")
    if name.startswith("GREEK SMALL LETTER "):
        return f"spell Greek letters out, here {name.split()[3].lower()}"
    return PLAIN


def for_token(before: tuple[str, str], token: tuple[str, str], what: str) -> str:
    """What to write in place of a token that does not fit; both are a kind and a text."""
    kind, text = token
    if what == "claim" and text in (",", "="):
        return CLAIM
    if text == ",":
        return _for_comma(before[0], what)
    if text == "=":
        return "write a parameter inside of a mechanism, as in Gaussian(sigma=1)"
    if text == "[" and before[0] == "name":
        return f"write the parameters in ( ), as in {before[1]}(...)"
    if text in (")", "]"):
        return "leave it out, or open it before"
    if kind == "name":
        return _for_name(before, text)
    if kind == "number" and before[0] == "number":
        return "write a number without spaces, as in 1000"
    if kind == "number" and before[0] == "name":
        return f"write a parameter as in {before[1]}={text}"
    return "correct it"


def _for_comma(before: str, what: str) -> str:
    if what not in ("plan", "claim"):
        return "write a decimal with a point, as in 0.001"
    if before == "number":
        return f"write 1000 without a comma and 0.5 with a point, and {JOIN}"
    return JOIN


def _for_name(before: tuple[str, str], text: str) -> str:
    """What to write in place of a name that does not fit."""
    kind, word = before
    if text.lower() in JOINING or (word == ")" and not TIMES.fullmatch(text)):
        return JOIN
    if TIMES.fullmatch(text):
        return REPEAT
    if kind == "number" and text.startswith("_"):
        return "write a number without underscores, as in 1000"
    if kind == "number" and (text[0].isupper() or text in FUNCTIONS):
        return f"write a product with *, as in {word}*{text}"
    if kind == "number":
        return f"write the number {word} alone, without a unit"
    if kind == "name":
        return f"write the parameters in ( ), as in {word}({text}=...)"
    return "correct it"


def for_end(wanted: str) -> str:
    """What to write where a text ends too early."""
    if wanted in ("')'", "']'"):
        return f"close what is open with {wanted}"
    return "complete it"


def did_you_mean(
    name: str, known: Iterable[str], also_called: Mapping[str, Sequence[str]] = NOTHING
) -> str | None:
    """The known name that is nearest to an unknown one; None if none is near.

    Some of them have other names, which are given with each.
    """
    folded = _folded(name)
    meant = [
        other for other, names in also_called.items() if folded in map(_folded, names)
    ]
    if meant:
        return " or ".join(meant)
    by_folded = {other.lower(): other for other in known}
    begun = [other for other in by_folded if other.startswith(folded)]
    if len(folded) > 2 and len(begun) == 1:
        return by_folded[begun[0]]
    import difflib

    near = difflib.get_close_matches(folded, by_folded, n=1, cutoff=0.65)
    return by_folded[near[0]] if near else None


def _folded(name: str) -> str:
    """A name in small letters without underscores."""
    return name.replace("_", "").lower()


def for_parameter(name: str, known: Iterable[str], instead: Mapping[str, str]) -> str:
    """What to write in place of an unknown parameter, as the end of a sentence; empty if no remedy
    is known, by the parameters that others take in its place or by a near name.
    """
    if name in instead:
        return f"; {instead[name]}."
    near = did_you_mean(name, known)
    return f"; did you mean {near}?" if near else ""
