"""Settings for all tests: nothing in them depends on a clock, on chance or on a run before."""

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
