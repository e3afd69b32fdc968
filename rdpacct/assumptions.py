"""What an answer about a plan takes for granted, as sentences that a person can check."""

from rdpacct.mechanisms.mechanism import Plan
from rdpacct.privacy.relation import Relation

NEIGHBORS = {
    Relation.ADD_OR_REMOVE_ONE: (
        "Neighbors: one data set has one record more than the other"
        " (add_or_remove_one)."
    ),
    Relation.REPLACE_ONE: (
        "Neighbors: two data sets of the same size differ in one record (replace_one)."
    ),
    Relation.ZERO_OUT: (
        "Neighbors: two data sets of the same size differ in one record, which is a null"
        " record in one of them, and a null record adds nothing to any query (zero_out)."
    ),
}
"""What a relation says."""
ADAPTIVE = (
    "Order: a release may depend on the outputs of those before it; which mechanisms"
    " are run, and their parameters, are fixed in advance."
)
UNIT = (
    "Unit: what is protected is one record; somebody with several records has less"
    " protection."
)

GROUP = (
    "Unit: what is protected is a group of up to {size} records, each of which may change"
    " as neighbors do."
)
ONE_WAY = (
    "Group: all of its records are in one of the two data sets, and none is in the other;"
    " of a group with some records added and others removed, no theorem speaks here."
)


def in_one_data_set(plan: Plan) -> bool:
    """Whether what is known of a group is about records that are all added, or all removed, as for
    mixtures over how many of them are sampled.

    A chain of neighbors restates no release, and is about all groups.
    """
    restated = plan.group > 1 and bool(plan.rests_on)
    return any(
        mechanism.oriented and (restated or mechanism.of_several_records)
        for mechanism, _ in plan.terms
    )


def assumptions_of(plan: Plan) -> tuple[str, ...]:
    """The sentences that must be true of the data and of the code for an answer to apply."""
    unit = UNIT if plan.group == 1 else GROUP.format(size=plan.group)
    sentences = [NEIGHBORS[plan.relation], unit]
    if in_one_data_set(plan):
        sentences.append(ONE_WAY)
    for mechanism, _ in plan.releases:
        sentences += mechanism.assumes()
    if plan.terms and not plan.single:
        sentences.append(ADAPTIVE)
    said = {mechanism.in_a_plan for mechanism, _ in plan.terms} - {""}
    if said and not plan.single:
        sentences.append(f"In this plan: {'; '.join(sorted(said))}.")
    return tuple(dict.fromkeys(sentences))
