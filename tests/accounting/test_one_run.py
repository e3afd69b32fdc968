"""Audits from one run: the limit against every mechanism of few coins, the lower bound on epsilon,
power, and claims of every kind.
"""

import math
from fractions import Fraction
from itertools import pairwise
from random import Random
from statistics import NormalDist
from typing import Any

import mpmath
import pytest

from rdpacct import CanaryGuesses, InputError, audit_one_run, check_refutation
from rdpacct.auditing.one_run.levels import ClaimLevels
from rdpacct.auditing.one_run.older import older_bound
from rdpacct.auditing.one_run.tail import chance_bound, chance_under
from rdpacct.auditing.running.claimed import claimed
from rdpacct.exact.bound import Bound
from rdpacct.proof.audit.half_plane import HalfPlane
from tests.enumerated_runs import (
    attaining,
    binomial,
    delta_of,
    drawn,
    exact_limit,
    leaking,
    responses,
    tail_of,
)
from tests.exact.test_binomial_tails import series

ODDS = (Fraction(1), Fraction(2), Fraction(5, 2), Fraction(20))


def plane(odds: Fraction, delta: Fraction) -> HalfPlane:
    """The half plane P(S) <= odds Q(S) + delta."""
    return HalfPlane(Fraction(0), odds, delta)


def shipped(
    coins: int,
    guesses: int,
    count: int,
    odds: Fraction,
    delta: Fraction,
    sides: str = "both",
) -> Bound:
    """The shipped limit on the probability of so many right guesses."""
    return chance_bound(CanaryGuesses(coins, guesses, count, sides), plane(odds, delta))


@pytest.mark.parametrize("odds", ODDS)
def test_the_shipped_limit_is_that_of_the_theorem(odds: Fraction) -> None:
    """For all counts of up to five coins, in fractions."""
    for delta in (Fraction(0), Fraction(1, 100), Fraction(1, 3)):
        for coins in range(1, 6):
            for guesses in range(1, coins + 1):
                for count in range(1, guesses + 1):
                    for sides, kinds in (("both", 2), ("in", 1), ("out", 1)):
                        exact = exact_limit(coins, guesses, count, odds, delta, kinds)
                        bound = shipped(coins, guesses, count, odds, delta, sides)
                        assert bound.lower <= exact <= bound.upper
                        assert bound.relative_width < 1e-9


@pytest.mark.parametrize("odds", ODDS)
def test_randomized_responses_attain_the_limit_without_delta(odds: Fraction) -> None:
    """Of up to four coins; they have no delta."""
    for coins in range(1, 5):
        joint = responses(coins, odds)
        assert delta_of(joint, odds) == 0
        for count in range(1, coins + 1):
            assert tail_of(joint, count) == exact_limit(
                coins, coins, count, odds, Fraction(0), 2
            )


@pytest.mark.parametrize("odds", ODDS)
def test_a_joint_mechanism_attains_the_limit_with_delta(odds: Fraction) -> None:
    """For every number of up to four coins, of guesses and of right ones; no mechanism with a
    smaller delta does better.
    """
    for coins in range(1, 5):
        for guesses in range(1, coins + 1):
            for count in range(1, guesses + 1):
                free = exact_limit(coins, guesses, count, odds, Fraction(0), 2)
                top = (free + 1) / 2
                joint = attaining(coins, guesses, count, odds, top)
                delta = delta_of(joint, odds)
                limit = exact_limit(coins, guesses, count, odds, delta, 2)
                assert tail_of(joint, count) == top == limit
                less = exact_limit(coins, guesses, count, odds, delta * 99 / 100, 2)
                assert less < top


@pytest.mark.parametrize("odds", ODDS)
def test_leaks_of_several_coins_at_once_stay_below(odds: Fraction) -> None:
    """Telling the truth about a random set of coins, which are guessed from one output."""
    for coins in range(1, 5):
        for leaks in range(1, coins + 1):
            joint = leaking(coins, odds, leaks, Fraction(1, 10))
            delta = delta_of(joint, odds)
            for count in range(1, coins + 1):
                limit = exact_limit(coins, coins, count, odds, delta, 2)
                assert tail_of(joint, count) <= limit


@pytest.mark.parametrize(("called", "kinds"), [((1, -1), 2), ((1,), 1), ((-1,), 1)])
def test_random_mechanisms_stay_below(called: tuple[int, ...], kinds: int) -> None:
    """Random laws for up to three coins, at their own delta; of guesses of one kind, half of the
    leak is enough.
    """
    rng = Random(7)
    nearest = Fraction(0)
    for _ in range(60):
        coins = rng.randint(1, 3)
        guesses = rng.randint(1, coins)
        joint = drawn(rng, coins, guesses, called)
        odds = 1 + Fraction(rng.randint(0, 60), 10)
        delta = delta_of(joint, odds)
        for count in range(1, guesses + 1):
            limit = exact_limit(coins, guesses, count, odds, delta, kinds)
            tail = tail_of(joint, count)
            assert tail <= limit
            nearest = max(nearest, tail / limit)
    assert nearest > Fraction(3, 4)


def test_laws_of_many_exchangeable_guesses_stay_below() -> None:
    """Any law of the number of right guesses is that of a mechanism in which all coins are alike;
    its delta is a sum over the numbers. Laws near the one that attains the limit come near to it.
    """
    rng = Random(11)
    nearest = 0.0
    for _ in range(300):
        guesses = rng.randint(1, 14)
        count = rng.randint(1, guesses)
        odds = 1 + Fraction(rng.randint(0, 60), 10)
        law = binomial(guesses, odds / (1 + odds))
        jump = rng.choice((1, 2, 10, 100))
        law = [
            mass * Fraction(rng.randint(98, 100)) * (jump if k >= count else 1)
            for k, mass in enumerate(law)
        ]
        whole = sum(law)
        law = [mass / whole for mass in law]
        delta = exchangeable_delta(law, odds)
        limit = exact_limit(guesses, guesses, count, odds, delta, 2)
        tail = sum(law[count:])
        assert tail <= limit
        nearest = max(nearest, float(tail / limit))
    assert nearest > 0.99


def exchangeable_delta(law: list[Fraction], odds: Fraction) -> Fraction:
    """The excess of one coin, if any so many of all guesses are right with these probabilities."""
    guesses = len(law) - 1
    excess = Fraction(0)
    for k in range(1, guesses + 1):
        right = k * law[k]
        wrong = (guesses - k + 1) * law[k - 1]
        excess += max(right - odds * wrong, Fraction(0))
        excess += max(wrong - odds * right, Fraction(0))
    return excess / guesses


def test_the_older_bound_is_larger() -> None:
    """The bound of 2023 is larger where such a count is not likely anyway, and the same without
    delta.
    """
    rng = Random(3)
    for _ in range(40):
        coins = rng.randint(2, 1000)
        guesses = rng.randint(1, coins)
        count = rng.randint(1, guesses)
        run = CanaryGuesses(coins, guesses, count)
        odds = 1 + Fraction(rng.randint(0, 400), 50)
        delta = Fraction(1, 10 ** rng.randint(2, 9))
        limit = chance_bound(run, plane(odds, delta))
        older = older_bound(run, plane(odds, delta))
        free = chance_bound(run, plane(odds, Fraction(0)))
        if free.upper < Fraction(1, 2):
            assert limit.upper <= older.upper
        assert older_bound(run, plane(odds, Fraction(0))).overlaps(free)


def test_the_older_bound_fails_for_common_counts() -> None:
    """One of two guesses is always right in a mechanism with odds 9 and delta 1/11, and the bound
    as it is printed is below 1.
    """
    odds = Fraction(9)
    joint = attaining(2, 2, 1, odds, Fraction(1))
    assert delta_of(joint, odds) == Fraction(1, 11)
    assert tail_of(joint, 1) == 1
    older = older_bound(CanaryGuesses(2, 2, 1), plane(odds, Fraction(1, 11)))
    assert older.upper < Fraction(994, 1000)
    printed = printed_p_value(2, 2, 1, math.log(9), 1 / 11)
    assert math.isclose(float(older), printed, rel_tol=1e-9)
    assert shipped(2, 2, 1, odds, Fraction(1, 11)).upper == 1


def printed_p_value(m: int, r: int, v: int, eps: float, delta: float) -> float:
    """The p-value as Steinke, Nasr and Jagielski print its computation, by mpmath."""
    right = 1 / (1 + mpmath.exp(-eps))
    beta = at_least(v, r, right)
    alpha = mpmath.mpf(0)
    total = mpmath.mpf(0)
    for i in range(1, v + 1):
        mass = math.comb(r, v - i) * right ** (v - i) * (1 - right) ** (r - v + i)
        total += mass
        alpha = max(alpha, total / i)
    return min(1.0, float(beta + alpha * delta * 2 * m))


def at_least(count: int, trials: int, right: Any) -> Any:
    """The binomial probability of at least so many, term by term from the count outwards."""
    with mpmath.workdps(40):
        wrong = 1 - mpmath.mpf(right)
        if count >= trials * right:
            return series(count, trials, right, wrong, 1)
        return 1 - series(count - 1, trials, right, wrong, -1)


@pytest.mark.parametrize(
    ("m", "r", "v", "eps", "delta"),
    [
        (1000, 1000, 800, 1.0, 1e-5),
        (1000, 100, 95, 2.0, 1e-5),
        (1000, 1000, 731, 1.0, 1e-5),
        (5000, 300, 290, 1.5, 1e-6),
        (100, 100, 40, 0.5, 1e-3),
        (10, 3, 3, 0.25, 1e-2),
    ],
)
def test_the_older_bound_is_as_printed(
    m: int, r: int, v: int, eps: float, delta: float
) -> None:
    """The enclosure of it against the loop of the paper."""
    with mpmath.workdps(40):
        odds = Fraction(str(mpmath.exp(mpmath.mpf(eps))))
    bound = older_bound(CanaryGuesses(m, r, v), plane(odds, Fraction(delta)))
    assert bound.relative_width < 1e-9
    assert math.isclose(
        float(bound), printed_p_value(m, r, v, eps, delta), rel_tol=1e-7
    )


def test_epsilon_of_a_pure_claim_is_the_limit_of_clopper_and_pearson() -> None:
    """The lower limit of Clopper and Pearson for the accuracy, as log-odds."""
    for guesses, correct in ((1000, 800), (50, 50), (100_000, 60_000), (10, 10)):
        verdict = audit_one_run(
            CanaryGuesses(guesses, guesses, correct), "PureDP(epsilon=0)", "0.95"
        )
        accuracy = 1 / (1 + mpmath.exp(-mpmath.mpf(float(verdict.epsilon))))
        assert abs(at_least(correct, guesses, accuracy) - 0.05) < 1e-8
        assert verdict.epsilon.relative_width < 1e-9


def test_epsilon_is_where_the_limit_passes_the_error() -> None:
    """At the lower end the claim is refuted, and a little above the upper end it is not."""
    run = CanaryGuesses(2000, 500, 460)
    found = audit_one_run(run, "ApproxDP(epsilon=1, delta=1e-5)").epsilon
    step = Fraction(1, 10**9)
    ends = (Fraction(found.lower) - step, Fraction(found.upper) + step)
    verdicts = [
        audit_one_run(run, f"ApproxDP(epsilon={end}, delta=1e-5)") for end in ends
    ]
    assert [verdict.fails for verdict in verdicts] == [True, False]
    assert not any(verdict.holds for verdict in verdicts)


def test_a_delta_of_its_own_for_epsilon() -> None:
    """A larger delta leaves less of epsilon; none is left of a run without right guesses."""
    run = CanaryGuesses(1000, 200, 190)
    found = [
        audit_one_run(run, "PureDP(epsilon=1)", delta=delta).epsilon
        for delta in ("0", "1e-6", "1e-5", "1e-4")
    ]
    assert all(later.upper < earlier.lower for earlier, later in pairwise(found))
    none = audit_one_run(CanaryGuesses(1000, 200, 0), "PureDP(epsilon=0)")
    assert none.epsilon.upper == 0
    assert none.undecided


def test_guesses_of_one_kind_count_half_of_the_leak() -> None:
    """So that they show a larger epsilon."""
    both, inside = (
        audit_one_run(
            CanaryGuesses(1000, 200, 190, sides), "ApproxDP(epsilon=1, delta=1e-4)"
        )
        for sides in ("both", "in")
    )
    assert inside.epsilon.lower > both.epsilon.upper
    assert inside.witness.chance.upper < both.witness.chance.lower


def test_the_power_is_that_of_randomized_response() -> None:
    """So many right guesses refute, one less does not, and 0.9 of such runs have so many."""
    run = CanaryGuesses(1000, 400, 200)
    verdict = audit_one_run(run, "ApproxDP(epsilon=1, delta=1e-5)")
    assert verdict.power is not None
    count = int(verdict.power.how.split()[0])
    for correct, refutes in ((count, True), (count - 1, False)):
        again = audit_one_run(
            CanaryGuesses(1000, 400, correct), "ApproxDP(epsilon=1, delta=1e-5)"
        )
        assert again.fails is refutes
    accuracy = 1 / (1 + math.exp(-float(verdict.power)))
    assert math.isclose(at_least(count, 400, accuracy), 0.9, rel_tol=1e-6)


def test_no_power_is_said_so() -> None:
    """Where not even all guesses right would refute."""
    verdict = audit_one_run(CanaryGuesses(10, 5, 5), "PureDP(epsilon=3)")
    assert verdict.power is None
    assert "no number of right guesses" in str(verdict)


CLAIMS = (
    "PureDP(epsilon=0.5)",
    "PureDP(epsilon=log(2))",
    "ApproxDP(epsilon=0.5, delta=1e-6)",
    "GaussianDP(mu=0.3)",
    "ZCDP(rho=0.02)",
    "ApproxZCDP(rho=0.02, delta=1e-7)",
    "RenyiDP(alpha=32, epsilon=0.3)",
    "MeanCDP(mu=0.02, tau=0.2)",
    "100*PoissonSampled(Gaussian(sigma=2), rate=0.01)",
    "Gaussian(sigma=4)",
)


REPEATED = ("ApproxZCDP", "RenyiDP", "MeanCDP", "PureDP(epsilon=log(2))")
"""Claims that are read as others of the list are; their searches are long."""


@pytest.mark.parametrize(
    "claim",
    [
        pytest.param(
            claim, marks=[pytest.mark.slow] if claim.startswith(REPEATED) else []
        )
        for claim in CLAIMS
    ],
)
def test_every_kind_of_claim_is_refuted_with_a_certificate(claim: str) -> None:
    """Almost all of 60 guesses of 200 canaries are right; half of them are not enough."""
    verdict = audit_one_run(CanaryGuesses(200, 60, 59), claim)
    assert verdict.fails
    assert verdict.witness.chance.upper <= verdict.error
    assert "statistics/one-run" in verdict.rests_on
    refuted = check_refutation(verdict.certificate())
    assert refuted.method in ("one_run", "one_run_levels")
    assert refuted.confidence == Fraction(999, 1000)
    assert audit_one_run(CanaryGuesses(200, 60, 32), claim).undecided


def test_the_half_plane_of_a_curve_is_where_the_run_is_least_likely() -> None:
    """For GaussianDP the best half plane of a fine grid is hardly better than the one found."""
    run = CanaryGuesses(1000, 300, 280)
    levels = ClaimLevels(claimed("GaussianDP(mu=0.5)"), Fraction(1, 10**10))

    def chance(eps: float) -> float:
        normal = NormalDist()
        below = math.exp(eps) * normal.cdf(-0.25 - eps / 0.5)
        delta = normal.cdf(0.25 - eps / 0.5) - below
        at = plane(Fraction(math.exp(eps)), Fraction(delta))
        return float(chance_under(run, at, 96))

    best = min(chance(k / 200) for k in range(500))
    found = float(chance_bound(run, levels.best(run).plane))
    assert math.isclose(found, best, rel_tol=1e-3)


def test_several_tests_share_the_error() -> None:
    """The best of them is taken, at its share; one alone with the same counts shows more."""
    runs = [CanaryGuesses(1000, r, c) for r, c in ((50, 48), (200, 170), (1000, 600))]
    together = audit_one_run(runs, "PureDP(epsilon=1)", "0.99")
    alone = [audit_one_run(run, "PureDP(epsilon=1)", "0.99") for run in runs]
    best = max(alone, key=lambda one: one.epsilon.lower)
    assert together.tests == 3
    assert "share the error" in str(together)
    assert together.epsilon.upper < best.epsilon.lower
    third = Fraction(1, 300)
    at_share = [audit_one_run(run, "PureDP(epsilon=1)", 1 - third) for run in runs]
    assert together.epsilon == max(
        (one.epsilon for one in at_share), key=lambda bound: bound.lower
    )


def test_a_true_claim_is_refuted_as_rarely_as_is_said() -> None:
    """The exact probability that randomized responses are refuted at their own epsilon."""
    for guesses in (20, 100, 400):
        for odds in (Fraction(1), Fraction(3)):
            at = plane(odds, Fraction(0))
            law = binomial(guesses, odds / (1 + odds))
            refuted = sum(
                law[count]
                for count in range(guesses // 2, guesses + 1)
                if law[count] > Fraction(1, 10**9)
                and chance_bound(CanaryGuesses(guesses, guesses, count), at).upper
                <= Fraction(1, 20)
            )
            assert Fraction(1, 100) < refuted <= Fraction(1, 20)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 1, 1), "number of canaries"),
        ((10, 11, 1), "guess each coin at most once"),
        ((10, 5, 6), "at most 5"),
        ((10, 5, -1), "must be a whole number"),
        ((10, 5.5, 1), "must be a whole number"),
        ((10, 5, 1, "sideways"), "give both, in or out"),
        ((10**8, 5, 1), "must be a whole number"),
    ],
)
def test_counts_that_cannot_be(arguments: tuple[object, ...], words: str) -> None:
    """One sentence that says why."""
    with pytest.raises(InputError, match=words):
        CanaryGuesses(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"confidence": 1}, "must be above 0 and below 1"),
        ({"confidence": "much"}, "confidence"),
        ({"delta": 1}, "must be at least 0 and below 1"),
        ({"claim": "RandomDP(alpha=1, gamma=0.1)"}, "drawn data"),
        ({"claim": "PureDP(epsilon=1"}, "PureDP|claim"),
        ({"claim": 3}, "give a guarantee"),
        ({"guessed": []}, "give from 1 to"),
        ({"guessed": [3]}, "give CanaryGuesses"),
    ],
)
def test_questions_that_cannot_be(options: dict[str, object], words: str) -> None:
    """One sentence that says why."""
    asked: dict[str, object] = {
        "guessed": CanaryGuesses(10, 5, 5),
        "claim": "PureDP(epsilon=1)",
        **options,
    }
    with pytest.raises(InputError, match=words):
        audit_one_run(**asked)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="is not refuted"):
        audit_one_run(CanaryGuesses(10, 5, 1), "PureDP(epsilon=1)").certificate()
