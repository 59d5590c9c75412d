"""Tests of the evaluation layouts: published formats become samples, and errors of odd records name their line."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.errors import HarnessError
from oracle_factory.command import main
from sft.evaluation.benchmark_files import LAYOUTS, UnreadableRecord, adapt, line_of_step
from sft.samples.items import Sample
from sft.samples.solution_text import read_item
from tests.cases import cases
from tests.sft.judged_files import FLAWED, LINES, QUESTION, RECORDS, SOLUTION, WRONG, write


@cases("shape", sorted(RECORDS))
def test_shape_is_found_by_its_fields(tmp_path: Path, shape: str) -> None:
    """The flawed solution, its verdict and, where the shape tells it, its line come out the same, named or found."""
    path = write(tmp_path / "x.jsonl", RECORDS[shape])
    samples = adapt(path)
    assert samples == adapt(path, shape)
    flawed = [sample for sample in samples if sample.truth.flawed]
    assert [sample.truth.line for sample in flawed] == ["" if shape in {"is-correct", "examination"} else "L2"]
    item = read_item(flawed[0].question, flawed[0].solution)
    assert (item.question, item.annotated) == (QUESTION, tuple(WRONG))
    assert item.answer == (None if shape == "mr-gsm8k" else "27")
    assert all(sample.solution == SOLUTION for sample in samples if not sample.truth.flawed)


@pytest.mark.parametrize("shape", sorted(RECORDS))
@given(data=st.data())
@settings(max_examples=20)
def test_no_odd_field_passes_or_breaks(shape: str, data: st.DataObject) -> None:
    """With a field missing or of any other kind, a record is read or refused with a reason; nothing else happens."""
    record = dict(RECORDS[shape])
    key = data.draw(st.sampled_from(sorted(record)))
    odd = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=30)
        | st.lists(st.text(max_size=5), max_size=3)
        | st.just({"x": 1})
        | st.just("9" * 20_001)
    )
    record[key] = data.draw(odd)
    if data.draw(st.booleans()):
        del record[key]
    try:
        samples = LAYOUTS[shape].read(record, "n")
    except UnreadableRecord:
        return
    for sample in samples:
        places = read_item(sample.question, sample.solution).places()
        assert not sample.truth.line or sample.truth.line in places


@cases(
    ("shape", "change", "said"),
    [
        ("processbench", {"label": 4}, "expected a step from 0 to 3 in 'label', found 4"),
        ("processbench", {"steps": "one"}, "expected a list of texts in 'steps', found 'one'"),
        ("mr-gsm8k", {"model_output_solution_correctness": "maybe"}, "expected 'correct' or 'wrong'"),
        ("mr-gsm8k", {"model_output_solution_first_error_step": "0"}, "expected a step from 1 to 3"),
        ("human", {"error_type": "typo"}, "unknown-error-type"),
        ("is-correct", {"is_correct": "yes"}, "expected true or false in 'is_correct', found 'yes'"),
        ("examination", {"error_type": "odd"}, "expected one of"),
        ("sample", {"error_class": "odd"}, "no sample"),
    ],
)
def test_odd_record_is_told_with_its_line(tmp_path: Path, shape: str, change: dict[str, Any], said: str) -> None:
    """The message names file, line, shape, field, what was expected and what was found."""
    second = {**RECORDS[shape], **change}
    path = write(tmp_path / "x.jsonl", RECORDS[shape], second)
    with pytest.raises(HarnessError) as error:
        adapt(path, shape)
    assert str(error.value).startswith(f"{path}:2 ({shape}): ")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no JSON"),
        ("[]", "expected an object, found list"),
        ('{"a": 1}', "no known shape has the fields a"),
        ("", "holds no record"),
    ],
)
def test_what_is_no_record_is_told(tmp_path: Path, text: str, said: str) -> None:
    """A file that is no record gives one message and no traceback."""
    with pytest.raises(HarnessError, match=said):
        adapt(write(tmp_path / "x.jsonl", text))


def test_right_solutions_have_no_error(tmp_path: Path) -> None:
    """`-1`, `N/A` and a missing step mean that all is right."""
    right = [
        {**RECORDS["processbench"], "steps": LINES, "label": -1, "id": "b"},
        {
            **RECORDS["mr-gsm8k"],
            "model_output_solution_correctness": "correct",
            "model_output_solution_first_error_step": "N/A",
        },
        {**RECORDS["verify-then-generate"], "first_error_step": None},
    ]
    for number, record in enumerate(right):
        assert [sample.truth.flawed for sample in adapt(write(tmp_path / f"{number}.jsonl", record))] == [False]


def test_lists_and_tables_are_read_like_lines(tmp_path: Path) -> None:
    """The same records as a JSON list, and MR-GSM8K as the CSV it is published in."""
    record = RECORDS["mr-gsm8k"]
    (tmp_path / "x.json").write_text(json.dumps([record]), encoding="utf-8")
    with (tmp_path / "x.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, sorted(record))
        table.writeheader()
        table.writerow(record)
    lines = adapt(write(tmp_path / "x.jsonl", record))
    assert adapt(tmp_path / "x.json") == lines == adapt(tmp_path / "x.csv")


@given(st.lists(st.sampled_from(["a line", "#### 5", "2+2 = 4"]), min_size=1, max_size=6), st.data())
@settings(max_examples=40)
def test_line_of_a_step_names_that_step(steps: list[str], data: st.DataObject) -> None:
    """A step is the line that labels count so, and the final answer where it is that."""
    place = data.draw(st.integers(0, len(steps) - 1))
    line = line_of_step(steps, place)
    if steps[place].startswith("####"):
        assert line == "FA"
    else:
        assert [step for step in steps if not step.startswith("####")][int(line[1:]) - 1] == steps[place]


def test_command_writes_samples_that_it_reads_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--adapt SHAPE FILE -o OUT` gives samples, which are a shape too."""
    path = write(tmp_path / "x.jsonl", RECORDS["human"])
    out = tmp_path / "items.jsonl"
    assert main(["evaluate", "--adapt", "human", str(path), "-o", str(out)]) == 0
    read = adapt(out)
    assert (read, [sample.truth.flawed for sample in read]) == (adapt(path), [False, True])
    assert [sample.reference for sample in read] == ["", SOLUTION]
    assert read[1].solution == FLAWED
    assert main(["evaluate", "--adapt", "unheard", str(path)]) == 2
    assert "'unheard' is not known" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "flawed", "correct"),
    [
        ("errors/human_written.jsonl", 1501, 1501),
        ("errors/verify_then_generate.jsonl", 500, 0),
        ("model_solutions/dev.jsonl", 728, 472),
    ],
)
def test_real_files_are_read_whole(shared_data: Path, file: str, flawed: int, correct: int) -> None:
    """Every record of the development files is read, and every line that a label names is there."""
    samples = adapt(shared_data / file)
    assert [sum(sample.truth.flawed is wanted for sample in samples) for wanted in (True, False)] == [flawed, correct]
    assert all(isinstance(sample, Sample) for sample in samples)
