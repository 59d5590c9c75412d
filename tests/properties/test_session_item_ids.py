"""Tests of item ids: every claim is its own item, and its printed id selects it whatever the names contain."""

import re
from pathlib import Path

import pytest

from properties.suites import item_id
from tests.cases import texts
from tests.properties.session_process import InputFiles, Record, SessionOutcome, SessionTerminal, write_inputs

HOSTILE = (
    "!'\"$(touch pwned)`id`;&|\\ ~::]\n\t\r\0é☃\u202e\ud800",
    "new\nline",
    "nul\0",
    *texts("""a::b | a]b[c | a~b | a:b | it's | -n0"""),
    " ",
    "é",
    "\ud800",
    "\\ud800",
    "x" * 199 + "1",
    "x" * 199 + "2",
)
MODELS = ("b:c", "c", "c'", "c#2", "\ud800\0\n", "y" * 200)
RIGHT, WRONG = "def solve(n: int = 1):\n    return n", "def solve(n: int = 1):\n    return n + 1"


def _response(problem_id: str, model: str, response: str = RIGHT) -> Record:
    return {"problem_id": problem_id, "model": model, "response": response}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> InputFiles:
    """Return a corpus with hostile names, in a folder with one, whose first claim is a finding."""
    problems = [{"problem_id": name, "question": "?", "answer": "#### 1"} for name in (*HOSTILE, "a", "z" * 500)]
    responses = [
        *(_response(HOSTILE[0], model, WRONG) for model in MODELS),
        *(_response(name, model) for name in HOSTILE[1:4] for model in MODELS),
        *(_response(name, model) for name in HOSTILE[4:] for model in MODELS[:2]),
        *(_response("a", model) for model in ("b:c", "b:c~c", "c", "y" * 500)),
        _response(HOSTILE[1], "c", WRONG),
        _response("z" * 500, "c"),
    ]
    return write_inputs(tmp_path_factory.mktemp("hostile") / "it's $here", problems, responses)


@pytest.fixture(scope="module")
def hostile_session(
    hostile: InputFiles, tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path
) -> SessionOutcome:
    """Return the session on the hostile names."""
    folder = tmp_path_factory.mktemp("session") / "it's here"
    folder.mkdir()
    return SessionTerminal(folder, embeddings_cache).run(hostile, "-rA")


def test_ids_are_printable_and_differ() -> None:
    """Printable ASCII without spaces, 150 characters at most; names of 200 characters that differ in the last one keep apart."""
    ids = [item_id(name, name, name) for name in HOSTILE]
    assert [one for one in ids if not re.fullmatch(r"[!-~]{1,150}", one)] == []
    assert ids[-1] != ids[-2]


def test_each_claim_is_judged_once(hostile_session: SessionOutcome) -> None:
    """Hostile names neither collide nor crash: as many verdicts as items; a second response of model `c` does not stand in for a model called `c#2`."""
    verdicts = hostile_session.verdicts("ut1")
    expected = len(MODELS) * 4 + 2 * 11 + 3 + 3, len(MODELS) * 5 // 2 * 4 + 11 + 3
    found = len(verdicts), len(hostile_session.verdicts("ut3"))
    assert (found, hostile_session.outcomes["error"]) == (expected, 0)
    assert (verdicts["new\nline", "c#2"]["status"], verdicts["new\nline", "c#3"]["method"]) == ("CONFIRMED", "input")


@pytest.mark.slow
def test_reproduce_line_reproduces_the_finding(
    hostile_session: SessionOutcome, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The command after `reproduce one:`, run by a shell, judges the one item again and finds the same."""
    (line,) = (line for line in hostile_session.output.splitlines() if line.startswith("reproduce one: "))
    folder = tmp_path_factory.mktemp("reproduced")
    command = ["bash", "-c", line.removeprefix("reproduce one: ")]
    ended = SessionTerminal(folder, folder).execute(command)
    first = next(line for line in hostile_session.output.splitlines() if line.startswith("test_ut1[!"))
    assert (ended.output.splitlines().count(first), ended.outcomes["failed"], ended.status) == (1, 1, 1)
