"""Plans for groups: what neighbors that differ in several records are promised, release by
release.
"""

from dataclasses import replace

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten, whole
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.provenance import attempt

MOST = 10**9
"""The largest group."""


def group_size(given: object) -> int:
    """The size of a group, as a whole number."""
    return whole(given, "the group size", 1, MOST)


def has_group_rule(plan: Plan) -> bool:
    """Whether a theorem gives every release of a plan for groups."""
    return all(mechanism.for_group(2) is not None for mechanism, _ in plan.terms)


def for_group(plan: Plan, size: int) -> Plan:
    """The plan whose numbers are for neighbors that are ``size`` single steps of the relation
    apart.
    """
    if size == 1:
        return plan
    with attempt() as used:
        plans = [
            Plan.of(_grouped(mechanism, size)) * count
            for mechanism, count in plan.terms
        ]
    grouped = replace(
        Plan.total(plans), if_empty=plan.if_empty, group=plan.group * size
    )
    return grouped.resting_on(plan.rests_on | used)


def _grouped(mechanism: Mechanism, size: int) -> Mechanism:
    """One release for groups, where a theorem gives it."""
    grouped = mechanism.for_group(size)
    if grouped is None:
        raise InputError(
            f"no theorem of this package gives {shorten(str(mechanism), 80)} for a unit of"
            f" {size} records; state its numbers for the whole unit, with contributions ="
            " 1, or ask for epsilon with --group, which a chain of neighbors bounds."
        )
    return grouped
