"""A composition is a loss like any other: what comes out of a profile is reversed, composed and
asked again.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import InputError, Laplace, PoissonSampled, audit, epsilon, profile
from rdpacct.composition.composed_loss import ComposedLoss
from rdpacct.errors import UndecidedError
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.privacy.any_loss import QUESTIONS, Loss
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.relation import Relation

TEN = "10*Laplace(scale=5)"
SAMPLED = "3*PoissonSampled(Gaussian(sigma=1), rate=0.1) + Laplace(scale=2)"


@dataclass(frozen=True)
class _OfAPlan(Mechanism):
    """A user's mechanism whose privacy is that of a plan."""

    plan: str
    relation = Relation.ADD_OR_REMOVE_ONE

    def loss(self) -> Any:
        return self.profile().losses[0]

    def profile(self) -> Any:
        return profile(self.plan)


@dataclass(frozen=True)
class _Oriented(_OfAPlan):
    oriented = True


@dataclass(frozen=True)
class _OnlyLoss(Mechanism):
    """A user's mechanism that gives its loss alone."""

    plan: str
    relation = Relation.ADD_OR_REMOVE_ONE

    def loss(self) -> Any:
        return profile(self.plan).losses[0]


def test_a_sum_is_reversed() -> None:
    """Laplace losses are symmetric, so that the reversed sum answers as the sum."""
    loss = profile(TEN).losses[0]
    assert isinstance(loss, ComposedLoss)
    assert loss.reversed().delta(1).overlaps(loss.delta(1))
    assert loss.delta(1).lower > Fraction(2, 100)


def test_reversing_exchanges_the_two_directions() -> None:
    """Of sampled mechanisms the reversed sum of removing is that of adding."""
    remove, add = profile(SAMPLED).losses
    for level in ("0.1", "0.5", "1"):
        assert remove.reversed().delta(level).overlaps(add.delta(level))
        assert add.reversed().delta(level).overlaps(remove.delta(level))
        assert not remove.delta(level).overlaps(add.delta(level))


@pytest.mark.parametrize(
    "mechanism",
    [_OfAPlan(TEN), _Oriented(TEN), _OnlyLoss(TEN)],
    ids=lambda m: type(m).__name__,
)
def test_a_mechanism_of_a_composed_loss_composes(mechanism: Any) -> None:
    """It answers as the releases that it stands for, repeated and beside others."""
    assert epsilon(mechanism, "1e-6").overlaps(epsilon(TEN, "1e-6"))
    assert epsilon(2 * mechanism, "1e-6").overlaps(
        epsilon("20*Laplace(scale=5)", "1e-6")
    )
    assert epsilon(100 * mechanism, "1e-6").overlaps(
        epsilon("1000*Laplace(scale=5)", "1e-6")
    )
    assert epsilon(mechanism + Laplace(1), "1e-6").overlaps(
        epsilon(f"{TEN} + Laplace(scale=1)", "1e-6")
    )
    assert audit(100 * mechanism, "ApproxDP(epsilon=0.001, delta=1e-9)").fails
    for mine, plain in ((2 * mechanism, "20*Laplace(scale=5)"),):
        assert profile(mine).mean().overlaps(profile(plain).mean())
        assert profile(mine).renyi(3).overlaps(profile(plain).renyi(3))


def test_an_oriented_mechanism_of_a_sampled_plan_composes() -> None:
    """Both directions are carried to the end."""
    twice = "6*PoissonSampled(Gaussian(sigma=1), rate=0.1) + 2*Laplace(scale=2)"
    assert epsilon(2 * _Oriented(SAMPLED), "1e-6").overlaps(epsilon(twice, "1e-6"))


def test_what_is_not_known_of_a_composition_is_refused() -> None:
    """Two composed losses that may be turned round, and a composition under sampling: one sentence
    each.
    """
    with pytest.raises(InputError, match="oriented"):
        epsilon(2 * _OfAPlan(SAMPLED), "1e-6")
    with pytest.raises(InputError, match="sampl"):
        epsilon(PoissonSampled(_OnlyLoss(TEN), "0.1"), "1e-6")


def test_masses_at_infinity_of_sums_compose() -> None:
    """The promise of a sum keeps its infinite losses."""
    inner = "ApproxDP(epsilon=1, delta=0.01) + Laplace(scale=5)"
    twice = "2*ApproxDP(epsilon=1, delta=0.01) + 2*Laplace(scale=5)"
    assert profile(2 * _OnlyLoss(inner)).delta(1).overlaps(profile(twice).delta(1))


def test_no_question_is_answered_for_a_loss_that_it_does_not_describe() -> None:
    """The base of all losses answers nothing, and a sum has no parts to be asked for."""
    for name in QUESTIONS:
        if name in ("delta_ball", "missed"):
            continue
        arguments = {"log_moment": (Fraction(1), 64)}.get(name, (Fraction(1, 2),))
        asked = getattr(Loss(), name)
        with pytest.raises(UndecidedError, match="not known"):
            asked(*arguments[: asked.__wrapped__.__code__.co_argcount - 1])
    assert not isinstance(profile(TEN).losses[0], PrivacyLoss)
