"""Audits by replay: the noise of a run is recorded, and given again to a run on a neighbor.

With the same noise, whatever is not the same in the second run depends on the data.
"""

from rdpacct.auditing.replay.finding import FindingKind, NoiseFinding
from rdpacct.auditing.replay.noise_log import NoiseCall, NoiseLog, NoiseUse
from rdpacct.auditing.replay.place import CallPlace
from rdpacct.auditing.replay.recorded_runs import record_noise, replay_noise
from rdpacct.auditing.replay.verdict import NoiseVerdict, audit_noise

__all__ = [
    "CallPlace",
    "FindingKind",
    "NoiseCall",
    "NoiseFinding",
    "NoiseLog",
    "NoiseUse",
    "NoiseVerdict",
    "audit_noise",
    "record_noise",
    "replay_noise",
]
