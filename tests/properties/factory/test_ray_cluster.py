"""A cluster of Ray whose machines are lost: nothing is lost or judged twice, and the same bytes come out."""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from harness.stages import FORMALIZATION
from properties.engine.engines import JudgedParts, LocalPool, RayCluster, StagePart
from tests.properties.factory.test_engines import generated_inputs, sealed_stages

KILLS = 20
PROBLEMS = 60
STARTS = 3


@dataclass(frozen=True)
class WatchedCluster:
    """A cluster that notes when the first problems are judged."""

    cluster: RayCluster
    began: threading.Event

    def judged(self, parts: Iterable[StagePart]) -> JudgedParts:
        """Yield what the cluster judges."""
        for judged in self.cluster.judged(parts):
            self.began.set()
            yield judged


def _started(cluster: Any) -> object:
    """Return another machine of a cluster; on a busy one Ray gives a start up after 30 seconds, which is no fault of ours."""
    for left in reversed(range(STARTS)):
        try:
            return cluster.add_node(num_cpus=1)
        except Exception as error:
            if not left or "timed out during startup" not in str(error):
                raise
    raise AssertionError


@pytest.mark.slow
def test_lost_machines_change_no_byte(tmp_path: Path, embeddings_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two machines one is lost at a random moment and another joins, twenty times: every run is sealed with the same bytes."""
    monkeypatch.setenv("ORACLE_FACTORY_CACHE", str(embeddings_cache))
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    pytest.importorskip("ray", reason="Ray is not installed: it is the extra `scale`")
    from ray.cluster_utils import Cluster

    inputs = generated_inputs(tmp_path / "inputs", PROBLEMS, seed=5)
    began = time.monotonic()
    expected = sealed_stages(LocalPool(1), inputs, tmp_path / "expected", [FORMALIZATION])
    lasts = time.monotonic() - began
    random, lost = Random(0), list[object]()
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        for number in range(KILLS):
            machine, judging, ended = _started(cluster), threading.Event(), threading.Event()

            def lose(
                wait: float = random.uniform(0, lasts / 2),
                machine: object = machine,
                began: threading.Event = judging,
                ended: threading.Event = ended,
            ) -> None:
                began.wait()
                if not ended.wait(wait):
                    cluster.remove_node(machine, allow_graceful=False)
                    lost.append(machine)

            loser = threading.Thread(target=lose)
            loser.start()
            engine = WatchedCluster(RayCluster(cluster.address, 2), judging)
            sealed = sealed_stages(engine, inputs, tmp_path / str(number), [FORMALIZATION])
            ended.set()
            loser.join()
            assert sealed == expected
            if machine not in lost:
                cluster.remove_node(machine)
    finally:
        cluster.shutdown()
    assert len(lost) >= KILLS / 2
