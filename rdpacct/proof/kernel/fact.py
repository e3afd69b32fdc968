"""Facts: what the kernel has established, with everything that it rests on.

Only the rules make them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from rdpacct.exact.formula import Expr
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.laws import Law
from rdpacct.proof.kernel.statements import (
    Believed,
    Condition,
    Exists,
    Hypothesis,
    Integrable,
    On,
    Proposition,
    Whole,
    almost_surely,
    existence,
    expectations_of,
    free_expectations,
    laws_of,
    placed_expectations,
)
from rdpacct.proof.kernel.terms import Expectation, Refused, atoms_of, expectations


class Made(NamedTuple):
    """A rule, and what it was given."""

    rule: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


_KEY = object()


class Fact:
    """For all values of its symbols in the domain: the statement, if the hypotheses hold, and the
    axioms, which are kept in full.
    """

    __slots__ = (
        "axioms",
        "call",
        "certificates",
        "domain",
        "hypotheses",
        "loose",
        "parents",
        "rule",
        "statement",
    )

    def __init__(
        self,
        key: object,
        rule: str,
        statement: Proposition,
        parents: tuple[Fact, ...],
        domain: Iterable[Condition],
        hypotheses: Iterable[Hypothesis],
        axioms: Iterable[Believed],
        certificates: tuple[dict[str, Any], ...],
        loose: frozenset[Expr] = frozenset(),
    ) -> None:
        if key is not _KEY:
            raise Refused("facts are made by the rules of the kernel only.")
        set_ = super().__setattr__
        set_("rule", rule)
        set_("statement", statement)
        set_("parents", parents)
        set_("domain", tuple(dict.fromkeys(domain)))
        set_("hypotheses", tuple(dict.fromkeys(hypotheses)))
        set_("axioms", frozenset(axioms))
        set_("certificates", certificates)
        set_("loose", loose)
        set_("call", None)

    rule: str
    statement: Proposition
    parents: tuple[Fact, ...]
    domain: tuple[Condition, ...]
    hypotheses: tuple[Hypothesis, ...]
    axioms: frozenset[Believed]
    certificates: tuple[dict[str, Any], ...]
    loose: frozenset[Expr]
    """Expectations that were only put in for a number: the fact does not show that they are
    finite.
    """
    call: Made | None
    """How it was made, so that it can be made again."""

    def __setattr__(self, name: str, value: object) -> None:
        raise Refused("a fact does not change.")

    @property
    def relation(self) -> Comparison:
        """The relation that holds; refused for a statement of finiteness."""
        if not isinstance(self.statement, Comparison):
            raise Refused(f"this is not a relation: {self.statement}.")
        return self.statement

    @property
    def existence(self) -> Exists:
        """The existence of a law that holds; refused for other statements."""
        if not isinstance(self.statement, Exists):
            raise Refused(f"this does not say that there is a law: {self.statement}.")
        return self.statement

    @property
    def integrable(self) -> Integrable:
        """The finiteness that holds; refused for a relation."""
        if not isinstance(self.statement, Integrable):
            raise Refused(f"this says nothing of finiteness: {self.statement}.")
        return self.statement

    def all_parents(self) -> Iterator[Fact]:
        """The facts that this one was made from, each once, the deepest first, and itself last."""
        seen = set[int]()

        def walk(fact: Fact) -> Iterator[Fact]:
            if id(fact) not in seen:
                seen.add(id(fact))
                for parent in fact.parents:
                    yield from walk(parent)
                yield fact

        return walk(self)

    def all_certificates(self) -> list[dict[str, Any]]:
        """The certificates of all side conditions, each once."""
        certificates = {
            str(certificate["claim"]): certificate
            for fact in self.all_parents()
            for certificate in fact.certificates
        }
        return list(certificates.values())

    def __str__(self) -> str:
        spoken = laws_of(self.statement)
        shown = [
            condition
            for condition in self.domain
            if not (isinstance(condition, Exists) and condition.law in spoken)
        ]
        where = f"  for {' and '.join(map(str, shown))}" if shown else ""
        return f"{self.statement}{where}"


def remember(fact: Fact, call: Made) -> None:
    """Keep how a fact was made. For the rules only."""
    object.__setattr__(fact, "call", call)


def make(
    rule: str,
    statement: Proposition,
    parents: tuple[Fact, ...] = (),
    *,
    domain: Iterable[Condition] | None = None,
    hypotheses: Iterable[Hypothesis] | None = None,
    axioms: Iterable[Believed] = (),
    certificates: Iterable[dict[str, Any]] = (),
    finite: Iterable[Expr] = (),
    put_in: Iterable[Expr] = (),
    finite_by: tuple[Fact, ...] | None = None,
    laws: Iterable[Law] = (),
    spoken: Iterable[Law] | None = None,
) -> Fact:
    """A fact; what its parents rest on is inherited unless a rule has accounted for it. For the
    rules only.

    ``finite`` are the expectations that the rule shows to be finite. ``put_in`` are formulas that
    took the place of a number; their expectations may be infinite. ``finite_by`` are the parents
    that may show that an expectation is finite, all of them if nothing is said. ``laws`` are those
    that were integrated under; that there are such is a condition, as for all laws that are not
    ``spoken`` of before, by the parents if nothing is said.
    """
    if any(type(parent) is not Fact for parent in parents):
        raise Refused("facts are made from facts only.")
    if isinstance(statement, Comparison) and statement.sign not in ("<", "<=", "=="):
        raise Refused("the kernel states <, <= and == only; turn the sides.")
    if spoken is None:
        spoken = (law for parent in parents for law in laws_of(parent.statement))
    inherited = [condition for fact in parents for condition in fact.domain]
    where = (
        *(inherited if domain is None else domain),
        *almost_surely(statement),
        *existence(*_new_laws(statement, laws, set(spoken))),
    )
    assumed = tuple(
        (hypothesis for fact in parents for hypothesis in fact.hypotheses)
        if hypotheses is None
        else hypotheses
    )
    _is_fair(statement, where, assumed)
    return Fact(
        _KEY,
        rule,
        statement,
        parents,
        where,
        assumed,
        {*axioms, *(axiom for fact in parents for axiom in fact.axioms)},
        tuple(certificates),
        _loose(
            statement,
            parents,
            parents if finite_by is None else finite_by,
            finite,
            put_in,
        ),
    )


def _new_laws(
    statement: Proposition, laws: Iterable[Law], spoken: set[Law]
) -> list[Law]:
    """The laws that a fact is the first to speak of; a statement of existence shows its own."""
    if isinstance(statement, Exists):
        return [law for law in laws if law not in spoken]
    named = dict.fromkeys(
        expectation.law for expectation in free_expectations(statement)
    )
    return [law for law in (*named, *laws) if law not in spoken]


def _is_fair(
    statement: Proposition,
    domain: tuple[Condition, ...],
    hypotheses: tuple[Hypothesis, ...],
) -> None:
    """Refuse names that are the kernel's own, and a plain number game under a law that nobody has
    shown to exist.
    """
    for condition in domain:
        if type(condition) not in (Comparison, On, Whole, Exists):
            raise Refused(f"{condition} is not a condition.")
    laws = [atom.law for atom in expectations_of(statement)]
    laws += [
        condition.law for condition in domain if isinstance(condition, On | Exists)
    ]
    if not all(isinstance(law, Law) for law in laws):
        raise Refused(f"{statement} speaks of something else than a law.")
    stated = (statement, *domain, *(h.relation for h in hypotheses))
    for symbol in frozenset[str]().union(
        *(proposition.symbols() for proposition in stated)
    ):
        if symbol.startswith("atom_"):
            raise Refused(f"the name {symbol} is kept for the kernel.")
    if not isinstance(statement, Comparison) or statement.symbols():
        return
    if atoms_of(statement):
        return
    spoken = {law for h in hypotheses for law in laws_of(h.relation)}
    for condition in domain:
        if isinstance(condition, Exists) and condition.law not in spoken:
            raise Refused(
                f"{statement} would hold only if {condition}; show that before"
                f" {condition.law.name} is out of sight."
            )


def _loose(
    statement: Proposition,
    parents: tuple[Fact, ...],
    finite_by: tuple[Fact, ...],
    finite: Iterable[Expr],
    put_in: Iterable[Expr],
) -> frozenset[Expr]:
    """The expectations that were put in here or in a parent, or that nothing shows to be finite.

    A parent that is loose itself shows nothing: what it says may hang on what it does not show.
    """
    known = set[Expr](finite)
    if isinstance(statement, Integrable):
        known.add(Expectation(statement.law, statement.body, statement.given))
    open_ = {place for place in placed_expectations(statement) if place[1] not in known}
    for parent in parents:
        shown = placed_expectations(parent.statement)
        free = {
            expectation for within, expectation in shown if within is None
        } - parent.loose
        open_ = {
            place
            for place in open_
            if place[1] not in free and (place not in shown or place[1] in parent.loose)
        }
    loose: set[Expr] = {expectation for _, expectation in open_}
    loose.update(expectation for expr in put_in for expectation in expectations(expr))
    loose.update(*(parent.loose for parent in parents))
    stated = [statement, *(parent.statement for parent in parents)]
    bound = {
        expectation
        for said in stated
        for within, expectation in placed_expectations(said)
        if within
    }
    random = {name for expectation in bound for name in expectation.symbols()} & {
        name
        for said in stated
        for expectation in expectations_of(said)
        for name in expectation.law.variables
    }
    for fact in finite_by:
        if not fact.loose:
            limited = random & _limited(fact)
            loose -= {
                one
                for one in free_expectations(fact.statement)
                if one not in bound or not one.symbols() & limited
            }
    return frozenset(loose)


def _limited(fact: Fact) -> frozenset[str]:
    """The symbols of which a fact speaks for some values only."""
    limits = [
        condition.symbols()
        for condition in fact.domain
        if not isinstance(condition, On)
    ]
    limits += [hypothesis.free() for hypothesis in fact.hypotheses]
    return frozenset[str]().union(*limits)
