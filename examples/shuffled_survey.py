"""A survey of a million people by randomized response, whose answers are shuffled.

Each person has epsilon 2 against everybody who sees the own answer. Whoever sees all answers in a
random order learns a hundred times less about a person; for each randomizer the two ends say what
is certain.
"""

from rdpacct import epsilon

PEOPLE = 1_000_000
REPORTS = (
    "PureDP(epsilon=2)",
    "RandomizedResponse(epsilon=2)",
    "RandomizedResponse(epsilon=2, answers=10)",
)


def main() -> None:
    for report in REPORTS:
        bound = epsilon(f"Shuffled({report}, people={PEOPLE})", "1e-9")
        print(f"{report}: {float(bound.lower):.5f} to {float(bound.upper):.5f}")
    daily = epsilon(f"30*Shuffled(PureDP(epsilon=2), people={PEOPLE})", "1e-9")
    print(f"thirty surveys of any kind: at most {float(daily):.5f}")


if __name__ == "__main__":
    main()
