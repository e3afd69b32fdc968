"""How an epsilon follows: what is assumed, what was computed, and the theorem behind each step."""

from collections.abc import Iterable
from dataclasses import dataclass

from rdpacct.assumptions import assumptions_of
from rdpacct.book.entry import text
from rdpacct.book.rules import rules_by
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import Number
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.proof.entries import ids, theorem
from rdpacct.questions import epsilon, plan_of

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
"""The order of a derivation, from pairs of laws to the answer, by how the names of theorems end: a
record of what an answer used is a set.
"""


@dataclass(frozen=True)
class ExplanationStep:
    """One step of a derivation: what it says, its theorem, and the verdict on that theorem."""

    says: str
    theorem: str
    title: str
    verdict: str

    def __str__(self) -> str:
        return f"{self.theorem} ({self.verdict}): {self.title}"

    @property
    def long(self) -> str:
        """The step with what the code says of it."""
        return f"{self}\n     {self.says}"


@dataclass(frozen=True, repr=False)
class Explanation:
    """The epsilon of a plan, what it takes for granted, and the theorems that lead to it."""

    epsilon: Bound
    assumptions: tuple[str, ...]
    computed: tuple[str, ...]
    steps: tuple[ExplanationStep, ...]

    def lines(self, long: bool = False) -> list[str]:
        """The parts of the explanation, under their headings."""
        because = [step.long if long else str(step) for step in self.steps]
        return [
            "Assumed:",
            *_items(self.assumptions),
            "Computed:",
            *_items(self.computed),
            "Because (`rdpacct show ID` prints a theorem):",
            *_items(because),
        ]

    def __str__(self) -> str:
        return "\n".join([*self.epsilon.lines("epsilon"), *self.lines()])

    __repr__ = __str__


def explain(plan: Plan | Mechanism | str, delta: Number) -> Explanation:
    """How the smallest epsilon of a plan at this delta follows."""
    whole = plan_of(plan)
    return explanation_of(whole, epsilon(whole, delta))


def explanation_of(plan: Plan, bound: Bound) -> Explanation:
    """What an epsilon that was found for a plan rests on."""
    return Explanation(
        bound, assumptions_of(plan), _computed(plan, bound), derivation(bound.rests_on)
    )


def _computed(plan: Plan, bound: Bound) -> tuple[str, ...]:
    """What was done with the plan, in words."""
    number = sum(count for _, count in plan.terms)
    losses = "The privacy loss log P(output)/Q(output) of the worst pair of neighbors"
    if plan.single:
        first = f"{losses} was taken for the one release."
    else:
        first = f"{losses} was taken for each of {number} releases, and these were added up."
    return (
        first,
        "delta(epsilon) is the mean of max(0, 1 - exp(epsilon - loss)), for the worse"
        " of the two directions.",
        f"It was solved for epsilon by {bound.how}, in balls that hold every error.",
    )


def derivation(theorems: Iterable[str]) -> tuple[ExplanationStep, ...]:
    """The steps that rest on these theorems, in the order of a derivation: the pairs, their
    transforms, how these are composed, the method that answered and its errors.
    """
    return tuple(step for name in _in_order(theorems) for step in _steps(name))


def _items(texts: Iterable[str]) -> list[str]:
    return [f"  {number}. {text}" for number, text in enumerate(texts, 1)]


def _in_order(theorems: Iterable[str]) -> list[str]:
    names = list(theorems)
    ranks = {
        name: k
        for k, end in reversed(list(enumerate(ORDER)))
        for name in names
        if name.endswith(end)
    }
    return sorted(names, key=lambda name: (ranks.get(name, len(ORDER)), name))


def _steps(name: str) -> list[ExplanationStep]:
    """The first rule that rests on a theorem, with the verdict on the theorem."""
    known = name in ids()
    title = text(name)["Title"] if known else "not in the book"
    verdict = theorem(name).verdict.value if known else "open"
    return [
        ExplanationStep(rule.says, name, title, verdict) for rule in rules_by(name)[:1]
    ]
