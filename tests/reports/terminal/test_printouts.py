"""Tests of the printouts of a run and of its items: what a reader asks for is on the screen."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from harness.json_form import read_record
from harness.records.provenance import ConfidenceThresholds
from harness.records.variant import VariantRecord
from reports.terminal.certified_record import FLAW_PRINTER, VARIANT_PRINTER
from reports.terminal.problem import print_problem
from reports.terminal.stages import print_findings, print_stage
from reports.terminal.trace import print_trace
from reports.views.artefacts import TamperedError
from reports.views.phrases import VARIANT_CLASSES
from reports.views.variants import class_of, text_pieces
from tests.cases import cases
from tests.reports.stage_records import STAGE_RECORDS, Stage, seal_stage
from tests.reports.terminal.printing import printed, words

both = cases("printer", [FLAW_PRINTER, VARIANT_PRINTER])


def summary(run: Path, stage: str = "formalization", *, width: int = 200) -> list[str]:
    """Return the lines of a summary, spaces collapsed, bars left out."""
    lines = words(printed(lambda console: print_stage(run, stage, console), width=width))
    return [line.rstrip("█ ") for line in lines]


def test_summary_of_formalizations(run: Path) -> None:
    """Steps, methods, cliques, confidence, models, findings, doubts and the next command are on the screen."""
    wanted = {
        *("problems 2", "responses 5", "readable programs 4 80.0%", "UT-1 confirmed 3 75.0%", "pairs 3"),
        *("UT-2 fully aligned 2 66.7%", "UT-2 partly aligned 1 33.3%", "UT-3 confirmed 1 33.3%"),
        *("of these mostly frozen 1", "UT-3 refuted 1 33.3%", "problems with an oracle 1 50.0%"),
        *("schwartz-zippel 1 · ·", "hypothesis · · 1", "none · 1 ·", "2 programs 1", "no clique 1", "0.8 to 0.9 1"),
        *("contested 1", "no oracle 1", "ada 1 50.0% 2 50.0% 100.0%"),
        *(
            "UT-3 p-1 1~3 with b = 1 and everything else as in the problem: left 7, right 5",
            "UT-1 p-2 1 gives 9, the gold answer is 8",
        ),
        "p-2 – 0.00 none of 1 readable programs passed UT-1",
        "p-1 0.873 0.80 clique of 2 of 3 readable; cyd dissents: not equivalent",
        f"look at one: oracle-factory report {run} --problem ID",
    }
    assert wanted - set(summary(run)) == set()


def test_findings_are_limited_and_printed_on_request(many_findings_run: Path) -> None:
    """Of twenty findings fifteen are in the summary, with the command that prints each on one uncut line."""
    lines = summary(many_findings_run)
    assert sum(line.startswith("UT-1 p-") for line in lines) == 15
    assert any("5 more: oracle-factory report" in line and "--findings" in line for line in lines)
    every = printed(lambda console: print_findings(many_findings_run, console), width=20).splitlines()
    assert (len(every), every[0]) == (20, "UT-1 p-00 model-a: gives 1, the gold answer is 2")


@cases(
    ("problem_id", "wanted"),
    [
        (
            "p-1",
            {
                *("How much?", "gold 6 tier 2", "oracle ada", "2 # L1", "dissents: not equivalent"),
                "p_right 0.873, by the known answer, which leaves the logic in doubt",
                "confidence 0.800 = 0.800, the mean score of the clique's 1 pair, times 1.00 for a clique of 2",
                "UT-3 REFUTED ada ~ cyd hypothesis, 1 checked",
                "with b = 1 and everything else as in the problem: left 7, right 5",
                "UT-3 CONFIRMED ada ~ bob schwartz-zippel, 1 checked, error at most 2^-122, 2 of 4 inputs frozen",
                *("domain: a|a integers >= 1", "a = a (3), similarity 0.93", "unaligned right: rate"),
                "a 3 int question price",
            },
        ),
        (
            "p-2",
            {
                "could not be read: syntax-error: '(' was never closed (line 1)",
                "repaired: dropped the prose before the code",
            },
        ),
    ],
)
def test_problem_is_printed_in_full(run: Path, problem_id: str, wanted: set[str]) -> None:
    """Question, clique, programs, verdicts, counterexamples and alignments; why a program could not be read."""
    assert wanted - set(words(printed(lambda console: print_problem(run, problem_id, console)))) == set()


@cases(
    ("problem_id", "wanted"),
    [
        (
            "mini-001",
            {
                *(
                    "gold 71 tier 1",
                    "CONFIRMED answer",
                    "REFUTED lines 3 of 4 lines differ",
                    "L1 differs in punctuation",
                ),
                "L1 tomato_rows 6 question input 6 rows of tomato seedlings",
                "tomato_seedlings 54 output tomato_rows * tomatoes_per_row",
                "template: Amara plants 6*9 = <<6*9=54>>54 tomato seedlings!",
                "solution: Amara plants 6*9 = <<6*9=54>>54 tomato seedlings.",
            },
        ),
        ("mini-009", {"L2 no such value: found '7', expected '17'"}),
        ("mini-048", {"REFUTED structure broken-json", "no trace was made of this template"}),
        ("mini-005", {"without a certain variable: L2 two"}),
    ],
)
def test_trace_is_printed_in_full(template_run: Path, problem_id: str, wanted: set[str]) -> None:
    """Variables with line, value and origin, lines that differ, findings, and why there is no trace."""
    lines = words(printed(lambda console: print_trace(template_run, problem_id, console)))
    assert [text for text in wanted if not any(text in line for line in lines)] == []
    assert sum(line.count(", dead") for line in lines) == (3 if problem_id == "mini-009" else 0)


def test_flaw_is_printed_in_full(mutation_run: Path, flawed: Stage) -> None:
    """Solution and flawed solution, label, mutation, plausibility, values and proof; why a person should read it."""
    flaw = next(flaw for flaw in flawed["computational"] if flaw["mutation"]["to"] == "55")
    wanted = {
        "L1 - Amara plants 6*9 = <<6*9=54>>54 tomato seedlings.",
        "L1 + Amara plants 6*9 = <<6*9=55>>55 tomato seedlings. ◀ wrong",
        "L2 She plants 4*7 = <<4*7=28>>28 pepper seedlings.",
        *("FA + #### 72", "label Flawed, computational error, L1", "L3 all_seedlings 82 83", "needs edit no"),
        "mutation off by n at L1, tomato_seedlings: 54 → 55",
        "made by off by n from birch; tier 1, early",
        "Proved: exactly one equation is false, and all that follows is consistent with it",
        "On L1 the solution says tomato_seedlings = 55, but tomato_rows * tomatoes_per_row gives 54.",
        "With the numbers of the question the answer is 72, where 71 is right.",
    }
    assert wanted - set(words(printed(partial(FLAW_PRINTER.print, mutation_run, flaw["flaw_id"])))) == set()
    flaw = next(flaw for flaw in flawed["conceptual"] if flaw["needs_edit"])
    text = " ".join(printed(partial(FLAW_PRINTER.print, mutation_run, flaw["flaw_id"]), width=2000).split())
    assert f"plausibility {flaw['plausibility']['score']:.2f} {'; '.join(flaw['plausibility']['reasons'])}" in text
    assert f"needs edit {'; '.join(flaw['edits'])}" in text


@cases("label", range(3))
def test_variant_is_printed_in_full(variant_run: Path, varied: Stage, label: int) -> None:
    """Both texts, the label, the reasoning, and the constraints that conflict or the solutions are all there."""
    variant = next(
        record
        for record in varied["variants"]
        if record["class_label"] == label and record["twin_of"] is None and record["edits"]
    )
    shown = " ".join(printed(partial(VARIANT_PRINTER.print, variant_run, variant["variant_id"]), width=2000).split())
    wanted = [variant["question"], variant["modified_problem_text"], variant["reasoning_trace"]]
    wanted += [f"label {label}, {VARIANT_CLASSES[label]}", "oracle-factory recheck"]
    wanted += ["conflicting constraints"] if variant["core"] else ["quantity"]
    wanted += [value for model in variant["models"] for value in model.values()]
    assert [text for text in wanted if " ".join(text.split()) not in shown] == []


def test_sides_of_a_variant_differ_where_the_edits_are(varied: Stage) -> None:
    """The pieces make up both texts; what is marked is what the edits removed and added. Classes have their labels' names."""
    for record in varied["variants"]:
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
    with pytest.raises(TamperedError, match=rf"{name}\.jsonl:1: operator: .*run the stage again in a new folder"):
        printed(partial(printer.print, odd, record[f"{kind.noun}_id"]))


SUPPORT = {
    "mini-001": "rests on a clique of 5, confidence 1.22, probability 0.999 that it is right: the oracle",
    "mini-002": "rests on a clique of 2, confidence 0.50, probability 0.875 that it is right: a member; the oracle is ash",
    "mini-016": "rests on UT-1 alone: the run had no formalization stage",
    "mini-030": "rests on not recorded",
}


@cases(
    ("confidence", "clique", "listed"),
    [(0.0, 1, set(SUPPORT)), (0.5, 1, {"mini-001", "mini-002"}), (0.501, 1, {"mini-001"}), (0.0, 3, {"mini-001"}), (1.3, 3, set())]
)  # fmt: skip
def test_records_say_what_they_rest_on_and_lists_hold_what_reaches_the_thresholds(
    mutation_run: Path, flawed: Stage, confidence: float, clique: int, listed: set[str]
) -> None:
    """The oracle, its clique and its confidence, or that nothing is recorded; how many are left out is said."""
    thresholds = ConfidenceThresholds(confidence, clique)
    for problem_id, support in SUPPORT.items():
        ids = [
            record["flaw_id"]
            for record in (*flawed["computational"], *flawed["conceptual"])
            if record["problem_id"] == problem_id
        ]
        assert support in words(printed(partial(FLAW_PRINTER.print, mutation_run, ids[0]), width=2000))
        shown = printed(partial(FLAW_PRINTER.print, mutation_run, problem_id, thresholds=thresholds), width=2000)
        assert shown.count(f" {problem_id}:") == (len(ids) if problem_id in listed else 0)
        assert (f"{len(ids):,} more rest on less" in shown) is (problem_id not in listed)
