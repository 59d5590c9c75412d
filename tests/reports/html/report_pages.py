"""The pages of a run, with what the laws that all of them keep need to know of each."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reports.html.certified_page import FLAWS_PAGE, VARIANTS_PAGE
from reports.html.formalization_page import write_report
from reports.html.labels_page import write_labels
from reports.html.traces_page import write_traces
from reports.html.verifier_page import write_verifier
from tests.reports.hostile import HOSTILE_PROBLEMS, hostile_records, hostile_run
from tests.reports.judged import judged_run
from tests.reports.stage_records import STAGE_RECORDS, seal_stage, some_records


def stage_records(stage: str, text: str = "") -> dict[str, list[dict[str, Any]]]:
    """Return the records of a few problems of a stage; `text` is at the end of every text of them."""
    if text:
        return hostile_records(stage, text)
    return some_records(STAGE_RECORDS[stage](), HOSTILE_PROBLEMS[stage])


def sealed_stage(run: Path, stage: str, text: str = "") -> Path:
    """Seal a stage of a few problems."""
    if stage == "verifier":
        return judged_run(run, label=text, count=6)
    return hostile_run(run, stage, text) if text else seal_stage(run, stage, stage_records(stage))


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A page: its file, the noun of its items, what writes it, its stage, and an artefact of the stage."""

    file: str
    noun: str
    write: Callable[[Path], Path]
    stage: str
    artefact: str

    def seal(self, run: Path, text: str = "") -> Path:
        """Seal the stage of the page with a few problems; `text` is at the end of every text of it."""
        return sealed_stage(run, self.stage, text)

    def text(self, run: Path) -> str:
        """Write the page and return its HTML."""
        return self.write(run).read_text(encoding="utf-8")


PAGES = (
    ReportPage("index.html", "problem", write_report, "formalization", "verdicts.jsonl"),
    ReportPage("traces.html", "trace", write_traces, "template", "traces.jsonl"),
    ReportPage("flaws.html", "flaw", FLAWS_PAGE.write, "mutation", "conceptual.jsonl"),
    ReportPage("variants.html", "variant", VARIANTS_PAGE.write, "variant", "variants.jsonl"),
    ReportPage("verifier.html", "item", write_verifier, "verifier", "predictions-hybrid.jsonl"),
)
LABELS = ReportPage("labels.html", "label", write_labels, "label", "flagged.jsonl")
"""The page of audited labels, whose stage has no problems of its own."""
