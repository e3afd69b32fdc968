"""Plans for groups: what neighbors that differ in several records are promised, release by
release.
"""

from dataclasses import fields, replace

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.number import shorten
from rdpacct.mechanisms.mechanism import Mechanism, NoiseMechanism, Plan
from rdpacct.mechanisms.promised.promised import Promised
from rdpacct.privacy.relation import Sensitivity
from rdpacct.provenance import attempt, by


def for_group(plan: Plan, size: int) -> Plan:
    """The plan whose numbers are for neighbors that are so many single steps of the relation
    apart.
    """
    if size == 1:
        return plan
    with attempt() as used:
        plans = [
            Plan.of(_grouped(mechanism, size)) * count
            for mechanism, count in plan.terms
        ]
    grouped = replace(Plan.total(plans), if_empty=plan.if_empty)
    return grouped.resting_on(plan.rests_on | used)


def _grouped(mechanism: Mechanism, size: int) -> Mechanism:
    """One release for groups, where a theorem gives it."""
    if isinstance(mechanism, Promised):
        return replace(mechanism, guarantee=mechanism.guarantee.group(size))
    given = getattr(mechanism, "sensitivity", None)
    if (
        not isinstance(mechanism, NoiseMechanism)
        or not isinstance(given, Sensitivity)
        or _knows_its_difference(mechanism)
    ):
        raise InputError(
            f"no theorem of this package gives {shorten(str(mechanism), 80)} for a unit of"
            f" {size} records; state its numbers for the whole unit, with contributions ="
            " 1, or give a guarantee for it (rdpacct dpsgd --examples-per-user has one for"
            " sampled steps)."
        )
    value = group_sensitivity(given.value, size)
    return replace(mechanism, sensitivity=replace(given, value=value))  # type: ignore[type-var]


def _knows_its_difference(mechanism: Mechanism) -> bool:
    """Whether the difference between neighbors is given, and not a bound on it."""
    names = [each.name for each in fields(mechanism)]  # type: ignore[arg-type]
    return "shift" in names and getattr(mechanism, "shift", None) is not None


@by("group/sensitivity")
def group_sensitivity(sensitivity: Real, size: Real) -> Expr:
    """How far a query moves between data sets that many neighbors apart."""
    return formula(size) * sensitivity
