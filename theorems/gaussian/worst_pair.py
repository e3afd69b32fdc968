"""Among neighbors at most mu standard deviations apart, those at distance mu are worst.

Printed: not in the sources
Proved: For 0 < d <= mu, every delta(eps) of a shift by d is at most that of a shift by mu, and so
    are the mean, tau**2, rho and all moments at rates t >= 0. The loss of a shift by mu has the
    density that the package ships: its mass up to every s is that of mu x + mu**2/2 <= s for a
    standard normal x. In several dimensions the loss is the sum of those of the coordinates, whose
    noises are independent, and has the moments and the delta of one shift by the Euclidean distance
    (gaussian/composition). The pair is symmetric (gaussian/renyi).
Idea: The best test for d is a threshold; at mu the same threshold has the same false alarms and
    more power.
Source: Balle and Wang (2018), Lemma 7; Dong, Roth and Su (2022).
"""

from rdpacct.book.words import (
    Attack, Density, E, Falsehood, Formal, Fraction, Gaussian, Iterator, Piece, Refused,
    SimpleNamespace, Statement, Status, Step, Stretch, Symbol, Theorem, Transform, at_most,
    at_one_node, below, by_prover, cast, combine, equal, erfc, event, exp, gaussian_delta,
    gaussian_log_moment as log_moment, gaussian_mean as mean, gaussian_rho as rho,
    gaussian_worst_pair as worst_pair, integrate, lemma, normal, one_node, placed, random, real,
    sqrt, tau, theorem,
)  # fmt: skip

mu, d, eps, t, s, loss, A, x = (
    Symbol(name) for name in ("mu", "d", "eps", "t", "s", "loss", "A", "x")
)
HALF = Fraction(1, 2)
CUT = d / 2 + eps / d
NEAR = ("0 < d", "d <= mu")
(STRETCH,) = (part for part in worst_pair(mu).parts if isinstance(part, Piece))
LOSS = Density("P", ("loss",), (), (Stretch(None, None, STRETCH.density),))
POINT = (s - mu**2 / 2) / mu
UP_TO = event(LOSS, "A", at_most(loss, s))
NOISE = event(normal.standard_normal(), "A", at_most(normal.loss(mu, x), s))


def rises(part: Statement) -> Iterator[Step]:
    """The best threshold for d, used at mu."""
    best = placed(lemma("gaussian/delta", "best-test"), *part.given, mu=d)
    yield best, "the best test of the smaller shift is a threshold"
    line = placed(lemma("gaussian/delta", "threshold"), *part.given, c=CUT)
    yield line, "at the larger shift it lies below the line as well"
    scaled = {"t": (CUT - d) / sqrt(2), "s": (CUT - mu) / sqrt(2)}
    more = placed(real("erfc(t) <= erfc(s)", "s <= t"), *part.given, **scaled)
    yield more, "where it has more power"
    yield (
        combine(part.claim, best, (more, Fraction(1, 2)), line),
        "with the same false alarms",
    )


def density(part: Statement) -> Iterator[Step]:
    """Both distribution functions, by antiderivatives."""
    of_loss = -erfc((loss - mu**2 / 2) / mu / sqrt(2)) / 2
    of_noise = -erfc(x / sqrt(2)) / 2
    one = integrate(UP_TO, A, (of_loss, 0), (of_loss,) * 2, *part.given, cuts=(s,))
    yield one, "the mass of the shipped density up to s"
    two = integrate(
        NOISE, A, (of_noise, 0), (of_noise,) * 2, *part.given, cuts=(POINT,)
    )
    yield two, "the probability that mu x + mu**2/2 <= s"
    yield combine(part.claim, one, two), "they agree"


def several_dimensions(part: Statement) -> Iterator[Step]:
    """Coordinates are releases, one after the other."""
    found = lemma("gaussian/composition", part.name)
    allowed = [one for fact in part.assuming.values() for one in fact.hypotheses]
    if not set(found.hypotheses) <= set(allowed):
        raise Refused("the hypotheses on the coordinates are others.")
    yield found, "the squares of the coordinates of the shift add up"


def in_dimensions(name: str, says: str) -> Statement:
    """A part of the entry on composition, with coordinates in the place of releases."""
    source = COORDINATES[name]
    return Statement(
        name, says, source.claim, several_dimensions, source.given, source.assuming
    )


COORDINATES = {part.name: part for part in theorem("gaussian/composition").parts}


def smaller_shifts(seed: int) -> int:
    """Random shifts d <= mu and random epsilons, in balls."""
    rng = random.Random(seed)
    for _ in range(150):
        near, far = sorted(Fraction(rng.randint(1, 60), 10) for _ in range(2))
        level = Fraction(rng.randint(-20, 60), 10)
        if (
            (gaussian_delta(near, level) - gaussian_delta(far, level))
            .ball(200)
            .certainly_positive()
        ):
            raise Refused(
                f"delta({level}) is larger at the shift {near} than at {far}."
            )
    return 150


(LARGEST,) = Gaussian.directions(cast(Gaussian, SimpleNamespace(shift=Formal(mu))))
COMPOSED = at_one_node(cast(Transform, LARGEST.transform).at(one_node(t, 0)))
"""The transform that composition is given, on the real line."""
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "delta",
            "every delta rises with the shift",
            at_most(gaussian_delta(d, eps), gaussian_delta(mu, eps)),
            rises,
            NEAR,
        ),
        Statement(
            "density",
            "the shipped density is that of the loss",
            equal(E(UP_TO, A), E(NOISE, A)),
            density,
            ("mu > 0",),
        ),
        Statement(
            "mean",
            "the mean rises with the shift",
            at_most(mean(d), mean(mu)),
            by_prover("a square"),
            NEAR,
        ),
        Statement(
            "tau",
            "tau rises with the shift",
            at_most(tau(d), tau(mu)),
            by_prover("as it stands"),
            NEAR[1:],
        ),
        Statement(
            "rho",
            "rho rises with the shift",
            at_most(rho(d), rho(mu)),
            by_prover("a square"),
            NEAR,
        ),
        Statement(
            "moments",
            "the moments at rates t >= 0 rise with the shift",
            at_most(log_moment(d, t), log_moment(mu, t)),
            by_prover("a square times t (1 + t)"),
            (*NEAR, "t >= 0"),
        ),
        in_dimensions(
            "many, different",
            "in several dimensions the loss has the moments of one shift by the length:"
            " each coordinate adds the square of its shift, a step of V",
        ),
        in_dimensions(
            "curves",
            "and so the delta of that shift: the first coordinate, of square W, at what the"
            " others leave of the level; each acts as `acts` of gaussian/composition says",
        ),
    ),
    sharp=(
        Statement(
            "composed",
            "what composition is given of the largest shift has its moments",
            equal(COMPOSED.re, exp(log_moment(mu, t))),
            by_prover("the same formula"),
        ),
        Statement(
            "strict",
            "a smaller shift has a smaller delta(0), so the largest one is the worst",
            below(gaussian_delta(d, 0), gaussian_delta(mu, 0)),
            by_prover("a normal distribution function"),
            ("d < mu",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the moments rise at the rate -1/2",
            at_most(log_moment(d, -HALF), log_moment(mu, -HALF)),
            NEAR,
        ),
        Falsehood(
            "delta falls with the shift",
            at_most(gaussian_delta(mu, 1), gaussian_delta(d, 1)),
            NEAR,
        ),
    ),
    attacks=(Attack("random pairs of shifts, in balls", smaller_shifts),),
    rules=(worst_pair, Gaussian.directions),
)
