"""Releases whose noise depends on the data: private tests of distance, and noise on a private or
smooth scale.
"""

from rdpacct.releases.bounded_local import BoundedLocalRelease
from rdpacct.releases.distance_test import DistanceTest
from rdpacct.releases.propose_test_release import ProposeTestRelease
from rdpacct.releases.random_sensitivity import RandomSensitivityRelease
from rdpacct.releases.released import Released
from rdpacct.releases.smooth_release import SmoothAnswer, SmoothRelease
from rdpacct.releases.stability import StabilityRelease
from rdpacct.sensitivity.pair_quantile import Pairs, Steady

__all__ = [
    "BoundedLocalRelease",
    "DistanceTest",
    "Pairs",
    "ProposeTestRelease",
    "RandomSensitivityRelease",
    "Released",
    "SmoothAnswer",
    "SmoothRelease",
    "StabilityRelease",
    "Steady",
]
