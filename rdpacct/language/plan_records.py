"""What a plan says, as it is written: releases, parts and claims, with trees of the grammar."""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rdpacct.language.grammar import Node, NumberNode

READ = (".toml", ".json")
"""Endings of the files that are read."""
ONCE = NumberNode(Fraction(1))
"""The count of a release that does not say how often it is run."""


class WrittenSensitivity(NamedTuple):
    """How far a query may move, apart from the scale of the noise, with what is said about it."""

    value: Node
    norm: str = ""
    relation: str = ""
    query: str = ""


@dataclass(frozen=True, slots=True)
class WrittenRelease:
    """A release: what is run, how often, and what is said about it."""

    place: str
    once: Node | None = None
    """What is run once; None for a release on disjoint parts."""
    promised: bool = False
    """What is run is not known, and only the guarantee that it keeps."""
    count: Node = ONCE
    sensitivity: WrittenSensitivity | None = None
    parts: "tuple[WrittenPart, ...]" = ()
    name: str = ""
    date: str = ""
    by: str = ""
    note: str = ""


class WrittenPart(NamedTuple):
    """One of several disjoint parts of the data, with the releases on it."""

    place: str
    releases: tuple[WrittenRelease, ...]
    name: str = ""
    note: str = ""


class WrittenClaim(NamedTuple):
    """A guarantee that the plan is said to have."""

    place: str
    guarantee: Node
    text: str
    """What is written there, or what a table or a list is called in a sentence."""
    name: str = ""
    by: str = ""
    note: str = ""


class WrittenPlan(NamedTuple):
    """All that a plan file says."""

    releases: tuple[WrittenRelease, ...]
    listed: bool = False
    """The releases are listed one by one, and not written as one expression."""
    relation: str | None = None
    unit: str = ""
    contributions: int = 1
    claims: tuple[WrittenClaim, ...] = ()
    title: str = ""
    note: str = ""
