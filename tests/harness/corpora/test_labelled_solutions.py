"""Tests of labelled records: every published layout is read, and any other record is rejected with a typed reason."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from harness.corpora.labelled_solutions import (
    LAYOUTS,
    LONGEST_TEXT,
    LabelledSolution,
    LabelVerdict,
    RejectedRecord,
    label_files,
    read_labelled,
    read_record,
)
from harness.errors import HarnessError
from tests.cases import cases
from tests.sft.judged_files import LINES, QUESTION, RECORDS, SOLUTION, WRONG

FLAWED = "2 + 3 = <<2+3=6>>6\n\n6 * 2 = 12\n#### 12"
DETAILS = {"error_type": "computational_error", "erroneous_line_number": "L1", "explanation": "not 6"}
RECORD: dict[str, Any] = {
    "problem_id": "p-1",
    "flawed_solution": FLAWED,
    "label": {"verdict": "Flawed", "error_details": DETAILS},
}
STEPS = RECORDS["verify-then-generate"]


def read(record: Any) -> LabelledSolution:
    """Return a record that is accepted."""
    found = read_record(record, "file#0")
    assert isinstance(found, LabelledSolution), found
    return found


@cases("layout", sorted(LAYOUTS))
def test_layout_is_found_by_its_fields(layout: str) -> None:
    """The flawed solution, its verdict and, where the layout tells it, its line come out the same."""
    labelled = read(RECORDS[layout])
    assert labelled.layout is LAYOUTS[layout]
    wanted = LabelVerdict.WRONG_ANSWER if layout == "is-correct" else LabelVerdict.FLAWED
    assert (labelled.question, labelled.worked.lines, labelled.stated.said) == (QUESTION, tuple(WRONG), wanted)
    assert labelled.worked.answer == (None if layout == "mr-gsm8k" else "27")
    assert labelled.stated.line == ("" if layout in {"is-correct", "examination"} else "L2")
    assert labelled.reference == (SOLUTION if layout in {"human", "eic"} else None)


@given(st.lists(st.sampled_from(["a line", "#### 5", "2+2 = 4"]), min_size=1, max_size=6), st.data())
def test_line_of_a_step_names_that_step(steps: list[str], data: st.DataObject) -> None:
    """A step is the line that labels count so, and the final answer where it is that."""
    place = data.draw(st.integers(0, len(steps) - 1))
    found = read({"problem": "?", "steps": steps, "first_error_step": place + 1})
    line, named = found.stated.line, steps[place]
    assert line == "FA" if named.startswith("####") else found.worked.lines[int(line[1:]) - 1] == named


@cases(
    ("record", "said"),
    [
        ({"question": "?", "solution": "5", "label": "correct"}, LabelVerdict.CORRECT),
        ({"question": "?", "solution": "5", "label": {"verdict": "Correct"}}, LabelVerdict.CORRECT),
        ({"question": "?", "solution": "5", "error_type": "correct"}, LabelVerdict.CORRECT),
        ({"question": "?", "solution": "5", "is_correct": True}, LabelVerdict.RIGHT_ANSWER),
        ({"question": "?", "solution": "5", "label": "flawed"}, LabelVerdict.FLAWED),
        ({"flawed_solution": FLAWED, "error_type": "conceptual", "erroneous_line_number": None}, LabelVerdict.FLAWED),
        ({**RECORDS["processbench"], "steps": LINES, "label": -1}, LabelVerdict.CORRECT),
        ({**RECORDS["mr-gsm8k"], "model_output_solution_correctness": "correct"}, LabelVerdict.CORRECT),
        ({**STEPS, "first_error_step": None}, LabelVerdict.CORRECT),
        ({**RECORDS["sample"], "flawed": False}, LabelVerdict.CORRECT),
    ],
)
def test_plain_verdicts_are_read(record: dict[str, Any], said: LabelVerdict) -> None:
    """A label may be a verdict alone; `-1`, `N/A` and a missing step mean that all is right."""
    assert read(record).stated.said is said


REJECTED = {
    "malformed-record: expected an object, found no JSON": ValueError("cut"),
    "malformed-record: expected an object, found a list": [1],
    "malformed-record: expected text in 'flawed_solution'": {**RECORD, "flawed_solution": 7},
    "malformed-record: expected a short text in 'problem_id'": {**RECORD, "problem_id": ""},
    "malformed-record: expected a list of texts in 'steps', found 7": {**STEPS, "steps": 7},
    "malformed-record: expected a list of texts in 'steps'": {**STEPS, "steps": ["a", 1]},
    "no-solution: no known layout has the fields label, problem_id": {"problem_id": "p", "label": RECORD["label"]},
    "no-solution: the solution is empty": {**RECORD, "flawed_solution": " \n\n"},
    "no-label: expected 'label'": {"problem_id": "p", "flawed_solution": FLAWED},
    "no-label: expected an object": {**RECORD, "label": {"verdict": "Flawed", "error_details": "L1"}},
    "unknown-verdict: expected 'flawed'": {**RECORD, "label": "perhaps"},
    "unknown-verdict: expected 'flawed', 'wrong' or 'correct' in 'model_output_solution_correctness'": {
        **RECORDS["mr-gsm8k"],
        "model_output_solution_correctness": "maybe",
    },
    "unknown-verdict: expected true or false in 'is_correct'": {**RECORDS["is-correct"], "is_correct": "yes"},
    "unknown-error-type": {**RECORD, "label": {"verdict": "Flawed", "error_details": {"error_type": "typo"}}},
    "unknown-line: expected a line": {
        **RECORD,
        "label": {"verdict": "Flawed", "error_details": {"erroneous_line_number": "L0"}},
    },
    "unknown-line: expected a step from 0 to 3 in 'label', found 4": {**RECORDS["processbench"], "label": 4},
    "unknown-line: expected a step from 1 to 3 in 'model_output_solution_first_error_step'": {
        **RECORDS["mr-gsm8k"],
        "model_output_solution_first_error_step": "0",
    },
    "too-large: 'flawed_solution'": {**RECORD, "flawed_solution": "x" * (LONGEST_TEXT + 1)},
    "too-large: 300 lines": {**RECORD, "flawed_solution": "x\n" * 300},
}


@cases("reason", REJECTED)
def test_what_cannot_be_audited_is_rejected_with_its_reason(reason: str) -> None:
    """A record that cannot be audited is rejected with a typed reason, never an exception."""
    found = read_record(REJECTED[reason], "file#0")
    assert isinstance(found, RejectedRecord)
    assert found.reason.startswith(reason)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("9" * 20_001),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*RECORD, *DETAILS, "verdict", "error_details"]), inner, max_size=6),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
@given(data=st.data())
def test_any_json_is_read_or_rejected(layout: str, data: st.DataObject) -> None:
    """With fields missing or of any other kind, a record is read or rejected; nothing else happens."""
    record = dict(RECORDS[layout])
    for key in data.draw(st.lists(st.sampled_from(sorted(record)), min_size=1, max_size=2)):
        record[key] = data.draw(JSON)
        if data.draw(st.booleans()):
            del record[key]
    for named in (LAYOUTS[layout], None):
        assert isinstance(read_record(record, "file#0", named), LabelledSolution | RejectedRecord)
    assert isinstance(read_record(data.draw(JSON), "file#0"), LabelledSolution | RejectedRecord)


def test_files_are_numbered_and_named(tmp_path: Path) -> None:
    """Plain, packed, as a list and as CSV; a broken line is one rejection, and the lines after it are read."""
    plain, packed, listed, table = (tmp_path / name for name in ("one.jsonl", "two.jsonl.gz", "three.json", "four.csv"))
    graded = RECORDS["mr-gsm8k"]
    plain.write_text(json.dumps(RECORD) + "\n{broken\n" + json.dumps(graded) + "\n")
    packed.write_bytes(gzip.compress(json.dumps(graded).encode()))
    listed.write_text(json.dumps([graded]))
    with table.open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, sorted(graded))
        rows.writeheader()
        rows.writerow(graded)
    first, broken, *others = read_labelled([plain, packed, listed, table])
    assert [first.name, broken.name] == ["one#0", "one#1"]
    assert (isinstance(first, LabelledSolution), isinstance(broken, RejectedRecord)) == (True, True)
    assert [found.name for found in others] == ["one#2", "two#0", "three.json#0", "four.csv#0"]
    assert len({(found.worked, found.stated) for found in others if isinstance(found, LabelledSolution)}) == 1


def test_files_are_told_apart(tmp_path: Path) -> None:
    """Files of one name in two folders, such as those of two runs, by their folders; a missing or repeated file is misuse."""
    paths = [tmp_path / run / "mutation" / "computational.jsonl" for run in ("a", "b")]
    with pytest.raises(HarnessError, match="no such file"):
        list(read_labelled(paths))
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_text("{}\n")
    first, second = label_files(paths).values()
    assert (first != second, first.endswith("-a-mutation-computational")) == (True, True)
    with pytest.raises(HarnessError, match="the path is repeated"):
        list(read_labelled(paths[:1] * 2))
