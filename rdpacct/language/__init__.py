"""The one language of plans, guarantees and numbers: text to a small tree, and what its numbers and
names mean.
"""
