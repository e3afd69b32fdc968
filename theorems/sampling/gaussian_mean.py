"""What the mean loss of a sampled Gaussian release leaves out beyond the ends of its integral.

Printed: not in the sources
Proved: Let R(x) = 1 - q + q exp(mu x - mu**2/2), 0 < q < 1, mu > 0 and l = -log(1 - q). Then |log
    R(x)| <= l + mu |x|. For t >= 0 the mean of |log R| beyond t or beyond -t under N(0, 1) is at
    most (l/2 + mu/sqrt(2 pi)) exp(-t**2/2) on each side, and under N(mu, 1) beyond mu + t or beyond
    mu - t at most ((l + mu**2)/2 + mu/sqrt(2 pi)) exp(-t**2/2). So what is left out under N(0, 1),
    and under the mixture of the two, is at most what the package ships. What it integrates between
    these ends, about the center c of a component, is the loss times the density there, in each of
    its two forms.
Idea: On a half-line the bound l + mu |x| integrates to a normal tail and a density.
Source: elementary.
"""

from rdpacct.book.words import (
    Any, Attack, Condition, E, Event, Expr, Fact, Falsehood, Formal, Fraction, Iterator, PI, Real,
    Refused, SampledGaussian, Statement, Status, Step, Symbol, Theorem, absolute, at_most,
    by_prover, cases, cast, combine, dominated, equal, erfc, exp, expect, finite, formula, formulas,
    given_by, integrate, linear, log, normal, normal_density, random, read, real, relations,
    sampled_gaussian_part_left_out as left_out, specialize, sqrt, under, weighted_loss,
)  # fmt: skip

mu, q, t, x, c, A = (Symbol(name) for name in ("mu", "q", "t", "x", "c", "A"))
N = normal.standard_normal()
LOST = -log(1 - q)
SAMPLED = ("mu > 0", "0 < q", "q < 1")
FAR = (*SAMPLED, "t >= 0")


def log_ratio(at: Real) -> Expr:
    """The loss of removing the record."""
    return log(1 - q + q * exp(mu * formula(at) - mu**2 / 2))


def size(constant: Expr) -> Expr:
    """The bound on one side."""
    return (constant / 2 + mu / sqrt(2 * PI)) * exp(-(t**2) / 2)


def bound(*given: str | Condition) -> Fact:
    """|log R| <= l + mu |x|."""
    loss = log_ratio(x)
    most = LOST + mu * absolute(x)
    u = mu * x - mu**2 / 2
    m = mu * absolute(x)
    positive = real(at_most(0, m), "mu > 0")
    grown = given_by(
        specialize(real("exp(u) <= exp(m)", "u <= m"), u=u, m=m),
        real(at_most(u, m), "mu > 0"),
    )
    start = given_by(specialize(real("1 <= exp(m)", "0 <= m"), m=m), positive)
    mixed = specialize(
        real("1 - q + q*y <= z", "y <= z", "1 <= z", "0 < q", "q < 1"),
        y=exp(u),
        z=exp(m),
    )
    inner = given_by(mixed, grown, start)
    logged = specialize(
        real("log(v) <= -log(1 - q) + m", "0 < v", "v <= exp(m)", "0 < q", "q < 1"), m=m
    )
    least = specialize(real("0 < 1 - q + q*y", "0 < y", "0 < q", "q < 1"), y=exp(u))
    least = given_by(least, specialize(real("0 < exp(u)"), u=u))
    upper = given_by(specialize(logged, v=inner.relation.left), least, inner)
    fall = specialize(
        real("log(1 - q) - m <= log(1 - q + y)", "q < 1", "0 <= y", "0 <= m"),
        m=m,
        y=q * exp(u),
    )
    rest = [positive, real(at_most(0, q * exp(u)), "0 < q")]
    lower = combine(at_most(-most, loss), given_by(fall, *rest))
    both = specialize(real("abs(z) <= c", "z <= c", "-c <= z", *given), z=loss, c=most)
    return under(given_by(both, upper, lower), *given)


def loss_proof(part: Statement) -> Iterator[Step]:
    """R lies between 1 - q and exp(mu |x|)."""
    yield (
        bound(*(one for one in part.given if isinstance(one, str))),
        "R lies between 1 - q and exp(mu |x|)",
    )


def line_beyond(
    law: Event, point: Expr, sign: int, constant: Expr, *given: str | Condition
) -> Fact:
    """The mean of constant + mu |x| on the half-line."""
    chance = normal.probability(law, point)
    flat = -erfc(x / sqrt(2)) / 2
    density = -normal_density(x, 0, 1)
    pieces = (formula(0), density) if sign > 0 else (-density, formula(0))
    first = integrate(law, A * (sign * x), pieces, (flat,) * 2, *given, cuts=(point,))
    body = A * (constant + mu * sign * x)
    line = linear(
        law,
        body,
        {A: constant, A * (sign * x): mu},
        finite(chance),
        finite(first),
        where=relations("q < 1"),
    )
    value = constant * chance.relation.right + mu * normal_density(point, 0, 1)
    return combine(equal(E(law, body), value), line, (chance, constant), (first, mu))


def moved_bound() -> Fact:
    """|log R(x + mu)| <= l + mu**2 + mu |x|."""
    loss = specialize(bound(*SAMPLED), x=x + mu)
    apart = real("abs(x + mu) <= abs(x) + mu", "mu > 0")
    claim = at_most(loss.relation.left, LOST + mu**2 + mu * absolute(x))
    return under(combine(claim, loss, (apart, mu), given=SAMPLED), *SAMPLED)


def side(name: str, says: str, sign: int, used: bool) -> Statement:
    """The part for one half-line, about the center of the component that is ``used`` or not."""
    point = sign * t
    shift = mu if used else formula(0)
    constant = LOST + mu**2 if used else LOST
    law = (
        normal.lies_above(N, "A", point)
        if sign > 0
        else normal.lies_below(N, "A", point)
    )
    body = A * absolute(log_ratio(x + shift))

    def proof(part: Statement) -> Iterator[Step]:
        given = tuple(one for one in part.given if isinstance(one, str))
        mean = line_beyond(law, point, sign, constant, *given)
        yield mean, "constant + mu |x| on the half-line"
        line = normal.mean_of(mean).body
        weight = cases(law, at_most(0, A))
        loss = moved_bound() if used else bound(*SAMPLED)
        more = cases(law, at_most(A * loss.relation.right, line), *given)
        rule = real("A*u <= v", "0 <= A", "u <= w", "A*w <= v", *SAMPLED)
        rule = specialize(rule, u=loss.relation.left, v=line, w=loss.relation.right)
        upper = given_by(rule, weight, loss, more)
        yield upper, "is more than the loss"
        lower = given_by(
            specialize(
                real("0 <= A*abs(z)", "0 <= A", *SAMPLED), z=log_ratio(x + shift)
            ),
            weight,
        )
        over = expect(
            upper, law, dominated(upper, law, finite(mean), lower=lower), finite(mean)
        )
        chance = specialize(real("erfc(v/sqrt(2))/2 <= exp(-v**2/2)/2", "v >= 0"), v=t)
        tail = under(
            combine(
                at_most(mean.relation.right, size(constant)),
                (chance, constant),
                given=given,
            ),
            *given,
        )
        yield tail, "a normal tail is at most exp(-t**2/2)/2"
        yield combine(part.claim, over, mean, tail), "together"

    return Statement(name, says, at_most(E(law, body), size(constant)), proof, FAR)


def precisions(seed: int) -> int:
    """The shipped mean with near ends of the integral against far ones, in balls."""
    rng = random.Random(seed)
    for _ in range(12):
        part = SampledGaussian(
            formula(Fraction(rng.randint(1, 30), 10)),
            formula(Fraction(rng.randint(1, 19), 20)),
            rng.random() < 0.5,
        )
        gap = part.mean(24) - part.mean(96)
        if gap.certainly_positive() or gap.certainly_negative():
            raise Refused(f"the mean of {part} depends on where its integral ends.")
    return 12


LEFT = exp(-(t**2) / 2) * left_out(mu, LOST)


def shipped_loss(above: bool) -> Expr:
    """What is integrated, over sqrt(2 pi)."""
    place, center, shift, rate = formulas(x, c, mu, q)
    found = weighted_loss(
        cast(Any, place), center, shift, rate, above, cast(Any, Formal.log)
    )
    return read(found) / sqrt(2 * PI)


AT_CENTER = log_ratio(x + c) * normal_density(x, 0, 1)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "below",
            "what is integrated where the density of the component that is not used is"
            " the larger part of R",
            equal(shipped_loss(False), AT_CENTER),
            by_prover("1 - q is a factor of R"),
            SAMPLED,
        ),
        Statement(
            "above",
            "where it is the smaller part",
            equal(shipped_loss(True), AT_CENTER),
            by_prover("the other part is a factor of R"),
            SAMPLED,
        ),
        Statement(
            "loss",
            "the loss grows no faster than mu |x|",
            at_most(absolute(log_ratio(x)), LOST + mu * absolute(x)),
            loss_proof,
            SAMPLED,
        ),
        side("high", "under N(0, 1) above t", 1, used=False),
        side("low", "under N(0, 1) below -t", -1, used=False),
        side("used-high", "under N(mu, 1) above mu + t", 1, used=True),
        side("used-low", "under N(mu, 1) below mu - t", -1, used=True),
        Statement(
            "adding",
            "beyond -t and t, under N(0, 1), is at most what is shipped",
            at_most(2 * size(LOST), LEFT),
            by_prover("term by term"),
            ("mu > 0", "0 < q", "q < 1"),
        ),
        Statement(
            "removing",
            "the same under the mixture, each component about its own center",
            at_most(2 * (1 - q) * size(LOST) + 2 * q * size(LOST + mu**2), LEFT),
            by_prover("term by term"),
            ("mu > 0", "0 < q", "q < 1"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the loss is at most mu |x|",
            at_most(absolute(log_ratio(x)), mu * absolute(x)),
            ("mu > 0", "0 < q", "q < 1"),
        ),
        Falsehood(
            "about the center mu it is no larger than about 0",
            at_most(absolute(log_ratio(x + mu)), LOST + mu * absolute(x)),
            ("mu > 0", "0 < q", "q < 1"),
        ),
    ),
    attacks=(Attack("the shipped mean at two precisions, in balls", precisions),),
    rules=(weighted_loss, left_out),
)
