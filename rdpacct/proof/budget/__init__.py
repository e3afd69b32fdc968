"""The checker of budgets: accepts the certificate of an epsilon only if the numbers bear it out.

It has its own worst pairs, its own transforms and its own quadrature, in balls, and imports the
standard library, the ball backend and the limits on work of the checker of claims. No engine takes
part: what the engine found comes in as data, a line with its nodes or the unit of a lattice, and
everything is computed anew.

A certificate is ``{"format": "rdpacct-budget", "version": 1, "relation": ..., "releases": [...],
"delta": ..., "epsilon": {"least": ..., "most": ...}, "bits": ..., "ways": {...}}``. It says: the
smallest epsilon at which the releases together are (epsilon, delta)-private lies between ``least``
and ``most``.
"""

from rdpacct.proof.budget.certificate import CertifiedBudget, check_budget

__all__ = ["CertifiedBudget", "check_budget"]
