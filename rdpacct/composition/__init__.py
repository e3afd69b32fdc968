"""Certified composition: plan in doubles, answer in balls.

A plan may cost width, never validity.
"""
