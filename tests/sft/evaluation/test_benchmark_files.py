"""Tests of the evaluation's samples: each layout gives them, and errors of odd records name their line."""

from pathlib import Path
from typing import Any

import pytest

from harness.corpora.labelled_solutions import LAYOUTS
from harness.errors import HarnessError
from oracle_factory.command import main
from sft.evaluation.dataset_items import adapt
from sft.samples.solution_text import read_item
from tests.cases import cases
from tests.json_lines import write_lines
from tests.sft.judged_files import FLAWED, QUESTION, RECORDS, SOLUTION, WRONG


@cases("shape", sorted(LAYOUTS))
def test_samples_have_the_texts_and_the_label(tmp_path: Path, shape: str) -> None:
    """Named or found, a layout gives the flawed solution with its line, and the correct one where the record has it."""
    path = write_lines(tmp_path / "x.jsonl", [RECORDS[shape]])
    samples = adapt(path)
    assert samples == adapt(path, shape)
    flawed = [sample for sample in samples if sample.truth.flawed]
    assert [sample.truth.line for sample in flawed] == ["" if shape in {"is-correct", "examination"} else "L2"]
    item = read_item(flawed[0].question, flawed[0].solution)
    assert (item.question, item.annotated) == (QUESTION, tuple(WRONG))
    assert [sample.solution for sample in samples if not sample.truth.flawed] == [SOLUTION] * (len(samples) - 1)


@cases(
    ("shape", "change", "said"),
    [
        ("processbench", {"label": 4}, "expected a step from 0 to 3 in 'label', found 4"),
        ("processbench", {"problem": ""}, "expected text"),
        ("sample", {"error_class": "odd"}, "in 'error_class', found 'odd'"),
        ("sample", {"line": "L9"}, "expected one of L1, L2, L3, FA"),
    ],
)
def test_odd_record_is_told_with_its_line(tmp_path: Path, shape: str, change: dict[str, Any], said: str) -> None:
    """The message names file, line, layout, field, what was expected and what was found."""
    path = write_lines(tmp_path / "x.jsonl", [RECORDS[shape], {**RECORDS[shape], **change}])
    with pytest.raises(HarnessError) as error:
        adapt(path, shape)
    assert str(error.value).startswith(f"{path}:2 ({shape}): ")
    assert said in str(error.value)


def test_command_writes_samples_that_it_reads_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--adapt SHAPE FILE -o OUT` gives samples, which are a layout too."""
    path = write_lines(tmp_path / "x.jsonl", [RECORDS["human"]])
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
    """Every record of the development files is read."""
    samples = adapt(shared_data / file)
    assert [sum(sample.truth.flawed is wanted for sample in samples) for wanted in (True, False)] == [flawed, correct]
