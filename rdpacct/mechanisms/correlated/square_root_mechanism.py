"""The square root of all prefix sums as a strategy, cut off after some bands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.errors import InputError
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.correlated.falling_columns import square_root_coefficients
from rdpacct.mechanisms.correlated.toeplitz_mechanism import MovedColumns
from rdpacct.mechanisms.inside import MOST_RECORDS, WholeIn
from rdpacct.privacy.relation import Norm, SensitivityIn
from rdpacct.provenance import recorded_property

MOST_BANDS = 4096
"""How many exact coefficients are worked out; each has two bits more than the one before."""


@dataclass(frozen=True)
class SquareRootMechanism(MovedColumns):
    """C x + N(0, sigma**2) noise on each entry, where C C is the matrix of all prefix sums; or only
    the first ``bands`` diagonals of that C, if they are given.
    """

    sigma: Parameter = Parameter(above_least=True)
    steps: WholeIn = WholeIn("the number of steps")
    bands: WholeIn = WholeIn("the number of bands", MOST_RECORDS)
    participations: WholeIn = WholeIn("the number of participations", 1)
    separation: WholeIn = WholeIn("the separation", 1)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L2)

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.bands, self.steps) > MOST_BANDS:
            raise InputError(
                f"the square root has {min(self.bands, self.steps)} bands, more than the"
                f" {MOST_BANDS} that are worked out; give fewer, as in bands=64."
            )

    @recorded_property
    def _column(self) -> list[Fraction]:
        return square_root_coefficients(min(self.bands, self.steps))

    def column(self) -> Sequence[Fraction]:
        return self._column

    @classmethod
    def examples(cls) -> Iterable["SquareRootMechanism"]:
        yield cls(3, 6, bands=2, participations=3, separation=2)
