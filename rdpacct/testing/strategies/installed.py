"""The package hypothesis, or one sentence that says how to install it."""

from rdpacct.errors import NotInstalledError

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import DrawFn, SearchStrategy
except ImportError:
    raise NotInstalledError(
        "strategies are drawn by hypothesis, which is not installed; install"
        " rdpacct[test].",
        "hypothesis",
    ) from None

__all__ = ["DrawFn", "SearchStrategy", "st"]
