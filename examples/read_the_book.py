"""The theorem book: what became of each statement, and one theorem with its proof."""

from collections import Counter

from rdpacct.book import ids, lemma, theorem


def main() -> None:
    counts = Counter(theorem(name).verdict.value for name in ids())
    print(
        "entries of the book:",
        ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())),
    )

    fact = lemma("cdp/composition", "one-sided")
    print("adaptive composition:", fact)
    for hypothesis in fact.hypotheses:
        print("  if", hypothesis)
    print("  axioms:", ", ".join(sorted(one.name for one in fact.axioms)) or "none")
    for step in fact.all_parents():
        print(f"  {step.rule:10} {step.statement}")


if __name__ == "__main__":
    main()
