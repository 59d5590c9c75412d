"""Tests of the printouts of a flawed solution and of a variant: what was changed, what follows, and what is proved."""

from functools import partial
from pathlib import Path
from typing import Any

from harness.json_form import read_record
from harness.records.mutation import FlawRecord
from harness.records.provenance import ConfidenceThresholds
from harness.records.variant import VariantRecord
from reports.terminal.flaw import print_flaw
from reports.terminal.variant import print_variant
from reports.views.flaws import proof_of
from reports.views.record_titles import VARIANT_CLASSES
from reports.views.variants import class_of, text_pieces
from tests.cases import cases
from tests.reports.stage_records import Stage
from tests.reports.terminal.printing import printed, words


def printed_flaw(run: Path, flaw: dict[str, Any], *, width: int = 120) -> str:
    """Return what is printed of a flawed solution."""
    return printed(lambda console: print_flaw(run, flaw["flaw_id"], console), width=width)


def test_flaw_is_printed_in_full(mutation_run: Path, flawed: Stage) -> None:
    """Solution and flawed solution, label, mutation, plausibility, values and proof are all there."""
    flaw = next(flaw for flaw in flawed["computational"] if flaw["mutation"]["to"] == "55")
    wanted = {
        "L1 - Amara plants 6*9 = <<6*9=54>>54 tomato seedlings.",
        "L1 + Amara plants 6*9 = <<6*9=55>>55 tomato seedlings. ◀ wrong",
        "L2 She plants 4*7 = <<4*7=28>>28 pepper seedlings.",
        "FA + #### 72",
        "label Flawed, computational error, L1",
        "correction Amara plants 6*9 = <<6*9=54>>54 tomato seedlings.",
        "mutation off by n at L1, tomato_seedlings: 54 → 55",
        "made by off by n from birch; tier 1, early",
        "needs edit no",
        "L3 all_seedlings 82 83",
        "Proved: exactly one equation is false, and all that follows is consistent with it",
        "On L1 the solution says tomato_seedlings = 55, but tomato_rows * tomatoes_per_row gives 54.",
        "With the numbers of the question the answer is 72, where 71 is right.",
    }
    assert wanted - set(words(printed_flaw(mutation_run, flaw))) == set()


def test_plausibility_and_edits_have_their_reasons(mutation_run: Path, flawed: Stage) -> None:
    """What speaks for and against a flawed solution, and why a person should read it, is printed."""
    flaw = next(flaw for flaw in flawed["conceptual"] if flaw["needs_edit"])
    text = " ".join(printed_flaw(mutation_run, flaw, width=2000).split())
    assert f"plausibility {flaw['plausibility']['score']:.2f} {'; '.join(flaw['plausibility']['reasons'])}" in text
    assert f"needs edit {'; '.join(flaw['edits'])}" in text


def test_every_proof_says_what_differs(flawed: Stage) -> None:
    """Of every flawed solution the one change is said with its line or as a missing step, and both answers."""
    for flaw in (*flawed["computational"], *flawed["conceptual"]):
        place, _, answers = proof_of(read_record(FlawRecord, flaw))
        assert place.startswith(("On L", "In the final answer", "The step "))
        assert flaw["flawed_solution"].rpartition("#### ")[2] in answers


@cases("label", range(3))
def test_variant_is_printed_in_full(variant_run: Path, varied: Stage, label: int) -> None:
    """Both texts, the label, the reasoning, and the constraints that conflict or the solutions are all there."""
    variant = next(
        record
        for record in varied["variants"]
        if record["class_label"] == label and record["twin_of"] is None and record["edits"]
    )
    shown = printed(lambda console: print_variant(variant_run, variant["variant_id"], console), width=2000)
    wanted = [variant["question"], variant["modified_problem_text"], variant["reasoning_trace"]]
    wanted += [f"label {label}, {VARIANT_CLASSES[label]}", "oracle-factory recheck"]
    wanted += ["conflicting constraints"] if variant["core"] else ["quantity"]
    wanted += [value for model in variant["models"] for value in model.values()]
    assert [text for text in wanted if " ".join(text.split()) not in " ".join(shown.split())] == []


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


SUPPORT = {
    "mini-001": "rests on a clique of 5, confidence 1.22, probability 0.999 that it is right: the oracle",
    "mini-002": "rests on a clique of 2, confidence 0.50, probability 0.875 that it is right: a member; the oracle is ash",
    "mini-016": "rests on UT-1 alone: the run had no formalization stage",
    "mini-030": "rests on not recorded",
}


@cases("problem_id", SUPPORT)
def test_records_say_what_they_rest_on(
    mutation_run: Path, variant_run: Path, flawed: Stage, varied: Stage, problem_id: str
) -> None:
    """The oracle, the size of its clique and its confidence; that there was no formalization stage; that nothing is recorded."""
    flaw = next(record["flaw_id"] for record in flawed["conceptual"] if record["problem_id"] == problem_id)
    variant = next(record["variant_id"] for record in varied["variants"] if record["problem_id"] == problem_id)
    assert SUPPORT[problem_id] in words(printed(lambda console: print_flaw(mutation_run, flaw, console), width=2000))
    assert SUPPORT[problem_id] in words(
        printed(lambda console: print_variant(variant_run, variant, console), width=2000)
    )


@cases(
    ("confidence", "clique", "listed"),
    [
        (0.0, 1, {"mini-001", "mini-002", "mini-016", "mini-030"}),
        (0.5, 1, {"mini-001", "mini-002"}),
        (0.501, 1, {"mini-001"}),
        (0.0, 2, {"mini-001", "mini-002"}),
        (0.0, 3, {"mini-001"}),
        (1.3, 3, set()),
    ],
)
def test_lists_hold_what_reaches_the_thresholds(
    mutation_run: Path, flawed: Stage, confidence: float, clique: int, listed: set[str]
) -> None:
    """Records without an oracle reach none; how many are left out is said."""
    thresholds = ConfidenceThresholds(confidence, clique)
    for problem_id in SUPPORT:
        shown = printed(partial(print_flaw, mutation_run, problem_id, thresholds=thresholds), width=2000)
        count = sum(record["problem_id"] == problem_id for record in (*flawed["computational"], *flawed["conceptual"]))
        assert shown.count(f" {problem_id}:") == (count if problem_id in listed else 0)
        assert (f"{count:,} more rest on less" in shown) is (problem_id not in listed)
        assert shown.rstrip().endswith("--flaw ID")
