"""Which guarantee follows from which, and by what rule: what ``Guarantee.to`` asks."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from rdpacct.errors import InputError
from rdpacct.exact.bound import decimal_up
from rdpacct.exact.formula import ZERO, Expr, formula
from rdpacct.exact.number import rational, shorten
from rdpacct.privacy.convert import (
    approx_to_random,
    gaussian_dp_to_approx,
    gaussian_dp_to_zcdp,
    mean_cdp_to_zcdp,
    pure_to_approx,
    pure_to_mean_cdp,
    pure_to_renyi,
    pure_to_zcdp,
    random_to_approx,
    renyi_at_smaller_order,
    renyi_to_approx,
    zcdp_to_approx,
    zcdp_to_renyi,
)
from rdpacct.privacy.guarantee import (
    GUARANTEES,
    ZCDP,
    ApproxDP,
    ApproxZCDP,
    GaussianDP,
    Guarantee,
    MeanCDP,
    ProfileDP,
    PureDP,
    RandomDP,
    RenyiDP,
)
from rdpacct.privacy.searched_point import smallest_delta_for, smallest_epsilon_for

G = TypeVar("G", bound=Guarantee)
Free = Mapping[str, Any]
Conversion = Callable[..., Guarantee]

RULES: dict[tuple[type[Guarantee], type[Guarantee]], tuple[Conversion, str | None]] = {
    (PureDP, RenyiDP): (pure_to_renyi, "alpha"),
    (PureDP, ZCDP): (pure_to_zcdp, None),
    (PureDP, MeanCDP): (pure_to_mean_cdp, None),
    (RenyiDP, RenyiDP): (renyi_at_smaller_order, "alpha"),
    (ZCDP, RenyiDP): (zcdp_to_renyi, "alpha"),
    (MeanCDP, ZCDP): (mean_cdp_to_zcdp, None),
    (GaussianDP, ZCDP): (gaussian_dp_to_zcdp, None),
}
"""The rules from one kind to another, with the parameter that is free."""
BY_WAY_OF_ZCDP = (PureDP, MeanCDP, GaussianDP)
"""Guarantees without a rule of their own for Renyi divergences or ApproxZCDP, which follow from
their ZCDP.
"""
DELTA_AT: dict[type[Guarantee], Conversion] = {
    PureDP: pure_to_approx,
    GaussianDP: gaussian_dp_to_approx,
}
"""The rules that give the delta at an epsilon."""
EPSILON_AT: dict[type[Guarantee], Conversion] = {
    RenyiDP: renyi_to_approx,
    ZCDP: zcdp_to_approx,
}
"""The rules that give the epsilon at a delta."""


def convert(held: Guarantee, target: type[G], free: Free) -> G:
    """The guarantee of the wanted kind that follows from this one."""
    if target not in GUARANTEES:
        raise InputError(
            f"{shorten(repr(target))} is not a kind of guarantee; give one such as"
            " ApproxDP."
        )
    if target is type(held) and not free:
        return held
    if isinstance(held, RandomDP):
        random_to_approx(held)
    converted: Any = SPECIAL.get(target, _by_rule)(held, target, free)
    return converted  # type: ignore[no-any-return]


def _by_rule(held: Guarantee, target: type[Guarantee], free: Free) -> Guarantee:
    rule, parameter = RULES.get((type(held), target), (None, None))
    if rule is not None:
        return rule(held, *_given(held, target, free, parameter))
    if type(held) in BY_WAY_OF_ZCDP and (ZCDP, target) in RULES:
        return convert(held.to(ZCDP), target, free)
    raise _refusal(held, target)


def _to_pure(held: Guarantee, target: type[Guarantee], free: Free) -> PureDP:
    """ApproxDP with delta = 0 is the same definition."""
    if isinstance(held, ApproxDP) and held.delta == ZERO:
        _given(held, target, free, None)
        return PureDP(held.epsilon)
    raise _refusal(held, target)


def _to_approx(held: Guarantee, target: type[Guarantee], free: Free) -> ApproxDP:
    """At an epsilon or at a delta; PureDP is ApproxDP with delta = 0 by definition, and a
    profile has its points.
    """
    if isinstance(held, PureDP) and free in ({}, {"delta": 0}):
        return ApproxDP(held.epsilon, 0)
    if isinstance(held, ProfileDP):
        return _point_of(held, free)
    if isinstance(held, MeanCDP):
        held = held.to(ZCDP)
    if type(held) not in {**DELTA_AT, **EPSILON_AT}:
        raise _refusal(held, target)
    name, value = _one_of(held, target, free, "epsilon", "delta")
    by_epsilon = DELTA_AT.get(type(held))
    by_delta = EPSILON_AT.get(type(held))
    if name == "epsilon" and by_epsilon is not None:
        return _approx(by_epsilon(held, value))
    if name == "delta" and by_delta is not None:
        return _approx(by_delta(held, value))
    if by_epsilon is not None:
        return smallest_epsilon_for(
            lambda epsilon: _approx(by_epsilon(held, epsilon)), value
        )
    return smallest_delta_for(lambda delta: _approx(by_delta(held, delta)), value)  # type: ignore[misc]


def _point_of(held: ProfileDP, free: Free) -> ApproxDP:
    """The point with the smallest delta at an epsilon, or with the smallest epsilon at a delta."""
    name, value = _one_of(held, ApproxDP, free, "epsilon", "delta")
    limit = rational(value, name)
    column = 0 if name == "epsilon" else 1
    allowed = [point for point in held.points if point[column] <= limit]
    if not allowed:
        raise InputError(
            f"{shorten(str(held), 120)} has no point with {name} at most {value}; give"
            " a larger one."
        )
    level, delta = min(allowed, key=lambda point: (point[1 - column], point[column]))
    if name == "epsilon":
        return ApproxDP(limit, delta)
    return ApproxDP(level, limit)


def _to_profile(held: Guarantee, target: type[Guarantee], free: Free) -> ProfileDP:
    """The points at several epsilons or deltas, rounded up; ApproxDP is one point."""
    if isinstance(held, ApproxDP):
        _given(held, target, free, None)
        return ProfileDP([_rounded_up(held)])
    name, values = _one_of(held, target, free, "epsilons", "deltas")
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InputError(f"{name} is {shorten(repr(values))}; give a list of numbers.")
    return ProfileDP(
        [_rounded_up(held.to(ApproxDP, **{name[:-1]: value})) for value in values]
    )


def _to_approx_zcdp(held: Guarantee, target: type[Guarantee], free: Free) -> ApproxZCDP:
    """With delta = 0 it is the definition of ZCDP."""
    if not isinstance(held, ZCDP | PureDP | MeanCDP | GaussianDP):
        raise _refusal(held, target)
    _given(held, target, free, None)
    zcdp = held.to(ZCDP)
    return ApproxZCDP(zcdp.rho, 0, zcdp.xi)


def _to_zcdp(held: Guarantee, target: type[Guarantee], free: Free) -> Guarantee:
    if isinstance(held, ApproxZCDP) and held.delta == ZERO:
        _given(held, target, free, None)
        return ZCDP(held.rho, held.xi)
    return _by_rule(held, target, free)


def _to_random(held: Guarantee, target: type[Guarantee], free: Free) -> RandomDP:
    """What holds for all data holds for drawn data."""
    if isinstance(held, ApproxDP):
        _given(held, target, free, None)
        return approx_to_random(held)
    if isinstance(held, PureDP) and not free:
        return approx_to_random(ApproxDP(held.epsilon, 0))
    name, value = _one_of(held, target, free, "alpha", "eta")
    return approx_to_random(
        held.to(ApproxDP, **{"epsilon" if name == "alpha" else "delta": value})
    )


SPECIAL: dict[
    type[Guarantee], Callable[[Guarantee, type[Guarantee], Free], Guarantee]
] = {
    PureDP: _to_pure,
    ApproxDP: _to_approx,
    ProfileDP: _to_profile,
    ZCDP: _to_zcdp,
    ApproxZCDP: _to_approx_zcdp,
    RandomDP: _to_random,
}
"""The kinds that have more than a rule for each pair."""


def _given(
    held: Guarantee, target: type[Guarantee], free: Free, parameter: str | None
) -> tuple[Any, ...]:
    """The value of the free parameter, which must be given, and nothing else."""
    if parameter is None:
        if free:
            raise InputError(
                f"{_pair(held, target)} leaves nothing free; leave out"
                f" {', '.join(sorted(free))}."
            )
        return ()
    if set(free) != {parameter}:
        raise InputError(
            f"{_pair(held, target)} needs {parameter} and nothing else; give"
            f" {parameter}=...."
        )
    return (free[parameter],)


def _one_of(
    held: Guarantee, target: type[Guarantee], free: Free, *names: str
) -> tuple[str, Any]:
    """Which of the two free parameters is given, and its value."""
    if len(free) != 1 or not set(free) <= set(names):
        raise InputError(
            f"{_pair(held, target)} needs {' or '.join(names)}, one of them; give"
            f" {names[1]}=...."
        )
    [(name, value)] = free.items()
    return name, value


def _pair(held: Guarantee, target: type[Guarantee]) -> str:
    return f"a conversion from {type(held).__name__} to {target.__name__}"


def _refusal(held: Guarantee, target: type[Guarantee]) -> InputError:
    said = shorten(str(held), 120)
    return InputError(
        f"no theorem of this package gives {target.__name__} from {said}; "
        f"audit Promised({said}) for the {target.__name__} that you need."
    )


def _approx(held: Guarantee) -> ApproxDP:
    assert isinstance(held, ApproxDP)  # noqa: S101
    return held


def _rounded_up(held: ApproxDP) -> tuple[Fraction, Fraction]:
    """The point with rational coordinates that are at least those."""
    return _up(held.epsilon), min(_up(held.delta), Fraction(1))


def _up(value: Expr) -> Fraction:
    bound = formula(value).bound()
    if bound.lower == bound.upper:
        return Fraction(bound.upper)
    return rational(decimal_up(bound.upper))
