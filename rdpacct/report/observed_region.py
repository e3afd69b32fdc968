"""What a claim allows an event, and where audited code was seen: regions of two probabilities.

An event has the probability q on one input and p on the other, where it is likely. The lines of a
claim bound p by q in both orders of the inputs, and so for the event and for its complement.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.auditing.running import CodeVerdict
from rdpacct.curves import rates_between
from rdpacct.proof.audit.half_plane import HalfPlane

POINTS = 101
"""How many points of the boundary are drawn, beside its corners."""
BorderLine = tuple[Fraction, Fraction]
"""The slope and the height at 0 of a line."""


@dataclass(frozen=True)
class AllowedRegion:
    """The pairs (q, p) that all tested lines of a claim allow."""

    planes: tuple[HalfPlane, ...]

    @property
    def lines(self) -> tuple[BorderLine, ...]:
        """The lines above which p is too large: each, the same for the complement, and 1."""
        direct = [(plane.growth, plane.slack) for plane in self.planes]
        turned = [(1 / e, 1 - (1 - d) / e) for e, d in direct]
        return (*direct, *turned, (Fraction(0), Fraction(1)))

    def most(self, q: Fraction) -> Fraction:
        """The largest p that is allowed beside q."""
        return min(slope * q + start for slope, start in self.lines)

    def boundary(self) -> list[tuple[Fraction, Fraction]]:
        """Points of the upper boundary from q = 0 to q = 1, its corners among them."""
        at = sorted({*rates_between(POINTS), *self._corners()})
        return [(q, self.most(q)) for q in at]

    def _corners(self) -> Iterator[Fraction]:
        lines = self.lines
        for place, (slope, start) in enumerate(lines):
            for other, other_start in lines[:place]:
                if slope != other:
                    q = (other_start - start) / (slope - other)
                    if 0 < q < 1 and self.most(q) == slope * q + start:
                        yield q


def allowed_region(verdict: CodeVerdict) -> AllowedRegion:
    """What the claim of a verdict allows, by the lines that it was tested against."""
    return AllowedRegion(verdict.tested_claim.planes)
