"""A ledger: the state of a filter in a file, from which several processes may spend.

A release is spent under a lock: read, compare, and write. What was granted is on disk before the
answer is given, so that a crash can lose a part of the budget, and never grants it twice.
"""

import os
from collections.abc import Sequence

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number, shorten
from rdpacct.filters.begun import begun
from rdpacct.filters.filter import Decision, Filter
from rdpacct.filters.kinds import ADD_OR_REMOVE
from rdpacct.filters.locked_file import LockedFile
from rdpacct.filters.priced import PricedRelease
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.plan import read_claim
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.relation import Relation


class Ledger:
    """The budget in a file; it is begun with the first release, if a budget is given."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        budget: Guarantee | str | None = None,
        *,
        relation: Relation | str | None = None,
        menu: Sequence[PricedRelease] | None = None,
        orders: Sequence[Number] | None = None,
    ) -> None:
        """A budget of epsilon and delta may be for a menu, or for several Renyi orders."""
        self.file = LockedFile(path, "the ledger")
        self.menu = menu
        self.orders = orders
        self.budget = read_claim(budget) if isinstance(budget, str) else budget
        self.relation = relation if relation is None else Relation.named(str(relation))

    def spend(
        self,
        release: PricedRelease,
        delta: Number | Expr | None = None,
        *,
        part: str | None = None,
    ) -> Decision:
        """Whether a release may be made, on all of the data or on a part: if so its price is in
        the file when this returns.
        """
        return self.decide(release, delta, part)[0]

    def decide(
        self, release: PricedRelease, delta: Number | Expr | None, part: str | None
    ) -> tuple[Decision, Filter, Plan]:
        """The same, with the filter as it was written and the plan that was decided on: that of
        a file is read once.
        """
        with self.file.locked():
            held = self.read()
            spender = held if part is None else held.part(part)
            plan = held.stated(release)
            decision = spender.spend(plan, delta)
            if decision:
                self.file.replace(held.to_json())
        return decision, held, plan

    def read(self) -> Filter:
        """The filter as it is in the file now, or a new one if there is no file and a budget was
        given. What is spent from it is not written: it is only for reading.
        """
        text = self.file.text()
        if text is None:
            return self._new()
        try:
            held = Filter.from_json(text)
        except InputError as error:
            raise error.within(str(self.file)) from None
        self._check(held)
        return held

    def _new(self) -> Filter:
        if self.budget is None:
            raise InputError(
                f"{self.file} does not exist; give a budget (--budget) to begin one, such as"
                " ZCDP(rho=1)."
            )
        return begun(
            self.budget,
            self.relation or ADD_OR_REMOVE,
            menu=self.menu,
            orders=self.orders,
        )

    def _check(self, held: Filter) -> None:
        """Refuse another budget or relation than that of the file."""
        if self.budget is not None and held.budget != self.budget:
            raise InputError(
                f"{self.file} has the budget {held.budget}, and not"
                f" {shorten(str(self.budget), 120)}; begin another ledger, or leave the"
                " budget out."
            )
        if self.relation not in (None, held.relation):
            raise InputError(
                f"{self.file} is stated for {held.relation}, and not for"
                f" {self.relation}; leave the relation out."
            )
        if self.menu is None and self.orders is None:
            return
        again = begun(held.budget, held.relation, menu=self.menu, orders=self.orders)
        if not held.adds_up_as(again):
            raise InputError(
                f"{self.file} was not begun with this menu or with these orders; leave"
                " them out."
            )
