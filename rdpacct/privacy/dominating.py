"""The pair that dominates several pairs: the largest of their profiles at some points, the dots
connected by chords.

A profile is convex in g = exp(epsilon), so that its chords lie above it. A polygon through dots on
the largest of several profiles is again a profile, that of a pair with an atom of ratio g at each
dot.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.formula import Expr, Scalar
from rdpacct.exact.raw import powers, real
from rdpacct.privacy.constants import value
from rdpacct.privacy.grid import BITS, Cells, Masses
from rdpacct.privacy.parts import Part
from rdpacct.provenance import by

MassPairs = Sequence[tuple[Fraction, Fraction]]
"""The probabilities of each output under P and Q."""
MOST_WORK = 10**6
"""How many evaluations an exact pair may take; for more, fewer dots are connected."""


@by("engine/connect-the-dots")
def connect_the_dots(
    dots: Sequence[tuple[Scalar, Scalar]],
) -> list[tuple[Scalar, Scalar]]:
    """The masses under P and Q at each dot (g, h), with h = 1 at g = 0, and h unchanged beyond the
    last.

    The mass under Q is by how much the slope rises at the dot; numbers, balls or formulas, in the
    order of g.
    """
    growth, height = dots[0]
    slopes = [(height - 1) / growth]
    for (g, h), (f, k) in pairwise(dots):
        slopes.append((k - h) / (f - g))
    slopes.append(height * 0)
    return [
        (g * (after - before), after - before)
        for (g, _), (before, after) in zip(dots, pairwise(slopes), strict=True)
    ]


def dominating_table(
    tables: Sequence[MassPairs],
) -> tuple[list[tuple[Fraction, Fraction]], Fraction]:
    """The exact least pair that dominates several finite pairs: its atoms, and the mass at
    infinity.

    Beyond the work that is allowed, the dots where two profiles cross are left out, and then some
    others: the chords then lie a little above, and the pair still dominates.
    """
    ratios = sorted({p / q for pairs in tables for p, q in pairs if p and q})
    infinite = max(
        sum((p for p, q in pairs if not q), start=Fraction(0)) for pairs in tables
    )
    if not ratios:
        return [], infinite
    size = sum(map(len, tables))
    kept = max(MOST_WORK // size, 2)
    if len(ratios) > kept:
        ratios = sorted({*ratios[:: -(-len(ratios) // kept)], ratios[-1]})
    lines = [(g, *_highest(tables, g)) for g in ratios]
    if len(ratios) * size * 8 <= MOST_WORK:
        lines = _with_crossings(tables, lines)
    atoms = connect_the_dots([(g, h) for g, h, _ in lines])
    return [(p, q) for p, q in atoms if q > 0], infinite


def _highest(tables: Sequence[MassPairs], g: Fraction) -> tuple[Fraction, Fraction]:
    """The largest profile at a point, and the slope just after it: the flattest of those that have
    it.
    """
    heights_and_slopes = []
    for pairs in tables:
        above = [(p, q) for p, q in pairs if p > g * q]
        heights_and_slopes.append(
            (
                sum((p - g * q for p, q in above), start=Fraction(0)),
                -sum((q for _, q in above), start=Fraction(0)),
            )
        )
    return max(heights_and_slopes)


def _with_crossings(
    tables: Sequence[MassPairs], lines: list[tuple[Fraction, Fraction, Fraction]]
) -> list[tuple[Fraction, Fraction, Fraction]]:
    """The dots with those between them at which the highest profile changes.

    Between two dots each profile is a line. The highest line at the left is followed to where the
    next dot's chord lies above it: where it meets a higher line, that one is followed.
    """
    dots = [lines[0]]
    for following in lines[1:]:
        at = dots[-1]
        while at[1] + at[2] * (following[0] - at[0]) < following[1]:
            crossing = min(
                (
                    (h - at[1] + at[2] * at[0] - s * g) / (at[2] - s)
                    for g, h, s in _lines(tables, at[0])
                    if s > at[2]
                ),
                default=following[0],
            )
            if not at[0] < crossing < following[0]:
                break
            at = (crossing, *_highest(tables, crossing))
            dots.append(at)
        dots.append(following)
    return dots


def _lines(
    tables: Sequence[MassPairs], g: Fraction
) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Each profile just after a point, as a line: the point, its value and its slope."""
    lines = []
    for pairs in tables:
        above = [(p, q) for p, q in pairs if p > g * q]
        value = sum((p - g * q for p, q in above), start=Fraction(0))
        lines.append((g, value, -sum((q for _, q in above), start=Fraction(0))))
    return lines


def dominating_masses(
    laws: Sequence[tuple[Sequence[Part], Expr]],
    origin: Fraction,
    step: Fraction,
    count: int,
) -> Masses:
    """A law on a grid that dominates several laws, each given by its parts and its mass at
    infinity.
    """
    cells = [
        Cells.of(parts, origin, step, count) if parts else None for parts, _ in laws
    ]
    with precision(BITS):
        growth = [g * real(origin).exp() for g in powers(real(step).exp(), count + 1)]
        highest = [real(0)] * len(growth)
        for law_cells, (_, infinite) in zip(cells, laws, strict=True):
            heights = _heights(law_cells, growth) if law_cells is not None else highest
            highest = [
                h.max(k + value(infinite))
                for h, k in zip(highest, heights, strict=True)
            ]
        atoms = connect_the_dots(list(zip(growth, highest, strict=True)))
        return Masses(origin, step, [p.max(real(0)) for p, _ in atoms], [], highest[-1])


def _heights(cells: Cells, growth: list[RealBall]) -> list[RealBall]:
    """The profile at the edges of the cells."""
    p, q = cells.beyond or (real(0), real(0))
    heights = [(p - growth[-1] * q).max(real(0))]
    for (more_p, more_q), g in reversed(list(zip(cells.inside, growth, strict=False))):
        p = p + more_p
        q = q + more_q
        heights.append((p - g * q).max(real(0)))
    return heights[::-1]
