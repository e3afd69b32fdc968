"""What a release costs, in the numbers that one kind of guarantee adds up."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from threading import Lock
from typing import Any, NoReturn

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import shorten
from rdpacct.filters.amounts import Amounts, added_up, enclosed, price_of
from rdpacct.filters.fields import one_line
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.plan import read_plan
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import attempt, record
from rdpacct.questions import plan_of

PricedRelease = Plan | Mechanism | Guarantee | str
"""What can be spent: a plan, its one mechanism, what a release promises, or a text."""
MOST_PRICES = 1000
"""The most prices that are remembered."""
FILES = (".toml", ".json")
"""Endings of files, whose prices are not remembered, since a file may change."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a release costs, with what that rests on and takes for granted."""

    amounts: Amounts
    theorems: frozenset[str] = frozenset()
    assumptions: tuple[str, ...] = ()

    def also_by(self, theorems: Iterable[str]) -> "Price":
        """The same price, which rests on these theorems too."""
        more = self.theorems.union(theorems)
        return self if more == self.theorems else replace(self, theorems=more)


class Priced:
    """An account of releases by their prices; one thread at a time changes it."""

    names: tuple[str, ...]
    """What adds up."""

    def __init__(self, relation: Relation | str) -> None:
        self.relation = (
            relation
            if isinstance(relation, Relation)
            else Relation.named(str(relation))
        )
        self.releases = 0
        """How many releases were paid for."""
        self.theorems = frozenset[str]()
        """What the prices that were paid rest on."""
        self.assumptions: tuple[str, ...] = ()
        """What the releases that were paid for take for granted, as sentences."""
        self._lock = Lock()
        self._prices = dict[Hashable, tuple[Any, Price]]()

    def limits(self, said: Guarantee) -> tuple[Expr, ...]:
        """The numbers that add up, of a guarantee that says them itself."""
        raise NotImplementedError

    def has_price(self, said: Guarantee) -> bool:
        """Whether a guarantee says its price itself."""
        raise NotImplementedError

    def prices(self, mechanism: Mechanism) -> Amounts:
        """What one run of a mechanism costs."""
        raise NotImplementedError

    @property
    def nothing(self) -> Amounts:
        """What is spent at first."""
        return (Fraction(0),) * len(self.names)

    def price(self, release: PricedRelease) -> Amounts:
        """What a release costs: that of a plan is the sum over its mechanisms."""
        return self.full_price(release).amounts

    def full_price(self, release: PricedRelease) -> Price:
        """The same with its theorems and assumptions, which are those of this account only once
        it is paid.
        """
        key = _key(release)
        known = self._prices.get(key)
        if known is not None and (known[0] is release or known[0] == release):
            return known[1]
        price = self._priced(self.stated(release))
        if isinstance(release, str) and release.strip().lower().endswith(FILES):
            return price
        if len(self._prices) >= MOST_PRICES:
            self._prices.clear()
        self._prices[key] = (release, price)
        return price

    def _rely_on(self, price: Price) -> None:
        """Keep what a price rests on that is paid; only under the lock."""
        if not price.theorems <= self.theorems:
            self.theorems |= price.theorems
        if price.assumptions:
            said = (*self.assumptions, *price.assumptions)
            self.assumptions = tuple(dict.fromkeys(said))

    def _priced(self, plan: Plan) -> Price:
        total = self.nothing
        with attempt() as used:
            for mechanism, count in plan.terms:
                once = self._once(mechanism)
                total = tuple(
                    added_up(sum_, count * amount)
                    for sum_, amount in zip(total, once, strict=True)
                )
        return Price(total, plan.rests_on.union(used), taken_for_granted(plan))

    def _once(self, mechanism: Mechanism) -> Amounts:
        """The price of one run: what is promised, or else what the mechanism is found to cost."""
        said = mechanism.stands_for
        if said is None or not self.has_price(said):
            return self.prices(mechanism)
        record(said.rests_on)
        return tuple(
            price_of(enclosed(limit), str(said)) for limit in self.limits(said)
        )

    def stated(self, release: PricedRelease) -> Plan:
        """The plan of a release, whose numbers are stated for the relation of this account."""
        if isinstance(release, str):
            return read_plan(release, self.relation)
        if isinstance(release, Guarantee):
            return replace(Plan.of(), if_empty=self.relation) + release
        plan = plan_of(release)
        if plan.terms and plan.relation is not self.relation:
            raise InputError(
                f"{shorten(str(plan), 120)} is stated for {plan.relation}, and the budget"
                f" for {self.relation}; state it for {self.relation}."
            )
        return plan

    def __reduce__(self) -> NoReturn:
        """Two copies of a budget would spend it twice."""
        raise TypeError("a budget is not copied; write its state with to_json.")


def taken_for_granted(plan: Plan) -> tuple[str, ...]:
    """The assumptions of a plan, each in one line that a state can hold."""
    said = plan.hypotheses()
    for sentence, mechanism in said.items():
        if not isinstance(sentence, str):
            raise InputError(
                f"an assumption of {shorten(str(mechanism), 120)} is"
                f" {shorten(repr(sentence))}; give sentences in hypotheses."
            )
    return tuple(dict.fromkeys(filter(None, map(one_line, said))))


def _key(release: PricedRelease) -> Hashable:
    """What the price of a release is remembered by: a text by what it says with the mechanisms
    that it may name, a promise by what it says, and a plan by which one it is.
    """
    if isinstance(release, str):
        return release, *Mechanism.registry.values()
    if isinstance(release, Guarantee):
        return str(release), release.rests_on
    return id(release)
