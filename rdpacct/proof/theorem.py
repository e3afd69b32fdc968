"""Theorems: statements with proofs that are run, where they are sharp, and near falsehoods that are
    refuted.

An entry of the book is a module with a docstring in sections (``Printed:``, ``Proved:``, ``Idea:``,
``Source:``, and ``Finding (false):`` and the like where the printed statement is wrong, or
``Finding:`` where it can be sharpened) and a value ``THEOREM``. Importing it proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from rdpacct.proof.axioms import Axiom, are_declared
from rdpacct.proof.check import Rejected, check
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Condition, Exists, Fact, laws_of
from rdpacct.proof.kernel.logic import conditions_of, real
from rdpacct.proof.kernel.terms import Refused
from rdpacct.proof.language import KERNEL_FUNCTIONS


class Status(Enum):
    """What became of a statement as it was printed."""

    PROVED = "proved"
    SHARPENED = "sharpened"
    CORRECTED = "corrected"
    REFUTED = "refuted"
    PARTLY = "partly"
    ASSUMED = "assumed"
    OPEN = "open"


Step = tuple[Fact, str]
"""A fact, and why it holds, in words."""


@dataclass(frozen=True)
class Statement:
    """One statement: for all parameters with what is ``given``, if what is assumed holds, the
        claim.

    The proof yields its steps; the last one must be the claim itself, and rest on nothing else than
    was declared, axioms included.
    """

    name: str
    says: str
    claim: Comparison
    proof: Callable[[Statement], Iterator[Step]]
    given: tuple[str | Condition, ...] = ()
    assuming: Mapping[str, Fact] = field(default_factory=dict)
    axioms: tuple[Axiom, ...] = ()

    def steps(self) -> list[Step]:
        """The steps of the proof, run once and compared with the statement; ``Refused`` says what
        does not hold.
        """
        return self._checked_steps

    @cached_property
    def _checked_steps(self) -> list[Step]:
        try:
            steps = list(self.proof(self))
        except KeyError as error:
            raise Refused(f"the proof needs the hypothesis {error}.") from None
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise Refused(
                f"the proof does not apply to this statement: {error}."
            ) from None
        if not steps:
            raise Refused("the proof has no steps.")
        self.accept(steps[-1][0])
        return steps

    def accept(self, fact: Fact) -> None:
        """Refuse a fact that is not the statement, or that rests on something else than was
        declared.
        """
        if fact.relation != self.claim:
            raise Refused(f"the proof shows {fact.relation}, not {self.claim}.")
        allowed = {
            one
            for assumption in self.assuming.values()
            for one in assumption.hypotheses
        }
        stated = (self.claim, *(one.relation for one in allowed))
        declared = {
            *conditions_of(*self.given),
            *(Exists(law) for one in stated for law in laws_of(one)),
        }
        for condition in fact.domain:
            if condition not in declared:
                raise Refused(f"the proof needs {condition}, which is not given.")
        if fact.loose:
            raise Refused(
                f"it is not shown that {min(map(str, fact.loose))} is finite."
            )
        for hypothesis in fact.hypotheses:
            if hypothesis not in allowed:
                raise Refused(f"the proof needs {hypothesis}, which is not assumed.")
        are_declared(fact, self.axioms)

    def fact(self) -> Fact:
        """What the proof establishes."""
        return self.steps()[-1][0]


def by_prover(why: str) -> Callable[[Statement], Iterator[Step]]:
    """The proof of a real claim by the prover alone."""

    def proof(part: Statement) -> Iterator[Step]:
        yield (
            real(
                part.claim,
                *(one for one in part.given if isinstance(one, str | Comparison)),
            ),
            why,
        )

    return proof


@dataclass(frozen=True)
class Refutation:
    """What breaks a falsehood: facts about an instance, or the certificate of a point; in words,
    the smallest one.
    """

    by: str
    facts: tuple[Fact, ...] = ()
    certificates: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Falsehood:
    """A statement close to the theorem that is false, and what refutes it; a real claim is refuted
    by the prover.
    """

    says: str
    claim: Comparison
    given: tuple[str | Condition, ...] = ()
    refutation: Callable[[], Refutation] | None = None

    def refute(self) -> Refutation:
        """The refutation, run; ``Refused`` if the statement stands."""
        if self.refutation is not None:
            found = self.refutation()
            self.accept(found)
            return found
        from rdpacct.proof.prove import Settled, point_text, prove

        result = prove(
            str(self.claim), self._given(), timeout=20.0, functions=KERNEL_FUNCTIONS
        )
        if (
            result.settled is not Settled.REFUTED
            or result.counterexample is None
            or result.certificate is None
        ):
            raise Refused(f"the falsehood {self.claim} is {result.settled.value}.")
        return Refutation(
            point_text(result.counterexample), certificates=(result.certificate,)
        )

    def accept(self, found: Refutation) -> None:
        """Refuse a refutation that shows nothing, or that a checker does not accept."""
        if not found.facts and not found.certificates:
            raise Refused(f"the refutation of {self.claim} shows nothing.")
        for fact in found.facts:
            if fact.hypotheses:
                raise Refused(
                    f"the refutation of {self.claim} still assumes"
                    f" {fact.hypotheses[0]}."
                )
            are_declared(fact, ())
        if self.refutation is None:
            self._is_broken(found)

    def _is_broken(self, found: Refutation) -> None:
        """The one certificate is of a point that breaks this claim."""
        said = {"given": self._given(), "conclusion": str(self.claim)}
        if [one.get("claim") for one in found.certificates] != [said]:
            raise Refused(f"the certificate does not speak of {self.claim}.")
        try:
            verdict = check(found.certificates[0]).verdict
        except Rejected as error:
            raise Refused(f"the certificate is not right: {error}") from None
        if verdict != "refuted":
            raise Refused(f"the certificate does not refute {self.claim}.")

    def _given(self) -> list[str]:
        return [str(one) for one in conditions_of(*self.given)]


@dataclass(frozen=True)
class Attack:
    """A search for counterexamples among exact finite instances; it returns how many it tried, or
    raises.
    """

    says: str
    run: Callable[[int], int]


@dataclass(frozen=True)
class Theorem:
    """An entry of the book; ``rules`` are the functions of the package that rest on it.

    ``in_words`` are the steps from the facts to the statement that no machine has checked; the
    entry prints them. ``missing`` says what of the printed statement is neither proved nor refuted,
    if the verdict is ``PARTLY`` or ``OPEN``. Of an entry that is ``PARTLY`` settled
    ``rules_rest_on`` names the parts, all of them proved, that the rules are about.
    ``axioms_in_words`` are the axioms that steps in words lean on.
    """

    verdict: Status
    parts: tuple[Statement, ...] = ()
    sharp: tuple[Statement, ...] = ()
    falsehoods: tuple[Falsehood, ...] = ()
    attacks: tuple[Attack, ...] = ()
    rules: tuple[Callable[..., object], ...] = ()
    in_words: tuple[str, ...] = ()
    missing: str = ""
    rules_rest_on: tuple[str, ...] = ()
    axioms_in_words: tuple[Axiom, ...] = ()

    @property
    def axioms(self) -> tuple[Axiom, ...]:
        """The axioms of all parts, and those of the steps in words."""
        of_parts = (one for part in (*self.parts, *self.sharp) for one in part.axioms)
        return tuple(dict.fromkeys((*of_parts, *self.axioms_in_words)))
