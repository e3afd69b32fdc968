"""The search for proofs on open boxes: reduce the number of variables, or the goal, until one
variable is left.
"""

import random
from fractions import Fraction
from itertools import product
from math import lcm, prod

from rdpacct.proof.check.balls import Evaluation, constant_sign, rational_ball, working
from rdpacct.proof.check.effort import Rejected
from rdpacct.proof.check.normal import substitute
from rdpacct.proof.check.pieces import Box
from rdpacct.proof.check.ring import ONE, Poly, Ratio
from rdpacct.proof.check.rules import cleaned, slope_of
from rdpacct.proof.check.signs import Undefined
from rdpacct.proof.check.slots import variable_slot
from rdpacct.proof.check.termwise import least_turns, terms_suffice
from rdpacct.proof.search.factors import ProofNode, product_node
from rdpacct.proof.search.facts import Facts
from rdpacct.proof.search.goals import Search, arc_node, easy_exponential
from rdpacct.proof.search.hints import (
    complexity,
    critical_point,
    end_text,
    ends_text,
    face_weights,
    floors,
    has_turns,
)
from rdpacct.proof.search.samples import sample_points

MAX_TERMS = 150
MAX_DEPTH = 5
WIDTH = 4
POINTS = 60


def box_points(piece: Box) -> list[dict[str, Fraction]]:
    """Rational points of the box, the same ones each time."""
    sides = {**piece.others, piece.name: (piece.low, piece.high)}
    columns = {
        name: sample_points(Box(name, low, high))[::2]
        for name, (low, high) in sides.items()
    }
    names = sorted(columns)
    if prod(map(len, columns.values())) <= POINTS:
        return [
            dict(zip(names, values, strict=True))
            for values in product(*(columns[name] for name in names))
        ]
    rng = random.Random(1)
    return [{name: rng.choice(columns[name]) for name in names} for _ in range(POINTS)]


def box_signs(poly: Poly, points: list[dict[str, Fraction]]) -> set[int]:
    """The signs that occur at the points; it looks no further once both do."""
    signs: set[int] = set()
    with working(200):
        for point in points:
            if len(signs) == 2:
                break
            try:
                value = Evaluation(
                    {name: rational_ball(x) for name, x in point.items()}
                ).poly(poly)
            except (Rejected, ValueError, ZeroDivisionError):
                continue
            if value.is_finite() and not value.contains(0):
                signs.add(1 if value > 0 else -1)
    return signs


class BoxSearch:
    """One search on boxes; goals with one variable go to a search on the line."""

    def __init__(self, line: Search) -> None:
        self.line = line
        self.failed: set[tuple[str, str, bool]] = set()

    def prove(
        self, goal: Poly, piece: Box, strict: bool, depth: int = 0
    ) -> ProofNode | None:
        """A node that should prove the goal on the box."""
        if self.line.late() or depth > MAX_DEPTH or len(goal.terms) > MAX_TERMS:
            return None
        try:
            goal = cleaned(goal, piece)
            key = (goal.text, _sides_text(piece), strict)
            if key in self.failed:
                return None
            node = self._attempt(goal, piece, strict, depth)
        except (Rejected, Undefined, OverflowError, ZeroDivisionError):
            return None
        if node is None and not self.line.late():
            self.failed.add(key)
        return node

    def _attempt(
        self, goal: Poly, piece: Box, strict: bool, depth: int
    ) -> ProofNode | None:
        if terms_suffice(goal, piece, strict):
            return {"rule": "terms"}
        if goal.zero():
            return None
        sign = piece.signs.strict.get(goal, 0) - piece.signs.strict.get(
            goal.scaled(-1), 0
        )
        if sign or goal.constant() is not None:
            if sign > 0 or (goal.constant() or 0) > 0:
                return {"rule": "known"}
            return None
        names = goal.variables()
        if not names:
            if constant_sign(goal) > 0:
                return {"rule": "known"}
            return None
        if len(names) == 1:
            return self._focus(goal, piece, strict)
        if names < {piece.name, *piece.others}:
            proof = self.prove(goal, piece.projected(names), strict, depth)
            if proof is None:
                return None
            return {"rule": "focus", "proof": proof}
        points = box_points(piece)
        if -1 in box_signs(goal, points):
            return None
        return (
            self._bounded(goal, piece, strict, depth)
            or arc_node(goal, lambda part: self.prove(part, piece, strict, depth + 1))
            or self._factors(goal, piece, strict, depth, points)
            or easy_exponential(goal, piece, strict)
            or self._powers(goal, piece, strict, depth)
            or self._shift(goal, piece, strict, depth)
            or self._squares(goal, piece, strict, depth)
            or self._valley(goal, piece, strict, depth, points)
            or self._face(goal, piece, strict, depth, points)
        )

    def _bounded(
        self, goal: Poly, piece: Box, strict: bool, depth: int
    ) -> ProofNode | None:
        """The rule ``bounded``, where there is a cos or sin."""
        try:
            proof = (
                self.prove(least_turns(goal, piece), piece, strict, depth + 1)
                if has_turns(goal)
                else None
            )
        except Rejected:
            return None
        if proof is None:
            return None
        return {"rule": "bounded", "proof": proof}

    def _focus(self, goal: Poly, piece: Box, strict: bool) -> ProofNode | None:
        if not piece.others:
            return self._line(goal, piece, strict)
        proof = self._line(goal, piece.projected(goal.variables()), strict)
        if proof is None:
            return None
        return {"rule": "focus", "proof": proof}

    def _line(self, goal: Poly, piece: Box, strict: bool) -> ProofNode | None:
        goal = cleaned(goal, piece)
        if piece.low is None and piece.high is None:
            return self._halves(goal, piece, strict)
        direct = self.line.prove(goal, piece, strict) if piece.low is not None else None
        return direct or self.line.changed(goal, piece, strict)

    def _halves(self, goal: Poly, piece: Box, strict: bool) -> ProofNode | None:
        """A goal on a whole line, cut at zero."""
        zero = Ratio(Poly({}))
        parts = []
        for low, high in ((None, zero), (zero, None)):
            proof = self._line(goal, piece.part(low, high), strict)
            if proof is None:
                return None
            parts.append(proof)
        return {"rule": "split", "cuts": ["0"], "parts": parts}

    def _factors(
        self,
        goal: Poly,
        piece: Box,
        strict: bool,
        depth: int,
        points: list[dict[str, Fraction]],
    ) -> ProofNode | None:
        def prove(part: Poly) -> ProofNode | None:
            return self.prove(part, piece, strict, depth)

        return product_node(
            goal, piece, strict, lambda part: box_signs(part, points), prove
        )

    def _squares(
        self, goal: Poly, piece: Box, strict: bool, depth: int
    ) -> ProofNode | None:
        """Separate the positive and the negative terms of a goal with square roots, and compare
        their squares.
        """
        if not any(slot.kind == "root" and slot.degree == 2 for slot in goal.slots()):
            return None
        positive = Poly({m: c for m, c in goal.terms.items() if c > 0})
        roots = Poly(
            {m: c for m, c in goal.terms.items() if any(s.kind == "root" for s, _ in m)}
        )
        for first in dict.fromkeys((positive, roots, goal - roots)):
            proof = (
                None
                if first.zero() or first == goal
                else self.prove(first, piece, False, depth + 1)
            )
            if proof is None:
                continue
            second = goal - first
            rest = self.prove(first * first - second * second, piece, strict, depth + 1)
            if rest is not None:
                return {
                    "rule": "squares",
                    "first": first.text,
                    "proof": proof,
                    "second_proof": rest,
                }
        return None

    def _powers(
        self, goal: Poly, piece: Box, strict: bool, depth: int
    ) -> ProofNode | None:
        """A variable under fractional powers, as a power of another one."""
        for name in sorted({piece.name, *piece.others}):
            side = piece.turned(name)
            here = variable_slot(name)
            degree = lcm(
                *(dict(monomial).get(here, ONE).denominator for monomial in goal.terms)
            )
            if not 2 <= degree <= 6 or end_text(side.low) != "0":
                continue
            moved, image = side.transformed("power", Ratio(Poly({})), degree)
            proof = self.prove(
                substitute(goal, name, image, moved.signs).top, moved, strict, depth + 1
            )
            node = {
                "rule": "change",
                "variable": name,
                "form": "power",
                "degree": degree,
                "proof": proof,
            }
            return None if proof is None else node
        return None

    def _shift(
        self, goal: Poly, piece: Box, strict: bool, depth: int
    ) -> ProofNode | None:
        """A variable on a whole line, measured from where the derivative of the goal vanishes."""
        for name in sorted({piece.name, *piece.others}):
            side = piece.turned(name)
            if side.low is not None or side.high is not None:
                continue
            shift = critical_point(goal, side)
            if shift is None:
                continue
            if shift.top.zero():
                continue
            moved, image = side.transformed("shift", shift, 2)
            value = substitute(goal, name, image, moved.signs)
            proof = self.prove(value.top, moved, strict, depth + 1)
            if proof is not None:
                return {
                    "rule": "change",
                    "variable": name,
                    "form": "shift",
                    "shift": shift.text,
                    "proof": proof,
                }
        return None

    def _valley(
        self,
        goal: Poly,
        piece: Box,
        strict: bool,
        depth: int,
        points: list[dict[str, Fraction]],
    ) -> ProofNode | None:
        """Falling in one variable until a floor in the others, then rising."""
        options: list[tuple[float, int, Box, Poly, Poly, Poly]] = []
        for name in sorted({piece.name, *piece.others}):
            side = piece.turned(name)
            for weight in face_weights(goal, side):
                if box_signs(weight, points) != {1}:
                    continue
                slope = slope_of(goal, weight, name)
                for floor in floors(slope, side) if not slope.zero() else ():
                    rise = cleaned(
                        slope * (Poly.slot(variable_slot(name)) - floor), side
                    )
                    if -1 not in box_signs(rise, points):
                        options.append(
                            (complexity(rise), len(options), side, weight, floor, rise)
                        )
        for _, _, side, weight, floor, rise in sorted(
            options, key=lambda option: option[:2]
        )[:WIDTH]:
            try:
                node = self._one_valley(goal, side, weight, floor, rise, strict, depth)
            except (Rejected, Undefined):
                continue
            if node is not None:
                return node
        return None

    def _one_valley(
        self,
        goal: Poly,
        side: Box,
        weight: Poly,
        floor: Poly,
        rise: Poly,
        strict: bool,
        depth: int,
    ) -> ProofNode | None:
        rest = side.projected(set(side.others))
        node: ProofNode = {
            "rule": "valley",
            "variable": side.name,
            "weight": weight.text,
            "floor": floor.text,
        }
        for end, key, sign in (
            (side.low, "low_proof", 1),
            (side.high, "high_proof", -1),
        ):
            if end is not None:
                node[key] = self.prove(
                    (Ratio(floor) - end).top.scaled(sign), rest, True, depth + 1
                )
        facts = box_facts(rest, self)
        ground = substitute(goal, side.name, Ratio(floor), facts).top
        node["facts"] = facts.facts
        for key, part, where, how in (
            ("weight_proof", weight, side, True),
            ("face_proof", ground, rest, strict),
            ("proof", rise, side, False),
        ):
            node[key] = (
                None
                if None in node.values()
                else self.prove(part, where, how, depth + 1)
            )
        return None if None in node.values() else node

    def _face(
        self,
        goal: Poly,
        piece: Box,
        strict: bool,
        depth: int,
        points: list[dict[str, Fraction]],
    ) -> ProofNode | None:
        """Monotone in one variable from a face of the box."""
        options: list[tuple[float, int, Box, int, Poly, Poly]] = []
        for name in sorted({piece.name, *piece.others}):
            side = piece.turned(name)
            for direction, end in ((1, side.low), (-1, side.high)):
                for weight in face_weights(goal, side) if end is not None else ():
                    slope = slope_of(goal, weight, name).scaled(direction)
                    if box_signs(weight, points) == {1} and -1 not in box_signs(
                        slope, points
                    ):
                        options.append(
                            (
                                complexity(slope),
                                len(options),
                                side,
                                direction,
                                weight,
                                slope,
                            )
                        )
        for _, _, side, direction, weight, slope in sorted(
            options, key=lambda option: option[:2]
        )[:WIDTH]:
            node = self._one_face(goal, side, strict, depth, direction, weight, slope)
            if node is not None:
                return node
        return None

    def _one_face(
        self,
        goal: Poly,
        side: Box,
        strict: bool,
        depth: int,
        direction: int,
        weight: Poly,
        slope: Poly,
    ) -> ProofNode | None:
        end = side.low if direction == 1 else side.high
        if end is None:
            return None
        rest = side.projected(set(side.others))
        facts = box_facts(rest, self)
        try:
            tops = [substitute(p, side.name, end, facts).top for p in (weight, goal)]
        except (Rejected, Undefined):
            return None
        proofs = [
            self.prove(weight, side, True, depth + 1),
            self.prove(tops[0], rest, True, depth + 1),
        ]
        if None in proofs:
            return None
        proofs.append(self.prove(tops[1], rest, False, depth + 1))
        if proofs[2] is None:
            return None
        proof = self.prove(slope, side, strict, depth + 1)
        if proof is None:
            return None
        node = {
            "rule": "face",
            "variable": side.name,
            "direction": direction,
            "weight": weight.text,
            "proof": proof,
        }
        keys = ("weight_proof", "face_weight_proof", "face_proof")
        return node | dict(zip(keys, proofs, strict=True)) | {"facts": facts.facts}


def box_facts(piece: Box, search: BoxSearch) -> Facts:
    """Strict signs on a box, searched for when they are asked for."""
    return Facts(
        piece,
        lambda rest: box_signs(rest, box_points(piece)),
        lambda goal, how: search.prove(goal, piece, how, 1),
        (True,),
    )


def _sides_text(piece: Box) -> str:
    sides = {**piece.others, piece.name: (piece.low, piece.high)}
    return str([(name, ends_text(sides[name])) for name in sorted(sides)])
