"""A query rounded to a grid moves by at most as many steps as the query, rounded up.

Printed: not in the sources.
Proved: Let a and b be values of the query in steps of the grid, m and n the nearest integers. Then
    m - n < (a - b) + 1. So the integer m - n, written as the difference of two natural numbers, is
    at most the ceiling C of any bound c on a - b: the local sensitivity within each distance, in
    steps and rounded up. The ceiling rises with what is rounded, and so with the distance as that
    of the query does, and within k + 1 of a neighbor it is at least that within k of the data, so
    distances that are read from it move by at most 1.
Idea: Rounding moves each value by at most half a step, and one of them by less.
Source: the rounding of queries before discrete noise, as in Canonne, Kamath and Steinke, The
    discrete Gaussian for differential privacy.
"""

from rdpacct.book.words import (
    Attack, Falsehood, FiniteQuery, Fraction, Iterator, OnGrid, Refused, Statement, Status, Step,
    Symbol, Theorem, Whole, assume, by_prover, combine, given_by, next_whole, random, real,
    relation, relations_of, specialize, under,
)  # fmt: skip


def rounded(part: Statement) -> Iterator[Step]:
    """m is the floor of a + 1/2, and n that of b + 1/2."""
    yield (
        combine(part.claim, part.assuming["below"], part.assuming["above"]),
        "half a step each",
    )


def steps(part: Statement) -> Iterator[Step]:
    """An integer below C + 1 is at most C."""
    terms = [real(one, one) for one in relations_of(*part.given[3:])]
    yield combine("p < q + C + 1", *terms), "the bound, and its ceiling"
    found = specialize(next_whole(), j=Symbol("p"), k=relation("0 < q + C + 1").right)
    found = given_by(found, combine("p < q + C + 1", *terms))
    yield under(combine(part.claim, found), *part.given), "of natural numbers"


def rises(part: Statement) -> Iterator[Step]:
    """An integer below C + 1 is at most C."""
    terms = [real(one, one) for one in relations_of(*part.given[2:])]
    yield combine("B < C + 1", *terms), "B is less than 1 above b"
    found = specialize(next_whole(), j=Symbol("B"), k=Symbol("C") + 1)
    found = given_by(found, combine("B < C + 1", *terms))
    yield under(combine(part.claim, found), *part.given), "of natural numbers"


def attack(seed: int) -> int:
    """Random rational queries on all small data sets: the local sensitivity on the grid, at each
    distance.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(12):
        values = range(rng.randint(2, 3))
        records = rng.randint(1, 3)
        near = FiniteQuery.of_multisets(len, values, records).steps
        table = {data: Fraction(rng.randint(0, 30), 7) for data in near}
        grid = OnGrid(
            FiniteQuery(table.__getitem__, near), Fraction(rng.randint(1, 9), 4)
        )
        exact = FiniteQuery(grid.value, near)
        for data in near:
            for distance in range(records + 1):
                if exact.local_within(data, distance) > grid.local_within(
                    data, distance
                ):
                    raise Refused(
                        f"{table} at {data} moves more on the grid, within {distance}."
                    )
                tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "rounded",
            "rounded values are less than a step farther apart",
            relation("m - n < a - b + 1"),
            rounded,
            assuming={
                "below": assume("m <= a + 1/2"),
                "above": assume("b + 1/2 < n + 1"),
            },
        ),
        Statement(
            "ceiling",
            "so they are at most C steps apart, if C is an integer at least as large as"
            " a bound c on a - b; p - q is the integer m - n",
            relation("p - q <= C"),
            steps,
            (
                *(Whole(name, 0) for name in "pqC"),
                "p - q < a - b + 1",
                "a - b <= c",
                "c <= C",
            ),
        ),
        Statement(
            "rises",
            "the ceiling B of b is at most the ceiling C of a larger c",
            relation("B <= C"),
            rises,
            (*(Whole(name, 0) for name in "BC"), "B - 1 < b", "b <= c", "c <= C"),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "values 1/2 - c and 1/2 go to 0 and 1, however small c is",
            relation("(1/2 - c) + 1/2 < 1"),
            by_prover("so the floor of the left is below 1"),
            ("c > 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the rounded values are no farther apart: a = 1/2, b = 1/2 - c, m = 1 and"
            " n = 0",
            relation("1 <= c"),
            ("0 < c < 1",),
        ),
    ),
    attacks=(Attack("random rational queries on a grid", attack),),
    rules=(OnGrid.local_within,),
)
