"""Tests of hostile formalizations: the session continues and executes none of their code."""

import json
from pathlib import Path

import pytest

from tests.cases import cases
from tests.properties.session_process import Record, SessionOutcome, SessionTerminal, write_inputs

RIGHT = "def solve(n: int = 6, m: int = 2):\n    return n * m"

# What a response is, and how the reason of its UT-1 verdict begins.
HOSTILE = {
    "loop": ("def solve(n: int = 6):\n    while True:\n        n += 1\n    return n", "budget"),
    "power": ("def solve(n: int = 10):\n    return n**10**10", "budget"),
    "import": ("def solve(n: int = 6):\n    return __import__('os').system('touch WITNESS')", "forbidden"),
    "open": ("def solve(n: int = 6):\n    open('WITNESS', 'w')\n    return 12", "forbidden"),
    "os": ("import os\nos.system('touch WITNESS')\ndef solve(n: int = 6):\n    return n * 2", "forbidden"),
    "nul": ("def solve(n: int = 6):\n    return n\0 * 2", "control-character"),
    "large": ("def solve(n: int = 6):\n    return n * 2\n" + "# padding\n" * 500_000, "too-large"),
    "cut": ('{"function_code": "def solve(n: int = 6):\\n    return n * 2', "broken-json"),
    "unclosed": ("def solve(n: int = 6:\n    return n * 2", "syntax-error"),
    "two": ("def first(n: int = 6):\n    return n\n\ndef second(n: int = 6):\n    return n * 2", "several-functions"),
    "prose": ("The answer is twelve.", "no-code"),
    "required": ("def solve(n):\n    return n * 2", "missing-argument"),
    "text": ("def solve(n: int = 6):\n    return 'twelve'", "non-numeric"),
    "empty": ("", "empty"),
    "raising": ("def solve(n: int = 6):\n    return n / (n - 6)", "raises ZeroDivisionError"),
}
# What a line is, and how the reason of its UT-1 verdict begins.
LINES = {
    "malformed-record: no JSON": '{"problem_id": "h-1", "model": "broken", "resp',
    "malformed-record: expected an object": "[1, 2]",
    "malformed-record: expected text in 'response'": '{"problem_id": "h-1", "model": "numeric", "response": 7}',
    "malformed-record: expected text in 'model'": '{"problem_id": "h-1", "response": "x"}',
    "unknown-problem": '{"problem_id": "h-9", "model": "right", "response": "def solve(): return 1"}',
    "duplicate": json.dumps({"problem_id": "h-1", "model": "right", "response": "def solve(): return 1"}),
}
PROBLEMS: list[Record] = [
    {"problem_id": "h-1", "question": "6 times 2?", "answer": "#### 12"},
    {"problem_id": "h-2", "question": "6 times 2?", "answer": "12"},
]


@pytest.fixture(scope="module")
def witness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file that some responses would create if they were executed."""
    return tmp_path_factory.mktemp("witness") / "executed"


@pytest.fixture(scope="module")
def hostile_session(witness: Path, embeddings_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> SessionOutcome:
    """Return the session on all of it, two right formalizations of each problem among them."""
    responses: list[Record | str] = [
        {"problem_id": "h-1", "model": name, "response": text.replace("WITNESS", str(witness))}
        for name, (text, _) in HOSTILE.items()
    ]
    right = [
        {"problem_id": problem_id, "model": model, "response": RIGHT}
        for problem_id in ("h-1", "h-2")
        for model in ("also", "right")
    ]
    folder = tmp_path_factory.mktemp("hostile")
    inputs = write_inputs(folder / "inputs", PROBLEMS, [*right, *responses, *LINES.values()])
    return SessionTerminal(folder, embeddings_cache).run(inputs)


@cases("name", HOSTILE)
def test_hostile_response_is_a_finding(name: str, hostile_session: SessionOutcome) -> None:
    """A response that cannot be judged right is REFUTED by UT-1, with its typed reason."""
    verdict = hostile_session.verdicts("ut1")["h-1", name]
    assert (verdict["status"], verdict["reason"][: len(HOSTILE[name][1])]) == ("REFUTED", HOSTILE[name][1])


@cases("reason", LINES)
def test_bad_line_is_a_finding(reason: str, hostile_session: SessionOutcome) -> None:
    """A line that is no formalization of the corpus is REFUTED by UT-1, with its typed reason, and only once."""
    found = [
        verdict for verdict in hostile_session.verdicts("ut1").values() if (verdict["reason"] or "").startswith(reason)
    ]
    assert [verdict["status"] for verdict in found] == ["REFUTED"]


def test_rest_goes_on_and_nothing_is_executed(hostile_session: SessionOutcome, witness: Path) -> None:
    """Right formalizations beside hostile ones agree, the session seals without an error, and no response did what it says.

    The problems of the run are all that a verdict names. Without a gold answer UT-1 is UNKNOWN, and what agrees still becomes the oracle.
    """
    assert "\n2 problems: 2 oracles" in hostile_session.output
    clique = hostile_session.records("consensus")[0]["clique"]
    assert (clique, hostile_session.status, hostile_session.outcomes["error"]) == (["also", "right"], 1, 0)
    problems, verdicts = (
        {record["problem_id"] for record in hostile_session.records(name)} for name in ("problems", "verdicts")
    )
    assert (hostile_session.sealed, witness.exists(), problems) == (True, False, verdicts)
    verdict = hostile_session.verdicts("ut1")["h-2", "right"]
    (oracle,) = (record["model"] for record in hostile_session.records("oracles") if record["problem_id"] == "h-2")
    assert (verdict["status"], "no gold" in verdict["reason"], oracle) == ("UNKNOWN", True, "also")
