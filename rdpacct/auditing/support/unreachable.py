"""Certificates of outputs that one data set has and its neighbor never has, and their check."""

import math
from dataclasses import dataclass
from typing import Any

from rdpacct.auditing.support.chosen_source import GRID_BITS, MOST_OPTIONS
from rdpacct.auditing.support.doubles import is_a_sum
from rdpacct.auditing.support.inversion import (
    LAST,
    MOST_WINDOW,
    OneUniform,
    Straddle,
    hexadecimal,
    whole_numbers,
)
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.proof.check import Rejected

SUM, INVERSION = "sum", "inversion"
ENTRIES = {
    SUM: {"value", "noise", "neighbor"},
    INVERSION: {"bits", "choices", "uniform", "straddles", "window"},
}
"""What certificates of the two kinds have beside the output."""


@dataclass(frozen=True)
class UnreachableOutput:
    """A double that is an output on one data set, and never one on the other."""

    output: float
    how: str
    """Why it is never one, in words, in which the data set that has it is D."""
    entries: dict[str, Any]
    turned: bool = False
    """It is the second of the given data sets that has it."""

    def certificate(self) -> dict[str, Any]:
        """All that ``check_unreachable`` needs beside the code, for JSON."""
        output = self.output.hex()
        return {"unreachable": output, "turned": self.turned, **self.entries}

    def __str__(self) -> str:
        second = ", where D is the second data set" if self.turned else ""
        return f"{self.output!r}: {self.how}{second}"


def by_sum(value: float, noise: float, neighbor: float) -> UnreachableOutput:
    """An output ``value + noise`` that no double makes of the neighbor's value."""
    output = value + noise
    how = (
        f"it is {value!r} + {noise!r} on D, and no double added to {neighbor!r} gives"
        " it on D'"
    )
    entries = {
        "kind": SUM,
        "value": value.hex(),
        "noise": noise.hex(),
        "neighbor": neighbor.hex(),
    }
    return UnreachableOutput(output, how, entries)


def by_inversion(
    output: float,
    choices: tuple[int, ...],
    uniform: int,
    straddles: list[Straddle],
    window: int,
) -> UnreachableOutput:
    """An output of one uniform number that all uniform numbers on the neighbor jump over."""
    nearest = min(straddles, key=lambda each: each.high - each.low or math.inf)
    how = (
        f"it is the output on D for the uniform number {uniform}/2**{GRID_BITS}; on D'"
        f" those for {nearest.below} and {nearest.above} are {nearest.low!r} and"
        f" {nearest.high!r}, with none between"
    )
    entries = {
        "kind": INVERSION,
        "bits": GRID_BITS,
        "choices": list(choices),
        "uniform": uniform,
        "straddles": [straddle.entries() for straddle in straddles],
        "window": window,
    }
    return UnreachableOutput(output, how, entries)


def check_unreachable(
    certificate: Any,
    mechanism: Any = None,
    x: Any = None,
    x_neighbor: Any = None,
    *,
    source: Any = None,
) -> str:
    """What a certificate shows, in a sentence; ``Rejected`` says what is wrong with it.

    A certificate of a sum is checked by itself. One of an inversion needs the mechanism and the two
    data sets, which are run again.
    """
    kind = _kind(certificate)
    output = _double(certificate, "unreachable")
    if kind == SUM:
        return _checked_sum(certificate, output)
    if mechanism is None:
        raise InputError(
            "the certificate is about running code; call check_unreachable with the"
            " mechanism and its two data sets."
        )
    first, second = (x_neighbor, x) if certificate["turned"] else (x, x_neighbor)
    return _checked_inversion(
        certificate,
        output,
        OneUniform(mechanism, first, source),
        OneUniform(mechanism, second, source),
    )


def _checked_sum(certificate: dict[str, Any], output: float) -> str:
    value = _double(certificate, "value")
    noise = _double(certificate, "noise")
    neighbor = _double(certificate, "neighbor")
    if value + noise != output:
        raise Rejected(f"the output is not {value!r} + {noise!r}")
    if is_a_sum(neighbor, output):
        raise Rejected(f"some double added to {neighbor!r} gives {output!r}")
    return (
        f"{output!r} is {value!r} + {noise!r}, and no double added to {neighbor!r}"
        " gives it"
    )


def _checked_inversion(
    certificate: dict[str, Any], output: float, on_x: OneUniform, on_other: OneUniform
) -> str:
    if certificate["bits"] != GRID_BITS:
        raise Rejected(f"uniform doubles have {GRID_BITS} bits")
    choices = whole_numbers(certificate["choices"], MOST_OPTIONS)
    [uniform] = whole_numbers([certificate["uniform"]], LAST)
    [window] = whole_numbers([certificate["window"]], MOST_WINDOW)
    if choices not in on_x.paths() or on_x.output(choices, uniform) != output:
        raise Rejected(f"the code does not give {output!r} as the certificate says")
    if not isinstance(certificate["straddles"], list):
        raise Rejected("the straddles are not a list")
    given = [Straddle.of(entries) for entries in certificate["straddles"]]
    if sorted(straddle.choices for straddle in given) != on_other.paths():
        raise Rejected("the certificate does not have all random choices of the code")
    for straddle in given:
        on_other.confirm(straddle, output, window)
    return (
        f"{output!r} is an output on one data set, and none on the other, where outputs"
        " jump over it"
    )


def _kind(certificate: Any) -> str:
    if not isinstance(certificate, dict) or "unreachable" not in certificate:
        told = shorten(repr(certificate))
        raise Rejected(f"{told} is not a certificate of an unreachable output")
    kind = certificate.get("kind")
    if kind not in (SUM, INVERSION):
        raise Rejected(f"the kind {shorten(repr(kind))} is not known")
    if set(certificate) != {"unreachable", "turned", "kind", *ENTRIES[kind]}:
        raise Rejected("the certificate has other entries than one of its kind")
    return str(kind)


def _double(certificate: dict[str, Any], name: str) -> float:
    """A finite double of a certificate, which has it as a hexadecimal text."""
    number = hexadecimal(certificate[name])
    if not math.isfinite(number):
        raise Rejected(f"{name} is not a finite double")
    return number
