"""One-run audits against several half planes at once: against every mechanism of few coins, laws of
many exchangeable guesses, and the recursion of Mahloujifar, Melis and Chaudhuri.
"""

import math
from copy import deepcopy
from fractions import Fraction
from functools import cache
from random import Random
from statistics import NormalDist

import pytest

from rdpacct import CanaryGuesses, audit_one_run, check_refutation
from rdpacct.auditing.one_run.ladder import best_ladder
from rdpacct.auditing.one_run.tail import chance_bound
from rdpacct.auditing.running.claimed import plane_at
from rdpacct.proof.audit.certificate import digest
from rdpacct.proof.audit.half_plane import HalfPlane
from rdpacct.proof.audit.one_run_levels import CertifiedLadder, LadderStep
from rdpacct.proof.check import Rejected
from tests.accounting.test_one_run import exchangeable_delta
from tests.enumerated_runs import attaining, binomial, delta_of, drawn, leaking, tail_of

ODDS = [1 + Fraction(k, 4) for k in range(24)]


def planes_of(deltas: dict[Fraction, Fraction]) -> list[HalfPlane]:
    """The half planes of a mechanism with these deltas."""
    return [HalfPlane(Fraction(0), odds, delta) for odds, delta in deltas.items()]


def test_no_mechanism_of_few_coins_exceeds_it() -> None:
    """Random joint laws, leaks, and those that attain the limit at one level, each at its own exact
    profile.
    """
    rng = Random(4)
    joints = [drawn(rng, *pair, (1, -1)) for pair in ((2, 1), (2, 2), (3, 2), (3, 3))]
    joints += [leaking(3, odds, 2, Fraction(1, 20)) for odds in ODDS[:8:3]]
    joints += [attaining(3, 3, 2, odds, Fraction(9, 10)) for odds in ODDS[:8:3]]
    tried = 0
    for joint in joints:
        coins = len(next(iter(joint)))
        guesses = sum(map(abs, next(iter(next(iter(joint.values()))))))
        planes = planes_of({odds: delta_of(joint, odds) for odds in ODDS})
        for count in range(1, guesses + 1):
            ladder = best_ladder(CanaryGuesses(coins, guesses, count), planes, 1)
            if ladder is not None:
                assert tail_of(joint, count) <= ladder.chance()
                tried += 1
    assert tried > 10


def test_no_law_of_many_exchangeable_guesses_exceeds_it() -> None:
    """Laws with more and more excess up to v, each at its own exact profile; the limit comes near
    to some of them.
    """
    rng = Random(8)
    nearest = 0.0
    for _ in range(60):
        guesses = rng.randint(5, 25)
        count = rng.randint(guesses // 2, guesses)
        law = [Fraction(1)]
        for w in range(1, guesses + 1):
            steep = Fraction(rng.randint(90, 110), 100)
            ratio = steep * (1 + Fraction(w, guesses) ** 3 * rng.choice((1, 3)))
            if w > count:
                ratio = Fraction(1)
            law.append(law[-1] * ratio * (guesses - w + 1) / w)
        whole = sum(law)
        law = [mass / whole for mass in law]
        planes = planes_of({odds: exchangeable_delta(law, odds) for odds in ODDS})
        run = CanaryGuesses(guesses, guesses, count)
        ladder = best_ladder(run, planes, 1)
        assert ladder is not None
        tail = sum(law[count:])
        assert tail <= ladder.chance()
        nearest = max(nearest, float(tail / ladder.chance()))
    assert nearest > 0.8


def gaussian_planes(mu: str, last: float, count: int = 80) -> list[HalfPlane]:
    """Half planes of GaussianDP."""
    levels = {Fraction(round(1000 * last * k / count), 1000) for k in range(count + 1)}
    return [plane_at("GaussianDP", {"mu": mu}, level) for level in levels]


def published_level(run: CanaryGuesses, mu: float) -> float:
    """The least error at which the recursion of Mahloujifar, Melis and Chaudhuri refutes
    GaussianDP, as it is printed and shipped in libraries.
    """
    normal = NormalDist()
    m, r, c = run.canaries, run.guesses, run.correct

    def refutes(error: float) -> bool:
        right = error * c / m
        wrong = error * (r - c) / m
        for i in range(c - 1, -1, -1):
            if right >= 1:
                return True
            more = max(wrong, normal.cdf(normal.inv_cdf(right) - mu))
            right += i / (r - i) * (more - wrong)
            wrong = more
        return right + wrong > r / m

    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if refutes(middle):
            high = middle
        else:
            low = middle
    return high


@pytest.mark.parametrize(
    ("counts", "mu"),
    [
        ((100, 100, 90), "1"),
        ((100, 20, 20), "1"),
        ((200, 50, 48), "1"),
        ((100, 100, 75), "0.5"),
        ((1000, 100, 95), "0.4"),
        ((1000, 300, 280), "0.5"),
        ((500, 500, 400), "0.5"),
    ],
)
def test_it_is_no_worse_than_what_is_published(
    counts: tuple[int, int, int], mu: str
) -> None:
    """For GaussianDP, but for the levels between those that are tested; and it is better than the
    best half plane alone.
    """
    run = CanaryGuesses(*counts)
    planes = gaussian_planes(mu, 6 * float(mu) + 2)
    ladder = best_ladder(run, planes, 1)
    assert ladder is not None
    assert float(ladder.chance()) <= 1.01 * published_level(run, float(mu))
    alone = min(chance_bound(run, plane).upper for plane in planes)
    assert ladder.chance() < Fraction(9, 10) * alone


def exact_gain(ladder: CertifiedLadder) -> Fraction:
    """The least of w total(w) - (r - w) grown(w + 1) - [w >= v] + start, in fractions."""
    steps = sorted(ladder.steps, key=lambda step: step.half_plane.growth)

    def grown(total: Fraction) -> Fraction:
        height = Fraction(0)
        for step in steps:
            part = min(total, step.weight)
            height += part * step.half_plane.growth
            total -= part
        assert total <= 0
        return height

    def most(height: Fraction) -> Fraction:
        total = Fraction(0)
        for step in steps:
            part = min(height / step.half_plane.growth, step.weight)
            total += part
            height -= part * step.half_plane.growth
        return total

    r, v, start = ladder.guesses, ladder.correct, ladder.start
    totals = [Fraction(0)] * (r + 2)
    for w in range(v):
        totals[w + 1] = most((w * totals[w] + start) / (r - w))
    above = Fraction(0)
    for w in range(r, v, -1):
        totals[w] = (1 - start + (r - w) * above) / w
        above = grown(totals[w])
    gains = [
        w * totals[w]
        - (r - w) * (grown(totals[w + 1]) if w < r else 0)
        - (w >= v)
        + start
        for w in range(r + 1)
    ]
    return min(gains)


def test_the_checker_computes_as_the_theorem_says() -> None:
    """The totals in fractions satisfy what the theorem asks, for ladders that the checker accepts,
    and do not for those that it rejects.
    """
    planes = gaussian_planes("1", 6, 12)
    for counts in ((10, 10, 9), (20, 12, 8), (30, 6, 6)):
        ladder = best_ladder(CanaryGuesses(*counts), planes, 1)
        assert ladder is not None
        assert exact_gain(ladder) >= 0
        less = tuple(
            LadderStep(step.half_plane, step.weight * Fraction(99, 100))
            for step in ladder.steps
        )
        worse = CertifiedLadder(*counts, "both", ladder.start, less, 1)
        assert exact_gain(worse) < 0
        with pytest.raises(Rejected):
            worse.chance()


def test_at_one_level_it_is_the_limit_itself() -> None:
    """The weight of the theorem at one level, rounded up: the checker gives the closed form."""
    odds, delta = Fraction(5, 2), Fraction(1, 1000)
    for coins, guesses, count in ((20, 20, 15), (40, 10, 10), (9, 9, 4)):
        law = binomial(guesses, odds / (1 + odds))
        beta = sum(law[count:], Fraction(0))
        weight = beta * (1 - beta) / (count * law[count])
        up = 1 + Fraction(1, 10**30)
        step = LadderStep(HalfPlane(Fraction(0), odds, delta), weight * up)
        ladder = CertifiedLadder(coins, guesses, count, "both", beta * up, (step,), 1)
        bound = chance_bound(CanaryGuesses(coins, guesses, count), step.half_plane)
        assert math.isclose(float(ladder.chance()), float(bound), rel_tol=1e-12)


def refutation() -> dict[str, object]:
    """A certificate with several half planes, as data of its own."""
    return deepcopy(_refutation())


@cache
def _refutation() -> dict[str, object]:
    run = CanaryGuesses(1000, 100, 97)
    return audit_one_run(run, "GaussianDP(mu=0.4)", "0.999").certificate()


def test_its_certificate_is_accepted() -> None:
    """With the theorem that it rests on."""
    refuted = check_refutation(refutation())
    assert refuted.method == "one_run_levels"
    assert refuted.rests_on == ("gaussian/delta", "statistics/one-run-levels")


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"correct": 80}, "do not reach|needs more weight"),
        ({"correct": 0}, "right guesses"),
        ({"guesses": 101}, "do not reach|needs more weight"),
        ({"canaries": 10**6}, "share of the error"),
        ({"start": "0"}, "do not reach|needs more weight"),
        ({"start": "2"}, "the start"),
        ({"start": "1/2"}, "share of the error"),
        ({"steps": []}, "the steps"),
        ({"steps": None}, "the steps"),
        ({"sides": "neither"}, "sides"),
        ({"sharing": 1000}, "share of the error"),
        ({"more": 1}, "entries"),
    ],
)
def test_what_does_not_follow_is_rejected(
    entries: dict[str, object], words: str
) -> None:
    """Other counts, another start, and things that are no steps."""
    other = refutation()
    evidence = other["evidence"]
    assert isinstance(evidence, dict)
    evidence |= entries
    other["digest"] = digest(other)
    with pytest.raises(Rejected, match=words):
        check_refutation(other)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"weight": "0"}, "do not reach|needs more weight"),
        ({"weight": "-1"}, "negative"),
        ({"weight": "1e9"}, "share of the error"),
        ({"weight": 1}, "not written"),
    ],
)
def test_a_wrong_weight_is_rejected(entries: dict[str, object], words: str) -> None:
    """One that is too small, or costs too much, or is no number."""
    other = refutation()
    evidence = other["evidence"]
    assert isinstance(evidence, dict)
    heaviest = max(evidence["steps"], key=lambda step: Fraction(step["weight"]))
    heaviest |= entries
    other["digest"] = digest(other)
    with pytest.raises(Rejected, match=words):
        check_refutation(other)


def test_a_half_plane_that_is_not_claimed_is_rejected() -> None:
    """A step with a smaller slack."""
    other = refutation()
    evidence = other["evidence"]
    assert isinstance(evidence, dict)
    evidence["steps"][0]["half_plane"]["slack"] = "0"
    other["digest"] = digest(other)
    with pytest.raises(Rejected, match="does not follow from the claim"):
        check_refutation(other)
