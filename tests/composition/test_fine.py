"""Two sums on fine grids, against integrals by mpmath, other methods, and broken twins of them."""

import math
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest

from rdpacct import delta, epsilon, read_plan
from rdpacct.composition.draws import Draw
from rdpacct.composition.grids.few_releases import GridCurve
from rdpacct.composition.grids.fine_grids import fine_grids, planned_grids
from rdpacct.composition.grids.laws_below import LawBelow, line_dots, standing_alone
from rdpacct.composition.methods import FINE_GRIDS
from rdpacct.composition.plans import composed_losses
from rdpacct.composition.quadrature.tilt import Place
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.raw import real
from rdpacct.privacy.grid import Cells
from rdpacct.work import Budget, question

MIXED = (
    "GaussianMixture(sigma=1, sensitivities=[0, 1, 2], probabilities=[1/4, 1/2, 1/4])"
)
SAMPLED = "PoissonSampled(Gaussian(sigma=1), rate=0.1)"
LAPLACE = "Laplace(scale=2)"


def draws(text: str) -> list[Draw]:
    """The draws of a plan, in its first direction."""
    return list(composed_losses(read_plan(text))[0].draws)  # type: ignore[attr-defined]


def grids(text: str, tilt: float, log_delta: float, share: float = 1e-5) -> GridCurve:
    """The two sums of a plan."""
    found = planned_grids(draws(text), tilt, log_delta, share)
    assert found is not None
    return found.curve(200)


def both_sums(curve: GridCurve, level: float) -> tuple[RealBall, RealBall]:
    """The sum below and the sum above."""
    with precision(144):
        at = real(level)
        below = sum((share.profile(at)[0] for share in curve.lower), start=real(0))
        above = sum((share.profile(at)[0] for share in curve.upper), start=curve.left)
    return below, above


def mixture_beside_laplace(level: float) -> mpmath.mpf:
    """delta of the mixture beside Laplace noise of scale 2, as an integral over the output of the
    mixture: an independent computation in closed forms.
    """
    mu = mpmath.mpf(1) / 2

    def laplace(at: mpmath.mpf) -> mpmath.mpf:
        """delta of the Laplace release."""
        if at >= mu:
            return mpmath.mpf(0)
        if at <= -mu:
            return 1 - mpmath.exp(at)
        return 1 - mpmath.exp((at - mu) / 2)

    def ratio(x: mpmath.mpf) -> mpmath.mpf:
        parts = ((1, 0), (2, 1), (1, 2))
        return sum(w * mpmath.exp(c * x - c * c / 2) for w, c in parts) / 4

    def inside(x: mpmath.mpf) -> mpmath.mpf:
        found = ratio(x)
        return mpmath.npdf(x) * found * laplace(level - mpmath.log(found))

    kinks = []
    for side in (mu, -mu):
        goal = level - side
        kinks.append(
            mpmath.findroot(
                lambda x, goal=goal: mpmath.log(ratio(x)) - goal,
                (-8, 15),
                solver="anderson",
            )
        )
    return mpmath.quad(inside, [-9, -4, *sorted(kinks), 5, 9, 16])


def test_an_integral_by_mpmath_lies_between_the_two_sums() -> None:
    """A mixture beside Laplace noise, whose atoms are kept apart from its density."""
    curve = grids(f"{MIXED} + {LAPLACE}", 1.0, -3.0)
    for level in (0.5, 2.0):
        below, above = both_sums(curve, level)
        exact = mixture_beside_laplace(level)
        assert float(below) < exact < float(above)
        assert float(above - below) < 1e-5 * float(above)


def test_a_quadrature_lies_between_the_two_sums() -> None:
    """Two sampled Gaussians, which the trapezoid rule knows to seven digits."""
    plan = f"{SAMPLED} + {SAMPLED}"
    [way, *_] = composed_losses(read_plan(plan))
    exact = way.delta(Fraction(1))
    below, above = both_sums(grids(plan, 3.0, math.log(1e-3)), 1.0)
    assert exact.relative_width < 1e-7
    assert below <= real(exact.upper)
    assert above >= real(exact.lower)
    assert above - below < 1e-4 * above


def test_listed_atoms_stand_beside_grids() -> None:
    """A discrete release beside two continuous ones: the atoms are listed, the rest is on grids."""
    plan = f"SmoothPower(alpha=1, beta=0.1, power=2) + DiscreteLaplace(scale=3) + {LAPLACE}"
    place = Place(2.0, None, 30.0, 25.0)
    found = fine_grids(draws(plan), place, math.log(1e-2), 1e-5)
    assert found is not None
    with precision(144):
        ball = found.curve.enclosure(real(1))
    other = delta(plan, 1)
    assert other.lower <= Fraction(float(ball.upper()))
    assert Fraction(float(ball.lower())) <= other.upper


def test_what_has_no_parts_or_too_many_draws_has_no_grids() -> None:
    """Atoms alone, and nine draws."""
    assert planned_grids(draws("2*DiscreteLaplace(scale=3)"), 1.0, -3.0, 1e-5) is None
    assert planned_grids(draws(f"9*{SAMPLED}"), 1.0, -3.0, 1e-5) is None


def small_cells() -> Cells:
    """The cells of a law with a spike in one of them."""
    masses = [Fraction(1, 20), Fraction(1, 10), Fraction(1, 2), Fraction(3, 10)]
    shares = [Fraction(1, 2), Fraction(2, 3), Fraction(9, 10), Fraction(1, 4)]
    step = Fraction(1, 4)
    rows = []
    for k, (mass, share) in enumerate(zip(masses, shares, strict=True)):
        loss = real(step * (k + share))
        rows.append((real(mass), real(mass) * (-loss).exp()))
    return Cells(Fraction(0), step, rows, None, None)


def hockey(rows: list[tuple[RealBall, RealBall]], level: RealBall) -> RealBall:
    """The profile of atoms."""
    gains = (p * (1 - (level - loss).exp()).max(real(0)) for p, loss in rows)
    return sum(gains, start=real(0))


@pytest.mark.parametrize("alone", [(), (2,), (1, 2)])
def test_the_law_below_is_below_and_keeps_what_stands_alone(
    alone: tuple[int, ...],
) -> None:
    """At every level; and a cell that stands for itself keeps its mass and its loss."""
    with precision(128):
        cells = small_cells()
        exact = [(p, (p / q).log()) for p, q in cells.inside]
        law = LawBelow(cells, alone).law()
        rows = list(law.beside)
        for k, mass in enumerate(law.masses):
            rows.append((mass, real(law.origin + law.step * k)))
        assert len(law.beside) == len(alone)
        for k in range(60):
            level = real(Fraction(k - 10, 40))
            assert not hockey(rows, level) > hockey(exact, level)
        assert standing_alone(cells, 1.0, 1) == (2,)


def test_dots_above_a_line_are_noticed() -> None:
    """The check can fail: dots on the higher of two lines are above the profile somewhere."""
    with precision(128):
        cells = small_cells()
        exact = [(p, (p / q).log()) for p, q in cells.inside]
        tails = [(real(0), real(0))]
        for p, q in reversed(cells.inside):
            tails.append((tails[-1][0] + p, tails[-1][1] + q))
        tails.reverse()
        middles = [real(Fraction(2 * k + 1, 8)).exp() for k in range(4)]
        right = line_dots(middles, tails)
        assert all(not h > hockey(exact, g.log()) for g, h in right)
        wrong = [
            max((p - g * q for p, q in pair), key=float)
            for g, pair in zip(middles, pairwise(tails), strict=True)
        ]
        chords = zip(wrong, wrong[1:], middles, middles[1:], strict=False)
        between = [((a + b) / 2, (g + f) / 2) for a, b, g, f in chords]
        assert any(h > hockey(exact, g.log()) for h, g in between)


def test_triples_that_were_wide_are_narrow() -> None:
    """By smoothed quadrature the first of these was 0.5 wide, and the second 3e-6."""
    answers = [
        delta(
            "Laplace(scale=50) + DiscreteGaussian(sigma=40)"
            " + PoissonSampled(Laplace(scale=1), rate=0.1)",
            1,
        ),
        epsilon(
            f"SmoothPower(alpha=1, beta=0.1, power=2) + DiscreteGaussian(sigma=3) + {LAPLACE}",
            "1e-6",
        ),
    ]
    for answer in answers:
        assert answer.how == FINE_GRIDS
        assert answer.relative_width < 1e-6


def test_little_work_makes_coarse_grids() -> None:
    """What is left of the budget bounds the points, and the answer says that it is coarser."""
    plan = f"{MIXED} + {MIXED}"
    with question(0.1) as budget:
        found = planned_grids(draws(plan), 0.6, -1.0, 1e-9)
        assert found is not None
        assert isinstance(budget, Budget)
        assert budget.coarse


@pytest.mark.slow
@pytest.mark.parametrize(
    "other", [MIXED, SAMPLED, "TruncatedLaplace(scale=2, bound=3/2)"]
)
def test_mixtures_beside_continuous_releases_are_narrow(other: str) -> None:
    """Each of these was 1e-4 wide by smoothed quadrature."""
    assert delta(f"{MIXED} + {other}", 1).relative_width < 1e-6
