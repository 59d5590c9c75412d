"""Data sets of solutions that an oracle judged, and their re-check: nothing of a label, a row or an oracle can be changed unseen."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oracle_factory import judge
from oracle_factory.command import main
from tests.cases import cases, lines_beside
from tests.json_lines import read_lines, write_lines

Record = dict[str, Any]
QUESTION = "A baker fills 6 trays with 12 rolls and sells 50. How many rolls are left?"
WORKED = "6*12=72\n72-50=22\n#### 22"
PROGRAM = (
    "def solve(trays: int = 6, rolls: int = 12, sold: int = 50):\n    baked = trays * rolls\n    return baked - sold"
)
SOLUTIONS = {
    "right": "There are 6*12=72 rolls.\n72-50=22 are left.\n#### 22",
    "wrong operator": "There are 6*12=72 rolls.\nThere are 72+50=122 rolls.\n#### 122",
    "false equation": "There are 6*12=62 rolls.\n62-50=12 are left.\n#### 12",
    "answer alone": "It is 22.",
}


def _written(folder: Path, **columns: str) -> Path:
    path = folder / "solutions.jsonl"
    rows = [
        {"problem_id": "rolls", "question": QUESTION, "model": name, "solution": text, **columns}
        for name, text in SOLUTIONS.items()
    ]
    write_lines(path, rows)
    return path


@pytest.fixture(scope="module")
def by_programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data sets of solutions that programs judge."""
    folder = tmp_path_factory.mktemp("programs")
    answers = [{"problem_id": "rolls", "model": model, "response": PROGRAM} for model in "abc"]
    judge([{"problem_id": "rolls", "question": QUESTION}], answers, out=folder / "run", processes=1)
    out = folder / "out"
    made = ["--solutions", str(_written(folder)), "--oracles", str(folder / "run"), "--out", str(out)]
    assert main(["datasets", *made, "--splits", "1,0,0"]) == 0
    return out


def _rows(path: Path) -> dict[str, Record]:
    return {row["operator"]: row for row in read_lines(path)}


def test_each_label_has_its_strength_certificate_and_probability(by_programs: Path) -> None:
    """A right solution is proved for all inputs, a wrong operator by the program with one change; an answer alone is right by value."""
    samples = _rows(by_programs / "samples-train.jsonl")
    strengths = {
        name: (sample["flawed"], sample["line"], sample["diagnosis"]["strength"]) for name, sample in samples.items()
    }
    assert strengths == {
        "right": (False, "", "proved"),
        "wrong operator": (True, "L2", "proved"),
        "false equation": (True, "L1", "proved"),
        "answer alone": (False, "", "by value"),
    }
    rows = _rows(by_programs / "level-max" / "train.jsonl")
    assert {row["p_right"] for row in rows.values()} == {samples["right"]["diagnosis"]["oracle"]["p_right"]}
    certificate = json.loads(rows["wrong operator"]["certificate"])
    assert certificate["program"] == "trays * rolls - sold"
    assert certificate["witness"]["left"] != certificate["witness"]["right"]
    completion = json.loads(rows["wrong operator"]["completion"])
    assert completion["error_details"]["erroneous_line_number"] == "L2"


def test_steps_end_at_the_first_wrong_one(by_programs: Path) -> None:
    """Each row of the stepwise form has a label for each step; nothing is said of the steps behind a wrong one."""
    rows = _rows(by_programs / "stepwise" / "train.jsonl")
    assert rows["right"]["completions"] == ["There are 6*12=72 rolls.", "72-50=22 are left.", "#### 22"]
    labels = {name: row["labels"] for name, row in rows.items()}
    assert labels["right"] == [True, True, True]
    assert labels["wrong operator"] == [True, False]
    assert labels["false equation"] == [False]
    assert all(len(row["labels"]) == len(row["completions"]) and row["prompt"] == QUESTION for row in rows.values())


FILES = ("samples-train.jsonl", "level-1/train.jsonl", "level-max/train.jsonl", "stepwise/train.jsonl")


@pytest.mark.parametrize("name", FILES)
def test_what_was_made_is_confirmed(name: str, by_programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each sample and each row is made again from the oracle that the sample holds."""
    assert main(["recheck", str(by_programs / name)]) == 0, capsys.readouterr().out


ATTACKS = lines_beside(__file__, "changed_rows.jsonl")
"""What is changed in the record of a solution in a file: the paths of fields with other values."""


def _attacked(folder: Path, name: str, model: str, change: Callable[[Record], None], to: Path) -> Path:
    """Write the data sets with one changed record, without the manifest, which would tell already; return the changed file."""
    for path in folder.rglob("*.jsonl"):
        target = to / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    records = read_lines(to / name)
    change(next(record for record in records if record["operator"] == model))
    write_lines(to / name, records)
    return to / name


@cases("attack", ATTACKS)
def test_a_changed_sample_or_row_is_refused(attack: Record, by_programs: Path, tmp_path: Path) -> None:
    """Whatever is changed in a sample, also where no manifest is at hand, or in a row of a level or of steps: it is made again from its sample."""

    def change(record: Record) -> None:
        for (*path, last), value in attack["changes"]:
            place: Any = record
            for key in path:
                place = place[key]
            place[last] = value

    changed = _attacked(by_programs, attack["file"], attack["record"], change, tmp_path)
    assert main(["recheck", str(changed)]) == 1, attack["what"]


def test_a_file_that_is_not_the_sealed_one_is_refused(by_programs: Path, tmp_path: Path) -> None:
    """With the manifest at hand, a row that is left out or stands twice is found, too."""
    for drop in (True, False):
        changed = _attacked(by_programs, FILES[0], "right", lambda _: None, tmp_path / str(drop))
        lines = changed.read_text(encoding="utf-8").splitlines(keepends=True)
        changed.write_text("".join(lines[1:] if drop else [*lines, lines[0]]), encoding="utf-8")
        (changed.parent / "manifest.json").write_bytes((by_programs / "manifest.json").read_bytes())
        assert main(["recheck", str(changed)]) == 1


def test_the_worked_solution_of_a_record_is_an_oracle(tmp_path: Path) -> None:
    """Without programs, the worked solution of each record judges, and stands beside wrong solutions at level 2."""
    out = tmp_path / "out"
    given = _written(tmp_path, gold_solution=WORKED)
    assert main(["datasets", "--solutions", str(given), "--out", str(out), "--splits", "1,0,0"]) == 0
    assert _rows(out / "samples-train.jsonl")["wrong operator"]["diagnosis"]["strength"] == "proved"
    assert WORKED.splitlines()[0] in _rows(out / "level-2" / "train.jsonl")["wrong operator"]["prompt"]
    assert main(["recheck", str(out / "samples-train.jsonl")]) == 0


def test_the_run_and_the_corpus_show_another_oracle(by_programs: Path, tmp_path: Path) -> None:
    """An oracle whose p_right was changed everywhere is found by its run, one with another answer by the corpus."""
    run = by_programs.parent / "run"

    def raised(record: Record) -> None:
        record["p_right"] = record["diagnosis"]["oracle"]["p_right"] = record["diagnosis"]["confidence"] = 0.999

    changed = _attacked(by_programs, FILES[0], "right", raised, tmp_path)
    assert main(["recheck", str(changed)]) == 0
    assert main(["recheck", str(changed), "--oracles", str(run)]) == 1
    assert main(["recheck", str(by_programs / FILES[0]), "--oracles", str(run)]) == 0
    for gold, status in (("22", 0), ("23", 1)):
        corpus = tmp_path / f"corpus-{gold}.jsonl"
        corpus.write_text(json.dumps({"problem_id": "rolls", "question": QUESTION, "answer": f"#### {gold}"}) + "\n")
        assert main(["recheck", str(by_programs / FILES[0]), "--corpus", str(corpus)]) == status


NO_ORACLES = [["--oracles", "nowhere"], ["--run", "nowhere", "--oracles", "nowhere"]]


@cases("options", NO_ORACLES)
def test_a_source_that_cannot_be_used_is_named(options: list[str], tmp_path: Path) -> None:
    """No run of oracles, or oracles without solutions, end with status 2 and write nothing."""
    given = [] if "--run" in options else ["--solutions", str(_written(tmp_path))]
    assert main(["datasets", *given, *options, "--out", str(tmp_path / "out")]) == 2
    assert not (tmp_path / "out").exists()
