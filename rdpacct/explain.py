"""The command explain: how an epsilon follows, step by step, with the theorem behind each step."""

from rdpacct.answer import epsilon_answer
from rdpacct.book.entry import text
from rdpacct.book.rules import rules_by
from rdpacct.command import Answer
from rdpacct.proof.entries import ids, theorem

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
"""The theorems that lead to an epsilon by how their names end, in the order in which they are
used.
"""


def explain_answer(source: str, relation: str | None, delta: str) -> Answer:
    """The epsilon of a plan at a delta, and the steps that lead to it."""
    found = epsilon_answer(source, relation, delta)
    steps = [
        step for name in _in_order(found.data["rests_on"]) for step in _steps(name)
    ]
    lines = [
        (
            f"{found.data['plan']}, under {found.data['relation']}; composition:"
            f" {found.data['composition']}"
        ),
        *(
            f"{n}. {s['says']}\n   theorem {s['theorem']} ({s['verdict']}):"
            f" {s['title']}"
            for n, s in enumerate(steps, 1)
        ),
        f"{len(steps) + 1}. {found.data['how']}",
        *found.text.split("\n")[:2],
    ]
    return Answer(found.code, {**found.data, "steps": steps}, "\n".join(lines))


def _in_order(names: list[str]) -> list[str]:
    ranks = {
        name: k
        for k, end in reversed(list(enumerate(ORDER)))
        for name in names
        if name.endswith(end)
    }
    return sorted(names, key=lambda name: (ranks.get(name, len(ORDER)), name))


def _steps(name: str) -> list[dict[str, str]]:
    """The rules that rest on a theorem, with what they say and what became of the theorem."""
    known = name in ids()
    title, verdict = (
        (text(name)["Title"], theorem(name).verdict.value)
        if known
        else ("not in the book", "open")
    )
    says = dict.fromkeys(rule.says for rule in rules_by(name))
    return [
        {"says": one, "theorem": name, "title": title, "verdict": verdict}
        for one in list(says)[:1]
    ]
