"""Settings for all tests: nothing in them depends on a clock, on chance or on a run before."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "rdpacct",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("rdpacct")
