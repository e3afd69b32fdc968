"""Spend a plan from the budget in a ledger, or refuse it.

The ledger is a JSON file with what is spent so far. Without a plan it is shown.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from rdpacct.cli.answer import DONE, FAILS, JSON, Answer
from rdpacct.cli.rendering import hypotheses, hypothesis_lines
from rdpacct.exact.number import shorten
from rdpacct.filters.amounts import Amounts, written
from rdpacct.filters.filter import Decision, Filter
from rdpacct.filters.ledger import Ledger
from rdpacct.filters.parts import PartOfData
from rdpacct.language.arithmetic import read_number

EXAMPLES = (
    'rdpacct spend study.json "Gaussian(sigma=4)" --budget "ZCDP(rho=1)"',
    'rdpacct spend study.json "2*Laplace(scale=10)" --part north --budget "ZCDP(rho=1)"',
)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A ledger, a plan, and the budget that a new ledger has."""
    parser.add_argument("ledger", metavar="LEDGER", help="the file of the budget")
    parser.add_argument(
        "plan",
        metavar="PLAN",
        nargs="?",
        help='such as "Gaussian(sigma=1)", or a .toml or .json file',
    )
    parser.add_argument(
        "--budget",
        metavar="CLAIM",
        help='what a new ledger begins with, such as "ZCDP(rho=1)"',
    )
    parser.add_argument(
        "--part",
        metavar="NAME",
        help="the one of several disjoint parts of the data that the plan is on",
    )
    parser.add_argument(
        "--delta",
        metavar="D",
        help="from a budget of epsilon and delta: the delta that the plan is spent at",
    )
    parser.add_argument(
        "--relation",
        metavar="NAME",
        help="of a new ledger: add_or_remove_one (the default), replace_one or zero_out",
    )
    _begins_with(parser)


def _begins_with(parser: ArgumentParser) -> None:
    """What a new budget of epsilon and delta may be for."""
    parser.add_argument(
        "--menu",
        metavar="PLAN",
        action="append",
        help="of a new ledger of epsilon and delta: a release that may be chosen; once for"
        " each",
    )
    parser.add_argument(
        "--orders",
        metavar="LIST",
        help="of a new ledger of epsilon and delta: Renyi orders that are each added up,"
        " such as 3,9,33",
    )


def run(options: Namespace) -> Answer:
    """Granted with 0, and refused with 1; what is spent is in the file then."""
    orders = None if options.orders is None else options.orders.split(",")
    ledger = Ledger(
        options.ledger,
        options.budget,
        relation=options.relation,
        menu=options.menu,
        orders=orders,
    )
    if options.plan is None:
        return _shown(ledger.read(), options)
    delta = None if options.delta is None else read_number(options.delta, "delta")
    decision, held, plan = ledger.decide(options.plan, delta, options.part)
    code = DONE if decision else FAILS
    verdict = "granted" if decision else "refused"
    data: JSON = {
        "verdict": verdict,
        "asked": _texts(held, decision.asked),
        "spent": _texts(held, decision.spent),
        "remaining": _texts(held, decision.remaining),
        **_state(held, options, decision.rests_on),
        **hypotheses(plan),
    }
    before = [
        sentence
        for sentence in held.assumptions
        if sentence not in decision.assumptions
    ]
    if before:
        data["assumptions"] = [*data.get("assumptions", []), *before]
    lines = [
        *_lines(decision, held, options),
        *hypothesis_lines(plan),
        *_assumed(before),
    ]
    return Answer(code, data, "\n".join(lines))


def _shown(held: Filter, options: Namespace) -> Answer:
    """What is spent and what is left."""
    spender = held if options.part is None else held.part(options.part)
    now, rest = spender.spent, spender.remaining
    behind = spender.rests_on if isinstance(spender, PartOfData) else frozenset[str]()
    data: JSON = {
        "verdict": None,
        "spent": _texts(held, now),
        "remaining": _texts(held, rest),
        **_state(held, options, behind),
    }
    if held.assumptions:
        data["assumptions"] = list(held.assumptions)
    spent = written(held.names, now)
    left = written(held.names, rest, down=True)
    first = f"spent {spent}; remaining {left}"
    lines = [first, *_about(held, options, behind), *_assumed(held.assumptions)]
    return Answer(DONE, data, "\n".join(lines))


def _assumed(sentences: Sequence[str]) -> list[str]:
    return [f"  assumes: {sentence}" for sentence in sentences]


def _state(held: Filter, options: Namespace, behind: frozenset[str]) -> JSON:
    """What is in the ledger, and what the numbers on the page rest on."""
    return {
        "budget": str(held.budget),
        "part": options.part,
        "relation": held.relation.value,
        "releases": held.releases,
        "rests_on": sorted(held.guarantee().rests_on | behind),
    }


def _lines(decision: Decision, held: Filter, options: Namespace) -> list[str]:
    part = "" if options.part is None else f" on the part {shorten(options.part)!r}"
    return [
        str(decision),
        f"  for {shorten(options.plan, 200)}{part}",
        *_about(held, options, decision.rests_on),
    ]


def _about(held: Filter, options: Namespace, behind: frozenset[str]) -> list[str]:
    """What the numbers belong to."""
    whole = held.guarantee()
    count = "1 release" if held.releases == 1 else f"{held.releases} releases"
    return [
        f"  the whole is {whole}, whatever is chosen on the way; {count} so far",
        f"  relation {held.relation.value}; ledger {shorten(options.ledger, 120)}",
        f"  rests on {', '.join(sorted(whole.rests_on | behind))}",
    ]


def _texts(held: Filter, amounts: Amounts) -> dict[str, str]:
    """Amounts as exact texts, by what they are of."""
    return {name: str(amount) for name, amount in zip(held.names, amounts, strict=True)}
