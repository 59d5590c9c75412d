"""Tests of resumed sessions: a partial, stopped or killed session loses nothing, and sealed stages stay unchanged."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.properties.session_process import InputFiles, Record, SessionOutcome, SessionTerminal

KILL = """
import os, pathlib, shutil, signal

HERE = pathlib.Path(os.environ["ORACLE_FACTORY_TEST_SESSION"])

def pytest_runtest_setup(item):
    if item.name == "test_ut3[t-5:oak~yew]" and not (HERE / "killed").exists():
        (HERE / "killed").touch()
        for shards in HERE.glob("runs/*/formalization/shards"):
            shutil.copytree(shards, HERE / "before" / "formalization" / "shards", dirs_exist_ok=True)
        TARGET
"""
KILL_SESSION = KILL.replace("TARGET", "os.killpg(0, signal.SIGKILL)")
KILL_CONTROLLER = KILL.replace("TARGET", "os.kill(os.getppid(), signal.SIGKILL)").replace(
    "test_ut3[t-5:oak~yew]", "test_ut1[t-1:ash]"
)


@dataclass(frozen=True, slots=True)
class Continued:
    """A named run: a partial session, the whole one after it, a third on the sealed run, and what each left."""

    partial: SessionOutcome
    judged_first: list[Record]
    sealed_first: bool
    first_run: Path
    whole: SessionOutcome
    judged_again: list[str]
    files: dict[str, bytes]
    served: SessionOutcome
    written: dict[str, int]


COUNT = """
import os, pathlib
import harness.store.run_folder as store

append = store.Shard.append

def counted(shard, record):
    if record["claim"] != "record":
        with open(pathlib.Path(os.environ["ORACLE_FACTORY_TEST_SESSION"]) / "judged", "a") as stream:
            stream.write(record["claim"] + "\\n")
    append(shard, record)

store.Shard.append = counted
"""


@pytest.fixture(scope="module")
def continued(tiny: InputFiles, embeddings_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Continued:
    """Return a run that was judged in two sessions and looked at in a third."""
    terminal = SessionTerminal(tmp_path_factory.mktemp("continued"), embeddings_cache)
    partial = terminal.run(tiny, "--harness-run=mine", "-k", "test_ut1")
    first, sealed = partial.shard_records(), partial.sealed
    kept = shutil.copytree(partial.run, terminal.folder / "kept")
    whole = terminal.run(tiny, "--harness-run=mine", plugin=COUNT)
    again = (terminal.folder / "judged").read_text().split()
    written = _written(whole)
    served = terminal.run(tiny, "--harness-run=mine", processes=2)
    return Continued(partial, first, sealed, kept, whole, again, whole.files(), served, written)


def _written(ended: SessionOutcome) -> dict[str, int]:
    """Return when each file of the stage was written."""
    return {path.name: path.stat().st_mtime_ns for path in ended.stage.iterdir()}


def test_resuming_says_where_it_goes_on(continued: Continued) -> None:
    """A session that goes on says in which run, and how many claims were judged before; the first one and a sealed run say nothing of it."""
    line = f"formalization: continues in {continued.whole.run}, where {len(continued.judged_first)} claims were judged before"
    told = [line in session.output for session in (continued.partial, continued.whole, continued.served)]
    assert told == [False, True, False]


def test_partial_session_is_not_sealed(continued: Continued) -> None:
    """`-k test_ut1` judges the UT-1 claims and seals nothing."""
    assert ({record["claim"] for record in continued.judged_first}, continued.sealed_first) == ({"ut1"}, False)


def test_partial_session_says_so(continued: Continued) -> None:
    """A partial session says how many claims are open and how to go on; its status is that of its items."""
    line = f"run {continued.partial.run}: not sealed, 14 claims are not judged yet; continue with --harness-run"
    assert (line in continued.partial.output, continued.partial.status) == (True, 1)


def test_continued_session_judges_what_is_missing(continued: Continued) -> None:
    """The next session on the run judges each open claim once and none again."""
    assert sorted(continued.judged_again) == ["ut2"] * 7 + ["ut3"] * 7


def test_continued_session_seals_the_same_bytes(continued: Continued, judged: SessionOutcome) -> None:
    """A run judged in two sessions equals one judged at once."""
    assert continued.files == judged.files()


def test_sealed_run_is_served(continued: Continued) -> None:
    """A third session shows the same findings from the store."""
    assert (continued.served.outcomes, continued.served.status) == (continued.whole.outcomes, 1)


def test_sealed_run_is_not_written_again(continued: Continued) -> None:
    """A session on a sealed run leaves every file as it was."""
    assert _written(continued.served) == continued.written


def test_killed_session_is_continued(tiny: InputFiles, terminal: SessionTerminal, judged: SessionOutcome) -> None:
    """After the SIGKILL of the whole session amid its items the shards stay, and the next session ends as if undisturbed."""
    ended = terminal.run(tiny, processes=2, plugin=KILL_SESSION)
    kept, sealed = len(ended.shard_records()), ended.sealed
    again = terminal.run(tiny, plugin=COUNT)
    judged_again = len((terminal.folder / "judged").read_text().split())
    total = len(judged.records("verdicts"))
    assert (sealed, 0 < kept < total, kept + judged_again, again.files() == judged.files()) == (
        False,
        True,
        total,
        True,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processes", "target"),
    [
        (0, "os.killpg(0, signal.SIGINT)"),
        (2, "os.killpg(0, signal.SIGINT)"),
        (0, "os.kill(os.getpid(), signal.SIGTERM)"),
        (2, "os.kill(os.getppid(), signal.SIGTERM)"),
    ],
)
def test_interrupted_session_is_kept(
    tiny: InputFiles, cold_terminal: SessionTerminal, processes: int, target: str
) -> None:
    """Ctrl-C and SIGTERM end with status 2, keep what was judged, seal nothing, leave nothing running, and name no file that is not there."""
    plugin = KILL.replace("TARGET", target).replace("test_ut3[t-5:oak~yew]", "test_ut1[t-6:oak]")
    ended = cold_terminal.run(tiny, processes=processes, plugin=plugin)
    found = (ended.status, ended.shard_records() != [], ended.sealed, cold_terminal.left_running())
    assert found == (2, True, False, [])
    assert "in verdicts.jsonl" not in ended.output
    assert "INTERNALERROR" not in ended.output


@pytest.mark.slow
def test_killed_controller_leaves_nothing_running(tiny: InputFiles, cold_terminal: SessionTerminal) -> None:
    """With the controlling process killed, the workers end too."""
    cold_terminal.run(tiny, processes=2, plugin=KILL_CONTROLLER)
    assert cold_terminal.left_running(patience=10) == []
