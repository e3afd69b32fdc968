"""Chains of random rules make no refuted fact; without a check of the kernel they do."""

import inspect
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from rdpacct.proof.kernel import (
    chains as sequences,
)
from rdpacct.proof.kernel import (
    disintegration,
    existence,
    fact,
    finite,
    folding,
    induction,
    instances,
    laws,
    logic,
    means,
    side,
    statements,
    terms,
    whole,
)
from rdpacct.proof.kernel.side import searching
from tests.proof import kernel_benches as benches
from tests.proof import kernel_benches_second as more
from tests.proof.kernel_chainer import Bench, chains, falsehood


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Side conditions that a point refutes are not searched for."""
    monkeypatch.setattr(side, "SUPPLIER", "tests.proof.kernel_chainer")
    with searching(3.0):
        yield


def _run(count: int, first: int = 0) -> int:
    """How many facts so many chains make; none is refuted."""
    bench = benches.everything()
    made = 0
    with searching(0.05):
        for seed, facts, wrong in chains(bench, count, first):
            assert wrong is None, f"chain {seed} made {wrong}"
            made += facts
    return made


def test_chains_make_no_falsehood() -> None:
    assert _run(300) > 300


@pytest.mark.slow
def test_many_chains_make_no_falsehood() -> None:
    assert _run(100_000) > 100_000


def mutant(
    monkeypatch: pytest.MonkeyPatch, home: ModuleType, name: str, old: str, new: str
) -> None:
    """Put a function with another text in the place of one of the kernel, wherever it is used."""
    holder: Any = home
    for part in name.split(".")[:-1]:
        holder = getattr(holder, part)
    label = name.rsplit(".", 1)[-1]
    before: Any = getattr(holder, label)
    text = inspect.cleandoc("\n" + inspect.getsource(before))
    assert text.count(old) == 1, f"{name} does not say {old!r} once"
    space: dict[str, Any] = {**vars(home), "rule": lambda function: function}
    exec(compile(text.replace(old, new), home.__name__, "exec"), space)
    after = space[label]
    if holder is not home:
        monkeypatch.setattr(holder, label, after)
        return
    for other in [m for n, m in sys.modules.items() if "proof.kernel" in n]:
        if getattr(other, label, None) is before:
            monkeypatch.setattr(other, label, after)


# The check that is taken out (module, function, text, text instead), and a bench near the hole.
MUTANTS: dict[str, tuple[ModuleType, str, str, str, Callable[[], Bench]]] = {
    "laws that do not exist": (
        fact,
        "make",
        "*existence(*_new_laws(statement, laws, set(spoken))),",
        "",
        benches.an_interval,
    ),
    "random names in hypotheses": (
        means,
        "_integrated",
        "if hypothesis.free() & bound:",
        "if False:",
        benches.a_single_value,
    ),
    "a hypothesis for all, shown for some": (
        logic,
        "discharge",
        "bound = found.bound()",
        "bound = frozenset()",
        benches.for_all_and_for_some,
    ),
    "what is given of bound variables": (
        instances,
        "instance",
        "if any(one.symbols() & set(other.variables) for one in known):",
        "if False:",
        benches.what_is_given,
    ),
    "reserved names": (
        fact,
        "_is_fair",
        'if symbol.startswith("atom_"):',
        "if False:",
        benches.names_of_atoms,
    ),
    "laws of their own variables": (
        laws,
        "Law._is_free_of",
        "if expr is not None and expr.symbols() & set(names):",
        "if False:",
        benches.rows_of_themselves,
    ),
    "several starts": (
        induction,
        "induct",
        "start = max(",
        "start = min(",
        benches.two_starts,
    ),
    "the shift of a whole number": (
        whole,
        "wholes_for",
        "max(one.start - shift, 0)",
        "max(one.start, 0)",
        benches.whole_numbers,
    ),
    "whole coefficients": (
        whole,
        "_is_integer",
        "return expr.value.denominator == 1",
        "return True",
        benches.whole_numbers,
    ),
    "the start of a whole number": (
        logic,
        "under",
        "certificates += establish(at_most(one.start, Symbol(one.name)), known)",
        "pass",
        benches.whole_numbers,
    ),
    "bound parameters of a new law": (
        instances,
        "_binds_no_symbol",
        "if any(said & one.bound() for one in fact.hypotheses):",
        "if False:",
        benches.a_bound_parameter,
    ),
    "other members of a family": (
        instances,
        "_is_apart",
        "near.name == law.name and near != law",
        "False",
        benches.one_of_a_family,
    ),
    "laws inside of other means": (
        instances,
        "_moved",
        "if body == expr.body:",
        "if True:",
        benches.a_mean_inside_of_another,
    ),
    "hypotheses on what is out of sight": (
        means,
        "_is_about",
        "*(one.free() for one in fact.hypotheses)",
        "",
        benches.out_of_sight,
    ),
    "undefined points": (
        existence,
        "_has_point",
        "defined(values.values(), known, {})",
        "[]",
        benches.squares_of_no_number,
    ),
    "undefined rows": (
        finite,
        "masses_of",
        "found += defined(point.values(), facts, {})",
        "pass",
        benches.a_row_at_no_number,
    ),
    "variables with the name of an atom": (
        laws,
        "Law.__post_init__",
        'if any(name.startswith("atom_") for name in self.variables):',
        "if False:",
        benches.a_captured_atom,
    ),
    "laws that are there for some values": (
        statements,
        "laws_of",
        "free_expectations(statement)",
        "expectations_of(statement)",
        benches.there_for_some,
    ),
    "finite in one case of two": (
        logic,
        "either",
        "finite_by=(),",
        "",
        benches.finite_in_one_case,
    ),
    "numbers that were put in": (
        logic,
        "discharge",
        "if proof.loose & expectations_of(found.relation):",
        "if False:",
        benches.a_number_put_in,
    ),
    "finiteness of what was put in": (
        logic,
        "integrable",
        "if atom in fact.loose:",
        "if False:",
        benches.a_number_put_in,
    ),
    "finite for what is bound": (
        fact,
        "_loose",
        "for one in free_expectations(fact.statement)",
        "for one in expectations_of(fact.statement)",
        benches.finite_for_what_is_bound,
    ),
    "a part of what is independent": (
        disintegration,
        "disintegrate",
        "other = _other(law, names)\n    unknown = set(law.variables) - {*names, *other.variables}",
        "other = law.second\n    unknown = set()",
        benches.side_by_side,
    ),
    "laws before the first": (
        sequences,
        "_counted",
        "return [at_most(0, index)]",
        "return []",
        more.sequences,
    ),
    "the start of a sequence": (
        sequences,
        "at_start",
        "if law.index != formula(0):",
        "if False:",
        more.sequences,
    ),
    "what is not past": (
        sequences,
        "_of_the_past",
        "if x.symbols() & set(law.new):",
        "if False:",
        more.sequences,
    ),
    "the number of what is exchanged": (
        means,
        "exchange",
        "law.count * one",
        "one",
        more.exchanged,
    ),
    "steps that are positive": (
        folding,
        "folded",
        "*establish(below(0, width), domain),",
        "",
        more.taken_apart,
    ),
    "all parts of a number": (
        folding,
        "folded",
        "if any(c.symbols() & {name, *parts} for c in domain):",
        "if False:",
        more.taken_apart,
    ),
    "means that are folded away": (
        logic,
        "still_spoken",
        "if lost:",
        "if False:",
        more.nothing_times_a_mean,
    ),
    "logarithms that are folded away": (
        terms,
        "unseen",
        "if one not in seen and not _is_plainly(*one)",
        "if False",
        more.nothing_times_a_logarithm,
    ),
    "factors that are not known": (
        means,
        "_is_known",
        "if factor.symbols() & set(law.variables) - set(given):",
        "if False:",
        benches.equations,
    ),
}


@pytest.mark.parametrize("name", sorted(MUTANTS))
def test_chains_find_a_check_that_is_taken_out(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, function, old, new, bench = MUTANTS[name]
    mutant(monkeypatch, home, function, old, new)
    made = bench()
    with searching(0.05):
        assert falsehood(made, 1500) is not None


SAFE = [
    bench
    for bench in dict.fromkeys(row[4] for row in MUTANTS.values())
    if bench not in (benches.rows_of_themselves, benches.a_captured_atom)
]


@pytest.mark.parametrize("bench", SAFE, ids=lambda bench: bench.__name__)
def test_near_the_holes_chains_make_no_falsehood(bench: Callable[[], Bench]) -> None:
    made = bench()
    with searching(0.05):
        assert falsehood(made, 40) is None
