"""Classes that give a mechanism another loss: what it knew by its own loss is not said of that."""

from collections.abc import Sequence

ABOUT_THE_LOSS = (
    *("profile", "directions", "together", "each_way", "one_pair", "attained"),
    *("planned_by_profile", "releases_within", "by_moments", "only_bounded"),
    *("alternatives", "stands_for", "random_guarantee", "worst_gamma", "for_group"),
    *("of_plans", "lists_of_plans", "unknown_plan", "knowing"),
    *("of_several_records", "sampled_part", "sampled_transform", "several_part"),
    *("folded_part", "flattened_transform", "copies_apart", "copies_part"),
    *("shuffled_reports", "upper_tail", "loss_with_closed_tails"),
)
"""What a mechanism may know by the form of its loss."""


def forget_its_loss(kind: type, mechanisms: Sequence[type]) -> None:
    """Give a class that overrides the loss or the profile of other mechanisms what every mechanism
    has, in place of what those knew of their own; what the class says itself stays.
    """
    if not {"loss", "profile"} & vars(kind).keys():
        return
    for name in ABOUT_THE_LOSS:
        owners = [base for base in kind.__mro__ if name in vars(base)]
        if owners and owners[0] in mechanisms:
            general = next(base for base in owners if base not in mechanisms)
            setattr(kind, name, vars(general)[name])
