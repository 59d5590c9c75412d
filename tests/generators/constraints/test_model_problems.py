"""Tests of constraint problems by models: one request each, lenient reading, and a price estimate beforehand."""

import csv
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generators.constraints.model_problems import (
    ProblemBatch,
    RejectionReason,
    problems_of,
)
from harness.records.constraint import ConstraintProblem
from oracle_factory.command import main
from tests.cases import cases
from tests.harness.llm.loopback_server import LoopbackServer
from tests.json_lines import read_lines
from tests.optional_packages import needs

pytestmark = needs("openai")
PROGRAM = "(set-logic QF_LIA)\n(declare-const answer Int)\n(assert (= answer {}))\n(check-sat)\n(get-value (answer))\n"
BATCH = 20
BATCH_OF = ProblemBatch("puzzles", 0, BATCH)


def told(count: int = BATCH, first: int = 0) -> list[dict[str, Any]]:
    """Return problems as a model might write them."""
    return [
        {
            "problem": f"What is {number} and nothing?",
            "reasoning": [f"It is {number}."],
            "program": PROGRAM.format(number),
        }
        for number in range(first, first + count)
    ]


def read(text: str, batch: ProblemBatch = BATCH_OF) -> list[ConstraintProblem | RejectionReason]:
    """Return the problems read from an answer."""
    return list(problems_of(text, batch, "llm:openai:gpt-4.1-mini"))


@cases(
    "text",
    [
        json.dumps({"problems": told(3)}),
        json.dumps(told(3)),
        f"Here they are:\n```json\n{json.dumps({'problems': told(3)}, indent=2)}\n```\nGood luck!",
        "\n".join(json.dumps(problem) for problem in told(3)),
        json.dumps({"problems": told(4)})[:-60],
        "Sure: " + ", ".join(json.dumps(problem) for problem in told(3)) + " …",
    ],
)
def test_forms_of_answers(text: str) -> None:
    """JSON whole, fenced, in lines or cut off gives the same problems, without a gold answer."""
    found = [problem for problem in read(text) if isinstance(problem, ConstraintProblem)]
    assert [problem.problem for problem in found] == [problem["problem"] for problem in told(3)]
    first = found[0]
    assert (first.gold, first.satisfiable, first.unique) == (None, None, None)
    assert (first.source, first.reasoning) == ("llm:openai:gpt-4.1-mini", ("It is 0.",))
    assert first.program.strip() == PROGRAM.format(0).strip()


@cases(
    ("text", "reasons"),
    [
        ("I would rather not.", [RejectionReason.NO_LIST]),
        ("", [RejectionReason.NO_LIST]),
        ("[1, null]", [RejectionReason.NO_LIST]),
        (json.dumps([{"problem": "p"}, {"program": "q"}, {"problem": 3, "program": "q"}]), [RejectionReason.NO_PROGRAM, RejectionReason.NO_PROBLEM, RejectionReason.NO_PROBLEM]),
        (json.dumps([{"problem": "p" * 30_000, "program": "q"}]), [RejectionReason.TOO_LONG]),
        (json.dumps([{"problem": "p", "program": "q", "reasoning": ["r"] * 1_000}]), [RejectionReason.TOO_LONG]),
        ("x" * 2_000_000, [RejectionReason.TOO_LONG]),
        ("[" * 50_000, [RejectionReason.NO_LIST]),
        ('{"program": ' * 2_000, [RejectionReason.NO_LIST]),
        ('{"a":' * 190_000, [RejectionReason.NO_LIST]),
        ("{" * 990_000, [RejectionReason.NO_LIST]),
        ('{"a":["{' * 100_000, [RejectionReason.NO_LIST]),
        (json.dumps([*told(1), *told(1)]), [RejectionReason.DUPLICATE]),
        (json.dumps(told(BATCH + 2)), [RejectionReason.SURPLUS, RejectionReason.SURPLUS]),
    ],
)  # fmt: skip
def test_rejections_are_typed(text: str, reasons: list[RejectionReason]) -> None:
    """A text that is not a problem is rejected with its kind, in bounded time; no more problems than requested are taken."""
    began = time.process_time()
    assert [rejection for rejection in read(text) if isinstance(rejection, RejectionReason)] == reasons
    assert time.process_time() - began < 10


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[LoopbackServer]:
    """Return a server that writes as many problems as it is asked for, other ones for each list."""
    monkeypatch.chdir(tmp_path)

    def answers(prompt: str) -> str:
        count = int(prompt.split()[1])
        return json.dumps({"problems": told(count, first=abs(hash(prompt)) % 10**9)})

    with LoopbackServer(answers=answers) as found:
        for name, value in found.variables.items():
            monkeypatch.setenv(name, value)
        yield found


def arguments(*more: str, count: int = 30, domain: str = "puzzles") -> list[str]:
    """Return the options of a job."""
    asked = (
        f"smt generate --models openai:gpt-4.1-mini --domain {domain} --count {count} -o made --store answers.sqlite"
    )
    return [*asked.split(), *more]


MADE = Path("made/problems.jsonl")
"""The written problems."""


def table(path: str) -> list[dict[str, str]]:
    """Return the rows of a table."""
    with Path(path).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_models_are_asked_in_batches(server: LoopbackServer, capsys: pytest.CaptureFixture[str]) -> None:
    """Thirty problems are asked for as twenty and ten, and written with their source; asking again asks nobody."""
    assert main(arguments()) == 0
    assert sorted(int(prompt.split()[1]) for prompt in server.paid) == [10, 20]
    found = read_lines(MADE)
    assert len({problem["id"] for problem in found}) == len(found) == 30
    facts = {(problem["source"], problem["gold"], problem["domain"]) for problem in found}
    assert facts == {("llm:openai:gpt-4.1-mini", None, "puzzles")}
    assert [row["program"] for row in table("made/puzzles.csv")] == [problem["program"] for problem in found]
    before = Path("made/problems.jsonl").read_bytes()
    os.environ.pop("OPENAI_API_KEY")
    assert main(arguments()) == 0
    assert sum(server.paid.values()) == 2
    assert Path("made/problems.jsonl").read_bytes() == before
    assert "30" in capsys.readouterr().out


def test_price_and_budget(server: LoopbackServer, capsys: pytest.CaptureFixture[str]) -> None:
    """A dry run needs no key, asks nobody and writes nothing; a budget that does not suffice ends in status 3."""
    key = os.environ.pop("OPENAI_API_KEY")
    assert main(arguments("--dry-run")) == 0
    assert list(Path().iterdir()) == []
    row = next(line for line in capsys.readouterr().out.splitlines() if "gpt-4.1-mini" in line).split()
    assert row[1:3] == ["2", "0"]
    assert float(row[-1].removeprefix("$")) > 0
    os.environ["OPENAI_API_KEY"] = key
    assert main(arguments("--budget", "0.000001")) == 3
    assert not server.paid


@pytest.mark.parametrize(
    "text",
    ["[red]\x1b[31m[/red]\u202e", "\ud800", json.dumps([{"problem": "[bold]\x1b[31m", "program": "(exit)"}]), "", "x" * 3_000_000],
    ids=["markup", "surrogate", "problem", "empty", "huge"],
)  # fmt: skip
def test_hostile_answers(server: LoopbackServer, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a model writes is kept as text, bounded, and changes nothing in the terminal or on the disk."""
    server.answers = lambda _: text
    assert main(arguments("--tries", "1", count=20)) in {0, 1}
    told_there = capsys.readouterr()
    assert not {"\x1b", "\u202e"} & set(told_there.out + told_there.err)
    assert all(len(record["problem"]) <= 20_000 for record in read_lines(MADE))
    assert {path.name.partition(".")[0] for path in Path().iterdir()} == {"answers", "made"}
