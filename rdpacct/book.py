"""The theorem book: which rules of this package are proved by machine, and which are owed a proof."""

import importlib
import pkgutil

import rdpacct
from rdpacct.by import Rule, rules
from rdpacct.command import DONE, UNDECIDED, Answer
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten


def all_rules() -> tuple[Rule, ...]:
    """Every tagged rule of the package, with all its modules imported."""
    for module in pkgutil.walk_packages(rdpacct.__path__, "rdpacct."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return rules()


def owed() -> tuple[Rule, ...]:
    """The rules whose theorem is not proved. The book has no entries yet, so these are all of them."""
    return all_rules()


def verify_answer(ids: list[str], only_owed: bool) -> Answer:
    """The theorems that the rules rest on, or only what is owed."""
    known = {rule.theorem for rule in all_rules()}
    for name in ids:
        if name not in known:
            raise InputError(
                f"the theorem {shorten(name)!r} is not known; `rdpacct verify --owed` lists those that are."
            )
    debts = [rule for rule in owed() if not ids or rule.theorem in ids]
    listed = [{"id": rule.theorem, "rule": f"{rule.module}.{rule.name}", "says": rule.says} for rule in debts]
    lines = [f"{entry['id']:38} {entry['rule']}: {entry['says']}" for entry in listed]
    if only_owed:
        return Answer(DONE, {"owed": listed}, "\n".join([f"rules that are owed a proof: {len(listed)}", *lines]))
    names = sorted({rule.theorem for rule in debts})
    theorems = [{"id": name, "verdict": "open", "axioms": [], "seconds": 0.0} for name in names]
    text = [f"{name:38} open" for name in names]
    summary = f"theorems that are open: {len(names)}; proved: 0. --owed lists the rules that rest on them."
    return Answer(UNDECIDED, {"theorems": theorems, "owed": listed}, "\n".join([*text, summary]))
