"""The aliases of a quadrature: what a sum over a grid adds to the profile, on either side.

Printed: not in the sources
Proved: Let g(x) = E[F (1 - exp(x - L))_+] be the finite part of the profile. For all t, W > 0 and
    all n, the sum of exp(-t j W) g(eps - j W) over j = 1, ..., n is at most the shipped exp(-t
    W)/(1 - exp(-t W)). If M(s) = exp(m) at a second tilt s > t, the sum of exp(t j W) g(eps + j W)
    is at most the shipped chernoff(m, s, eps) r/(1 - r), where r = exp(-(s - t) W). If no loss
    exceeds eps + W, each of these terms is 0. The bounds do not depend on n. engine/every-loss
    needs no more than these functions at each loss, and engine/quadrature on the average.
Idea: g is at most 1, and falls like Chernoff's bound (engine/chernoff): both sums are below
    geometric ones.
Source: This package.
"""

from rdpacct.book.words import (
    Attack, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Line, Refused, Statement, Status,
    Step, Symbol, Theorem, Whole, aliases_above, aliases_below, assume, at_most, chernoff, combine,
    dominated, equal, example, exp, expect, formulas, given_by, lemma, masses, maximum, random,
    raw_real as ball, read, real, recursive, relations, series_geometric as geometric,
    series_n as n, series_sums as sums, specialize, total, under,
)  # fmt: skip

s, eps, m, t, W, v, top = (
    Symbol(name) for name in ("s", "eps", "m", "t", "W", "v", "top")
)
P = Law("P", ("L", "F"), relations("0 <= F <= 1"))
L = P.symbol("L")
F = P.symbol("F")
ORDER = ("0 < t", "t < s", "0 < W")
COUNT = Whole("n", 0)


def profile(x: Expr) -> Expr:
    """g(x), the finite part of delta(x)."""
    return E(P, F * maximum(0, 1 - exp(x - L)))


def line() -> Line:
    """The nodes of a quadrature, as far as the aliases depend on them."""
    tilt, second, period, log = formulas(t, s, W, m, given=ORDER)
    return Line(tilt, period, period, log, [], log, (second, log), None)


def term(sign: int) -> Expr:
    """The n-th alias on one side, counted from 0."""
    return exp(sign * t * (n + 1) * W) * profile(eps + sign * (n + 1) * W)


def at_most_one(x: Expr) -> Fact:
    """g(x) <= 1, from the pointwise bound."""
    body = F * maximum(0, 1 - exp(v))
    above, least = (
        specialize(real(one, "0 <= F <= 1"), v=x - L)
        for one in (at_most(body, 1), at_most(0, body))
    )
    return expect(above, P, dominated(above, P, lower=least))


def below_sum(part: Statement) -> Iterator[Step]:
    """Each term is at most a power of exp(-t W)."""
    one = at_most_one(eps - (n + 1) * W)
    yield one, "a part of a probability"
    each = combine(
        at_most(term(-1), exp(-t * (n + 1) * W)), (one, exp(-t * (n + 1) * W))
    )
    yield each, "each alias"
    yield (
        geometric(part.assuming, each, "B", 1, -t, *part.given[:-1]),
        "the geometric series",
    )


def above_sum(part: Statement) -> Iterator[Step]:
    """Each term is at most Chernoff's bound times a power of exp((t - s) W)."""
    size = read(chernoff(*formulas(m, s, eps)))
    one = under(
        specialize(lemma("engine/chernoff", "bound"), eps=eps + (n + 1) * W),
        *part.given[:-1],
    )
    yield one, "engine/chernoff"
    each = combine(
        at_most(term(1), size * exp((t - s) * (n + 1) * W)), (one, exp(t * (n + 1) * W))
    )
    yield each, "each alias"
    yield (
        geometric(part.assuming, each, "A", size, t - s, *part.given[:-1]),
        "the geometric series",
    )


def none_above(part: Statement) -> Iterator[Step]:
    """No loss is above, at any alias."""
    *order, count = part.given
    nothing = specialize(
        real("F*max(0, 1 - exp(v)) == 0", "0 <= v", *order, "0 <= n"),
        v=eps + (n + 1) * W - L,
    )
    yield nothing, "where eps + (n + 1) W >= L the excess is 0"
    reached = real(
        at_most(0, (eps + W - top) + (top - L) + n * W), "L <= top", *order, "0 <= n"
    )
    further = combine(at_most(0, eps + (n + 1) * W - L), reached)
    here = under(given_by(nothing, further), "L <= top", *order, count)
    yield expect(here, BOUNDED), "no loss is larger"


BOUNDED = Law("P", ("L", "F"), relations("0 <= F <= 1", "L <= top"))


def random_aliases(seed: int) -> int:
    """Random finite losses, tilts and periods: forty aliases on each side against the shipped
    bounds, in balls.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(25):
        weights = [ball(p) for p in masses(rng, rng.randint(1, 4))]
        losses = [ball(Fraction(rng.randint(-40, 60), 10)) for _ in weights]
        tilt, period, level = (ball(Fraction(rng.randint(1, 40), 10)) for _ in range(3))
        second = tilt + ball(Fraction(rng.randint(1, 20), 10))
        moment = sum(
            (p * (second * x).exp() for p, x in zip(weights, losses, strict=True)),
            ball(0),
        )
        nodes = Line(
            tilt, period, period, period, [], period, (second, moment.log()), None
        )
        for sign, bound in (
            (-1, aliases_below(nodes)),
            (1, aliases_above(nodes, level)),
        ):
            found = ball(0)
            for j in range(1, 41):
                shift = sign * j * period
                gains = [(1 - (level + shift - x).exp()).max(ball(0)) for x in losses]
                found += (tilt * shift).exp() * sum(
                    (p * y for p, y in zip(weights, gains, strict=True)), ball(0)
                )
            if found > bound:
                raise Refused(
                    f"the aliases of {losses} at {tilt}, {period} are {found}, more"
                    f" than {bound}."
                )
            tried += 1
    return tried


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    return Theorem(
        verdict=Status.PROVED,
        parts=(
            Statement(
                "below",
                "the aliases below, however many: B(n) is the sum of exp(-t j W) g(eps"
                " - j W) over j = 1, ..., n",
                at_most(total("B"), read(aliases_below(line()))),
                below_sum,
                ("0 < t", "0 < W", COUNT),
                sums("B", term(-1)),
            ),
            Statement(
                "above",
                "the aliases above: A(n) is the sum of exp(t j W) g(eps + j W) over j ="
                " 1, ..., n, and m = log M(s)",
                at_most(total("A"), read(aliases_above(line(), *formulas(eps)))),
                above_sum,
                (*ORDER, COUNT),
                {
                    **sums("A", term(1)),
                    "moment": assume(equal(E(P, F * exp(s * L)), exp(m))),
                },
                witness=example(
                    {"t": 1, "s": 2, "W": 1, "n": 1, "eps": 0, "m": 0},
                    {"P": [((0, 1), 1)]},
                    A=recursive(),
                ),
            ),
            Statement(
                "none above",
                "if no loss exceeds eps + W, the aliases above are 0",
                equal(E(BOUNDED, F * maximum(0, 1 - exp(eps + (n + 1) * W - L))), 0),
                none_above,
                ("top <= eps + W", "0 < W", COUNT),
            ),
        ),
        falsehoods=(
            Falsehood(
                "below, one alias is enough: where g is 1, the first two add up to at"
                " most exp(-t W)",
                at_most(exp(-t * W) + exp(-2 * t * W), exp(-t * W)),
                ("0 < t", "0 < W"),
            ),
        ),
        attacks=(
            Attack(
                "forty aliases of random finite losses on each side, in balls",
                random_aliases,
            ),
        ),
        rules=(aliases_below, aliases_above),
    )
