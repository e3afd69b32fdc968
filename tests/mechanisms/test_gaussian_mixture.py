"""Mixtures of Gaussians: against mpmath, published values and another accountant."""

import math
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp

from rdpacct import (
    Gaussian,
    GaussianMixture,
    InputError,
    Laplace,
    PoissonSampled,
    Relation,
    audit_code,
    delta,
    epsilon,
    profile,
)

THIRDS = GaussianMixture(1, [0, 1, 2], ["1/3", "1/3", "1/3"])
PUBLISHED = {
    "mixture_gaussian_add_1": ([0, 1, 2], "0.2 0.6 0.2", 1, "0.036691263832032806"),
    "mixture_gaussian_add_2": ([1, 2], "0.2 0.8", 1, "0.3894964356580768"),
    "mixture_gaussian_remove_1": ([0, 1, 2], "0.2 0.6 0.2", 0, "0.15768284088654105"),
    "mixture_gaussian_remove_2": ([1, 2], "0.2 0.8", 0, "0.433276675545065"),
    "sampled_gaussian_add_2": ([0, 3], "0.3 0.7", 1, "0.1195051215523554"),
    "sampled_gaussian_remove_2": ([0, 3], "0.3 0.7", 0, "0.5356298793262404"),
    "gaussian_remove_2": ([3], "1", 0, "0.78760074"),
}
"""delta at epsilon 1 for sigma 1, in the tests of dp-accounting, which compares seven places."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_values(name: str) -> None:
    """The direction is the first loss for removing the record, the second for adding it."""
    lengths, shares, way, literal = PUBLISHED[name]
    law = GaussianMixture(1, lengths, shares.split())
    losses = law.profile().losses
    found = losses[way if len(losses) == 2 else 0].delta(1)
    assert found.relative_width < 1e-12
    assert abs(Fraction(found.upper) - Fraction(literal)) < Fraction(5, 10**8)


def excess(p: list[tuple[Any, Any]], q: list[tuple[Any, Any]], growth: Any) -> Any:
    """The largest P(x > t) - growth Q(x > t) of two mixtures of unit normal laws, P to the right,
    in mpmath: t is where their densities have the ratio.
    """

    def gap(x: Any) -> Any:
        first, second = (
            mp.fsum(w * mp.npdf(x, c, 1) for w, c in law) for law in (p, q)
        )
        return mp.log(first / second) - mp.log(growth)

    place = mp.findroot(gap, (-20, 20), solver="anderson", tol=1e-25)
    tails = [mp.fsum(w * mp.ncdf(c - place) for w, c in law) for law in (p, q)]
    return tails[0] - growth * tails[1]


@pytest.mark.parametrize("relation", list(Relation), ids=str)
def test_one_release_against_mpmath(relation: Relation) -> None:
    """Thresholds on the line, in both directions, at three epsilons."""
    law = GaussianMixture(2, ["1/2", 1, 3], ["0.5", "0.4", "0.1"], relation=relation)
    with mp.workdps(30):
        moves = [(mp.mpf("0.5"), mp.mpf("0.25")), (mp.mpf("0.4"), mp.mpf("0.5"))]
        moves += [(mp.mpf("0.1"), mp.mpf("1.5"))]
        other = [(mp.mpf(1), mp.mpf(0))]
        if relation is Relation.REPLACE_ONE:
            other = [(share, -length) for share, length in moves]
        back = [[(w, -c) for w, c in rows] for rows in (other, moves)]
        for level in ("0", "0.3", "1"):
            growth = mp.exp(mp.mpf(level))
            adding = excess(back[0], back[1], growth)
            worst = max(excess(moves, other, growth), adding)
            found = law.profile().delta(level)
            assert abs(worst - mp.mpf(float(found.upper))) < 1e-15


def test_the_renyi_divergence_against_a_sum() -> None:
    """Of order 3, removing: E S**3 = sum p_i p_j p_k exp(c_i c_j + c_i c_k + c_j c_k)."""
    shares = [Fraction(1, 3)] * 3
    with mp.workdps(30):
        total = mp.fsum(
            mp.mpf(1) / 27 * mp.exp(a * b + a * c + b * c)
            for a in range(3)
            for b in range(3)
            for c in range(3)
        )
        removing = THIRDS.loss().renyi(3)
        assert sum(shares) == 1
        assert abs(mp.log(total) / 2 - mp.mpf(float(removing.upper))) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("steps", [1, 30])
def test_against_another_library(steps: int) -> None:
    """Its pessimistic value is just above, in a plan beside Gaussian releases."""
    peer = pytest.importorskip("dp_accounting")
    accountant = pytest.importorskip("dp_accounting.pld").PLDAccountant(
        value_discretization_interval=1e-3
    )
    event = peer.dp_event.MixtureOfGaussiansDpEvent(
        2.0, [0.0, 1.0, 3.0], [0.75, 0.1875, 0.0625]
    )
    accountant.compose(event, steps)
    accountant.compose(peer.GaussianDpEvent(8.0), 2)
    theirs = Fraction(accountant.get_epsilon(1e-5))
    law = GaussianMixture(2, [0, 1, 3], ["3/4", "3/16", "1/16"])
    ours = epsilon(steps * law + 2 * Gaussian(8), "1e-5")
    assert ours.relative_width < 1e-8
    assert ours.lower <= theirs <= ours.upper * (1 + Fraction(1, 10**3))


def test_what_it_is_in_simple_cases() -> None:
    """One length is a Gaussian, one beside 0 a Poisson sample, several binomial ones a group."""
    same = {
        GaussianMixture(2, [3], [1]): Gaussian(2, 3),
        GaussianMixture(2, [3, 3, 0], ["1/2", "1/2", 0]): Gaussian(2, 3),
        GaussianMixture(1, [1, 0], ["0.1", "0.9"]): PoissonSampled(Gaussian(1), "0.1"),
        GaussianMixture(1, [0, 1, 2], ["0.81", "0.18", "0.01"]): PoissonSampled(
            Gaussian(1), "0.1", group=2
        ),
        GaussianMixture(1, [1], [1], relation="replace_one"): Gaussian(1, 2),
    }
    for law, known in same.items():
        ours = profile(2 * law).delta(1)
        theirs = profile(2 * known).delta(1)
        assert ours.overlaps(theirs)
        assert ours.relative_width < 1e-2
    assert epsilon(GaussianMixture(1, [0], [1]), 0).upper == 0


def test_groups_draw_independently() -> None:
    """Three records by multiplying out, and what has too many lengths is refused with a chain."""
    law = GaussianMixture(4, [0, 1], ["1/2", "1/2"])
    three = law.for_group(3)
    assert three is not None
    assert [str(share) for share, _ in three.moves] == [
        "0.125",
        "0.375",
        "0.375",
        "0.125",
    ]
    assert [str(length) for _, length in three.moves] == ["0", "1", "2", "3"]
    found = epsilon(10 * law, "1e-6", group=3)
    assert found.overlaps(epsilon(10 * three, "1e-6"))
    assert law.for_group(10**9) is None
    assert GaussianMixture(1, [2], [1]).for_group(10**9) is not None


@pytest.mark.parametrize("relation", list(Relation), ids=str)
def test_no_other_directions_are_worse(relation: Relation) -> None:
    """Two lengths in the plane, the second turned: half-planes never exceed the curve, and without
    a turn they reach it.
    """
    law = GaussianMixture(1, [1, 2], ["0.6", "0.4"], relation=relation)
    most = float(law.profile().delta("0.5").upper)
    largest = 0.0
    for turn in (0.0, 0.7, 1.6, math.pi):
        along = (1.0, 2 * math.cos(turn))
        for edge in (j / 25 for j in range(-75, 120)):
            for sign in (1, -1):
                masses = [0.0, 0.0]
                for share, move in zip((0.6, 0.4), along, strict=True):
                    other = -move if relation is Relation.REPLACE_ONE else 0.0
                    for j, place in enumerate((move, other)):
                        tail = math.erfc(sign * (edge - place) / math.sqrt(2)) / 2
                        masses[j] += share * tail
                for p, q in (masses, masses[::-1]):
                    largest = max(largest, p - math.exp(0.5) * q)
    assert largest <= most < largest + 1e-3


def test_many_releases_of_many_lengths_are_narrow() -> None:
    """Ten thousand releases of five and of two hundred lengths."""
    five = GaussianMixture(20, [0, 1, 2, 3, 5], ["0.9", "0.05", "0.03", "0.01", "0.01"])
    lengths = [Fraction(j, 50) for j in range(200)]
    many = GaussianMixture(50, lengths, [Fraction(1, 200)] * 200)
    for law in (five, many):
        assert epsilon(10_000 * law, "1e-6").relative_width < 1e-9
    assert epsilon(100 * five + 10 * Laplace(20), "1e-6").relative_width < 1e-8


def test_small_noise_is_answered_and_not_hung_up_on() -> None:
    """Wide, and at most what is known of the parts."""
    law = GaussianMixture("1e-3", [0, 1, 2], ["0.9", "0.05", "0.05"])
    two = epsilon(2 * law, "0.01")
    assert epsilon(law, "0.01").upper <= two.upper <= 5 * 10**6


@pytest.mark.filterwarnings("ignore::rdpacct.mechanisms.StudyOnlyWarning")
def test_its_sampler_passes_an_audit_and_a_longer_move_does_not() -> None:
    """On the pair of its own, by running code."""
    law = GaussianMixture(1, [0, 1], ["1/2", "1/2"])
    verdict = audit_code(law.sample, *law.pair(), str(law), trials=2000)
    assert verdict.undecided
    longer = audit_code(law.sample, (0.0, 3.0), (0.0, 0.0), str(law), trials=2000)
    assert longer.fails


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("sigma=1, sensitivities=[0, 1], probabilities=[0.5, 0.4]", "sum to 0.9"),
        (
            "sigma=1, sensitivities=[0, 1], probabilities=[1]",
            "one probability for each",
        ),
        ("sigma=1, sensitivities=[], probabilities=[]", "a list of numbers"),
        ("sigma=1, sensitivities=1, probabilities=[1]", "a list of numbers"),
        ("sigma=1, sensitivities=[-1], probabilities=[1]", "must be 0 or above 0"),
        ("sigma=1, sensitivities=[1, 2], probabilities=[2, -1]", "0 or above 0"),
        ("sigma=0, sensitivities=[1], probabilities=[1]", "must be above 0"),
        ("sigma=1, sensitivities=[[1]], probabilities=[1]", "a sensitivity is"),
        ("sigma=1, sensitivities=[1]", "needs probabilities"),
        (
            "sigma=1, sensitivities=[0, 1], probabilities=[sqrt(2) - 1, 2 - sqrt(2)]",
            "not rational",
        ),
    ],
)
def test_mistakes_get_a_sentence(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        delta(f"GaussianMixture({text})", 1)


def test_more_mistakes_in_python() -> None:
    """Doubles do not add up to 1, and a value for each move is needed."""
    with pytest.raises(InputError, match="exact ones"):
        GaussianMixture(1, [0, 1, 2], [0.1, 0.2, 0.7])
    with pytest.raises(InputError, match="more than the 300"):
        GaussianMixture(1, [1] * 400, [Fraction(1, 400)] * 400)
    with pytest.raises(InputError, match="each of the 3 moves"):
        THIRDS.sample([0, 1])
