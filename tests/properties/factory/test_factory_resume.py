"""`oracle-factory run` that is killed: nothing that was judged is lost, and the same bytes come out."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from properties.stages.mutation import operator_names
from tests.properties.factory.factory_process import MINI, FactoryOutcome, FactoryTerminal
from tests.properties.session_process import SessionTerminal

if TYPE_CHECKING:
    from pathlib import Path

FEW_KILLS = ("mutation write 3", "funnel write 2")
KILLS = (
    *("formalization append 3", "formalization append 40", "formalization write 2"),
    *("mutation append 5", "mutation write 3", "variant append 2", "label append 20", "label write 1"),
    *("datasets write 4", "funnel write 2"),
)
SEALED = ("formalization", "oracles", "mutation", "variant", "label", "funnel", "datasets", "report")


@pytest.mark.slow
@pytest.mark.parametrize("kills", [FEW_KILLS, pytest.param(KILLS, marks=pytest.mark.slow)], ids=len)
def test_killed_at_every_stage(
    kills: tuple[str, ...], undisturbed: FactoryOutcome, tmp_path: Path, embeddings_cache: Path
) -> None:
    """A run that is killed again and again, in one stage after the other, by records or while it is sealed, ends with the same bytes."""
    terminal = FactoryTerminal(tmp_path, embeddings_cache)
    for kill in kills:
        killed = terminal.run(kill=kill)
        assert killed.status == -signal.SIGKILL, (kill, killed.stderr)
    resumed = terminal.run()
    assert resumed.status == 0, resumed.stderr
    for stage in ("formalization", "mutation", "variant", "label", "datasets"):
        assert f"{stage}: sealed before\n" in resumed.stderr
    assert resumed.files() == undisturbed.files()
    assert {path.partition("/")[0] for path in resumed.files()} == {*SEALED, "inputs.json"}
    assert (
        resumed.stdout.replace(str(tmp_path), "")
        == undisturbed.stdout.replace(str(undisturbed.run.parent), "").partition("\n")[2]
    )


def test_sealed_run_is_shown_again(undisturbed: FactoryOutcome, embeddings_cache: Path) -> None:
    """The same command on a finished run makes nothing, and shows it again."""
    before = {path: path.stat().st_mtime_ns for path in undisturbed.run.glob("*/manifest.json")}
    again = FactoryTerminal(undisturbed.run.parent, embeddings_cache).run()
    assert again.status == 0, again.stderr
    assert again.stderr.count(": sealed before\n") == 5
    assert {path: path.stat().st_mtime_ns for path in before if "funnel" not in path.parts} == {
        path: time for path, time in before.items() if "funnel" not in path.parts
    }


@pytest.mark.slow
def test_killed_worker(tmp_path: Path, embeddings_cache: Path) -> None:
    """A process of the pool that is killed in its second problem ends the run with one message, status 2, and keeps the first."""
    terminal = FactoryTerminal(tmp_path, embeddings_cache)
    ended = terminal.run(kill=f"mutation append {len(operator_names()) + 5}", victim="worker")
    assert ended.status == 2
    assert "mutation: a process of the stage died, perhaps because memory ran out" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert list((ended.run / "mutation" / "shards").glob("*.jsonl"))


@pytest.mark.slow
def test_stages_are_those_of_the_suites(undisturbed: FactoryOutcome, tmp_path: Path, embeddings_cache: Path) -> None:
    """The pool seals the bytes that a pytest session seals: the suites and the command judge the same claims alike."""
    session = SessionTerminal(tmp_path, embeddings_cache).run(
        None,
        *("--harness-corpus=mini", "--harness-problems=0:3", "--harness-run=run", "--harness-gate=none"),
        *(f"--harness-formalizations={name}" for name in MINI[1:]),
        *("-m", "formalization or mutation or variant"),
    )
    assert session.status == 0, session.output
    stages = ("formalization", "oracles", "mutation", "variant")
    sealed = {path: data for path, data in undisturbed.files().items() if path.partition("/")[0] in stages}
    run = tmp_path / "runs" / "run"
    assert {path: (run / path).read_bytes() for path in sealed} == sealed
    assert len(sealed) >= 16
