"""The audit of data sets: what it finds in records of each form, and that nothing else is found."""

import gzip
import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oracle_factory import judge
from oracle_factory.command import main
from oracles.dataset_audit.audit import FEW, audit_dataset
from oracles.dataset_audit.findings import AuditFinding, FindingKind
from properties.audit import TITLES, summary
from tests.cases import cases, lines_beside
from tests.json_lines import read_lines, write_lines

SMT = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (= (* 2 x) 6))\n(check-sat)\n"


def found(*records: Any) -> list[tuple[str, str, str]]:
    """Return record, place and kind of each finding."""
    return [(finding.record_id, finding.place, str(finding.kind)) for finding in audit_dataset(list(records)).findings]


def solution(random: Random, wrong: int | None) -> tuple[str, str]:
    """Return a solution of a few lines, one of them with a wrong result, and the wrong equation."""
    lines, equation = [], ""
    for place in range(random.randint(2, 5)):
        left, right = random.randint(2, 90), random.randint(2, 90)
        sign, value = random.choice([("+", left + right), ("*", left * right), ("-", left - right)])
        stated = value if place != wrong else value + random.choice([-10, -1, 1, 7, 100])
        written = f"{left}{sign}{right}={stated}"
        equation = written if place == wrong else equation
        note = f"{left} {sign} {right} = <<{written}>>{stated}" if random.random() < 0.5 else written
        lines.append(f"{random.choice(['So that is', 'They have', 'In total:'])} {note} things.")
    return "\n".join([*lines, f"#### {stated}"]), equation


def test_every_false_equation_is_found_where_it_stands_and_no_true_one() -> None:
    """Of generated solutions, exactly the planted equations are found, each by its record and line."""
    random = Random(25)
    records, expected = [], []
    for number in range(300):
        wrong = random.choice([None, 0, 1])
        text, equation = solution(random, wrong)
        records.append({"id": f"p{number}", "question": f"Problem {number}?", "answer": text})
        if wrong is not None:
            expected.append((f"p{number}", f"L{wrong + 1}", equation))
    audited = audit_dataset(records)
    assert [(finding.record_id, finding.place) for finding in audited.findings] == [entry[:2] for entry in expected]
    assert all(entry[2] in finding.found for entry, finding in zip(expected, audited.findings, strict=True))
    assert {str(finding.kind) for finding in audited.findings} == {"false-equation"}
    assert len(expected) > 150


def test_processes_change_nothing(tmp_path: Path) -> None:
    """A file larger than one process takes gives the same audit by one process and by two, plain and compressed."""
    random = Random(7)
    records = [
        {"question": f"Problem {number}?", "answer": solution(random, number % 3)[0]} for number in range(FEW + 150)
    ]
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    plain, packed = tmp_path / "set" / "data.jsonl", tmp_path / "set" / "data.jsonl.gz"
    plain.parent.mkdir()
    plain.write_text(lines, encoding="utf-8")
    packed.write_bytes(gzip.compress(lines.encode()))
    alone = audit_dataset(plain)
    assert alone == audit_dataset(plain, processes=2) == audit_dataset(packed, processes=2)
    assert alone.records == len(records)
    assert alone.findings[0].record_id.startswith("set-data-")


@cases("row", lines_beside(__file__, "record_forms.jsonl"))
def test_each_form_of_a_record(row: dict[str, Any]) -> None:
    """A record of each form gives its findings and no others."""
    assert found(row["record"]) == list(map(tuple, row["findings"])), row


def test_records_that_ask_the_same() -> None:
    """Of records with the same question, those are found whose answer is another number than that of the first."""
    records = [
        {"id": "a", "question": "How many  eggs?", "answer": "#### 12"},
        {"id": "b", "question": "how many eggs ?", "answer": "12.0"},
        {"id": "c", "question": "How many eggs", "answer": "#### 13"},
        {"id": "d", "question": "How many eggs?", "answerable": False, "answer": None},
        {"id": "e", "question": "How many hens?", "answer": "#### 13"},
    ]
    assert found(*records) == [
        ("c", "question", "same-question-another-answer"),
        ("d", "question", "same-question-another-answer"),
    ]


HOSTILE = [
    None,
    7,
    "text",
    [],
    {},
    {"answer": "9" * 100_000 + "=1\n#### 1"},
    {"answer": "[/red]\x1b[2J 3+4=8\n#### 8", "id": "[bold]\x1b[31m"},
    {"answer": {"a": 1}, "solution": 3, "equation": ["x"], "smtlib": 5, "query": 7, "gold": {}},
    {"equation": "(" * 10_000, "answer": "5"},
    {"equation": "9**9**9**9", "answer": "5"},
    {"equation": "__import__('os').abort()", "answer": "5"},
    {"smtlib": "(assert " * 5_000, "id": "deep"},
    {"id": True, "question": ["a", 1], "answer": "\ud800 3+4=7\n#### 7"},
]


def test_hostile_records_are_read_or_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Records of any form end no audit; what nothing can be read of is named, and no control character reaches the terminal."""
    path = tmp_path / "hostile.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in HOSTILE) + "{broken\n", encoding="utf-8")
    assert main(["audit", str(path), "--read", "9", "-o", str(tmp_path / "found.jsonl")]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert f"{len(HOSTILE) + 1} records" in printed
    audited = audit_dataset(path)
    assert len(audited.unread) >= 6
    assert [finding.kind for finding in audited.findings] == [FindingKind.FALSE_EQUATION, FindingKind.BROKEN_PROGRAM]
    written = read_lines(tmp_path / "found.jsonl")
    assert [AuditFinding(**record | {"kind": FindingKind(record["kind"])}) for record in written] == list(
        audited.findings
    )


def test_a_check_fails_where_something_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--check` ends with status 1 if there is a finding, else with 0."""
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text('{"answer": "3+4=7\\n#### 7"}\n')
    bad.write_text('{"answer": "3+4=8\\n#### 8"}\n')
    assert [main(["audit", str(path), "--check"]) for path in (good, bad)] == [0, 1]
    assert main(["audit", str(bad)]) == 0
    assert "1 finding (1 false-equation)" in capsys.readouterr().out
    assert main(["audit", str(tmp_path / "none.jsonl")]) == 2


def test_every_kind_has_a_title() -> None:
    """The command prints a title for every kind of finding."""
    assert set(TITLES) == {str(kind) for kind in FindingKind}


def test_the_summary_counts() -> None:
    """The summary says what was read, what was found, and what could not be judged."""
    audited = audit_dataset([{"id": 1, "answer": "3+4=8\n2+=5\n#### 8"}, {"id": 2, "text": "?"}])
    text = summary(audited)
    assert text.startswith("2 records with 1 solution, 1 equation: 1 finding (1 false-equation)")
    assert "1 record not read whole, such as 2: no solution" in text


def test_records_are_kept_that_programs_prove_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record with a finding, or whose solution the programs do not prove, is left with its reason; without programs nothing is kept."""
    question = "A jar costs $2. How much are 4 jars and a lid of $1?"
    program = "def solve(price: int = 2, jars: int = 4, lid: int = 1):\n    return price * jars + lid"
    solutions = {"right": "4*2=8\n8+1=9\n#### 9", "false": "4*2=9\n#### 9", "wrong": "4*2=8\n8-1=7\n#### 7"}
    data, kept = tmp_path / "data.jsonl", tmp_path / "kept.jsonl"
    rows = [{"id": "jars", "name": name, "question": question, "answer": text} for name, text in solutions.items()]
    write_lines(data, rows)
    programs = [{"problem_id": "jars", "model": model, "response": program} for model in "abc"]
    judge([{"problem_id": "jars", "question": question}], programs, out=tmp_path / "run", processes=1)
    options = ["audit", str(data), "-j", "1", "--keep", str(kept), "--precision", "0.5"]
    assert main(options) == 2
    assert "a record alone does not show" in capsys.readouterr().err
    assert main([*options, "--oracles", str(tmp_path / "run")]) == 0
    assert [record["name"] for record in read_lines(kept)] == ["right"]
    rest = read_lines(tmp_path / "kept.rest.jsonl")
    reasons = {row["record"]["name"]: row["reason"].partition(":")[0] for row in rest}
    assert reasons["false"] == "false-equation"
    assert reasons["wrong"] == "same-question-another-answer"


def test_an_answer_in_another_notation_is_no_contradiction() -> None:
    """Rounded, cut off, as a float, with points for thousands or in words: neither beside an equation nor in a second record; another value is."""
    random = Random(44)
    for _ in range(50):
        top, bottom = random.randint(1, 60), random.choice([3, 6, 7, 8, 9, 11])
        thousands = 1000 * random.randint(1, 999) + random.randint(0, 999)
        value = Fraction(top, bottom)
        for equation, answer, same in (
            (f"{top} / {bottom}", f"{float(value):.2f}", True),
            (f"{top} / {bottom}", f"{float(value):.6f}"[:-2], True),
            (f"{top} / {bottom}", float(value), True),
            (f"{thousands} + 0", f"{thousands:,}".replace(",", "."), True),
            (f"{top} + {bottom}", top + bottom + 1e-14, True),
            (f"{top} / {bottom}", f"{float(value) + 0.3:.2f}", False),
            (f"{thousands} + 0", f"{thousands + 1:,}".replace(",", "."), False),
        ):
            beside = found({"id": 1, "equation": equation, "answer": answer})
            first = equation.replace(" / ", "/").removesuffix(" + 0")
            again = (
                [] if "+" in first else found({"question": "q", "answer": first}, {"question": "q", "answer": answer})
            )
            assert (not beside and not again) is same, (equation, answer)
        for whole in (top // bottom, top // bottom + 1) if top % bottom else ():
            pair = ({"question": "q", "answer": text} for text in (f"{top}/{bottom}", f"{whole}"))
            assert found(*pair), (top, bottom, whole)
