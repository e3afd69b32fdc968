"""A page about a plan that a reviewer can sign: its numbers, its words and its pictures."""

from rdpacct.report.contents import PrivacyReport, privacy_report

__all__ = ["PrivacyReport", "privacy_report"]
