"""Formulas as trees: what they keep of themselves, and the arithmetic that folds them."""

import pickle
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rdpacct.exact.formula import (
    Apply,
    Expr,
    Power,
    Product,
    Rational,
    Sum,
    Symbol,
    add,
    formula,
    multiply,
)

NUMBERS = st.fractions(-4, 4, max_denominator=6)
LEAVES = st.one_of(
    st.sampled_from("xyz").map(Symbol), NUMBERS.map(Rational), st.just(formula(2))
)


def _grown(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """Trees as data may have them: sums and products of one part included, and nothing folded."""
    several = st.lists(parts, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        several.map(Sum),
        several.map(Product),
        parts.map(lambda part: Power(part, formula(2))),
        parts.map(lambda part: Apply("abs", (part,))),
    )


TREES = st.recursive(LEAVES, _grown, max_leaves=8)


def _value(expr: Expr, point: dict[str, Fraction]) -> Fraction:
    """The value by the definition of each operation."""
    if isinstance(expr, Rational):
        return expr.value
    if isinstance(expr, Symbol):
        return point[expr.name]
    values = [_value(part, point) for part in expr.parts()]
    if isinstance(expr, Sum):
        return sum(values, Fraction(0))
    if isinstance(expr, Power):
        return values[0] ** int(values[1])
    if isinstance(expr, Apply):
        return abs(values[0])
    product = Fraction(1)
    for value in values:
        product *= value
    return product


def _names(expr: Expr) -> set[str]:
    if isinstance(expr, Symbol):
        return {expr.name}
    return set().union(*map(_names, expr.parts()))


@given(TREES, TREES, st.tuples(NUMBERS, NUMBERS, NUMBERS))
def test_folding_keeps_the_value(
    left: Expr, right: Expr, numbers: tuple[Fraction, Fraction, Fraction]
) -> None:
    point = dict(zip("xyz", numbers, strict=True))
    total = _value(left, point) + _value(right, point)
    product = _value(left, point) * _value(right, point)
    assert _value(add(left, right), point) == total
    assert _value(multiply(left, right), point) == product
    assert _value(left.at(x=Symbol("y")), point) == _value(
        left, {**point, "x": point["y"]}
    )


def test_a_product_of_one_number_counts_in_a_sum() -> None:
    assert add(Symbol("x"), Product((formula(2),))) == Symbol("x") + 2


@given(TREES)
def test_what_a_formula_keeps_is_what_it_is(expr: Expr) -> None:
    twin = pickle.loads(pickle.dumps(expr))
    for _ in range(2):
        assert expr.symbols() == _names(expr)
        assert str(expr) == str(twin)
        assert hash(expr) == hash(twin)
        assert expr == twin


def test_what_a_formula_keeps_is_not_sent_along() -> None:
    """The hash of a text differs from one process to the next."""
    expr = Symbol("x") + 1
    before = pickle.dumps(expr)
    hash(expr), str(expr), expr.symbols()
    assert pickle.dumps(expr) == before


def _spelled(expr: Expr) -> str:
    """The tree in full, with the kind of each part."""
    own = expr.parts() or (expr,)
    shown = map(str, own) if own == (expr,) else map(_spelled, own)
    return f"{type(expr).__name__}({', '.join(shown)})"


@given(TREES, TREES)
def test_equal_formulas_have_the_same_parts(left: Expr, right: Expr) -> None:
    assert (left == right) is (_spelled(left) == _spelled(right))


def test_formulas_of_another_kind_differ() -> None:
    parts = (Symbol("x"), Symbol("y"))
    assert Sum(parts) != Product(parts)
    assert Rational(Fraction(1)) != Symbol("1")
    assert formula(1) != 1
