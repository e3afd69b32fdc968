"""The table of methods: every row that applies encloses the same number, and every row is used."""

from itertools import combinations

import pytest

from rdpacct import read_plan
from rdpacct.composition.grids import beside_grids
from rdpacct.composition.methods import (
    ALONE,
    FINE_GRIDS,
    METHODS,
    MORE_WORK,
    MUCH_WORK,
    Method,
)
from rdpacct.composition.narrowest import Point
from rdpacct.composition.plans import composed_losses
from rdpacct.composition.quadrature.tilt import Planner
from rdpacct.composition.setting import Setting
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.raw import real

PLANS = {
    "2*Laplace(scale=1) + RandomizedResponse(epsilon=1)": 1.0,
    "DiscreteGaussian(sigma=2) + DiscreteGaussian(sigma=3)": 1.0,
    "30*DiscreteLaplace(scale=5) + 3*RandomizedResponse(epsilon=1)": 2.0,
    "Gaussian(sigma=2) + Laplace(scale=2)": 1.0,
    "Gaussian(sigma=2) + DiscreteLaplace(scale=2)": 1.0,
    "PoissonSampled(Laplace(scale=1), rate=0.1) + Laplace(scale=2)": 0.5,
    "PoissonSampled(Laplace(scale=1), rate=0.1) + 2*Laplace(scale=2)": 0.5,
}
"""Plans, each with the epsilon at which it is asked."""
ALONE_PLANS = {"2*PoissonSampled(Gaussian(sigma=0.02), rate=0.01)": 2.0}
"""Plans for which a method answers that is not compared with others."""
SPIKES = {
    "PoissonSampled(Gaussian(sigma=0.5), rate=0.01) + Laplace(scale=2)"
    " + DiscreteGaussian(sigma=3)": 1.0
}
"""Plans for which fine grids are made twice."""
COARSE, FEW_POINTS = 100.0, 100
"""How much coarser than usual grids are made, and from how many points on one loss is cut into
cells beside them.
"""
QUICK = tuple(row for row in METHODS if row.most not in (MORE_WORK, MUCH_WORK))
"""The rows that do not take long; the others are the same methods with more work."""
ON_FINE_GRIDS = tuple(row for row in METHODS if row.name == FINE_GRIDS)


def setting(text: str, epsilon: float) -> Setting:
    """What the table is asked about, for the first direction of a plan."""
    answers = composed_losses(read_plan(text))[0].answers  # type: ignore[attr-defined]
    log_delta, tilt = answers.planner.saddle_log_delta(epsilon)
    point = Point(epsilon, log_delta, tilt, steep=COARSE)
    return Setting(answers.terms, Planner(answers.terms), point, answers.few)


def enclosures(
    text: str, epsilon: float, rows: tuple[Method, ...]
) -> list[tuple[Method, RealBall]]:
    """What each row that applies gives."""
    asked = setting(text, epsilon)
    known = []
    with precision(128):
        for row in rows:
            asked.refined = False  # each row as if it came first
            choice = row.answer(asked, row) if row.worth_trying(asked) else None
            if choice is not None:
                known.append((row, choice.curve.enclosure(real(epsilon))))
    return known


def agree(known: list[tuple[Method, RealBall]]) -> bool:
    """Whether all balls have a point in common with each other."""
    return all(a.overlaps(b) for _, a in known for _, b in known)


@pytest.fixture(scope="module")
def answers() -> dict[str, list[tuple[Method, RealBall]]]:
    """What the rows give for each plan."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(beside_grids, "MOST_POINTS", FEW_POINTS)
        several = {text: enclosures(text, at, QUICK) for text, at in PLANS.items()}
    alone = {text: enclosures(text, at, ALONE) for text, at in ALONE_PLANS.items()}
    spikes = {text: enclosures(text, at, ON_FINE_GRIDS) for text, at in SPIKES.items()}
    return {**several, **alone, **spikes}


def test_all_rows_that_apply_agree(
    answers: dict[str, list[tuple[Method, RealBall]]],
) -> None:
    """Methods that share little find the same delta, each at least to three digits."""
    for text, known in answers.items():
        assert agree(known), text
        assert all(ball.rel_accuracy_bits() > 10 for _, ball in known), text
    names = [{row.name for row, _ in known} for known in answers.values()]
    assert sum(len(several) > 1 for several in names) == len(PLANS)


def test_a_row_that_is_wrong_is_noticed(
    answers: dict[str, list[tuple[Method, RealBall]]],
) -> None:
    """The check can fail: a ball that is off by a thousandth does not agree."""
    for text in PLANS:
        (row, ball), *others = answers[text]
        assert not agree([(row, ball * real(1001) / 1000), *others])


def test_every_row_is_used(
    answers: dict[str, list[tuple[Method, RealBall]]],
) -> None:
    """Each way to make a method ready is taken by some plan."""
    used = {row.answer for known in answers.values() for row, _ in known}
    assert used == {row.answer for row in (*ALONE, *METHODS)}


def test_finer_grids_are_narrower(
    answers: dict[str, list[tuple[Method, RealBall]]],
) -> None:
    """The second turn of fine grids lies within the first, and is sharper."""
    for text in SPIKES:
        (_, first), (_, second) = answers[text]
        assert first.contains(second)
        assert second.rel_accuracy_bits() > first.rel_accuracy_bits()


def test_rows_of_one_method_share_no_turn() -> None:
    """A method has two rows for what it takes only if these do not overlap."""
    for first, second in combinations((*ALONE, *METHODS), 2):
        if first.cost is None or first.cost is not second.cost:
            continue
        if first.applies is second.applies and first.answer is second.answer:
            assert first.most <= second.above
