"""A yes or no drawn from a Gaussian output breaks the centered form, for every tau > 0.

Printed: not in the sources
Proved: For tau > 0 and c = 8 + 8/tau**2, answer yes with probability exp(-(x - c)**2 (c**2 - 1)/2)
    at the noise x of a Gaussian output. Yes has probability exp(-k) under P and exp(-k - r) under
    Q, with k = (c**2 - 1)/2 + log(c) and r = (c tau + tau**2/2) (1 - 1/c**2). The loss of the
    answer is not tau-subgaussian about its mean, although the Gaussian loss is.
Idea: For two outcomes with log odds K and gap R between their losses, the centered moment at the
    rate 2 K/R is exp((1 - 2 a) K), a = 1/(1 + exp(K)); it exceeds exp(t**2 tau**2/2) if 2 tau**2 K
    < R**2 (1 - 2 a). A rare answer has R near c tau + tau**2/2 and K near c**2/2: the gap wins by
    tau**3 c.
Source: This package; the moment of two outcomes is that of Kearns and Saul (1998).
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Refused, Refutation, Statement, Status, Step, Symbol,
    Table, Theorem, assume, at_most, below, combine, equal, erfc, exp, given_by, integrate, lemma,
    log, normal, placed, random, real, specialize, sqrt, table, under,
)  # fmt: skip

t, x, X, c, tau, K, R, k, r, s = (
    Symbol(name) for name in ("t", "x", "X", "c", "tau", "K", "R", "k", "r", "s")
)
N = normal.standard_normal()
ANSWER = exp(-((x - c) ** 2) * (c**2 - 1) / 2)
LOSS = normal.loss(tau, x)
ODDS = log(exp(k) - 1)
GAP = log(exp(k + r) - 1) - log(exp(k) - 1)
RARE = (c**2 - 1) / 2 + log(c)
FAR = (c * tau + tau**2 / 2) * (1 - 1 / c**2)
YES = 1 / (1 + exp(K))
TWO = Table("S", ("X",), (), (((R * (1 - YES),), YES), ((-R * YES,), 1 - YES)))
CENTERED = at_most(E(TWO, exp(t * X)), exp(t**2 * tau**2 / 2))
ENOUGH = "2*tau**2*k < r**2*(1 - 2*exp(-k))"
WIDE = "2*tau**2*K < R**2*(1 - 2/(1 + exp(K)))"
SCALE = 8 + 8 * s**2


def two_outcomes(part: Statement) -> Iterator[Step]:
    """The moment at the rate 2 K/R."""
    rate = 2 * K / R
    there = [one for one in part.given if one != WIDE]
    value = table(TWO, exp(rate * X), *there)
    exact = combine(equal(E(TWO, exp(rate * X)), exp((1 - 2 * YES) * K)), value)
    yield exact, "the centered moment of two outcomes at the rate 2 K/R"
    low = combine(
        below(rate**2 * tau**2 / 2, (1 - 2 * YES) * K),
        (real(WIDE, *part.given), K / R**2),
    )
    larger = real("exp(u) < exp(v)", "u < v", *there)
    more = given_by(
        specialize(larger, u=rate**2 * tau**2 / 2, v=(1 - 2 * YES) * K), low
    )
    yield more, "which is more than allowed"
    most = placed(part.assuming["centered"], *there, t=rate)
    yield combine(part.claim, more, (exact, -1), most), "which is absurd"


def yes_under_p(part: Statement) -> Iterator[Step]:
    """Two squares in the exponent make one."""
    primitive = -exp(-RARE) * erfc((c * x - (c**2 - 1)) / sqrt(2)) / 2
    found = integrate(N, ANSWER, (primitive,), (-erfc(x / sqrt(2)) / 2,), *part.given)
    yield combine(part.claim, found), "by an antiderivative"


def yes_under_q(part: Statement) -> Iterator[Step]:
    """The same with the ratio exp(-L), which moves the center of the noise by tau."""
    primitive = -exp(-RARE - FAR) * erfc((c * x + tau / c - (c**2 - 1)) / sqrt(2)) / 2
    found = integrate(
        N, exp(-LOSS) * ANSWER, (primitive,), (-erfc(x / sqrt(2)) / 2,), *part.given
    )
    yield combine(part.claim, found), "by an antiderivative"


def every_tau(part: Statement) -> Iterator[Step]:
    """With s = 1/tau: a logarithm and an exponential are bounded, and what is left is rational."""
    given = part.given
    slow = real(at_most(2 * log(SCALE), 4 * s + 5), *given)
    yield slow, "the logarithm grows slowly"
    rare = placed(real("2*exp(-(c**2 - 1)/2)/c <= 1/c**4", "c >= 8"), *given, c=SCALE)
    yield rare, "yes is rare"
    square = (SCALE + 1 / s / 2) ** 2 * (1 - 1 / SCALE**2) ** 2
    rest = real(below(SCALE**2 - 1 + 4 * s + 5, square * (1 - 1 / SCALE**4)), *given)
    yield rest, "what is left is rational"
    found = combine(
        part.claim, (rest, (1 / s**2)), (slow, (1 / s**2)), (rare, square * (1 / s**2))
    )
    yield found, "together"


def odds_gap(part: Statement) -> Iterator[Step]:
    """K is at most k, R at least r, and the share of yes is exp(-k)."""
    there = [one for one in part.given if one != ENOUGH]
    less = combine(
        at_most(ODDS, k),
        placed(real("log(v - 1) <= log(v)", "v > 1"), *there, v=exp(k)),
    )
    yield less, "the log odds are at most k"
    more = placed(real(at_most(r, GAP), "k > 0", "r > 0"), *there)
    yield more, "the gap is at least r"
    share = real(equal(1 / (1 + exp(ODDS)), exp(-k)), *there)
    yield share, "yes has probability exp(-k)"
    o = Symbol("o")
    g = Symbol("g")
    y = Symbol("y")
    wide = real("r**2 <= g**2", "r <= g", *there)
    bounds = (
        real(ENOUGH, *part.given),
        (real("o <= k", "o <= k"), 2 * tau**2),
        (wide, 1 - 2 * exp(-k)),
    )
    known = combine(
        below(2 * tau**2 * o, g**2 * (1 - 2 * y)),
        *bounds,
        (real("y == exp(-k)", "y == exp(-k)"), 2 * g**2),
    )
    found = given_by(
        specialize(known, o=ODDS, g=GAP, y=1 / (1 + exp(ODDS))), less, more, share
    )
    yield found, "so what holds of k and r holds of K and R"


def refuted(part: Statement) -> Iterator[Step]:
    """The parts above, at the probabilities of the answer."""
    general, odds, enough = (
        lemma("cdp/processed-gaussian", name)
        for name in ("two-outcomes", "odds", "every-tau")
    )
    there = ("k >= 1", "r > 0")
    moved = specialize(under(general, *general.domain, *there), K=ODDS, R=GAP)
    gap = combine(
        below(0, GAP), real("0 < r", "r > 0"), real(at_most(r, GAP), "k > 0", "r > 0")
    )
    known = given_by(moved, real(below(0, ODDS), "k >= 1"), under(gap, *there), odds)
    yield known, "for any two outcomes"
    values = {"k": RARE.at(**AT), "r": FAR.at(**AT), "tau": AT["tau"]}
    here = specialize(under(known, *known.domain, *part.given), **values)
    some = [
        real(at_most(1, values["k"]), *part.given),
        real(below(0, values["r"]), *part.given),
    ]
    yield given_by(here, *some, enough), "for yes and no"


def randomly(seed: int) -> int:
    """Random tau: the condition of the entry at its c, in balls."""
    rng = random.Random(seed)
    for _ in range(60):
        width = Fraction(rng.randint(1, 200), rng.choice((10, 100, 1000)))
        at = {"c": 8 + 8 / width**2, "tau": width}
        low = RARE.at(**at)
        far = FAR.at(**at)
        if (
            not (far**2 * (1 - 2 * exp(-low)) - 2 * width**2 * low)
            .ball(400)
            .certainly_positive()
        ):
            raise Refused(
                f"the answer at tau = {width} does not break the centered form."
            )
    return 60


AT = {"c": SCALE, "tau": 1 / s}
LAW = TWO.at(K=ODDS, R=GAP).at(k=RARE.at(**AT), r=FAR.at(**AT))
ANSWERED = at_most(E(LAW, exp(t * X)), exp(t**2 * AT["tau"] ** 2 / 2))
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "two-outcomes",
            "if 2 tau**2 K < R**2 (1 - 2 a), a tau-subgaussian centered loss of the two"
            " outcomes gives 0 < 0",
            below(0, 0),
            two_outcomes,
            ("K > 0", "R > 0", WIDE),
            {"centered": assume(CENTERED, every="t")},
        ),
        Statement(
            "yes-under-p",
            "the probability of yes under P",
            equal(E(N, ANSWER), exp(-RARE)),
            yes_under_p,
            ("c > 1",),
        ),
        Statement(
            "yes-under-q",
            "the probability of yes under Q",
            equal(E(N, exp(-LOSS) * ANSWER), exp(-RARE - FAR)),
            yes_under_q,
            ("c > 1",),
        ),
        Statement(
            "every-tau",
            "2 tau**2 k < r**2 (1 - 2 exp(-k)) for every tau = 1/s > 0, with c = 8 + 8"
            " s**2",
            below(
                2 * AT["tau"] ** 2 * RARE.at(**AT),
                FAR.at(**AT) ** 2 * (1 - 2 * exp(-RARE.at(**AT))),
            ),
            every_tau,
            ("s > 0",),
        ),
        Statement(
            "odds",
            "the log odds K = log(exp(k) - 1) and the gap R of outcomes with"
            " probabilities exp(-k) and exp(-k - r)",
            below(2 * tau**2 * ODDS, GAP**2 * (1 - 2 / (1 + exp(ODDS)))),
            odds_gap,
            ("k >= 1", "r > 0", ENOUGH),
        ),
        Statement(
            "refuted",
            "for every tau = 1/s > 0: if the centered loss of the answer were"
            " tau-subgaussian, then 0 < 0",
            below(0, 0),
            refuted,
            ("s > 0",),
            {"centered": assume(ANSWERED, every="t")},
        ),
    ),
    falsehoods=(
        Falsehood(
            "a yes or no drawn from a Gaussian output has a tau-subgaussian loss, as"
            " the output has",
            ANSWERED,
            ("s > 0",),
            lambda: Refutation(
                "yes with probability exp(-(x - c)**2 (c**2 - 1)/2), c = 8 + 8/tau**2,"
                " for every tau > 0",
                (lemma("cdp/processed-gaussian", "refuted"),),
            ),
        ),
    ),
    attacks=(Attack("random tau, in balls", randomly),),
)
