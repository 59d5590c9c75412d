"""Test helpers that seal runs of small problems without the stages that make real ones."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from harness.json_form import json_form
from harness.records.provenance import SourceProvenance
from harness.solution.labels import ErrorType
from harness.store.run_folder import RunFolder
from tests.cases import texts
from tests.flaw_record import flaw_label, flaw_record
from tests.json_lines import read_lines

Record = dict[str, Any]
WORDS = texts("""red | blue | river | stone | baker | tram | ladder | garden | violin | letter | window | orange | basket
candle | harbour | engine | meadow | ticket | pillow | copper | lantern | blanket | hammer | puzzle | kettle | mirror
saddle | anchor | ribbon | cabinet | feather | tunnel | whistle | barrel""")
MADE = (
    (ErrorType.COMPUTATIONAL, "off_by_n", "L1"),
    (ErrorType.COMPUTATIONAL, "digit_transposition", "L2"),
    (ErrorType.OPERATOR_SWAP, "operator_swap", "L1"),
    (ErrorType.INPUT_MISREPRESENTATION, "input_misrepresentation", "L2"),
    (ErrorType.FINAL_ANSWER_SELECTION, "wrong_final_answer", "FA"),
    (ErrorType.SKIPPED_STEP, "dropped_term", "L2"),
)


def rows_of(folder: Path, pattern: str) -> list[Record]:
    """Return the rows of the JSON lines in a folder whose names fit a pattern."""
    return [row for path in sorted(folder.glob(pattern)) for row in read_lines(path)]


def question_of(name: str) -> str:
    """Return the question of a problem, the same for the same name."""
    random = Random(name)
    first, second = " ".join(random.choices(WORDS, k=11)), " ".join(random.choices(WORDS, k=10))
    return f"{first} 12 {second} 3?"


def solution_of(first: str = "12*3", second: str = "36", third: str = "40", answer: str = "40", more: str = "4") -> str:
    """Return a solution of two lines with these numbers."""
    return f"She has {first} = <<{first}={second}>>{second} of them.\nWith {more} more she has <<{second}+{more}={third}>>{third}.\n#### {answer}"


def _flawed(operator: str, number: int) -> str:
    """Return a solution with one error of an operator, a computational one false, the others true."""
    wrong = 50 + number
    match operator:
        case "off_by_n":
            return solution_of(second=f"{wrong}", third=f"{wrong + 4}", answer=f"{wrong + 4}")
        case "digit_transposition":
            return solution_of(third=f"{wrong}", answer=f"{wrong}")
        case "operator_swap":
            return solution_of(f"{12 + number}+3", f"{15 + number}", f"{19 + number}", f"{19 + number}")
        case "wrong_final_answer":
            return solution_of(answer=("36", "12", "4")[number])
        case "dropped_term":
            return solution_of(third=f"{36 + number}", answer=f"{36 + number}", more=f"{number}")
    return solution_of(third=f"{41 + number}", answer=f"{41 + number}", more=f"{5 + number}")


def flaws_of(name: str, tier: int) -> Iterator[Record]:
    """Yield flaw records of a problem, three of each kind in `MADE`."""
    for error_type, operator, line in MADE:
        for number in range(3):
            texts = question_of(name), solution_of(), _flawed(operator, number)
            label = flaw_label(error_type, line, f"It is wrong by {number}.", "So it is.")
            own = {"flaw_id": f"{name}:{operator}:{number}", "tier": tier, "position": "early"}
            yield flaw_record(name, operator, texts, label, **own)


def variants_of(name: str, tier: int) -> Iterator[Record]:
    """Yield variant records of a problem, with near-twins."""
    made = (
        ("original", 1, ""),
        ("renumbered", 1, ""),
        ("restated_input", 0, ""),
        ("restated_input", 1, "a"),
        ("vague_quantity", 2, ""),
    )
    for number, (operator, label, twin) in enumerate(made):
        text = question_of(name).replace("12", str(12 + 0 if operator == "original" else 12 + number))
        yield {
            "variant_id": f"{name}:{operator}:{number}",
            "problem_id": name,
            "model": "m",
            "tier": tier,
            "operator": operator,
            "class_label": label,
            "twin_of": f"{name}:restated_input:2" if twin else None,
            "question": question_of(name),
            "modified_problem_text": text,
            "reasoning_trace": "Because it is so.",
            "solution": solution_of(f"{12 + number}*3") if label == 1 else None,
            "gold": None,
            "edits": [],
            "system": {"facts": [], "steps": [], "bounds": [], "answer": "x"},
            "certificate": {"smtlib": "", "expect": "sat"},
            "core": [],
            "models": [],
        }


def _resting(record: Record, provenance: Mapping[str, SourceProvenance | None]) -> Record:
    own = provenance.get(record["problem_id"])
    return record if own is None else {**record, "provenance": json_form(own)}


def sealed_run(
    folder: Path,
    names: Sequence[str],
    *,
    stages: Sequence[str] = ("mutation", "variant"),
    provenance: Mapping[str, SourceProvenance | None] | None = None,
) -> Path:
    """Seal stages of a run in a folder, and return it; `provenance` is what the records of a problem rest on."""
    run = RunFolder(folder)
    tiers = {name: place % 3 + 1 for place, name in enumerate(names)}
    flaws = [flaw for name in names for flaw in flaws_of(name, tiers[name])]
    slips = [flaw for flaw in flaws if flaw["operator"] in {"off_by_n", "digit_transposition"}]
    others = [flaw for flaw in flaws if flaw not in slips]
    files: dict[str, dict[str, list[Record]]] = {
        "mutation": {"computational.jsonl": slips, "conceptual.jsonl": others},
        "review": {"accepted.jsonl": others},
        "variant": {"variants.jsonl": [variant for name in names for variant in variants_of(name, tiers[name])]},
    }
    for stage in stages:
        run.stage(stage).seal(
            {
                name: [_resting(record, provenance or {}) for record in records]
                for name, records in files[stage].items()
            },
            {"seed": 0},
        )
    return folder
