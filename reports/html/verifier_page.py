"""The page `verifier.html`: figures of all engines, and their judgements item by item."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from harness.corpora.labelled_solutions import split_solution
from harness.records.verifier import EngineFigures
from harness.solution.labels import FINAL_ANSWER
from harness.stages import VERIFIER
from harness.text.characters import one_line
from reports.html.page import Page, write_page
from reports.html.page_data import chunks_of, dump_compact, run_facts
from reports.html.plots.engine_plots import confusion_plot, forest_plot, reliability_plot
from reports.views.artefacts import SealedStage, open_stage
from reports.views.engine_records import JudgedAnswer, JudgedItem
from reports.views.scoreboard import ALL, SHOWN, Scoreboard
from reports.views.stratified_sample import Sample

SAMPLED = 20
MOST_EVIDENCE = 5
LONGEST_EVIDENCE = 300
Key = tuple[str, str]


def write_verifier(run: Path) -> Path:
    """Write `run/report/verifier.html`, one self-contained page, and return its path.

    The page holds all figures, and `SAMPLED` items of each dataset with the answers of all engines; items are drawn by
    the hashes of their names.

    Raises:
        ReportError: the verifier stage of `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, VERIFIER)
    board = Scoreboard.of(stage)
    samples: dict[str, Sample[JudgedItem]] = {}
    for item in stage.judged_items():
        if not item["relation"]:
            samples.setdefault(item["dataset"], Sample(SAMPLED)).add((), item["sample_id"], item)
    items = [item for sample in samples.values() for item in sample.items()]
    answers = {engine: _answers(stage, engine, items) for engine in board.engines}
    page = Page(
        name="verifier.html",
        template="verifier.html",
        search="Search id or text",
        index=_index(stage, board, items, answers),
        chunks=chunks_of(
            _details(item, [answers[engine].get(_key(item)) for engine in board.engines]) for item in items
        ),
        styles=("verifier.css",),
        scripts=("verifier.js",),
        values={
            "board": board,
            "metrics": SHOWN,
            "datasets": [_dataset(board, name, number) for number, name in enumerate(board.rows)],
        },
    )
    return write_page(run, page)


@dataclass(frozen=True, slots=True)
class _Dataset:
    """The figures of a dataset: its rows, an engine each, and its plots."""

    name: str
    title: str
    size: str
    rows: list[EngineFigures]
    metric_plots: Markup
    confusion_plots: Markup
    calibration_plots: Markup


def _dataset(board: Scoreboard, name: str, number: int) -> _Dataset:
    rows = board.rows[name]
    metric_plots = [
        forest_plot(
            f"forest-{number}-{metric}",
            f"{SHOWN[metric][0].upper()}{SHOWN[metric][1:]} with 95 % interval",
            rows,
            metric,
        )
        for metric in ("verdict_accuracy", "weighted_f1", "line_accuracy")
        if any(row.metrics[metric].value is not None for row in rows)
    ]
    confusion_plots = [
        confusion_plot(f"confusion-{number}-{place}", f"{one_line(row.engine)}: true class by row", _matrix(row))
        for place, row in enumerate(rows)
    ]
    calibration_plots = [
        reliability_plot(f"reliability-{number}-{place}", f"{one_line(row.engine)}: share of right verdicts", row.bins)
        for place, row in enumerate(rows)
    ]
    return _Dataset(
        name=name,
        title="All datasets together" if name == ALL else one_line(name, limit=80),
        size=f"{rows[0].items:,} solutions of {rows[0].problems:,} problems",
        rows=rows,
        metric_plots=Markup().join(metric_plots),
        confusion_plots=Markup().join(confusion_plots),
        calibration_plots=Markup().join(calibration_plots),
    )


def _matrix(row: EngineFigures) -> Mapping[str, Mapping[str, int]]:
    """Return the confusion of classes, or of verdicts if no class is known."""
    known = sum(sum(counts.values()) for counts in row.confusion.values())
    return row.confusion if known else row.verdicts


def _key(record: JudgedItem | JudgedAnswer) -> Key:
    return record["dataset"], record["sample_id"]


def _answers(stage: SealedStage, engine: str, items: list[JudgedItem]) -> dict[Key, JudgedAnswer]:
    wanted = set(map(_key, items))
    return {_key(answer): answer for answer in stage.answers(engine) if _key(answer) in wanted}


def _index(
    stage: SealedStage, board: Scoreboard, items: list[JudgedItem], answers: dict[str, dict[Key, JudgedAnswer]]
) -> dict[str, Any]:
    return {
        **run_facts(stage),
        "options": {},
        "engines": board.engines,
        "datasets": list({item["dataset"]: None for item in items}),
        "sampled": SAMPLED,
        "items": [
            [
                f"{item['dataset']}/{item['sample_id']}",
                item["dataset"],
                item["problem_id"],
                item["question"],
                int(item["flawed"]),
                item["error_type"] or item["error_class"] or "",
                item["line"],
                [_said(answers[engine].get(_key(item))) for engine in board.engines],
            ]
            for item in items
        ],
    }


def _said(answer: JudgedAnswer | None) -> int:
    """Return 1 for Flawed, 0 for Correct, -1 for neither."""
    verdict = None if answer is None else answer.get("verdict")
    return {"Flawed": 1, "Correct": 0}.get(str(verdict), -1)


def _details(item: JudgedItem, answers: list[JudgedAnswer | None]) -> str:
    worked = split_solution(item["solution"])
    lines = [[f"L{number}", line] for number, line in enumerate(worked.lines, start=1)]
    if worked.answer is not None:
        lines.insert(worked.before, [FINAL_ANSWER, worked.answer])
    return dump_compact([lines, item["explanation"], [_answer(answer) for answer in answers]])


def _answer(answer: JudgedAnswer | None) -> list[Any] | None:
    """Return line, type, explanation, confidence and evidence as texts and numbers."""
    if answer is None:
        return None
    details, confidence = answer.get("error_details") or {}, answer.get("confidence")
    evidence = answer.get("evidence") or []
    return [
        *(str(details.get(key) or "") for key in ("erroneous_line_number", "error_type", "explanation")),
        confidence if isinstance(confidence, int | float) else None,
        [
            [str(item.get(key) or "")[:LONGEST_EVIDENCE] for key in ("line", "kind", "found", "expected")]
            for item in evidence[:MOST_EVIDENCE]
        ],
    ]
