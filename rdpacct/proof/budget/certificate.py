"""The certificate of a budget: what it says, and whether the numbers bear it out."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from rdpacct.proof.budget.lattice import THEOREMS as LATTICE_THEOREMS
from rdpacct.proof.budget.lattice import LatticeSum, lattice_of
from rdpacct.proof.budget.line import (
    LOWER_THEOREMS,
    Counted,
    LineSum,
    profile_on,
    read_line,
)
from rdpacct.proof.budget.line import THEOREMS as LINE_THEOREMS
from rdpacct.proof.budget.pairs import ball
from rdpacct.proof.budget.reading import (
    Values,
    exactly,
    known_format,
    number,
    probability,
    whole,
)
from rdpacct.proof.budget.releases import CertifiedRelease, Orientation, read_releases
from rdpacct.proof.check.effort import EFFORT, LOCK, Rejected

FORMAT = "rdpacct-budget"
MAX_WORK = 7_000_000
MAX_SECONDS = 120.0
"""What one check may cost, in units of work and, as a net under these, in seconds of processor
time.
"""
ENTRIES = {
    *("format", "version", "relation", "releases"),
    *("delta", "epsilon", "bits", "ways"),
}


@dataclass(frozen=True)
class CertifiedBudget:
    """What an accepted certificate establishes: between which numbers the epsilon of a plan is."""

    releases: tuple[str, ...]
    assumes: tuple[str, ...]
    """What these take for granted beyond their parameters."""
    relation: str
    delta: Fraction
    least: Fraction | None
    """At most the smallest epsilon; None if nothing is said about it."""
    most: Fraction
    """At least the smallest epsilon."""
    rests_on: tuple[str, ...]
    """The theorems of the book whose formulas were evaluated."""


def check_budget(certificate: object) -> CertifiedBudget:
    """What a certificate establishes that is right; anything else is ``Rejected``."""
    with following():
        return _check(certificate)


@contextmanager
def following(bits: int = 64) -> Iterator[None]:
    """Check within, at this precision until another is set: alone, with a bound on the work.

    What goes wrong within is a rejection.
    """
    # The backend's precision is shared by all threads.
    with LOCK:
        before = ctx.prec
        try:
            ctx.prec = bits
            with EFFORT.allowed(MAX_WORK, MAX_SECONDS):
                yield
        except Rejected:
            raise
        except (
            ArithmeticError,
            LookupError,
            MemoryError,
            RecursionError,
            TypeError,
            ValueError,
        ) as error:
            raise Rejected(
                f"the certificate cannot be followed: {type(error).__name__}."
            ) from None
        finally:
            ctx.prec = before


def read_directions(certificate: Values) -> "list[OneDirection]":
    """What the checker computes for the directions of a certificate, for upper ends only."""
    releases = read_releases(certificate["releases"], certificate["relation"])
    return [
        OneDirection(releases, removing, data, lower=False)
        for removing, data in _ways(certificate["ways"], releases)
    ]


def _check(certificate: object) -> CertifiedBudget:
    entries = exactly(certificate, ENTRIES, "the certificate of a budget")
    known_format(entries, FORMAT)
    ctx.prec = whole(entries["bits"], "the number of bits", 64, 2048)
    releases = read_releases(entries["releases"], entries["relation"])
    delta = probability(entries["delta"], "delta")
    ends = exactly(entries["epsilon"], {"least", "most"}, "epsilon")
    most = number(ends["most"], "the upper end of epsilon")
    if most < 0:
        raise Rejected("the upper end of epsilon is negative.")
    least = None
    if ends["least"] is not None:
        least = number(ends["least"], "the lower end of epsilon")
        if not least <= most:
            raise Rejected("the lower end of epsilon is above the upper one.")
    used: set[str] = {"composition/dominating-pairs"}
    needed = False
    for removing, data in _ways(entries["ways"], releases):
        sides = OneDirection(releases, removing, data, least is not None)
        used.update(sides.theorems)
        if not sides.at_most(most, delta):
            raise Rejected(
                f"delta at the upper end of epsilon is not shown to be at most {delta}"
                f" for {'removing' if removing else 'adding'} a record."
            )
        if least is not None and not needed:
            needed = sides.above(least, delta)
    if least is not None and least > 0 and not needed:
        raise Rejected(
            f"delta at the lower end of epsilon is not shown to exceed {delta}."
        )
    return CertifiedBudget(
        tuple(map(str, releases)),
        tuple(said for release in releases for said in release.assumes),
        str(entries["relation"]),
        delta,
        least,
        most,
        tuple(sorted(used)),
    )


def _ways(given: object, releases: list[CertifiedRelease]) -> list[tuple[bool, Values]]:
    """The directions of a certificate: both, or one if all losses are the same in both."""
    if not any(release.kind.oriented for release in releases):
        return [(True, exactly(given, {"either"}, "the ways")["either"])]
    both = exactly(given, {"removing", "adding"}, "the ways")
    return [(True, both["removing"]), (False, both["adding"])]


class OneDirection:
    """One direction: the profile of the finite losses, and the mass of infinite ones."""

    def __init__(
        self,
        releases: list[CertifiedRelease],
        removing: bool,
        data: Values,
        lower: bool,
    ) -> None:
        if not isinstance(data, dict):
            raise Rejected("a way is not an object.")
        way = _way(data, removing)
        pairs: Counted = [
            (release.kind.pair(release.values, way), release.count)
            for release in releases
        ]
        self.infinite = arb(1)
        for pair, count in pairs:
            self.infinite *= (1 - ball(pair.infinite)) ** count
        self.infinite = 1 - self.infinite
        self.lower = lower
        self.tight = all(pair.tight for pair, _ in pairs)
        self.theorems = {name for pair, _ in pairs for name in pair.theorems}
        if any(pair.infinite for pair, _ in pairs):
            self.theorems.add("composition/mass-at-infinity")
        self.profile = self._profile(data, pairs)

    def _profile(self, data: Values, pairs: Counted) -> LineSum | LatticeSum:
        if data.get("method") == "lattice":
            self.theorems.update(LATTICE_THEOREMS)
            return lattice_of(data, pairs)
        if data.get("method") != "line":
            raise Rejected("a method is 'line' or 'lattice'.")
        self.theorems.update(LINE_THEOREMS)
        if self.lower:
            self.theorems.update(LOWER_THEOREMS)
        return profile_on(read_line(data), pairs, self.lower)

    def at_most(self, epsilon: Fraction, delta: Fraction) -> bool:
        """Whether delta(epsilon) is certainly at most delta."""
        return bool(self.infinite + self.profile.above(epsilon) <= ball(delta))

    def above(self, epsilon: Fraction, delta: Fraction) -> bool:
        """Whether delta(epsilon) certainly exceeds delta, for neighbors that there are."""
        if not self.tight or not self.lower:
            return False
        return bool(self.infinite + self.profile.below(epsilon) > ball(delta))


def _way(data: Values, removing: bool) -> Orientation:
    """The direction, with the hints that a line has for its pairs."""
    contour = number(data.get("contour", "1"), "a contour")
    return Orientation(
        removing, contour, whole(data.get("reach", 0), "a reach", 0, 10**9)
    )
