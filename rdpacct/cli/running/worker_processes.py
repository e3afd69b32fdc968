"""Processes of our own for work of the user: deaf to Ctrl-C, silent, and ended with the work."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess

from rdpacct.exact.number import whole

MOST_WORKERS = 512
PATIENCE = 1.0
"""For how many seconds processes may go on with work that nobody waits for."""
START = (
    "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
)
"""How processes start: from a clean one, since code of the user may have threads."""


def worker_count(given: str | None) -> int:
    """The number of processes that a command line asks for: all cores if it does not say."""
    if given is None:
        known = hasattr(os, "sched_getaffinity")
        return len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
    return whole(given, "the number of workers", 0, MOST_WORKERS)


@contextmanager
def worker_processes(count: int) -> Iterator[Executor | None]:
    """An executor of this many processes, which end at once at the end; none for 0."""
    if count == 0:
        yield None
        return
    before = set(multiprocessing.active_children())
    context = multiprocessing.get_context(START)
    with _deaf():
        pool = ProcessPoolExecutor(count, context, initializer=begin)
        pool.submit(int)  # starts what processes are forked from
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        _end(set(multiprocessing.active_children()) - before)


def _end(processes: set[BaseProcess]) -> None:
    """Let processes without work end, and end those in the middle of some."""
    last = time.monotonic() + PATIENCE
    for process in processes:
        process.join(max(last - time.monotonic(), 0))
    for process in processes:
        process.terminate()


@contextmanager
def _deaf() -> Iterator[None]:
    """Without interrupts, so that processes that start meanwhile inherit that they ignore them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def begin() -> None:
    """The start of a process: Ctrl-C is heard by its parent, and its output is none of an
    answer.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
