"""Entries of the book, checked again, and the rules of the package that rest on what is not
settled.
"""

import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children

from rdpacct.book.entry import SETTLED, Checked, check, searched
from rdpacct.book.rules import Rule, all_rules, rules_by
from rdpacct.proof.entries import ids, module, theorem
from rdpacct.proof.kernel.terms import Refused
from rdpacct.proof.theorem import Status


def verify(
    *names: str, search: bool = False, attack: bool = False
) -> tuple[Checked, ...]:
    """Check the derivations and the refutations of these entries, or of all entries of the book.

    Each ``Checked`` has a ``verdict``, the axioms that the entry rests on, its certificates, and
    the ``problem`` that was met, if any. The verdict of an entry that does not run through is
    "failed". The derivations and the certificates of side conditions ship with the book; with
    ``search`` the proofs are run, and each certificate is searched for anew. With ``attack`` the
    statements are also tried on random instances.
    """
    for name in names:
        module(name)
    wanted = list(dict.fromkeys(names)) or ids()
    checked = {entry.name: entry for entry in run_entries(wanted, search, attack)}
    return tuple(checked[name] for name in wanted)


def run_entries(
    names: Sequence[str],
    search: bool = False,
    attack: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Iterator[Checked]:
    """The entries checked, in the order in which they end; several run side by side.

    Of several, ``progress`` is told how many are done.
    """
    run_one = searched if search else partial(check, attack=attack)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
    if len(names) < 3 or cores == 1:
        for done, name in enumerate(names, 1):
            with _uncollected():
                checked = run_one(name)
            yield checked
            progress(done)
        return
    with _side_by_side(cores) as pool:
        running = [pool.submit(run_one, name) for name in names]
        for done, future in enumerate(as_completed(running), 1):
            progress(done)
            yield future.result()


@contextmanager
def _side_by_side(cores: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end at once if this one is interrupted, and say nothing then."""
    before = set(active_children())
    pool = ProcessPoolExecutor(cores, initializer=begin)
    try:
        yield pool
    except BaseException:
        for child in set(active_children()) - before:
            child.terminate()
        raise
    finally:
        # it waits for the thread that looks after the processes, which must not outlive the pool
        pool.shutdown(cancel_futures=True)


def begin() -> None:
    """The start of a process of its own: without the collector of cycles, and deaf to Ctrl-C, which
    its parent hears.
    """
    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector of cycles: derivations have none, and it takes a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def owed(names: Sequence[str] = ()) -> tuple[Rule, ...]:
    """The rules whose theorem is missing, open, assumed or refuted, or does not name the rule as
    its own; of all theorems, or of these.
    """
    known = set(ids())
    return tuple(
        rule for rule in _rules(names) if rule.theorem not in known or not _covers(rule)
    )


def _rules(names: Sequence[str]) -> tuple[Rule, ...]:
    """The rules that rest on these theorems, or all rules."""
    if not names:
        return all_rules()
    return tuple(rule for name in names for rule in rules_by(name))


def _covers(rule: Rule) -> bool:
    """Whether the theorem of a rule is settled, at least in the parts that the rules are about, and
    names the rule.
    """
    try:
        entry = theorem(rule.theorem)
    except Refused:
        return False
    named = {(covered.__module__, covered.__qualname__) for covered in entry.rules}
    settled = entry.verdict in SETTLED or (
        entry.verdict is Status.PARTLY and bool(entry.rules_rest_on)
    )
    return settled and (rule.module, rule.name) in named
