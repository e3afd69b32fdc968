"""Losses, profiles, relations and guarantees: what the types promise."""

import math
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import flint
import mpmath
import pytest
import sympy

from rdpacct import (
    ApproxDP,
    Bound,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    FiniteMechanism,
    Gaussian,
    InputError,
    Laplace,
    MaximallyDivergent,
    MeanCDP,
    Norm,
    Plan,
    PureDP,
    RandomDP,
    RandomizedResponse,
    Relation,
    Sensitivity,
    UndecidedError,
    audit,
    profile,
    read_plan,
)
from rdpacct.exact.bound import worst
from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import sqrt, tanh
from rdpacct.mechanisms import StudyOnlyWarning
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism as Table
from rdpacct.mechanisms.maximally_divergent import maximally_divergent_above
from rdpacct.privacy.group import group
from rdpacct.privacy.guarantee import GUARANTEES
from rdpacct.privacy.post_processing import post_process
from rdpacct.privacy.symbolic import symbolic


def test_the_gaussian_pair_is_exact() -> None:
    """The tight (mu, tau) of Gaussian(sigma=2) is (1/8, 1/2), with no width at all."""
    for mu, tau in (
        Gaussian(2).loss().centered_cdp(),
        Gaussian(2).loss().one_sided_cdp(),
    ):
        assert (mu.lower, mu.upper) == (Fraction(1, 8), Fraction(1, 8))
        assert (tau.lower, tau.upper) == (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.parametrize("derived", [False, True])
def test_the_pairs_of_randomized_response(derived: bool) -> None:
    """For RandomizedResponse(1): mu is tanh(1/2); tau**2 is 2 tanh(1/2), centered and with mu =
    tau**2/2 one-sided.
    """
    loss = RandomizedResponse(1).loss()
    loss = loss.derived() if derived else loss
    with mpmath.workdps(40):
        half = Fraction(str(mpmath.tanh(mpmath.mpf(1) / 2)))
        variance = 1 - half**2
    slack = Fraction(1, 10**35)
    for mu, tau in (loss.centered_cdp(), loss.one_sided_cdp()):
        assert mu.lower - slack <= half <= mu.upper + slack
        assert tau.lower**2 - slack <= 2 * half <= tau.upper**2 + slack
        assert tau.relative_width < 1e-10
    about_the_mean = loss.one_sided_tau()
    assert (
        about_the_mean.lower**2 - slack <= variance <= about_the_mean.upper**2 + slack
    )
    assert about_the_mean.upper < loss.centered_cdp()[1].lower


def test_laplace_agrees_with_what_sympy_derives_from_its_loss() -> None:
    """Mean, moments and Renyi divergences of Laplace follow from its atoms and density by symbolic
    integration.
    """
    b = sympy.Symbol("b", positive=True)
    t = sympy.Symbol("t", positive=True)
    loss = Laplace(Symbol("b")).loss()
    mean_form: Any = loss.forms.mean
    log_moment: Any = loss.forms.log_moment
    law = symbolic(loss, b=b)
    assert sympy.simplify(law.mean() - mean_form().sympy(b=b)) == 0
    assert (
        sympy.simplify(
            law.moment(t) - sympy.exp(log_moment(Symbol("t")).sympy(b=b, t=t))
        )
        == 0
    )
    for scale in (Fraction(1), Fraction(3, 10)):
        at = {b: sympy.Rational(scale.numerator, scale.denominator)}
        mean = Fraction(str(sympy.N(law.mean().subs(at), 40)))
        renyi = Fraction(str(sympy.N(law.renyi(sympy.Integer(3)).subs(at), 40)))
        near = Fraction(1, 10**30)
        ours = Laplace(scale).profile()
        assert ours.mean().lower - near <= mean <= ours.mean().upper + near
        assert ours.renyi(3).lower - near <= renyi <= ours.renyi(3).upper + near
        mu, _ = ours.centered_cdp()
        assert mu.lower - near <= mean <= mu.upper + near


def test_gaussian_and_response_agree_with_their_symbolic_losses() -> None:
    """The same for the Gaussian, whose integral runs over the whole line, and for randomized
    response.
    """
    s, t, e = (sympy.Symbol(name, positive=True) for name in "ste")
    loss = Gaussian(Symbol("s")).loss()
    mean: Any = loss.forms.mean
    log_moment: Any = loss.forms.log_moment
    law = symbolic(loss, s=s)
    assert sympy.simplify(law.mean() - mean().sympy(s=s)) == 0
    assert (
        sympy.simplify(
            law.moment(t) - sympy.exp(log_moment(Symbol("t")).sympy(s=s, t=t))
        )
        == 0
    )
    response = RandomizedResponse(Symbol("e")).loss()
    mean = response.forms.mean
    gap = symbolic(response, e=e).mean() - mean().sympy(e=e)
    assert sympy.simplify(gap.rewrite(sympy.exp)) == 0


def test_a_lattice_has_no_symbolic_form() -> None:
    """A loss without a symbolic form says so."""
    with pytest.raises(InputError, match="no symbolic form"):
        symbolic(DiscreteGaussian(1).loss())


def test_laplace_is_pure() -> None:
    """Laplace(scale=1) at delta = 0 has epsilon 1, exactly."""
    assert Laplace(1).loss().epsilon(0) == Bound.exactly(
        Fraction(1), "the largest loss"
    )


def test_different_supports_put_mass_at_infinity() -> None:
    """Nothing is dropped: the mass that Q lacks is at infinity, and at minus infinity after the
    exchange.
    """
    loss = FiniteMechanism([["1/4", "3/4", 0], [0, "1/2", "1/2"]]).loss()
    assert loss.at_infinity.bound().lower == Fraction(1, 4)
    assert loss.reversed().at_infinity.bound().lower == Fraction(1, 2)
    assert (
        loss.reversed().reversed().delta(0)
        == loss.delta(0)
        == Bound.exactly(Fraction(1, 2), "exact sum over the atoms")
    )
    assert (
        loss.mean().lower
        == loss.renyi(2).lower
        == loss.max_divergence().lower
        == math.inf
    )
    assert loss.tail(1000).contains(Fraction(1, 4))
    assert loss.moment(-1).contains(Fraction(1, 2))
    assert loss.epsilon("1/5").lower == math.inf
    exactly_there = loss.epsilon("1/4")
    with mpmath.workdps(30):
        largest = Fraction(str(mpmath.log(mpmath.mpf(3) / 2)))
    assert exactly_there.lower <= largest + Fraction(1, 10**20)
    assert exactly_there.upper >= largest - Fraction(1, 10**20)


def test_both_directions_are_kept_apart() -> None:
    """The profile of an asymmetric pair is the worse direction at each question."""
    table = FiniteMechanism([["0.9", "0.1"], ["0.5", "0.5"]])
    forward = table.loss_between(0, 1)
    backward = table.loss_between(1, 0)
    assert (
        table.profile().delta(1).overlaps(worst([forward.delta(1), backward.delta(1)]))
    )
    assert forward.delta(1).certainly_below(backward.delta(1))
    assert forward.reversed().delta(1).overlaps(backward.delta(1))


def test_sensitivity_is_a_value_with_norm_and_relation() -> None:
    """A sensitivity keeps its norm and relation, and a plan has one relation."""
    replace_one = Sensitivity(2, norm=Norm.L2, relation=Relation.REPLACE_ONE)
    mechanism = Gaussian(1, sensitivity=replace_one)
    assert mechanism.relation is Relation.REPLACE_ONE
    assert Gaussian(1).relation is Relation.ADD_OR_REMOVE_ONE
    assert Gaussian(1, sensitivity=2).stated_for(Relation.REPLACE_ONE) == mechanism
    with pytest.raises(InputError, match="mixes the relations"):
        _ = (mechanism + Gaussian(1)).relation
    with pytest.raises(InputError, match="mixes the relations"):
        profile(mechanism + Gaussian(1))


def test_plans_are_an_algebra() -> None:
    """Order and grouping do not matter, and counts add up."""
    a = Gaussian(1)
    b = Laplace(2)
    assert a + b == b + a
    assert 2 * (a + b) == a + a + b + b
    assert 3 * a + 2 * a == 5 * a
    assert (a + b) + a == a + (b + a)
    assert 0 * a == Plan.of()
    assert (
        str(1000 * Gaussian(20) + 10 * Laplace(5))
        == "10*Laplace(scale=5) + 1000*Gaussian(sigma=20)"
    )


def test_exact_parameters_may_be_formulas() -> None:
    """A mechanism takes a formula as its parameter, and squares of roots are exact."""
    assert Gaussian(sqrt(2)).loss().mean() == Bound.exactly(
        Fraction(1, 4), "closed form"
    )
    assert RandomizedResponse(tanh(1)).loss().max_divergence().relative_width < 1e-15


def test_continuous_samplers_say_that_they_are_for_study() -> None:
    """Gaussian and Laplace samplers warn, in one dimension and in many; the discrete ones do
    not.
    """
    for mechanism in (Gaussian(1), Laplace(1)):
        with pytest.warns(StudyOnlyWarning, match="study only"):
            assert isinstance(mechanism.sample(0.0), float)
        with pytest.warns(StudyOnlyWarning, match="porous"):
            assert len(mechanism.sample([0.0, 1.0, 2.0])) == 3
    DiscreteGaussian(1).sample(0)


def test_maximally_divergent_split() -> None:
    """The split of Lemma 7 keeps the largest loss, has only the two extreme ratios, merges back,
    and KL only grows.
    """
    p = ["1/2", "3/10", "1/5"]
    q = ["1/5", "3/10", "1/2"]
    table = maximally_divergent_above(p, q)
    above, below = table.rows
    assert {a / b for a, b in zip(above, below, strict=True) if b} == {
        Fraction(5, 2),
        Fraction(2, 5),
    }
    merged = [[row[2 * i] + row[2 * i + 1] for i in range(3)] for row in (above, below)]
    assert Table(merged) == Table([p, q])
    assert Table([p, q]).loss().mean().certainly_below(table.loss().mean())
    assert table.loss().mean().overlaps(table.loss().reversed().mean())
    with pytest.raises(InputError, match="supports"):
        maximally_divergent_above([1, 0], ["1/2", "1/2"])


def test_guarantees_know_their_limits() -> None:
    """Parameters are exact and validated, and a guarantee prints as it is written."""
    assert str(ApproxDP("1", "1e-5")) == "ApproxDP(epsilon=1, delta=1e-05)"
    assert PureDP("0.1").epsilon.bound().lower == Fraction(1, 10)
    assert PureDP(0.1) != PureDP("0.1")
    assert str(RandomDP(1, gamma="0.05")) == "RandomDP(alpha=1, eta=0, gamma=0.05)"
    assert len({cls.__name__ for cls in GUARANTEES}) == 9
    for cls in GUARANTEES:
        assert len(cls.__doc__ or "") > 40


def test_group_and_post_processing_refuse_what_no_theorem_gives() -> None:
    """MeanCDP does not survive post-processing, and has no group rule here; the refusals name the
    theorem.
    """
    with pytest.raises(InputError, match="cdp/post-processing"):
        post_process(MeanCDP(1, 1))
    with pytest.raises(InputError, match="groups"):
        group(MeanCDP(1, 1), 2)
    with pytest.raises(InputError, match="group size"):
        group(PureDP(1), 0)
    assert post_process(PureDP(1)) == PureDP(1)
    assert group(PureDP("1/3"), 3) == PureDP(1)


def test_a_constant_loss_that_is_not_zero() -> None:
    """Where P lies inside Q the loss may be constant: here log 2, which is also rho."""
    loss = FiniteMechanism([[1, 0], ["1/2", "1/2"]]).loss()
    log_two = loss.max_divergence()
    assert loss.zcdp_rho(0).overlaps(log_two)
    assert loss.zcdp_rho(0).relative_width < 1e-15
    assert loss.centered_cdp()[1].upper == 0
    assert loss.renyi(7).overlaps(log_two)


def test_outcomes_without_mass_do_not_count() -> None:
    """A neutral outcome of probability one leaves nothing to lose."""
    nothing = MaximallyDivergent(1, neutral=1).profile()
    for bound in (
        nothing.max_divergence(),
        nothing.mean(),
        nothing.gaussian_mu(),
        *nothing.centered_cdp(),
    ):
        assert (bound.lower, bound.upper) == (0, 0)


def test_many_steps_of_a_geometric_lattice_agree_with_its_atoms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The geometric series of DiscreteLaplace give what its atoms give one by one."""
    mechanism = DiscreteLaplace("3/2", sensitivity=9)
    atoms = mechanism.loss()
    monkeypatch.setattr("rdpacct.mechanisms.discrete.discrete_laplace.MOST_ATOMS", 1)
    lattice = mechanism.loss()
    assert len(lattice.parts) == 3 < len(atoms.parts)
    questions: tuple[Callable[[Any], Any], ...] = (
        lambda loss: loss.mean(),
        lambda loss: loss.renyi("1/2"),
        lambda loss: loss.renyi(4),
        lambda loss: loss.tail("-0.7"),
        lambda loss: loss.delta(2),
        lambda loss: loss.delta("2/3"),
        lambda loss: loss.epsilon("1e-3"),
        lambda loss: loss.centered_cdp()[1],
        lambda loss: loss.zcdp_rho("0.1"),
    )
    for question in questions:
        assert question(atoms).overlaps(question(lattice))
        assert question(lattice).relative_width < 1e-10


def test_trade_offs_far_out() -> None:
    """The Gaussian trade-off of randomized response at epsilon 200 is 2 Phi^-1(1/(1 +
    exp(-200))).
    """
    with mpmath.workdps(150):
        tail = 1 / (1 + mpmath.exp(200))
        mu = Fraction(
            mpmath.nstr(
                -2
                * mpmath.findroot(lambda z: mpmath.log(mpmath.ncdf(z) / tail), -19.8),
                40,
            )
        )
    bound = RandomizedResponse(200).profile().gaussian_mu()
    assert bound.lower - Fraction(1, 10**30) <= mu <= bound.upper + Fraction(1, 10**30)
    with pytest.raises(UndecidedError, match="too far"):
        RandomizedResponse(5000).profile().gaussian_mu()


def test_the_edge_of_zcdp_at_the_largest_loss() -> None:
    """With xi at or above the largest loss no rho is needed, also where xi is not a dyadic
    number.
    """
    for mechanism in (Laplace(10), RandomizedResponse("0.1"), Exponential("0.1")):
        assert mechanism.loss().zcdp_rho("0.1").upper == 0
        assert mechanism.loss().zcdp_rho("0.0999").upper > 0


def test_tiny_values_keep_their_digits() -> None:
    """Tails far below the precision are found to full relative accuracy, and print."""
    tail = Gaussian(50).loss().tail(1)
    with mpmath.workdps(40):
        truth = Fraction(mpmath.nstr(mpmath.ncdf(mpmath.mpf(1) / 100 - 50), 35))
    assert (
        tail.lower * (1 - Fraction(1, 10**30))
        <= truth
        <= tail.upper * (1 + Fraction(1, 10**30))
    )
    assert tail.relative_width < 1e-15
    assert repr(Gaussian(50).loss().delta(7)).startswith("[0, ")


def test_rare_losses_keep_their_spread() -> None:
    """Where nearly all mass has one loss, the tiny variance is still found: 4 epsilon**2 p (1 -
    p).
    """
    with mpmath.workdps(60):
        p = 1 / (1 + mpmath.exp(60))
        spread = Fraction(mpmath.nstr(mpmath.sqrt(4 * 60**2 * p * (1 - p)), 40))
    bound = RandomizedResponse(60).loss().one_sided_tau()
    assert (
        bound.lower - Fraction(1, 10**45) <= spread <= bound.upper + Fraction(1, 10**45)
    )
    assert bound.relative_width < 1e-20


def test_renyi_divergences_of_every_order() -> None:
    """Orders below 1 and infinite ones are answered, others refused, for a family of pairs as for
    one.
    """
    disjoint = FiniteMechanism([[1, 0], [0, 1]]).loss()
    assert disjoint.renyi("1/2").lower == math.inf
    assert Exponential(1).profile().renyi(math.inf).upper == 1
    for order in (0, -1):
        with pytest.raises(InputError, match="positive order"):
            Exponential(1).profile().renyi(order)


def test_threads_do_not_disturb_each_other() -> None:
    """Answers asked at the same time in several threads are those asked alone, and the backend is
    left as it was.
    """
    questions: list[Callable[[], Any]] = [
        lambda: Laplace(1).loss().derived().delta("1/3"),
        lambda: Gaussian(1).loss().derived().epsilon("1e-30"),
        lambda: RandomizedResponse(1).loss().derived().zcdp_rho("0.1"),
        lambda: DiscreteGaussian(3).loss().epsilon("1e-9"),
    ]
    alone = [question() for question in questions]
    before = flint.ctx.prec
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda question: question(), questions * 3))
    finally:
        sys.setswitchinterval(interval)
    assert together == alone * 3
    assert flint.ctx.prec == before


def test_plans_without_releases_keep_their_relation() -> None:
    """A plan of no releases states the relation that was asked about."""
    assert (
        read_plan("0*Gaussian(sigma=1)", Relation.REPLACE_ONE).relation
        is Relation.REPLACE_ONE
    )


def test_long_sums_are_quick() -> None:
    """A thousand distinct Gaussian releases are added up in little time, whatever their
    denominators.
    """
    plan = " + ".join(f"Gaussian(sigma={i + 1}.{i})" for i in range(1000))
    assert profile(plan).epsilon("1e-6").relative_width < 1e-12


def test_objects_can_be_stored() -> None:
    """Mechanisms, plans, losses, guarantees and bounds survive pickling; verdicts can be hashed."""
    table = FiniteMechanism([[1, 0], [0, 1]])
    bound = Gaussian(1).loss().delta(1)
    for thing in (Gaussian(1), 3 * Laplace(2), table, PureDP(1), bound):
        assert pickle.loads(pickle.dumps(thing)) == thing
    assert pickle.loads(pickle.dumps(table.loss())).delta(0).lower == 1
    assert isinstance(hash(audit(Gaussian(1), PureDP(1))), int)


def test_orders_beyond_all_use_are_enclosed() -> None:
    """At enormous orders a Renyi divergence lies between that of a large order and the largest
    loss.
    """
    for mechanism in (Laplace(1), RandomizedResponse(1), Exponential(1)):
        bound = mechanism.profile().renyi("1e300")
        assert bound.upper == 1
        assert bound.lower > Fraction(999, 1000)
    assert DiscreteGaussian(2).profile().renyi(3) == Bound.exactly(
        Fraction(3, 8), "closed form"
    )
