"""DP-SGD: what is known about the privacy of training under each assumption on the batches."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from rdpacct.calibration import Calibration, calibrate
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound, decimal_up
from rdpacct.exact.formula import formula
from rdpacct.exact.number import Number, decimal_text, rational, shorten, whole
from rdpacct.mechanisms.allocation.random_allocation import RandomAllocation
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import (
    SampledWithoutReplacement,
)
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.grouped import has_group_rule
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.mechanisms.parallel import bad_choice
from rdpacct.mechanisms.poisson.poisson_sampled import PoissonSampled
from rdpacct.privacy.guarantee import GaussianDP
from rdpacct.privacy.relation import Norm, Relation, Sensitivity
from rdpacct.provenance import attempt
from rdpacct.questions import Questions, group_epsilon
from rdpacct.training.participation import rounded_chance, smallest_cap, training_with
from rdpacct.training.shuffled_epochs import needed
from rdpacct.training.statement import (
    BatchingStatement,
    LeftOut,
    TrainingRun,
    TrainingStatement,
)

MOST_EXAMPLES = 10**12
MOST_STEPS = 10**9
MOST_ALLOCATED = 10**6
"""The most batches of an epoch whose examples are drawn one by one."""
ALLOCATION = "random allocation"
UNTOLD = "nothing but the noisy sums tells which examples are in a batch"
"""What amplification by sampling takes for granted."""
OF_ONE_EXAMPLE = "what is proved here is about one example"
MOST_PER_USER = 10**6
FIGURES = 5
"""The figures of a noise multiplier that meets a target, rounded up."""
SHARES = (Fraction(1, 2), Fraction(1, 5), Fraction(1, 20), Fraction(1, 100))
"""The parts of delta that are tried for the chance that an example is used too often."""

__all__ = ["BatchingStatement", "TrainingRun", "TrainingStatement", "dpsgd"]


def dpsgd(
    examples: Number,
    batch: Number,
    epochs: Number,
    delta: Number,
    noise_multiplier: Number | None = None,
    target_epsilon: Number | None = None,
    examples_per_user: Number = 1,
) -> TrainingStatement:
    """What is known about the privacy of DP-SGD, under each assumption on the batches.

    The noise on the sum of the clipped gradients of a batch has ``noise_multiplier`` times the
    clipping norm as its standard deviation. With a ``target_epsilon`` in its place, the multiplier
    is the smallest short decimal that meets it under Poisson sampling. Users have up to
    ``examples_per_user`` examples.

    The statement under Poisson sampling, for one example, is worked out here, and the others when
    they are asked for.
    """
    size = whole(examples, "the number of examples", 1, MOST_EXAMPLES)
    run = TrainingRun(
        size,
        whole(batch, "the batch size", 1, size),
        _positive(epochs, "the number of epochs"),
        Fraction(1),
        _probability(delta),
        whole(examples_per_user, "the number of examples of a user", 1, MOST_PER_USER),
    )
    if run.steps > MOST_STEPS:
        raise InputError(
            f"the run has {shorten(str(run.steps))} steps, more than the {MOST_STEPS} that are"
            " looked at; give fewer epochs or larger batches."
        )
    multiplier, calibration = _multiplier(run, noise_multiplier, target_epsilon)
    run = TrainingRun(
        *(run.examples, run.batch, run.epochs, multiplier),
        *(run.delta, run.examples_per_user),
    )
    sizes = [1] if run.examples_per_user == 1 else [1, run.examples_per_user]
    ways = [partial(way, run, users) for way in WAYS for users in sizes]
    return TrainingStatement(run, _poisson(run, 1), tuple(ways[1:]), calibration)


def _poisson(run: TrainingRun, size: int) -> BatchingStatement:
    """Each example is in each batch with the same probability, independently."""
    step = PoissonSampled(Gaussian(run.noise_multiplier), run.rate)
    plan = run.steps * step
    epsilon = group_epsilon(plan, size, run.delta)
    unknown = ""
    shown: Plan | None = plan
    if has_group_rule(plan):
        shown = plan.for_group(size)
    elif size > 1:
        shown = None
        unknown = (
            "how much better it is than the rule for chains of neighbors; the lower end is"
            " that of a user with one example"
        )
    return BatchingStatement(
        "Poisson sampling",
        _level(size),
        epsilon,
        shown,
        _more_or_less(size),
        Relation.ADD_OR_REMOVE_ONE,
        (
            f"each example is in each batch with probability {run.batch}/{run.examples},"
            " independently of all others and of other steps, so that batches have"
            f" different sizes; {UNTOLD}"
        ),
        unknown,
    )


def _allocated(run: TrainingRun, size: int) -> BatchingStatement | LeftOut:
    """Each example is in one batch of each epoch, drawn for each on its own."""
    batches = -(-run.examples // run.batch)
    if size > 1:
        return LeftOut(ALLOCATION, _level(size), OF_ONE_EXAMPLE)
    if batches > MOST_ALLOCATED:
        why = f"an epoch has {batches} batches, more than {MOST_ALLOCATED}"
        return LeftOut(ALLOCATION, _level(size), why)
    try:
        step = RandomAllocation(Gaussian(run.noise_multiplier), batches)
        plan = run.passes * step
        above = Questions(plan).epsilon(run.delta)
        whole = run.epochs.numerator // run.epochs.denominator
        below = above
        if whole < run.passes:
            below = Questions(whole * step).epsilon(run.delta)
    except (InputError, UndecidedError) as error:
        return LeftOut(ALLOCATION, _level(size), str(error).rstrip("."))
    return BatchingStatement(
        ALLOCATION,
        _level(size),
        _between(below, above),
        plan,
        _more_or_less(size),
        Relation.ADD_OR_REMOVE_ONE,
        (
            f"in each epoch each example is in one of {batches} batches, drawn uniformly"
            " and independently of all other examples, so that batches have different"
            f" sizes; {UNTOLD}; a shuffled list that is cut into batches of one size is"
            " another mechanism"
        ),
    )


def _fixed_size(run: TrainingRun, size: int) -> BatchingStatement:
    """Each batch is a random set of fixed size, and an example may be replaced."""
    if size > 1:
        return _counted(run, size)
    plan = run.steps * _batches(run, Relation.REPLACE_ONE)
    return BatchingStatement(
        "fixed size",
        _level(size),
        Questions(plan).epsilon(run.delta),
        plan,
        _replaced(size),
        Relation.REPLACE_ONE,
        _fixed_batches(run),
        (
            "where between its ends it is: below, the other examples are all like one of"
            " the two; above, which of them they are like changes with each step"
        ),
    )


def _fixed_size_removed(run: TrainingRun, size: int) -> BatchingStatement | LeftOut:
    """The same for an example more or less."""
    if size > 1:
        return LeftOut("fixed size", _level(size), f"{OF_ONE_EXAMPLE} more or less")
    plan = run.steps * _batches(run, Relation.ADD_OR_REMOVE_ONE)
    return BatchingStatement(
        "fixed size",
        _level(size),
        Questions(plan).epsilon(run.delta),
        plan,
        _more_or_less(size),
        Relation.ADD_OR_REMOVE_ONE,
        f"{_fixed_batches(run)}; the larger data set has {run.examples} examples",
        "",
    )


def _fixed_batches(run: TrainingRun) -> str:
    return (
        f"each batch is a new random choice of {run.batch} examples, without replacement,"
        " and an example in it is exchanged for another, which moves the sum by two"
        f" clipping norms; {UNTOLD}"
    )


def _batches(run: TrainingRun, relation: Relation) -> SampledWithoutReplacement:
    """A step on a batch of fixed size, in which another example moves the sum by two norms."""
    inside = Sensitivity(2, norm=Norm.L2, relation=Relation.REPLACE_ONE)
    noise = Gaussian(run.noise_multiplier, inside)
    return SampledWithoutReplacement(noise, run.batch, run.examples, relation=relation)


def _counted(run: TrainingRun, size: int) -> BatchingStatement:
    """Batches of fixed size for users: how often their examples are used."""
    plan, epsilon = min(
        (_capped(run, size, share * run.delta) for share in SHARES),
        key=lambda capped: capped[1].upper,
    )
    return BatchingStatement(
        "fixed size",
        _level(size),
        epsilon,
        plan,
        _replaced(size),
        Relation.REPLACE_ONE,
        (
            f"each batch is a new random choice of {run.batch} examples, without"
            " replacement; this counts how often an example is used, and uses no"
            " amplification by sampling"
        ),
        (
            "how much sampling without replacement helps for several examples, which is"
            " not proved in this book; the number of Poisson sampling does not apply"
        ),
    )


def _capped(run: TrainingRun, size: int, chance: Fraction) -> tuple[Plan, Bound]:
    """A cap on the uses of each example of a user, beside the chance that one exceeds it."""
    cap = smallest_cap(run.steps, run.rate, chance / size)
    missed = size * rounded_chance(cap, run.steps, run.rate)
    with attempt() as used:
        plan = training_with(cap, _noise(run, 2, size, Relation.REPLACE_ONE))
        if missed:
            beside = bad_choice(formula(missed))
            plan = plan + beside.stated_for(Relation.REPLACE_ONE)
    return plan, _at_most(plan, run.delta, frozenset(used))


def _shuffled(run: TrainingRun, size: int) -> BatchingStatement:
    """Each example is in one batch of each epoch, and may be replaced."""
    return _every_epoch(run, size, 2, _replaced(size), Relation.REPLACE_ONE)


def _zeroed(run: TrainingRun, size: int) -> BatchingStatement:
    """The same for neighbors without the gradients of the example."""
    gradients = "gradient" if size == 1 else f"up to {size} gradients"
    neighbors = (
        f"the {gradients} of one {_level(size)} left out of the sums, with all batches as"
        " they are"
    )
    return _every_epoch(run, size, 1, neighbors, Relation.ADD_OR_REMOVE_ONE)


def _every_epoch(
    run: TrainingRun, size: int, moved: int, neighbors: str, relation: Relation
) -> BatchingStatement:
    """Shuffled batches: a release of all of the data in each epoch."""
    with attempt() as used:
        plan = training_with(run.passes, _noise(run, moved, size, relation))
    above = _at_most(plan, run.delta, frozenset(used))
    below = needed(run, 2 - moved, relation)
    return BatchingStatement(
        "shuffling",
        _level(size),
        _between(below, above),
        plan,
        neighbors,
        relation,
        (
            "each example is in at most one batch of each epoch, in an order that does not"
            " depend on the data, so that an epoch is one Gaussian release"
        ),
        (
            "how much the random order helps; the number of Poisson sampling does not"
            " apply, and there are cases in which shuffled batches are less private; the"
            " lower end is that of one test in each full epoch, with random batches and"
            " equal gradients of all other examples"
        ),
    )


WAYS: tuple[Callable[[TrainingRun, int], BatchingStatement | LeftOut], ...] = (
    *(_poisson, _allocated, _fixed_size_removed, _fixed_size, _shuffled, _zeroed),
)
"""What is stated of a run, in this order."""


def _noise(run: TrainingRun, moved: int, size: int, relation: Relation) -> Gaussian:
    """The noise of a step, whose sum an example moves by a number of clipping norms."""
    far = GaussianDP(moved).group(size).mu if size > 1 else formula(moved)
    stated = Sensitivity(far, norm=Norm.L2, relation=relation)
    return Gaussian(run.noise_multiplier, stated)


def _at_most(plan: Plan, delta: Fraction, used: frozenset[str]) -> Bound:
    """An epsilon of training that is at most that of a plan."""
    bound = Questions(plan).epsilon(delta)
    most = Bound(Fraction(0), bound.upper, bound.how)
    return most.resting_on(bound.rests_on | used)


def _between(below: Bound, above: Bound) -> Bound:
    """An epsilon that is at least one number and at most another."""
    epsilon = Bound(min(below.lower, above.upper), above.upper, above.how)
    return epsilon.resting_on(below.rests_on | above.rests_on)


def _level(size: int) -> str:
    return "example" if size == 1 else "user"


def _more_or_less(size: int) -> str:
    if size == 1:
        return "one example more or less"
    return f"one user with up to {size} examples more or less"


def _replaced(size: int) -> str:
    if size == 1:
        return "one example replaced"
    return f"the up to {size} examples of one user replaced"


def _multiplier(
    run: TrainingRun, given: Number | None, target: Number | None
) -> tuple[Fraction, Calibration | None]:
    """The noise multiplier, given or found for a target."""
    if (given is None) == (target is None):
        raise InputError(
            "give either the noise multiplier that is used or the target epsilon for which"
            " one is wanted, as in --noise-multiplier 1.1 or --target-epsilon 3."
        )
    if given is not None:
        return _positive(given, "the noise multiplier"), None
    rate = f"{run.batch}/{run.examples}"
    open_plan = f"{run.steps}*PoissonSampled(Gaussian(sigma=?), rate={rate})"
    level = _positive(target, "the target epsilon")
    calibration = calibrate(open_plan, level, run.delta)
    return Fraction(decimal_up(calibration.sufficient, FIGURES)), calibration


def _positive(value: object, name: str) -> Fraction:
    exact = rational(value, name)
    if exact <= 0:
        raise InputError(
            f"{name} is {decimal_text(exact)}, but must be above 0; give such a value."
        )
    return exact


def _probability(value: object) -> Fraction:
    exact = rational(value, "delta")
    if not 0 < exact < 1:
        raise InputError(
            f"delta is {decimal_text(exact)}, but must be above 0 and below 1; give one"
            " such as 1e-5."
        )
    return exact
