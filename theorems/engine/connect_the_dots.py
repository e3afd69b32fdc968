"""A loss on a grid: above by moving each cell to its ends, below by pooling it and lowering its
loss.

Printed: not in the sources.
Proved: Let U = exp(-L) lie between a and b in a cell, U = a + T (b - a), and k = exp(epsilon). (1)
    Under the law of the cell under P, E max(1 - k U, 0) <= (1 - E T) max(1 - k a, 0) + E T max(1 -
    k b, 0): atoms at the two ends that keep the masses under P and Q have at least the delta of the
    cell, at every epsilon. (2) max(1 - k E U, 0) is at most E max(1 - k U, 0): the pooled cell has
    at most its delta. (3) More mass under Q, a smaller loss, has at most it. (4) The atoms that the
    package puts at dots (g, h) have the polygon through the dots as their profile: shown for two
    dots, at the first one and at 0, where it is the mass. A chord of a convex profile lies above
    it, so that these atoms dominate every pair whose profile is at most h at the dots.
Idea: A hockey stick is convex in exp(-L), and a profile is convex in exp(epsilon): chords lie
    above.
Source: Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022, Connect the dots: tighter discrete
    approximations of privacy loss distributions, for (1) and (4).
"""

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from rdpacct.composition.cells import CellSums, two_sums
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import maximum
from rdpacct.exact.raw import real as ball
from rdpacct.mechanisms.gaussian.gaussian_curve import GaussianCurve
from rdpacct.mechanisms.promised.profile_points import least_law
from rdpacct.privacy.dominating import connect_the_dots, dominating_table
from rdpacct.privacy.grid import Cells
from rdpacct.privacy.grid_transform import split_atom
from rdpacct.proof.instance import example
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    Refused,
    at_most,
    combine,
    dominated,
    equal,
    expect,
    given_by,
    integrable,
    linear,
    real,
    relations,
    specialize,
)
from rdpacct.proof.tactics.divergences import positive_part
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Statement,
    Status,
    Step,
    Theorem,
    by_prover,
)
from rdpacct.testing.instances import any_pair

T, k, a, b, x, y, p, q, r = map(Symbol, ("T", "k", "a", "b", "x", "y", "p", "q", "r"))
P = Law("P", ("T",), relations("T >= 0", "T <= 1"))
U = a + T * (b - a)
DOTS = [(Symbol(f"g{i}"), Symbol(f"h{i}")) for i in (1, 2)]
ATOMS = connect_the_dots(DOTS)
RISING = ("g1 > 0", "g1 < g2")
TRIES = 60


def stick(u: Expr) -> Expr:
    """How much P exceeds k Q at an outcome with exp(-L) = u, relative to P."""
    return maximum(1 - k * u, 0)


def chord() -> Fact:
    """max(1 - k U, 0) <= (1 - T) max(1 - k a, 0) + T max(1 - k b, 0)."""
    m = Symbol("m")
    n = Symbol("n")
    left = 1 - k * a
    right = 1 - k * b
    signs = real("0 <= u*v", "u >= 0", "v >= 0")
    line = (1 - T) * m + T * n
    upper = combine(
        at_most(1 - k * U, line),
        specialize(signs, u=1 - T, v=m - left),
        specialize(signs, u=T, v=n - right),
    )
    lower = combine(
        at_most(0, line), specialize(signs, u=1 - T, v=m), specialize(signs, u=T, v=n)
    )
    both = specialize(real("max(c, 0) <= d", "c <= d", "0 <= d"), c=1 - k * U)
    found = given_by(specialize(both, d=line), upper, lower)
    found = specialize(found, m=stick(a), n=stick(b))
    over = real("0 <= max(c, 0) - c")
    positive = real("0 <= max(c, 0)")
    return given_by(
        found,
        *(
            specialize(one, c=each)
            for one in (over, positive)
            for each in (left, right)
        ),
    )


def stick_is_positive() -> Fact:
    """0 <= max(1 - k U, 0)."""
    return specialize(real("0 <= max(c, 0)"), c=1 - k * U)


def mean_share() -> Fact:
    """T is integrable."""
    return dominated(real("T <= 1", "T <= 1"), P, lower=real("0 <= T", "T >= 0"))


def above(part: Statement) -> Iterator[Step]:
    """The chord over the cell, averaged."""
    line = chord()
    yield line, "a hockey stick lies below its chord"
    right = line.relation.right
    flat = linear(P, right, {T: stick(b) - stick(a)}, mean_share(), constant=stick(a))
    ends = integrable(flat, E(P, right))
    over = expect(line, P, dominated(line, P, ends, lower=stick_is_positive()), ends)
    yield over, "averaged over the cell"
    yield combine(part.claim, over, flat), "as T enters linearly"


def pooled(_: Statement) -> Iterator[Step]:
    """Jensen: the mean of the positive part is at least the mean, and at least 0."""
    line = specialize(real("c <= max(c, 0)"), c=1 - k * U)
    yield line, "a number is at most its positive part"
    flat = linear(P, 1 - k * U, {T: -k * (b - a)}, mean_share(), constant=1 - k * a)
    size = stick_size()
    upper = combine(
        at_most(1 - k * (a + E(P, T) * (b - a)), E(P, stick(U))),
        expect(line, P, integrable(flat, E(P, 1 - k * U)), size),
        flat,
    )
    yield upper, "averaged"
    lower = expect(stick_is_positive(), P, size)
    yield lower, "and its mean is not negative"
    found = specialize(
        real("max(c, 0) <= d", "c <= d", "0 <= d"), c=upper.relation.left
    )
    yield given_by(specialize(found, d=upper.relation.right), upper, lower), "together"


def lowered(part: Statement) -> Iterator[Step]:
    """k r >= 0 is taken off."""
    less = specialize(real("0 <= u*v", "u >= 0", "v >= 0"), u=k, v=r)
    line = specialize(real("c <= max(c, 0)"), c=p - k * q)
    upper = combine(at_most(p - k * (q + r), line.relation.right), less, line)
    yield upper, "less is left"
    lower = specialize(real("0 <= max(c, 0)"), c=p - k * q)
    yield (
        positive_part(
            upper, lower, *(one for one in part.given if isinstance(one, str))
        ),
        "and not below 0",
    )


def stick_size() -> Fact:
    """max(1 - k U, 0) is integrable: it lies below its chord."""
    line = chord()
    right = line.relation.right
    flat = linear(P, right, {T: stick(b) - stick(a)}, mean_share(), constant=stick(a))
    return dominated(line, P, integrable(flat, E(P, right)), lower=stick_is_positive())


def polygon(at: int) -> Statement:
    """The profile of the atoms at a dot, or at 0: what lies beyond it, and the mass at infinity."""
    g, h = DOTS[at - 1] if at else (formula(0), formula(1))
    beyond = ATOMS[at:]
    total = sum((one - g * two for one, two in beyond), DOTS[-1][1])
    place = f"dot {at}" if at else "0, where it is their mass"
    return Statement(
        f"polygon at {at}",
        f"the profile of the atoms at {place}",
        equal(total, h),
        by_prover("algebra"),
        RISING[at:],
    )


def attained(part: Statement) -> Iterator[Step]:
    """Where the grid is fine enough the chord is the stick."""
    yield real(part.claim, *part.given), "both are linear between the ends"


def attack(seed: int) -> int:
    """Random pairs: dots on the larger of two profiles, connected, and the shipped least pair above
    both.
    """
    rng = random.Random(seed)
    for _ in range(TRIES):
        tables = [
            list(zip(pair.p, pair.q, strict=True))
            for pair in (any_pair(rng, 3), any_pair(rng, 4))
        ]
        last = max(p / q for pairs in tables for p, q in pairs)
        places = sorted(
            {
                *(Fraction(rng.randint(1, 40), rng.randint(4, 12)) for _ in range(4)),
                last,
            }
        )
        places = [g for g in places if g <= last]
        dots = [(g, max(_profile(pairs, g) for pairs in tables)) for g in places]
        chords = connect_the_dots(dots)
        least = dominating_table(tables)
        for g in (
            *places,
            *(Fraction(rng.randint(0, 60), rng.randint(3, 12)) for _ in range(6)),
        ):
            exact = max(_profile(pairs, g) for pairs in tables)
            if _profile(chords, g) + dots[-1][1] < exact:
                raise Refused(
                    f"connected dots lie below the profile of {tables} at {g}."
                )
            if _profile(least[0], g) + least[1] != exact:
                raise Refused(f"the least pair above {tables} is not that at {g}.")
    return TRIES


def attack_cells(seed: int) -> int:
    """Random atoms in cells beside a Gaussian release: the shipped sums against the exact profile,
    in balls.
    """
    rng = random.Random(seed)
    for _ in range(TRIES):
        with precision(128):
            others = GaussianCurve(ball(Fraction(rng.randint(1, 30), 10)))
            edges = sorted(
                (Fraction(rng.randint(-40, 40), 10) for _ in range(5)), reverse=True
            )
            atoms = [
                [_inside(rng, low, high) for _ in range(3)]
                for high, low in pairwise(edges)
                if low < high
            ]
            ends = [ball(edge) for edge in sorted(set(edges), reverse=True)]
            masses = [(_total(cell, 0), _total(cell, 1)) for cell in atoms]
            upper, lower = two_sums(ends, masses)
            level = ball(Fraction(rng.randint(-30, 60), 10))
            exact = sum(
                (
                    p * others.enclosure(level - loss)
                    for cell in atoms
                    for loss, p in cell
                ),
                start=ball(0),
            )
            found = CellSums(upper, lower, others, None, math.inf).enclosure(level)
            if not found.overlaps(exact):
                raise Refused(
                    f"the cells between {edges} break the sums over them at {level}."
                )
    return TRIES


def _inside(
    rng: random.Random, low: Fraction, high: Fraction
) -> tuple[RealBall, RealBall]:
    """A loss in a cell, with a mass under P."""
    return ball(low + (high - low) * Fraction(rng.randint(0, 12), 12)), ball(
        Fraction(rng.randint(1, 9), 100)
    )


def _total(cell: list[tuple[RealBall, RealBall]], under_q: int) -> RealBall:
    return sum((p * (-loss).exp() if under_q else p for loss, p in cell), start=ball(0))


def _profile(pairs: list[tuple[Fraction, Fraction]], g: Fraction) -> Fraction:
    return sum((max(p - g * q, Fraction(0)) for p, q in pairs), start=Fraction(0))


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "above",
            "a cell moved to its ends has at least its delta",
            at_most(E(P, stick(U)), (1 - E(P, T)) * stick(a) + E(P, T) * stick(b)),
            above,
        ),
        Statement(
            "pooled",
            "a pooled cell has at most its delta",
            at_most(maximum(1 - k * (a + E(P, T) * (b - a)), 0), E(P, stick(U))),
            pooled,
        ),
        Statement(
            "lowered",
            "more mass under Q has at most the delta",
            at_most(maximum(p - k * (q + r), 0), maximum(p - k * q, 0)),
            lowered,
            ("k >= 0", "r >= 0"),
        ),
        *(polygon(at) for at in range(2)),
    ),
    sharp=(
        Statement(
            "no kink",
            "where the stick has no kink in the cell, moving it to its ends changes"
            " nothing",
            equal((1 - T) * (1 - k * a) + T * (1 - k * b), 1 - k * U),
            attained,
        ),
    ),
    falsehoods=(
        Falsehood(
            "a cell moved to its middle has at least its delta",
            at_most((maximum(x, 0) + maximum(y, 0)) / 2, maximum((x + y) / 2, 0)),
        ),
        Falsehood(
            "a pooled cell has at least its delta",
            at_most(E(P, stick(U)), maximum(1 - k * (a + E(P, T) * (b - a)), 0)),
            instance=example(
                {"a": "1/2", "b": "3/2", "k": 1}, {"P": [(0, "1/2"), (1, "1/2")]}
            ),
        ),
    ),
    attacks=(
        Attack(
            "random pairs, with their dots connected and with the least pair above"
            " them",
            attack,
        ),
        Attack("random cells beside a loss of two values, in balls", attack_cells),
    ),
    rules=(
        Cells.above,
        Cells.below,
        split_atom,
        connect_the_dots,
        two_sums,
        CellSums.enclosure,
        least_law,
    ),
    in_words=(
        (
            "Beside other releases k is exp(epsilon) over the exponential of their"
            " loss: the bounds hold for each of its values, and so in the mean, which"
            " is the profile of the others at epsilon less the loss of the cell."
        ),
        (
            "The delta of a law is the sum over its cells of their masses under P times"
            " the means above."
        ),
        (
            "The atoms of ratio g at the dots have a profile that is linear between"
            " them, as a sum of hockey sticks; with more dots the differences of slopes"
            " telescope as they do for two."
        ),
        (
            "A profile is convex in exp(epsilon), so that it lies below the polygon"
            " through dots on or above it."
        ),
    ),
)
