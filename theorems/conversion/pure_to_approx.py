"""The smallest delta of pure differential privacy at another epsilon.

Printed: not in the sources.
Proved: If the losses lie in [-eps, eps], eps > 0, then P(S) <= exp(at) Q(S) + max(0, (exp(eps) -
    exp(at))/(1 + exp(eps))) for every event S and every at >= 0; for every test F with values in
    [0, 1] as well.
Idea: With y = exp(-L) and k = exp(at): F (1 - k y) <= max(0, 1 - k exp(-eps)) times the part of the
    outcome that gets the loss eps in the maximally divergent pair, and that part has mean
    exp(eps)/(1 + exp(eps)).
Source: Kairouz, Oh and Viswanath, The composition theorem for differential privacy.
"""

from rdpacct.book.words import (
    Attack, BETWEEN, E, Falsehood, Fraction, Iterator, Law, PureDP, RESPONSE, Refused, Statement,
    Status, Step, Symbol, TEST, Theorem, assume, at_most, at_parts, bounded_pair, combine, equal,
    exp, expect, formula, given_by, integrable, linear, pure_to_approx, random, ratios_B as B,
    ratios_F as F, ratios_L as L, ratios_d as d, ratios_eps as eps, ratios_w as w, real, relations,
    specialize, table, tested, tilt, tilted,
)  # fmt: skip

D = Symbol("D")
at = Symbol("at")
P = Law("P", ("L", "F"), (*relations("-eps <= L", "L <= eps"), *TEST))
Q = tilted("Q", P, exp(-L))
DELTA = pure_to_approx(PureDP(eps), at).delta
NEEDED = (exp(eps) - exp(at)) / (1 + exp(eps))
TRIES = 200


def proof(part: Statement) -> Iterator[Step]:
    """The line for any D that is above 0 and above the delta without its maximum; then at the
    larger of the two.
    """
    mass = part.assuming["mass"]
    k = exp(at)
    gain = D * (1 + exp(-eps))
    heavy, light = BETWEEN[:2]
    total, center = (real(one, one) for one in BETWEEN[2:])
    enough = real(at_most(NEEDED, D), at_most(NEEDED, D))
    small = real("1 <= exp(at)*exp(eps)", *part.given)
    uses = ((enough, w * (1 + exp(-eps))), (total, -1), (center, k), (small, d))
    line = combine(at_most(1 - k * exp(-L), w * gain), *uses, given=(heavy, light))
    yield line, "where the test gains, it gains at most that share"
    signs = ("0 <= D", "0 <= F", heavy)
    test = combine(
        at_most(F - k * exp(-L) * F, w * gain),
        (line, F),
        (real("F <= 1", "F <= 1"), w * gain),
        given=signs,
    )
    yield test, "and a test does no better"
    test = at_parts(test, *part.given)
    both, other = tested(P, k, mass)
    share = linear(
        P,
        test.relation.right,
        {exp(-L): -gain / (exp(eps) - exp(-eps))},
        integrable(mass, E(P, exp(-L))),
        constant=gain * exp(eps) / (exp(eps) - exp(-eps)),
        where=part.given,
    )
    over = expect(
        test,
        P,
        integrable(both, both.relation.left),
        integrable(share, share.relation.left),
    )
    back = tilt(Q, F, mass, other)
    found = combine(
        at_most(E(P, F), k * E(Q, F) + D),
        (both, -1),
        over,
        share,
        (back, -k),
        (mass, -gain / (exp(eps) - exp(-eps))),
    )
    yield found, "averaged, with E exp(-L) = 1"
    larger = [
        specialize(real(one), x=NEEDED) for one in ("x <= max(0, x)", "0 <= max(0, x)")
    ]
    yield given_by(specialize(found, D=DELTA), *larger), "for the smallest such D"


def attained(part: Statement) -> Iterator[Step]:
    """The test that asks for the likely answer."""
    test = (1 + B) / 2
    forth = table(RESPONSE, test)
    back = table(RESPONSE, exp(-eps * B) * test)
    yield forth, "the likely answer, under P"
    yield back, "and under Q"
    yield combine(part.claim, forth, back), "the difference"


def attack(seed: int) -> int:
    """Random pairs with ratios in [1/k, k]: the exact delta in rationals, at a random exp(at)."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        k = 1 + Fraction(rng.randint(1, 40), rng.randint(1, 12))
        order = 1 + Fraction(rng.randint(0, 30), 8)
        pair = bounded_pair(rng, k, rng.randint(2, 4))
        exact = sum(
            (
                max(Fraction(0), a - order * b)
                for a, b in zip(pair.p, pair.q, strict=True)
            ),
            Fraction(0),
        )
        if exact > max(Fraction(0), (k - order) / (1 + k)):
            raise Refused(
                f"the pair {pair} breaks the bound at k = {k} and exp(at) = {order}."
            )
    return TRIES


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "delta",
            "delta at another epsilon is at most that of randomized response",
            at_most(E(P, F), exp(at) * E(Q, F) + DELTA),
            proof,
            ("eps > 0", "at >= 0"),
            {"mass": assume(equal(E(P, exp(-L)), 1))},
        ),
    ),
    sharp=(
        Statement(
            "response",
            "randomized response attains it, up to at = eps",
            equal(
                E(RESPONSE, (1 + B) / 2)
                - exp(at) * E(RESPONSE, exp(-eps * B) * (1 + B) / 2),
                NEEDED,
            ),
            attained,
        ),
    ),
    falsehoods=(
        Falsehood(
            "delta falls to exp(-at) times what it is at 0, here below what randomized"
            " response needs",
            at_most(NEEDED, exp(-at) * NEEDED.at(at=formula(0))),
            ("eps > 0", "at >= 0"),
        ),
        Falsehood(
            "no delta is needed for at < eps",
            at_most(NEEDED, 0),
            ("eps > 0", "at >= 0", "at < eps"),
        ),
    ),
    attacks=(Attack("random pairs of bounded ratio, with their exact delta", attack),),
    rules=(pure_to_approx,),
)
