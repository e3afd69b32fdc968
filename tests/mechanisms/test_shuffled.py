"""Shuffled reports against every data set of few people, counted exactly, and against other
programs.
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest

from rdpacct import InputError, RandomizedResponse, Shuffled, delta, epsilon, profile
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import formula
from rdpacct.exact.functions import log
from rdpacct.mechanisms.shuffled.clones import (
    Clones,
    of_any_randomizer,
    of_responses,
    with_a_third_value,
)
from rdpacct.mechanisms.shuffled.count_laws import above_law, below_law
from rdpacct.mechanisms.shuffled.sign_sums import SignSums
from rdpacct.mechanisms.shuffled.tilts import Counts
from rdpacct.privacy.grid import Masses

Row = list[Fraction]
LEVELS = (Fraction(1), Fraction(11, 10), Fraction(3, 2), Fraction(2))


def counts_law(rows: Sequence[Row]) -> dict[tuple[int, ...], Fraction]:
    """How often each output is reported, if these rows are drawn from once each."""
    law = {(0,) * len(rows[0]): Fraction(1)}
    for row in rows:
        new = dict[tuple[int, ...], Fraction]()
        for counts, mass in law.items():
            for output, chance in enumerate(row):
                more = list(counts)
                more[output] += 1
                key = tuple(more)
                new[key] = new.get(key, Fraction(0)) + mass * chance
        law = new
    return law


def worst_delta(table: Sequence[Row], people: int, level: Fraction) -> Fraction:
    """The largest excess at a level over all values of all people."""
    worst = Fraction(0)
    values = range(len(table))
    for others in itertools.combinations_with_replacement(values, people - 1):
        beside = [table[value] for value in others]
        laws = [counts_law([row, *beside]) for row in table]
        for p, q in itertools.permutations(laws, 2):
            gaps = (p[counts] - level * q[counts] for counts in p)
            found = sum((max(gap, Fraction(0)) for gap in gaps), Fraction(0))
            worst = max(worst, found)
    return worst


def responses(answers: int) -> list[Row]:
    """Randomized response whose true answer is three times as likely as each other."""
    total = answers + 2
    return [
        [Fraction(3 if i == j else 1, total) for j in range(answers)]
        for i in range(answers)
    ]


def hadamard() -> list[Row]:
    """Three rows of the matrix of order four, with odds of 3."""
    rows = ((1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1))
    return [[Fraction(3 if sign == 1 else 1, 8) for sign in row] for row in rows]


def subsets() -> list[Row]:
    """Pairs of four values, with odds of 3."""
    pairs = list(itertools.combinations(range(4), 2))
    weights = [[3 if v in pair else 1 for pair in pairs] for v in range(4)]
    return [[Fraction(w, sum(row)) for w in row] for row in weights]


CASES: dict[str, tuple[str, list[Row], int]] = {
    "two answers": ("RandomizedResponse(epsilon=log(3))", responses(2), 6),
    "three answers": ("RandomizedResponse(epsilon=log(3), answers=3)", responses(3), 4),
    "four answers": ("RandomizedResponse(epsilon=log(3), answers=4)", responses(4), 3),
    "Hadamard": ("HadamardResponse(epsilon=log(3), answers=3)", hadamard(), 3),
    "subsets": ("SubsetSelection(epsilon=log(3), answers=4, size=2)", subsets(), 3),
}


@pytest.mark.parametrize("name", CASES)
def test_every_data_set_of_few_people_is_within_the_ends(name: str) -> None:
    """The worst of all values is at most the upper end, and at least the lower one."""
    text, table, most = CASES[name]
    within_the_ends(text, table, [most])


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_every_data_set_of_fewer_people_too(name: str) -> None:
    """From one person on, and one more."""
    text, table, most = CASES[name]
    within_the_ends(text, table, [*range(1, most), most + 1])


def within_the_ends(text: str, table: Sequence[Row], numbers: Sequence[int]) -> None:
    """Compare all data sets of so many people with the answers."""
    for people in numbers:
        asked = profile(f"Shuffled({text}, people={people})")
        for level in LEVELS:
            worst = worst_delta(table, people, level)
            bound = asked.delta(Fraction(log(level).bound().lower))
            assert bound.lower <= worst <= bound.upper + Fraction(1, 10**15)


def private_tables(seed: int, number: int) -> Iterator[list[Row]]:
    """Random randomizers of three values whose ratios are at most 3."""
    rng = random.Random(seed)
    while number:
        weights = [[rng.choice((1, 1, 2, 3)) for _ in range(4)] for _ in range(3)]
        rows = [[Fraction(w, sum(row)) for w in row] for row in weights]
        ratios = [a / b for x in rows for y in rows for a, b in zip(x, y, strict=True)]
        if max(ratios) <= 3:
            number -= 1
            yield rows


def test_no_private_randomizer_is_worse_than_the_promise() -> None:
    """Twenty random tables of a pure epsilon, three people each."""
    asked = profile("Shuffled(PureDP(epsilon=log(3)), people=3)")
    bounds = {
        level: asked.delta(Fraction(log(level).bound().lower)) for level in LEVELS
    }
    for table in private_tables(5, 20):
        for level in LEVELS[1:]:
            assert worst_delta(table, 3, level) <= bounds[level].upper


def test_pooled_neutral_answers_are_no_upper_bound() -> None:
    """As wangsw/PrivacyAmplification has it for randomized response on d options: Delta(log(1.6),
    1/5, 1/5, 1/5, 2, 2) is 0.016 there, and two people have 0.024.
    """
    table = [[Fraction(2 if i == j else 1, 5) for j in range(4)] for i in range(4)]
    level = Fraction(8, 5)
    worst = worst_delta(table, 2, level)
    assert worst >= Fraction(3, 125) > Fraction(16, 1000)
    plan = "Shuffled(RandomizedResponse(epsilon=log(2), answers=4), people=2)"
    bound = delta(plan, Fraction(log(level).bound().lower))
    assert bound.lower <= worst <= bound.upper


PEERS = [
    (1, 10**4, 0.04320651292800903),
    (2, 10**4, 0.11440038681030273),
    (4, 10**4, 0.4108147621154785),
    (1, 10**5, 0.012431025505065918),
    (3, 10**5, 0.06563204526901245),
]
"""Local epsilon, people, and the epsilon at delta 1e-6 that ``amplificationUB`` of
wangsw/PrivacyAmplification prints for general mechanisms, with 24 halvings."""


@pytest.mark.parametrize(
    ("local", "people", "printed"),
    [*PEERS[:1], *(pytest.param(*peer, marks=pytest.mark.slow) for peer in PEERS[1:])],
)
def test_printed_numbers_are_within_the_ends(
    local: int, people: int, printed: float
) -> None:
    """Those of another program for the worst randomizer with a pure epsilon."""
    bound = epsilon(f"Shuffled(PureDP(epsilon={local}), people={people})", "1e-6")
    assert bound.lower <= printed <= bound.upper
    assert float(bound.upper) < printed * 1.003


def at_level(law: Masses, level: float) -> float:
    """The excess of a law on a grid, in doubles."""
    start = float(law.origin)
    step = float(law.step)
    total = float(law.infinite)
    for k, mass in enumerate(law.masses):
        loss = start + step * k
        total += float(mass) * max(0.0, 1 - level / 2.718281828459045**loss)
    return total


def listed(clones: Clones, people: int, level: float) -> float:
    """The same, count by count, in doubles."""
    ratio, telling, clone, neutral = (
        float(x.ball(64))
        for x in (
            clones.epsilon,
            clones.telling,
            clones.clone,
            clones.neutral,
        )
    )
    ratio = 2.718281828459045**ratio
    own = 1 - (1 + ratio) * telling
    weight = own / neutral if neutral else 0.0
    total = 0.0
    law = {(0, 0, 0): 1.0}
    chances = (clone, clone, neutral, 1 - 2 * clone - neutral)
    for _ in range(people):
        new = dict[tuple[int, int, int], float]()
        for (a, b, m), mass in law.items():
            places = ((a + 1, b, m), (a, b + 1, m), (a, b, m + 1), (a, b, m))
            for key, chance in zip(places, chances, strict=True):
                new[key] = new.get(key, 0.0) + mass * max(chance, 0.0)
        law = new
    for (a, b, m), mass in law.items():
        p = (telling / clone * (ratio * a + b) + weight * m) / people
        q = (telling / clone * (a + ratio * b) + weight * m) / people
        total += mass * max(0.0, p - level * q)
    return total


KINDS = {
    "any": of_any_randomizer(formula(1)),
    "responses": of_responses(formula(1), 4),
    "third value": with_a_third_value(formula(1), 4),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_grids_are_above_and_below_the_counts(kind: str) -> None:
    """Against all counts of one person and of six."""
    clones = KINDS[kind]
    for people in (1, 6):
        above = above_law(clones, people)
        below = below_law(clones, people)
        for level in (1.0, 1.2, 1.7):
            exact = listed(clones, people, level)
            assert at_level(below, level) <= exact + 1e-12
            assert exact <= at_level(above, level) + 1e-12


def forget_laws() -> None:
    """The laws that are remembered are worked out anew."""
    for law in (above_law, below_law):
        vars(law)["forget"]()


def test_wide_blocks_stay_above_and_below(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ends of thirty people by few blocks hold those by one for each number, and are wider."""
    clones = KINDS["responses"]
    fine = (above_law(clones, 30), below_law(clones, 30))
    module = "rdpacct.mechanisms.shuffled.tilts"
    monkeypatch.setattr(f"{module}.FEW_SIGNS", 0)
    monkeypatch.setattr(f"{module}.MOST_BLOCKS", 8)
    forget_laws()
    wide = (above_law(clones, 30), below_law(clones, 30))
    for level in (1.0, 1.1, 1.3):
        ends = [at_level(law, level) for law in (*fine, *wide)]
        assert ends[3] <= ends[1] <= ends[0] <= ends[2]
    assert at_level(wide[0], 1.1) > at_level(fine[0], 1.1)
    forget_laws()


def test_sums_of_signs() -> None:
    """Tails and means of seven and eight signs, by listing them."""
    for count in (1, 7, 8):
        signs = list(itertools.product((1, -1), repeat=count))
        with precision(128):
            law = SignSums(count)
            for place in range(law.first, count + 2):
                large = [sum(s) for s in signs if sum(s) >= 2 * place - count]
                assert abs(float(law.tail(place)) - len(large) / len(signs)) < 1e-15
                assert abs(float(law.moment(place)) - sum(large) / len(signs)) < 1e-14


def test_all_blocks_have_all_of_the_mass() -> None:
    """The masses of the blocks add up to one, but for what is cut off."""
    for clones in KINDS.values():
        with precision(128):
            blocks = list(Counts(clones, 1000).blocks())
            total = sum(float(block.mass) for block in blocks)
        assert abs(total - 1) < 1e-12


def test_more_people_help_and_more_epsilon_hurts() -> None:
    """Upper ends fall with the people and rise with the local epsilon."""

    def upper(local: str, people: int) -> float:
        report = f"RandomizedResponse(epsilon={local})"
        return float(epsilon(f"Shuffled({report}, people={people})", "1e-5"))

    assert upper("1", 30) > upper("1", 60) > upper("1", 90)
    assert upper("1/2", 60) < upper("1", 60) < upper("2", 60)


def test_large_local_epsilons_are_answered() -> None:
    """Up to the largest one that is taken, and never above it."""
    for people in (2, 1000):
        bound = epsilon(f"Shuffled(PureDP(epsilon=20), people={people})", "1e-6")
        assert 19 < bound.lower <= bound.upper < Fraction(20001, 1000)


def test_one_person_has_the_local_epsilon() -> None:
    """Nothing is hidden among nobody."""
    bound = epsilon("Shuffled(RandomizedResponse(epsilon=1, answers=3), people=1)", 0)
    assert bound.contains(1)
    at = delta("Shuffled(RandomizedResponse(epsilon=1, answers=3), people=1)", "1/2")
    assert at.overlaps(delta("RandomizedResponse(epsilon=1, answers=3)", "1/2"))
    assert float(at.upper) < float(at.lower) * 1.001


def test_samples_are_a_permutation_of_the_reports() -> None:
    """With a huge epsilon the reports are the values, in another order."""
    values = tuple(range(9))
    shuffled = Shuffled(RandomizedResponse(20, answers=9), 9)
    seen = {shuffled.sample(values, rng=seed) for seed in range(30)}
    assert len(seen) > 25
    assert all(sorted(each) == list(values) for each in seen)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Shuffled(Gaussian(sigma=1), people=9)", "with a pure epsilon"),
        ("Shuffled(ApproxDP(epsilon=1, delta=1e-6), people=9)", "with a pure epsilon"),
        ("Shuffled(Shuffled(PureDP(epsilon=1), people=9), people=9)", "pure epsilon"),
        ("Shuffled(PureDP(epsilon=1), people=0)", "people is 0"),
        ("Shuffled(PureDP(epsilon=1), people=1e9)", "people is"),
        ("Shuffled(PureDP(epsilon=1), people=2.5)", "people is"),
        ("Shuffled(PureDP(epsilon=21), people=9)", "more than 20"),
        (
            "PoissonSampled(Shuffled(PureDP(epsilon=1), people=9), rate=0.1)",
            "one worst",
        ),
    ],
)
def test_bad_plans_get_a_sentence(text: str, said: str) -> None:
    """What is wrong and what to give."""
    with pytest.raises(InputError, match=said):
        epsilon(text, "1e-6")
