"""Parallel composition: releases on disjoint parts of the data, of which a record is in one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import shorten
from rdpacct.exact.parameter import CheckedField
from rdpacct.mechanisms.alternatives import Alternatives
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.promised.promised import Promised
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.guarantee import ApproxDP, Guarantee
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by

PARTS = (
    "Parts: each record is in one of the disjoint parts, which depends on the record"
    " alone, and a release on a part reads the records of that part only."
)
"""The assumption on the parts."""


class PartsIn(CheckedField[Sequence[Plan | Mechanism | Guarantee], tuple[Plan, ...]]):
    """A field that holds the plan of each part, given as plans, single mechanisms or promises."""

    written_as: ClassVar[str] = "mechanisms"

    def checked(
        self, given: Sequence[Plan | Mechanism | Guarantee]
    ) -> tuple[Plan, ...]:
        if isinstance(given, str) or not isinstance(given, Sequence) or not given:
            raise InputError(
                f"the parts are {shorten(str(given))}; give a list with the plan of"
                " each, as in Parallel(parts=[Gaussian(sigma=1), Laplace(scale=2)])."
            )
        parts = [_plan_of(part) for part in given]
        for part in parts:
            if not isinstance(part, Plan):
                raise InputError(
                    f"a part is {shorten(str(part))}, which is not a plan; give the"
                    " releases on it."
                )
        return tuple(sorted(set(parts), key=str))


def _plan_of(part: Plan | Mechanism | Guarantee) -> Plan:
    if isinstance(part, Mechanism):
        return Plan.of(part)
    if isinstance(part, Guarantee):
        return Plan.of() + part
    return part


@dataclass(frozen=True)
class Parallel(Mechanism):
    """Releases on disjoint parts of the data: each plan is on the records of its own part.

    Which part a record is in depends on the record alone. Neighbors differ by adding or removing
    a record, or by a null record in its place, so that one part changes; equal plans are listed
    once.
    """

    lists_of_plans: ClassVar[tuple[str, ...]] = ("parts",)
    parts: PartsIn = PartsIn()

    def __post_init__(self) -> None:
        check_one_part_changes(self.relation)

    @property
    def relation(self) -> Relation:
        """The relation of the parts."""
        return Plan.total(self.parts).relation

    def stated_for(self, relation: Relation) -> Self:
        check_one_part_changes(relation)
        parts = [
            Plan.total(
                count * Plan.of(mechanism.stated_for(relation))
                for mechanism, count in part.terms
            )
            for part in self.parts
        ]
        return replace(self, parts=tuple(parts))

    def alternatives(self) -> Alternatives:
        """A record is in one of the parts, the same one in all releases."""
        return Alternatives(
            self.parts, Plan.total(self.parts), all_of_them=True, of_the_record=True
        )

    def hypotheses(self) -> tuple[str, ...]:
        said = [sentence for each in self._inside for sentence in each.hypotheses()]
        return (PARTS, *dict.fromkeys(said))

    def assumes(self) -> tuple[str, ...]:
        said = [sentence for each in self._inside for sentence in each.assumes()]
        return (PARTS, *dict.fromkeys(said))

    @property
    def _inside(self) -> list[Mechanism]:
        """The mechanisms that are run on the parts."""
        return [mechanism for part in self.parts for mechanism, _ in part.releases]

    def loss(self) -> Loss:
        return self._same().loss()

    def profile(self) -> Profile:
        return self._same().profile()

    def directions(self) -> tuple[Direction, ...]:
        return self._same().directions()

    def attained(self) -> tuple[Loss, ...]:
        return self._same().attained()

    def _same(self) -> Mechanism:
        """The one mechanism that runs on every part; refused if there are several."""
        single = self.parts[0].single
        if len(self.parts) > 1 or single is None:
            raise UndecidedError(
                "which part is the worst depends on the question, so that no single pair"
                " of laws stands for parts in parallel; ask the plan for delta or"
                " epsilon."
            )
        return single

    def __str__(self) -> str:
        return f"Parallel(parts=[{', '.join(map(str, self.parts))}])"

    @classmethod
    def examples(cls) -> Iterable["Parallel"]:
        yield cls([Gaussian(1), Gaussian(1)])


@by("composition/parallel")
def bad_choice(chance: Expr) -> Promised:
    """A release that stands for a bad choice: with this chance it tells all, and else nothing."""
    return Promised(ApproxDP(0, chance))


def check_one_part_changes(relation: Relation) -> None:
    """Refuse a relation of which neighbors may differ in two parts."""
    if relation is Relation.REPLACE_ONE:
        raise InputError(
            f"parts in parallel are stated for {relation}, but a replaced record may"
            " leave one part and enter another, so that two parts change"
            " (composition/parallel); state the plan for add_or_remove_one or zero_out, or"
            " list the releases one after the other."
        )
