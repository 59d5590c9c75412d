"""The page `verifier.html`: figures of all engines, and their judgements item by item."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from pathlib import Path
from typing import Any

from harness.corpora.labelled_solutions import split_solution
from harness.stages import VERIFIER
from reports.html.page import Page, Row, dump_compact, numbered_lines, run_facts, write_page
from reports.views.artefacts import open_stage
from reports.views.scoreboard import Scoreboard

SAMPLED = 20
MOST_EVIDENCE = 5
LONGEST_EVIDENCE = 300
Judged = Mapping[str, Any]
"""A judged item or the answer of an engine to it; answers may come from other tools."""
Key = tuple[str, str]


def write_verifier(run: Path) -> Path:
    """Write `run/report/verifier.html`, one self-contained page, and return its path.

    The page holds all figures, and `SAMPLED` items of each dataset with the answers of all engines; items are drawn by
    the hashes of their names. Errors as of `open_stage`.
    """
    stage = open_stage(run, VERIFIER)
    board = Scoreboard.of(stage)
    samples: dict[str, list[Judged]] = {}
    judged: Iterable[Judged] = stage.forms("items.jsonl")
    for item in judged:
        drawn = [*samples.get(item["dataset"], []), item]
        samples[item["dataset"]] = nsmallest(SAMPLED, drawn, key=lambda own: _hash(own["sample_id"]))
    items = [item for sample in samples.values() for item in sample]
    answers: dict[Key, list[Judged | None]] = {_key(item): [None] * len(board.engines) for item in items}
    for place, engine in enumerate(board.engines):
        predictions: Iterable[Judged] = stage.forms(f"predictions-{engine}.jsonl")
        for answer in predictions:
            if _key(answer) in answers:
                answers[_key(answer)][place] = answer
    page = Page(
        name="verifier.html",
        template="verifier.html",
        search="Search id or text",
        index={
            **run_facts(stage),
            "options": {},
            "engines": board.engines,
            "datasets": list({item["dataset"]: None for item in items}),
            "sampled": SAMPLED,
            "items": [_item_row(item, answers[_key(item)]) for item in items],
        },
        items=(_details(item, answers[_key(item)]) for item in items),
        styles=("verifier.css",),
        scripts=("verifier.js",),
        values={"datasets": [(board.title(name), board.dataset_sections(name)) for name in board.rows]},
    )
    return write_page(run, page)


def _hash(name: str) -> bytes:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()


def _key(record: Judged) -> Key:
    return record["dataset"], record["sample_id"]


def _item_row(item: Judged, answers: Sequence[Judged | None]) -> Row:
    """Return an item as the list has it: of each engine 1 for Flawed, 0 for Correct, -1 for neither."""
    said = [{"Flawed": 1, "Correct": 0}.get(str(answer and answer.get("verdict")), -1) for answer in answers]
    error = item["error_type"] or item["error_class"] or ""
    names = (f"{item['dataset']}/{item['sample_id']}", item["dataset"], item["problem_id"], item["question"])
    return [*names, int(item["flawed"]), error, item["line"], said]


def _details(item: Judged, answers: list[Judged | None]) -> str:
    worked = split_solution(item["solution"])
    lines = numbered_lines(worked.lines, worked.answer, worked.before)
    return dump_compact([lines, item["explanation"], [_answer_cells(answer) for answer in answers]])


def _answer_cells(answer: Judged | None) -> list[Any] | None:
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
