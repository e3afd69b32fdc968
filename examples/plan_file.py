"""A plan file: the budget of a year, what each release takes of it, and the claims about it.

``clinic.toml``, beside this script, lists the releases and the claims.
"""

from pathlib import Path

from rdpacct import audit, epsilon, read_document

PLAN = Path(__file__).with_name("clinic.toml")
DELTA = "1e-6"


def main() -> None:
    """Print the releases with their epsilons, and the verdict on each claim."""
    document = read_document(str(PLAN))
    print(f"{document.title}, for each {document.unit}, {document.relation}")
    for release in document.releases:
        alone = epsilon(release.plan, DELTA)
        print(f"  {release.name}: epsilon in {alone} alone")
    together = epsilon(document.plan, DELTA)
    print(f"  together: epsilon in {together} at delta = {DELTA}")
    for claim in document.claims:
        verdict = audit(document.plan, claim.guarantee)
        print(f"  {claim.name}, {claim.guarantee}: {verdict.outcome}")
    print(f"  plan {document.digest[:16]}")


if __name__ == "__main__":
    main()
