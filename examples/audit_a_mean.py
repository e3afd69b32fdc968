"""A noisy mean with the wrong noise and one with the right noise, run against their claim.

The mean of values in [0, 1] changes by at most 1/n if one of n records is replaced. The first
release divides by the number of records after it has scaled its noise, so that the noise is too
small; the second is right. Both are run on two neighboring data sets. The refutation of the first
is written as a certificate, which the small checker accepts by itself.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rdpacct import audit_code, check_refutation

EPSILON = 1
CLAIM = f"PureDP(epsilon={EPSILON})"
DATA = (0.1, 0.9, 0.4, 0.0)
NEIGHBOR = (0.1, 0.9, 0.4, 1.0)
TRIALS = 50_000


def hasty_mean(data: Sequence[float], rng: Any, size: int) -> Any:
    """Noise for a sum of sensitivity 1, divided once too often."""
    count = len(data)
    return sum(data) / count + rng.laplace(scale=1 / EPSILON, size=size) / count**2


def right_mean(data: Sequence[float], rng: Any, size: int) -> Any:
    """Noise for a mean of sensitivity 1/n."""
    count = len(data)
    return sum(data) / count + rng.laplace(scale=1 / EPSILON, size=size) / count


def main() -> None:
    broken = audit_code(hasty_mean, DATA, NEIGHBOR, CLAIM, trials=TRIALS)
    print("the hasty mean:", broken)
    text = json.dumps(broken.certificate())
    refuted = check_refutation(json.loads(text))
    print(f"the checker accepts, by {refuted.method} bets on {refuted.events[0]}")
    with ThreadPoolExecutor(2) as pool:
        right = audit_code(
            right_mean, DATA, NEIGHBOR, CLAIM, trials=TRIALS, executor=pool
        )
    print("the right mean:", right)
    assert broken.fails
    assert right.undecided


if __name__ == "__main__":
    main()
