"""What a mechanism knows of itself on a sample of the records or in a shuffle, beyond what its loss
says.
"""

from typing import TYPE_CHECKING, ClassVar

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.privacy.parts import Part
from rdpacct.privacy.transform import Transform

if TYPE_CHECKING:
    from rdpacct.mechanisms.shuffled.clones import Reports
    from rdpacct.mechanisms.with_replacement.copies import Copies
    from rdpacct.mechanisms.with_replacement.copies_apart import CopiesApart


class OnSamples:
    """The forms of its own that a mechanism has on samples and in shuffles; none, if it says
    nothing.
    """

    instead_on_samples: ClassVar[str] = ""
    """The nearest that is covered, as the end of a sentence, if no sampler takes it."""

    @property
    def of_several_records(self) -> bool:
        """The mechanism stated for several records that are added, or removed, together."""
        return False

    def sampled_part(self, rate: Expr) -> Part | None:  # noqa: ARG002
        """The loss on a Poisson sample as a part of its own kind; None to work it out from the
        parts of the loss.
        """
        return None

    def sampled_transform(self, rate: Expr, removing: bool) -> Transform | None:  # noqa: ARG002
        """The transform of the loss on a Poisson sample, of removing the record or of adding it;
        None if it has none of its own.
        """
        return None

    def several_part(self, rate: Expr, size: int, replaced: bool) -> Part | None:  # noqa: ARG002
        """The worst pair on a Poisson sample for several records that are removed or replaced, as a
        part of its own kind; None if it is not known.
        """
        return None

    def folded_part(self, rate: Expr) -> Part | None:  # noqa: ARG002
        """The folded loss on a batch for replaced records, as a part of its own kind; None to work
        it out from the parts of the loss.
        """
        return None

    def flattened_transform(self, rate: Expr) -> Transform | None:  # noqa: ARG002
        """The transform of the flattened pair on a batch for replaced records; None if it is not
        known.
        """
        return None

    def copies_apart(self, copies: "Copies") -> "CopiesApart | None":  # noqa: ARG002
        """One copy of a replaced record in a batch, and several, as cases; None if the pair of
        several is not known.
        """
        return None

    def shuffled_reports(self) -> "Reports | None":
        """The shuffled reports of it, if it is a local randomizer with a pure epsilon."""
        return None

    def copies_part(self, shares: tuple[Expr, ...]) -> Part | None:  # noqa: ARG002
        """The worst pair if a record takes the place of 0, 1, 2, ... others with these
        probabilities, against no such record, as a part of its own kind; None if it is not known.
        """
        return None


def one_size(sizes: set[int]) -> int:
    """The one size of the groups that some plans are for."""
    if len(sizes) > 1:
        raise InputError(
            f"the plans that are added are for groups of {min(sizes)} and of {max(sizes)}"
            " records; add up the plans for one record, and ask for the group then."
        )
    return max(sizes, default=1)
