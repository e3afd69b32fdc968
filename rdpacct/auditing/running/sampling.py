"""Running a mechanism in chunks, each with generators of its own, on any executor.

The chunks come back in their order, so that the number of workers changes nothing but the time.
"""

import inspect
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from dataclasses import dataclass
from pickle import PicklingError
from typing import Any

from rdpacct.arrays import load
from rdpacct.auditing.running.output_events import OutputEvent, count_hits
from rdpacct.auditing.running.outputs import (
    OutputKind,
    Outputs,
    read_outputs,
    same_kind,
)
from rdpacct.auditing.running.schedule import Chunk
from rdpacct.auditing.running.scores import ScoreReading
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten

AHEAD = 8
"""The number of chunks that are handed to an executor before the first of them is back."""
WHERE = ("x", "x_neighbor")


@dataclass(frozen=True)
class Runner:
    """A mechanism with its two inputs, the seed, and the score of an output if there is one."""

    mechanism: Callable[..., Any]
    inputs: tuple[Any, Any]
    seed: int
    takes_size: bool
    reading: ScoreReading | None

    def outputs(self, chunk: Chunk) -> tuple[Outputs, Outputs]:
        """The outputs of the trials of a chunk, on both inputs."""
        first = self._on(0, chunk)
        second = self._on(1, chunk)
        same_kind(first.shape, second)
        return first, second

    def _on(self, side: int, chunk: Chunk) -> Outputs:
        np = load()
        source = np.random.SeedSequence([self.seed, chunk.index, side])
        rng = np.random.default_rng(source)
        data = self.inputs[side]
        try:
            if self.takes_size:
                given = self.mechanism(data, rng, size=chunk.size)
            else:
                given = [self.mechanism(data, rng) for _ in range(chunk.size)]
            if self.reading is not None:
                given = [self.reading(output) for output in given]
        except Exception as error:
            raise InputError(
                f"the mechanism raised {type(error).__name__}"
                f" ({shorten(str(error), 200)}) on {WHERE[side]}, in the trials from"
                f" {chunk.start + 1} to {chunk.end}; give one that runs on both inputs."
            ) from error
        outputs = read_outputs(given, chunk.size)
        if self.reading is not None and outputs.kind is not OutputKind.NUMBER:
            raise InputError(
                f"a score is {outputs.shape}, but must be a number; give a function from"
                " an output to a number."
            )
        return outputs


def takes_size(mechanism: Callable[..., Any]) -> bool:
    """Whether a mechanism has a parameter named size, and gives that many outputs."""
    try:
        return "size" in inspect.signature(mechanism).parameters
    except (TypeError, ValueError):
        return False


def sampled(
    runner: Runner, chunk: Chunk, events: Sequence[OutputEvent], shape: str
) -> tuple[int, ...]:
    """How often each event happened on x in a chunk, then on the neighbor."""
    first, second = runner.outputs(chunk)
    same_kind(shape, first)
    return (*count_hits(events, first), *count_hits(events, second))


def drawn(runner: Runner, chunk: Chunk) -> tuple[Outputs, Outputs]:
    """The outputs of a chunk."""
    return runner.outputs(chunk)


def in_order(
    work: Callable[..., Any],
    runner: Runner,
    chunks: Iterable[Chunk],
    more: tuple[Any, ...],
    executor: Executor | None,
) -> Iterator[tuple[Chunk, Any]]:
    """The results of some work on each chunk, in the order of the chunks."""
    if executor is None:
        for chunk in chunks:
            yield chunk, work(runner, chunk, *more)
        return
    waiting: deque[tuple[Chunk, Future[Any]]] = deque()
    try:
        for chunk in chunks:
            waiting.append((chunk, _submitted(executor, work, runner, chunk, more)))
            if len(waiting) >= AHEAD:
                yield _result(*waiting.popleft())
        while waiting:
            yield _result(*waiting.popleft())
    finally:
        for _, future in waiting:
            future.cancel()


def _submitted(
    executor: Executor,
    work: Callable[..., Any],
    runner: Runner,
    chunk: Chunk,
    more: tuple[Any, ...],
) -> "Future[Any]":
    try:
        return executor.submit(work, runner, chunk, *more)
    except RuntimeError as error:
        raise _no_executor(error) from None


def _no_executor(error: Exception) -> InputError:
    return InputError(
        f"the executor does not run ({shorten(str(error), 200)}); give one that is open,"
        " or none."
    )


def _result(chunk: Chunk, future: "Future[Any]") -> tuple[Chunk, Any]:
    try:
        return chunk, future.result()
    except (PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"the mechanism cannot be sent to the executor ({shorten(str(error), 200)});"
            " give a function of a module, or a ThreadPoolExecutor."
        ) from None
    except Exception as error:
        if not _is_lost(error):
            raise
        raise InputError(
            f"a worker of the executor was lost ({type(error).__name__}) in the trials"
            f" from {chunk.start + 1} to {chunk.end}: the mechanism ended its process or"
            " took all memory; run it without an executor to see."
        ) from None


def _is_lost(error: Exception) -> bool:
    """Whether an executor says of itself that it lost work: those of Python, or of Dask."""
    if isinstance(error, BrokenExecutor | CancelledError):
        return True
    return type(error).__module__.partition(".")[0] == "distributed"
