"""Each rule of the kernel on facts of each other one: what comes of it is refuted by no world."""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import Fact, rule, side
from rdpacct.proof.kernel.laws import Law
from rdpacct.proof.kernel.side import searching
from tests.proof import kernel_benches as benches
from tests.proof import kernel_benches_second as more
from tests.proof.kernel_chainer import (
    REFUSALS,
    RULES,
    Bench,
    Chain,
    is_refuted,
)

WRONG = (*REFUSALS, IndexError, KeyError, AttributeError)
PAIRS = [(first, second) for first in sorted(RULES) for second in sorted(RULES)]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Side conditions that a point refutes are not searched for."""
    monkeypatch.setattr(side, "SUPPLIER", "tests.proof.kernel_chainer")
    with searching(0.05):
        yield


class Fed(Chain):
    """A chain whose rules are mostly given facts of one other rule."""

    def __init__(self, bench: Bench, seed: int, food: list[Fact]) -> None:
        super().__init__(bench, seed)
        self.food = food
        self.facts = [*self.facts, *food]

    def fact(self) -> Fact:
        return self.rng.choice(self.food) if self._is_fed() else super().fact()

    def relation(self) -> Fact:
        ones = [f for f in self.food if isinstance(f.statement, Comparison)]
        return self.rng.choice(ones) if ones and self._is_fed() else super().relation()

    def some_facts(self, most: int = 3) -> list[Fact]:
        fed = [self.rng.choice(self.food)] if self._is_fed() else []
        return [*fed, *super().some_facts(most)]

    def finite(self, law: Law) -> list[Fact]:
        known = super().finite(law)
        return [*self.food, *known] if self._is_fed() else known

    def _is_fed(self) -> bool:
        return self.rng.random() < 0.7


@cache
def _benches() -> list[Bench]:
    makers = (
        benches.everything,
        benches.whole_numbers,
        benches.two_starts,
        more.sequences,
        more.exchanged,
        more.taken_apart,
    )
    with searching(3.0):
        return [maker() for maker in makers]


def _made(bench: Bench, name: str, seed: int, tries: int) -> list[Fact]:
    """Facts of one rule on a bench."""
    chain = Chain(bench, seed)
    found = list[Fact]()
    for _ in range(tries):
        try:
            found.append(RULES[name](chain))
        except WRONG:
            continue
    return found


def _try_pair(first: str, second: str, tries: int) -> int:
    """How many facts the second rule makes from facts of the first; none is refuted."""
    made = 0
    seed = random.Random(f"{first} {second}").randrange(10**6)
    for bench in _benches():
        food = _made(bench, first, seed, tries)
        if not food:
            continue
        fed = Fed(bench, seed, food)
        for number in range(tries):
            try:
                fact = RULES[second](fed)
            except WRONG:
                continue
            made += 1
            wrong = is_refuted(fact, bench.infinite, seed + number, 4)
            assert not wrong, f"{second} of {first} made {fact}"
    return made


def test_some_pairs_of_rules_make_no_falsehood() -> None:
    chosen = random.Random(5).sample(PAIRS, 40)
    made = [_try_pair(*pair, tries=6) for pair in chosen]
    assert sum(made) > 40


@pytest.mark.slow
def test_all_pairs_of_rules_make_no_falsehood() -> None:
    made = {pair: _try_pair(*pair, tries=25) for pair in PAIRS}
    makers = {second for (_, second), count in made.items() if count}
    assert makers >= set(RULES) - {"closed", "vanishing", "either", "tilt"}
    assert sum(made.values()) > 10_000


def test_every_rule_of_the_kernel_is_paired() -> None:
    """But for those whose laws are not finite, and what is only believed."""
    assert rule.RULES.keys() - RULES.keys() == {
        "apart",
        "axiom",
        "integrate",
        "reindex",
        "summable",
    }
