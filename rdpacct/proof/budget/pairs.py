"""The worst pair of each mechanism, as a privacy loss L = log dP/dQ under P.

A pair gives its transform E exp(z L) over the finite losses, how far that falls along a vertical
line, the mass of infinite losses, and its atoms if it has no others. Each names the theorems of the
book that say that it is the worst pair, and that these are its formulas.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from flint import acb, arb, fmpq

from rdpacct.proof.budget.work import spend
from rdpacct.proof.check.effort import Rejected

CLOSED_WORK = 10
"""The work of one value of a closed form."""
ATOM_WORK = 3
MAX_ATOMS = 20_000


def ball(value: Fraction) -> arb:
    """A ball around a rational number."""
    return arb(fmpq(value.numerator, value.denominator))


class WorstPair(ABC):
    """The loss of the worst pair of one release, in one direction."""

    theorems: tuple[str, ...]
    infinite: Fraction = Fraction(0)
    """The mass of infinite losses."""
    tight: bool = True
    """Whether neighbors of the mechanism have this loss, so that lower ends follow too."""

    @abstractmethod
    def transform(self, tilt: arb, height: arb) -> acb:
        """E exp(z L) over the finite losses, at z = tilt + i height, height >= 0."""

    def decay(self, tilt: arb, height: arb) -> arb:  # noqa: ARG002
        """At least |E exp(z L)| over its value at the tilt, for all z on the line above a height.

        The modulus of a mean is at most the mean of the modulus, so that one is always right.
        """
        return arb(1)

    def lattice(self) -> "Sequence[tuple[Fraction, arb]] | None":
        """The finite losses with their masses, if all are rational; None for other pairs."""
        return None

    def unlisted(self) -> arb:
        """At least the mass of finite losses that the lattice leaves out."""
        return arb(0)


class NormalPair(WorstPair):
    """The loss N(mu**2/2, mu**2) of a shift by mu standard deviations; ``square`` is mu**2."""

    def __init__(self, square: Fraction, theorems: tuple[str, ...]) -> None:
        self.square = square
        self.theorems = (*theorems, "engine/gaussian-decay")

    def transform(self, tilt: arb, height: arb) -> acb:
        spend(CLOSED_WORK)
        z = acb(tilt, height)
        return (z * (1 + z) * ball(self.square) / 2).exp()

    def decay(self, tilt: arb, height: arb) -> arb:  # noqa: ARG002
        """|exp(z (1 + z) mu**2/2)| falls as exp(-height**2 mu**2/2)."""
        return (-height * height * ball(self.square) / 2).exp()


class ExponentialPair(WorstPair):
    """The loss of the Laplace mechanism for a shift by mu scales."""

    theorems = ("laplace/worst-pair", "laplace/transform")

    def __init__(self, shift: Fraction) -> None:
        self.shift = shift

    def transform(self, tilt: arb, height: arb) -> acb:
        """((1 + z) exp(mu z) + z exp(-mu (1 + z)))/(1 + 2z)."""
        spend(2 * CLOSED_WORK)
        mu = ball(self.shift)
        z = acb(tilt, height)
        return ((1 + z) * (mu * z).exp() + z * (-mu * (1 + z)).exp()) / (1 + 2 * z)

    def decay(self, tilt: arb, height: arb) -> arb:
        """By the triangle inequality: |1 + z|/|1 + 2z| and |z|/|1 + 2z| are monotone in the height
        and tend to 1/2, so that the larger of the value at the height and of 1/2 bounds each.
        """
        z = acb(tilt, height)
        below = abs(1 + 2 * z)
        half = arb(1) / 2
        first = (abs(1 + z) / below).max(half)
        second = (abs(z) / below).max(half)
        mu = ball(self.shift)
        most = first * (mu * tilt).exp() + second * (-mu * (1 + tilt)).exp()
        return most / self.transform(tilt, arb(0)).real


class AtomPair(WorstPair):
    """Finitely many losses with their masses under P.

    Losses are rational multiples of a scale, which is 1 where they are rational themselves.
    """

    def __init__(
        self,
        rows: Sequence[tuple[arb, arb]],
        theorems: tuple[str, ...],
        *,
        rational: Sequence[Fraction] | None = None,
        infinite: Fraction = Fraction(0),
        tight: bool = True,
    ) -> None:
        if len(rows) > MAX_ATOMS:
            raise Rejected(f"a release has more than {MAX_ATOMS} losses.")
        self.rows = rows
        self.theorems = theorems
        self.rational = rational
        self.infinite = infinite
        self.tight = tight

    def transform(self, tilt: arb, height: arb) -> acb:
        spend(ATOM_WORK * len(self.rows))
        z = acb(tilt, height)
        total = acb(0)
        for loss, mass in self.rows:
            total += (z * loss).exp() * mass
        return total

    def lattice(self) -> "Sequence[tuple[Fraction, arb]] | None":
        if self.rational is None:
            return None
        masses = [mass for _, mass in self.rows]
        return list(zip(self.rational, masses, strict=True))


def rational_atoms(
    rows: Sequence[tuple[Fraction, arb]],
    theorems: tuple[str, ...],
    infinite: Fraction = Fraction(0),
    tight: bool = True,
) -> AtomPair:
    """A pair with atoms at rational losses."""
    return AtomPair(
        [(ball(loss), mass) for loss, mass in rows],
        theorems,
        rational=[loss for loss, _ in rows],
        infinite=infinite,
        tight=tight,
    )


def response(
    epsilon: Fraction,
    answers: int,
    theorems: tuple[str, ...],
    infinite: Fraction = Fraction(0),
    tight: bool = True,
) -> AtomPair:
    """The losses epsilon, -epsilon and 0 of randomized response with this many answers."""
    finite = 1 - ball(infinite)
    total = ball(epsilon).exp() + (answers - 1)
    rows = [
        (epsilon, finite * ball(epsilon).exp() / total),
        (-epsilon, finite / total),
        (Fraction(0), finite * (answers - 2) / total),
    ]
    return rational_atoms(rows[: 2 + (answers > 2)], theorems, infinite, tight)


def geometric(rate: Fraction, steps: int) -> AtomPair:
    """The loss of two-sided geometric noise exp(-rate |x|) for a shift by this many steps."""
    spend(ATOM_WORK * steps)
    small = (-ball(rate)).exp()
    rows = [
        (steps * rate, 1 / (1 + small)),
        (-steps * rate, (-ball(steps * rate)).exp() / (1 + small)),
    ]
    inside = (1 - small) / (1 + small)
    for x in range(1, steps):
        rows.append(((steps - 2 * x) * rate, inside * (-ball(x * rate)).exp()))
    return rational_atoms(rows, ("discrete-laplace/worst-pair",))


class WholeNormalPair(WorstPair):
    """The loss of discrete Gaussian noise of a variance parameter, for a shift by whole steps.

    x has weight exp(-x**2/(2 v)) under P, exp(-(x - s)**2/(2 v)) under Q, and the loss (s**2 - 2 x
    s)/(2 v).
    """

    theorems = ("discrete-gaussian/worst-pair",)

    def __init__(self, variance: Fraction, steps: int, reach: int) -> None:
        if reach > MAX_ATOMS:
            raise Rejected(
                f"the reach of a sum over whole numbers is above {MAX_ATOMS}."
            )
        self.variance = variance
        self.steps = steps
        self.reach = reach

    def transform(self, tilt: arb, height: arb) -> acb:
        """The weights of P times exp(z L) are those of a sum about -tilt s; both sums are cut at
        the same distance from their centers, and what is left out is in the ball.
        """
        spend(2 * ATOM_WORK * self.reach)
        v = ball(self.variance)
        s = self.steps
        z = acb(tilt, height)
        center = -math.floor(float(tilt.mid()) * s)
        total = acb(0)
        for x in range(center - self.reach, center + self.reach + 1):
            total += ((z * (s * s - 2 * x * s) - x * x) / (2 * v)).exp()
        largest = (tilt * (1 + tilt) * s * s / (2 * v)).exp()
        middle = -tilt * s
        outside = self._beyond(center + self.reach + 1 - middle)
        outside += self._beyond(middle - (center - self.reach - 1))
        error = (largest * outside).upper()
        blurred = total + acb(arb(0, error), arb(0, error))
        return blurred / self.total

    def lattice(self) -> "Sequence[tuple[Fraction, arb]]":
        """The losses of the numbers within reach; few enough others are left out."""
        spend(4 * ATOM_WORK * self.reach)
        s = self.steps
        rows = []
        for x in range(-self.reach, self.reach + 1):
            weight = (arb(-x * x) / (2 * ball(self.variance))).exp()
            loss = (s * s - 2 * x * s) / (2 * self.variance)
            rows.append((loss, weight / self.total))
        return rows

    def unlisted(self) -> arb:
        return 2 * self._beyond(arb(self.reach + 1)) / self.total

    @cached_property
    def total(self) -> arb:
        """The sum of all weights."""
        spend(ATOM_WORK * self.reach)
        v = ball(self.variance)
        total = arb(1)
        for x in range(1, self.reach + 1):
            total += 2 * (arb(-x * x) / (2 * v)).exp()
        return total + arb(0, (2 * self._beyond(arb(self.reach + 1))).upper())

    def _beyond(self, distance: arb) -> arb:
        """At least the sum of exp(-(d + k)**2/(2 v)) over k >= 0, by a geometric series."""
        if not distance > 0:
            return arb("inf")
        v = ball(self.variance)
        first = (-distance * distance / (2 * v)).exp()
        return first / (1 - (-distance / v).exp())
