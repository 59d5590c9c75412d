"""Tests of what holds of the sessions of every stage: same bytes however they are run, resumed and reproduced."""

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cases import rows
from tests.properties.session_process import SessionOutcome, SessionTerminal
from tests.properties.stage_inputs import OPTIONS

pytestmark = pytest.mark.slow

PARTS = dict(
    rows("""formalization → test_ut1 | label → other | mutation → operator_swap | smt → entails | template → test_answer
variant → renumbered""")
)
"""What `-k` selects of the claims of a stage: some, not all."""
REVERSE = """
def pytest_collection_modifyitems(items):
    items.reverse()
"""


@dataclass(frozen=True, slots=True)
class StageSession:
    """A stage, the options of a session of it, and the undisturbed session; tests leave it as it is."""

    stage: str
    options: tuple[str, ...]
    undisturbed: SessionOutcome

    def run(
        self, terminal: SessionTerminal, *more: str, processes: int = 0, plugin: str | None = None
    ) -> SessionOutcome:
        """Run the same session again with further options."""
        return terminal.run(None, *self.options, *more, processes=processes, plugin=plugin)

    def same_bytes(self, ended: SessionOutcome) -> bool:
        """Tell whether a session sealed what the undisturbed one did."""
        return ended.files(self.stage) == self.undisturbed.files(self.stage)


@pytest.fixture(scope="module", params=sorted(OPTIONS))
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path
) -> StageSession:
    """Return the undisturbed session of a stage."""
    stage = request.param
    options = (*OPTIONS[stage](tmp_path_factory.mktemp("given")), "-m", stage)
    terminal = SessionTerminal(tmp_path_factory.mktemp("undisturbed"), embeddings_cache)
    return StageSession(stage, options, terminal.run(None, *options))


@pytest.mark.parametrize(("processes", "plugin"), [(2, None), (0, REVERSE)], ids=["workers", "order"])
def test_workers_and_order_change_no_byte(
    session: StageSession, terminal: SessionTerminal, processes: int, plugin: str | None
) -> None:
    """Two workers, and items in reverse order, write what one process writes in order."""
    ended = session.run(terminal, processes=processes, plugin=plugin)
    assert (session.same_bytes(ended), ended.outcomes) == (True, session.undisturbed.outcomes)


def test_a_part_is_continued(session: StageSession, terminal: SessionTerminal) -> None:
    """`-k` judges some claims and seals nothing; the whole session adds the others and seals the same bytes."""
    part = session.run(terminal, "--harness-run=mine", "-k", PARTS[session.stage])
    assert ((part.run / session.stage / "manifest.json").exists(), part.outcomes["error"]) == (False, 0)
    assert session.same_bytes(session.run(terminal, "--harness-run=mine"))


def test_a_findings_command_reproduces_it(session: StageSession, terminal: SessionTerminal) -> None:
    """The line that a failure prints judges that one claim again, and leaves the sealed run as it is."""
    ended = session.run(terminal)
    lines = [line for line in ended.output.splitlines() if line.startswith("reproduce one: ")]
    assert bool(lines) is bool(ended.outcomes["failed"])
    for line in lines[:1]:
        again = terminal.execute([sys.executable, "-m", *shlex.split(line.removeprefix("reproduce one: "))])
        assert (again.status, again.outcomes, session.same_bytes(ended)) == (1, {"failed": 1}, True)
