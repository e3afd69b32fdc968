"""Four ways to ask which of sixteen colors somebody likes, without learning it of anybody.

Every report has the same epsilon for one person. How much a thousand of them say, and what a person
who reports ten times gives away, differs.
"""

from rdpacct import (
    HadamardResponse,
    OptimizedUnaryEncoding,
    RandomizedResponse,
    SubsetSelection,
    SymmetricUnaryEncoding,
    epsilon,
)

COLORS = 16
REPORTS = (
    RandomizedResponse(2, COLORS),
    SymmetricUnaryEncoding(2, COLORS),
    OptimizedUnaryEncoding(2, COLORS),
    HadamardResponse(2, COLORS),
    SubsetSelection(2, COLORS, size=2),
)


def main() -> None:
    for report in REPORTS:
        once = epsilon(report, "1e-6")
        often = epsilon(10 * report, "1e-6")
        print(
            f"{type(report).__name__}: {float(once):.6f}, ten times {float(often):.6f}"
        )
    print("one report:", SubsetSelection(2, COLORS, size=2).sample(3, rng=1))


if __name__ == "__main__":
    main()
