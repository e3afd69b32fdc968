"""The form of an entry: statements first, below them the functions that prove them, falsehoods
last; what is tried against it is in a file of its own.
"""

from dataclasses import replace
from types import ModuleType

import pytest

from rdpacct.errors import InputError
from rdpacct.exact.formula import Symbol
from rdpacct.proof import entries
from rdpacct.proof.kernel import Refused, at_most
from rdpacct.proof.places import folder as folder_of_book
from rdpacct.proof.theorem import (
    Falsehood,
    Statement,
    Status,
    Theorem,
    by_prover,
    proves,
)

x = Symbol("x")
CLAIM = at_most(x, x + 1)
STATED = Statement("larger", "x is below x + 1", CLAIM)


def entry(**values: object) -> ModuleType:
    """A module that states the claim, with these values besides."""
    module = ModuleType("own_entry")
    theorem = Theorem(Status.PROVED, parts=(STATED,))
    vars(module).update({"THEOREM": theorem, **values})
    return module


def test_a_statement_is_proved_by_the_function_that_says_so() -> None:
    """The statement stands before its proof in the file, and has it once the entry is
    assembled.
    """
    loaded = entry(proof=proves("larger")(by_prover("an identity")))
    assert entries.assembled(loaded).part("larger").fact().relation == CLAIM
    assert loaded.THEOREM.part("larger").fact().relation == CLAIM


def test_a_statement_without_a_proof_is_refused() -> None:
    """No statement is taken as proved because nothing is said of it."""
    with pytest.raises(Refused, match="nothing proves the statement 'larger'"):
        entries.assembled(entry()).part("larger").fact()


def test_the_proof_of_another_claim_is_refused() -> None:
    """The function is run, and what it shows is compared with the statement."""
    loaded = entry(proof=proves("larger")(by_prover("an identity")))
    part = entries.assembled(loaded).part("larger")
    with pytest.raises(Refused):
        replace(part, claim=at_most(x + 1, x)).fact()


def test_a_proof_of_nothing_that_is_stated_is_refused() -> None:
    """A name that is misspelled is found when the entry is loaded."""
    loaded = entry(proof=proves("lager")(by_prover("an identity")))
    with pytest.raises(InputError, match="proves 'lager', which it does not state"):
        entries.assembled(loaded)


def test_falsehoods_stand_last() -> None:
    """They are those of the theorem, though they stand below the proofs."""
    falsehood = Falsehood("x is at least x + 1", at_most(x + 1, x))
    assert entries.assembled(entry(FALSEHOODS=(falsehood,))).falsehoods == (falsehood,)


def test_what_is_tried_against_an_entry_is_found_beside_it() -> None:
    """Every file of attacks belongs to an entry, which has its attacks."""
    folder = folder_of_book() / entries.ATTACKS
    files = sorted(folder.rglob("*.py"))
    names = {
        path.relative_to(folder).with_suffix("").as_posix().replace("_", "-")
        for path in files
    }
    assert names
    assert names <= set(entries.ids())
    for name in names:
        assert entries.theorem(name).attacks[-1:] == entries.attacks(name)[-1:] != ()
