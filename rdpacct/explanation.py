"""How an epsilon follows, step by step, with the theorem behind each step."""

from collections.abc import Iterable
from dataclasses import dataclass

from rdpacct.book.entry import text
from rdpacct.book.rules import rules_by
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import Number
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.proof.entries import ids, theorem
from rdpacct.questions import epsilon

ORDER = (
    *(
        "worst-pair",
        "worst-law",
        "corners",
        "power-loss",
        "sampling/poisson",
        "connect-the-dots",
    ),
    *("transform", "dominating-pairs", "mass-at-infinity", "gaussian/composition"),
    *("series", "binomial", "quadrature", "lattice", "smoothing"),
    *("aliases", "chernoff", "truncation", "decay", "delta"),
)
"""The ends of the names of theorems, in the order in which theorems of these names are used."""


@dataclass(frozen=True)
class Step:
    """One step of a derivation: what it says, its theorem, and the verdict on that theorem."""

    says: str
    theorem: str
    title: str
    verdict: str

    def __str__(self) -> str:
        return f"{self.says}\n   theorem {self.theorem} ({self.verdict}): {self.title}"


@dataclass(frozen=True, repr=False)
class Explanation:
    """The epsilon of a plan, and the steps that lead to it; printed, it is a numbered list."""

    epsilon: Bound
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        steps = numbered(self.steps, self.epsilon.how)
        return "\n".join([*steps, *self.epsilon.lines("epsilon")])

    __repr__ = __str__


def explain(plan: Plan | Mechanism | str, delta: Number) -> Explanation:
    """How the smallest epsilon of a plan at this delta follows, with the theorem behind each
    step.
    """
    bound = epsilon(plan, delta)
    return Explanation(bound, derivation(bound.rests_on))


def derivation(theorems: Iterable[str]) -> tuple[Step, ...]:
    """The steps that rest on these theorems, in the order in which they are used."""
    return tuple(step for name in _in_order(theorems) for step in _steps(name))


def numbered(steps: tuple[Step, ...], last: str) -> list[str]:
    """The steps as the items of a numbered list, which ends with the method."""
    return [f"{number}. {step}" for number, step in enumerate([*steps, last], 1)]


def _in_order(theorems: Iterable[str]) -> list[str]:
    names = list(theorems)
    ranks = {
        name: k
        for k, end in reversed(list(enumerate(ORDER)))
        for name in names
        if name.endswith(end)
    }
    return sorted(names, key=lambda name: (ranks.get(name, len(ORDER)), name))


def _steps(name: str) -> list[Step]:
    """The first rule that rests on a theorem, with the verdict on the theorem."""
    known = name in ids()
    title = text(name)["Title"] if known else "not in the book"
    verdict = theorem(name).verdict.value if known else "open"
    return [Step(rule.says, name, title, verdict) for rule in rules_by(name)[:1]]
