"""A replaced record in draws with replacement: one copy of it, and several, apart.

Printed: not in the sources
Proved: A batch of draws with replacement has j copies of a record with the probability w_j,
    whatever the other draws T are. Given T, let a, b_j and d_j be the densities of the output
    without copies, with j copies of the record, and with j of the one that replaces it, and let u
    and v be the sums of w_j b_j and of w_j d_j, with a for j = 0. A part of the batches without a
    copy goes with those that have one: u - k v is the sum of two such differences, and the positive
    part of a sum is at most the sum of the positive parts. (1) The first is that of a batch without
    replacement with the shipped rate, times the shipped probability of this case: the folded pair
    dominates it (sampling/without-replacement). (2) The second is that of several records of a
    sample, of which j are sampled with the shipped probability: for Gaussian noise the mixture of
    moves by j shifts up, against that of moves down, dominates it (sampling/several-records, whose
    levels hold for any probabilities). (3) Copies that are not followed count as an infinite loss,
    with at least their probability. The three cases side by side dominate, at every level k >= 0;
    beside a ramp so they do with the flattened pair for the first (sampling/replaced-together).
Idea: Many copies are rare, and what they may add is small if few batches without a copy go with
    them; one copy is as bad as without replacement.
Source: original to this package; Balle, Barthe and Gaboardi (2018), Privacy amplification by
    subsampling, divide the batches without a copy in proportion.
"""

from rdpacct.book.words import (
    Attack, Falsehood, Fraction, Gaussian, Iterator, Random, Refused, Relation,
    SampledWithReplacement, Statement, Status, Step, Symbol, Theorem, at_most, by_prover, combine,
    equal, math, maximum, one_copy_case, positive_part, proves, real, several_case, specialize,
)  # fmt: skip

x, y, z, none, one, part, share = map(
    Symbol, ("x", "y", "z", "none", "one", "part", "share")
)
RATE, CASE = one_copy_case(none, one, part)
REST = 1 - none - one - share
SEVERAL = several_case(share, CASE, REST)
FIRST = ("0 < none", "0 < one", "part < 1")
SECOND = ("0 < none", "0 <= share", "0 < part")


def planes(seed: int) -> int:
    """Two records that move the query in the plane, at most a shift from each other and from the
    others, by random half-planes in doubles, against the shipped curve.
    """
    rng = Random(seed)
    for _ in range(6):
        draws = rng.randint(2, 4)
        of = rng.randint(10, 60)
        inside = Gaussian(1).stated_for(Relation.REPLACE_ONE)
        release = SampledWithReplacement(
            inside, draws, of, relation=Relation.REPLACE_ONE
        )
        shift = float(inside.shift.bound().upper)
        level = Fraction(rng.randint(0, 20), 10)
        most = float(release.profile().delta(level).upper)
        chances = [
            math.comb(draws, j) * (1 / of) ** j * (1 - 1 / of) ** (draws - j)
            for j in range(draws + 1)
        ]
        far = rng.choice((0.5, 1.0))
        turn = math.pi if far == 0.5 else rng.uniform(0, math.pi / 3)
        size = shift * far
        moves = [(size, 0.0), (size * math.cos(turn), size * math.sin(turn))]
        for _ in range(40):
            way = rng.uniform(-0.5, 0.5)
            edge = rng.uniform(-1, 3)
            masses = []
            for move in moves:
                along = move[0] * math.cos(way) + move[1] * math.sin(way)
                tails = [
                    math.erfc((edge - j * along) / math.sqrt(2)) / 2
                    for j in range(draws + 1)
                ]
                pairs = zip(chances, tails, strict=True)
                masses.append(sum(chance * tail for chance, tail in pairs))
            if masses[0] - math.exp(float(level)) * masses[1] > most + 1e-9:
                raise Refused(f"{release} is exceeded at {level} by {moves}.")
    return 240


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "apart",
            "the positive part of a sum is at most the sum of the positive parts",
            at_most(
                maximum(x + y + z, 0), maximum(x, 0) + maximum(y, 0) + maximum(z, 0)
            ),
        ),
        Statement(
            "one copy",
            "the batches with one copy, of those of the first case",
            equal(CASE * RATE, one),
            by_prover("as it stands"),
            FIRST,
        ),
        Statement(
            "no copy",
            "the batches without a copy that go with them",
            equal(CASE * (1 - RATE), none * (1 - part)),
            by_prover("as it stands"),
            FIRST,
        ),
        Statement(
            "several copies",
            "the batches with several copies, of those of the second case",
            equal((1 - CASE - REST) * SEVERAL, share),
            by_prover("as it stands"),
            SECOND,
        ),
        Statement(
            "no copy, but with several",
            "the other batches without a copy",
            equal((1 - CASE - REST) * (1 - SEVERAL), none * part),
            by_prover("as it stands"),
            SECOND,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the positive parts of two cases are at most that of the whole",
            at_most(maximum(x, 0) + maximum(y, 0), maximum(x + y, 0)),
            (),
        ),
        Falsehood(
            "all batches without a copy can go with both cases",
            at_most(one + none + share + none, none + one + share),
            (*FIRST, "0 <= share"),
        ),
    ),
    attacks=(Attack("half-planes for two moves of a replaced record", planes),),
    rules=(one_copy_case, several_case),
)


@proves("apart")
def apart(part: Statement) -> Iterator[Step]:  # noqa: ARG001
    """A maximum is subadditive."""
    sticks = maximum(x, 0) + maximum(y, 0) + maximum(z, 0)
    line, least = (real(text) for text in ("v <= max(v, 0)", "0 <= max(v, 0)"))
    terms = (x, y, z)
    upper = combine(
        at_most(x + y + z, sticks), *(specialize(line, v=term) for term in terms)
    )
    lower = combine(at_most(0, sticks), *(specialize(least, v=term) for term in terms))
    yield upper, "each term is at most its positive part"
    yield positive_part(upper, lower), "and none of these is negative"
