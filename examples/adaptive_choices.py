"""Two exponential mechanisms, and one beside a randomized response: what an adversary gains by
choosing late.

A law that dominates one release need not be attained by two. The script plays the game: the second
pair of score vectors is chosen after the first outcome, and what that gives is compared with the
certified answer.
"""

import math

from rdpacct import Exponential, RandomizedResponse, delta
from rdpacct.testing import adversary


def main() -> None:
    mechanism = Exponential(1)
    pairs = [adversary.pooled(loss) for loss in mechanism.attained()]
    print(f"{len(pairs)} pairs of score vectors for {mechanism}")

    one = adversary.best(pairs, 1.0)
    print(
        f"one release at epsilon 0:  {float(delta(mechanism, 0)):.8f}, played {one:.6f}"
    )

    two = max(adversary.best_after(first, pairs, 1.0) for first in pairs)
    bound = delta(2 * mechanism, 0)
    print(f"two releases:              {float(bound):.8f}, played {two:.6f}")
    print("the play is not above the certified answer:", two <= float(bound.upper))

    answer = adversary.pooled(RandomizedResponse("0.5").loss())
    late = adversary.best_after(answer, pairs, 1.0)
    early = max(adversary.best_after(first, [answer], 1.0) for first in pairs)
    bound = delta(mechanism + RandomizedResponse("0.5"), 0)
    print(f"beside randomized response: {float(bound):.8f}")
    print(f"  scores chosen after its answer {late:.6f}, before it {early:.6f}")

    growth = math.exp(0.3)
    print(
        f"two releases at epsilon 0.3: {float(delta(2 * mechanism, '0.3')):.8f},",
        end=" ",
    )
    print(
        "played"
        f" {max(adversary.best_after(first, pairs, growth) for first in pairs):.6f}"
    )


if __name__ == "__main__":
    main()
