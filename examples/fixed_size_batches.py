"""Batches of a fixed size are no Poisson samples: one run of training under each reading.

The same noise and the same number of examples in a batch, for neighbors with one example more or
less, with one replaced, and with one zeroed out. A batch with the example lacks another one, so
that the sum of clipped gradients moves by two norms and not by one. Then batches that are drawn
with replacement, and Poisson samples that are cut at a cap.
"""

from rdpacct import epsilon

STEPS, BATCH, EXAMPLES = 14_063, 256, 60_000
POISSON = f"{STEPS}*PoissonSampled(Gaussian(sigma=1.1), rate={BATCH}/{EXAMPLES})"
FIXED = (
    f"{STEPS}*SampledWithoutReplacement(Gaussian(sigma=1.1, sensitivity=2),"
    f" batch={BATCH}, of={EXAMPLES})"
)
DRAWN = FIXED.replace("WithoutReplacement", "WithReplacement")
CUT = (
    f"{STEPS}*TruncatedPoissonSampled(Gaussian(sigma=1.1), rate={BATCH}/{EXAMPLES},"
    f" of={EXAMPLES}, cap=400)"
)


def main() -> None:
    for name, plan in (("Poisson samples", POISSON), ("fixed batches", FIXED)):
        for relation in ("add_or_remove_one", "zero_out", "replace_one"):
            bound = epsilon(plan, "1e-5", relation=relation)
            ends = f"{float(bound.lower):.5f} to {float(bound.upper):.5f}"
            print(f"{name}, {relation}: {ends}")
    for name, plan in (("drawn with replacement", DRAWN), ("cut at 400", CUT)):
        bound = epsilon(plan, "1e-5")
        print(f"{name}: {float(bound.lower):.5f} to {float(bound.upper):.5f}")
    users = epsilon(POISSON, "1e-5", group=4)
    print(f"Poisson samples, users with 4 examples: {float(users):.5f}")


if __name__ == "__main__":
    main()
