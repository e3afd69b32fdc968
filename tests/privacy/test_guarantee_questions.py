"""Every guarantee and every question: what it becomes, what several of it are, what groups and
processing make of it.

The truths are worked out in mpmath, from closed forms or by minimization; where nothing follows,
one sentence refuses.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import mpmath as mp
import pytest

from rdpacct import (
    ZCDP,
    ApproxDP,
    ApproxZCDP,
    GaussianDP,
    InputError,
    Laplace,
    MeanCDP,
    ProfileDP,
    Promised,
    PureDP,
    RandomDP,
    RenyiDP,
    delta,
)
from rdpacct.exact.formula import Expr
from rdpacct.functions import log
from rdpacct.privacy.guarantee import GUARANTEES
from rdpacct.privacy.random_dp import compose_random

PAGE = Path(__file__).parents[2] / "docs" / "guarantees.md"
HELD = {
    PureDP: PureDP(1),
    ApproxDP: ApproxDP(1, "0.001"),
    ProfileDP: ProfileDP([["0.5", "0.01"], ["1", "0.001"]]),
    RenyiDP: RenyiDP(4, 1),
    ZCDP: ZCDP("0.1"),
    ApproxZCDP: ApproxZCDP("0.1", "0.001"),
    MeanCDP: MeanCDP("0.3", "0.5"),
    GaussianDP: GaussianDP(1),
    RandomDP: RandomDP(1, "0.001", gamma="0.01"),
}
"""One of each kind."""
with mp.workdps(40):
    DELTA = mp.mpf(10) ** -6


@pytest.fixture(autouse=True)
def _forty_digits() -> Iterator[Any]:
    with mp.workdps(40):
        yield


def epsilon_of_order(alpha: Any, divergence: Any, delta: Any) -> Any:
    """The epsilon of Canonne, Kamath and Steinke at one order."""
    return (
        divergence
        + mp.log((alpha - 1) / alpha)
        - (mp.log(delta) + mp.log(alpha)) / (alpha - 1)
    )


def delta_of_order(alpha: Any, divergence: Any, epsilon: Any) -> Any:
    """The same, solved for delta."""
    return (
        mp.exp((alpha - 1) * (divergence - epsilon + mp.log((alpha - 1) / alpha)))
        / alpha
    )


def least(function: Any) -> Any:
    """The minimum over orders, by golden section in log(order - 1)."""
    low = mp.mpf(-20)
    high = mp.mpf(20)
    share = (mp.sqrt(5) - 1) / 2
    for _ in range(250):
        left = high - share * (high - low)
        right = low + share * (high - low)
        if function(1 + mp.exp(left)) <= function(1 + mp.exp(right)):
            high = right
        else:
            low = left
    return function(1 + mp.exp((low + high) / 2))


def zcdp_epsilon(rho: Any, xi: Any, delta: Any) -> Any:
    return least(lambda alpha: epsilon_of_order(alpha, xi + rho * alpha, delta))


def zcdp_delta(rho: Any, xi: Any, epsilon: Any) -> Any:
    return least(lambda alpha: delta_of_order(alpha, xi + rho * alpha, epsilon))


def pure_delta(epsilon: Any, at: Any) -> Any:
    return (mp.exp(epsilon) - mp.exp(at)) / (1 + mp.exp(epsilon))


def pure_epsilon(epsilon: Any, delta: Any) -> Any:
    return mp.log(mp.exp(epsilon) - delta * (1 + mp.exp(epsilon)))


def normal_delta(mu: Any, at: Any) -> Any:
    return mp.ncdf(mu / 2 - at / mu) - mp.exp(at) * mp.ncdf(-mu / 2 - at / mu)


def normal_epsilon(mu: Any, delta: Any) -> Any:
    return mp.findroot(lambda at: mp.log(normal_delta(mu, at)) - mp.log(delta), (4, 5))


@cache
@mp.workdps(40)  # type: ignore[untyped-decorator]
def truths() -> Any:
    """For each pair of kinds that has a conversion: what is free, and the parameters of the
    result.
    """
    half = mp.mpf(1) / 2
    tenth = mp.mpf(1) / 10
    tanh = mp.tanh(mp.mpf(1) / 2)
    mean = mp.mpf("0.3")
    rho = mp.mpf("0.125")
    xi = mean - rho
    same: Any = {(kind, kind): [({}, None)] for kind in GUARANTEES}
    renyi_epsilon = epsilon_of_order(4, 1, DELTA)
    return same | {
        (PureDP, ApproxDP): [
            ({}, [1, 0]),
            ({"epsilon": "1/2"}, [half, pure_delta(1, half)]),
            ({"epsilon": 2}, [2, 0]),
            ({"delta": "0.1"}, [pure_epsilon(1, tenth), tenth]),
            ({"delta": "0.99"}, [0, mp.mpf("0.99")]),
        ],
        (PureDP, ProfileDP): [
            ({"epsilons": ["1/2", 1]}, [(half, pure_delta(1, half)), (1, 0)])
        ],
        (PureDP, RenyiDP): [
            ({"alpha": 3}, [3, mp.log((mp.exp(3) + mp.exp(-2)) / (1 + mp.e)) / 2])
        ],
        (PureDP, ZCDP): [({}, [tanh, 0])],
        (PureDP, ApproxZCDP): [({}, [tanh, 0, 0])],
        (PureDP, MeanCDP): [({}, [tanh, 1])],
        (PureDP, RandomDP): [
            ({}, [1, 0, 0]),
            ({"alpha": "1/2"}, [half, pure_delta(1, half), 0]),
        ],
        (ApproxDP, ProfileDP): [({}, [(1, mp.mpf("0.001"))])],
        (ApproxDP, RandomDP): [({}, [1, mp.mpf("0.001"), 0])],
        (ProfileDP, ApproxDP): [
            ({"epsilon": "0.7"}, [mp.mpf("0.7"), mp.mpf("0.01")]),
            ({"epsilon": 3}, [3, mp.mpf("0.001")]),
            ({"delta": "0.02"}, [half, mp.mpf("0.02")]),
        ],
        (ProfileDP, RandomDP): [({"eta": "0.001"}, [1, mp.mpf("0.001"), 0])],
        (RenyiDP, RenyiDP): [({}, None), ({"alpha": 2}, [2, 1])],
        (RenyiDP, ApproxDP): [
            ({"delta": "1e-6"}, [renyi_epsilon, DELTA]),
            ({"epsilon": 5}, [5, delta_of_order(4, 1, 5)]),
        ],
        (RenyiDP, ProfileDP): [({"deltas": ["1e-6"]}, [(renyi_epsilon, DELTA)])],
        (RenyiDP, RandomDP): [({"eta": "1e-6"}, [renyi_epsilon, DELTA, 0])],
        (ZCDP, ApproxDP): [
            ({"delta": "1e-6"}, [zcdp_epsilon(tenth, 0, DELTA), DELTA]),
            ({"epsilon": 1}, [1, zcdp_delta(tenth, 0, 1)]),
        ],
        (ZCDP, ProfileDP): [({"epsilons": [1]}, [(1, zcdp_delta(tenth, 0, 1))])],
        (ZCDP, RenyiDP): [({"alpha": 3}, [3, 3 * tenth])],
        (ZCDP, ApproxZCDP): [({}, [tenth, 0, 0])],
        (ZCDP, RandomDP): [({"alpha": 1}, [1, zcdp_delta(tenth, 0, 1), 0])],
        (MeanCDP, ApproxDP): [
            ({"delta": "1e-6"}, [zcdp_epsilon(rho, xi, DELTA), DELTA])
        ],
        (MeanCDP, ProfileDP): [({"epsilons": [2]}, [(2, zcdp_delta(rho, xi, 2))])],
        (MeanCDP, RenyiDP): [({"alpha": 2}, [2, xi + 2 * rho])],
        (MeanCDP, ZCDP): [({}, [rho, xi])],
        (MeanCDP, ApproxZCDP): [({}, [rho, 0, xi])],
        (MeanCDP, RandomDP): [
            ({"eta": "1e-6"}, [zcdp_epsilon(rho, xi, DELTA), DELTA, 0])
        ],
        (GaussianDP, ApproxDP): [
            ({"epsilon": 1}, [1, normal_delta(1, 1)]),
            ({"delta": "1e-6"}, [normal_epsilon(1, DELTA), DELTA]),
        ],
        (GaussianDP, ProfileDP): [
            ({"epsilons": [0, 1]}, [(0, normal_delta(1, 0)), (1, normal_delta(1, 1))])
        ],
        (GaussianDP, RenyiDP): [({"alpha": 3}, [3, mp.mpf(3) / 2])],
        (GaussianDP, ZCDP): [({}, [half, 0])],
        (GaussianDP, ApproxZCDP): [({}, [half, 0, 0])],
        (GaussianDP, RandomDP): [({"alpha": 1}, [1, normal_delta(1, 1), 0])],
    }


PAIRS = list(product(GUARANTEES, GUARANTEES))


def names(pair: Any) -> str:
    return f"{pair[0].__name__}-{pair[1].__name__}"


def close(found: Any, truth: Any) -> bool:
    """The value is the truth, or above it by rounding only."""
    value = mp.mpf(found.numerator) / found.denominator
    return bool(
        -(mp.mpf(10) ** -30)
        <= value - truth
        <= mp.mpf(10) ** -12 * max(abs(truth), DELTA)
    )


def values(guarantee: Any) -> Any:
    """The parameters as numbers, rounded up; for a profile its points."""
    if isinstance(guarantee, ProfileDP):
        return list(guarantee.points)
    return [
        Fraction(one.bound(accuracy=100).upper)
        for one in guarantee.parameters().values()
    ]


def refusal(question: Any) -> Any:
    """The sentence with which a question is refused."""
    with pytest.raises(InputError) as refused:
        question()
    text = str(refused.value)
    assert text.endswith(".")
    assert "; " in text
    assert "\n" not in text
    return text


@pytest.mark.parametrize("pair", PAIRS, ids=names)
def test_every_conversion_is_the_truth_or_refused(pair: Any) -> None:
    """All pairs of kinds: the parameters against mpmath, or one sentence."""
    held = HELD[pair[0]]
    target = pair[1]
    known = truths().get(pair)
    if known is None:
        for free in (
            {},
            {"alpha": 2},
            {"delta": "1e-6"},
            {"epsilon": 1},
            {"epsilons": [1]},
            {"deltas": ["1e-6"]},
        ):
            refusal(lambda free=free: held.to(target, **free))
        return
    for free, truth in known:
        found = held.to(target, **free)
        assert type(found) is target
        if truth is None:
            assert found is held
        elif target is ProfileDP:
            assert all(
                close(*both)
                for point in zip(found.points, truth, strict=True)
                for both in zip(*point, strict=True)
            )
        else:
            assert [
                close(*both) for both in zip(values(found), truth, strict=True)
            ] == [True] * len(truth)


@pytest.mark.parametrize(
    "pair", [pair for pair in PAIRS if pair in truths()], ids=names
)
def test_a_conversion_takes_only_what_is_free(pair: Any) -> None:
    """An unknown parameter, or two where one is free, are refused with the names of those that
    are.
    """
    held = HELD[pair[0]]
    refusal(lambda: held.to(pair[1], size=3))
    refusal(lambda: held.to(pair[1], epsilon=1, delta="1e-6", alpha=2))


THEOREMS = {
    (PureDP, ZCDP): {"cdp/from-dp"},
    (GaussianDP, ZCDP): {"gaussian/zcdp"},
    (MeanCDP, ZCDP): {"conversion/mean-cdp-to-zcdp"},
    (PureDP, ApproxZCDP): {"cdp/from-dp"},
    (ApproxDP, RandomDP): {"random-dp/relaxation"},
    (ZCDP, ApproxZCDP): set(),
}


@pytest.mark.parametrize("pair", THEOREMS, ids=names)
def test_a_conversion_carries_its_theorems(pair: Any) -> None:
    """A stated guarantee rests on nothing; an answer on the theorems of its rules, and on those
    of what was asked.
    """
    assert HELD[pair[0]].rests_on == frozenset()
    found = HELD[pair[0]].to(pair[1])
    assert found.rests_on == THEOREMS[pair]
    again = found.post_process().post_process()
    assert again.rests_on > found.rests_on
    assert again == found
    assert hash(again) == hash(found)


def test_a_chain_of_questions_rests_on_all_of_them() -> None:
    """From a mean to the epsilon of a group, and of two such releases."""
    zcdp = GaussianDP(1).to(ZCDP).group(3)
    assert zcdp.rests_on == {"gaussian/zcdp", "group/zcdp"}
    both = ZCDP(1).compose(zcdp)
    assert both.rests_on == {"gaussian/zcdp", "group/zcdp", "composition/zcdp"}
    orders = RenyiDP(2, 1).compose(RenyiDP(3, 1))
    assert orders.rests_on == {"composition/renyi", "conversion/renyi-orders"}


@pytest.mark.parametrize(
    ("converted", "theorem"),
    [
        (PureDP(1).to(ZCDP), "cdp/from-dp"),
        (GaussianDP(1).to(ApproxDP, epsilon=1), "gaussian/delta"),
        (PureDP(1).group(2), "group/pure"),
    ],
    ids=str,
)
def test_a_plan_rests_on_how_its_promises_were_found(
    converted: Any, theorem: Any
) -> None:
    """A promise that was converted brings its theorems into the answer, alone and beside others."""
    for plan in (Promised(converted), Promised(converted) + Laplace(1)):
        assert theorem in delta(plan, 1).rests_on
    stated = type(converted)(*converted.parameters().values())
    alone = delta(Promised(stated), 1)
    assert delta(Promised(converted), 1).rests_on == alone.rests_on | converted.rests_on
    assert delta(Promised(converted), 1) == alone
    assert theorem not in delta(Promised(stated) + Laplace(1), 1).rests_on


def masses(ratio: Any) -> Any:
    """Randomized response with odds of ``ratio`` to 1: its pair of laws."""
    return [
        (ratio / (1 + ratio), 1 / (1 + ratio)),
        (1 / (1 + ratio), ratio / (1 + ratio)),
    ]


def both_releases(first: Any, second: Any) -> Any:
    return [(p * r, q * s) for p, q in first for r, s in second]


def stick(pair: Any, epsilon: Any) -> Any:
    return mp.fsum(max(p - mp.exp(epsilon) * q, 0) for p, q in pair)


def divergence(pair: Any, alpha: Any) -> Any:
    return mp.log(mp.fsum(p**alpha * q ** (1 - alpha) for p, q in pair)) / (alpha - 1)


def test_composition_adds_up() -> None:
    """The closed forms of every kind that composes."""
    assert PureDP(1).compose(PureDP(2), PureDP(3)) == PureDP(6)
    assert ApproxDP(1, "0.1").compose(ApproxDP(2, "0.2")) == ApproxDP(3, "0.3")
    assert ApproxDP(1, "0.6").compose(ApproxDP(2, "0.6")) == ApproxDP(3, 1)
    points = ProfileDP([[1, "0.1"], [2, 0]])
    assert points.compose(points) == ProfileDP([[2, "0.2"], [3, "0.1"], [4, 0]])
    assert RenyiDP(2, 1).compose(RenyiDP(2, "0.5")) == RenyiDP(2, "1.5")
    assert RenyiDP(5, 1).compose(RenyiDP(2, "0.5")) == RenyiDP(2, "1.5")
    assert ZCDP(1, "0.5").compose(ZCDP(2, "-0.1")) == ZCDP(3, "0.4")
    assert GaussianDP(3).compose(GaussianDP(4)) == GaussianDP(5)
    assert MeanCDP(1, 3).compose(MeanCDP(2, 4), fixed=True) == MeanCDP(3, 5)
    first = RandomDP(1, "0.1", gamma="0.01")
    second = RandomDP(2, "0.2", gamma="0.02")
    assert (
        first.compose(second, fixed=True)
        == compose_random(first, second)
        == RandomDP(3, "0.28", gamma="0.03")
    )
    for kind, held in HELD.items():
        if kind not in (MeanCDP, RandomDP, ApproxZCDP):
            assert held.compose(held) == held.compose(held, fixed=True)


def test_composition_covers_two_randomized_responses() -> None:
    """By enumeration of both releases: their delta, divergences, mean and centered moments."""
    one = masses(mp.mpf(3))
    two = masses(mp.mpf(2))
    both = both_releases(one, two)
    first = PureDP(log(3))
    second = PureDP(log(2))
    pure = first.compose(second)
    assert stick(both, mp.log(6)) <= mp.mpf(10) ** -35
    assert close(values(pure)[0], mp.log(6))
    deltas = [first.to(ApproxDP, epsilon="1/2"), second.to(ApproxDP, epsilon="1/4")]
    together = deltas[0].compose(deltas[1])
    assert (
        stick(both, mp.mpf(3) / 4)
        <= mp.mpf(values(together)[1].numerator) / values(together)[1].denominator
    )
    renyi = first.to(RenyiDP, alpha=2).compose(second.to(RenyiDP, alpha=2))
    assert close(values(renyi)[1], divergence(both, 2))
    rho = values(first.to(ZCDP).compose(second.to(ZCDP)))[0]
    for alpha in (mp.mpf("1.01"), 2, 10, 50):
        assert (
            divergence(both, alpha) <= alpha * mp.mpf(rho.numerator) / rho.denominator
        )
    mu, tau = values(first.to(MeanCDP).compose(second.to(MeanCDP), fixed=True))
    mean = mp.fsum(p * mp.log(p / q) for p, q in both)
    assert close(mu, mean)
    for rate in (-3, -1, mp.mpf("0.1"), 1, 5):
        moment = mp.log(
            mp.fsum(p * mp.exp(rate * (mp.log(p / q) - mean)) for p, q in both)
        )
        assert moment <= rate**2 * (mp.mpf(tau.numerator) / tau.denominator) ** 2 / 2


def test_what_does_not_compose_is_refused() -> None:
    """Adaptive MeanCDP and RandomDP, ApproxZCDP, mixed kinds, and what is no guarantee."""
    assert "fixed=True" in refusal(lambda: MeanCDP(1, 1).compose(MeanCDP(1, 1)))
    assert "fixed=True" in refusal(lambda: HELD[RandomDP].compose(HELD[RandomDP]))
    assert "Promised" in refusal(lambda: HELD[ApproxZCDP].compose(HELD[ApproxZCDP]))
    assert ".to(" in refusal(lambda: ZCDP(1).compose(PureDP(1)))
    refusal(lambda: ZCDP(1).compose(3))  # type: ignore[arg-type]
    many = ProfileDP([[Fraction(k, 10), 0] for k in range(40)])
    assert "1000" in refusal(lambda: many.compose(many))


@pytest.mark.parametrize("kind", GUARANTEES, ids=lambda kind: kind.__name__)
def test_every_guarantee_for_groups(kind: Any) -> None:
    """Closed forms for four kinds, and one sentence for the others."""
    growth = mp.fsum(mp.exp(k) for k in range(3))
    known = {
        PureDP: [3],
        ApproxDP: [3, growth / 1000],
        ZCDP: [mp.mpf("0.9"), 0],
        GaussianDP: [3],
    }
    if kind not in known:
        assert "for groups" in refusal(lambda: HELD[kind].group(3))
        return
    found = HELD[kind].group(3)
    assert [close(*both) for both in zip(values(found), known[kind], strict=True)] == [
        True
    ] * len(known[kind])
    assert found.rests_on
    refusal(lambda: HELD[kind].group(0))


@pytest.mark.parametrize("kind", GUARANTEES, ids=lambda kind: kind.__name__)
def test_every_guarantee_after_processing(kind: Any) -> None:
    """All but MeanCDP stay as they are."""
    if kind is MeanCDP:
        assert ".to(ZCDP)" in refusal(HELD[kind].post_process)
    else:
        assert HELD[kind].post_process() == HELD[kind]


def test_the_ends_of_a_conversion_by_search() -> None:
    """A delta beyond all use, one that nothing reaches, and a number that is not one."""
    assert (
        ZCDP("0.1")
        .to(ApproxDP, epsilon=1000)
        .delta.bound()
        .certainly_below(Fraction(1, 10**2000))
    )
    assert ZCDP(100).to(ApproxDP, epsilon=0).delta.bound().certainly_at_most(1)
    tiny = mp.mpf(10) ** -300
    small = GaussianDP("1e-9").to(ApproxDP, delta="1e-300")
    with mp.workdps(60):
        mu = mp.mpf(10) ** -9
        root = mp.findroot(
            lambda at: mp.log(normal_delta(mu, at)) - mp.log(tiny), (36 * mu, 37 * mu)
        )
    assert abs(mp.mpf(float(small.epsilon.bound())) / root - 1) < 1e-9
    refusal(lambda: GaussianDP(1).to(ApproxDP, delta=2))
    refusal(lambda: ZCDP(1).to(ApproxDP, delta=0))
    refusal(lambda: ZCDP(1).to(ApproxDP, delta="many"))
    refusal(lambda: ZCDP(1).to(ProfileDP, epsilons="many"))
    refusal(lambda: ZCDP(1).to(Expr))  # type: ignore[type-var]


def cell(pair: Any) -> Any:
    """What the page says of a conversion: what is free, nothing, or that there is none."""
    frees = [free for free, _ in truths().get(pair, [])]
    if not frees:
        return "-"
    if frees == [{}]:
        return "yes"
    listed = sorted({name for free in frees for name in free})
    both = {
        "delta": "delta, epsilon",
        "epsilon": "delta, epsilon",
        "eta": "alpha, eta",
        "alpha": "alpha",
    }
    if pair[1] is RandomDP:
        return "alpha, eta"
    if pair[1] is ProfileDP:
        return "deltas, epsilons"
    return both[listed[0]]


def test_the_page_has_this_matrix() -> None:
    """The table of docs/guarantees.md is the one that is tested here."""
    lines = PAGE.read_text().split("\n")
    head = next(
        number for number, line in enumerate(lines) if line.startswith("| from \\ to |")
    )
    columns = re.findall(r"`(\w+)`", lines[head])
    assert columns == [kind.__name__ for kind in GUARANTEES]
    for kind, line in zip(GUARANTEES, lines[head + 2 :], strict=False):
        written = [part.strip() for part in line.strip("|").split("|")]
        assert written == [
            f"`{kind.__name__}`",
            *(cell((kind, target)) for target in GUARANTEES),
        ]
