"""Guesses from scores: who is guessed, ties, the choice on other canaries, and files."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from rdpacct import CanaryGuesses, CanaryScores, InputError, audit_one_run

SCORES = [0.9, 0.1, 0.8, 0.3, 0.7, 0.2]
COINS = [1, 0, 1, 1, 0, 0]


def noisy(seed: int, canaries: int, sigma: float) -> CanaryScores:
    """The output of a sum of included canaries along directions of their own, with noise."""
    rng = Random(seed)
    coins = [rng.random() < 0.5 for _ in range(canaries)]
    scores = [coin + rng.gauss(0, sigma) for coin in coins]
    return CanaryScores(scores, coins)


def test_the_highest_are_called_in_and_the_lowest_out() -> None:
    """Every pair of numbers, counted by hand."""
    run = CanaryScores(SCORES, COINS)
    highest = [1, 1, 0, 1, 0, 0]
    lowest = [0, 0, 1, 0, 1, 1]
    for inside in range(7):
        for outside in range(7 - inside):
            if inside + outside == 0:
                continue
            guessed = run.guess(inside, outside)
            right = sum(highest[:inside]) + sum(1 - coin for coin in lowest[:outside])
            assert (guessed.canaries, guessed.guesses) == (6, inside + outside)
            assert guessed.correct == right
            sides = {(True, True): "both", (True, False): "in", (False, True): "out"}
            assert guessed.sides == sides[bool(inside), bool(outside)]


def test_equal_scores_are_guessed_wrong_first() -> None:
    """So that the order of the rows, which may depend on the coins, does not help."""
    coins = [1] * 10 + [0] * 10
    run = CanaryScores([0.5] * 20, coins)
    assert run.guess(10).correct == 0
    assert run.guess(10, 10).correct == 0
    assert run.guess(15).correct == 5


def test_a_threshold_guesses_all() -> None:
    """A score at the threshold is called out."""
    guessed = CanaryScores(SCORES, COINS).above("0.3")
    assert guessed == CanaryGuesses(6, 6, 4, "both", guessed.how)
    assert CanaryScores(SCORES, COINS).above(2).correct == 3


def test_the_choice_looks_at_other_canaries_only() -> None:
    """Turning the coins of the judged canaries changes the verdict and not the choice."""
    run = noisy(1, 600, 0.5)
    chosen = run.chosen_on("1/3", seed=4)
    assert chosen.canaries == 400
    assert "200 other canaries" in chosen.how
    order = list(range(600))
    Random(4).shuffle(order)
    judged = set(order[200:])
    turned = [coin != (k in judged) for k, coin in enumerate(run.included)]
    again = CanaryScores(run.scores, turned).chosen_on("1/3", seed=4)
    assert (again.guesses, again.how) == (chosen.guesses, chosen.how)
    assert again.correct != chosen.correct


def test_noise_that_is_too_small_is_refuted_and_enough_is_not() -> None:
    """A Gaussian sum with sigma 0.3 in place of the 4.2 that the claim needs."""
    claim = "ApproxDP(epsilon=1, delta=1e-4)"
    broken = audit_one_run(noisy(2, 500, 0.3).chosen_on(), claim)
    assert broken.fails
    assert broken.epsilon.lower > 2
    sound = audit_one_run(noisy(2, 500, 4.2).chosen_on(), claim)
    assert sound.undecided


def test_without_information_almost_nothing_is_refuted() -> None:
    """Scores that know nothing of the coins: 200 runs, at a confidence of 0.9."""
    refuted = 0
    for seed in range(200):
        rng = Random(seed)
        coins = [rng.random() < 0.5 for _ in range(100)]
        run = CanaryScores([rng.random() for _ in coins], coins).chosen_on(seed=seed)
        refuted += audit_one_run(run, "PureDP(epsilon=0)", "0.9").fails
    assert refuted <= 30


def test_unfair_coins_and_sorted_rows_are_refused() -> None:
    """They would make guesses right that know nothing."""
    with pytest.raises(InputError, match="fair coin"):
        CanaryScores([0.0] * 100, [1] * 95 + [0] * 5)
    with pytest.raises(InputError, match="sorted by included"):
        CanaryScores([0.0] * 100, [1] * 50 + [0] * 50).chosen_on()
    CanaryScores([0.0] * 4, [1, 1, 1, 1]).guess(2)


@pytest.mark.parametrize(
    ("scores", "included", "words"),
    [
        ([1.0], [1, 0], "1 scores and 2 coins"),
        ([], [], "number of canaries"),
        ([float("nan")], [1], "not a finite number"),
        (["a"], [1], "not a finite number"),
        ([True], [1], "not a finite number"),
        ([1.0], [2], "a coin is 2"),
        ([1.0], [0.5], "a coin is 0.5"),
        (3, [1], "give a list"),
    ],
)
def test_scores_that_cannot_be(scores: object, included: object, words: str) -> None:
    """One sentence that says why."""
    with pytest.raises(InputError, match=words):
        CanaryScores(scores, included)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (lambda run: run.guess(0, 0), "guess at least one"),
        (lambda run: run.guess(4, 3), "each at most once"),
        (lambda run: run.guess(7), "must be a whole number from 0 to 6"),
        (lambda run: run.guess(-1, 2), "must be a whole number"),
        (lambda run: run.chosen_on(1), "give a share between"),
        (lambda run: run.chosen_on("0.01"), "leaves some on both sides"),
        (lambda run: run.above("high"), "threshold"),
    ],
)
def test_ways_to_guess_that_cannot_be(way: object, words: str) -> None:
    """One sentence that says why."""
    with pytest.raises(InputError, match=words):
        way(CanaryScores(SCORES, COINS))  # type: ignore[operator]


CSV = "score,included\n" + "".join(
    f"{score},{coin}\n" for score, coin in zip(SCORES, COINS, strict=True)
)
ROWS = [
    {"score": score, "included": bool(coin)}
    for score, coin in zip(SCORES, COINS, strict=True)
]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", CSV),
        ("b.csv", "\ufeff" + CSV.replace("\n", "\r\n")),
        ("c.csv", CSV.replace(",1\n", ", TRUE\n").replace("score", " Score ")),
        ("d.json", json.dumps({"score": SCORES, "included": COINS})),
        ("e.json", json.dumps(ROWS)),
    ],
)
def test_files_of_every_form(tmp_path: Path, name: str, text: str) -> None:
    """All of them hold the same scores and coins."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    read = CanaryScores.read(path)
    assert read.guess(2, 2) == CanaryScores(SCORES, COINS).guess(2, 2)
    assert list(read.scores) == SCORES


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "", "line 1 of"),
        ("a.csv", "score,coin\n1,1\n", "write score,included"),
        ("a.csv", "score,included,x\n1,1,1\n", "write score,included"),
        ("a.csv", "score,included\n0.5,1\n0.5\n", "line 3 of .* has 1 fields"),
        ("a.csv", "score,included\n0.5,1\n\n0.5,1\n", "line 3 of .* has 0 fields"),
        ("a.csv", "score,included\nnan,1\n", "line 2 of .* the score 'nan'"),
        ("a.csv", "score,included\n1e99999,1\n", "line 2 of .* the score"),
        ("a.csv", "score,included\n0x10,1\n", "line 2 of .* the score"),
        ("a.csv", "score,included\n0.5,yes\n", "line 2 of .* 'yes' for included"),
        ("a.csv", 'score,included\n"0.5,1\n', "line 2 of .* is not a row"),
        ("a.csv", "score,included\n", "number of canaries is 0"),
        ("a.json", "{", "line 1 of .* not valid JSON"),
        ("a.json", '{"score": [1], "score": [1]}', "stands twice"),
        ("a.json", '{"score": [NaN], "included": [1]}', "not a number of JSON"),
        ("a.json", '{"score": [1], "included": [1], "x": 1}', "does not hold scores"),
        ("a.json", '{"score": 1, "included": 1}', "does not hold scores"),
        ("a.json", '{"score": ["1"], "included": [1]}', "row 1 of .* the score '1'"),
        ("a.json", '{"score": [1], "included": ["1"]}', "row 1 of .* for included"),
        ("a.json", '[{"score": 1}]', "does not hold scores"),
        ("a.json", "[" * 100_000, "not valid JSON"),
        ("a.txt", CSV, "neither .csv nor .json"),
    ],
)
def test_files_that_cannot_be(tmp_path: Path, name: str, text: str, words: str) -> None:
    """One sentence, with the number of the line."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        CanaryScores.read(path)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    """Missing ones, and bytes that are not UTF-8."""
    with pytest.raises(InputError, match="cannot be read"):
        CanaryScores.read(tmp_path / "missing.csv")
    (tmp_path / "bytes.csv").write_bytes(b"score,included\n\xff,1\n")
    with pytest.raises(InputError, match="not text in UTF-8"):
        CanaryScores.read(tmp_path / "bytes.csv")


def test_scores_are_exact_enough_to_be_told_apart() -> None:
    """A threshold is compared as an exact number."""
    run = CanaryScores([0.1, 0.2], [0, 1])
    assert run.above(Fraction(1, 10)).correct == 1
    assert run.above(0.1).correct == 2
