"""A budget that somebody else can check: written by the engine, re-checked without it."""

import json
from fractions import Fraction

from rdpacct import InputError, budget_certificate, check_budget

PLAN = "10000*PoissonSampled(Gaussian(sigma=1), rate=0.01) + 2*Laplace(scale=8)"
DELTA = "1e-6"


def main() -> None:
    certificate = budget_certificate(PLAN, DELTA)
    print(f"{PLAN} at delta = {DELTA}")
    print(f"  the certificate has {len(json.dumps(certificate))} characters")

    budget = check_budget(certificate)
    print(f"  accepted: epsilon <= {float(budget.most):.6f}")
    print(f"  it rests on {len(budget.rests_on)} theorems of the book")

    too_low = Fraction(certificate["epsilon"]["most"]) * Fraction(999, 1000)
    forged = {**certificate, "epsilon": {"least": None, "most": str(too_low)}}
    try:
        check_budget(forged)
    except ValueError as rejected:
        print(f"  with the upper end 0.1 % lower: rejected, {rejected}")

    try:
        budget_certificate("Exponential(epsilon=1)", DELTA)
    except InputError as refused:
        print(f"  another plan: {str(refused).split(':')[0]}")


if __name__ == "__main__":
    main()
