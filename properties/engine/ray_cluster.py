"""The engine of many machines: parts of a stage are tasks of Ray, which runs them again where a machine is lost."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.paths import ROOT
from properties.engine.stage_judging import LostProcessError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from properties.engine.stage_judging import StagePart
    from properties.engine.stage_run import StageRecords

AHEAD = 3
"""Parts that wait or are judged, per processor of the cluster."""
ALWAYS = -1
"""How often Ray repeats a task whose machine or process died: without limit."""


@dataclass(frozen=True, slots=True)
class RayCluster:
    """Judges parts of a stage on the cluster at an address; with `None`, on a cluster that it starts on this machine."""

    address: str | None
    processes: int

    def records(self, parts: Iterable[StagePart]) -> Iterator[tuple[StagePart, StageRecords]]:
        """Yield the results of the parts, as `Engine.records` says.

        Raises:
            HarnessError: also where Ray is not installed, or no cluster answers at the address.
        """
        ray = self._connected()
        try:
            yield from _records(ray, iter(parts))
        finally:
            ray.shutdown()

    def _connected(self) -> Any:
        # Ray sends usage statistics to its makers unless this is set before the import.
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        try:
            import ray  # an extra, which takes a second to import
        except ImportError:
            message = f"--engine ray: Ray is not installed; install it by: {runnable('make install-scale')}, or give --engine local"
            raise HarnessError(message) from None
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


def _records(ray: Any, parts: Iterator[StagePart]) -> Iterator[tuple[StagePart, StageRecords]]:
    judge = ray.remote(_judge).options(max_retries=ALWAYS, scheduling_strategy="SPREAD", num_cpus=1)
    judged: dict[Any, StagePart] = {}
    while True:
        processors = max(int(ray.cluster_resources().get("CPU", 1)), 1)
        for part in itertools.islice(parts, max(AHEAD * processors - len(judged), 0)):
            judged[judge.remote(part)] = part
        if not judged:
            return
        done, _ = ray.wait(list(judged), num_returns=1)
        for job in done:
            try:
                records = ray.get(job)
            except ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, HarnessError):
                    raise error.cause from None
                raise HarnessError(f"a task of Ray failed: {str(error)[-500:]}") from None
            except ray.exceptions.RayError as error:
                raise LostProcessError(
                    f"Ray gave a part up ({type(error).__name__}: {str(error)[:300]}); verdicts so far are kept, and the same command continues from there"
                ) from None
            yield judged.pop(job), records


def _judge(part: StagePart) -> StageRecords:
    return part.judged()
