"""Budgets that are spent on the way: filters that say yes or no to each release."""
