"""The rules: each takes a polynomial and an open piece, and shows that the polynomial is positive
    there.

The goal is ``strict`` (positive everywhere on the open piece) or weak (nowhere negative). A node of
a proof is a dictionary with the name of its rule under ``rule`` and the data of the rule; its
children are nodes in it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rdpacct.proof.check.balls import constant_sign, positive_on
from rdpacct.proof.check.derivation import derivative
from rdpacct.proof.check.effort import Rejected
from rdpacct.proof.check.growth import nonnegative_limit
from rdpacct.proof.check.language import parse_expression
from rdpacct.proof.check.normal import exp_of, log_of, normal, substitute
from rdpacct.proof.check.pieces import Box, constant
from rdpacct.proof.check.ring import ONE, Poly, Ratio, turn_of, univariate
from rdpacct.proof.check.signs import GROUND, Undefined, primitive
from rdpacct.proof.check.slots import PI, size
from rdpacct.proof.check.sturm import positive_between
from rdpacct.proof.check.termwise import least_turns, terms_suffice

MAX_NODES = 3000
MAX_BOXES = 10_000
MAX_NESTING = 60
MAX_DEGREE = 60

Node = dict[str, Any]


class Work:
    """How many nodes were checked and how deep, how many boxes are left, and whether both sides
    were ever defined.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self.depth = 0
        self.boxes = MAX_BOXES
        self.spoken = False

    def count(self, nodes: int = 1) -> None:
        """Count nodes, or what is as long as a node: a cut, a factor, a segment, a fact."""
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            raise Rejected("the proof is too large.")

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Count one node, and one level for what it holds."""
        self.count()
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise Rejected("the proof is too deep.")
        yield
        self.depth -= 1


Rule = Callable[[Node, Poly, Box, bool, Work], None]
"""What a rule is called with: its node, the goal, the piece, whether the goal is strict, and the
work so far.
"""


def field(node: Node, key: str, kind: type) -> Any:
    """An entry of a node, of the type it must have."""
    value = node.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Rejected(
            f"the entry {key!r} of a {rule_of(node)!a} node is missing or malformed."
        )
    return value


def rule_of(node: Node) -> str:
    """The name of the rule of a node, which may be unknown."""
    rule = node.get("rule")
    return rule[:40] if isinstance(rule, str) else ""


def items(node: Node, key: str, work: Work) -> list[Any]:
    """A list of a node, of which each entry counts."""
    entries: list[Any] = field(node, key, list)
    work.count(len(entries))
    return entries


def prove(node: object, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """Check that the node proves the goal, taken without positive monomial factors; return only if
    it does.
    """
    if not isinstance(node, dict):
        raise Rejected("a node of a proof is a dictionary.")
    rule = RULES.get(rule_of(node))
    if rule is None:
        raise Rejected(f"the rule {rule_of(node)!a} is unknown.")
    with work.deeper():
        rule(node, cleaned(goal, piece), piece, strict, work)


def cleaned(goal: Poly, piece: Box) -> Poly:
    """The goal without its content and the monomials that are positive on the piece: it has the
    same sign.
    """
    if goal.zero():
        return goal
    coefficient, _, rest = primitive(goal, piece.signs)
    return rest if coefficient > 0 else rest.scaled(-1)


def polynomial(text: object, piece: Box) -> Poly:
    """The polynomial that a text stands for on the piece; a denominator would have to cancel."""
    try:
        value = normal(parse_expression(text), piece.signs)
    except Undefined as error:
        raise Rejected(f"a polynomial of the proof is undefined: {error}.") from None
    if value.bottom or not value.top.variables() <= {piece.name, *piece.others}:
        raise Rejected(
            "a polynomial of the proof has a denominator or a foreign variable."
        )
    return value.top


def value_sign(goal: Poly, piece: Box, point: Ratio) -> int:
    """The exact sign of the goal at a constant inside the piece."""
    if not piece.within(point):
        raise Rejected("a point is outside its piece.")
    try:
        return constant_sign(substitute(goal, piece.name, point, GROUND).top)
    except Undefined as error:
        raise Rejected(
            f"a polynomial of the proof is undefined at a point: {error}."
        ) from None


def terms(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:  # noqa: ARG001
    """All terms are positive multiples of positive slots and even powers; there may be none, if
    zero is enough.
    """
    if not terms_suffice(goal, piece, strict):
        raise Rejected("not all terms of the goal are positive.")


def bounded(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """The goal with each cos and sin, which stand beside what is not negative, replaced by the
    worst of 1 and -1.
    """
    prove(node.get("proof"), least_turns(goal, piece), piece, strict, work)


def arc(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """The goal is a positive multiple of the sine of an angle between 0 and pi."""
    angle = polynomial(node.get("angle"), piece)
    multiple = size(next(iter(goal.terms.values()), ONE))
    if turn_of("sin", Ratio(angle)).scaled(multiple) != goal:
        raise Rejected("the goal is not the sine of the angle.")
    prove(node.get("low_proof"), angle, piece, strict, work)
    prove(node.get("high_proof"), Poly.slot(PI) - angle, piece, strict, work)


def known(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:  # noqa: ARG001
    """The goal is a positive multiple of something whose sign was established."""
    coefficient, _, rest = primitive(goal, piece.signs)
    value = rest.constant()
    sign = piece.signs.primitive_sign(rest, strict) if value is None else 1
    if coefficient * sign <= 0:
        raise Rejected("the goal has the opposite sign.")


def sturm(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:  # noqa: ARG001
    """The goal is a polynomial in the variable, up to a positive factor, without roots of odd order
    inside.
    """
    poly = univariate(goal, piece.name)
    if poly is None or poly.is_zero() or poly.degree() > MAX_DEGREE:
        raise Rejected("the goal is not a polynomial in the variable alone.")
    if not positive_between(poly, *piece.outer(), strict):
        raise Rejected("the polynomial changes sign or is negative.")


def product(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """The goal is a product of powers; each factor has a sign, or an even power where zero is
    enough.
    """
    total = Poly.number(1)
    sign = 1
    for entry in items(node, "factors", work):
        if not isinstance(entry, dict):
            raise Rejected("a factor is a dictionary.")
        factor = polynomial(entry.get("of"), piece)
        power = field(entry, "power", int)
        if power < 1:
            raise Rejected("a power is not positive.")
        total = total * factor.power(power)
        if power % 2 == 0 and not strict:
            continue
        own = field(entry, "sign", int)
        if own not in (1, -1):
            raise Rejected("a sign is 1 or -1.")
        prove(entry.get("proof"), factor.scaled(own), piece, strict, work)
        sign *= own**power
    if total != goal or sign != 1:
        raise Rejected("the factors do not multiply to the goal with a positive sign.")


def ball(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:  # noqa: ARG001
    """The goal is positive on a compact interval that contains the piece, by balls."""
    low, high = piece.outer()
    if low is None or high is None:
        raise Rejected("balls need a bounded piece.")
    done, boxes = positive_on(goal, piece.name, low, high, work.boxes)
    work.boxes -= boxes
    if not done:
        raise Rejected("balls do not show that the goal is positive on the piece.")


def split(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """The piece is cut at points; the goal is shown on each part, and at the cuts."""
    cuts = [constant(text) for text in items(node, "cuts", work)]
    children = field(node, "parts", list)
    ends = [piece.low, *cuts, piece.high]
    if len(children) != len(cuts) + 1:
        raise Rejected("the number of parts does not fit the cuts.")
    for cut in cuts:
        if value_sign(goal, piece, cut) < (1 if strict else 0):
            raise Rejected("the goal fails at a cut.")
    for low, high, child in zip(ends, ends[1:], children, strict=False):
        prove(child, goal, piece.part(low, high), strict, work)


def chain(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """goal/weight is monotone on each of some segments, and its limit at the lower side of each is
    not negative.

    The goal is then nowhere negative. It is analytic on the piece, so a zero inside a segment would
    make it zero everywhere; one point with a positive value excludes that, and the cuts are looked
    at one by one.
    """
    if piece.others:
        raise Rejected("a chain has one variable; use a face.")
    weight = polynomial(node.get("weight"), piece)
    prove(node.get("weight_proof"), weight, piece, True, work)
    slope = slope_of(goal, weight, piece.name)
    segments = items(node, "segments", work)
    low = piece.low
    for position, segment in enumerate(segments):
        if not isinstance(segment, dict):
            raise Rejected("a segment is a dictionary.")
        last = position == len(segments) - 1
        high = piece.high if last else constant(segment.get("to"))
        if not last and (
            high is None or value_sign(goal, piece, high) < (1 if strict else 0)
        ):
            raise Rejected("the goal fails at a cut.")
        part = piece.part(low, high)
        direction = field(segment, "direction", int)
        if direction == 0:
            prove(segment.get("proof"), goal, part, strict, work)
        elif direction in (1, -1):
            end = low if direction == 1 else high
            if not nonnegative_limit(
                goal, weight, piece.name, end, direction == -1, part.signs
            ):
                raise Rejected("a limit is negative.")
            if not slope.zero():
                prove(segment.get("proof"), slope.scaled(direction), part, False, work)
        else:
            raise Rejected("a direction is 1, 0 or -1.")
        low = high
    if not segments:
        raise Rejected("a chain has at least one segment.")
    if strict and value_sign(goal, piece, constant(node.get("witness"))) != 1:
        raise Rejected("the goal is not positive at the witness.")


def slope_of(goal: Poly, weight: Poly, name: str) -> Poly:
    """A polynomial with the sign of the derivative of goal/weight, for a positive weight."""
    return (
        derivative(goal, name) * Ratio(weight) - Ratio(goal) * derivative(weight, name)
    ).top


def squares(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """The goal is a + b with a not negative and a**2 above b**2."""
    first = polynomial(node.get("first"), piece)
    second = goal - first
    prove(node.get("proof"), first, piece, False, work)
    prove(
        node.get("second_proof"), first * first - second * second, piece, strict, work
    )


def logarithms(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """The goal is a - b with a and b positive; compare their logarithms."""
    first = polynomial(node.get("first"), piece)
    second = first - goal
    larger = piece.part(piece.low, piece.high)
    for part, key in ((first, "first_proof"), (second, "second_proof")):
        prove(node.get(key), part, piece, True, work)
        larger.signs.learn(part, True)
    try:
        difference = log_of(Ratio(first), larger.signs) - log_of(
            Ratio(second), larger.signs
        )
    except Undefined:
        raise Rejected("a logarithm is undefined.") from None
    prove(node.get("proof"), difference.top, larger, strict, work)


def exponential(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """The goal has the sign of exp(goal) - 1, where its logarithms become powers."""
    prove(node.get("proof"), exponential_of(goal, piece), piece, strict, work)


def exponential_of(goal: Poly, piece: Box) -> Poly:
    """The numerator of exp(goal) - 1."""
    try:
        return (exp_of(Ratio(goal), piece.signs) - Ratio(Poly.number(1))).top
    except Undefined as error:
        raise Rejected(f"the exponential of the goal is undefined: {error}.") from None


def with_facts(node: Node, piece: Box, work: Work) -> Box:
    """The piece with further signs: each fact is a polynomial, proved positive or at least not
    negative.
    """
    piece = piece.part(piece.low, piece.high)
    for fact in items(node, "facts", work):
        if not isinstance(fact, dict):
            raise Rejected("a fact is a dictionary.")
        strict = field(fact, "strict", bool)
        poly = polynomial(fact.get("of"), piece)
        prove(fact.get("proof"), poly, piece, strict, work)
        piece.signs.learn(poly, strict)
    return piece


def change(node: Node, goal: Poly, piece: Box, strict: bool, work: Work) -> None:
    """The goal is shown in another coordinate, which maps its own piece onto this one."""
    form = field(node, "form", str)
    degree = node.get("degree", 2)
    if not isinstance(degree, int):
        raise Rejected("a degree is a whole number.")
    piece = piece.turned(str(node.get("variable", piece.name)))
    try:
        shift = normal(
            parse_expression(node.get("shift", "0")),
            piece.signs if piece.others else GROUND,
        )
        if not shift.variables() <= set(piece.others):
            raise Rejected("a coordinate uses a foreign variable.")
        moved, image = piece.transformed(form, shift, degree)
        value = substitute(goal, piece.name, image, moved.signs)
    except Undefined as error:
        raise Rejected(
            f"the goal is undefined in the new coordinate: {error}."
        ) from None
    prove(node.get("proof"), value.top, moved, strict, work)


RULES: dict[str, Rule] = {
    "terms": terms,
    "bounded": bounded,
    "arc": arc,
    "known": known,
    "sturm": sturm,
    "product": product,
    "ball": ball,
    "split": split,
    "chain": chain,
    "squares": squares,
    "logarithms": logarithms,
    "exponential": exponential,
    "change": change,
}
