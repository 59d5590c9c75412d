"""Tests of the terminal reports of flawed solutions and of variants: what was made of which problem, and why there is no more."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from generators.flaws.flawed_solution import FlawDiscardReason
from generators.variants.variant_proposal import VariantDiscard
from harness.domain import Evidence
from harness.json_form import json_form
from harness.text.characters import spaced
from properties.stages.certified_flaws import _SAME_ANSWER
from reports.terminal.certified_stage import print_mutations, print_variants
from reports.terminal.flaw import print_flaw
from reports.terminal.variant import print_variant
from reports.views.artefacts import TamperedError
from reports.views.certified_stage import CertifiedStage
from reports.views.flaws import FLAWS, PositionMatrix
from reports.views.record_titles import VARIANT_CLASSES
from reports.views.variants import VARIANTS
from tests.cases import cases
from tests.reports.stage_records import STAGE_RECORDS, Stage, seal_stage
from tests.reports.terminal.printing import printed, words

SUMMARIES: dict[str, Callable[[Path, Console], None]] = {"flaw": print_mutations, "variant": print_variants}
PRINTERS: dict[str, Callable[[Path, str, Console], None]] = {"flaw": print_flaw, "variant": print_variant}
both = cases("kind", [FLAWS, VARIANTS])


def records_of(kind: CertifiedStage[Any]) -> list[dict[str, Any]]:
    """Return the records of a stage, in the order of its artefacts."""
    stage = STAGE_RECORDS[kind.stage]()
    return [record for name in kind.artefacts for record in stage[name.removesuffix(".jsonl")]]


def is_marked(record: dict[str, Any]) -> bool:
    """Tell whether a record needs an edit, or is a near-twin."""
    return record["needs_edit"] if "needs_edit" in record else record["twin_of"] is not None


def summary(kind: CertifiedStage[Any], run: Path, *, width: int = 80) -> str:
    """Return the summary of a stage, which is sealed if the run lacks it."""
    if not run.exists():
        seal_stage(run, kind.stage, STAGE_RECORDS[kind.stage]())
    return printed(lambda console: SUMMARIES[kind.noun](run, console), width=width)


def shown(kind: CertifiedStage[Any], run: Path, name: str, *, width: int = 120) -> str:
    """Return what is printed of a record or a problem."""
    if not run.exists():
        seal_stage(run, kind.stage, STAGE_RECORDS[kind.stage]())
    return printed(lambda console: PRINTERS[kind.noun](run, name, console), width=width)


@both
def test_every_operator_has_its_counts(tmp_path: Path, kind: CertifiedStage[Any]) -> None:
    """Each operator stands with how many records it made, and how many of them are marked."""
    counts = Counter(record["operator"] for record in records_of(kind))
    marked = Counter(record["operator"] for record in records_of(kind) if is_marked(record))
    rows = words(summary(kind, tmp_path / "run"))
    for operator, count in counts.items():
        apart = marked[operator] if kind.marked_apart else 0
        row = f"{spaced(operator)} {f'{count - apart:,}' if count - apart else '·'} {marked[operator] or '·'}"
        assert any(line == row or line.startswith(f"{row} ") for line in rows), row


@both
def test_heading_counts_all_records(tmp_path: Path, kind: CertifiedStage[Any]) -> None:
    """All records and the marked ones among them; variants by class."""
    text = " ".join(summary(kind, tmp_path / "run").split())
    records = records_of(kind)
    assert f"{len(records):,} {kind.title}s of 4 of 4 problems, each with a certificate" in text
    assert f"{sum(map(is_marked, records)):,} {kind.marked_phrase}" in text
    counts = Counter(VARIANT_CLASSES[record["class_label"]] for record in records if "class_label" in record)
    assert all(f"{count:,} {name}" in text for name, count in counts.items())


@both
def test_discards_are_said_in_words(tmp_path: Path, kind: CertifiedStage[Any]) -> None:
    """Each reason stands with its count and what it means."""
    text = " ".join(summary(kind, tmp_path / "run", width=200).split())
    for why, count in Counter(change["why"] for change in STAGE_RECORDS[kind.stage]()["discarded"]).items():
        assert f"{count:,} {kind.reasons[why].brief} {kind.reasons[why].sentence}" in text


@cases(
    ("kind", "reasons"),
    [
        (FLAWS, {reason.name.lower() for reason in FlawDiscardReason} | set(_SAME_ANSWER.values())),
        (VARIANTS, {reason.name.lower() for reason in VariantDiscard}),
    ],
)
def test_every_reason_has_words(kind: CertifiedStage[Any], reasons: set[str]) -> None:
    """Whatever a stage may write as a reason, a stranger can read it; another name is shown as it is."""
    assert reasons <= set(kind.reasons)
    assert len({reason.brief for reason in kind.reasons.values()}) == len(kind.reasons)
    assert kind.reason("too_new").brief == "too new"


@both
def test_refused_certificates_stand_out(tmp_path: Path, kind: CertifiedStage[Any]) -> None:
    """What was given no certificate is counted in the heading and beside its operator."""
    records = STAGE_RECORDS[kind.stage]()
    findings = [json_form(Evidence(place, "no certificate", "7", "two errors")) for place in ("L1", "L2")]
    refused = {**records["verdicts"][0], "status": "REFUTED", "findings": findings}
    run = seal_stage(tmp_path, kind.stage, {**records, "verdicts": [refused, *records["verdicts"][1:]]})
    text = summary(kind, run)
    assert "2 were refused a certificate" in " ".join(text.split())
    assert "2 refused a certificate" in text


@both
def test_sources_are_counted_and_commands_end_the_summary(tmp_path: Path, kind: CertifiedStage[Any]) -> None:
    """The formalizations, the reasons why a problem gave none, and how to look further."""
    run = tmp_path / "run"
    lines = words(summary(kind, run))
    assert {"4 birch", "1 no template"} <= set(lines)
    assert "1 none" not in lines
    assert lines[-1] == f"in a browser: oracle-factory report {run} --{kind.noun}s"


def test_rows_of_flawed_solutions_add_up(tmp_path: Path, flawed: Stage) -> None:
    """The line of a type adds up its operators; the strata hold every flaw once, early, in the middle or late."""
    matrix = PositionMatrix()
    rows = words(summary(FLAWS, tmp_path / "run"))
    figures = FLAWS.figures(tmp_path / "run", matrix.add)
    assert f"computational error {len(flawed['computational'])} ·" in rows
    assert sum(sum(row.counts) for row in matrix.rows()) == figures.records
    slips = [flaw for flaw in flawed["computational"] if flaw["tier"] == 1]
    counts = [sum(flaw["position"] == position for flaw in slips) for position in ("early", "middle", "late")]
    assert " ".join(["computational error 1", *map(str, counts), str(len(slips))]) in rows


@both
def test_beginning_of_an_id_is_enough(tmp_path: Path, kind: CertifiedStage[Any]) -> None:
    """An id may be cut short while one record only begins so; if several begin so, each has a line."""
    ids = [record[f"{kind.noun}_id"] for record in records_of(kind)]
    run = tmp_path / "run"
    assert shown(kind, run, ids[0][:-4]) == shown(kind, run, ids[0])
    beginning = ids[0][: ids[0].rindex(":") + 1]
    several = [name for name in ids if name.startswith(beginning)]
    if len(several) > 1:
        assert len(shown(kind, run, beginning).splitlines()) == len(several)


@both
def test_problem_lists_its_records(tmp_path: Path, kind: CertifiedStage[Any]) -> None:
    """A problem's id gives the question and a line for each of its records; a problem without any says so."""
    records = STAGE_RECORDS[kind.stage]()
    text = shown(kind, tmp_path / "run", "mini-002")
    ids = [record[f"{kind.noun}_id"] for record in records_of(kind) if record["problem_id"] == "mini-002"]
    assert records["problems"][1]["question"] in " ".join(text.split())
    assert [name for name in ids if name not in text] == []
    none = seal_stage(tmp_path / "none", kind.stage, {"problems": records["problems"]})
    assert f"no {kind.title} was made of it" in shown(kind, none, "mini-001")


@both
def test_record_of_another_form_is_refused(tmp_path: Path, kind: CertifiedStage[Any]) -> None:
    """A sealed line that is no record of its class is an error with its place."""
    name = kind.artefacts[0].removesuffix(".jsonl")
    record = {**records_of(kind)[0], "operator": None}
    run = seal_stage(tmp_path / "run", kind.stage, {**STAGE_RECORDS[kind.stage](), name: [record]})
    with pytest.raises(TamperedError, match=rf"{name}\.jsonl:1: operator: .*run the stage again in a new folder"):
        shown(kind, run, record[f"{kind.noun}_id"])


RULES: dict[str, tuple[Any, str]] = {
    "no stage": (
        {"formalized": False, "min_confidence": 0.0, "min_clique": 1},
        "The run had no formalization stage: sources are what UT-1 alone confirms",
    ),
    "any clique": (
        {"formalized": True, "min_confidence": 0.0, "min_clique": 1},
        "Sources are members of the clique of each problem, its oracle first.",
    ),
    "thresholds": (
        {"formalized": True, "min_confidence": 0.75, "min_clique": 3},
        "a problem needed at least 3 formalizations that agree and a confidence of at least 0.75.",
    ),
}


@both
def test_summary_says_how_sources_were_chosen(tmp_path: Path, kind: CertifiedStage[Any]) -> None:
    """By the manifest; one of an earlier version, or one that is damaged, says nothing."""
    for name, (rule, sentence) in RULES.items():
        run = seal_stage(tmp_path / name, kind.stage, STAGE_RECORDS[kind.stage](), rule=rule)
        shown = " ".join(summary(kind, run).split())
        assert sentence in shown
        assert "3 the oracle of its clique" in shown
    for number, rule in enumerate((None, {"formalized": "yes"}, ["x"], {**RULES["thresholds"][0], "min_clique": "3"})):
        run = seal_stage(tmp_path / str(number), kind.stage, STAGE_RECORDS[kind.stage](), rule=rule)
        assert "formalization stage" not in summary(kind, run)
