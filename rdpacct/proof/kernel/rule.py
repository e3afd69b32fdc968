"""The rules of the kernel, by name.

Each fact keeps the call that made it, so that its derivation can be written down and checked again.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from rdpacct.proof.kernel.fact import Fact, Made, remember

P = ParamSpec("P")

RULES: dict[str, Callable[..., Fact]] = {}
"""All rules; nothing else makes facts."""


def rule(function: Callable[P, Fact]) -> Callable[P, Fact]:
    """A rule of the kernel: a function that makes a fact, or raises ``Refused``."""

    @wraps(function)
    def recorded(*args: P.args, **kwargs: P.kwargs) -> Fact:
        fact = function(*args, **kwargs)
        remember(fact, Made(function.__name__, args, kwargs))
        return fact

    RULES[function.__name__] = recorded
    return recorded
