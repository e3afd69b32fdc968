"""Plans and claims from text and from files."""

from rdpacct.plan.text import PlanText, read_claim, read_plan

__all__ = ["PlanText", "read_claim", "read_plan"]
