"""Random points at which conditions hold, and finite laws on which hypotheses do."""

import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from rdpacct.book.numeric.values import (
    Env,
    NoNumber,
    Numbers,
    NumericRow,
    NumericValue,
    Unsupported,
)
from rdpacct.exact.formula import Symbol
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.laws import Law
from rdpacct.proof.kernel.statements import Condition, Hypothesis, Whole

TRIES = 1500
SPECIAL = (0, 1, -1, 0.5, 2, -0.5, 3)
ROWS = 7


def points(
    numbers: Numbers,
    symbols: Iterable[str],
    conditions: Iterable[Condition],
    rng: random.Random,
    count: int,
) -> Iterator[dict[str, NumericValue]]:
    """Up to ``count`` points at which the conditions hold."""
    names = sorted(symbols)
    known = [condition for condition in conditions if isinstance(condition, Comparison)]
    whole = {
        condition.name: condition.start
        for condition in conditions
        if isinstance(condition, Whole)
    }
    yielded = 0
    for _ in range(TRIES):
        if yielded == count:
            return
        point = {
            name: _number(numbers.mp, rng, whole.get(name), _ends(name, known))
            for name in names
        }
        _solve(numbers, point, known)
        if are_true(numbers, known, point):
            yielded += 1
            yield point


def are_true(numbers: Numbers, known: Iterable[Comparison], point: Env) -> bool:
    """Whether all conditions hold at a point at which they are defined."""
    try:
        return all(numbers.holds(relation, point) for relation in known)
    except NoNumber:
        return False


def _ends(name: str, known: list[Comparison]) -> tuple[float | None, float | None]:
    """The numbers between which conditions put a symbol."""
    low: float | None = None
    high: float | None = None
    for relation in known:
        if relation.sign == "==":
            continue
        if relation.right == Symbol(name) and not relation.left.symbols():
            low = (
                _plain(relation.left)
                if low is None
                else max(low, _plain(relation.left))
            )
        if relation.left == Symbol(name) and not relation.right.symbols():
            high = (
                _plain(relation.right)
                if high is None
                else min(high, _plain(relation.right))
            )
    return low, high


def _plain(expr: Any) -> float:
    return float(expr.ball(64))


def _number(
    mp: Any,
    rng: random.Random,
    start: int | None,
    ends: tuple[float | None, float | None],
) -> NumericValue:
    """A number between the ends: small, large, simple, or close to an end."""
    if start is not None:
        return mp.mpf(start + rng.choice((0, 1, 2, 3, 4, rng.randint(0, 30))))
    low, high = ends
    if low is not None and high is not None:
        share = rng.choice((rng.random(), rng.random(), 10 ** rng.uniform(-6, 0)))
        side = rng.choice((share, 1 - share))
        return mp.mpf(low) + (mp.mpf(high) - mp.mpf(low)) * mp.mpf(side)
    size = mp.mpf(rng.choice((rng.uniform(0, 4), 10 ** rng.uniform(-3, 1.5))))
    if low is not None:
        return mp.mpf(low) + size
    if high is not None:
        return mp.mpf(high) - size
    if rng.random() < 0.2:
        return mp.mpf(rng.choice(SPECIAL))
    return size * rng.choice((1, 1, -1))


def _solve(
    numbers: Numbers, point: dict[str, NumericValue], known: list[Comparison]
) -> None:
    """Give symbols that an equation defines their values."""
    for relation in known:
        if relation.sign != "==":
            continue
        for side, other in (
            (relation.left, relation.right),
            (relation.right, relation.left),
        ):
            if isinstance(side, Symbol) and side.name not in other.symbols():
                try:
                    point[side.name] = numbers.value(other, point)
                except NoNumber:
                    return


def finite_law(
    numbers: Numbers,
    law: Law,
    hypotheses: Iterable[Hypothesis],
    point: Mapping[str, NumericValue],
    rng: random.Random,
) -> list[NumericRow] | None:
    """Rows in the support of a law that is known by name only, with masses for which the
    hypotheses hold; None if there are none among those that were tried.
    """
    relations = [hypothesis.relation for hypothesis in hypotheses]
    rows = _places(numbers, law, point, rng)
    if not rows:
        return None
    columns = [_coefficients(numbers, law, relations, row, point) for row in rows]
    if any(column is None for column in columns):
        return None
    return _masses(numbers, law, rows, columns, relations, point, rng)


def _places(
    numbers: Numbers, law: Law, point: Mapping[str, NumericValue], rng: random.Random
) -> list[dict[str, NumericValue]]:
    """Points of the support; some are at its ends, which the parameters name."""
    mp = numbers.mp
    rows = list[dict[str, NumericValue]]()
    offered = [*point.values(), *(-value for value in point.values())]
    for _ in range(TRIES):
        row = {
            name: rng.choice(offered)
            if offered and rng.random() < 0.3
            else _number(mp, rng, None, _ends(name, list(law.support)))
            for name in law.variables
        }
        if are_true(numbers, law.support, {**point, **row}):
            rows.append(row)
        if len(rows) == ROWS:
            break
    return rows


def _coefficients(
    numbers: Numbers,
    law: Law,
    relations: list[Comparison],
    row: dict[str, NumericValue],
    point: Mapping[str, NumericValue],
) -> list[NumericValue] | None:
    """Left side minus right side of each hypothesis, if the law sits at one point."""
    alone = Numbers(numbers.mp, {**numbers.laws, law.name: [(row, numbers.mp.mpf(1))]})
    try:
        return [
            alone.value(relation.left, {**point, **row})
            - alone.value(relation.right, {**point, **row})
            for relation in relations
        ]
    except NoNumber:
        return None


def _masses(
    numbers: Numbers,
    law: Law,
    rows: list[dict[str, NumericValue]],
    columns: list[Any],
    relations: list[Comparison],
    point: Mapping[str, NumericValue],
    rng: random.Random,
) -> list[NumericRow] | None:
    """Masses that satisfy the hypotheses, which are taken to be linear in them, and checked."""
    mp = numbers.mp
    exact = [i for i, relation in enumerate(relations) if relation.sign == "=="]
    size = len(exact) + 1
    if size > len(rows):
        return None
    chosen = list(combinations(range(len(rows)), size))
    rng.shuffle(chosen)
    mixed = [mp.mpf(0)] * len(rows)
    solutions = 0
    for subset in chosen:
        matrix = mp.matrix(size, size)
        right = mp.matrix(size, 1)
        right[0] = 1
        for column, place in enumerate(subset):
            matrix[0, column] = 1
            for line, number in enumerate(exact, 1):
                matrix[line, column] = columns[place][number]
        try:
            solved = mp.lu_solve(matrix, right)
        except (ZeroDivisionError, TypeError):  # singular, as mpmath says it
            continue
        if min(solved) < 0:
            continue
        for column, place in enumerate(subset):
            mixed[place] += solved[column]
        solutions += 1
        if solutions == 4:
            break
    if not solutions:
        return None
    law_rows = [
        (row, mass / solutions) for row, mass in zip(rows, mixed, strict=True) if mass
    ]
    there = Numbers(mp, {**numbers.laws, law.name: law_rows})
    try:
        fits = all(_is_near(there, relation, point, law_rows) for relation in relations)
    except (NoNumber, Unsupported):
        return None
    return law_rows if fits else None


def _is_near(
    numbers: Numbers,
    relation: Comparison,
    point: Mapping[str, NumericValue],
    rows: list[NumericRow],
) -> bool:
    """A hypothesis holds, at each row if it speaks of them."""
    return all(numbers.holds(relation, {**point, **row}) for row, _ in rows)
