"""Tests of the printouts of a run and of its items: what a reader asks for is on the screen."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from harness.errors import HarnessError
from harness.json_form import read_record
from harness.records.provenance import ConfidenceThresholds
from harness.records.variant import VariantRecord
from reports.terminal.certified_record import FLAW_PRINTER, VARIANT_PRINTER
from reports.terminal.problem import print_problem, print_trace
from reports.terminal.stages import print_stage
from reports.views.certified_records import class_of, text_pieces
from reports.views.phrases import VARIANT_CLASSES
from tests.cases import cases
from tests.reports.stage_records import STAGE_RECORDS, mutation_records, seal_stage, variant_records
from tests.reports.terminal.printing import printed, words

both = cases("printer", [FLAW_PRINTER, VARIANT_PRINTER])


def summary(run: Path, stage: str = "formalization", *, width: int = 200) -> list[str]:
    """Return the lines of a summary, spaces collapsed, bars left out."""
    lines = words(printed(lambda console: print_stage(run, stage, console, verbose=True), width=width))
    return [line.rstrip("█ ") for line in lines]


def test_summary_of_formalizations(run: Path) -> None:
    """Steps, methods, cliques, confidence, models, findings, doubts and the next command are on the screen."""
    wanted = {
        *("problems 2", "responses 5", "readable programs 4 80.0%", "UT-1 confirmed 3 75.0%", "pairs 3"),
        *("UT-2 fully aligned 2 66.7%", "UT-2 partly aligned 1 33.3%", "UT-3 confirmed 1 33.3%"),
        *("of these mostly frozen 1", "UT-3 refuted 1 33.3%", "problems with an oracle 1 50.0%"),
        *("normal-form 1 · ·", "hypothesis · · 1", "none · 1 ·", "2 programs 1", "no clique 1", "0.8 to 0.9 1"),
        *("contested 1", "no oracle 1", "ada 1 – 50.0% 2 50.0% 100.0%"),
        "UT-3 p-1 1~3 with b = 1, ada gives 7, cyd 5",
        "p-2 – 0.00 none of 1 readable programs passed UT-1",
        "p-1 0.873 0.80 clique of 2 of 3 readable; cyd dissents: not equivalent",
        f"look at one: oracle-factory report {run} --problem ID",
    }
    assert wanted - set(summary(run)) == set()


def squeezed(text: str) -> str:
    """Return a text without spaces, and without the bars of names."""
    return "".join(text.replace("_", "").split())


ITEMS: dict[str, tuple[Callable[[Path, str, Console], None], str, set[str]]] = {
    "formalization": (print_problem, "problem_id", {"problems", "programs", "verdicts", "consensus"}),
    "template": (print_trace, "problem_id", {"problems"}),
    "mutation": (FLAW_PRINTER.print, "flaw_id", {"computational", "conceptual"}),
    "variant": (VARIANT_PRINTER.print, "variant_id", {"variants"}),
}
"""What prints an item of each stage, the name of its id, and the files whose texts are printed with it."""
LEFT_OUT = {
    *("certificate", "system", "provenance", "digest", "core", "index", "source", "inputs", "claim", "alias"),
    *("p_right_basis", "question_inputs", "function_code", "logical_steps", "flawed_trace"),
}
"""The parts of records that a printout says in other words, or that a page alone shows."""


def texts_of(record: Any) -> list[str]:
    """Return the texts of a record that are printed, line by line."""
    if isinstance(record, dict):
        return [text for name, value in record.items() if name not in LEFT_OUT for text in texts_of(value)]
    if isinstance(record, list):
        return [text for value in record for text in texts_of(value)]
    return record.split("\n") if isinstance(record, str) else []


@cases("stage", ITEMS)
def test_item_is_printed_whole(tmp_path: Path, stage: str) -> None:
    """Each text of a record is on the screen."""
    print_item, name, files = ITEMS[stage]
    records = STAGE_RECORDS[stage]()
    run = seal_stage(tmp_path, stage, records)
    own = [record for file in sorted(files) for record in records[file]]
    for item in sorted({record[name] for record in own})[::9]:
        shown = squeezed(printed(partial(print_item, run, item), width=8_000))
        texts = [text for record in own if record[name] == item for text in texts_of(record)]
        assert [text for text in texts if squeezed(text) not in shown] == []


def test_sides_of_a_variant_differ_where_the_edits_are() -> None:
    """The pieces make up both texts; what is marked is what the edits removed and added. Classes have their labels' names."""
    for record in variant_records()["variants"]:
        variant = read_record(VariantRecord, record)
        before, after = text_pieces(variant)
        assert "".join(piece.text for piece in before) == record["question"]
        assert "".join(piece.text for piece in after) == record["modified_problem_text"]
        added = [edit["after"] for edit in record["edits"] if edit["after"]]
        assert [piece.text for piece in after if piece.changed] == added
        assert class_of(variant) == VARIANT_CLASSES[record["class_label"]]


@both
def test_ids_name_records(tmp_path: Path, printer: Any) -> None:
    """The beginning of an id is enough while one record begins so; a problem lists its records, or says that it has none."""
    kind, records = printer.kind, STAGE_RECORDS[printer.kind.stage]()
    run = seal_stage(tmp_path / "run", kind.stage, records)
    of_stage = [record for name in kind.artefacts for record in records[name.removesuffix(".jsonl")]]
    ids = [record[f"{kind.noun}_id"] for record in of_stage]
    assert printed(partial(printer.print, run, ids[0][:-4])) == printed(partial(printer.print, run, ids[0]))
    text = printed(partial(printer.print, run, "mini-002"))
    assert records["problems"][1]["question"] in " ".join(text.split())
    assert [name for name in ids if name.startswith("mini-002:") and name not in text] == []
    none = seal_stage(tmp_path / "none", kind.stage, {"problems": records["problems"]})
    assert f"no {kind.title} was made of it" in printed(partial(printer.print, none, "mini-001"))
    name, record = kind.artefacts[0].removesuffix(".jsonl"), {**of_stage[0], "operator": None}
    odd = seal_stage(tmp_path / "odd", kind.stage, {**records, name: [record]})
    with pytest.raises(HarnessError, match=rf"{name}\.jsonl:1: operator: .*run the stage again in a new folder"):
        printed(partial(printer.print, odd, record[f"{kind.noun}_id"]))


SUPPORT = {
    "mini-001": "rests on a clique of 5, confidence 1.22, p_right 0.999: the oracle",
    "mini-002": "rests on a clique of 2, confidence 0.50, p_right 0.875: a member; the oracle is ash",
    "mini-016": "rests on UT-1 alone: the run had no formalization stage",
    "mini-030": "rests on not recorded",
}
THRESHOLDS = [(0.0, 1, 4), (0.5, 1, 2), (0.501, 1, 1), (0.0, 3, 1), (1.3, 3, 0)]
"""Confidence, clique, and how many of the problems of `SUPPORT` reach them, in their order."""


@cases(("confidence", "clique", "reached"), THRESHOLDS)
def test_records_say_what_they_rest_on_and_lists_hold_what_reaches_the_thresholds(
    mutation_run: Path, confidence: float, clique: int, reached: int
) -> None:
    """The oracle, its clique and its confidence, or that nothing is recorded; how many are left out is said."""
    thresholds = ConfidenceThresholds(confidence, clique)
    every = [
        (flaw["problem_id"], flaw["flaw_id"])
        for flaw in (*mutation_records()["computational"], *mutation_records()["conceptual"])
    ]
    for place, (problem_id, support) in enumerate(SUPPORT.items()):
        ids = [flaw_id for name, flaw_id in every if name == problem_id]
        assert support in words(printed(partial(FLAW_PRINTER.print, mutation_run, ids[0]), width=2000))
        shown = printed(partial(FLAW_PRINTER.print, mutation_run, problem_id, thresholds=thresholds), width=2000)
        assert shown.count(f" {problem_id}:") == (len(ids) if place < reached else 0)
        assert (f"{len(ids):,} more rest on less" in shown) is (place >= reached)
