"""The largest mean loss and the largest Renyi divergences of a bounded range.

Printed: not in the sources.
Proved: If the losses of a pair lie in an interval of length eps, then E L <= log((e**eps - 1)/eps)
    - 1 + eps/(e**eps - 1), and E exp(t L) is at most (t > 0), or at least (-1 < t < 0), exp(t D)
    for the shipped D of order 1 + t. Pairs with two outcomes attain the mean, and D for every order
    above 1.
Idea: A chord in exp(-L) leaves pairs with two losses, eta and eta - eps; a tangent in exp(eta)
    finds the worst eta.
Source: Dong, Durfee and Rogers, Optimal differential privacy composition for exponential
    mechanisms, Section 3.
"""

from rdpacct.book.words import (
    Attack, Comparison, E, Expr, Falsehood, HIGH, Iterator, LOW, Law, Real, Refused, Statement,
    Status, Step, Symbol, Table, Theorem, any_pair, at_most, atoms_of, bounded_range_DOWN as DOWN,
    bounded_range_L as L, bounded_range_MASS as MASS, bounded_range_P as P, bounded_range_UP as UP,
    bounded_range_eps as eps, combine, dominated, equal, eta, exp, exponential_mean as mean,
    formula, log, on_the_chord, random, real, renyi, specialize, table, under,
)  # fmt: skip

t = Symbol("t")
y = Symbol("y")
BEST = (exp(eps) - 1) / eps
TOP = 1 - exp(-(t + 1) * eps)
ODDS = t * TOP / ((t + 1) * (exp(-eps) * (1 - exp(-t * eps))))


def mean_proof(part: Statement) -> Iterator[Step]:
    """The chord of -log, then log x <= x - 1."""
    mass = part.assuming["ratio of laws"]
    known = (*P.support, *part.given)
    chord = real(
        "eps*(exp(w) - 1)/(exp(eps) - 1) <= w", "0 <= w", "w <= eps", *part.given
    )
    yield chord, "exp is convex"
    line = combine(
        at_most(L, UP * eta + DOWN * (eta - eps)),
        under(specialize(chord, w=eta - L), *known),
    )
    yield line, "the chord between the ends of the range"
    finite = dominated(real("abs(L) <= abs(eta) + eps", *known), P)
    two = on_the_chord(line, finite, mass, eta, eta - eps, *part.given)
    yield two, "two losses are worst"
    tangent = specialize(
        real("eta <= log(A) + exp(eta)/A - 1", "A > 0", *part.given), A=BEST
    )
    yield (
        combine(part.claim, two, under(tangent, *part.given)),
        "and the worst upper end is log((e**eps - 1)/eps)",
    )


def moment_proof(part: Statement) -> Iterator[Step]:
    """The chord of a power, then a tangent."""
    mass = part.assuming["ratio of laws"]
    known = (*P.support, *part.given)
    turned = part.claim.left == exp(t * renyi(eps, 1 + t))

    def order(left: Real, right: Real) -> Comparison:
        if turned:
            return at_most(right, left)
        return at_most(left, right)

    tangent = real(order(1, exp(-t * y) + t * (exp(y) - 1)), *part.given)
    yield tangent, "a power of exp(-L) is convex, or concave"
    ends = [under(specialize(tangent, y=at), *known) for at in (L - eta + eps, L - eta)]
    high = exp(t * eta)
    low = exp(t * (eta - eps))
    claim = order(exp(t * L), UP * high + DOWN * low)
    line = combine(claim, (ends[0], DOWN * exp(t * L)), (ends[1], UP * exp(t * L)))
    yield line, "the chord between the ends of the range"
    widest = exp(-t * eps) if turned else 1
    finite = dominated(
        real(at_most(exp(t * L), exp(t * eta) * widest), *known),
        P,
        lower=real("0 <= exp(t*L)"),
    )
    two = on_the_chord(line, finite, mass, high, low, *part.given)
    yield two, "two losses are worst"
    scale = TOP / ((t + 1) * (1 - exp(-eps)))
    best = under(specialize(tangent, y=eta - log(ODDS)), *part.given)
    yield best, "the worst upper end"
    yield (
        combine(part.claim, two, (best, scale * exp(t * eta))),
        "which gives the closed form",
    )


def attained(part: Statement) -> Iterator[Step]:
    """A pair with two losses."""
    (atom,) = atoms_of(part.claim)
    total = table(atom.law, atom.body, *part.given)  # type: ignore[attr-defined]
    yield total, "two losses"
    yield combine(part.claim, total), "with the best upper end"


def two_losses(upper: Expr) -> Law:
    """The pair with the losses eta and eta - eps, for this eta."""
    rows = (((eta,), HIGH), ((eta - eps,), LOW))
    return Table("P", ("L",), (), rows).at(eta=upper)


def attack(seed: int) -> int:
    """Random pairs of laws against the largest mean and the largest divergence of order 2."""
    rng = random.Random(seed)
    for _ in range(120):
        pair = any_pair(rng, rng.randint(2, 5))
        ratios = pair.ratios()
        if max(ratios) == min(ratios):
            continue
        length = log(max(ratios) / min(ratios))
        kl = sum(
            (mass * log(ratio) for mass, ratio in zip(pair.p, ratios, strict=True)),
            formula(0),
        )
        second = log(
            sum(mass * ratio for mass, ratio in zip(pair.p, ratios, strict=True))
        )
        for value, bound in ((kl, mean(length)), (second, renyi(length, formula(2)))):
            if (value - bound).ball(128).certainly_positive():
                raise Refused(f"the pair {pair} breaks a bound.")
    return 120


ABOVE = at_most(E(P, exp(t * L)), exp(t * renyi(eps, 1 + t)))
BELOW = at_most(exp(t * renyi(eps, 1 + t)), E(P, exp(t * L)))
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "mean",
            "the largest mean loss",
            at_most(E(P, L), mean(eps)),
            mean_proof,
            ("eps > 0",),
            {"ratio of laws": MASS},
        ),
        Statement(
            "above",
            "orders above 1",
            ABOVE,
            moment_proof,
            ("eps > 0", "t > 0"),
            {"ratio of laws": MASS},
        ),
        Statement(
            "below",
            "orders below 1",
            BELOW,
            moment_proof,
            ("eps > 0", "-1 < t", "t < 0"),
            {"ratio of laws": MASS},
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "two losses attain the mean",
            equal(E(two_losses(log(BEST)), L), mean(eps)),
            attained,
            ("eps > 0",),
        ),
        Statement(
            "attained-above",
            "two losses attain the divergence of every order above 1",
            equal(E(two_losses(log(ODDS)), exp(t * L)), exp(t * renyi(eps, 1 + t))),
            attained,
            ("eps > 0", "t > 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the mean loss is at most eps**2/9",
            at_most(mean(eps), eps**2 / 9),
            ("eps > 0",),
        ),
        Falsehood(
            "the divergence of order 2 is at most eps/2",
            at_most(renyi(eps, formula(2)), eps / 2),
            ("eps > 0",),
        ),
    ),
    attacks=(Attack("random finite pairs", attack),),
    rules=(mean, renyi),
)
