"""How many points the curves of a report have: as many as the work of a point allows."""

import math
from fractions import Fraction

from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import formula
from rdpacct.questions import Questions, plan_of
from rdpacct.report.contents import _work_at, _work_of_a_point

PLAN = "2*PoissonSampled(Laplace(scale=5), rate=0.1) + Laplace(scale=10)"


def test_points_are_planned_where_there_is_work() -> None:
    """Beyond the largest loss, 0.15, delta is 0 and takes no work, which says nothing of the
    others.
    """
    asked = Questions(plan_of(PLAN))
    least = asked.epsilon(formula(Fraction(1, 100)))
    most = _work_of_a_point(asked, least)
    assert most >= _work_at(asked, Fraction(0))
    assert most > 100 * max(_work_at(asked, Fraction(1, 2)), 1)
    unbounded = Bound.exactly(math.inf, "nothing is known")
    assert _work_of_a_point(asked, unbounded) >= _work_at(asked, Fraction(0))
