"""Totals of hours, of which each record has at most 24, with Laplace noise."""

MOST = 24


def total(hours):
    """The sum of the hours, each clipped to a day; one record moves it by at most 24."""
    return sum(min(max(hour, 0), MOST) for hour in hours)


def noisy_total(hours, rng, size=None, epsilon=1):
    """The total with noise that makes it epsilon-differentially private if a record is added."""
    return total(hours) + rng.laplace(scale=MOST / epsilon, size=size)


def hasty_total(hours, rng, size=None, epsilon=1):
    """The same by someone who forgot how far one record moves the total. Not private."""
    return total(hours) + rng.laplace(scale=1 / epsilon, size=size)
