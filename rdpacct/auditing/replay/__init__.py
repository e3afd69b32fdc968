"""Audits by replay: the noise of a run is recorded, and given again to a run on a neighbor.

With the same noise, whatever is not the same in the second run depends on the data.
"""

from rdpacct.auditing.replay.finding import Finding, FindingKind
from rdpacct.auditing.replay.noise_log import NoiseCall, NoiseLog, NoiseUse
from rdpacct.auditing.replay.place import Place
from rdpacct.auditing.replay.runs import record_noise, replay_noise
from rdpacct.auditing.replay.verdict import NoiseVerdict, audit_noise

__all__ = [
    "Finding",
    "FindingKind",
    "NoiseCall",
    "NoiseLog",
    "NoiseUse",
    "NoiseVerdict",
    "Place",
    "audit_noise",
    "record_noise",
    "replay_noise",
]
