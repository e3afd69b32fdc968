"""The search for a proof that a polynomial is positive on an open piece.

Cheap exact rules come first, then balls, then the derivative chain, each with its own goals.
Nothing is trusted here: the checker decides.
"""

from collections.abc import Callable
from fractions import Fraction

from rdpacct.proof.check.balls import constant_sign, positive_on
from rdpacct.proof.check.derivation import derivative
from rdpacct.proof.check.effort import EFFORT, Rejected
from rdpacct.proof.check.growth import nonnegative_limit
from rdpacct.proof.check.normal import log_of, substitute
from rdpacct.proof.check.pieces import Box, constant
from rdpacct.proof.check.ring import Poly, Ratio, univariate
from rdpacct.proof.check.rules import Work, cleaned, exponential_of, sturm
from rdpacct.proof.check.signs import GROUND, Undefined, primitive
from rdpacct.proof.check.slots import PI
from rdpacct.proof.check.termwise import least_turns, terms_suffice
from rdpacct.proof.search.factors import ProofNode, product_node
from rdpacct.proof.search.hints import (
    angles,
    complexity,
    coordinates,
    end_text,
    has_logarithm,
    has_turns,
    weights,
)
from rdpacct.proof.search.samples import sample_points, signs_at, simplest_between

MAX_TERMS = 250
CONTACTS = (
    "exp(1)",
    "exp(-1)",
    "exp(2)",
    "exp(-2)",
    "exp(1/2)",
    "exp(-1/2)",
    "sqrt(2)",
    "log(2)",
    "1/sqrt(2)",
)


class Search:
    """One search, with the count of work at which it ends and the goals that failed before."""

    def __init__(self, deadline: int) -> None:
        self.deadline = deadline
        self.depth = 8
        self.width = 2
        self.proved: dict[tuple[str, str, str, bool], ProofNode] = {}
        self.failed: dict[tuple[str, str, str, bool], int] = {}

    def late(self) -> bool:
        """The work that was allowed is done."""
        return EFFORT.spent > self.deadline

    def prove(
        self, goal: Poly, piece: Box, strict: bool, depth: int = 0
    ) -> ProofNode | None:
        """A node that should prove the goal on the piece."""
        if self.late() or depth > self.depth or len(goal.terms) > MAX_TERMS:
            return None
        try:
            goal = cleaned(goal, piece)
        except Rejected:
            return None
        key = (goal.text, end_text(piece.low), end_text(piece.high), strict)
        if key in self.proved:
            return self.proved[key]
        if self.failed.get(key, -1) >= self.depth - depth:
            return None
        try:
            node = self._attempt(goal, piece, strict, depth)
        except (Rejected, Undefined, OverflowError, ZeroDivisionError):
            node = None
        if node is not None:
            self.proved[key] = node
        elif not self.late():
            self.failed[key] = max(self.failed.get(key, -1), self.depth - depth)
        return node

    def _attempt(
        self, goal: Poly, piece: Box, strict: bool, depth: int
    ) -> ProofNode | None:
        if terms_suffice(goal, piece, strict):
            return {"rule": "terms"}
        if goal.zero():
            return None
        coefficient, _, rest = primitive(goal, piece.signs)
        if rest.constant() is not None:
            if coefficient > 0:
                return {"rule": "known"}
            return None
        known = piece.signs.strict.get(rest) or (
            0 if strict else piece.signs.weak.get(rest, 0)
        )
        sign = known if rest.variables() else constant_sign(rest)
        if sign:
            if coefficient * sign > 0:
                return {"rule": "known"}
            return None
        if univariate(rest, piece.name) is not None:
            sturm({}, goal, piece, strict, Work())
            return {"rule": "sturm"}
        points = sample_points(piece)
        if -1 in signs_at(goal, piece.name, points):
            return None
        return (
            self._bounded(goal, piece, strict, depth)
            or self._arc(goal, piece, strict, depth)
            or self._factors(goal, piece, strict, depth, points)
            or easy_exponential(goal, piece, strict)
            or self._balls(goal, piece, 40)
            or self._squares(goal, piece, strict, depth)
            or self._chain(goal, piece, strict, depth, points)
            or (self._balls(goal, piece, 400) if depth < 2 else None)
        )

    def _bounded(
        self, goal: Poly, piece: Box, strict: bool, depth: int
    ) -> ProofNode | None:
        """The rule ``bounded``, where there is a cos or sin."""
        if not has_turns(goal):
            return None
        try:
            proof = self.prove(least_turns(goal, piece), piece, strict, depth + 1)
        except Rejected:
            return None
        if proof is None:
            return None
        return {"rule": "bounded", "proof": proof}

    def _arc(
        self, goal: Poly, piece: Box, strict: bool, depth: int
    ) -> ProofNode | None:
        """The rule ``arc``, for a single cos or sin."""
        return arc_node(goal, lambda part: self.prove(part, piece, strict, depth + 1))

    def _factors(
        self, goal: Poly, piece: Box, strict: bool, depth: int, points: list[Fraction]
    ) -> ProofNode | None:
        def sampled(part: Poly) -> set[int]:
            return set(signs_at(part, piece.name, points)) - {0}

        return product_node(
            goal,
            piece,
            strict,
            sampled,
            lambda part: self.prove(part, piece, strict, depth),
        )

    def _balls(self, goal: Poly, piece: Box, boxes: int) -> ProofNode | None:
        """The rule ``ball``, where the piece is bounded and the goal stays away from zero."""
        low, high = piece.outer()
        if low is None or high is None:
            return None
        for end in (low, high):
            if signs_at(goal, piece.name, [end]) != [1]:
                return None
        if positive_on(goal, piece.name, low, high, boxes)[0]:
            return {"rule": "ball"}
        return None

    def _squares(
        self, goal: Poly, piece: Box, strict: bool, depth: int
    ) -> ProofNode | None:
        """The rules ``sum`` and ``squares``: separate the terms with a square root from those
        without.
        """
        for slot in sorted(goal.slots()):
            if slot.kind != "root" or slot.degree != 2:
                continue
            with_root = Poly({m: c for m, c in goal.terms.items() if dict(m).get(slot)})
            without = goal - with_root
            if without.zero():
                continue
            for first, second in ((without, with_root), (with_root, without)):
                proof = self.prove(first, piece, False, depth + 1)
                if proof is None:
                    continue
                rest = self.prove(
                    first * first - second * second, piece, strict, depth + 1
                )
                if rest is not None:
                    return {
                        "rule": "squares",
                        "first": first.text,
                        "proof": proof,
                        "second_proof": rest,
                    }
        return None

    def _chain(
        self, goal: Poly, piece: Box, strict: bool, depth: int, points: list[Fraction]
    ) -> ProofNode | None:
        """The rule ``chain``, with the weights that leave the simplest derivatives."""
        options: list[tuple[float, int, Poly, Poly]] = []
        for weight in weights(goal, piece):
            signs = set(signs_at(weight, piece.name, points)) - {0}
            if len(signs) != 1:
                continue
            weight = weight.scaled(signs.pop())
            try:
                slope = derivative(goal, piece.name) * Ratio(weight) - Ratio(
                    goal
                ) * derivative(weight, piece.name)
                if slope.top.zero():
                    continue
                clean = primitive(slope.top, piece.signs)[2]
            except Rejected:
                continue
            options.append((complexity(clean), len(options), weight, slope.top))
        witness = next(
            (str(p) for p in points if signs_at(goal, piece.name, [p]) == [1]), None
        )
        if witness is None:
            return None
        for score, _, weight, top in sorted(options, key=lambda o: o[:2])[: self.width]:
            if self.late() or (depth > 1 and score > 2 * complexity(goal) + 4):
                return None
            try:
                segments = self._segments(
                    goal, weight, top, piece, strict, depth, points
                )
            except (Rejected, Undefined):
                continue
            if segments is None:
                continue
            proof = self.prove(weight, piece, True, depth + 1)
            if proof is not None:
                return {
                    "rule": "chain",
                    "weight": weight.text,
                    "weight_proof": proof,
                    "segments": segments,
                    "witness": witness,
                }
        return None

    def _segments(
        self,
        goal: Poly,
        weight: Poly,
        slope: Poly,
        piece: Box,
        strict: bool,
        depth: int,
        points: list[Fraction],
    ) -> list[ProofNode] | None:
        """The segments of a chain, from the signs of the slope at the sample points."""
        runs = _runs(signs_at(slope, piece.name, points), points)
        if not 1 <= len(runs) <= 5:
            return None
        plan: list[tuple[int, str | None]] = []
        for (sign, _, last), following in zip(runs, [*runs[1:], None], strict=True):
            if following is None:
                plan.append((sign, None))
                continue
            low, high = _narrow(slope, piece.name, last, following[1])
            cut = _exact_zero(slope, piece, low, high)
            plan += [(sign, cut)] if cut else [(sign, str(low)), (0, str(high))]
        parts = []
        start = piece.low
        for direction, cut in plan:
            end = piece.high if cut is None else constant(cut)
            part = piece.part(start, end)
            if direction and not nonnegative_limit(
                goal,
                weight,
                piece.name,
                start if direction == 1 else end,
                direction == -1,
                part.signs,
            ):
                return None
            if cut is not None and substitute_sign(goal, piece.name, cut) < (
                1 if strict else 0
            ):
                return None
            parts.append((direction, cut, part))
            start = end
        segments = []
        for direction, cut, part in parts:
            target = slope.scaled(direction) if direction else goal
            proof = self.prove(target, part, strict and not direction, depth + 1)
            if proof is None:
                return None
            segments.append(
                {"direction": direction, "proof": proof} | ({"to": cut} if cut else {})
            )
        return segments

    def logarithms(
        self, first: Poly, second: Poly, piece: Box, strict: bool
    ) -> ProofNode | None:
        """The rule ``logarithms`` for first - second."""
        wide = piece.part(piece.low, piece.high)
        proofs = []
        for part in (first, second):
            proof = self.prove(part, piece, True, 1)
            if proof is None:
                return None
            proofs.append(proof)
            wide.signs.learn(part, True)
        goal = (
            log_of(Ratio(first), wide.signs) - log_of(Ratio(second), wide.signs)
        ).top
        proof = self.prove(goal, wide, strict, 1) or self.changed(goal, wide, strict)
        if proof is None:
            return None
        node = {"rule": "logarithms", "first": first.text, "proof": proof}
        return node | {"first_proof": proofs[0], "second_proof": proofs[1]}

    def changed(self, goal: Poly, piece: Box, strict: bool) -> ProofNode | None:
        """The rule ``change``: the same goal in other coordinates."""
        for form, shift, degree in coordinates(piece, goal):
            if self.late():
                return None
            try:
                moved, image = piece.transformed(form, constant(shift), degree)
                value = substitute(goal, piece.name, image, moved.signs)
            except (Rejected, Undefined):
                continue
            proof = self.prove(value.top, moved, strict, 1)
            if proof is not None:
                return {
                    "rule": "change",
                    "form": form,
                    "shift": shift,
                    "degree": degree,
                    "proof": proof,
                }
        return None


def arc_node(goal: Poly, prove: Callable[[Poly], ProofNode | None]) -> ProofNode | None:
    """The rule ``arc``, with the first angle that is seen to lie between 0 and pi."""
    for angle in angles(goal):
        proofs = [prove(angle)]
        proofs += [prove(Poly.slot(PI) - angle)] if proofs[0] else [None]
        if None not in proofs:
            return {
                "rule": "arc",
                "angle": angle.text,
                "low_proof": proofs[0],
                "high_proof": proofs[1],
            }
    return None


def easy_exponential(goal: Poly, piece: Box, strict: bool) -> ProofNode | None:
    """The rule ``exponential``, where it leaves nothing to do."""
    try:
        done = has_logarithm(goal) and terms_suffice(
            cleaned(exponential_of(goal, piece), piece), piece, strict
        )
    except Rejected:
        return None
    if done:
        return {"rule": "exponential", "proof": {"rule": "terms"}}
    return None


def substitute_sign(goal: Poly, name: str, cut: str) -> int:
    """The exact sign at a constant."""
    return constant_sign(substitute(goal, name, constant(cut), GROUND).top)


def _runs(
    signs: list[int], points: list[Fraction]
) -> list[tuple[int, Fraction, Fraction]]:
    """Stretches of equal sign as (sign, first point, last point)."""
    runs: list[tuple[int, Fraction, Fraction]] = []
    for sign, point in zip(signs, points, strict=True):
        if not sign:
            continue
        if runs and runs[-1][0] == sign:
            runs[-1] = (sign, runs[-1][1], point)
        else:
            runs.append((sign, point, point))
    return runs


def _narrow(
    slope: Poly, name: str, low: Fraction, high: Fraction
) -> tuple[Fraction, Fraction]:
    """A narrower gap around a change of sign."""
    first = signs_at(slope, name, [low])[0]
    for _ in range(12):
        middle = simplest_between(
            low + (high - low) * Fraction(2, 5), high - (high - low) * Fraction(2, 5)
        )
        sign = signs_at(slope, name, [middle])[0]
        if sign == 0:
            reach = (high - low) / 1000
            return middle - reach, middle + reach
        low, high = (middle, high) if sign == first else (low, middle)
    return low, high


def _exact_zero(slope: Poly, piece: Box, low: Fraction, high: Fraction) -> str | None:
    """A constant in the gap at which the slope is exactly zero."""
    inside = piece.part(constant(str(low)), constant(str(high)))
    for text in (str(simplest_between(low, high)), *CONTACTS):
        try:
            point = constant(text)
            if (
                inside.within(point)
                and substitute(slope, piece.name, point, GROUND).top.zero()
            ):
                return text
        except (Rejected, Undefined):
            continue
    return None
