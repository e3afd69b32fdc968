"""Batches drawn with replacement: a mechanism on a number of draws, each of which is any of the
records.
"""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar

from rdpacct.errors import InputError
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import ONE, ZERO, Expr
from rdpacct.exact.functions import log
from rdpacct.exact.number import shorten
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import (
    either_way,
    flattened_direction,
    one_way,
)
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.inside import Inside, WholeIn, assumed_inside
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.randomized_response.randomized_response import (
    RandomizedResponse,
)
from rdpacct.mechanisms.sampling import bernoulli
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.mechanisms.with_replacement.copies import Copies
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.between import BetweenPairs, dominating
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation, RelationIn
from rdpacct.privacy.transform import Direction
from rdpacct.privacy.weighted import side_by_side
from rdpacct.provenance import attempt, by


@dataclass(frozen=True)
class SampledWithReplacement(Mechanism):
    """A mechanism on a batch of ``batch`` draws, each of which is any of the ``of`` records,
    independently of the others.

    The mechanism is stated for batches that differ in one draw. Of neighbors that have one record
    more or less, the larger has at least ``of`` records.
    """

    inside: ClassVar[Relation] = Relation.REPLACE_ONE
    mechanism: Inside = Inside(Relation.REPLACE_ONE)
    batch: WholeIn = WholeIn("the batch size")
    of: WholeIn = WholeIn("the number of records")
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def __post_init__(self) -> None:
        if self.mechanism.for_group(self.copies.most) is None:
            raise InputError(
                f"no theorem of this package gives {shorten(str(self.mechanism), 80)} for"
                f" {self.copies.most} copies of a record; give a Gaussian or a Laplace"
                " mechanism, or sample without replacement."
            )

    @cached_property
    def copies(self) -> Copies:
        """How many of the draws are the record."""
        return Copies(self.batch, self.of)

    @property
    def oriented(self) -> bool:
        """Whether the record is in one of the data sets only."""
        return self.relation is Relation.ADD_OR_REMOVE_ONE

    def loss(self) -> Loss:
        """For adding or removing, the loss of removing the record; else that of the folded pairs of
        each number of copies.
        """
        if self.oriented:
            return with_copies(self.mechanism, self.copies)
        return folded_copies(self.mechanism, self.copies)

    def profile(self) -> Profile:
        losses = self.loss().directions()
        if self.tight:
            return Profile(losses)
        return BetweenPairs(losses, self.attained())

    @property
    def tight(self) -> bool:
        """Whether the loss is that of a pair that can happen."""
        known = self.mechanism.copies_part((ONE,)) is not None
        return self.oriented and known and self.copies.rest == ZERO

    def directions(self) -> tuple[Direction, ...]:
        """Directions above the release, with those that can happen below: in the same order, if the
        record is in one of the data sets only.
        """
        above = [loss.direction() for loss in self.loss().directions()]
        if self.tight:
            return tuple(above)
        below = self.attained()
        if not self.oriented:
            return (self._with_others(dominating(above[0], below)),)
        ways = zip(above, below, strict=True)
        return tuple(dominating(way, (end,)) for way, end in ways)

    def _with_others(self, direction: Direction) -> Direction:
        """The pair above a replaced record, with another one and one beside a ramp, if the
        mechanism has them.
        """
        with attempt() as used:
            apart = self.mechanism.copies_apart(self.copies)
            if apart is None:
                return direction
            loss = apart.loss(either_way(self.mechanism, apart.rate))
            flat = flattened_direction(self.mechanism, apart.rate)
            smaller = None if flat is None else apart.beside_ramp(flat)
        grounds = frozenset(used)
        instead = replace(loss.direction(), loss=loss, rests_on=grounds)
        if smaller is not None:
            smaller = replace(smaller, rests_on=grounds)
        return replace(direction, instead=instead, beside_ramp=smaller)

    def attained(self) -> tuple[Loss, ...]:
        """All other records are alike, and copies beyond those that are followed do nothing."""
        loss = fewer_copies(self.mechanism, self.copies)
        return (loss, loss.reversed())

    def hypotheses(self) -> tuple[str, ...]:
        drawn = (
            f"{self}: each of the {self.batch} draws of a batch is any of the records,"
            " independently of the others and of other batches, and nothing but the"
            " release tells which; batches without replacement, Poisson samples and"
            " shuffled passes are other mechanisms."
        )
        return drawn, *assumed_inside(self.mechanism)

    def about_noise(self) -> tuple[str, ...]:
        return self.mechanism.about_noise()

    def certified(self) -> tuple[str, dict[str, Any]]:
        raise InputError(
            f"certificates of budgets know no {type(self).__name__}; ask for epsilon"
            " without a certificate."
        )

    def sample(self, value: Sequence[Any], rng: Source = None) -> Any:
        """The noisy value of a query, given its values on batches with no copy of the record, with
        one, and so on up to the size of the batch.
        """
        source = randomness(rng)
        if not isinstance(value, tuple | list) or len(value) != self.batch + 1:
            raise InputError(
                f"the value is {shorten(repr(value))}; give {self.batch + 1} values of the"
                " query, on batches with no copy of the record, with one, and so on."
            )
        drawn = sum(bernoulli(self.copies.share, source) for _ in range(self.batch))
        return self.mechanism.sample(value[drawn], source)

    def __str__(self) -> str:
        return f"SampledWithReplacement({self.mechanism}, batch={self.batch}, of={self.of})"

    @classmethod
    def examples(cls) -> Iterable["SampledWithReplacement"]:
        replaced = Relation.REPLACE_ONE
        yield cls(Gaussian(2).stated_for(replaced), 10, 100)
        yield cls(Gaussian(1).stated_for(replaced), 2, 6)
        answers = RandomizedResponse(1, relation=replaced)
        yield cls(answers, 2, 6, relation=replaced)


@by("sampling/with-replacement")
def with_copies(mechanism: Mechanism, copies: Copies) -> PrivacyLoss:
    """The loss of removing a record: of the moves of its copies if their pair is known, or of the
    cases of each number of copies.
    """
    part = mechanism.copies_part(copies.shares(copies.rest))
    if part is not None:
        mechanism.directions()
        return PrivacyLoss((part,), at_infinity=copies.rest)
    cases = _cases(mechanism, copies)
    losses = [(share, one_way(each, copies.rate)) for share, each in cases]
    return side_by_side([*losses, _unknown(copies, folded=False)], symmetric=False)


@by("sampling/with-replacement")
def folded_copies(mechanism: Mechanism, copies: Copies) -> PrivacyLoss:
    """The folded pairs of each number of copies, side by side."""
    cases = _cases(mechanism, copies)
    losses = [(share, either_way(each, copies.rate)) for share, each in cases]
    return side_by_side([*losses, _unknown(copies, folded=True)], symmetric=True)


@by("sampling/with-replacement")
def fewer_copies(mechanism: Mechanism, copies: Copies) -> PrivacyLoss:
    """A pair that can happen: copies that are not followed count as one, or all of them do."""
    part = mechanism.copies_part(copies.shares(ZERO))
    if part is not None:
        return PrivacyLoss((part,))
    return one_way(mechanism, copies.rate)


def _cases(mechanism: Mechanism, copies: Copies) -> list[tuple[Expr, Mechanism]]:
    """The mechanism for each number of copies, with its probability given that there are any."""
    _, *shares = copies.shares(copies.rest)
    cases = []
    for size, share in enumerate(shares, 1):
        grown = mechanism.for_group(size) if size > 1 else mechanism
        cases.append((share / copies.rate, grown or mechanism))
    return cases


def _unknown(copies: Copies, folded: bool) -> tuple[Expr, PrivacyLoss]:
    """More copies than are followed, of which nothing is known: their two laws are apart, on a
    batch that has the record.
    """
    rest = 1 - copies.rate
    apart = copies.rate
    share = copies.rest / copies.rate
    if folded:
        atom = Atom(rest, rest, ZERO)
        return share, PrivacyLoss((atom,), apart, apart, symmetric=True)
    return share, PrivacyLoss((Atom(rest, ONE, log(rest)),), at_infinity=apart)
