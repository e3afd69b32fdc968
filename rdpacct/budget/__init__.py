"""Certificates of the epsilon of a plan, for the small checker of budgets."""

from rdpacct.budget.writing import (
    budget_certificate,
    budgets_within,
    certificate_of,
    certified_delta,
)

__all__ = [
    "budget_certificate",
    "budgets_within",
    "certificate_of",
    "certified_delta",
]
