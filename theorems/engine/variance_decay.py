"""A law on an interval with a variance has a characteristic function that falls.

Printed: not in the sources.
Proved: Let a law have losses in an interval of width d and variance V, both after the tilt. For 0 <= h <= y and
    y d <= pi, (E cos(y L))**2 + (E sin(y L))**2, the square of |phi(y)|, is at most 1 - 2 V (1 - cos(h d))/d**2, the
    square of the shipped bound.
Idea: |phi|**2 = E cos(y (L - L')) for two independent copies, and cos(u) <= 1 - u**2 (1 - cos(m))/m**2 for |u| <= m <=
    pi: sin(r m/2) >= r sin(m/2) for 0 <= r <= 1.
Source: original to this package.
"""
