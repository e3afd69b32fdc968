"""A mechanism of your own, as a table of exact probabilities: its loss, an audit, and the pair
above it.

The question is "how often do you smoke?" with three answers. An answer is reported truthfully with
probability 1/2, and otherwise replaced, by a neighboring answer rather than by a distant one.
"""

from itertools import pairwise

from rdpacct import FiniteMechanism, PureDP, audit, epsilon, maximally_divergent_above

ANSWERS = ("never", "sometimes", "daily")
TABLE = [
    ["1/2", "3/10", "1/5"],
    ["1/4", "1/2", "1/4"],
    ["1/5", "3/10", "1/2"],
]


def main() -> None:
    mechanism = FiniteMechanism(TABLE)
    for i, answer in enumerate(ANSWERS):
        print(
            f"{answer:9} is reported as",
            ", ".join(f"{name} {p}" for name, p in zip(ANSWERS, TABLE[i], strict=True)),
        )

    never_or_daily = mechanism.loss_between(0, 2)
    print("never against daily")
    print("  largest loss:", never_or_daily.max_divergence())
    print("  mean loss:   ", never_or_daily.mean())
    print("epsilon at delta = 0, over all pairs:   ", epsilon(mechanism, 0))
    print("epsilon at delta = 0.01, over all pairs:", epsilon(mechanism, "0.01"))

    for claim in (PureDP("0.92"), PureDP("0.9")):
        verdict = audit(mechanism, claim)
        print(
            f"{claim} {verdict.outcome.value}",
            f"(witness: {verdict.witness})" if verdict.witness else "",
        )

    print(
        "Lemma 7 of Dwork and Rothblum: split each outcome so that every loss is the"
        " largest one, up to sign"
    )
    p = mechanism.rows[0]
    q = mechanism.rows[2]
    above = maximally_divergent_above(p, q)
    for name, row in zip(("never", "daily"), above.rows, strict=True):
        print(f"  {name:9}", " ".join(map(str, row)))
    print("  largest loss:", above.loss().max_divergence())
    print("  mean loss:   ", above.loss().mean())
    merged = [[a + b for a, b in list(pairwise(row))[::2]] for row in above.rows]
    print(
        "  merging the halves gives the pair back:",
        [tuple(row) for row in merged] == [p, q],
    )


if __name__ == "__main__":
    main()
