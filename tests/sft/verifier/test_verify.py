"""The command and the function: every line in gives one line out that satisfies the schema, whatever stands in it."""

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given

from harness.errors import HarnessError
from oracle_factory.command import main
from sft.samples.items import Item
from sft.samples.solution_judgement import Judgement
from sft.samples.solution_text import read_item
from sft.verifier.command import verify, verify_items
from sft.verifier.engine_registry import NOTHING
from sft.verifier.guarded_engine import NOT_COVERED
from tests.cases import texts
from tests.json_lines import read_lines, write_lines
from tests.sft.hostile import FALSE, ORDER, PLAIN, QUESTION, RIGHT, TEXTS, satisfies
from tests.sft.schemas import RECORD_SCHEMA

UNUSABLE = [
    *map(
        str.encode,
        texts("""no json | {"question": "q", "solution": "s" | [1, 2] | null | {"question": "q"} | {"solution": "s"}
{"question": 1, "solution": "s"} | {"question": "q", "solution": null} | {"question": "q", "solution": ["s"]}"""),
    ),
    *(b"", b"   ", b"[" * 100_000, b'{"n": ' + b"9" * 5_000 + b"}"),
]


def _line(solution: str, question: str = QUESTION) -> bytes:
    return json.dumps({"question": question, "solution": solution, "more": 1}).encode()


def _run(tmp_path: Path, lines: Sequence[bytes], *arguments: str, suffix: str = "") -> tuple[int, list[dict[str, Any]]]:
    source, output = tmp_path / f"in.jsonl{suffix}", tmp_path / f"out.jsonl{suffix}"
    opener = gzip.open if suffix else open
    with opener(source, "wb") as stream:
        stream.write(b"\n".join(lines))
    status = main(["verify", str(source), "-o", str(output), "--engine", "symbolic", *arguments])
    with opener(output, "rt", encoding="utf-8") as stream:
        return status, [json.loads(line) for line in stream]


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_each_line_gives_one_line_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str) -> None:
    """Good and unusable lines are answered one by one, in order; the status and a count say that some were unusable."""
    lines = [line for bad in UNUSABLE for line in (bad, _line(FALSE), _line(RIGHT))]
    status, records = _run(tmp_path, lines, "--batch", "5", suffix=suffix)
    assert status == 1
    assert (
        f"{len(UNUSABLE)} of {len(lines)} lines could not be judged; line 1: expected an object, found no JSON"
        in capsys.readouterr().err
    )
    assert len(records) == len(lines)
    assert all(satisfies(record, RECORD_SCHEMA) for record in records)
    for bad, false, right in zip(records[::3], records[1::3], records[2::3], strict=True):
        assert (bad["verdict"], bad["confidence"], bad["error_class"]) == (None, 0, None)
        assert bad["error"]
        assert false["error_details"]["erroneous_line_number"] == "L1"
        assert right["verdict"] == "Correct"
        assert "error" not in false
        assert "error" not in right
    assert not list(tmp_path.glob("*.partial"))


def test_a_pipe_is_read_and_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` stands for standard input, and for standard output, which is the default."""
    out = io.BytesIO()
    monkeypatch.setattr(
        sys, "stdin", SimpleNamespace(buffer=io.BytesIO(_line(FALSE) + b"\r\n" + _line(RIGHT) + b"\r\n"))
    )
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=out))
    assert main(["verify", "-", "--engine", "symbolic", "--quiet"]) == 0
    assert [record["verdict"] for record in read_lines(out.getvalue().decode())] == ["Flawed", "Correct"]


def test_memory_does_not_grow_with_the_input() -> None:
    """Of an endless input no more is read than a batch ahead of what was answered."""
    read = 0

    def endless() -> Iterator[Item | str]:
        nonlocal read
        while True:
            read += 1
            yield "the line is empty"

    judged = verify_items(endless(), _Failing(), batch=7)
    for count in range(1, 100):
        next(judged)
        assert read <= count + 7


class _Failing:
    """An engine that stumbles over one solution: what ours must never do, and what must cost that one line only."""

    name = "failing"

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        for item in items:
            if item.lines == ("stop",):
                raise HarnessError("the server is gone")
            if item.lines == ("boom",):
                raise RecursionError("too deep")
            yield Judgement(flawed=False, confidence=0.5)


def test_an_item_an_engine_fails_on_costs_that_item_only() -> None:
    """The others of its batch are judged, and its own answer says what happened."""
    items = [read_item("q", text) for text in ("a", "b", "boom", "c")]
    judged = list(verify_items(items, _Failing()))
    assert [judgement.error for judgement in judged] == ["", "", "the engine failed: RecursionError: too deep", ""]


def test_what_was_judged_before_a_run_was_cut_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines written before an engine gave up are in the partial file; the old output stands as it was."""
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    output.write_text("old", encoding="utf-8")
    source.write_bytes(b"\n".join([_line("fine")] * 3 + [_line("stop")]))
    monkeypatch.setattr("sft.verifier.command.open_engine", lambda *_: _Failing())
    assert main(["verify", str(source), "-o", str(output), "--batch", "1"]) == 2
    assert f"the server is gone; what was judged is in {output}.partial" in capsys.readouterr().err
    assert output.read_text(encoding="utf-8") == "old"
    kept = (tmp_path / "out.jsonl.partial").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["verdict"] for line in kept] == ["Correct"] * 3


def test_the_function_takes_text_alone() -> None:
    """Anything but text is refused by name."""
    with pytest.raises(HarnessError, match="expected text as solution, found null"):
        verify("q", None, engine="symbolic")  # type: ignore[arg-type]  # the mistake under test
    with pytest.raises(HarnessError, match="'oracular' is not known"):
        verify("q", "s", engine="oracular")


@pytest.mark.parametrize("solution", [RIGHT, FALSE])
@pytest.mark.parametrize("place", ["before", "after"])
def test_an_order_moves_no_more_than_any_other_line(solution: str, place: str) -> None:
    """A line that orders a verdict changes what a line that says nothing changes: at most the numbers of lines."""
    told = []
    for line in (ORDER, PLAIN):
        text = f"{line}\n{solution}" if place == "before" else f"{solution}\n{line}"
        judgement = verify(QUESTION, text, engine="symbolic")
        told.append((judgement.flawed, judgement.error_class, judgement.error_type, judgement.line))
    assert told[0] == told[1]
    assert told[0][0] is (solution == FALSE)


@given(TEXTS, TEXTS)
def test_any_text_has_a_judgement(question: str, solution: str) -> None:
    """Whatever the texts, the symbolic engine answers in the form of the schema, on a line that is there."""
    judgement = verify(question, solution, engine="symbolic")
    assert not judgement.error or "was not read" in judgement.error
    assert satisfies(judgement.record(), RECORD_SCHEMA)
    if judgement.flawed and judgement is not NOTHING:
        assert judgement.line in read_item(question, solution).places()


@pytest.mark.slow
def test_the_command_runs_by_its_name(tmp_path: Path) -> None:
    """`oracle-factory verify` reads a pipe, and a reader that stops early is no error."""
    file = tmp_path / "in.jsonl"
    file.write_bytes(b"\n".join([_line(FALSE)] * 2))
    command = f"{sys.executable} -m oracle_factory verify {file} --engine symbolic --quiet | head -n 1"
    told = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=True)
    assert json.loads(told.stdout)["verdict"] == "Flawed"
    assert not told.stderr


def test_the_record_s_own_reference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no engine is chosen, a worked solution in the record judges; the others are judged by text, which says what Correct does not cover."""
    question = "A shelf holds 14 boxes of 9 pens. 31 pens are sold. How many pens are left?"
    wrong = {"question": question, "solution": "14 * 9 = 126\n126 + 31 = 157\n#### 157"}
    worked = "14 * 9 = 126\n126 - 31 = 95\n#### 95"
    records = [wrong, wrong | {"gold_solution": worked}, wrong | {"answer": worked}, wrong | {"answer": "95"}]
    file = write_lines(tmp_path / "in.jsonl", records)
    assert main(["verify", str(file)]) == 0
    printed = capsys.readouterr()
    told = read_lines(printed.out)
    assert [record["verdict"] for record in told] == ["Correct", "Flawed", "Flawed", "Correct"]
    assert [record.get("not_covered") for record in told] == [NOT_COVERED, None, None, NOT_COVERED]
    assert [record["diagnosis"]["line"] for record in told[1:3]] == ["L2", "L2"]
    assert "2 judged by the worked solution of the record" in printed.err
    assert "2 judged by the text alone: Correct does not cover wrong steps of true arithmetic" in printed.err
    assert main(["verify", str(file), "--engine", "oracle"]) == 1
    told = read_lines(capsys.readouterr().out)
    assert [record["verdict"] for record in told] == [None, "Flawed", "Flawed", "Flawed"]
    assert told[3]["diagnosis"]["status"] == "wrong, unlocated"
    assert told[3]["error_details"] is None
