"""Settle three claims about real numbers: Hoeffding's lemma, a version that is too strong, and a
bound on erfc.
"""

from rdpacct import check, prove

CLAIMS = [
    ("log(1-p+p*exp(h)) - p*h <= h**2/8", ["0 < p < 1"]),
    ("log(1-p+p*exp(h)) - p*h <= h**2/8.00001", ["0 < p < 1"]),
    ("erfc(x) <= exp(-x**2)", ["x >= 0"]),
]

for conclusion, given in CLAIMS:
    result = prove(conclusion, given)
    print(f"{result}, given {', '.join(given)}")
    if result.certificate is not None:
        print(f"  the checker says: {check(result.certificate).verdict}")
