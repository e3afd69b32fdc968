"""What a mechanism is, and the plans that mechanisms add up to."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from enum import Enum
from fractions import Fraction
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self

from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import whole
from rdpacct.mechanisms.alternatives import Alternatives
from rdpacct.mechanisms.another_loss import forget_its_loss
from rdpacct.mechanisms.from_profile import checked_loss, directions_of
from rdpacct.mechanisms.listening import heard_release
from rdpacct.mechanisms.moved import too_far
from rdpacct.mechanisms.of_plans import OfPlans
from rdpacct.mechanisms.on_samples import OnSamples, one_size
from rdpacct.mechanisms.runnable import Runnable
from rdpacct.notebook import paragraph, table
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.group import group_sensitivity
from rdpacct.privacy.guarantee import Guarantee, RandomDP
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.random_dp import worst_gamma_of
from rdpacct.privacy.relation import Relation, Sensitivity
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import builder

MAX_COUNT = 10**18


def _is_whole(kind: type) -> bool:
    """Whether a class is a mechanism, and not what several have in common."""
    return issubclass(kind, Mechanism) and not kind.__abstractmethods__


class Mechanism(Runnable, OnSamples, OfPlans, ABC):
    """A randomized release.

    Its one required method is ``loss``; the class is a frozen dataclass of its parameters.
    """

    if TYPE_CHECKING:  # a property would be the default of a field of that name

        @property
        def relation(self) -> Relation:
            """Which data sets are neighbors; a class has it as a field or as a property."""

    registry: ClassVar[dict[str, type["Mechanism"]]] = {}
    """Every class of mechanisms that is loaded, by name: ours, and those of the user."""
    also_called: ClassVar[tuple[str, ...]] = ()
    """Other names of it, in papers and in other libraries."""
    instead_of: ClassVar[Mapping[str, str]] = {}
    """What to write in place of parameters that it has under other names, or not at all."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__repr__" not in vars(cls):
            cls.__repr__ = Mechanism.__repr__  # type: ignore[method-assign]
        for name in ("loss", "profile"):
            if name in vars(cls):
                setattr(cls, name, builder(vars(cls)[name]))
        if "sample" in vars(cls):
            cls.sample = heard_release(cls.sample)  # type: ignore[method-assign]
            cls.has_sampler = True
        whole = [base for base in cls.__mro__[1:] if _is_whole(base)]
        if whole:
            forget_its_loss(cls, whole)
        if not cls.__name__.startswith("_"):
            Mechanism.registry[cls.__name__] = cls

    @abstractmethod
    def loss(self) -> Loss:
        """The law of the privacy loss on the worst pair of neighbors, in one direction."""

    def profile(self) -> Profile:
        """The privacy of the mechanism: the worst over its pairs of neighbors, in both
        directions.
        """
        return Profile(checked_loss(self.loss(), type(self).__name__).directions())

    continuous: ClassVar[bool] = False
    """Whether outputs are real numbers, which a program only approximates."""
    same_outputs: ClassVar[bool] = False
    """All inputs of ``sample`` have the same possible outputs, whole numbers without rounding."""
    one_pair: ClassVar[bool] = False
    """One symmetric pair of laws that can happen stands for every release.

    Where it is not said, it is found out by building the losses.
    """

    planned_by_profile: ClassVar[bool] = False
    """A rough delta of one release comes from its profile, and not from saddle points."""

    def directions(self) -> tuple[Direction, ...]:
        """The directions for composition: one pair that dominates all, or one for each direction if
        the losses are oriented.

        A mechanism may give it without building its losses.
        """
        return directions_of(self.profile(), self.oriented, type(self).__name__)

    @classmethod
    def together(
        cls,
        releases: "Sequence[tuple[Mechanism, int]]",  # noqa: ARG003
    ) -> PrivacyLoss | None:
        """One loss that stands for all of these releases, if their kind has such a loss."""
        return None

    def each_way(self) -> tuple[PrivacyLoss, ...]:
        """The losses of the directions, if all releases of a plan have the same one but it is not
        known which.
        """
        return ()

    @property
    def oriented(self) -> bool:
        """Whether the directions of the loss are removing and adding a record, the same way round
        for all such mechanisms.

        Where it is not said, a loss that is not symmetric may be turned round from one release to
        the next.
        """
        return False

    @property
    def in_a_plan(self) -> str:
        """The assumptions on its releases in a plan of several, beyond those that hold for all."""
        return ""

    @property
    def by_moments(self) -> bool:
        """Only moments of the loss are bounded, so that even one release is answered as a
        composition.
        """
        return False

    def releases_within(self, count: int) -> Profile | None:  # noqa: ARG002
        """What is known of a number of releases of this one, beside their moments."""
        return None

    @property
    def only_bounded(self) -> bool:
        """Its sensitivity is only known to lie between two ends, so that even the answer for one
        release has two.
        """
        return False

    def alternatives(self) -> Alternatives | None:
        """Plans of other releases that one of these amounts to; None if it is its own."""
        return None

    @property
    def stands_for(self) -> Guarantee | None:
        """The guarantee that is all that is known of a release; None if its losses are known."""
        return None

    def random_guarantee(self) -> RandomDP | None:
        """The RandomDP guarantee of a mechanism that protects only randomly drawn data; None for
        every other mechanism.
        """
        return None

    def worst_gamma(self, claim: RandomDP) -> Bound:
        """The smallest gamma with which the alpha and eta of a claim hold, for all populations."""
        return worst_gamma_of(self.profile(), self.relation, claim)

    def bad_pair(self, first: Any, second: Any, claim: RandomDP) -> bool:  # noqa: ARG002
        """Whether these two data sets break the alpha and eta of a claim, in either order."""
        raise InputError(
            f"{type(self).__name__} does not say which data sets are bad; give one with"
            " bad_pair, or a function from data to the probabilities of the outputs."
        )

    def hypotheses(self) -> tuple[str, ...]:
        """What a release takes for granted beyond its parameters; every answer says it."""
        return ()

    def about_noise(self) -> tuple[str, ...]:
        """A sentence that noise in doubles leaks more, if the noise is real-valued."""
        if not self.continuous:
            return ()
        return (f"{self}: the noise is real-valued; noise in doubles leaks more.",)

    def assumes(self) -> tuple[str, ...]:
        """All that a release takes for granted, as sentences; nothing for a table."""
        return (*self.hypotheses(), *self.about_noise())

    def certified(self) -> tuple[str, dict[str, Any]]:
        """Its kind and its parameters, as the certificate of a budget names them."""
        parameters = {
            each.name: getattr(self, each.name)
            for each in fields(self)  # type: ignore[arg-type]
            if each.name != "relation"
        }
        return type(self).__name__, parameters

    @classmethod
    def examples(cls) -> Iterable["Mechanism"]:
        """Instances on which the shared laws are tested."""
        return ()

    def attained(self) -> tuple[Loss, ...]:
        """Losses of concrete pairs of neighbors, the best of which come near the largest delta at
        every epsilon.

        With the losses of ``pair`` for a mechanism whose sampler shows them; one without such a
        pair names them itself.
        """
        if self.pair() is not None:
            return self.profile().losses
        return ()

    inside: ClassVar[Relation | None] = None
    """For a sampler, the relation between samples for which the mechanism inside is stated."""

    def stated_for(self, relation: Relation) -> Self:
        """The same numbers, stated for this neighboring relation; one whose relation is no field
        has the same always.
        """
        if any(each.name == "relation" for each in fields(self)):  # type: ignore[arg-type]
            return replace(self, relation=relation)  # type: ignore[type-var]
        if relation is self.relation:
            return self
        raise InputError(
            f"{type(self).__name__} is for {self.relation}, not for {relation}; state the"
            " plan for that, or give the class a field relation."
        )

    def for_group(self, size: int) -> "Mechanism | None":  # noqa: ARG002
        """What stands for a release if neighbors are ``size`` steps of the relation apart; None if
        no theorem says it.
        """
        return None

    def __add__(self, other: "Mechanism | Plan | Guarantee") -> "Plan":
        return Plan.of(self) + other

    def __radd__(self, other: "Guarantee | int") -> "Plan":
        return other + Plan.of(self)

    def __mul__(self, count: int) -> "Plan":
        return Plan.of(self) * count

    __rmul__ = __mul__

    def __str__(self) -> str:
        texts = []
        for parameter in fields(self):  # type: ignore[arg-type]
            text = _text(getattr(self, parameter.name))
            plain = parameter.default is not MISSING and text == _text(
                parameter.default
            )
            if parameter.name != "relation" and not plain:
                texts.append(f"{parameter.name}={text}")
        return f"{type(self).__name__}({', '.join(texts)})"

    def __repr__(self) -> str:
        return str(self)


class NoiseMechanism(Mechanism):
    """A mechanism that adds noise calibrated to the sensitivity of a query."""

    sensitivity: Sensitivity

    @property
    def relation(self) -> Relation:
        """The relation for which the sensitivity is stated."""
        return self.sensitivity.relation

    def stated_for(self, relation: Relation) -> Self:
        if relation is self.relation:
            return self
        return replace(self, sensitivity=replace(self.sensitivity, relation=relation))  # type: ignore[type-var]

    def for_group(self, size: int) -> Self | None:
        """The same noise, for a query that moves ``size`` times as far."""
        value = group_sensitivity(self.sensitivity.value, size)
        return replace(self, sensitivity=replace(self.sensitivity, value=value))  # type: ignore[type-var]

    def upper_tail(self, level: Expr) -> Expr | None:  # noqa: ARG002
        """The probability that the noise on one number is at least a level >= 0, whole if outputs
        are; None if it is not known.
        """
        return None

    def loss_with_closed_tails(self) -> Loss:
        """The loss, with closed forms of its tails if there are any, for a law that asks for many
        of them.
        """
        return self.loss()

    def assumes(self) -> tuple[str, ...]:
        moves = (
            f"{self}: the query moves by at most {self.sensitivity.value} in the"
            f" {self.sensitivity.norm} norm between neighbors."
        )
        return (*self.hypotheses(), moves, *self.about_noise())

    def uncovered(self, first: Sequence[Fraction], second: Sequence[Fraction]) -> str:
        moves = [b - a for a, b in zip(first, second, strict=True)]
        return too_far(moves, self.sensitivity)


@dataclass(frozen=True, repr=False)
class Plan:
    """Releases on the same data: mechanisms with the number of times that each is run.

    The order does not matter.
    """

    terms: frozenset[tuple[Mechanism, int]]
    if_empty: Relation = field(default=Relation.ADD_OR_REMOVE_ONE, compare=False)
    """The relation that a plan of no releases was asked about."""
    rests_on: frozenset[str] = field(default=frozenset(), compare=False)
    """The theorems by which its numbers were restated, as for groups; most plans need none."""
    group: int = field(default=1, compare=False)
    """How many steps of the relation neighbors are apart."""

    @classmethod
    def of(cls, *mechanisms: Mechanism) -> "Plan":
        """The plan that runs each of these once."""
        return cls.counted((mechanism, 1) for mechanism in mechanisms)

    @classmethod
    def counted(cls, releases: "Iterable[tuple[Mechanism, int]]") -> "Plan":
        """The plan that runs each of these as often as its count says; a mechanism may stand in
        several.
        """
        each = list(releases)
        counts = dict(each)
        if len(counts) < len(each):
            counts = dict.fromkeys(counts, 0)
            for mechanism, count in each:
                counts[mechanism] += count
        return cls(frozenset(counts.items()))

    @classmethod
    def total(cls, plans: "Iterable[Plan]") -> "Plan":
        """The plan that runs all of these."""
        added = list(plans)
        if len(added) == 1:
            return added[0]
        every = cls.counted(term for plan in added for term in plan.terms)
        used = frozenset[str]().union(*(plan.rests_on for plan in added))
        group = one_size({plan.group for plan in added if plan.terms})
        if not used and group == 1:
            return every
        return replace(every, rests_on=used, group=group)

    def for_group(self, size: int) -> "Plan":
        """The plan whose numbers are for groups of ``size`` records."""
        from rdpacct.mechanisms.grouped import for_group, group_size

        return for_group(self, group_size(size))

    def resting_on(self, theorems: frozenset[str]) -> "Plan":
        """The same plan, whose numbers rest on these theorems."""
        return replace(self, rests_on=theorems)

    def check_relation(self) -> None:
        """Refuse a plan whose mechanisms are stated for different neighboring relations."""
        if len(self._relations) > 1:
            named = " and ".join(sorted(map(str, self._relations)))
            raise InputError(
                f"the plan mixes the relations {named}; state every mechanism for the"
                " same relation."
            )

    @lazy_property
    def _relations(self) -> set[Relation]:
        """The relations for which its mechanisms are stated."""
        return {_relation_of(mechanism) for mechanism, _ in self.terms}

    @property
    def relation(self) -> Relation:
        """The one neighboring relation of the plan."""
        self.check_relation()
        return next(iter(self._relations), self.if_empty)

    @property
    def has_random_guarantee(self) -> bool:
        """Some release is private for drawn data only, so that the plan composes if no release
        depends on another.
        """
        return any(
            mechanism.random_guarantee() is not None for mechanism, _ in self.terms
        )

    @lazy_property
    def releases(self) -> tuple[tuple[Mechanism, int], ...]:
        """The mechanisms with how often each is run, in the same order in every process, so that
        answers are the same to the last digit.
        """
        if len(self.terms) == 1:
            return tuple(self.terms)
        return tuple([(mechanism, count) for _, _, count, mechanism in self._written])

    @lazy_property
    def _written(self) -> list[tuple[str, str, int, Mechanism]]:
        """The mechanisms in order, by their kinds and texts."""
        rows = [
            (type(mechanism).__name__, str(mechanism), count, mechanism)
            for mechanism, count in self.terms
        ]
        return sorted(rows, key=itemgetter(0, 1, 2))

    def hypotheses(self) -> dict[str, Mechanism]:
        """What the mechanisms take for granted beyond their parameters, with whose it is."""
        return {
            sentence: mechanism
            for mechanism, _ in self.releases
            for sentence in mechanism.hypotheses()
        }

    @property
    def single(self) -> Mechanism | None:
        """The mechanism of a plan of one release."""
        [*terms] = self.terms
        if len(terms) == 1 and terms[0][1] == 1:
            return terms[0][0]
        return None

    def __add__(self, other: "Mechanism | Plan | Guarantee") -> "Plan":
        if isinstance(other, Guarantee):
            other = self._promised(other)
        if isinstance(other, Mechanism):
            other = Plan.of(other)
        if not isinstance(other, Plan):
            return NotImplemented
        return replace(Plan.total([self, other]), if_empty=self.if_empty)

    def __radd__(self, other: "Guarantee | int") -> "Plan":
        if isinstance(other, Guarantee):
            return self + other
        return self if other == 0 else NotImplemented  # sum() begins with 0

    def _promised(self, guarantee: Guarantee) -> Mechanism:
        """The worst release that keeps a guarantee, for the relation of this plan."""
        from rdpacct.mechanisms.promised.promised import Promised

        return Promised(guarantee, relation=self.relation)

    def __mul__(self, count: int | Fraction) -> "Plan":
        times = whole(count, "the count", 0, MAX_COUNT)
        return Plan(
            frozenset(
                (mechanism, times * before) for mechanism, before in self.terms if times
            ),
            rests_on=self.rests_on,
            group=self.group,
        )

    __rmul__ = __mul__

    def __str__(self) -> str:
        texts = [
            text if count == 1 else f"{count}*{text}"
            for _, text, count, _ in self._written
        ]
        return " + ".join(sorted(texts)) or "nothing"

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        rows = [(f"{count:,}", mechanism) for mechanism, count in self.releases]
        relation = paragraph("relation", self.relation)
        return table(("times", "release"), rows) + relation


def _relation_of(mechanism: Mechanism) -> Relation:
    relation = getattr(mechanism, "relation", None)
    if not isinstance(relation, Relation):
        raise InputError(
            f"{type(mechanism).__name__} does not say which data sets are neighbors;"
            " give the class a field such as relation: Relation ="
            " Relation.ADD_OR_REMOVE_ONE."
        )
    return relation


def _text(value: Any) -> str:
    if isinstance(value, Sensitivity):
        return str(value.value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_text, value)) + "]"
    return str(value.value if isinstance(value, Enum) else value)
