"""Many atoms beside one loss with a closed profile: pooled into cells they enclose what they give
one by one.
"""

import pytest

from rdpacct import epsilon, read_plan
from rdpacct.composition.exact_sums.mixture import atom_mixture
from rdpacct.composition.grids.pooled_atoms import pooled_atoms
from rdpacct.composition.narrowest import Point
from rdpacct.composition.plans import composed_losses
from rdpacct.composition.quadrature.tilt import Planner
from rdpacct.composition.setting import Setting
from rdpacct.exact.ball import precision
from rdpacct.exact.raw import real


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (
            "DiscreteGaussian(sigma=2) + DiscreteGaussian(sigma=7) + Gaussian(sigma=2)",
            2,
        ),
        ("DiscreteGaussian(sigma=3) + DiscreteLaplace(scale=2) + Gaussian(sigma=1)", 1),
    ],
)
def test_cells_of_atoms_enclose_all_of_them(text: str, at: int) -> None:
    """The sum over every atom lies in the sums over cells, whatever width is aimed at."""
    answers = composed_losses(read_plan(text))[0].answers  # type: ignore[attr-defined]
    log_delta, tilt = answers.planner.saddle_log_delta(float(at))
    point = Point(float(at), log_delta, tilt)
    asked = Setting(answers.terms, Planner(answers.terms), point, answers.few)
    with precision(128):
        every = atom_mixture(answers.terms, asked.place, 1e9)
        assert every is not None
        exact = every.enclosure(real(at))
        for share in (1e-3, 1e-7):
            pooled = pooled_atoms(answers.terms, asked.place, point, share)
            assert pooled is not None
            found = pooled.enclosure(real(at))
            assert found.overlaps(exact)
            assert found.rel_accuracy_bits() > 10
    assert found.rel_accuracy_bits() > 22


def test_a_plan_of_many_atoms_is_narrow() -> None:
    """Thirty thousand sums of two lattices beside a density."""
    found = epsilon(
        "DiscreteGaussian(sigma=3) + DiscreteGaussian(sigma=40)"
        " + SmoothPower(alpha=10, beta=0.01, power=2)",
        "1e-6",
    )
    assert found.relative_width < 1e-6
    assert found.how.startswith("two sums over cells")
