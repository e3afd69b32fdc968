"""An odometer: a study that goes on until its result is clear, with no budget that was fixed in
advance.

After each noisy count the analyst looks, and decides whether to look once more, and how closely.
The odometer says what the privacy loss stays below. All of its readings hold together, but for
delta, so that it does no harm to stop because of what was seen.
"""

import random

from rdpacct import Gaussian, ZCDPOdometer

TRUE_COUNT = 1040
LIMIT = 1000
DELTA = "1e-6"


def main() -> None:
    noise = random.Random(11)
    running = ZCDPOdometer(DELTA)
    sigma = 400
    weight = total = 0.0
    while True:
        print(running.spend(Gaussian(sigma=sigma)))
        total += (TRUE_COUNT + noise.gauss(0, sigma)) / sigma**2
        weight += 1 / sigma**2
        error = weight**-0.5
        seen = total / weight
        print(f"  about {seen:.0f}, give or take {error:.0f}")
        if abs(seen - LIMIT) > 2 * error:
            break
        sigma = max(10, sigma // 2)
    verdict = "above" if seen > LIMIT else "below"
    print(f"the count is {verdict} {LIMIT}, after {running.releases} releases")
    print("by", ", ".join(sorted(running.bound().rests_on)))


if __name__ == "__main__":
    main()
