"""The two packages that pages and pictures are made with, loaded when they are needed."""

import importlib
from typing import Any

from rdpacct.errors import NotInstalledError


def load(module: str, what: str) -> Any:
    """A module of an optional package, or one sentence that says what to install."""
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ImportError:
        message = (
            f"{what} with {package}, which is not installed; install rdpacct[report]."
        )
        raise NotInstalledError(message, package) from None
