"""A budget in a file that two teams spend from, each on its own part of the data.

Every process that opens the ledger sees what the others have spent. A record of the north is not
touched by what is released about the south, so that each team has the whole budget for its part,
less what was released about everyone.
"""

import tempfile
from pathlib import Path

from rdpacct import ZCDP, Gaussian, Ledger, ZCDPFilter


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "study.json"
        print("all:", Ledger(file, ZCDP("0.1")).spend(Gaussian(sigma=5)))
        for team, sigmas in {"north": (3, 10, 50), "south": (4, 4)}.items():
            for sigma in sigmas:
                decision = Ledger(file).spend(Gaussian(sigma=sigma), part=team)
                print(f"{team}, sigma {sigma}:", decision)
        held = Ledger(file).read()
        print("the whole:", held.guarantee())
        print("by", ", ".join(sorted(held.guarantee().rests_on)))

    budget = ZCDPFilter(1)
    share = budget.reserve(ZCDP("0.4"))
    print("the colleague:", share.spend(Gaussian(sigma=2)))
    print("given back: rho", *share.give_back())
    print(budget)


if __name__ == "__main__":
    main()
