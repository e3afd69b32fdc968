"""What is tried against cdp/log-moment-series."""

from rdpacct.book.words import (
    Attack, Ball, Fraction, Refused, SHORT_ORDER, TAYLOR_ORDER, factorial, log_series, masses,
    moved_by, polynomial, random,
)  # fmt: skip

TRIES = 60
BITS = 192


def attack(seed: int) -> int:
    """Random centered variables: the log moment at a random rate, against the polynomial with the
    last coefficient over all expansion points; and moments there, against the shipped distance.
    """
    rng = random.Random(seed)
    for number in range(TRIES):
        weights = masses(rng, rng.randint(2, 4))
        values = [Fraction(rng.randint(-20, 20), 4) for _ in weights]
        mean = sum((p * x for p, x in zip(weights, values, strict=True)), Fraction(0))
        rows = [(p, x - mean) for p, x in zip(weights, values, strict=True)]
        width = max(values) - min(values) + 1
        reach = Fraction(1, rng.randint(2, 40)) / width
        rate = reach * Fraction(rng.randint(0, 8), 8)
        order = (SHORT_ORDER, TAYLOR_ORDER)[number % 2]
        moments = [
            sum((p * x**k for p, x in rows), Fraction(0)) / factorial(k)
            for k in range(order + 1)
        ]
        here = [Ball.of(moment, BITS) for moment in moments]
        variance, range_ = here[2] * 2, Ball.of(width, BITS)
        anywhere = list[Ball]()
        for k, moment in enumerate(here):
            slack = moved_by(k, variance, range_, reach)
            anywhere.append(moment + (-slack).union(slack))
            there = _sum(rows, rate, k) / factorial(k)
            if ((there - moment) - slack).certainly_positive() or (
                (moment - there) - slack
            ).certainly_positive():
                raise Refused(f"the moment of order {k} of {rows} moves further.")
        series = [*log_series(here)[1:-1], log_series(anywhere)[-1]]
        value = _sum(rows, rate, 0).log()
        near = polynomial(series, Ball.of(rate, BITS)) * rate
        if (value - near).certainly_positive() or (near - value).certainly_positive():
            raise Refused(f"{rows} leave the polynomial of order {order} at {rate}.")
    return TRIES


def _sum(rows: list[tuple[Fraction, Fraction]], rate: Fraction, order: int) -> Ball:
    """E X**order exp(rate X)."""
    terms = [Ball.of(rate * x, BITS).exp() * (p * x**order) for p, x in rows]
    return sum(terms[1:], start=terms[0])


ATTACKS = (Attack("random variables on at most four points, at random rates", attack),)
