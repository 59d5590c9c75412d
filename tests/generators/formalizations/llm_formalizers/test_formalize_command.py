"""`oracle-factory formalize` against a server on loopback: what is asked, written, kept, and said at the end."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.corpora.responses import SpooledResponses
from harness.program.lifter import read_candidate
from oracle_factory.command import main
from oracles.consensus.probability.answer_evidence import ProblemFormalizations
from properties.stages.program_records import answers_given, program_record
from tests.generators.formalizations.llm_formalizers.formalizing_server import (
    PROBLEMS,
    RECORDED,
    FormalizingServer,
    alder,
    arguments,
    asked_about,
    birch,
    written,
)

ROOT = Path(__file__).resolve().parents[4]
WRONG = "def solve(seedlings: int = 7):\n    return seedlings + 1234567"
BROKEN = "```python\ndef solve(a: int = 6):\n    return (a *\n```"


def first_wrong(text: str) -> Any:
    """Return an answerer that gives one text first, and alder's answer when asked again."""
    return lambda body: text if len(body["messages"]) == 2 else alder(body)


def test_written_as_it_is_read(server: FormalizingServer, tmp_path: Path) -> None:
    """What is written is read by the formalization stage without a rejection, one answer a problem, each as it was given."""
    assert main(arguments(tmp_path)) == 0
    assert len(server.asked) == 4
    found = SpooledResponses([tmp_path / "responses.jsonl"], PROBLEMS)
    assert found.first_rejection is None
    assert {name: responses["openai:gpt-4.1-mini"].text for name, responses in found.items()} == {
        name: RECORDED[name]["alder"].text for name in ("mini-001", "mini-002", "mini-003", "mini-004")
    }


def test_record(server: FormalizingServer, tmp_path: Path) -> None:
    """A record says which attempt it is, of which prompt, what it used and cost, and which requests it rests on."""
    server.say = first_wrong(WRONG)
    assert main(arguments(tmp_path, problems="mini-002")) == 0
    (record,) = written(tmp_path)
    requests = record["provenance"].pop("requests")
    assert len(set(requests)) == 2
    assert record.pop("prompt")
    assert record == {
        "problem_id": "mini-002",
        "model": "openai:gpt-4.1-mini",
        "dialect": "parametric",
        "saw_solution": False,
        "response": RECORDED["mini-002"]["alder"].text,
        "attempt": 2,
        "refused": ["evaluated at its own values, it gives 1234574, which is not the answer"],
        # Two answers, each of 600 tokens at 0.40 dollars a million, 400 at 0.10 and 100 at 1.60.
        "cost": 2 * (600 * 0.40 + 400 * 0.10 + 100 * 1.60) / 1_000_000,
        "tokens": {"input": 2000, "cached": 800, "written": 0, "output": 200},
        "provenance": {"provider": "openai", "model": "gpt-4.1-mini", "sample": 0, "stop": "end"},
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (WRONG, "evaluated at its own values, it gives 1234574, which is not the answer"),
        (BROKEN, "syntax-error: '(' was never closed (line 2)"),
    ],
)
def test_repair_says_exactly_why(server: FormalizingServer, tmp_path: Path, text: str, reason: str) -> None:
    """A refused answer is asked for again in the same conversation, with the reason and without the gold answer."""
    server.say = first_wrong(text)
    assert main(arguments(tmp_path, problems="mini-005")) == 0
    first, second = (body["messages"] for body in server.asked)
    assert second[:2] == first
    assert second[2] == {"role": "assistant", "content": text}
    assert f"refused it: {reason}.\n" in second[3]["content"]
    assert "2150" not in second[3]["content"].replace(",", "")


def test_repairs_are_bounded(server: FormalizingServer, tmp_path: Path) -> None:
    """An answer that stays wrong is asked for again as often as it was told, and the last one is written."""
    server.say = lambda body: WRONG.replace("1234567", str(len(body["messages"])))
    assert main(arguments(tmp_path, "--repairs", "3", problems="0")) == 0
    assert [len(body["messages"]) for body in server.asked] == [2, 4, 6, 8]
    (record,) = written(tmp_path)
    assert (record["attempt"], record["response"]) == (4, WRONG.replace("1234567", "8"))
    assert len(record["refused"]) == 3


def test_nothing_is_asked_twice(server: FormalizingServer, tmp_path: Path) -> None:
    """The same command again asks nobody, needs no key, and writes the same bytes."""
    server.say = first_wrong(WRONG)
    options = arguments(tmp_path)
    assert main(options) == 0
    before, asked = (tmp_path / "responses.jsonl").read_bytes(), len(server.asked)
    os.environ.pop("OPENAI_API_KEY")
    assert main(options) == 0
    assert len(server.asked) == asked
    assert (tmp_path / "responses.jsonl").read_bytes() == before
    assert main([*options, "--offline"]) == 0


def test_what_a_file_holds_stays(server: FormalizingServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Other models and problems are written beside what is there; another answer under one name, or another file, is refused."""
    server.say = alder
    assert main(arguments(tmp_path)) == 0
    first = written(tmp_path)
    assert main(arguments(tmp_path, models=("annotation",), problems="2:6")) == 0
    both = written(tmp_path)
    assert len(both) == len(first) + 4
    assert [record for record in both if record["model"] != "annotation"] == first
    capsys.readouterr()
    server.say = lambda _: WRONG
    assert main(arguments(tmp_path, "--temperature", "0.9")) == 2
    assert "holds another answer of openai:gpt-4.1-mini to mini-001" in capsys.readouterr().err
    assert written(tmp_path) == both
    assert main(arguments(tmp_path, "--temperature", "0.9", "--force")) == 0
    assert len(written(tmp_path)) == len(first)
    (tmp_path / "responses.jsonl").write_text('{"id": 1}\n', encoding="utf-8")
    assert main(arguments(tmp_path)) == 2
    assert (tmp_path / "responses.jsonl").read_text(encoding="utf-8") == '{"id": 1}\n'


def test_what_failed_is_asked_again(
    server: FormalizingServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A problem without an answer is told with its fault and ends in status 1; the next run asks for it alone."""
    server.say = lambda body: 400 if asked_about(body) == "mini-003" else alder(body)
    assert main(arguments(tmp_path)) == 1
    told = capsys.readouterr().err
    assert "missing: mini-003: openai:gpt-4.1-mini: bad-request: HTTP 400: no [red]way" in told
    assert "the same command continues" in told
    assert [record["problem_id"] for record in written(tmp_path)] == ["mini-001", "mini-002", "mini-004"]
    asked, server.say = len(server.asked), alder
    assert main(arguments(tmp_path)) == 0
    assert [asked_about(body) for body in server.asked[asked:]] == ["mini-003"]


def test_both_dialects(server: FormalizingServer, tmp_path: Path) -> None:
    """Both dialects of a model have names of their own; templates are asked for by their schema."""
    server.say = lambda body: RECORDED[asked_about(body)]["birch" if "response_format" in body else "alder"].text
    assert main(arguments(tmp_path, "--dialect", "both", problems="0:2")) == 0
    found = SpooledResponses([tmp_path / "responses.jsonl"], PROBLEMS)
    assert found.first_rejection is None
    assert list(found["mini-001"]) == ["openai:gpt-4.1-mini", "openai:gpt-4.1-mini/template"]
    assert found["mini-001"]["openai:gpt-4.1-mini/template"].dialect == "template"
    formats = [body["response_format"]["json_schema"] for body in server.asked if "response_format" in body]
    assert [form["strict"] for form in formats] == [True, True]


def test_samples(server: FormalizingServer, tmp_path: Path) -> None:
    """Several answers of one model are several requests, under names of their own."""
    assert main(arguments(tmp_path, "--samples", "2", "--temperature", "0.7", problems="0")) == 0
    assert [record["model"] for record in written(tmp_path)] == ["openai:gpt-4.1-mini", "openai:gpt-4.1-mini#2"]
    assert [body["temperature"] for body in server.asked] == [0.7, 0.7]


@pytest.mark.parametrize(
    "text",
    [
        "[red]\x1b[31m[/red]\u202e",
        "def solve(a: int = 6):\n    return __import__('os').system('touch owned')",
        "def solve([bold]): \x00",
        "\ud800 def",
        "x" * 300_000,
        '{"function_code": "def solve():',
        "def solve(" + "[link=file:///etc/passwd]" * 20 + "):\n    return 1",
    ],
    ids=["markup", "code", "nul", "surrogate", "huge", "cut-json", "link"],
)
def test_hostile_answers(
    server: FormalizingServer, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever a model writes is kept as text: it is refused, written, and changes nothing in the terminal or on the disk."""
    server.say = lambda _: text
    assert main(arguments(tmp_path, problems="0")) == 0
    found = SpooledResponses([tmp_path / "responses.jsonl"], PROBLEMS)
    assert found.first_rejection is None
    assert read_candidate(found["mini-001"]["openai:gpt-4.1-mini"]).outcome is None
    told = capsys.readouterr().err
    assert not {"\x1b", "\u202e", "\x00"} & set(told)
    assert not (tmp_path / "owned").exists()
    assert max(len(json.dumps(body)) for body in server.asked) < 60_000


def test_refusal_of_a_model(server: FormalizingServer, tmp_path: Path) -> None:
    """A model that declines is written down as having said that, and not pressed."""
    server.say, server.finish = lambda _: "I would rather not.", "content_filter"
    assert main(arguments(tmp_path, problems="0")) == 0
    assert len(server.asked) == 1
    assert written(tmp_path)[0]["provenance"]["stop"] == "refusal"


def test_budget(server: FormalizingServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The budget ends the run with status 3 before it is exceeded; what was answered is written, and more money goes on."""
    options = arguments(tmp_path, "--concurrency", "1", problems="0:20")
    assert main([*options, "--budget", "0.01"]) == 3
    kept = written(tmp_path)
    assert 0 < len(kept) < 20
    assert sum(record["cost"] for record in kept) < 0.01
    assert "--budget" in capsys.readouterr().err
    assert main([*options, "--budget", "5.00"]) == 0
    assert len(server.asked) == len(written(tmp_path)) == 20


def test_no_price_no_budget(server: FormalizingServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A budget is refused for a model whose price nobody knows, before anything is asked."""
    assert main(arguments(tmp_path, "--budget", "1", models=("openai:unheard-of",))) == 2
    assert "no price of openai:unheard-of is known" in capsys.readouterr().err
    assert server.asked == []


def test_dry_run(server: FormalizingServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pricing asks nobody, needs no key and makes no file; what the store has is free."""
    os.environ.pop("OPENAI_API_KEY")
    assert main(arguments(tmp_path, "--dry-run")) == 0
    assert list(tmp_path.iterdir()) == []
    row = next(line for line in capsys.readouterr().out.splitlines() if "gpt-4.1-mini" in line).split()
    assert row[1:4] == ["4", "0", "4"]
    expected, most = (float(cell.removeprefix("$")) for cell in row[-2:])
    os.environ["OPENAI_API_KEY"] = server.key
    assert main(arguments(tmp_path)) == 0
    # 4 requests of about 2,100 tokens at 0.40 dollars a million and answers of about 200 at 1.60.
    assert 0.002 < expected < 0.008 < most
    asked = len(server.asked)
    assert main(arguments(tmp_path, "--dry-run", problems="0:6")) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if "gpt-4.1-mini" in line).split()
    assert row[1:4] == ["6", "4", "2"]
    assert len(server.asked) == asked


def test_the_lines_of_another_solution_are_refused(server: FormalizingServer, tmp_path: Path) -> None:
    """A template with the right answer and other lines is asked for again, with the line that differs."""
    server.say = lambda body: (
        birch(body).replace('solution_line_template": "', 'solution_line_template": "So ', 1)
        if len(body["messages"]) == 2
        else birch(body)
    )
    assert main(arguments(tmp_path, "--dialect", "template", problems="2:3")) == 0
    assert len(server.asked) == 2
    told = server.asked[1]["messages"][-1]["content"]
    assert "other-line: L1 is not the line of the solution (wording): the template gives 'So " in told
    assert [record["attempt"] for record in written(tmp_path)] == [2]


def test_other_examples_are_another_question(server: FormalizingServer, tmp_path: Path) -> None:
    """Recorded answers are replayed for the same prompt, and for no other: examples and shots are part of the key."""
    server.say = birch
    assert main(arguments(tmp_path, "--dialect", "template")) == 0
    recorded = written(tmp_path)
    asked = len(server.asked)
    replayed = arguments(tmp_path, "--dialect", "template", "--offline")
    assert main(replayed) == 0
    assert written(tmp_path) == recorded
    assert main([*replayed, "--shots", "2", "--force"]) == 1
    assert written(tmp_path) == []
    assert len(server.asked) == asked


def test_a_model_that_is_shown_the_solution(server: FormalizingServer, tmp_path: Path) -> None:
    """`--with-solution` shows its lines; the answer stands beside the plain one, says so, and is no witness of the gold answer."""
    assert main(arguments(tmp_path, problems="mini-002")) == 0
    assert main(arguments(tmp_path, "--with-solution", problems="mini-002")) == 0
    first = f"L1: {PROBLEMS['mini-002'].solution.split(chr(10))[0]}"
    assert [first in body["messages"][-1]["content"] for body in server.asked] == [False, True]
    assert [(record["model"], record["saw_solution"]) for record in written(tmp_path)] == [
        ("openai:gpt-4.1-mini", False),
        ("openai:gpt-4.1-mini/solution", True),
    ]
    answers = SpooledResponses([tmp_path / "responses.jsonl"], PROBLEMS)["mini-002"]
    records = [program_record(PROBLEMS["mini-002"], model, read_candidate(own)) for model, own in answers.items()]
    problem = ProblemFormalizations("", answers_given(records), {own.model: own for own in records}, {})
    assert list(problem.without_solution().answers.support.values()) == [("openai:gpt-4.1-mini",)]


def test_a_corpus_without_solutions(server: FormalizingServer, tmp_path: Path) -> None:
    """No template is asked for where the corpus has no solution; the parametric form is."""
    corpus = tmp_path / "bare.jsonl"
    corpus.write_text(
        "".join(
            json.dumps({"id": name, "question": problem.question, "answer": f"#### {problem.gold}"}) + "\n"
            for name, problem in PROBLEMS.items()
        )
    )
    server.say = lambda body: RECORDED[asked_about(body)]["alder"].text
    assert main(arguments(tmp_path, "--corpus", str(corpus), "--dialect", "both", problems="2:4")) == 1
    assert [record["dialect"] for record in written(tmp_path)] == ["parametric", "parametric"]
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("which", "more", "ids"),
    [
        ("5", (), ["mini-006"]),
        ("0:2,48:", (), ["mini-001", "mini-002", "mini-049", "mini-050"]),
        ("mini-007, 1", (), ["mini-002", "mini-007"]),
        ("0:4", ("--exclude", "reserved.json"), ["mini-001", "mini-004"]),
    ],
)
def test_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str, more: tuple[str, ...], ids: list[str]
) -> None:
    """Problems are named by place, range and id; what may not be used is not asked about."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reserved.json").write_text('[1, "mini-003"]', encoding="utf-8")
    assert main(arguments(tmp_path, *more, problems=which, models=("annotation",))) == 0
    assert [record["problem_id"] for record in written(tmp_path)] == ids


def formalizing(folder: Path, *more: str, **chosen: Any) -> subprocess.Popen[str]:
    """Start a run in a process of its own."""
    command = [sys.executable, "-m", "oracle_factory", *arguments(folder, *more, **chosen)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_interrupted(server: FormalizingServer, tmp_path: Path) -> None:
    """Ctrl-C waits for what is under way, writes it, says how to go on and ends in 130; the next run asks for the rest alone."""
    server.seconds = 1.0
    with formalizing(tmp_path, "--concurrency", "2", problems="0:30") as process:
        assert server.arrived.wait(60)
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "continues" in told
    assert "Traceback" not in told
    assert len(written(tmp_path)) == len(server.asked) <= 4
    server.seconds, before = 0.0, len(server.asked)
    assert main(arguments(tmp_path, problems="0:30")) == 0
    assert len(server.asked) == 30
    assert before < 30


@pytest.mark.slow
def test_interrupted_twice(server: FormalizingServer, tmp_path: Path) -> None:
    """Ctrl-C again gives up what is under way, and still writes what there is."""
    server.seconds = 60.0
    with formalizing(tmp_path, models=("openai:gpt-4.1-mini", "annotation")) as process:
        assert server.arrived.wait(60)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert "Ctrl-C again" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 130
    assert {record["model"] for record in written(tmp_path)} == {"annotation"}
