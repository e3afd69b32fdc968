"""Plans from expressions and from files, in which one number may be open."""

from dataclasses import replace
from fractions import Fraction

from rdpacct.errors import InputError
from rdpacct.exact.formula import Rational
from rdpacct.exact.number import shorten, whole
from rdpacct.language.arithmetic import OpenNumber, number, open_numbers
from rdpacct.language.grammar import Call, Listed, Node, ProductNode, SumNode, parse
from rdpacct.language.plan_records import (
    ONCE,
    READ,
    WrittenClaim,
    WrittenPart,
    WrittenPlan,
    WrittenRelease,
)
from rdpacct.mechanisms.mechanism import MAX_COUNT, Plan
from rdpacct.plan.sensitivities import with_sensitivity
from rdpacct.plan.trees import BY_NAME, TreeReader, shown_tree
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.relation import Relation

PARALLEL = "Parallel"
"""The mechanism of a release with parts; its name, so that it is loaded where it is used."""
OTHER_FILES = (".yaml", ".yml", ".txt", ".ini", ".cfg", ".csv", ".xml", ".py")
"""Endings of files that are not read, so that they are not taken for plans."""


def read_plan(source: str, relation: Relation | None = None, group: int = 1) -> Plan:
    """The plan of an expression, or of a .toml or .json file.

    The numbers of a plan are stated for its relation: that of the file, or the one given, or adding
    or removing one. With a ``group`` they become those of this many of its units.
    """
    return PlanText(source, relation, group).plan()


def read_claim(text: str) -> Guarantee:
    """The guarantee that a text such as ``ApproxDP(epsilon=1, delta=1e-5)`` names."""
    return _claimed(parse(text, "claim"), Relation.ADD_OR_REMOVE_ONE, text)


class PlanText:
    """The text of a plan, parsed once; one number in it may be open."""

    def __init__(
        self, source: str, relation: Relation | None = None, group: int = 1
    ) -> None:
        if is_file(source):
            from rdpacct.language.written import written_file

            self.written = written_file(source)
        else:
            self.written = WrittenPlan((WrittenRelease("", parse(source, "plan")),))
        self.relation = _relation(self.written, relation)
        self.stated_for = self.relation or Relation.ADD_OR_REMOVE_ONE
        self.group = group
        """How many units a plan is asked about."""
        self.claims = tuple(map(self._claim, self.written.claims))
        """What the plan is said to keep; read at once, so that no question about the plan of a file
        passes over a claim that cannot be read.
        """

    def _claim(self, written: WrittenClaim) -> Guarantee:
        """The guarantee of a claim of the file; errors name its place there."""
        try:
            return _claimed(written.guarantee, self.stated_for, written.text)
        except InputError as error:
            raise error.within(written.place) from None

    def open_numbers(self) -> list[OpenNumber]:
        """The numbers with a question mark in them."""
        trees = [self._tree(release) for release in self.written.releases]
        return [number for tree in trees for number in open_numbers(tree)]

    def plan(self, opened: Fraction | None = None) -> Plan:
        """The plan, with this value in the place of the question mark."""
        plans = [
            self._for_unit(release, self.release(release, opened))
            for release in self.written.releases
        ]
        plan = Plan.total(plans)
        if not plan.terms:
            plan = replace(plan, if_empty=self.stated_for)
        if self.relation is not None and plan.relation is not self.relation:
            raise InputError(
                f"{shorten(str(plan), 120)} is about {plan.relation} only, not about"
                f" {self.relation}; leave out the relation."
            )
        return plan

    def _for_unit(self, written: WrittenRelease, plan: Plan) -> Plan:
        """The plan of a release for a unit that has several records."""
        from rdpacct.mechanisms.grouped import for_group, group_size

        size = self.written.contributions * self.group
        if size == 1:
            return plan
        try:
            return for_group(plan, group_size(size))
        except InputError as error:
            raise error.within(written.place) from None

    def release(self, written: WrittenRelease, opened: Fraction | None = None) -> Plan:
        """The plan of one release, as often as it is run."""
        return self._placed(written, self._tree(written), opened)

    def once(self, written: WrittenRelease) -> Plan:
        """The plan of one release for the unit, run once."""
        tree = self._tree(replace(written, count=ONCE))
        return self._for_unit(written, self._placed(written, tree, None))

    def count(self, written: WrittenRelease) -> int:
        """How often a release is run."""
        try:
            value = number(written.count, "the count")
            exact = value.value if isinstance(value, Rational) else value
            return whole(exact, "the count", 0, MAX_COUNT)
        except InputError as error:
            raise error.within(written.place) from None

    def _placed(
        self, written: WrittenRelease, tree: Node, opened: Fraction | None
    ) -> Plan:
        """The plan of a tree; errors name the place of the release in the file."""
        reader = TreeReader(self.stated_for, opened)
        for part in written.parts:
            for inside in part.releases:
                self.release(inside, opened)
        try:
            if written.promised and written.once is not None:
                reader.claim(written.once, shown_tree(written.once))
            return reader.plan(tree)
        except InputError as error:
            raise error.within(written.place) from None

    def _tree(self, written: WrittenRelease) -> Node:
        if written.once is None:
            parts = tuple(map(self._part_tree, written.parts))
            call = Call(PARALLEL, (), (("parts", Listed(parts)),))
            return _repeated(call, written.count)
        once = written.once
        if written.sensitivity is not None:
            once = with_sensitivity(once, written, self.stated_for)
        return _repeated(once, written.count)

    def _part_tree(self, part: WrittenPart) -> Node:
        return SumNode(tuple(("+", self._tree(release)) for release in part.releases))


def _claimed(tree: Node, relation: Relation, text: str) -> Guarantee:
    """The guarantee that a claim names, with a value for each of its numbers."""
    call = tree if isinstance(tree, Call) and tree.name in BY_NAME else Call("")
    for index, (name, value) in enumerate(call.keywords):
        if open_numbers(value, name):
            raise InputError(
                f"{name} is open in the claim '{shorten(text)}', but a claim says how"
                " much is kept; give a number in place of the ?.",
                call.place_of(index),
            )
    return TreeReader(relation).claim(tree, text)


def is_file(source: str) -> bool:
    """Whether a text is the name of a plan file, and not a plan."""
    name = source.strip().lower()
    if name.endswith(OTHER_FILES):
        raise InputError(
            f"the plan '{shorten(source.strip())}' is the name of a file of another"
            " kind; only .toml and .json are read, so write the plan into one of"
            " these."
        )
    return name.endswith(READ)


def _repeated(once: Node, count: Node) -> Node:
    """The tree of a release that is run a number of times."""
    if count is ONCE or count == ONCE:
        return once
    return ProductNode((("*", count), ("*", once)))


def _relation(written: WrittenPlan, given: Relation | None) -> Relation | None:
    """The one relation that a file and a command line state."""
    if written.relation is None:
        return given
    stated = Relation.named(written.relation)
    if given is not None and stated is not given:
        raise InputError(
            f"the plan is stated for {stated}, not for {given}; leave out"
            " --relation or restate it."
        )
    return stated
