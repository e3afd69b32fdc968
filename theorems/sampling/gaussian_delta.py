"""The curve of one Gaussian release of a Poisson sample, from two normal tails.

Printed: not in the sources
Proved: Let x be standard normal, R(x) = 1 - q + q exp(mu x - mu**2/2), 0 < q < 1 and mu > 0. With w
    = exp(eps) - 1 + q the loss log R of removing the record exceeds eps exactly for x > s, s =
    log(w/q)/mu + mu/2, and always if w <= 0. The half-line has probability Phi(-s) under N(0, 1)
    and (1 - q) Phi(-s) + q Phi(mu - s) under the mixture, and E max(R - exp(eps), 0) is the second
    less exp(eps) times the first. With w = exp(-eps) - 1 + q the loss -log R of adding the record
    exceeds eps exactly for x < s, and never if w <= 0; E max(1 - exp(eps) R, 0) is Phi(s) less
    exp(eps) ((1 - q) Phi(s) + q Phi(s - mu)).
Idea: R rises with x; its mean on a half-line is a sum of two normal tails.
Source: Zhu, Dong and Wang, Optimal accounting of differential privacy via characteristic function.
"""

from rdpacct.book.words import (
    Attack, Callable, Comparison, E, Event, Expr, Falsehood, Fraction, Iterator, Real, Refused,
    SampledGaussian, Statement, Status, Step, Symbol, Theorem, at_most, below, by_prover, combine,
    equal, erfc, exp, expect, finite, formula, formulas, given_by, integrate, lemma, linear, log,
    maximum, normal, normal_cdf, random, read, real, relations, sampled_events, specialize, sqrt,
    under,
)  # fmt: skip

mu, q, w, x, s, A, e = (Symbol(name) for name in ("mu", "q", "w", "x", "s", "A", "e"))
KAPPA = 1 - q + w
N = normal.standard_normal()
SAMPLED = ("mu > 0", "0 < q", "q < 1")


def ratio(at: Real) -> Expr:
    """The density of the mixture over that of N(0, 1)."""
    return 1 - q + q * exp(mu * formula(at) - mu**2 / 2)


def edge(level: Real) -> Expr:
    """Where the ratio is 1 - q + level."""
    return log(formula(level) / q) / mu + mu / 2


def tails(at: Expr, sign: int) -> tuple[Expr, Expr]:
    """The probabilities of the half-line above (or below) a point, under N(0, 1) and under the
    mixture.
    """
    near = normal_cdf(-sign * at)
    return near, (1 - q) * near + q * normal_cdf(-sign * (at - mu))


ABOVE = normal.lies_above(N, "A", s)
BELOW = normal.lies_below(N, "A", s)
MASS = -erfc(x / sqrt(2)) / 2
MIXED_MASS = -(1 - q) * erfc(x / sqrt(2)) / 2 - q * erfc((x - mu) / sqrt(2)) / 2


def half_line(law: Event) -> Callable[[Statement], Iterator[Step]]:
    """The probability under N(0, 1)."""

    def proof(part: Statement) -> Iterator[Step]:
        found = normal.probability(law, s)
        yield found, "an antiderivative on the half-line"
        yield combine(part.claim, found), "a normal tail"

    return proof


def mixed_half_line(law: Event) -> Callable[[Statement], Iterator[Step]]:
    """The probability under the mixture."""

    def proof(part: Statement) -> Iterator[Step]:
        plain = normal.probability(law, s)
        moved = normal.probability(law, s, shift=mu)
        yield moved, "the probability under the shifted law"
        body = normal.mean_of(moved).body
        line = linear(
            law, A * ratio(x), {A: 1 - q, body: q}, finite(plain), finite(moved)
        )
        yield combine(part.claim, line, (plain, 1 - q), (moved, q)), "the mixture"

    return proof


def excess(sign: int) -> Callable[[Statement], Iterator[Step]]:
    """The mean of the positive part, cut where the ratio is exp(eps), or exp(-eps)."""

    def proof(part: Statement) -> Iterator[Step]:
        given = relations(*(one for one in part.given if isinstance(one, str)))
        gap = sign * (ratio(x) - ratio(s))
        at = edge(w)
        size = formula(1) if sign > 0 else 1 / KAPPA
        sides = []
        for order, rising in (("x <= s", -1), ("s <= x", 1)):
            counts = rising == sign
            side = real(at_most(0, gap) if counts else at_most(gap, 0), order, *SAMPLED)
            rule = (
                real("max(0, z) == z", "0 <= z")
                if counts
                else real("max(0, z) == 0", "z <= 0")
            )
            value = given_by(specialize(rule, z=gap), side)
            sides.append((under(value, order, *SAMPLED), *((side,) if counts else ())))
        yield sides[0][0], "the ratio rises with x"
        gained = sign * (MIXED_MASS - ratio(s) * MASS)
        pieces = (formula(0), gained) if sign > 0 else (gained, formula(0))
        found = integrate(
            N,
            maximum(0, gap),
            pieces,
            (MASS,) * 2,
            *SAMPLED,
            cuts=(s,),
            on=tuple(sides),
        )
        yield found, "two tails from the point s"
        there = specialize(under(found, *given), s=at)
        level = real(equal(ratio(at), KAPPA), *given)
        yield level, "where the loss is eps"
        new = ratio(x) - KAPPA if sign > 0 else 1 - ratio(x) / KAPPA
        rule = specialize(
            real("max(0, u) == c*max(0, v)", "u == c*v", "c > 0", *given),
            u=new,
            c=size,
            v=gap.at(s=at),
        )
        line = combine(
            equal(new, size * gap.at(s=at)), (level, sign * size), given=given
        )
        same = under(given_by(rule, line), *given)
        scaled = linear(
            N,
            size * maximum(0, gap.at(s=at)),
            {maximum(0, gap.at(s=at)): size},
            finite(there),
        )
        mean = expect(same, N, finite(scaled))
        near, _ = tails(at, sign)
        yield (
            combine(
                part.claim, mean, scaled, (there, size), (level, -sign * size * near)
            ),
            "two tails",
        )

    return proof


def balls(seed: int) -> int:
    """The shipped events at random parameters against the formulas, in balls."""
    rng = random.Random(seed)
    for _ in range(100):
        point = {
            "mu": Fraction(rng.randint(1, 40), 10),
            "q": Fraction(rng.randint(1, 19), 20),
        }
        level = Fraction(rng.randint(-30, 30), 10)
        sign = rng.choice((1, -1))
        part = SampledGaussian(formula(point["mu"]), formula(point["q"]), sign > 0)
        weight = exp(sign * level) - 1 + point["q"]
        if weight.ball(128).certainly_positive():
            near, mixed = (one.at(w=weight, **point) for one in tails(edge(w), sign))
            value = mixed - exp(level) * near if sign > 0 else near - exp(level) * mixed
        else:
            value = 1 - exp(level) if sign > 0 else formula(0)
        gap = part.excess(level, 128) - value.ball(128)
        if gap.certainly_positive() or gap.certainly_negative():
            raise Refused(
                f"the excess of {part} at {level} is not that of the two tails."
            )
    return 100


def tail_part(name: str, says: str, sign: int, mixed: bool) -> Statement:
    """The probability of a half-line under one of the two laws."""
    law = ABOVE if sign > 0 else BELOW
    body = A * ratio(x) if mixed else A
    proof = mixed_half_line(law) if mixed else half_line(law)
    return Statement(name, says, equal(E(law, body), tails(s, sign)[mixed]), proof)


def curve(sign: int) -> Comparison:
    """The excess of the loss over eps."""
    near, mixed = tails(edge(w), sign)
    if sign > 0:
        return equal(E(N, maximum(0, ratio(x) - KAPPA)), mixed - KAPPA * near)
    return equal(E(N, maximum(0, 1 - ratio(x) / KAPPA)), near - mixed / KAPPA)


WEIGHED = (*SAMPLED, "w > 0")


def shipped(name: str, sign: int) -> Statement:
    """The curve with the shipped probabilities, at eps = log(1 - q + w) or its opposite."""
    level = sign * log(KAPPA)
    under_p, under_q = events(sign, level, *WEIGHED)

    def proof(part: Statement) -> Iterator[Step]:
        found = lemma("sampling/gaussian-delta", "remove" if sign > 0 else "add")
        yield found, "the curve"
        yield combine(part.claim, found, given=part.given), "as it is shipped"

    return Statement(
        name,
        f"delta(eps) of {'removing' if sign > 0 else 'adding'}, from the shipped"
        f" probabilities of a loss above eps = {level}",
        equal(curve(sign).left, under_p - exp(level) * under_q),
        proof,
        WEIGHED,
    )


def events(sign: int, level: Expr, *given: str) -> tuple[Expr, Expr]:
    """The probabilities that ship, under P and Q, that the loss exceeds a level."""
    shift, rate, threshold = formulas(mu, q, level, given=given)
    found = sampled_events(shift, rate, threshold, removing=sign > 0)
    return read(found[0]), read(found[1])


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    sure = events(1, e, "exp(e) - 1 + q <= 0")
    never = events(-1, e, "exp(-e) - 1 + q <= 0")
    return Theorem(
        verdict=Status.PROVED,
        parts=(
            tail_part("above", "the half-line above s under N(0, 1)", 1, False),
            tail_part(
                "above-mixed", "the half-line above s under the mixture", 1, True
            ),
            tail_part("below", "the half-line below s under N(0, 1)", -1, False),
            tail_part(
                "below-mixed", "the half-line below s under the mixture", -1, True
            ),
            Statement(
                "rises",
                "the loss of removing rises with x, so that it exceeds eps on a half-line",
                below(ratio(s), ratio(x)),
                by_prover("an exponential"),
                ("mu > 0", "0 < q", "s < x"),
            ),
            Statement(
                "remove",
                "delta(eps) of removing, exp(eps) = 1 - q + w",
                curve(1),
                excess(1),
                WEIGHED,
            ),
            Statement(
                "add",
                "delta(eps) of adding, exp(-eps) = 1 - q + w",
                curve(-1),
                excess(-1),
                WEIGHED,
            ),
            shipped("shipped remove", 1),
            shipped("shipped add", -1),
            Statement(
                "always",
                "for w <= 0 the loss of removing always exceeds eps, and that of adding"
                " never does",
                below(KAPPA, ratio(x)),
                by_prover("the exponential is positive"),
                ("0 < q", "w <= 0"),
            ),
            Statement(
                "sure",
                "with the shipped probabilities delta(eps) is then 1 - exp(eps)",
                equal(sure[0] - exp(e) * sure[1], 1 - exp(e)),
                by_prover("both are 1"),
            ),
            Statement(
                "never",
                "or 0",
                equal(never[0] - exp(e) * never[1], 0),
                by_prover("both are 0"),
            ),
        ),
        falsehoods=(
            Falsehood(
                "the edge is at log(w/q)/mu",
                equal(
                    ratio(edge(w) - mu / 2).at(mu=1, q=Fraction(1, 2)),
                    KAPPA.at(q=Fraction(1, 2)),
                ),
                ("w > 0",),
            ),
        ),
        attacks=(Attack("the shipped excess at random parameters, in balls", balls),),
        rules=(sampled_events,),
    )
