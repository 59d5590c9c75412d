"""The engines that judge the parts of a stage: processes of this machine, or tasks on a cluster of Ray."""

import gc
import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from harness.command_line.runnable_commands import optional_packages
from harness.errors import HarnessError
from harness.paths import ROOT
from properties.engine.stage_judging import JudgedParts, LostProcessError, StagePart, judge_part
from properties.engine.stage_run import RARELY

AHEAD = 3
"""Parts that wait or are judged, per process."""
LOOK = 1.0
"""Seconds between two checks of a process whether its parent is alive."""
ALWAYS = -1
"""How often Ray repeats a task whose machine or process died: without limit."""
_KEPT = "verdicts so far are kept, and the same command continues from there"


def _judged_parts(
    parts: Iterable[StagePart],
    processes: Callable[[], int],
    submit: Callable[[StagePart], Any],
    ended: Callable[[list[Any]], Iterable[Any]],
    result: Callable[[Any], bytes],
) -> JudgedParts:
    """Yield each part with its lines when its job has ended; only a few parts are submitted ahead."""
    jobs: dict[Any, StagePart] = {}
    parts = iter(parts)
    while True:
        for part in itertools.islice(parts, max(AHEAD * processes() - len(jobs), 0)):
            jobs[submit(part)] = part
        if not jobs:
            return
        for job in ended(list(jobs)):
            yield jobs.pop(job), result(job)


@dataclass(frozen=True, slots=True)
class LocalPool:
    """Judges parts of a stage in a number of processes that are forked from this one."""

    processes: int

    def judged(self, parts: Iterable[StagePart]) -> JudgedParts:
        """Yield the results of the parts, as `Engine.judged` says."""
        # The children share what is loaded; the garbage collector need not look at it again, which would copy it.
        gc.freeze()
        pool = ProcessPoolExecutor(self.processes, multiprocessing.get_context("fork"), _begin, (os.getpid(),))

        def ended(jobs: list[Any]) -> list[Any]:
            # The verdicts from before a process died come first.
            done = wait(jobs, return_when=FIRST_COMPLETED).done
            return sorted(done, key=lambda job: job.exception() is not None)

        try:
            yield from _judged_parts(
                parts,
                lambda: self.processes,
                lambda part: pool.submit(judge_part, part),
                ended,
                lambda job: job.result(),
            )
        except BrokenProcessPool:
            message = f"a process of the stage died, perhaps because memory ran out; {_KEPT}; --processes {max(self.processes // 2, 1)} needs less memory"
            raise LostProcessError(message) from None
        finally:
            pool.shutdown(cancel_futures=True)
            gc.unfreeze()


def _begin(parent: int) -> None:
    """Begin a process of the pool, which leaves interrupts to its parent and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    gc.set_threshold(*RARELY)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)


@dataclass(frozen=True, slots=True)
class RayCluster:
    """Judges parts of a stage on the cluster at an address; with `None`, on a cluster that it starts on this machine."""

    address: str | None
    processes: int

    def judged(self, parts: Iterable[StagePart]) -> JudgedParts:
        """Yield the results of the parts, as `Engine.judged` says; Ray runs a part again where a machine is lost.

        Raises:
            HarnessError: also where Ray is not installed, or no cluster answers at the address.
        """
        ray = self._connected()
        task = ray.remote(judge_part).options(max_retries=ALWAYS, scheduling_strategy="SPREAD", num_cpus=1)

        def result(job: Any) -> bytes:
            try:
                lines: bytes = ray.get(job)
            except ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, HarnessError):
                    raise error.cause from None
                raise HarnessError(f"a task of Ray failed: {str(error)[-500:]}") from None
            except ray.exceptions.RayError as error:
                raise LostProcessError(
                    f"Ray gave a part up ({type(error).__name__}: {str(error)[:300]}); {_KEPT}"
                ) from None
            return lines

        try:
            yield from _judged_parts(
                parts,
                lambda: max(int(ray.cluster_resources().get("CPU", 1)), 1),
                task.remote,
                lambda jobs: ray.wait(jobs, num_returns=1)[0],
                result,
            )
        finally:
            ray.shutdown()

    def _connected(self) -> Any:
        # Ray sends usage statistics to its makers unless this is set before the import.
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        with optional_packages("--engine ray"):
            import ray  # an extra, which takes a second to import
        paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
        try:
            ray.init(
                address=self.address or "local",
                num_cpus=None if self.address else self.processes,
                include_dashboard=None if self.address else False,
                configure_logging=False,
                log_to_driver=False,
                runtime_env={"env_vars": {"PYTHONPATH": paths}},
            )
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            raise HarnessError(
                f"--engine ray: no cluster answers at {self.address or 'this machine'} ({str(error)[:300]})"
            ) from None
        return ray
