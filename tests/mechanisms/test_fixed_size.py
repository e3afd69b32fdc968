"""Batches of a fixed size: against enumeration, mpmath and other accountants."""

import itertools
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp

from rdpacct import (
    Gaussian,
    InputError,
    Laplace,
    Norm,
    Relation,
    SampledWithoutReplacement,
    Sensitivity,
    delta,
    epsilon,
    read_plan,
)
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import real
from rdpacct.mechanisms.mixtures.exponential_sum import one_term, two_terms
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.mechanisms.mixtures.mixture_transform import MixtureTransform
from rdpacct.privacy.nodes import Nodes

REPLACED = Relation.REPLACE_ONE


def batches(sigma: Any, batch: int, of: int, relation: Any) -> Any:
    """A Gaussian release on a batch, in which a record moves the query by 2."""
    inside = Sensitivity(2, norm=Norm.L2, relation=REPLACED)
    return SampledWithoutReplacement(
        Gaussian(sigma, inside), batch, of, relation=relation
    )


def hockey(first: Any, second: Any, level: Any) -> Any:
    """The hockey-stick divergence of two finite laws."""
    return sum(max(p - level * q, 0) for p, q in zip(first, second, strict=True))


def answers(data: tuple[int, ...], truth: Any) -> tuple[Any, Any]:
    """Randomized response of one record that is drawn from the data."""
    share = mp.mpf(sum(data)) / len(data)
    return share * truth + (1 - share) * (1 - truth), (
        share * (1 - truth) + (1 - share) * truth
    )


@pytest.mark.parametrize("relation", ["add_or_remove_one", "replace_one"])
def test_answers_of_one_of_three_records_against_all_data(relation: str) -> None:
    """The largest hockey stick over all neighboring data sets of three bits is the delta."""
    plan = "SampledWithoutReplacement(RandomizedResponse(epsilon=1), batch=1, of=3)"
    truth = mp.e / (1 + mp.e)
    every = list(itertools.product((0, 1), repeat=3))
    if relation == "replace_one":
        pairs = [
            (one, two)
            for one, two in itertools.product(every, repeat=2)
            if sum(a != b for a, b in zip(one, two, strict=True)) == 1
        ]
    else:
        pairs = [(one, one[:2]) for one in every]
        pairs += [(two, one) for one, two in pairs]
    for level in ("0", "0.05", "0.2"):
        most = max(
            hockey(answers(one, truth), answers(two, truth), mp.exp(mp.mpf(level)))
            for one, two in pairs
        )
        found = delta(plan, level, relation=relation)
        assert mp.almosteq(most, mp.mpf(float(found.upper)), 1e-12, 1e-15)


def test_two_batches_are_between_one_strategy_and_the_folded_pair() -> None:
    """The best choice of what the others look like, with the first answer known, for two answers:
    the enclosure has it.
    """
    rate = mp.mpf(1) / 3
    truth = mp.e / (1 + mp.e)
    mixed = rate * truth + (1 - rate) * (1 - truth)
    removing = ((mixed, 1 - truth), (1 - mixed, truth))
    adding = ((truth, 1 - mixed), (1 - truth, mixed))

    def best(level: Any, left: int) -> Any:
        if left == 0:
            return max(1 - level, 0)
        options = []
        for ways in (removing, adding):
            total = mp.mpf(0)
            for p, q in ways:
                total += p * best(level * q / p, left - 1)
            options.append(total)
        return max(options)

    plan = "2*SampledWithoutReplacement(RandomizedResponse(epsilon=1), batch=1, of=3)"
    found = delta(plan, "0.1", relation="replace_one")
    value = best(mp.exp(mp.mpf("0.1")), 2)
    near = Fraction(1, 10**12)
    assert (
        found.lower * (1 - near) <= Fraction(float(value)) <= found.upper * (1 + near)
    )


@pytest.mark.parametrize(("sigma", "batch", "of"), [("1", 1, 4), ("2", 10, 1000)])
def test_one_batch_has_the_curve_of_the_worse_way(
    sigma: str, batch: int, of: int
) -> None:
    """By integrals of mpmath: of removing above 1, exchanged below."""
    found = batches(sigma, batch, of, "replace_one")
    rate = mp.mpf(batch) / of
    mu = 2 / mp.mpf(sigma)

    def curve(level: Any) -> Any:
        edge = mp.log((level - 1 + rate) / rate) / mu + mu / 2
        far, near = mp.ncdf(mu - edge), mp.ncdf(-edge)
        return rate * far + (1 - rate - level) * near

    for at in ("0", "0.3", "1"):
        bound = delta(found, at)
        assert mp.almosteq(curve(mp.exp(mp.mpf(at))), mp.mpf(float(bound.upper)), 1e-12)
    below = delta(found, "-0.3")
    level = mp.exp(mp.mpf("-0.3"))
    wanted = 1 - level + level * curve(1 / level)
    assert mp.almosteq(wanted, mp.mpf(float(below.upper)), 1e-12)


@pytest.mark.parametrize("kind", ["folded", "replaced"])
def test_transforms_of_mixtures_against_mpmath(kind: str) -> None:
    """At complex points, and the bounds on the decay at heights beyond."""
    mu, rate = Fraction(3, 2), Fraction(1, 8)
    first = two_terms(formula(rate), formula(mu))
    second = two_terms(formula(rate), formula(-mu))
    pair = MixturePair(first, second)
    if kind == "folded":
        pair = MixturePair(first, one_term(), formula(mu / 2))
    transform = MixtureTransform(pair)
    shift, share = mp.mpf(3) / 2, mp.mpf(1) / 8

    def densities(x: Any) -> tuple[Any, Any]:
        a = 1 - share + share * mp.exp(shift * x - shift**2 / 2)
        b = 1 - share + share * mp.exp(-shift * x - shift**2 / 2)
        return a, mp.mpf(1) if kind == "folded" else b

    def moment(z: Any) -> Any:
        def inside(x: Any) -> Any:
            a, b = densities(x)
            whole = a ** (1 + z) * b ** (-z)
            if kind == "folded":
                whole += b ** (1 + z) * a ** (-z)
            return mp.npdf(x) * whole

        start = shift / 2 if kind == "folded" else mp.mpf(-10)
        total = mp.quad(inside, mp.linspace(start, 14, 5))
        if kind == "folded":
            edge = shift / 2
            total += 1 - mp.ncdf(-edge)
            total -= (1 - share) * mp.ncdf(-edge) + share * mp.ncdf(shift - edge)
        return total

    with mp.workdps(20), precision(120):
        found = transform.at(Nodes(real(1.5), real(2.0), 3))
        for m, one in enumerate(found):
            wanted = moment(mp.mpc(1.5, 2 * m))
            assert (
                abs(mp.mpf(str(one.real.mid().str(25, radius=False))) - wanted.real)
                < 1e-15
            )
            assert (
                abs(mp.mpf(str(one.imag.mid().str(25, radius=False))) - wanted.imag)
                < 1e-15
            )
            assert float(one.real.rad()) < 1e-15
        for height in (0.5, 6.0):
            most = transform.decay(real(1.5), real(height), found[0].real)
            for more in (1, 2.5):
                there = abs(moment(mp.mpc(1.5, height * more)))
                assert there <= mp.mpf(float(most)) * (1 + mp.mpf("1e-12"))
            assert float(most) < float(found[0].real)


def test_fixed_batches_against_the_renyi_bound_of_another_library() -> None:
    """The bound of Wang, Balle and Kasiviswanathan for replaced records, with its sensitivity 1, is
    above ours.
    """
    peer = pytest.importorskip("dp_accounting")
    rdp = pytest.importorskip("dp_accounting.rdp")
    replaced = peer.NeighboringRelation.REPLACE_ONE
    for sigma, batch, of, steps in ((4, 100, 10_000, 1000), (2, 50, 10_000, 3000)):
        accountant = rdp.RdpAccountant(neighboring_relation=replaced)
        inner = peer.GaussianDpEvent(sigma)
        event = peer.SampledWithoutReplacementDpEvent(of, batch, inner)
        accountant.compose(event, steps)
        theirs = accountant.get_epsilon(1e-6)
        plan = (
            f"{steps}*SampledWithoutReplacement(Gaussian(sigma={sigma}),"
            f" batch={batch}, of={of})"
        )
        ours = epsilon(plan, "1e-6", relation="replace_one")
        assert float(ours.upper) < theirs


def test_adding_or_removing_is_poisson_sampling_with_the_larger_move() -> None:
    """The same pair with another sensitivity; and more than half of the records is worse."""
    plan = batches(2, 100, 10_000, "add_or_remove_one")
    same = epsilon("1000*PoissonSampled(Gaussian(sigma=1), rate=0.01)", "1e-5")
    found = epsilon(1000 * plan, "1e-5")
    assert (found.lower, found.upper) == (same.lower, same.upper)
    assert "sampling/without-replacement" in found.rests_on


def test_replacing_is_worse_than_removing_and_the_whole_batch_is_no_sample() -> None:
    """Between one way in every release and the dominating pair; with all records, the mechanism."""
    removing = epsilon(500 * batches(3, 10, 1000, "add_or_remove_one"), "1e-5")
    replacing = epsilon(500 * batches(3, 10, 1000, "replace_one"), "1e-5")
    assert replacing.lower == removing.lower < removing.upper < replacing.upper
    zeroed = epsilon(500 * batches(3, 10, 1000, "zero_out"), "1e-5")
    assert zeroed.upper == replacing.upper
    whole = epsilon(batches(3, 7, 7, "replace_one"), "1e-5")
    assert whole.upper == epsilon("Gaussian(sigma=3, sensitivity=2)", "1e-5").upper


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "SampledWithoutReplacement(Gaussian(sigma=1), batch=5, of=4)",
            "smaller batch",
        ),
        ("SampledWithoutReplacement(Gaussian(sigma=1), batch=0, of=4)", "batch size"),
        ("SampledWithoutReplacement(Gaussian(sigma=1), batch=1.5, of=4)", "whole"),
        ("SampledWithoutReplacement(ZCDP(rho=1), batch=1, of=4)", "one worst pair"),
        ("SampledWithoutReplacement(Gaussian(sigma=1), batch=1)", "needs of"),
    ],
)
def test_bad_batches_are_one_sentence(text: str, says: str) -> None:
    """The value, the reason and the remedy."""
    with pytest.raises(InputError, match=says):
        read_plan(text)


def test_the_mechanism_inside_is_stated_for_batches() -> None:
    """Another record in the batch is a replaced one, whatever the data do."""
    with pytest.raises(
        InputError, match="samples of a fixed size differ in one record"
    ):
        SampledWithoutReplacement(Gaussian(1), 1, 3)
    text = "SampledWithoutReplacement(Laplace(scale=1), batch=1, of=3)"
    plan = read_plan(text)
    assert isinstance(plan.single, SampledWithoutReplacement)
    assert plan.single.mechanism == Laplace(1).stated_for(REPLACED)
    assert str(plan) == text
    assert plan.relation is Relation.ADD_OR_REMOVE_ONE
    said = " ".join(plan.single.assumes())
    assert "between batches that differ in one record" in said
    assert "between neighbors" not in said
