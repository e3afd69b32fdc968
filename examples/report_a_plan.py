"""A report on a year of releases: the page, a picture of the trade-off, and what they say."""

import tempfile
from pathlib import Path

from rdpacct import (
    ApproxDP,
    Gaussian,
    Laplace,
    NotInstalledError,
    PoissonSampled,
    privacy_report,
    tradeoff_curve,
)

year = (
    52 * Gaussian(sigma=20)
    + 12 * Laplace(scale=15)
    + 1000 * PoissonSampled(Gaussian(sigma="1.2"), rate="0.002")
)
report = privacy_report(year, "1e-6", claims=[ApproxDP(4, "1e-6")])
print(report.epsilon.stated("epsilon"), "at delta = 1e-6")
for checked in report.claims:
    print(checked.verdict.outcome.value, checked.claim)

print("what each release adds:")
for share in report.shares:
    alone = f"{share.alone:.3f}"
    saved = f"{share.saved.safe_below():.3f}"
    print(f"  {share.release}: {alone} alone, saves at least {saved}")

guess = report.gain.right
print(f"the best guess about a person is right with probability at most {guess:.4f}")

curve = tradeoff_curve(year, points=50)
narrow = all(bound.width < 1e-6 for bound in curve.bounds)
print(f"{len(curve.at)} points of the trade-off, each narrower than 1e-6: {narrow}")

folder = Path(tempfile.gettempdir()) / "rdpacct-report"
folder.mkdir(exist_ok=True)
(folder / "tradeoff.csv").write_text(curve.csv())
try:
    (folder / "report.html").write_text(report.html(), encoding="utf-8")
    print(f"the page and the table are in {folder}")
except NotInstalledError as missing:
    print(missing)
