"""What several commands print: a number about a plan, its ends as JSON, and what it assumes."""

import math
from argparse import Namespace
from collections.abc import Mapping
from fractions import Fraction

from rdpacct.cli.answer import DONE, JSON, Answer
from rdpacct.cli.wide import why_wide, wide_lines
from rdpacct.exact.bound import WIDE, Bound, End, decimal_down, decimal_up
from rdpacct.exact.formula import Expr, Rational
from rdpacct.exact.number import decimal_text, shorten
from rdpacct.mechanisms import Mechanism, Plan
from rdpacct.plan import read_plan
from rdpacct.privacy.relation import Relation
from rdpacct.questions import Questions, Way

_SMALLEST, _LARGEST = Fraction(2) ** -1022, Fraction(2) ** 1023
"""Between these a double keeps its relative accuracy."""


def plan_of(options: Namespace) -> Plan:
    """The plan of a command line, stated for the relation that is given there."""
    return read_plan(options.plan, relation_of(options), group_of(options))


def group_of(options: Namespace) -> int:
    """How many units the neighbors of a command line differ in."""
    from rdpacct.mechanisms.grouped import group_size

    return 1 if options.group is None else group_size(options.group)


def relation_of(options: Namespace) -> Relation | None:
    """The relation that a command line names."""
    if options.relation is None:
        return None
    return Relation.named(options.relation)


def questions_about(options: Namespace) -> Questions:
    """What can be asked of the plan of a command line, in the direction that is given there."""
    way = None if options.direction is None else Way.named(options.direction)
    return Questions(plan_of(options), way)


class EnclosureAnswer(Answer):
    """One number about a plan, at the numbers that were given; what is printed of it is made when
    it is asked for.
    """

    def __init__(
        self,
        name: str,
        bound: Bound,
        asked: Questions,
        given: Mapping[str, Expr | float],
    ) -> None:
        self.code = DONE
        self.name = name
        self.bound = bound
        self.asked = asked
        self.given = given

    @property
    def data(self) -> JSON:
        data: JSON = {self.name: ends_of(self.bound)}
        data |= {key: _given(value) for key, value in self.given.items()}
        data |= assumptions(self.asked.plan, self.bound.rests_on, way=self.asked.way)
        data["how"] = self.bound.how
        if self.bound.relative_width > WIDE:
            data["wide"] = why_wide(self.asked.plan, self.bound)
        return data

    @property
    def text(self) -> str:
        plan = self.asked.plan
        lines = self.bound.lines(self.name.replace("_", " "))
        if self.bound.relative_width > WIDE:
            lines += wide_lines(plan, self.bound)
        at = [f"{key.replace('_', ' ')} = {value}" for key, value in self.given.items()]
        lines.append(f"  for {plan} at {', '.join(at)}" if at else f"  for {plan}")
        lines.append(f"  by {self.bound.how}")
        lines += assumption_lines(plan, self.bound.rests_on, way=self.asked.way)
        return "\n".join(lines)


def assumptions(
    plan: Plan, used: frozenset[str], drawn: bool = False, way: Way | None = None
) -> JSON:
    """What an answer about a plan is stated for and rests on, as fields of its object."""
    data: JSON = {"plan": str(plan), "relation": plan.relation.value}
    if plan.group > 1:
        data["group"] = plan.group
    if way is not None:
        data["direction"] = way.value
    data["composition"] = _composition(plan, drawn)
    data |= hypotheses(plan)
    data["rests_on"] = sorted(used)
    return data


def assumption_lines(
    plan: Plan, used: frozenset[str], drawn: bool = False, way: Way | None = None
) -> list[str]:
    """The same as lines of its text."""
    direction = "" if way is None else f", direction {way.value}"
    group = "" if plan.group == 1 else _group(plan)
    composition = _composition(plan, drawn)
    theorems = ", ".join(sorted(used)) or "no theorem"
    return [
        f"  relation {plan.relation}{group}{direction}; composition: {composition}",
        *hypothesis_lines(plan),
        f"  rests on {theorems}",
    ]


def hypotheses(plan: Plan) -> JSON:
    """What its mechanisms take for granted beyond their parameters, as a field; none if that is
    nothing.
    """
    said = list(plan.hypotheses())
    if plan.group > 1:
        from rdpacct.assumptions import ONE_WAY, in_one_data_set

        said += [ONE_WAY] * in_one_data_set(plan)
    return {"assumptions": said} if said else {}


def hypothesis_lines(plan: Plan) -> list[str]:
    """The same as lines, in which a long mechanism is shortened, and the only one is not named."""
    said = plan.hypotheses()
    if not said:
        return []
    lines = [
        _named_in_short(sentence, mechanism, plan)
        for sentence, mechanism in said.items()
    ]
    return [f"  assumes: {line}" for line in dict.fromkeys(lines)]


def _named_in_short(sentence: str, mechanism: Mechanism, plan: Plan) -> str:
    said = sentence.removeprefix(f"{mechanism}: ")
    if said == sentence or len(plan.terms) == 1:
        return said
    return f"{shorten(str(mechanism), 80)}: {said}"


def _group(plan: Plan) -> str:
    """Which records change together."""
    from rdpacct.assumptions import in_one_data_set

    size = f", groups of {plan.group}"
    if in_one_data_set(plan):
        return f"{size}, each all in one of the data sets"
    return size


def _composition(plan: Plan, drawn: bool) -> str:
    """How the releases of a plan may depend on each other."""
    if drawn and not plan.single:
        return "independent given the data, not adaptive (random-dp/composition)"
    if plan.single:
        return "one release"
    if not plan.terms:
        return "none"
    said = sorted({mechanism.in_a_plan for mechanism, _ in plan.terms} - {""})
    return "; ".join(["adaptive, with the parameters fixed in advance", *said])


def ends_of(bound: Bound) -> JSON:
    """The ends as JSON numbers, rounded outwards, an infinite end as the text "inf".

    If an end is too large or too small for a double, both are also given as decimals in text.
    """
    lower, upper = bound.floats()
    ends: JSON = {"lower": finite(lower), "upper": finite(upper)}
    if _is_lost(bound.lower) or _is_lost(bound.upper):
        ends |= {
            "lower_text": decimal_down(bound.lower),
            "upper_text": decimal_up(bound.upper),
        }
    return ends


def _is_lost(end: End) -> bool:
    return (
        isinstance(end, Fraction) and end != 0 and not _SMALLEST <= abs(end) <= _LARGEST
    )


def finite(value: float) -> float | str:
    """A double as JSON has it: an infinite one is a text."""
    return value if math.isfinite(value) else str(value)


def _given(value: Expr | float) -> float | str:
    """A number of the command line as JSON; a formula such as log(3) is a text."""
    if isinstance(value, Rational):
        return number_of(value.value)
    return str(value)


def number_of(value: Fraction) -> float | str:
    """An exact number as the nearest double, or as text if it is too large or too small for one."""
    nearest = float(value) if abs(value) < 10**300 else math.inf
    if (nearest != 0 or value == 0) and nearest != math.inf:
        return nearest
    return decimal_text(value)
