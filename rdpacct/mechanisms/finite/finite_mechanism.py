"""A mechanism given by its table: the user's own, in exact rationals."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import partial
from typing import ClassVar, Self

from rdpacct.errors import InputError
from rdpacct.exact.formula import formula
from rdpacct.exact.functions import exp
from rdpacct.exact.number import Number, decimal_text, listed, rational, shorten
from rdpacct.exact.parameter import CheckedField
from rdpacct.mechanisms.finite.table_profile import TableProfile
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.family import FinitePairs
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import RelationIn
from rdpacct.privacy.table_loss import table_direction, table_loss
from rdpacct.privacy.tradeoff_points import Merged, least_pair, merged, not_dominated
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import remembered

MAX_ENTRIES = 100_000
MAX_ROWS = 100
MOST_PAIRS = 8
"""How many pairs of inputs, those farthest from equality, bound a composition of many from
below.
"""


class Rows(CheckedField[Sequence[Sequence[Number]], tuple[tuple[Fraction, ...], ...]]):
    """A field that holds a table of exact probabilities, checked when it is given."""

    def checked(
        self, given: Sequence[Sequence[Number]]
    ) -> tuple[tuple[Fraction, ...], ...]:
        return _table(listed(given))


@dataclass(frozen=True)
class FiniteMechanism(Mechanism):
    """Row i holds the probabilities of the outputs on input i; every two inputs are neighbors.

    In a composition each release may be of another query of the data, so that the two inputs that
    neighbors lead to may change from one release to the next, even with what was released before.
    With ``same_inputs`` all releases are of the same query: the two inputs are the same in all of
    them.
    """

    also_called: ClassVar[tuple[str, ...]] = ("Table",)
    rows: Rows = Rows()
    same_inputs: bool = False
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def __post_init__(self) -> None:
        if not isinstance(self.same_inputs, bool):
            raise InputError(
                f"same_inputs is {self.same_inputs}, but must be true or false; give"
                " one of these."
            )

    def for_group(self, size: int) -> Self:  # noqa: ARG002
        """Itself: any two inputs count as neighbors."""
        return self

    def loss(self) -> PrivacyLoss:
        if len(self.rows) != 2:
            raise InputError(
                f"the mechanism has {len(self.rows)} inputs; ask loss_between(i, j) for"
                " one pair of them."
            )
        return self.loss_between(0, 1)

    def loss_between(self, i: int, j: int) -> PrivacyLoss:
        """The loss of input i against input j."""
        pairs = list(zip(self._row(i), self._row(j), strict=True))
        return table_loss(merged(pairs), partial(_event, tuple(pairs), i, j))

    def _row(self, i: int) -> tuple[Fraction, ...]:
        if i not in range(len(self.rows)):
            raise InputError(
                f"the input is {i}, but must be one of 0 to {len(self.rows) - 1}; give"
                " one of these."
            )
        return self.rows[i]

    def profile(self) -> Profile:
        inputs = range(len(self.rows))
        losses = tuple(
            self.loss_between(i, j) for i in inputs for j in inputs if i != j
        )
        return TableProfile(losses, self._pairs())

    def _pairs(self) -> tuple[Merged, ...]:
        return _pairs(self.rows)

    def directions(self) -> tuple[Direction, ...]:
        """One pair that dominates that of any two inputs, with all of these; each of them for the
        same inputs.
        """
        if self.same_inputs:
            return _fixed(self.rows)
        return _chosen(self.rows)

    def each_way(self) -> tuple[PrivacyLoss, ...]:
        if self.same_inputs:
            return _fixed_losses(self.rows)
        return ()

    def attained(self) -> tuple[Loss, ...]:
        return self.profile().losses

    @property
    def in_a_plan(self) -> str:
        if self.same_inputs:
            return "each table with the same inputs in all releases"
        return "inputs of tables chosen anew"

    def sample(self, value: int, rng: Source = None) -> int:
        """The index of an output on input ``value``, exactly distributed."""
        row = self._row(value)
        common = math.lcm(*(p.denominator for p in row))
        ticket = randomness(rng).randrange(common)
        for output, probability in enumerate(row):
            ticket -= int(probability * common)
            if ticket < 0:
                return output
        raise AssertionError("a row sums to one")

    def pair(self) -> tuple[int, int] | None:
        return (0, 1) if len(self.rows) == 2 else None

    def observed(self, output: int) -> float:
        p = self.rows[0][output]
        q = self.rows[1][output]
        return math.log(p / q) if q else math.inf

    @classmethod
    def examples(cls) -> Iterable["FiniteMechanism"]:
        yield cls([["3/4", "1/4"], ["1/3", "2/3"]])
        yield cls([["1/2", "1/2", 0], [0, "1/2", "1/2"]])
        yield cls([["0.5", "0.3", "0.2"], ["0.2", "0.3", "0.5"], ["0.3", "0.4", "0.3"]])


@remembered(128)
def _pairs(rows: tuple[tuple[Fraction, ...], ...]) -> tuple[Merged, ...]:
    """The ordered pairs of inputs that no other one dominates."""
    inputs = range(len(rows))
    tables = [
        list(zip(rows[i], rows[j], strict=True))
        for i in inputs
        for j in inputs
        if i != j
    ]
    return not_dominated([merged(table) for table in tables])


@remembered(128)
def _chosen(rows: tuple[tuple[Fraction, ...], ...]) -> tuple[Direction, ...]:
    pairs = _pairs(rows)
    worst = table_direction(least_pair(pairs))
    if len(pairs) == 1:
        return (worst,)
    return (
        replace(
            worst,
            below=tuple(map(table_direction, pairs[:MOST_PAIRS])),
            family=FinitePairs(pairs),
        ),
    )


@remembered(128)
def _fixed(rows: tuple[tuple[Fraction, ...], ...]) -> tuple[Direction, ...]:
    return tuple(map(table_direction, _pairs(rows)))


@remembered(128)
def _fixed_losses(rows: tuple[tuple[Fraction, ...], ...]) -> tuple[PrivacyLoss, ...]:
    return tuple(map(table_loss, _pairs(rows)))


def _event(
    pairs: tuple[tuple[Fraction, Fraction], ...], i: int, j: int, threshold: Fraction
) -> str:
    inside = [
        str(k)
        for k, (p, q) in enumerate(pairs)
        if p > 0 and (q == 0 or _exceeds(p / q, threshold))
    ]
    return f"output in {{{', '.join(inside)}}}, for input {i} against input {j}"


def _exceeds(ratio: Fraction, threshold: Fraction) -> bool:
    """The logarithm of the ratio is certainly above the threshold."""
    return (formula(ratio) / exp(threshold) - 1).bound().certainly_above(0)


def _table(rows: Sequence[Sequence[Number]]) -> tuple[tuple[Fraction, ...], ...]:
    if (
        isinstance(rows, str)
        or not isinstance(rows, Sequence)
        or not 2 <= len(rows) <= MAX_ROWS
    ):
        raise InputError(
            "a finite mechanism needs a row of probabilities for each of 2 to"
            f" {MAX_ROWS} inputs."
        )
    if any(
        isinstance(row, str) or not isinstance(row, Sequence) or not row for row in rows
    ):
        raise InputError(
            "each row of a finite mechanism is a list of probabilities, one for each"
            " output; give such lists."
        )
    if sum(map(len, rows)) > MAX_ENTRIES:
        raise InputError(
            f"the table has more than {MAX_ENTRIES} entries; give a smaller one."
        )
    table = tuple(tuple(rational(p, "a probability") for p in row) for row in rows)
    for i, row in enumerate(table):
        if len(row) != len(table[0]):
            raise InputError(
                f"row {i} has {len(row)} outputs, but row 0 has {len(table[0])}; give"
                " rows of one length."
            )
        if min(row) < 0:
            least = shorten(decimal_text(min(row)))
            raise InputError(
                f"row {i} has the negative probability {least}; give one of at least 0."
            )
        if sum(row) != 1:
            total = shorten(decimal_text(sum(row, Fraction(0))))
            raise InputError(
                f"row {i} sums to {total}, not to 1; give exact probabilities, as text"
                " such as '1/3'."
            )
    return table
