"""Samplers of continuous noise are for study: the warning that they give."""

import warnings


class StudyOnlyWarning(UserWarning):
    """Said by samplers of continuous noise, whose floating-point outputs leak more than the theory
    allows.
    """


def study_only(mechanism: object) -> None:
    """Warn that the sampler of a mechanism of continuous noise is for study."""
    warnings.warn(
        f"{type(mechanism).__name__}.sample is for study only: doubles are porous, so"
        " that which outputs are possible can reveal the input; release with the"
        " discrete mechanism instead.",
        StudyOnlyWarning,
        stacklevel=4,  # past the sampler and what tells a listening source of it
    )
