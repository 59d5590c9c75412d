"""Benchmark of inputs after public bug reports, each given to the command that it names: right, refused by name, wrong or silently wrong.

`reports.jsonl` and `lines.jsonl` in `cases` beside the folder of the real data hold an input, its command and what is expected a line. A result is
*refused* where the command says that it does not know or does not read it, *wrong* where it crashes or names the wrong place, and *silent* where it
says what is false, or leaves out what it was to find. `python -m benchmarks.reported_cases [FILE …]` prints the cases that are not right.
"""

from __future__ import annotations

import enum
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.sessions import DataMissing
from harness.errors import HarnessError
from harness.paths import data_folder
from harness.text.characters import one_line
from oracle_factory import audit, judge, validate, verify
from oracle_factory.rewards import answer_reward
from oracles.dataset_audit.findings import DatasetAudit
from sft.evaluation.dataset_items import adapt
from tests.generators.formalizations.llm_formalizers.formalizing_server import arguments
from tests.harness.llm.test_refused_parameters import TEMPERATURE, ChoosyServer, error_of

if TYPE_CHECKING:
    from properties.factory.judged_problems import JudgedProblem

FILES = ("reports.jsonl", "lines.jsonl")
ROOT = Path(__file__).parents[1]
GOLD_OF_PROGRAMS = "198"
SURE, SURELY_SOLVABLE = 0.5, 0.8
"""A verifier's verdict claims nothing at this confidence or below; of a validator's `solvable`, the reports count what is above 0.8."""
PARTS, REPEATED_IDS = "messages whose content is a list of text parts", "ids repeat 50 times (field instance)"
RECORDS = [
    {"id": "a", "question": "12 crates of 8 jars. How many jars?", "answer": "12*8=97\n#### 97"},
    {"id": "b", "question": "5 eggs and 2 eggs. How many eggs?", "answer": "5+2=7\n#### 7"},
]
PROGRAM_AFTER_THOUGHT = (
    "<think>\n```python\nans = 1\n```\n</think>\n```python\ndef solve(a: int = 48):\n    return a + a // 2\n```"
)
_LINES = "".join(f"{json.dumps(record)}\n" for record in RECORDS)
_COLUMNS = {field: [record[field] for record in RECORDS] for field in RECORDS[0]}
_CSV = "id,question,answer\n" + "".join(",".join(f'"{text}"' for text in record.values()) + "\n" for record in RECORDS)
LAYOUTS = {
    "array.json": json.dumps(RECORDS),
    "bom.csv": f"\ufeff{_CSV}",
    "columns.json": json.dumps({field: dict(enumerate(values)) for field, values in _COLUMNS.items()}),
    "columns_list.json": json.dumps(_COLUMNS),
    "wrapped.json": json.dumps({"version": "1.0", "data": RECORDS}),
}
"""Files with one false equation; a file of another name has one record a line, or is CSV."""
Case = dict[str, Any]


class Outcome(enum.StrEnum):
    """What became of a case; the later is the worse. `SKIPPED` is a case whose input only its reporter has."""

    SKIPPED = "not run"
    RIGHT = "right"
    REFUSED = "refused"
    WRONG = "wrong"
    SILENT = "silent"


class Result(NamedTuple):
    """The outcome of a case and what the command said."""

    outcome: Outcome
    said: str


def measure(data: Path) -> dict[str, Any]:
    """Run the cases of both files; return how many have each outcome, in all and by class."""
    return summary(run(data.parent / "cases" / name for name in FILES))


def run(paths: Iterable[Path]) -> list[tuple[Case, Result]]:
    """Return the cases of some files with their results: programs and gold answers go to one call of `judge`, the others one by one.

    Raises:
        DataMissing: a file is not there.
    """
    cases: list[Case] = []
    for path in paths:
        if not path.is_file():
            raise DataMissing(path)
        cases += map(json.loads, path.read_text(encoding="utf-8").splitlines())
    judged = [case for case in cases if any(words in case["command"] for words in ("judge gold", "judge prog"))]
    results = dict(zip(map(id, judged), _judged(judged), strict=True)) if judged else {}
    return [(case, results.get(id(case)) or _result(case)) for case in cases]


def summary(results: list[tuple[Case, Result]]) -> dict[str, Any]:
    """Return the counts of outcomes: of what failed before, of that with an answer to give, of what was right before, and by class."""
    failed = [(case, result) for case, result in results if not case.get("ok")]
    answerable = [
        result for case, result in failed if not str(case["expected"]).startswith(("no ", "unread", "not ", "?"))
    ]
    classes: dict[str, list[Result]] = {}
    for case, result in results:
        classes.setdefault(case["class"] or "no class", []).append(result)
    return {
        "failed before": _counts([result for _, result in failed]),
        "failed before, with an answer to give": _counts(answerable),
        "right before": _counts([result for case, result in results if case.get("ok")]),
        "classes": {name: _counts(found) for name, found in sorted(classes.items())},
    }


def _counts(results: list[Result]) -> dict[str, int]:
    counts = Counter(result.outcome for result in results)
    ran = len(results) - counts[Outcome.SKIPPED]
    return {"cases": ran} | {str(outcome): counts[outcome] for outcome in Outcome}


def _result(case: Case) -> Result:
    judged = next((judged for words, judged in COMMANDS.items() if words in case["command"]), None)
    try:
        return Result(Outcome.SKIPPED, case["command"]) if judged is None else judged(case)
    except HarnessError as error:
        return Result(Outcome.REFUSED, str(error))
    except Exception as error:  # noqa: BLE001  # a crash is what is looked for
        return Result(Outcome.WRONG, repr(error))


def _judged(cases: list[Case]) -> list[Result]:
    """Judge programs with their gold answers: a refusal to read either is no false verdict, that it raises is one."""
    problems, answers = [], []
    for number, case in enumerate(cases):
        given = (
            case["input"] if isinstance(case["input"], dict) else {"gold": GOLD_OF_PROGRAMS, "program": case["input"]}
        )
        name = {"problem_id": str(number)}
        problems.append({**name, "question": "How many?", "answer": f"#### {given['gold']}"})
        answers.append({**name, "model": "m", "response": given["program"]})
    found = judge(problems, answers)
    return [_of_screening(case["expected"], found[str(number)]) for number, case in enumerate(cases)]


def _of_screening(expected: str, judged: JudgedProblem) -> Result:
    verdict = next(each for each in judged.verdicts if each.claim == "ut1")
    reason, right = verdict.reason or "", expected.startswith("CONFIRMED")
    said = f"{verdict.status.name} {verdict.method} {reason}"
    unread = verdict.method == "read" or (verdict.method == "evaluate" and not reason.startswith("raises"))
    if verdict.status.name == "UNKNOWN" or (unread and right):
        return Result(Outcome.REFUSED, said)
    return Result(Outcome.RIGHT if (verdict.status.name == "CONFIRMED") is right else Outcome.SILENT, said)


def _rewarded(case: Case) -> Result:
    given = case["input"] if isinstance(case["input"], dict) else {"reply": "22", "truth": "22"}
    text = f"ANSWER: {given['reply']}"
    parts = [{"role": "assistant", "content": [{"type": "text", "text": text}]}]
    (reward,) = answer_reward([parts if case["input"] == PARTS else text], ["answer"], [given["truth"]])
    if reward is None:
        return Result(Outcome.REFUSED, "not read")
    return Result(Outcome.RIGHT if reward == float(case["expected"]) else Outcome.SILENT, str(reward))


def _audited(case: Case) -> Result:
    given = case["input"]
    if given == REPEATED_IDS:
        found = audit([{**record, "id": "0"} for record in [RECORDS[1]] * 49 + [RECORDS[0]]]).findings
        return Result(Outcome.RIGHT if [finding.row for finding in found] == [50] else Outcome.SILENT, str(found)[:200])
    if isinstance(given, dict | list):
        return _of_findings(audit(given if isinstance(given, list) else [given]), case["expected"])
    stem, _, kind = given.rpartition(".")
    if kind not in {"json", "jsonl", "csv"}:
        return Result(Outcome.SKIPPED, given)
    text = LAYOUTS.get(given, _CSV if kind == "csv" else _LINES)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / given
        path.write_text(text, encoding={"utf16": "utf-16", "latin1": "latin-1"}.get(stem, "utf-8"))
        return _of_findings(audit(path), "a finding")


def _of_findings(found: DatasetAudit, expected: str) -> Result:
    said = "; ".join(f"{finding.kind} {finding.found[:60]} → {finding.expected[:60]}" for finding in found.findings)
    unread = f"unread: {found.unread_lines} lines, {len(found.unread)} records"
    if bool(found.findings) is not expected.startswith("no "):
        return Result(Outcome.RIGHT, said or unread)
    refused = not found.findings and (found.unread or found.unread_lines)
    return Result(Outcome.REFUSED if refused else Outcome.SILENT, said or unread)


def _annotated(case: Case) -> Result:
    (judged,) = judge([{**case["input"], "problem_id": "own"}], "annotation").values()
    return _of_screening("CONFIRMED", judged)


def _verified(case: Case) -> Result:
    """Verify a solution by both engines and, where it has no false line, audit it; the worst outcome counts."""
    given, expected = case["input"], case["expected"]
    if isinstance(given, str):
        return Result(Outcome.SKIPPED, given)
    results = [_of_engine(given, expected, engine) for engine in ("text", "symbolic")]
    if expected.startswith("no finding"):
        results.append(_of_findings(audit([given]), expected))
    worst = max(list(Outcome).index(result.outcome) for result in results)
    return Result(list(Outcome)[worst], "; ".join(result.said for result in results))


def _of_engine(given: dict[str, str], expected: str, engine: str) -> Result:
    judged = verify(given["question"], given["solution"], engine=engine)
    said = f"{engine} {judged.record()['verdict']} {judged.confidence:.2f} {judged.line} {judged.error[:80]}".strip()
    claims = not judged.error and judged.flawed is not None and judged.confidence > SURE
    if expected.startswith(("not Correct", "unread", "?")):
        return Result(Outcome.SILENT if claims and not judged.flawed else Outcome.RIGHT, said)
    if not claims:
        return Result(Outcome.REFUSED, said)
    verdict, _, place = expected.partition(" ")
    if judged.flawed is not (verdict == "Flawed"):
        return Result(Outcome.SILENT, said)
    return Result(Outcome.WRONG if judged.flawed and place and judged.line != place else Outcome.RIGHT, said)


def _validated(case: Case) -> Result:
    judged, expected = validate(case["input"]), str(case["expected"])
    said = f"{judged.record()['verdict']} {judged.confidence:.2f} {judged.reason[:80]}"
    found = None if judged.problem_class is None else str(judged.problem_class.value)
    if found == (expected if expected in {"0", "1", "2"} else "1"):
        return Result(Outcome.RIGHT, said)
    refused = found is None or judged.confidence <= (SURELY_SOLVABLE if found == "1" else SURE)
    return Result(Outcome.REFUSED if refused else Outcome.SILENT, said)


def _repaired(case: Case) -> Result:
    """Repair a program and validate it; one that is given back as it came says what its author said."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "given.jsonl").write_text(f"{json.dumps(case['input'])}\n", encoding="utf-8")
        _run(["smt", "repair", "given.jsonl", "-o", "repaired.jsonl", "--no-template"], folder)
        _run(["smt", "validate", "repaired.jsonl", "-o", "found"], folder)
        repaired = json.loads((folder / "repaired.jsonl").read_text(encoding="utf-8"))["program"]
        found = json.loads((folder / "found/validation.jsonl").read_text(encoding="utf-8"))
    said = f"valid {found.get('valid')} correct {found.get('correct')} {found.get('error', '')} {found.get('note', '')}"
    refused = found.get("error") or repaired == case["input"]["program"]
    return Result(Outcome.RIGHT if found.get("correct") else Outcome.REFUSED if refused else Outcome.SILENT, said)


def _evaluated(case: Case) -> Result:
    with tempfile.TemporaryDirectory() as name:
        given = Path(name) / "given.jsonl"
        given.write_text("".join(f"{json.dumps(record)}\n" for record in case["input"]), encoding="utf-8")
        return Result(Outcome.RIGHT, f"{len(adapt(given))} samples")


def _asked(case: Case) -> Result:
    """Ask a server on loopback that behaves as the last word of the command says, and answers with a program after a thought."""
    name = case["command"].rpartition(":")[2]
    plans = {"temp400": None, "null-stop": "empty", "think-fence": None}
    server = ChoosyServer(lambda *_: plans[name], lambda _: PROGRAM_AFTER_THOUGHT)
    server.refuses = {"temperature": error_of(TEMPERATURE)} if name == "temp400" else {}
    with server, tempfile.TemporaryDirectory() as folder:
        words = arguments(Path(folder), "--repairs", "0", problems="0:1", models=("compatible:m",))
        done = _run([*words, "--corpus", "mini"], Path(folder), server.variables)
    said = one_line(done.stderr, limit=300)
    return Result(Outcome.REFUSED if done.returncode and said else Outcome.RIGHT, said)


def _run(words: list[str], folder: Path, variables: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "oracle_factory", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **(variables or {})}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)


COMMANDS: dict[str, Callable[[Case], Result]] = {
    "answer_reward": _rewarded,
    "smt validate": _repaired,
    "validate": _validated,
    "evaluate --adapt": _evaluated,
    "judge FILE annotation": _annotated,
    "formalize": _asked,
    "audit FILE": _audited,
    "verify": _verified,
    "audit": _audited,
}
"""What runs a case, by words of its command; the first that fits."""


def main(paths: list[str]) -> None:
    """Print the cases that are not right, and the counts."""
    results = run(map(Path, paths) if paths else (data_folder().parent / "cases" / name for name in FILES))
    for case, (outcome, said) in results:
        if outcome is not Outcome.RIGHT:
            print(f"{outcome}: {case['id']} | {case['class']} | expected {case['expected']} | {said}")
    classes = (found := summary(results)).pop("classes")
    print("\n".join(f"{counts}  {name}" for name, counts in {**classes, **found}.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
