"""What is tried against histogram/accuracy."""

from rdpacct.book.words import Attack, Random, Refused, load, masses, nearest_histogram


def attack(seed: int) -> int:
    """Random histograms and errors: the shipped nearest histogram against the smallest distance and
    twice that of z.
    """
    rng = Random(seed)
    for _ in range(200):
        theta = list(map(float, masses(rng, rng.randint(2, 5))))
        z = [one + rng.randint(-40, 40) / 40 for one in theta]
        best = nearest_histogram(load().array(z)).tolist()
        least = sum(-u for u in z if u < 0) + abs(sum(u for u in z if u > 0) - 1)
        near, error, further = (
            sum(abs(u - v) for u, v in zip(one, two, strict=True))
            for one, two in ((best, z), (best, theta), (z, theta))
        )
        if (
            min(best) < 0
            or abs(sum(best) - 1) + abs(near - least) > 1e-9
            or error > 2 * further + 1e-9
        ):
            raise Refused(
                f"for {theta} and {z} the histogram {best} is at distance {near}, not"
                f" {least}."
            )
    return 200


ATTACKS = (Attack("nearest histograms of random vectors", attack),)
