"""A certified epsilon: what it is, how wide it is, and what the usual conversions would have
lost.
"""

from rdpacct import ZCDP, ApproxDP, Gaussian, delta, epsilon
from rdpacct.privacy.convert import zcdp_to_approx_classical

STEPS = 1000
SIGMA = 20
DELTA = "1e-12"


def main() -> None:
    plan = STEPS * Gaussian(sigma=SIGMA)
    exact = epsilon(plan, DELTA)
    print(f"{plan} at delta = {DELTA}")
    print(f"  epsilon is in {exact}")
    print(f"  by {exact.how}, relative width {exact.relative_width:.1e}")
    print(f"  the safe double is {float(exact)!r}")

    at_the_ends = delta(plan, exact.upper), delta(plan, exact.lower)
    print(f"  delta at the upper end: {at_the_ends[0]}")
    print(f"  delta at the lower end: {at_the_ends[1]}")

    promise = ZCDP(plan_rho())
    classical = zcdp_to_approx_classical(promise, DELTA)
    improved = promise.to(ApproxDP, delta=DELTA)
    for name, converted in (("classical", classical), ("improved", improved)):
        bound = converted.epsilon.bound()
        more = 100 * (float(bound) / float(exact) - 1)
        print(f"  by way of {promise}, {name}: {bound}, which is {more:.1f}% more")


def plan_rho() -> str:
    """rho of the plan: each release has 1/(2 sigma**2)."""
    return f"{STEPS}/{2 * SIGMA**2}"


if __name__ == "__main__":
    main()
