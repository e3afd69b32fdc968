"""What is tried against statistics/passing-pairs."""

from rdpacct.book.words import Attack, Fraction, Refused, earned_gamma, masses, random


def random_tests(seed: int) -> int:
    """Random laws of four pairs, each refuted with its own probability: how likely it is that all
    pass, exactly, if bad ones are beyond the shipped limit.
    """
    rng = random.Random(seed)
    beyond = 0
    for _ in range(400):
        law = masses(rng, 4)
        chances = [Fraction(rng.randint(0, 10), 10) for _ in law]
        power = Fraction(rng.randint(1, 10), 10)
        doubt = Fraction(1, rng.choice((2, 20, 1000)))
        pairs = rng.randint(1, 12)
        rows = list(zip(law, chances, strict=True))
        bad = sum((mass for mass, chance in rows if chance >= power), Fraction(0))
        if earned_gamma(pairs, doubt, power).bound().certainly_above(bad):
            continue
        beyond += 1
        passes = sum((mass * (1 - chance) for mass, chance in rows), Fraction(0))
        if passes**pairs > doubt:
            raise Refused(f"{rows} all pass {pairs} times more often than {doubt}.")
    return beyond


ATTACKS = (Attack("how often random tests pass, exactly", random_tests),)
