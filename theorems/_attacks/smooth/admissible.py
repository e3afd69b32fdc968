"""What is tried against smooth/admissible."""

from rdpacct.book.words import Attack, Fraction, Refused, module, random

ENTRY = module("smooth/admissible")
delta = ENTRY.delta
hockey = ENTRY.hockey
moved = ENTRY.moved


def search(seed: int) -> int:
    """Random step densities: the excess at k**2 is at most that of the slide plus k times that of
    the dilation.
    """
    rng = random.Random(seed)
    for _ in range(150):
        heights = [rng.randint(1, 9) for _ in range(rng.randint(1, 5))]
        noise = [
            (Fraction(i - 1), Fraction(i), Fraction(height, sum(heights)))
            for i, height in enumerate(heights)
        ]
        factor = Fraction(rng.randint(11, 30), 10)
        place = Fraction(rng.randint(-10, 10), 10)
        scale = Fraction(rng.randint(7, 14), 10)
        shifted = moved(noise, place, Fraction(1))
        both = moved(noise, place, scale)
        delta = hockey(noise, shifted, factor) + factor * hockey(shifted, both, factor)
        if hockey(noise, both, factor**2) > delta:
            raise Refused(f"the noise {noise} is not private at {place}, {scale}.")
    return 150


ATTACKS = (Attack("random step densities, shifted and scaled", search),)
