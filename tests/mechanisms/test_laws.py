"""The shared laws, on every shipped mechanism and on broken twins that must fail them."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from rdpacct import (
    Gaussian,
    GaussianMixture,
    Laplace,
    PoissonSampled,
    RandomizedResponse,
    SmoothNoise,
)
from rdpacct.exact.formula import formula
from rdpacct.mechanisms import Mechanism, known_mechanisms
from rdpacct.mechanisms.inside import has_one_pair
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.relation import Relation
from rdpacct.testing import LAWS, LawBroken, check_laws
from rdpacct.testing.laws import (
    closed_forms_agree_with_the_parts,
    concentration_covers_the_mean,
    lower_ends_are_attained,
    mass_is_one,
    samples_follow_the_loss,
    symmetric_means_unchanged_by_exchange,
)
from rdpacct.testing.strategies import mechanisms
from tests.quick_kinds import QUICK

SLOW = (PoissonSampled, SmoothNoise, GaussianMixture)
COSTLY = (
    "SampledWithReplacement(Gaussian(sigma=2)",
    "SampledWithoutReplacement(Gaussian(sigma=1)",
)
"""Two of them take seconds to compose; other examples of their classes do not."""
BY_CLASS = [list(cls.examples()) for cls in known_mechanisms().values()]
EXAMPLES = [example for examples in BY_CLASS for example in examples]
OTHERS = [example for examples in BY_CLASS for example in examples[1:]]
"""Those that are not the first of their class, whose samples the slow run has."""


def composed_slowly(mechanism: Mechanism) -> bool:
    """Whether the default run does not compose it."""
    return isinstance(mechanism, SLOW) or str(mechanism).startswith(COSTLY)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("mechanism", EXAMPLES, ids=str)
def test_every_example_obeys_every_law(
    mechanism: Mechanism, law: Callable[..., Any]
) -> None:
    """Each shipped example obeys each law."""
    if law is lower_ends_are_attained and composed_slowly(mechanism):
        pytest.skip("composed slowly; the slow run has it")
    if law is samples_follow_the_loss and mechanism in OTHERS:
        pytest.skip("the first of the class is sampled; the slow run has the others")
    law(mechanism, 20261116)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", OTHERS, ids=str)
def test_samples_of_other_examples_follow_the_loss(mechanism: Mechanism) -> None:
    """The law that the default run leaves out for these."""
    samples_follow_the_loss(mechanism, 20261116)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mechanism", [one for one in EXAMPLES if composed_slowly(one)], ids=str
)
def test_lower_ends_are_attained_by_what_is_composed_slowly(
    mechanism: Mechanism,
) -> None:
    """The law that the default run leaves out for these."""
    lower_ends_are_attained(mechanism, 0)


@pytest.mark.parametrize("mechanism", EXAMPLES, ids=str)
def test_one_pair_is_what_the_losses_say(mechanism: Mechanism) -> None:
    """A mechanism that says that it has one symmetric pair has one, by its losses."""
    if mechanism.one_pair:
        assert has_one_pair(mechanism)
        loss = mechanism.loss()
        assert loss.reversed() is loss


def test_one_pair_would_be_refuted() -> None:
    """The check can fail: a sampled release has two losses."""
    assert any(mechanism.one_pair for mechanism in EXAMPLES)
    assert not has_one_pair(PoissonSampled(Gaussian(1), "0.1"))


def test_every_mechanism_brings_examples() -> None:
    """A shipped mechanism without examples would escape the laws."""
    ours = [
        cls
        for cls in known_mechanisms().values()
        if cls.__module__.startswith("rdpacct.")
    ]
    assert all(list(cls.examples()) for cls in ours)
    assert len(ours) >= 8


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(mechanisms(*QUICK))
def test_drawn_mechanisms_obey_the_laws(mechanism: Any) -> None:
    """Mechanisms with drawn parameters obey the laws that do not sample."""
    for law in LAWS:
        if law not in (samples_follow_the_loss, lower_ends_are_attained):
            law(mechanism, 0)


@pytest.mark.slow
@settings(
    max_examples=1000,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(mechanisms())
def test_many_drawn_mechanisms_obey_the_laws(mechanism: Any) -> None:
    """The same on many more draws."""
    for law in LAWS:
        if law not in (samples_follow_the_loss, lower_ends_are_attained):
            law(mechanism, 0)


@dataclass(frozen=True)
class _Twin(Mechanism):
    """A mechanism with a given loss and sampler, for breaking."""

    given: Any
    like: Any
    relation: Relation = Gaussian(1).relation

    def loss(self) -> Any:
        return self.given

    def pair(self) -> Any:
        return self.like.pair()

    def observed(self, output: Any) -> Any:
        return self.like.observed(output)

    def sample(self, value: Any, rng: Any = None) -> Any:
        return self.like.sample(value, rng)

    def __str__(self) -> str:
        return "Twin"


RESPONSE = RandomizedResponse(1)


def test_the_unbroken_twin_passes() -> None:
    """The twin itself is sound, so that what breaks below is what was changed."""
    for law in LAWS[:-2]:
        law(_Twin(RESPONSE.loss(), RESPONSE), 0)
    samples_follow_the_loss(_Twin(RESPONSE.loss(), RESPONSE), 0)


def test_missing_mass_is_found() -> None:
    """A loss that silently drops outcomes breaks the law of mass."""
    loss = RESPONSE.loss()
    with pytest.raises(LawBroken, match="mass"):
        mass_is_one(_Twin(replace(loss, parts=loss.parts[:1]), RESPONSE), 0)


def test_a_wrong_closed_form_is_found() -> None:
    """A closed form off by one part in a billion breaks the law of closed forms."""
    loss = Laplace(1).loss()
    mean: Any = loss.forms.mean
    wrong = replace(loss.forms, mean=lambda: mean() * (1 + Fraction(1, 10**9)))
    with pytest.raises(LawBroken, match="closed form"):
        closed_forms_agree_with_the_parts(
            _Twin(replace(loss, forms=wrong), Laplace(1)), 0
        )


@pytest.mark.parametrize("broken", ["delta", "log_moment", "tau_squared", "rho"])
def test_every_kind_of_closed_form_is_checked(broken: str) -> None:
    """Each field of the closed forms is compared with the parts."""
    loss = RESPONSE.loss()
    form = getattr(loss.forms, broken)
    more = Fraction(1, 10**9)

    def wrong(*at: Any) -> Any:
        return form(*at) + more

    kept: dict[str, Any] = {broken: wrong}
    forms = Forms(**kept)

    with pytest.raises(LawBroken, match="closed form"):
        closed_forms_agree_with_the_parts(
            _Twin(replace(loss, forms=forms), RESPONSE), 0
        )


@pytest.mark.slow
def test_a_wrong_moment_beyond_the_ends_of_bounds_is_found() -> None:
    """Where a moment is too large for a bound, its logarithm is compared."""
    noise = Gaussian("1/13", "5.6")
    loss = noise.loss()
    assert loss.moment(4).upper == math.inf
    closed_forms_agree_with_the_parts(noise, 0)
    form: Any = loss.forms.log_moment
    wrong = replace(loss.forms, log_moment=lambda rate: form(rate) + Fraction(1, 10**3))
    with pytest.raises(LawBroken, match="closed form"):
        closed_forms_agree_with_the_parts(_Twin(replace(loss, forms=wrong), noise), 0)


def test_a_false_symmetry_is_found() -> None:
    """A loss that calls itself symmetric and is not breaks the law of exchange."""
    skew = PrivacyLoss(
        (
            Atom.of(Fraction(3, 4), Fraction(1, 3)),
            Atom.of(Fraction(1, 4), Fraction(2, 3)),
        ),
        symmetric=True,
    )
    with pytest.raises(LawBroken, match="not symmetric"):
        symmetric_means_unchanged_by_exchange(_Twin(skew, RESPONSE), 0)


def test_too_small_a_tau_is_found() -> None:
    """A tau that is too small to cover the mean is a contradiction."""
    loss = RESPONSE.loss()
    wrong = replace(loss.forms, tau_squared=lambda: formula(Fraction(9, 10)))
    with pytest.raises(LawBroken, match="tau"):
        concentration_covers_the_mean(_Twin(replace(loss, forms=wrong), RESPONSE), 0)


@pytest.mark.parametrize(
    ("said", "run"),
    [(RandomizedResponse(1), RandomizedResponse("1.2")), (Laplace(1), Laplace("0.8"))],
)
def test_a_sampler_of_another_mechanism_is_found(said: Any, run: Any) -> None:
    """A sampler with a fifth less noise than the loss says is told apart."""
    twin = _Twin(said.loss(), replace(said, **{}))

    def sample(value: Any, rng: Any = None) -> Any:
        return run.sample(value, rng)

    object.__setattr__(twin, "sample", sample)
    with pytest.raises(LawBroken, match="of the time"):
        samples_follow_the_loss(twin, 0)


def test_check_laws_runs_them_all() -> None:
    """The one call for users runs every law."""
    check_laws(RandomizedResponse("1/2"))
    loss = RESPONSE.loss()
    with pytest.raises(LawBroken):
        check_laws(_Twin(replace(loss, parts=loss.parts[:1]), RESPONSE))


def test_samples_are_reproducible_with_a_seed_and_vary_without() -> None:
    """A seeded source repeats; the operating system's does not."""
    response = RandomizedResponse("0.01")
    runs = [[response.sample(0, random.Random(7)) for _ in range(3)] for _ in range(2)]
    assert runs[0] == runs[1]
    assert len({tuple(response.sample(0) for _ in range(64)) for _ in range(3)}) == 3
