"""Laws of the tables of all views: their figures are those of the sealed records, whatever the records are."""

import copy
import random
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from generators.flaws.flawed_solution import FlawDiscardReason
from generators.variants.variant_operator import VariantDiscard
from harness.domain import Evidence, Problem, Status, Verdict
from harness.json_form import json_form
from harness.records.funnel import FunnelRecord, FunnelUnit, ProblemYield
from harness.text.characters import spaced
from properties.stages.mutation import _SAME_ANSWER
from reports.terminal.stages import SUMMARIES, formalization_summary
from reports.views.artefacts import open_stage
from reports.views.certified_records import FLAWS, VARIANTS, CertifiedStage
from reports.views.formalization_counts import ProblemRecords, RunCounts
from reports.views.scoreboard import Scoreboard
from reports.views.tables import Section, Table, plain
from tests.cases import cases
from tests.reports.judged import judged_run
from tests.reports.stage_records import (
    STAGE_RECORDS,
    copied_records,
    formalization_records,
    label_records,
    program_record,
    seal_stage,
    verdict_record,
)

both = cases("kind", [FLAWS, VARIANTS])


def table(sections: list[Section], title: str) -> Table:
    """Return the first table of the section whose title begins so."""
    (section,) = [section for section in sections if section.title.startswith(title)]
    return next(block for block in section.blocks if isinstance(block, Table))


def rows(sections: list[Section], title: str) -> list[list[Any]]:
    """Return the values of a table, row by row."""
    return [[plain(value).value for value in row] for row in table(sections, title).rows]


def records_of(kind: CertifiedStage[Any], stage: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return the records of a stage, in the order of its artefacts."""
    return [record for name in kind.artefacts for record in stage[name.removesuffix(".jsonl")]]


def is_marked(record: dict[str, Any]) -> bool:
    """Tell whether a record needs an edit, or is a near-twin."""
    return bool(record["needs_edit"]) if "needs_edit" in record else record["twin_of"] is not None


@both
def test_operators_count_every_record_and_every_attempt(tmp_path: Path, kind: CertifiedStage[Any]) -> None:
    """Each operator has its records, its marked ones and its attempts; groups add up; refused certificates stand out."""
    stage = copy.deepcopy(STAGE_RECORDS[kind.stage]())
    findings = [json_form(Evidence(place, "no certificate", "7", "two errors")) for place in ("L1", "L2")]
    stage["verdicts"][0] |= {"status": "REFUTED", "findings": findings}
    refused = stage["verdicts"][0]["left"]
    sections = SUMMARIES[kind.stage](seal_stage(tmp_path, kind.stage, stage))
    records = records_of(kind, stage)
    made = Counter(record["operator"] for record in records)
    marked = Counter(record["operator"] for record in records if is_marked(record))
    tried = made + Counter(change["operator"] for change in stage["discarded"]) + Counter({refused: 2})
    shown = {row[0].replace(" ", "_"): row for row in rows(sections, "Operators by")}
    for name, count in tried.items():
        assert [shown[name][place] for place in (2, 3, 5)] == [made[name], marked[name], count]
    assert "2 refused a certificate" in shown[refused][7]
    heads = " ".join(block.text for section in sections for block in section.blocks if not isinstance(block, Table))
    assert f"{len(records):,} {kind.title}s of " in heads
    assert f"{sum(marked.values()):,} {kind.marked_phrase}; 2 were refused a certificate" in heads
    discarded = Counter(change["why"] for change in stage["discarded"])
    assert {row[1]: int(row[0].replace(",", "")) for row in rows(sections, f"Why {kind.change}s")} == {
        spaced(why): count for why, count in discarded.items()
    }
    assert rows(sections, kind.origin) == [["4", "birch"]]
    assert rows(sections, "Problems left out") == [["1", "no template"]]


@cases(
    ("kind", "reasons"),
    [
        (FLAWS, {reason.name.lower() for reason in FlawDiscardReason} | set(_SAME_ANSWER.values())),
        (VARIANTS, {reason.name.lower() for reason in VariantDiscard}),
    ],
)
def test_every_reason_has_words(kind: CertifiedStage[Any], reasons: set[str]) -> None:
    """Whatever a stage may write as a reason, a stranger can read what it means."""
    assert reasons <= set(kind.reasons)
    assert len(set(kind.reasons.values())) == len(kind.reasons)


@cases("copies", [1, 3])
def test_flaws_by_type_tier_and_position_are_all_flaws(tmp_path: Path, copies: int) -> None:
    """The cells of both tables add up to the records by type, by tier and in all."""
    stage = copied_records(STAGE_RECORDS["mutation"](), copies, "flaw")
    flaws = [*stage["computational"], *stage["conceptual"]]
    for place, flaw in enumerate(flaws):
        flaw["tier"] = [1, 2, None, "odd <b>"][place % 4]
    sections = SUMMARIES["mutation"](seal_stage(tmp_path / "run", "mutation", stage))
    *by_type, last = rows(sections, "Flawed solutions by type of error and tier")
    counts = Counter(spaced(flaw["label"]["error_details"]["error_type"]) for flaw in flaws)
    assert {row[0]: row[-1] for row in by_type} == counts
    assert all(sum(row[1:-1]) == row[-1] for row in [*by_type, last])
    tiers = Counter(str(flaw["tier"]) for flaw in flaws)
    assert last[1:] == [tiers["1"], tiers["2"], tiers["odd <b>"], tiers["None"], len(flaws)]
    positions = rows(sections, "Tier and position of the wrong line")
    assert sum(row[-1] for row in positions) == len(flaws)
    assert [sum(row[place] for row in positions) for place in (1, 2, 3)] == [
        sum(flaw["position"] == position for flaw in flaws) for position in ("early", "middle", "late")
    ]


@cases("seed", range(4))
def test_agreement_is_that_of_the_verdicts(tmp_path: Path, seed: int) -> None:
    """Each cell says how many verdicts of two models were decided and confirmed; so do the rows of the models and the methods."""
    chance = random.Random(seed)
    models, problems = [f"model-{letter}" for letter in "abcdefg"[: 3 + seed]], [f"p-{place}" for place in range(6)]
    verdicts = [
        verdict_record("ut3", problem, left, right, chance.choice(["CONFIRMED", "REFUTED", "UNKNOWN"]))
        for problem in problems
        for left, right in combinations(models, 2)
        if chance.random() < 0.5
    ]
    questions = [{"problem_id": name, "question": "?", "solution": "", "gold": "1"} for name in problems]
    programs = [program_record(name, model, "1") for name in problems for model in models]
    stage = {"problems": questions, "programs": programs, "verdicts": verdicts}
    sections = formalization_summary(seal_stage(tmp_path / "run", "formalization", stage))
    decided, confirmed = Counter[frozenset[str]](), Counter[frozenset[str]]()
    for verdict in verdicts:
        pair = frozenset((verdict["left"], verdict["right"]))
        decided[pair] += verdict["status"] != "UNKNOWN"
        confirmed[pair] += verdict["status"] == "CONFIRMED"
    grid = table(sections, "Agreement of each two models")
    order = [str(plain(row[0]).value) for row in grid.rows]
    assert sorted(order) == models
    for left, row in zip(order, grid.rows, strict=True):
        for right, value in zip(order, row[2:], strict=True):
            pair = frozenset((left, right))
            told = f"{confirmed[pair] / (decided[pair] or 1):.1%} of {decided[pair]:,} decided pairs confirmed"
            assert (told in plain(value).tip) is bool(left != right and decided[pair])
    assert sum(row[4] for row in rows(sections, "Models")) == 2 * decided.total()
    assert [sum(row[place] for row in rows(sections, "UT-3 by method")) for place in (1, 2, 3)] == [
        sum(verdict["status"] == status for verdict in verdicts) for status in ("CONFIRMED", "UNKNOWN", "REFUTED")
    ]


def test_problems_to_look_at_first(tmp_path: Path) -> None:
    """A doubtful gold answer, then an answer that may need rounding, then the least sure oracle, then those without one; no sure one."""
    records = copy.deepcopy(formalization_records())
    problem, agreed = records["problems"][0], records["consensus"][0]
    names = ["surer", "unsure", "rounding", "gold", "none", "sure"]
    records["problems"] = [{**problem, "problem_id": name} for name in names]
    finding = {
        "kind": "may need rounding",
        "asked": "pack",
        "inputs": {"cans": "31"},
        "value": "31/6",
        "dissenters": [],
    }
    doubt = {"value": "7", "p_right": 0.99, "models": ["ada"], "gold_models": [], "witnesses": 1.0}
    changes: list[dict[str, Any]] = [
        {"p_right": 0.87}, {"p_right": 0.8}, {"p_right": 0.99, "findings": [finding]}, {"gold_doubt": doubt},
        {"oracle": None, "p_right": None, "p_right_basis": None}, {"p_right": 0.97}
    ]  # fmt: skip
    records["consensus"] = [
        {**agreed, "problem_id": name, **change} for name, change in zip(names, changes, strict=True)
    ]
    records |= {"programs": [], "verdicts": []}
    sections = formalization_summary(seal_stage(tmp_path, "formalization", records))
    assert [row[0] for row in rows(sections, "Look at first")] == ["gold", "rounding", "unsure", "surer", "none"]


KINDS = {
    "answer": Verdict("ut1", "p", "a", None, Status.REFUTED, "exact"),
    "pair": Verdict("ut3", "p", "a", "b", Status.REFUTED, "evaluation"),
    "unknown": Verdict("ut1", "p", "a", None, Status.REFUTED, "input", reason="unknown-problem: the corpus has none"),
    "confirmed": Verdict("ut1", "p", "a", None, Status.CONFIRMED, "exact"),
}


@given(st.lists(st.sampled_from(sorted(KINDS)), max_size=8))
def test_each_refuted_claim_is_counted_once(kinds: list[str]) -> None:
    """The sentence counts the refuted claims, and says why answers cannot be judged."""
    run, counts = RunCounts(), {kind: kinds.count(kind) for kind in KINDS}
    run.add(ProblemRecords(Problem("p", "How many?", "", "7"), [], [KINDS[kind] for kind in kinds], None))
    sentence = run.sentence
    assert f" {len(kinds) - counts['confirmed']} of {len(kinds)} claim" in sentence
    assert run.unusable.total() == counts["unknown"]
    assert ("cannot be judged: unknown problem." in sentence) == bool(counts["unknown"])


@pytest.mark.parametrize("reasons", [3, 30])
def test_funnel_shows_every_count(tmp_path: Path, reasons: int) -> None:
    """Each step has its count, its share and what was left out, the rarest reasons added up; problems stand by what was made of them."""
    lost = {f"why_{number}": number + 1 for number in range(reasons)}
    step = FunnelRecord(step="in a clique", unit=FunnelUnit.PROBLEMS, of=1_000, count=1_000 - sum(lost.values()), made="flaws", parts={"slips": 7}, lost=lost)  # fmt: skip
    problems = [
        ProblemYield(problem_id=f"p-{place}", formalizations=3, confirmed=2, clique_size=2, confidence=1.0, flaws=place, clean=0, variants=0, left={})
        for place in range(3)
    ]  # fmt: skip
    stage = {"steps": [json_form(step)], "problems": list(map(json_form, problems))}
    sections = SUMMARIES["funnel"](seal_stage(tmp_path / "run", "funnel", stage))
    head, *rest = rows(sections, "run: from problems to datasets")
    assert head == ["problems in a clique", f"{step.count:,}", f"{step.count / 1000:.1%} of 1,000", step.count / 1000]
    left = [int(row[1].replace(",", "").replace("−", "")) for row in rest if "−" in row[1]]
    assert (sum(left), len(left)) == (sum(lost.values()), min(reasons, 12))
    assert rest[-2:] == [["  flaws", "7"], ["    slips", "7"]]
    assert [row[:2] for row in rows(sections, "Problems by what")] == [["with flaws, without variants", 2], ["without flaws, without variants", 1]]  # fmt: skip


def test_labels_are_counted_with_an_example_each(tmp_path: Path) -> None:
    """Files and causes have their counts, the most frequent first; a remark on a confirmed label says that the label stands."""
    records = label_records()
    records["flagged"][0] |= {"status": "CONFIRMED"}
    sections = SUMMARIES["label"](seal_stage(tmp_path, "label", records))
    assert rows(sections, "Labels by file") == [["six", 9, 2, 0, 7]]
    causes = rows(sections, "Findings by cause")
    assert [row[:3] for row in causes] == [[2, "no-such-line", "six"], [1, "stale-number", "six"]]
    assert [row[3] for row in causes] == [
        "p-1 L1: L9; expected 7",
        "(a remark, the label stands) p-1 L1: 5; expected 7",
    ]


def test_engines_have_their_figures(tmp_path: Path) -> None:
    """Each dataset and all together: metrics with intervals, McNemar's test, confusion, calibration and types."""
    board = Scoreboard.of(open_stage(judged_run(tmp_path), "verifier"))
    assert list(map(board.title, board.rows))[-1].startswith("All datasets together (60 solutions")
    sections = board.dataset_sections("one")
    engines = {row[0]: row for row in rows(sections, "Metrics")}
    assert (engines["hybrid"][1], engines["hybrid"][-2]) == ("1.000", "1.9e-06")
    tests = {str(plain(row[0]).value): plain(row[-2]).note for row in table(sections, "Metrics").rows}
    assert tests["hybrid"] == "+20 −0"
    assert [row[1:] for row in rows(sections, "hybrid: true class")] == [[10, 0, 0], [0, 10, 0], [0, 0, 10]]
    assert [row[0] for row in rows(sections, "majority: share")] == ["0.50"]
    assert [row[1] for row in rows(sections, "By type of error")]
