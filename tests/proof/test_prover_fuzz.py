"""Random claims: what the prover proves, the search for counterexamples must not refute."""

import random
from typing import Any

import pytest

from rdpacct import InputError
from rdpacct.proof.language import KERNEL_FUNCTIONS
from rdpacct.proof.prove import read_inequality
from rdpacct.proof.refute import refute
from tests.proof.test_prover_search import proof_of

FUNCTIONS = [
    "exp",
    "log",
    "sqrt",
    "cbrt",
    "abs",
    "tanh",
    "sinh",
    "cosh",
    "erf",
    "erfc",
    "cos",
    "sin",
]
NUMBERS = ["1", "2", "3", "1/2", "0.1", "pi", "exp(1)"]
DOMAINS = [[], ["{}>0"], ["{}>=0"], ["0<{}<1"], ["{}>=-1"], ["-1<={}<=2"], ["{}<0"]]
RELATIONS = ["<", "<=", ">", ">=", "==", "!="]


def expression(rng: random.Random, depth: Any, names: Any) -> Any:
    """A random formula in these variables."""

    def part() -> Any:
        return expression(rng, depth - 1, names)

    kind = 0.0 if depth == 0 else rng.random()
    if kind < 0.25:
        if rng.random() < 0.65:
            return rng.choice(names)
        return rng.choice(NUMBERS)
    if kind < 0.5:
        return f"({part()}{rng.choice('+-')}{part()})"
    if kind < 0.65:
        return f"{part()}*{part()}"
    if kind < 0.72:
        return f"({part()})/({part()})"
    if kind < 0.82:
        return f"({part()})**{rng.choice(['2', '3', '(1/2)', '(-1)', '(1/3)', f'({part()})'])}"
    if kind < 0.87:
        return f"{rng.choice(['min', 'max'])}({part()}, {part()})"
    return f"{rng.choice(FUNCTIONS)}({part()})"


def random_claim(rng: random.Random) -> Any:
    """A conclusion and assumptions that do not contradict each other."""
    while True:
        names = rng.choice([["x"], ["x"], ["x", "y"]])
        given = [text.format(name) for name in names for text in rng.choice(DOMAINS)]
        if len(names) == 2 and rng.random() < 0.3:
            given.append(rng.choice(["x>y", "x>=y", "y==x+1", "2*x-1>=0"]))
        conclusion = (
            f"{expression(rng, 3, names)} {rng.choice(RELATIONS)}"
            f" {expression(rng, 3, names)}"
        )
        try:
            return (
                conclusion,
                given,
                read_inequality(conclusion, given, KERNEL_FUNCTIONS),
            )
        except (InputError, ZeroDivisionError):
            continue


def proved_and_not_refuted(seed: Any, count: Any, seconds: Any) -> Any:
    """How many random claims are proved; none of them may have a counterexample."""
    rng = random.Random(seed)
    proved = 0
    for _ in range(count):
        conclusion, given, claim = random_claim(rng)
        if proof_of(conclusion, given, seconds) is not None:
            proved += 1
            point = refute(claim, seconds)
            assert point is None, (
                f"{conclusion} given {given} is proved, but fails at {point}"
            )
    return proved


def test_random_claims() -> None:
    assert proved_and_not_refuted(seed=3, count=60, seconds=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_many_random_claims(seed: int) -> None:
    assert proved_and_not_refuted(seed, count=400, seconds=0.5) >= 20
