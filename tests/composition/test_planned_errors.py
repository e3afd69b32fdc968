"""What a line expects of its own errors is what its enclosures have, within a factor."""

import math

import pytest

from rdpacct import profile
from rdpacct.composition.composed_loss import ComposedLoss
from rdpacct.composition.plans import composed_losses
from rdpacct.composition.quadrature.tilt import ACCURACY
from rdpacct.composition.quadrature.vertical_line import Line, line_of
from rdpacct.exact.raw import precision, real
from rdpacct.plan import read_plan

PLANS = (
    ("1000*Laplace(scale=10)", 19.0),
    ("1000*Laplace(scale=10) + Gaussian(sigma=5)", 12.0),
    ("5000*PoissonSampled(Gaussian(sigma=1), rate=0.01)", 3.0),
    ("30*Laplace(scale=2) + 10*RandomizedResponse(epsilon=1)", 20.0),
)
WITHIN = 4.0


def rough_line(text: str, epsilon: float, accuracy: float) -> Line:
    """A line near an epsilon that has errors to speak of."""
    loss = composed_losses(read_plan(text))[0]
    assert isinstance(loss, ComposedLoss)
    planner, terms = loss.answers.planner, loss.answers.terms
    assert planner is not None
    assert terms is not None
    log_delta, start = planner.saddle_log_delta(epsilon)
    plan = planner.tilt(epsilon, log_delta, start, 1e6, accuracy)
    assert plan is not None
    return line_of(terms, plan)


@pytest.mark.parametrize(("text", "epsilon"), PLANS)
@pytest.mark.parametrize("accuracy", [ACCURACY / 4, ACCURACY / 2])
def test_planned_errors_are_the_real_ones(
    text: str, epsilon: float, accuracy: float
) -> None:
    line = rough_line(text, epsilon, accuracy)
    log, _ = line.planned_log(epsilon)
    errors = line.planned_errors(epsilon, log)
    assert errors is not None
    with precision(line.bits):
        ball = line.enclosure(real(epsilon))
        about = real(log).exp()
        below = float(1 - real(ball.lower()) / about)
        above = float(real(ball.upper()) / about - 1)
    for planned, found in zip(errors, (below, above), strict=True):
        assert found <= WITHIN * planned
        assert planned <= WITHIN * max(found, 1e-9)
    truth = profile(text).delta(epsilon)
    assert float(ball.lower()) <= float(truth.upper)
    assert float(truth.lower) <= float(ball.upper())


def test_a_sharp_line_plans_no_errors() -> None:
    text, epsilon = PLANS[0]
    line = rough_line(text, epsilon, ACCURACY + 10)
    log, _ = line.planned_log(epsilon)
    assert line.planned_errors(epsilon, log) is None


def test_errors_beyond_doubles_are_not_planned() -> None:
    line = rough_line(*PLANS[0], ACCURACY / 2)
    assert line.planned_errors(PLANS[0][1], -math.inf) is None
