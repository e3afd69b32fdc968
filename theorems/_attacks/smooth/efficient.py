"""What is tried against smooth/efficient."""

from rdpacct.book.words import Attack, Fraction, Refused, module, product, random

ENTRY = module("smooth/efficient")
k = ENTRY.k
y = ENTRY.y


def search(seed: int) -> int:
    """Random queries on small data sets, exp(-beta) = r: both maxima agree, and k = 0 is worth 1/r
    at most.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(12):
        values, rows = rng.choice(((2, 1), (2, 3), (3, 2)))
        data = list(product(range(values), repeat=rows))
        r = Fraction(rng.randint(1, 9), 10)
        f = {x: rng.randint(0, 4) for x in data}
        away = {
            (x, y): sum(a != b for a, b in zip(x, y, strict=True))
            for x in data
            for y in data
        }
        local = {
            x: Fraction(max(abs(f[x] - f[y]) for y in data if away[x, y] <= 1))
            for x in data
        }
        for x in data:
            star = max(local[y] * r ** away[x, y] for y in data)
            terms = [
                r**k * max(local[y] for y in data if away[x, y] == k)
                for k in range(rows + 1)
            ]
            if star != max(terms) or max(terms[1:]) < r * star:
                raise Refused(
                    f"the smooth sensitivity of {f} at {x} is not the maximum over"
                    " distances."
                )
            tried += 1
    return tried


ATTACKS = (Attack("random queries on all data sets of a few rows", search),)
