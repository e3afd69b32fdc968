"""Data sets drawn by a strategy of hypothesis, the same ones for the same seed in every process."""

import importlib
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from rdpacct.errors import NotInstalledError

BACKEND = "rdpacct_without_constants"
PROVIDERS = "hypothesis.internal.conjecture.providers"


def drawn_by_hypothesis(strategy: Any, count: int, seed: int) -> list[Any]:
    """About this many values of a strategy."""
    try:
        hypothesis = importlib.import_module("hypothesis")
    except ImportError:
        message = (
            "a strategy is drawn from by hypothesis, which is not installed; install"
            " rdpacct[test], or give a function from random.Random to a data set."
        )
        raise NotInstalledError(message, "hypothesis") from None
    values = list[Any]()

    def collect(value: Any) -> None:
        values.append(value)

    options, registered = _without_constants()
    with registered:
        settings = hypothesis.settings(
            max_examples=count,
            database=None,
            deadline=None,
            phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
            **options,
        )
        hypothesis.seed(seed)(settings(hypothesis.given(strategy)(collect)))()
    return values


def _without_constants() -> tuple[dict[str, str], AbstractContextManager[None]]:
    """Settings with which hypothesis draws no constants of modules that happen to be loaded, and
    what has to be registered for them; nothing for versions that never do.
    """
    try:
        providers = importlib.import_module(PROVIDERS)
        register = providers.with_register_backend
        usual = providers.HypothesisProvider
        _ = usual._maybe_draw_constant
    except (ImportError, AttributeError):
        return {}, nullcontext()

    def no_constant(*_: Any, **__: Any) -> None:
        return None

    plain = type("PlainProvider", (usual,), {"_maybe_draw_constant": no_constant})
    return {"backend": BACKEND}, register(BACKEND, plain)
