"""Bets against a true claim: a wealth that rarely grows, however one stops (Ville's inequality).

Printed: not in the sources.
Proved: A wealth of 1 is shared by bets. In each trial a bet multiplies what it has at risk, its
    stake or nothing, by a factor whose mean is at most 1 whatever came before (statistics/wager);
    which bets there are, on which events, what is at risk, and whether the audit goes on may depend
    on all that came before. (1) After k trials of one kind and one more the shipped stake is
    multiplied by one factor more. (2) The mean gain of a bet is at most 0, and (3) so is that of
    all bets together, however many. (4) So the mean wealth after any number N of trials is at most
    that at first. (5) A wealth that is not negative and has a mean of at most 1 is 1/err or more
    with probability at most err. (6) An audit that stops at such a wealth has called a true claim
    refuted by the trial N with probability at most err, for every N. What it leaves out of its
    wealth only makes it smaller.
Idea: After the audit stops nothing is at risk, so that the wealth after N trials is the wealth at
    which it stopped, if it did.
Source: Ville (1939), Etude critique de la notion de collectif, for supermartingales; Ramdas,
    Gruenwald, Vovk and Shafer (2023), Game-theoretic statistics and safe anytime-valid inference.
"""

from rdpacct.book.words import (
    E, Event, Fact, Falsehood, Iterator, Law, Statement, Status, Step, Theorem, Whole, assume,
    at_most, at_start, by_prover, cases, chain, combine, dominated, equal, event, example, expect,
    grown, induct, integrable, linear, marginal, one_more, over_the_past, proves, real, relations,
    specialize, symbols, tower, under,
)  # fmt: skip

k, N, s, S, x, T, d, G, g, c, err, A = symbols("k N s S x T d G g c err A")
BET = Law("B", ("s", "S"), relations("0 <= s", "0 <= S"))
"""What a bet has at risk, and the factor of the next trial."""
BETS = chain("G", {"G": (0, G + g)}, ("g",), k)
"""The gains of the first k bets in a trial, and that of the next bet."""
TRIALS = chain("T", {"T": (c, T + d)}, ("d",), k, relations("0 <= T", "0 <= T + d"))
"""The wealth after k trials, and what the next trial adds to it."""
END = TRIALS.at(k=N)
WEALTH = Law("W", ("T",), relations("0 <= T"))
RICH = event(WEALTH, "A", at_most(1 / err, T))
REFUTED = event(END, "A", at_most(1 / err, T))

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "one more trial",
            "the shipped stake is multiplied by one factor more",
            equal(grown(s, x, k + 1), grown(s, x, k) * x),
            by_prover("one power more"),
            ("0 < x",),
        ),
        Statement(
            "one bet",
            "the mean gain of a bet is at most 0, if its factor is fair whatever it has at"
            " risk",
            at_most(E(BET, s * (S - 1)), 0),
            assuming={
                "fair": assume(at_most(E(BET, S, "s"), 1)),
                "at risk": assume(at_most(E(BET, s), c)),
            },
        ),
        Statement(
            "all bets",
            "so is that of any number of bets together",
            at_most(E(BETS, G), 0),
            given=(Whole("k", 0),),
            assuming={"each": assume(at_most(E(BETS, g), 0), Whole("k", 0), every="k")},
        ),
        Statement(
            "in turn",
            "the mean wealth after N trials is at most the wealth at first",
            at_most(E(END, T), c),
            given=(Whole("N", 0),),
            assuming={
                "fair": assume(
                    at_most(E(TRIALS, d, TRIALS.past), 0), Whole("k", 0), every="k"
                )
            },
        ),
        Statement(
            "Markov",
            "a wealth with a mean of at most 1 is 1/err or more with probability at most"
            " err",
            at_most(E(RICH, A), err),
            given=("0 < err",),
            assuming={"mean": assume(at_most(E(WEALTH, T), 1))},
        ),
        Statement(
            "refuted",
            "a true claim is refuted within N trials with probability at most err",
            at_most(E(REFUTED, A), err),
            given=(Whole("N", 0), "0 < err", "c <= 1"),
            assuming={
                "fair": assume(
                    at_most(E(TRIALS, d, TRIALS.past), 0), Whole("k", 0), every="k"
                )
            },
        ),
    ),
    rules=(grown,),
)


@proves("one bet")
def one_bet(part: Statement) -> Iterator[Step]:
    """What is at risk is known before the trial."""
    fair = part.assuming["fair"]
    stakes = integrable(part.assuming["at risk"], E(BET, s))
    mean = linear(BET, s * S, {S: s}, integrable(fair, E(BET, S, "s")), given="s")
    yield mean, "what is at risk is known"
    stake = real("0 <= s", "0 <= s")
    inner = combine(at_most(E(BET, s * S, "s"), s), mean, (fair, s), (stake, 0))
    yield inner, "and the factor is fair"
    positive = real("0 <= s*S", "0 <= s", "0 <= S")
    least = expect(positive, BET, integrable(inner, inner.relation.left), given="s")
    finite = dominated(inner, BET, stakes, lower=least)
    over = expect(inner, BET, finite, stakes)
    flat = tower(BET, s * S, "s", finite, positive)
    yield over, "averaged"
    gains = linear(
        BET,
        s * (S - 1),
        {s * S: 1, s: -1},
        integrable(flat, E(BET, s * S)),
        stakes,
    )
    yield combine(part.claim, gains, flat, over), "so"


@proves("all bets")
def all_bets(part: Statement) -> Iterator[Step]:
    """Linearity, bet after bet."""
    each = part.assuming["each"]
    before = assume(at_most(E(BETS, G), 0), Whole("k", 0))
    finite = [integrable(before, E(BETS, G)), integrable(each, E(BETS, g))]
    total = linear(BETS, G + g, {G: 1, g: 1}, *finite)
    yield total, "one bet more"
    taken = one_more(BETS, G, integrable(total, E(BETS, G + g)))
    step = combine(at_most(E(BETS.next, G), 0), taken, total, before, each)
    base = combine(at_most(E(BETS.sequence, G), 0), at_start(BETS.sequence, G))
    yield induct(base, under(step, Whole("k", 0)), "k"), "bet after bet"


@proves("in turn")
def in_turn(part: Statement) -> Iterator[Step]:
    """The wealth does not rise on average."""
    fair = part.assuming["fair"]
    before = assume(at_most(E(TRIALS, T), c), Whole("k", 0))
    moves = integrable(fair, E(TRIALS, d, TRIALS.past))
    split = linear(TRIALS, T + d, {d: 1}, moves, constant=T, given=TRIALS.past)
    inner = combine(at_most(E(TRIALS, T + d, TRIALS.past), T), split, fair)
    positive = under(real("0 <= T + d", "0 <= T + d"), *TRIALS.support)
    over = over_the_past(TRIALS, inner, integrable(before, E(TRIALS, T)), positive)
    yield over, "one trial more"
    taken = one_more(TRIALS, T, integrable(over, E(TRIALS, T + d)))
    step = combine(at_most(E(TRIALS.next, T), c), taken, over, before)
    base = combine(at_most(E(TRIALS.sequence, T), c), at_start(TRIALS.sequence, T))
    whole = induct(base, under(step, Whole("k", 0)), "k")
    yield whole, "trial after trial"
    yield combine(part.claim, specialize(whole, k=N)), "after N trials"


@proves("Markov")
def markov(part: Statement) -> Iterator[Step]:
    """The indicator is at most err T."""
    yield from rarely(part, WEALTH, RICH, part.assuming["mean"])


@proves("refuted")
def refuted(part: Statement) -> Iterator[Step]:
    """Markov's inequality for the wealth after N trials."""
    wealth_mean = THEOREM.part("in turn").fact()
    yield wealth_mean, "the mean wealth"
    most = under(real("c <= 1", "c <= 1"), *part.given)
    mean = combine(at_most(E(END, T), 1), wealth_mean, most)
    yield from rarely(part, END, REFUTED, mean)


def rarely(part: Statement, law: Law, rich: Event, mean: Fact) -> Iterator[Step]:
    """A mean of at most 1 is rarely 1/err."""
    line = cases(rich, at_most(A, err * T), "0 < err")
    yield line, "the indicator"
    finite = integrable(mean, E(law, T))
    same = marginal(rich, law, T, finite, "0 < err")
    scaled = linear(rich, err * T, {T: err}, integrable(same, E(rich, T)))
    indicator = dominated(
        cases(rich, at_most(A, 1), "0 < err"),
        rich,
        lower=cases(rich, at_most(0, A), "0 < err"),
    )
    over = expect(line, rich, indicator, integrable(scaled, E(rich, err * T)))
    yield over, "averaged"
    positive = under(real("0 < err", "0 < err"), *part.given)
    yield (
        combine(part.claim, over, scaled, (same, err), (mean, err), (positive, 0)),
        "so",
    )


FALSEHOODS = (
    Falsehood(
        "a factor that is fair on average over the stakes gains nothing, whatever is at"
        " risk",
        at_most(E(BET, s * (S - 1)), 0),
        assuming={"fair": assume(at_most(E(BET, S), 1))},
        instance=example(laws={"B": [((2, 2), "1/2"), ((0, 0), "1/2")]}),
    ),
    Falsehood(
        "a mean of at most 1 keeps a wealth that may be negative below 1/err",
        at_most(E(event(Law("W", ("T",)), "A", at_most(1 / err, T)), A), err),
        ("0 < err",),
        assuming={"mean": assume(at_most(E(Law("W", ("T",)), T), 1))},
        instance=example({"err": "1/4"}, {"W": [(4, "1/2"), (-4, "1/2")]}),
    ),
)
