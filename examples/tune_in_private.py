"""The best of many training runs: what choosing it costs, for three laws of their number."""

from rdpacct import BestOfRuns, Gaussian, PoissonSampled, RepeatAndSelect, epsilon

RUN = "1/2"


def main() -> None:
    print(f"one run: epsilon {RUN}")
    for shape, gamma in (("-1/2", "1/1000"), ("0", "1/50"), ("1", "1/10")):
        tuned = RepeatAndSelect(RUN, gamma, shape)
        runs = float(tuned.mean_runs.bound())
        cost = epsilon(tuned, "1e-6")
        print(f"shape {shape}: {runs:.1f} runs in the mean, epsilon {cost.short()}")
    training = 500 * PoissonSampled(Gaussian(sigma=1), rate="0.01")
    print(f"one training: epsilon {epsilon(training, '1e-6').short()}")
    cost = epsilon(BestOfRuns(training, mean=20), "1e-6")
    print(f"the best of 20 in the mean: epsilon {cost.short()}")


if __name__ == "__main__":
    main()
