"""Audits of training from one run: how many of some coins are guessed right."""

from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.auditing.one_run.run import audit_one_run
from rdpacct.auditing.one_run.scores import CanaryScores
from rdpacct.auditing.one_run.verdict import OneRunVerdict

__all__ = ["CanaryGuesses", "CanaryScores", "OneRunVerdict", "audit_one_run"]
