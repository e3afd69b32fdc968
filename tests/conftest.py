"""Settings for all tests: nothing in them depends on a clock, on chance or on a run before."""

import gc
import os

from hypothesis import HealthCheck, settings

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # the workers of a run share the cores

settings.register_profile(
    "rdpacct",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("rdpacct")

SELDOM = 50_000, 20, 50
"""How many new objects there are before the next look for cycles: the tests of all files and the
theorem book are many objects that stay, and going through them so often took a twentieth of a run.
"""
gc.set_threshold(*SELDOM)


def pytest_collection_finish() -> None:
    """What has been collected stays, and is not gone through again."""
    gc.collect()
    gc.freeze()
