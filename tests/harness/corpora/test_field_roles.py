"""The parts of a record are found by the names of published data sets, or named by the user; what is not one part is not read."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from harness.corpora.field_roles import ROLES, FieldNames, Role, TakenFields, read_fields
from harness.corpora.labelled_solutions import LabelledSolution, read_record
from harness.corpora.problems import load_corpus
from oracle_factory import audit
from oracle_factory.command import main
from tests.cases import cases

QUESTION = "A shop has 9 shelves with 6 cups each and sells 14. How many are left?"
SOLUTION = "There are 9*6=<<9*6=56>>56 cups.\n56-14=<<56-14=42>>42\n#### 42"
STEPS = ["There are 9*6=56 cups.", "56-14=42", "So 42"]


def _nested(name: str, value: object) -> dict[str, Any]:
    """Return a record with a field, which `a.b` puts into an object."""
    outer, mark, inner = name.partition(".")
    return {outer: {inner: value}} if mark else {name: value}


@pytest.mark.parametrize("case", [str, str.upper, str.lower])
def test_any_names_of_the_parts_give_the_same_parts(case: Any) -> None:
    """Whatever the names of the question, the solution and the answer, and their case, the same is read."""
    names = (ROLES[role].split() for role in (Role.QUESTION, Role.SOLUTION, Role.ANSWER))
    for question, solution, answer in product(*names):
        record, ending = _nested(case(question), QUESTION) | {case(solution): SOLUTION}, _nested(case(answer), 40)
        (outer,) = ending
        if isinstance(record.get(outer), str):
            continue  # one field is no text and an object at once
        record[outer] = {**record[outer], **ending[outer]} if outer in record else ending[outer]
        fields = read_fields(record)
        assert (fields.question, fields.solution, fields.answer, dict(fields.unread)) == (QUESTION, SOLUTION, "40", {})


@cases("role", [Role.QUESTION, Role.SOLUTION, Role.ANSWER])
def test_two_fields_of_one_part_are_not_read(role: Role) -> None:
    """Two fields that differ are named with the option that decides; the option does, and two that are the same are one."""
    first, second = ROLES[role].split()[:2]
    record = {first: "one text", second: "another text"}
    fields = read_fields(record)
    assert fields.unread[role] == f"two fields may hold the {role}: {first!r} and {second!r}"
    assert fields.missing(role).endswith(f"name its field by --{role}-field")
    for name, text in record.items():
        assert getattr(read_fields(record, FieldNames(**{role: name})), role) == text
    assert getattr(read_fields({first: "one  text", second: "one text "}), role) == "one  text"
    assert read_fields(record, FieldNames(**{role: "x"})).unread[role].startswith("no field 'x'")


@cases(
    ("record", "question", "solution"),
    [
        ({"Body": "Ann has 9 pens.", "Question": "How many?"}, "Ann has 9 pens. How many?", ""),
        ({"instruction": "Solve.", "input": "9*6?", "output": "54"}, "Solve.\n9*6?", "54"),
        ({"instruction": "9*6?", "input": "", "output": "54"}, "9*6?", "54"),
        ({"input": "9*6?", "target": "54"}, "9*6?", ""),
        ({"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]}, "q", ""),
        ({"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "r"}]}, "q", "r"),
        (
            {"prompt": [{"role": "user", "content": "q"}], "completion": [{"role": "assistant", "content": "r"}]},
            "q",
            "r",
        ),
        ({"prompt": "q", "completions": STEPS}, "q", ""),
        ({"prompt": "q", "completions": STEPS, "labels": [True] * 3}, "q", "\n".join(STEPS)),
        ({"question": "q", "answer": SOLUTION}, "q", SOLUTION),
        ({"question": "q", "answer": "54"}, "q", ""),
        ({"question": "q", "solution": ["r"]}, "q", "r"),
        ({"question": "q", "solution": "r", "steps": 3}, "q", "r"),
        ({"question": "q", "model_output_steps": "\n".join(STEPS)}, "q", "\n".join(STEPS)),
    ],
)
def test_parts_of_several_fields_are_whole(record: dict[str, Any], question: str, solution: str) -> None:
    """A question in two fields is joined, a conversation is parted, and samples are no steps."""
    fields = read_fields(record)
    assert (fields.question, fields.solution, dict(fields.unread)) == (question, solution, {})


@cases(
    ("record", "said"),
    [
        ({"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "r"}] * 2}, "found 4 turns"),
        ({"messages": [{"role": "user", "content": [{"type": "image"}]}]}, "found 1 turns"),
        ({"question": ["one", "two"]}, "expected text as question in 'question', found a list"),
        ({"context": {"title": "t"}, "question": "q"}, "expected text in 'context', found an object"),
        ({"input": "9*6? Step 1: 54 \u043a\u0438", "label": "9*6? Step 1: 54 +"}, "Math-Shepherd"),
        ({"text": "9*6?"}, "no question in the fields 'text'"),
    ],
)
def test_what_is_no_question_is_named(record: dict[str, Any], said: str) -> None:
    """A conversation of several turns, an image, a list and an unknown field are refused with what was found."""
    assert said in read_fields(record).missing(Role.QUESTION)


@cases(
    ("answer", "options", "gold"),
    [
        ("B", ["A)40", "B)42"], "42"),
        ("b", ["40", "42"], "42"),
        (1, ["40", "42"], "42"),
        ("C", {"text": ["40", "42", "54"], "label": ["A", "B", "C"]}, "54"),
        (1, ["1", "2"], None),
        ("42", ["40", "42"], "42"),
        ("#### 42\nThe answer is: 42", [], "42"),
        ("#### 42\nThe answer is: 43", [], "42\nThe answer is: 43"),
    ],
)
def test_an_answer_may_name_an_option(answer: object, options: object, gold: str | None) -> None:
    """A letter or a place stands for the text of its option; a number that may be either is not read."""
    assert read_fields({"question": "q", "answer": answer, "choices": options}).gold == gold


def test_what_the_steps_end_in_is_no_right_answer() -> None:
    """Also where no step is called wrong, and the field that says so is empty."""
    record = {"input": "q", "steps": STEPS, "target": "43", "answer": "42", "mistake_index": None}
    assert (read_fields(record).answer, read_fields(record).solution) == ("43", "\n".join([*STEPS, "#### 42"]))


LABELLED = {
    "L1": [
        {"prompt": QUESTION, "completions": STEPS, "labels": [False, True, True]},
        {"prompt": QUESTION, "completions": str(STEPS), "labels": "[0, 1, 1]"},
        {"input": QUESTION, "steps": STEPS, "target": "40", "answer": "42", "mistake_index": 0},
        {"problem": QUESTION, "steps": str(STEPS), "label": "0"},
        {
            "question": {"problem": QUESTION, "ground_truth_answer": "40"},
            "label": {
                "steps": [
                    {"completions": [{"text": STEPS[0], "rating": -1}], "chosen_completion": None},
                    {
                        "completions": [{"text": STEPS[1], "rating": 0}, {"text": "x", "rating": 1}],
                        "chosen_completion": 0,
                    },
                ]
            },
        },
    ],
    "": [
        {"prompt": QUESTION, "completions": STEPS, "labels": [True, True, True]},
        {"input": QUESTION, "steps": STEPS, "target": "42", "answer": "42", "mistake_index": None},
        {"problem": QUESTION, "steps": STEPS, "label": -1},
    ],
}


@pytest.mark.parametrize(
    ("line", "record"), [(line, record) for line, records in LABELLED.items() for record in records]
)
def test_labelled_steps_have_their_first_wrong_line(line: str, record: dict[str, Any]) -> None:
    """In each layout the first wrong step is read; steps called right whose arithmetic is false are a finding."""
    labelled = read_record(record, "r")
    assert isinstance(labelled, LabelledSolution), labelled
    assert (labelled.question, labelled.worked.lines[0], labelled.stated.line) == (QUESTION, STEPS[0], line)
    kinds = [str(finding.kind) for finding in audit([record]).findings]
    assert kinds == ([] if line else ["false-equation"])


@cases("labels", [[True], [True] * 4, [1, 0]])
def test_labels_of_another_number_are_a_finding(labels: list[Any]) -> None:
    """The steps are audited, and the labels are named."""
    kinds = [str(finding.kind) for finding in audit([{"prompt": "q", "completions": STEPS, "labels": labels}]).findings]
    assert kinds == ["false-equation", "wrong-label"]


@cases(
    "record",
    [
        {"problem": "q", "steps": STEPS, "label": None},
        {"problem": "q", "steps": STEPS, "label": 3},
        {"problem": "q", "steps": "['9*6=54' '54-14=40']", "label": 0},
        {"prompt": "q", "completions": STEPS, "labels": [1, -1, 0]},
        {"problem": "q", "steps": STEPS, "label": 0, "first_error_step": 2},
        {"problem": "q", "steps": STEPS, "label": 0, "labels": [True, False, True]},
        {"prompt": "q", "steps": STEPS[:2], "completions": STEPS, "labels": [True, False]},
        {
            "question": {"problem": "q"},
            "label": {"steps": [{"completions": [{"text": "a", "rating": 1}, {"text": "b", "rating": -1}]}]},
        },
    ],
)
def test_labels_that_are_not_read_are_unread(record: dict[str, Any]) -> None:
    """A label that is missing, out of range or of another form, and a list without commas, are counted as unread."""
    assert audit([record]).unread


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "from", "value", "text", "label", "steps", "completions", "rating"]),
            inner,
        )
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([name for names in ROLES.values() for name in names.split()]), JSON, max_size=5))
def test_any_json_has_parts_or_reasons(record: dict[str, Any]) -> None:
    """Whatever stands in the fields, nothing is raised, and a part that is unread has no text."""
    fields = read_fields(record)
    assert not any(getattr(fields, role, "") for role in fields.unread)
    read_record(record, "r")


FILES = {
    "custom.csv": "frage,loesung\n9*6?,9*6=56\n",
    "bom.csv": "\ufeffQuestion,Solution\n9*6?,9*6=56\n",
    "table.tsv": "problem\tresponse\n9*6?\t9*6=56\n",
    "no-suffix": "question,solution\n9*6?,9*6=56\n",
    "array.json": json.dumps([{"query": "9*6?", "response": "9*6=56"}]),
    "columns.json": json.dumps({"prompt": ["9*6?"], "completion": ["9*6=56"]}),
    "pandas.json": json.dumps({"question": {"0": "9*6?"}, "solution": {"0": "9*6=56"}}),
    "one.jsonl": json.dumps(
        {"messages": [{"role": "user", "content": "9*6?"}, {"role": "assistant", "content": "9*6=56"}]}
    ),
}


@pytest.mark.parametrize(
    ("name", "encoding"),
    [*((name, "utf-8") for name in FILES), *((name, "utf-16") for name in ("custom.csv", "array.json", "one.jsonl"))],
)
def test_every_command_reads_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, encoding: str
) -> None:
    """A file of any layout gives the same finding in `audit` and `verify`, the same problem to `validate` and `judge`, and the fields are named."""
    path, out = tmp_path / name, tmp_path / "out.jsonl"
    path.write_text(FILES[name], encoding=encoding)
    own = ["--question-field", "frage"] if name == "custom.csv" else []
    solution = ["--solution-field", "loesung"] if own else []
    assert main(["audit", str(path), *own, *solution, "--check"]) == 1
    assert main(["verify", str(path), "-o", str(out), "--engine", "symbolic", *own, *solution]) == 0
    assert json.loads(out.read_text())["error_details"]["erroneous_line_number"] == "L1"
    assert main(["validate", str(path), "-o", str(out), *own]) == 0
    said = capsys.readouterr().err
    assert said.count("fields: question from ") == 3
    (problem,) = load_corpus(str(path), FieldNames(*own[1:], *solution[1:]))
    assert (problem.question, problem.solution) == ("9*6?", "9*6=56")


def test_the_fields_that_were_taken_are_counted() -> None:
    """The commonest forms of record stand first, with their numbers."""
    taken = TakenFields()
    assert str(taken) == ""
    for record in ({"Body": "a", "Question": "b"}, {"Body": "a", "Question": "b"}, {"problem": "c"}):
        taken.add(read_fields(record).taken)
    assert str(taken) == "fields: question from Body and Question (2 records); question from problem (1 record)"
