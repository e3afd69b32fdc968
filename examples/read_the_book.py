"""The theorem book: what became of each printed statement, and one theorem with its proof."""

from collections import Counter

from rdpacct.book.errata import is_from_the_sources
from rdpacct.proof.entries import ids, lemma, theorem


def main() -> None:
    printed = [name for name in ids() if is_from_the_sources(name)]
    counts = Counter(theorem(name).verdict.value for name in printed)
    print(
        "statements of the sources:",
        ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())),
    )

    fact = lemma("cdp/composition", "one-sided")
    print("adaptive composition:", fact)
    for hypothesis in fact.hypotheses:
        print("  if", hypothesis)
    print("  axioms:", ", ".join(sorted(fact.axioms)) or "none")
    for step in fact.all_parents():
        print(f"  {step.rule:10} {step.statement}")


if __name__ == "__main__":
    main()
