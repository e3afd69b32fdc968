"""Broken mechanisms that look right, before two auditors: ours, and one that looks at frequencies
alone.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from rdpacct import audit_code
from rdpacct.testing import TWINS, Twin, score_card

Code = Callable[..., Any]
SHOWN = "sparse-vector-4"
NUMBERS = ("best-of-five-runs", "laplace-half-scale", "median-local-sensitivity")


def by_bets(code: Code, twin: Twin) -> bool:
    """The audit of this package: a true claim is refuted once in a thousand audits."""
    return audit_code(
        code, twin.x, twin.x_neighbor, twin.claim, trials=twin.trials, score=twin.score
    ).fails


def by_frequencies(code: Code, twin: Twin) -> bool:
    """The largest ratio of frequencies above a threshold, on the outputs that chose it."""
    rng = np.random.default_rng(0)
    outputs = [code(data, rng, 1000) for data in (twin.x, twin.x_neighbor)]
    ratios = [
        (first > threshold).mean() / max((second > threshold).mean(), 1e-3)
        for threshold in outputs[0]
        for first, second in (outputs, outputs[::-1])
    ]
    return bool(max(ratios) > math.e)


def main() -> None:
    twins = {twin.name: twin for twin in TWINS}
    shown = twins[SHOWN]
    print(shown.note)
    print(
        audit_code(
            shown.broken, shown.x, shown.x_neighbor, shown.claim, trials=shown.trials
        )
    )

    print("\nThe twins that a few thousand trials refute, before our auditor:")
    print(score_card(by_bets, [twin for twin in TWINS if twin.trials <= 5000]))

    naive = score_card(by_frequencies, [twins[name] for name in NUMBERS])
    print("\nAn auditor without statistics also blames the right versions of")
    print(", ".join(naive.blamed))


if __name__ == "__main__":
    main()
