"""Tests of labelled records: every published format is read, and any other is rejected with a typed reason."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from harness.corpora.labelled_solutions import (
    LONGEST_TEXT,
    LabelledSolution,
    LabelVerdict,
    RejectedRecord,
    label_files,
    read_labelled,
    read_record,
)
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.solution.labels import ErrorClass, ErrorType, Label
from tests.cases import cases

FLAWED = "2 + 3 = <<2+3=6>>6\n\n6 * 2 = 12\n#### 12"
DETAILS = {"error_type": "computational_error", "erroneous_line_number": "L1", "explanation": "not 6"}
RECORD: dict[str, Any] = {
    "problem_id": "p-1",
    "flawed_solution": FLAWED,
    "label": {"verdict": "Flawed", "error_details": DETAILS},
}


def read(record: Any) -> LabelledSolution:
    """Return a record that is accepted."""
    found = read_record(record, "file#0")
    assert isinstance(found, LabelledSolution)
    return found


def test_blank_lines_and_the_answer_are_not_counted() -> None:
    """L1 and L2 are the lines that state something; the answer is separate."""
    worked = read(RECORD).worked
    assert (worked.lines, worked.answer, worked.before) == (("2 + 3 = <<2+3=6>>6", "6 * 2 = 12"), "12", 2)


def test_an_answer_before_the_lines_is_known_as_such() -> None:
    """`before` says whether the answer's line comes before the lines."""
    worked = read({**RECORD, "flawed_solution": "#### 12\n2 + 3 = 6\n6 * 2 = 12"}).worked
    assert (worked.lines, worked.answer, worked.before) == (("2 + 3 = 6", "6 * 2 = 12"), "12", 0)


@pytest.mark.parametrize("last", ["#### 12", "FINAL ANSWER: 12", "**Final answer:** 12", "A: 12"])
def test_the_answers_line_is_known_in_its_forms(last: str) -> None:
    """The answer's line is recognised in the form of every dataset."""
    assert read({**RECORD, "flawed_solution": f"6 * 2 = 12\n{last}"}).worked.answer == "12"


@cases("line", ["L3", 3, "3", "line 3", "step 3"])
def test_lines_are_named_in_several_ways(line: object) -> None:
    """All ways to name the third line mean L3."""
    record = {**RECORD, "label": {"verdict": "Flawed", "error_details": {**DETAILS, "erroneous_line_number": line}}}
    assert read(record).stated.line == "L3"


def test_our_own_labels_are_read() -> None:
    """Our own labels are read with class and correction."""
    label = Label.of_error(ErrorType.SKIPPED_STEP, "L2", "A step is missing.", "6 * 2 = 12")
    stated = read({**RECORD, "label": json_form(label), "operator": "skip", "solution": "right\n#### 1"}).stated
    assert (stated.error_class, stated.line, stated.correction) == (ErrorClass.SKIPPED_STEP, "L2", "6 * 2 = 12")


def test_the_flat_form_is_read() -> None:
    """Error type and line beside the solution; a line may be missing."""
    flat = {"problem_id": "p", "flawed_solution": FLAWED, "error_type": "conceptual", "erroneous_line_number": None}
    assert (read(flat).stated.error_class, read(flat).stated.line) == (ErrorClass.CONCEPTUAL, "")


def test_a_label_on_the_step_of_the_bare_answer_names_the_final_answer() -> None:
    """The last step is the answer, which labels call `FA`; a label beyond it names a line that is not there."""
    steps = {"id": "v-1", "problem": "?", "steps": ["2 + 3 = 5", "so 5", " 5"]}
    lines = [read({**steps, "first_error_step": number}).stated.line for number in (2, 3, 4)]
    assert lines == ["L2", "FA", "L4"]


def test_steps_are_lines_and_the_last_is_the_answer() -> None:
    """A first error step counts from one and says nothing of later steps; newlines within a step do not count."""
    found = read({"id": "v-1", "problem": "?", "steps": ["2 + 3 =\n5", "so 5", " 5"], "first_error_step": 2})
    assert (found.worked.lines, found.worked.answer) == (("2 + 3 = 5", "so 5"), "5")
    assert (found.problem_id, found.stated.line, found.stated.first_only, found.edited) == ("v-1", "L2", True, False)


@cases(
    ("record", "said"),
    [
        ({"question": "?", "solution": "5", "label": "correct"}, LabelVerdict.CORRECT),
        ({"question": "?", "solution": "5", "label": {"verdict": "Correct"}}, LabelVerdict.CORRECT),
        ({"question": "?", "solution": "5", "is_correct": True}, LabelVerdict.RIGHT_ANSWER),
        ({"question": "?", "solution": "5", "is_correct": False}, LabelVerdict.WRONG_ANSWER),
        ({"question": "?", "solution": "5", "label": "flawed"}, LabelVerdict.FLAWED),
    ],
)
def test_plain_verdicts_are_read(record: dict[str, Any], said: LabelVerdict) -> None:
    """A label may be a verdict alone."""
    assert read(record).stated.said is said


REJECTED = {
    "malformed-record: no JSON": ValueError("cut"),
    "malformed-record: expected an object": [1],
    "malformed-record: expected text in 'flawed_solution'": {**RECORD, "flawed_solution": 7},
    "malformed-record: expected a short text in 'problem_id'": {**RECORD, "problem_id": ""},
    "malformed-record: expected 'steps'": {"steps": ["a", 1], "first_error_step": 1},
    "no-solution: expected text": {"problem_id": "p", "label": RECORD["label"]},
    "no-solution: the solution is empty": {**RECORD, "flawed_solution": " \n\n"},
    "no-label: expected 'label'": {"problem_id": "p", "flawed_solution": FLAWED},
    "no-label: expected an object": {**RECORD, "label": {"verdict": "Flawed", "error_details": "L1"}},
    "unknown-verdict": {**RECORD, "label": "perhaps"},
    "unknown-error-type": {**RECORD, "label": {"verdict": "Flawed", "error_details": {"error_type": "typo"}}},
    "unknown-line": {**RECORD, "label": {"verdict": "Flawed", "error_details": {"erroneous_line_number": "L0"}}},
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
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*RECORD, *DETAILS, "steps", "verdict", "error_details", "solution", "is_correct", "first_error_step"]), inner, max_size=6),
    max_leaves=12,
)  # fmt: skip


@given(JSON)
def test_any_json_is_read_or_rejected(record: Any) -> None:
    """Whatever JSON a record holds, the rest of the file is read."""
    assert isinstance(read_record(record, "file#0"), LabelledSolution | RejectedRecord)


def test_files_are_numbered_and_named(tmp_path: Path) -> None:
    """Plain and packed; a broken line is one rejection, and the lines after it are read."""
    plain, packed = tmp_path / "one.jsonl", tmp_path / "two.jsonl.gz"
    plain.write_text(json.dumps(RECORD) + "\n{broken\n" + json.dumps(RECORD) + "\n")
    packed.write_bytes(gzip.compress(json.dumps(RECORD).encode()))
    found = list(read_labelled([plain, packed]))
    assert [(solution.name, type(solution)) for solution in found] == [
        ("one#0", LabelledSolution),
        ("one#1", RejectedRecord),
        ("one#2", LabelledSolution),
        ("two#0", LabelledSolution),
    ]


def test_equal_stems_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    """Files of one name in two folders, such as the datasets of two runs, are told apart."""
    paths = [tmp_path / run / "mutation" / "computational.jsonl" for run in ("a", "b")]
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_text("{}\n")
    first, second = label_files(paths).values()
    assert (first != second, first.endswith("-a-mutation-computational")) == (True, True)


def test_a_missing_or_repeated_file_is_misuse(tmp_path: Path) -> None:
    """The message names the file."""
    path = tmp_path / "one.jsonl"
    with pytest.raises(HarnessError, match="no such file"):
        list(read_labelled([path]))
    path.write_text("{}\n")
    with pytest.raises(HarnessError, match="the path is repeated"):
        list(read_labelled([path, path]))


def test_published_records_are_all_read(shared_data: Path) -> None:
    """None of the 500 step-wise and 1,501 human-written records is rejected."""
    found = list(
        read_labelled([shared_data / "errors" / f"{name}.jsonl" for name in ("human_written", "verify_then_generate")])
    )
    assert (len(found), sum(isinstance(solution, RejectedRecord) for solution in found)) == (2001, 0)
