"""Theorems: statements with proofs that are run, where they are sharp, and near falsehoods that are
    refuted.

An entry of the book is a module with a docstring in sections (``Printed:``, ``Proved:``, ``Idea:``,
``Source:``, and ``Finding (false):`` and the like where the printed statement is wrong, or
``Finding:`` where it can be sharpened), a value ``THEOREM`` with the statements, below it the
functions that prove them, and ``FALSEHOODS`` last. Importing it proves nothing: what it takes as
said of shipped code is proved before a statement is accepted (``kernel/said.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from rdpacct.notebook import paragraph, table
from rdpacct.proof.axioms import Axiom, are_declared
from rdpacct.proof.check import Rejected, check
from rdpacct.proof.claim import Comparison
from rdpacct.proof.evaluate import Known
from rdpacct.proof.instance import Instance
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.logic import conditions_of, real
from rdpacct.proof.kernel.said import SaidComparisons, being_made, proving
from rdpacct.proof.kernel.statements import Condition, Exists, laws_of
from rdpacct.proof.kernel.terms import Refused
from rdpacct.proof.witness import Witness, is_broken, is_witnessed


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


Proof = Callable[["Statement"], Iterator[Step]]
"""The steps of the proof of a statement."""


@dataclass(frozen=True)
class Statement:
    """One statement: for all parameters with what is ``given``, if what is assumed holds, the
        claim.

    The proof yields its steps; the last one must be the claim itself, and rest on nothing else than
    was declared, axioms included; where none is given, it is the function of the entry that
    ``proves`` the statement. The witness is an instance in which all that is supposed holds; where
    none is given, one is searched for.
    """

    name: str
    says: str
    claim: Comparison
    proof: Proof | None = None
    given: tuple[str | Condition, ...] = ()
    assuming: Mapping[str, Fact] = field(default_factory=dict)
    witness: Instance | Callable[[], Witness] | None = None
    axioms: tuple[Axiom, ...] = ()
    said: SaidComparisons = field(default_factory=being_made, compare=False, repr=False)
    """What was taken as said while the statement was made; it is accepted once that is proved."""

    def steps(self) -> list[Step]:
        """The steps of the proof, run once and compared with the statement; ``Refused`` says what
        does not hold.
        """
        return self._checked_steps

    @cached_property
    def _checked_steps(self) -> list[Step]:
        if self.proof is None:
            raise Refused(f"nothing proves the statement {self.name!r}.")
        try:
            with proving():
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
        self.said.prove()
        if fact.relation != self.claim:
            raise Refused(f"the proof shows {fact.relation}, not {self.claim}.")
        allowed = {
            assumed
            for assumption in self.assuming.values()
            for assumed in assumption.hypotheses
        }
        stated = (self.claim, *(assumed.relation for assumed in allowed))
        declared = {
            *conditions_of(*self.given),
            *(Exists(law) for relation in stated for law in laws_of(relation)),
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

    def accept_witness(self, witness: Witness, proved: Fact) -> None:
        """Refuse a witness in which not all that is supposed is seen to hold; what was proved may
        say that a law is one.
        """
        is_witnessed(self, witness.instance, Known(witness.facts, [proved]))


def proves(*names: str) -> Callable[[Proof], Proof]:
    """The function below is the proof of these statements of its entry."""

    def tag(proof: Proof) -> Proof:
        proof.__dict__["proves"] = names
        return proof

    return tag


def by_prover(why: str) -> Proof:
    """The proof of a real claim by the prover alone."""

    def proof(part: Statement) -> Iterator[Step]:
        yield (
            real(
                part.claim,
                *(
                    condition
                    for condition in part.given
                    if isinstance(condition, str | Comparison)
                ),
            ),
            why,
        )

    return proof


@dataclass(frozen=True)
class Refutation:
    """What breaks a falsehood: the certificate of a point, or an instance, with facts about what no
    finite sum says there; in words, the smallest one.
    """

    by: str = ""
    facts: tuple[Fact, ...] = ()
    certificates: tuple[dict[str, Any], ...] = ()
    instance: Instance | None = None


@dataclass(frozen=True)
class Falsehood:
    """A statement close to the theorem that is false, and what refutes it.

    A real claim is refuted by the prover, at a point. Another one is refuted in an instance: what
    is given and assumed holds there, and the claim fails, by the sides that the runner evaluates.
    Where these are not finite sums, ``refutation`` makes facts of which one is the opposite of the
    claim, in the instance or wherever what is given holds; or is 0 < 0, from the claim alone.
    """

    says: str
    claim: Comparison
    given: tuple[str | Condition, ...] = ()
    refutation: Callable[[], Refutation] | None = None
    assuming: Mapping[str, Fact] = field(default_factory=dict)
    instance: Instance | None = None
    said: SaidComparisons = field(default_factory=being_made, compare=False, repr=False)
    """What was taken as said while it was made, as for a statement."""

    @property
    def refuted_at_a_point(self) -> bool:
        """Whether it is a real claim, which fails at a point, and needs no instance."""
        return self.refutation is None and self.instance is None

    def given_texts(self) -> list[str]:
        """What is given, as certificates write it."""
        return [str(condition) for condition in conditions_of(*self.given)]

    def accept(self, refutation: Refutation) -> None:
        """Refuse a refutation that does not contradict the claim, or that a checker does not
        accept.
        """
        self.said.prove()
        if self.refuted_at_a_point:
            self._is_at_point(refutation)
            return
        if refutation.instance is None:
            raise Refused(f"the refutation of {self.claim} has no instance.")
        is_broken(self, refutation.instance, refutation.facts)

    def _is_at_point(self, refutation: Refutation) -> None:
        """The one certificate is of a point that breaks this claim."""
        said = {"given": self.given_texts(), "conclusion": str(self.claim)}
        if self.assuming:
            raise Refused(f"the hypotheses of {self.claim} need an instance.")
        if [certificate.get("claim") for certificate in refutation.certificates] != [
            said
        ]:
            raise Refused(f"the certificate does not speak of {self.claim}.")
        try:
            verdict = check(refutation.certificates[0]).verdict
        except Rejected as error:
            raise Refused(f"the certificate is not right: {error}") from None
        if verdict != "refuted":
            raise Refused(f"the certificate does not refute {self.claim}.")


def without(
    part: Statement, hypothesis: str, says: str, instance: Instance
) -> Falsehood:
    """A statement without one of its hypotheses, and an instance that breaks what is left."""
    kept = {name: fact for name, fact in part.assuming.items() if name != hypothesis}
    if len(kept) == len(part.assuming):
        raise Refused(f"{part.name} does not assume {hypothesis}.")
    return Falsehood(says, part.claim, part.given, assuming=kept, instance=instance)


@dataclass(frozen=True)
class Attack:
    """A search for counterexamples among exact finite instances; it returns how many it tried, or
    raises.
    """

    says: str
    run: Callable[[int], int]


@dataclass(frozen=True, repr=False)
class Theorem:
    """An entry of the book; ``rules`` are the functions of the package that rest on it.

    ``name`` and ``title`` are those of its file, and are filled in when the entry is loaded.

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
    name: str = field(default="", compare=False)
    title: str = field(default="", compare=False)

    def __str__(self) -> str:
        parts = [f"  {part.says}: {part.claim}" for part in self.parts]
        return "\n".join([self._headline, *parts])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        rows = [(part.says, part.claim) for part in self.parts]
        missing = paragraph("missing:", self.missing) if self.missing else ""
        head = paragraph(self._headline)
        return head + table(("statement", "formally"), rows) + missing

    @property
    def _headline(self) -> str:
        named = f"{self.name}: {self.title}" if self.name else "a theorem"
        return f"{named} ({self.verdict.value})"

    @property
    def axioms(self) -> tuple[Axiom, ...]:
        """The axioms of all parts, and those of the steps in words."""
        of_parts = (
            axiom for part in (*self.parts, *self.sharp) for axiom in part.axioms
        )
        return tuple(dict.fromkeys((*of_parts, *self.axioms_in_words)))

    def rule_names(self) -> list[str]:
        """The functions of the package that rest on the entry, with their modules."""
        return [f"{rule.__module__}.{rule.__qualname__}" for rule in self.rules]

    def part(self, name: str) -> Statement:
        """The statement of this name."""
        (named,) = [part for part in (*self.parts, *self.sharp) if part.name == name]
        return named
