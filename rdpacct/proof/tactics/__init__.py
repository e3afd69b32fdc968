"""Derived steps of proofs: shorthands that only call the rules of the kernel, and so need not be
believed.
"""
