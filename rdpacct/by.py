"""The tag that ties a formula of this package to the theorem it rests on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Rule:
    """A tagged function: where it lives, what it says, and the theorem that must stand behind it."""

    theorem: str
    module: str
    name: str
    says: str


_rules: dict[tuple[str, str], Rule] = {}


def by(theorem: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Tag a function as resting on a theorem of the book, as in ``@by("cdp/gaussian")``."""

    def tag(function: Callable[P, R]) -> Callable[P, R]:
        name = function.__qualname__
        if (function.__module__, name) in _rules:
            raise ValueError(
                f"two tagged functions are called {name} in {function.__module__}; one would hide the other"
            )
        says = (function.__doc__ or "").strip().split("\n")[0]
        _rules[function.__module__, name] = Rule(theorem, function.__module__, name, says)
        function.theorem = theorem  # type: ignore[attr-defined]
        return function

    return tag


def rules() -> tuple[Rule, ...]:
    """Every rule tagged in the modules imported so far, in the order of their theorems."""
    return tuple(sorted(_rules.values(), key=lambda rule: (rule.theorem, rule.module, rule.name)))
