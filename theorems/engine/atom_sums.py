"""A profile as a sum over atoms: those that are kept, and at most a Chernoff bound for the others.

Printed: not in the sources
Proved: Let M(s) = E exp(s L) and let F be 1 where an atom of the loss was left out and 0 elsewhere.
    If the left-out atoms have the share r of the tilted law, E F exp(s L) = r M(s), they have at
    most r M(s) exp(-s eps) c(s) of the profile, r times the shipped bound of engine/chernoff. For
    kept atoms a and b of two lists with tilted masses v and w, the share M v w exp(-s (a + b)) (1 -
    exp(eps - a - b)) of the profile is a product of sums over each list under P, less exp(eps)
    times one under Q. For an atom a of one list beside other losses it is the profile of these at
    eps - a.
Idea: Chernoff's bound holds for any part of a law; the exponential of a sum is a product.
Source: elementary.
"""

from rdpacct.book.words import (
    AtomMixture, AtomSums, Attack, E, Expr, Falsehood, Fraction, GaussianCurve, Iterator, Law,
    Quantity, RealBall, Refused, Statement, Status, Step, Symbol, Theorem, assume, at_most,
    by_prover, chernoff, combine, dominated, equal, example, exp, formula, formulas,
    fubini_one_by_one as one_by_one, independent_of, integrable, lemma, linear, masses, maximum,
    module, precision, random, raw_real as ball, read, real, share_left_out, specialize,
)  # fmt: skip

s, eps, m, r, v, w, a, b, y = map(
    Symbol, ("s", "eps", "m", "r", "v", "w", "a", "b", "y")
)
CHERNOFF = module("engine/chernoff")
BOUND = read(chernoff(*formulas(m, s, eps)))
TRIES = 40


def left_out(part: Statement) -> Iterator[Step]:
    """Chernoff's bound for the left-out atoms, whose moment is r exp(m)."""
    whole = specialize(lemma("engine/chernoff", "bound"), m=m + LOG)
    yield whole, "Chernoff's bound for a part of the law"
    yield (
        combine(part.claim, whole, given=part.given),
        "r is the exponential of its logarithm",
    )


def share(part: Statement) -> Iterator[Step]:
    """All but the kept ones."""
    kept = part.assuming["kept"]
    every = part.assuming["all"]
    whole = exp(s * CHERNOFF.L)
    finite = (
        integrable(every, every.relation.left),
        integrable(kept, kept.relation.left),
    )
    rest = linear(CHERNOFF.P, CHERNOFF.MOMENT, {whole: 1, OTHERS: -1}, *finite)
    yield rest, "the others are all but those that are kept"
    most = real("1 - k <= max(1 - k, 0)")
    yield combine(part.claim, rest, every, (kept, -1), (most, exp(m))), "so"


k = Symbol("k")
KEEPS = formulas(k)
OTHERS = (1 - CHERNOFF.F) * exp(s * CHERNOFF.L)
LOG = Symbol("l")
KEPT = exp(m) * v * w * exp(-s * (a + b)) * (1 - exp(eps - a - b))
UNDER_P = (exp(m) * v * exp(-s * a)) * (w * exp(-s * b))
UNDER_Q = exp(eps) * (exp(m) * v * exp(-(s + 1) * a)) * (w * exp(-(s + 1) * b))


x, z, t, gap = map(Symbol, ("x", "z", "t", "gap"))
ATOMS, BESIDE = Law("A", ("x",)), Law("B", ("z",))
SUM = independent_of(ATOMS, BESIDE)


def stick(exponent: Expr) -> Expr:
    """max(0, 1 - exp(y))."""
    return maximum(0, 1 - exp(exponent))


def profile(level: Expr) -> Expr:
    """That of the losses beside."""
    return Quantity("h", (level,))


def atom_by_atom(part: Statement) -> Iterator[Step]:
    """Given the atom, the others are at eps less it."""
    inner = specialize(part.assuming["profile"], t=eps - x)
    body = eps - x - z
    yield inner, "given the atom"
    least, most = (
        specialize(real(text), y=body)
        for text in ("0 <= max(0, 1 - exp(y))", "max(0, 1 - exp(y)) <= 1")
    )
    finite = dominated(most, SUM, lower=least)
    yield one_by_one(SUM, inner, least, finite), "the losses are independent"


def attack(seed: int) -> int:
    """Random atoms, some of them left out: the shipped sums against the exact profile, in balls."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        with precision(128):
            tilt = ball(Fraction(rng.randint(2, 40), 10))
            level = ball(Fraction(rng.randint(-10, 40), 10))
            first = _atoms(rng)
            second = _atoms(rng)
            logs = [_tilted(atoms, tilt) for atoms in (first, second)]
            base = logs[0][0] + logs[1][0]
            outer, inner = (kept[: rng.randint(1, len(kept))] for _, kept in logs)
            inner.sort(key=lambda atom: float(atom[0]))
            found = AtomSums(tilt, base, outer, inner).enclosure(level)
            pairs = [(x + z, p * t) for x, p in first for z, t in second]
            exact = sum(
                (p * (1 - (level - x).exp()).max(ball(0)) for x, p in pairs),
                start=ball(0),
            )
            others = GaussianCurve(ball(Fraction(rng.randint(1, 30), 10)))
            moment = tilt * (1 + tilt) * others.mu * others.mu / 2
            left = 1 - sum((mass for _, mass in outer), start=ball(0))
            under_p = [(x, (logs[0][0] - tilt * x).exp() * mass) for x, mass in outer]
            mixed = AtomMixture(
                tilt, logs[0][0] + moment, left.max(ball(0)), under_p, others
            ).enclosure(level)
            beside = sum(
                (p * others.enclosure(level - x) for x, p in first), start=ball(0)
            )
            if not (found.overlaps(exact) and mixed.overlaps(beside)):
                raise Refused(
                    f"the atoms {first} and {second} break the sums over them at"
                    f" {level}."
                )
    return TRIES


def _atoms(rng: random.Random) -> list[tuple[RealBall, RealBall]]:
    """Random losses with their masses under P."""
    return [
        (ball(Fraction(rng.randint(-30, 30), 10)), ball(p))
        for p in masses(rng, rng.randint(1, 5))
    ]


def _tilted(
    atoms: list[tuple[RealBall, RealBall]], tilt: RealBall
) -> tuple[RealBall, list[tuple[RealBall, RealBall]]]:
    """The logarithm of the moment, and the tilted atoms."""
    sizes = [p * (tilt * x).exp() for x, p in atoms]
    total = sum(sizes, start=ball(0))
    return total.log(), [
        (x, size / total) for (x, _), size in zip(atoms, sizes, strict=True)
    ]


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "left-out",
            "the atoms that are left out, where r = exp(l) is their share of the tilted"
            " law and m = log M(s)",
            at_most(E(CHERNOFF.P, CHERNOFF.EXCESS), exp(LOG) * BOUND),
            left_out,
            ("s > 0",),
            {"moment": assume(equal(E(CHERNOFF.P, CHERNOFF.MOMENT), exp(m + LOG)))},
        ),
        Statement(
            "share",
            "whichever atoms are kept, if they have the share k of the tilted law the"
            " others have at most the shipped one",
            at_most(
                E(CHERNOFF.P, CHERNOFF.MOMENT), read(share_left_out(*KEEPS)) * exp(m)
            ),
            share,
            (),
            {
                "kept": assume(equal(E(CHERNOFF.P, OTHERS), k * exp(m))),
                "all": assume(equal(E(CHERNOFF.P, exp(s * CHERNOFF.L)), exp(m))),
            },
        ),
        Statement(
            "kept",
            "two kept atoms: a product under P, less one under Q",
            equal(KEPT, UNDER_P - UNDER_Q),
            by_prover("the exponential of a sum is a product"),
        ),
        Statement(
            "atom by atom",
            "the profile of a sum is the mean over the atoms x of the one loss of the"
            " profile of the other at epsilon less x",
            equal(E(SUM, stick(eps - x - z)), E(SUM, profile(eps - x))),
            atom_by_atom,
            (),
            {"profile": assume(equal(E(BESIDE, stick(t - z)), profile(t)), every="t")},
            example(
                {"eps": 0},
                {"A": [(1, "2/3"), (-1, "1/3")], "B": [(0, 1)]},
                h=("t", "max(0, 1 - exp(t))"),
            ),
        ),
        Statement(
            "close",
            "an atom above epsilon has its mass under P less exp(epsilon) times that"
            " under Q, and whether it is above or not its excess",
            equal(v - v * exp(-gap), v * maximum(1 - exp(-gap), 0)),
            by_prover("the excess is positive"),
            ("gap > 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "at s = 1 the left-out atoms add at most a fifth of M(s) exp(-s eps) times"
            " their share",
            at_most(1 - exp(-y), exp(y) * formula(Fraction(1, 5))),
            ("y >= 0",),
        ),
    ),
    attacks=(Attack("random atoms, some of them left out, in balls", attack),),
    rules=(share_left_out, AtomSums.enclosure, AtomMixture.enclosures),
)
