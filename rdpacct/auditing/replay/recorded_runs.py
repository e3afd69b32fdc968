"""Runs of a mechanism with a source that records, or that gives the noise of an earlier run."""

import copy
import random
from collections.abc import Callable
from typing import Any

from rdpacct.arrays import load
from rdpacct.auditing.replay.noise_log import NoiseLog
from rdpacct.auditing.replay.python_source import RecordingRandom
from rdpacct.auditing.replay.tape import Tape
from rdpacct.auditing.running.sampling import takes_size
from rdpacct.errors import InputError, NotInstalledError
from rdpacct.exact.number import shorten, whole

Noisy = Callable[..., Any]
"""A mechanism: a function of the data and of a source of randomness; one with a parameter named
``size`` is asked for one output.
"""
LARGEST_SEED = 2**64


def record_noise(
    mechanism: Noisy, data: Any, *, seed: int = 0, source: Any = None
) -> NoiseLog:
    """A run of ``mechanism(data, rng)``, with every call of its noise.

    ``rng`` is a generator of NumPy; with ``source=random.Random`` it is one of Python, and with
    ``source=numpy.random.RandomState`` one of NumPy's older kind. The data are copied before the
    run.
    """
    return _run(mechanism, data, Tape(_seed(seed), copy.deepcopy(data)), source)


def replay_noise(
    mechanism: Noisy, log: NoiseLog, data: Any, *, source: Any = None
) -> NoiseLog:
    """A run on other data with the noise of an earlier run: each call has the outcome that it had
    there.
    """
    return _run(mechanism, data, Tape(log.seed, copy.deepcopy(data), log), source)


def _run(mechanism: Noisy, data: Any, tape: Tape, source: Any) -> NoiseLog:
    if not callable(mechanism):
        raise InputError(
            f"the mechanism is {shorten(repr(mechanism))}; give a function of the data"
            " and of a source of randomness."
        )
    options = {"size": 1} if takes_size(mechanism) else {}
    output = mechanism(copy.deepcopy(data), _recording(tape, source), **options)
    return tape.log(_plain_output(output))


def _recording(tape: Tape, source: Any) -> Any:
    if source is random.Random:
        return RecordingRandom(tape)
    name = "Generator" if source is None else getattr(source, "__name__", "")
    if name not in ("Generator", "RandomState"):
        raise InputError(
            f"the source is {shorten(repr(source))}; give random.Random,"
            " numpy.random.RandomState, or nothing for a generator of NumPy."
        )
    try:
        load()
    except NotInstalledError as error:
        message = (
            "the noise is recorded with a generator of NumPy, which is not installed;"
            " install rdpacct[data], or give source=random.Random."
        )
        raise NotInstalledError(message, error.needs) from None
    from rdpacct.auditing.replay import recording_generators

    if name == "RandomState":
        return recording_generators.RecordingRandomState(tape)
    return recording_generators.RecordingGenerator(tape)


def _seed(seed: int) -> int:
    return whole(seed, "the seed", 0, LARGEST_SEED)


def _plain_output(output: Any) -> Any:
    """The output as it was when the run ended."""
    try:
        return copy.deepcopy(output)
    except (TypeError, ValueError, AttributeError):
        return output
