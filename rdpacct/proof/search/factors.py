"""Factorization of ring polynomials, by way of ordinary polynomials with one generator for each
slot.

What comes out is multiplied out again by the checker, so nothing here has to be believed.
"""

from collections.abc import Callable
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from flint import fmpq, fmpq_mpoly_ctx

from rdpacct.proof.check.effort import EFFORT
from rdpacct.proof.check.pieces import Box
from rdpacct.proof.check.ring import ONE, Poly, Ratio
from rdpacct.proof.check.slots import TURNS, Monomial, exp_slot
from rdpacct.proof.search.turns import Angles

MAX_TERMS = 300
MAX_BITS = 2000
MAX_SIZE = 12_000
"""Terms times degree, in several generators; factoring cannot be interrupted."""
FactorKey = tuple[str, str]
ProofNode = dict[str, Any]
Sampled = Callable[[Poly], set[int]]
"""The signs of a polynomial at sample points, zero left out."""


def _exponents(
    monomial: Monomial, makers: dict[FactorKey, Callable[[Fraction], Poly]]
) -> dict[FactorKey, Fraction]:
    """The exponents of a monomial over independent generators; each generator gets a maker of its
    powers.
    """
    exponents: dict[FactorKey, Fraction] = {}
    for slot, exponent in monomial:
        if slot.kind != "exp":
            exponents[("slot", slot.text)] = Fraction(exponent)
            makers[("slot", slot.text)] = lambda k, slot=slot: Poly.slot(slot, k)  # type: ignore[misc]
            continue
        for inner, coefficient in slot.ratio.top.terms.items():
            base = Ratio(Poly({inner: ONE}), slot.ratio.bottom)
            key = ("exp", base.text)
            exponents[key] = Fraction(coefficient)
            makers[key] = lambda k, base=base: Poly.slot(exp_slot(base.scaled(k)))  # type: ignore[misc]
    return exponents


def _rows(
    poly: Poly, makers: dict[FactorKey, Callable[[Fraction], Poly]]
) -> list[tuple[dict[FactorKey, Fraction], Fraction]]:
    """The terms over independent generators, with cosines and sines by those of the smallest
    angles.
    """
    angles = Angles(poly)
    total = dict[tuple[tuple[FactorKey, Fraction], ...], Fraction]()
    for monomial, coefficient in poly.terms.items():
        rest = tuple((slot, e) for slot, e in monomial if slot.kind not in TURNS)
        turns = [slot for slot, _ in monomial if slot.kind in TURNS]
        parts = angles.expanded(turns[0]) if turns else [({}, Fraction(1))]
        if parts is None:
            rest = monomial
            parts = [({}, Fraction(1))]
        for powers, value in parts:
            row = _exponents(rest, makers)
            for (kind, inner), power in powers.items():
                key = (kind, Poly({inner: ONE}).text)
                generator = angles.generator(kind, inner)
                row[key] = Fraction(power)
                makers[key] = lambda k, generator=generator: generator.power(int(k))  # type: ignore[misc]
            place = tuple(sorted(row.items()))
            total[place] = total.get(place, Fraction(0)) + coefficient * value
    return [(dict(place), value) for place, value in total.items() if value]


def factor(poly: Poly) -> list[tuple[Poly, int]] | None:
    """The polynomial as a product of powers, a rational number and a monomial among them; None if
    it is too large.
    """
    if poly.zero() or len(poly.terms) > MAX_TERMS or poly.bits > MAX_BITS:
        return None
    makers: dict[FactorKey, Callable[[Fraction], Poly]] = {}
    rows = _rows(poly, makers)
    if not rows:
        return None
    keys = sorted(makers)
    least = {k: min(row.get(k, Fraction(0)) for row, _ in rows) for k in keys}
    unit = {}
    for key in keys:
        values = [row.get(key, Fraction(0)) - least[key] for row, _ in rows]
        unit[key] = Fraction(
            gcd(*(v.numerator for v in values)),
            lcm(*(v.denominator for v in values)),
        ) or Fraction(1)
    degree = max(
        (
            (row.get(k, Fraction(0)) - least[k]) / unit[k]
            for row, _ in rows
            for k in keys
        ),
        default=Fraction(0),
    )
    if degree > 500 or (len(keys) > 1 and degree * len(rows) > MAX_SIZE):
        return None
    if not keys:
        return [(poly, 1)]
    EFFORT.spend(10 + (len(rows) * len(keys) + int(degree)) * (2 + poly.bits // 200))
    ring = fmpq_mpoly_ctx.get([f"g{i}" for i in range(len(keys))], "lex")
    plain = ring.from_dict(
        {
            tuple(
                int((row.get(k, Fraction(0)) - least[k]) / unit[k]) for k in keys
            ): fmpq(c.numerator, c.denominator)
            for row, c in rows
        }
    )
    content, parts = plain.factor()
    result = [(Poly.number(Fraction(int(content.p), int(content.q))), 1)]
    for key in keys:
        if least[key]:
            whole = least[key].denominator == 1 and least[key] > 0 and key[0] != "exp"
            result.append(
                (makers[key](Fraction(1)), int(least[key]))
                if whole
                else (makers[key](least[key]), 1)
            )
    for part, exponent in parts:
        total = Poly({})
        for powers, c in part.to_dict().items():
            term = Poly.number(Fraction(int(c.p), int(c.q)))
            for key, power in zip(keys, powers, strict=True):
                if power:
                    term = term * makers[key](Fraction(int(power) * unit[key]))
            total = total + term
        result.append((total, int(exponent)))
    return result


def product_node(
    goal: Poly,
    piece: Box,
    strict: bool,
    sampled: Sampled,
    prove: Callable[[Poly], ProofNode | None],
) -> ProofNode | None:
    """The rule ``product``, if the goal has factors that are not all units."""
    units = Poly.number(1)
    others = []
    for part, power in factor(goal) or []:
        if len(part.terms) == 1 and piece.signs.terms_positive(
            Poly(dict.fromkeys(part.terms, ONE))
        ):
            units = units * part.power(power)
        else:
            others.append((part, power))
    if not others or (len(others) == 1 and others[0][1] == 1):
        return None
    value = next(iter(units.terms.values()))
    entries: list[ProofNode] = [
        {
            "of": units.text,
            "power": 1,
            "sign": 1 if value > 0 else -1,
            "proof": {"rule": "known"},
        }
    ]
    for part, power in others:
        if power % 2 == 0 and not strict:
            entries.append({"of": part.text, "power": power})
            continue
        signs = sampled(part)
        if len(signs) != 1:
            return None
        sign = signs.pop()
        proof = prove(part.scaled(sign))
        if proof is None:
            return None
        entries.append({"of": part.text, "power": power, "sign": sign, "proof": proof})
    return {"rule": "product", "factors": entries}
