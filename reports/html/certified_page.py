"""The pages `flaws.html` and `variants.html`: counts of all records, and the records beside their originals."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from pathlib import Path
from typing import Any, Generic

from harness.json_form import json_form
from harness.records.mutation import FlawRecord
from harness.records.variant import VariantRecord
from harness.text.characters import replace_surrogates
from reports.html.page import Page, Row, divided, dump_compact, run_facts, write_parts
from reports.views.artefacts import require_problem
from reports.views.certified_records import (
    FLAWS,
    VARIANTS,
    CertifiedFigures,
    CertifiedRecord,
    CertifiedStage,
    class_claim,
    class_of,
    core_of,
    proof_of,
    quantities_of,
    text_pieces,
)
from reports.views.phrases import POSITIONS, VARIANT_CLASSES, provenance_phrase
from reports.views.solution_diff import compare

MOST_RECORDS = 10_000
"""Records in one file: 3 MB, which a browser opens in a second."""
LONGEST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class CertifiedPage(Generic[CertifiedRecord]):
    """The page of the certified flaws or of the certified variants of a run.

    `cells` are the rest of the row of a record in the index, after
    what both pages have; `details` what the page reads when a record is opened; `facts` further fields of the index.
    """

    kind: CertifiedStage[CertifiedRecord]
    cells: Callable[[CertifiedRecord], Row]
    details: Callable[[CertifiedRecord], Mapping[str, Any]]
    search: str
    facts: Mapping[str, Any]
    styles: tuple[str, ...] = ()

    def write(self, run: Path) -> Path:
        """Write the page into `run/report` and return its path.

        Of more than MOST_RECORDS records, the others are in `flaws-2.html` and so on, which the page links.
        Errors as of `open_stage`, and a HarnessError if a record names a problem that `problems.jsonl` lacks.
        """
        return write_parts(run, self._pages(self.kind.figures(run)))

    def _pages(self, figures: CertifiedFigures[CertifiedRecord]) -> Iterator[Page]:
        kind, stage, name = self.kind, figures.stage, f"{self.kind.noun}s.html"
        # A record has the lone surrogates of its texts replaced, a problem has not: the ids must be equal.
        questions = {replace_surrogates(problem.problem_id): problem.question for problem in stage.problems()}
        artefacts = (stage.records(kind.record_class, artefact) for artefact in kind.artefacts)
        records = merge(*artefacts, key=lambda record: (record.problem_id, kind.id_of(record)))
        parts = divided(name, figures.records, MOST_RECORDS)
        for part in parts:
            asked, rows, details = dict[str, str](), list[Row](), list[str]()
            for record in islice(records, MOST_RECORDS):
                place = " or ".join(kind.artefacts)
                asked[record.problem_id] = require_problem(questions, record.problem_id, place, stage=kind.stage)
                rows.append(self._row(record))
                details.append(dump_compact(self.details(record)))
            yield Page(
                name=part.name,
                template="list.html",
                search=self.search,
                index={**run_facts(stage), **self.facts, "problems": asked, "items": rows},
                items=details,
                styles=("certified.css", *self.styles),
                scripts=("certified.js", f"{kind.noun}s.js"),
                values={"drawn": figures.sections({row[2] for row in rows})},
                parts=parts,
            )

    def _row(self, record: CertifiedRecord) -> Row:
        provenance = record.provenance
        # The size of the clique is 0 without a formalization stage; what is not recorded is null.
        support: Row = [None] * 3
        if provenance is not None:
            support = [provenance.clique_size or 0, provenance.confidence, provenance.p_right]
        names = (self.kind.id_of(record), record.problem_id, record.operator)
        return [*names, record.tier, *support, *self.cells(record)]


def _flaw_cells(flaw: FlawRecord) -> Row:
    error, mutation = flaw.label.error_details, flaw.mutation
    return [
        *(error.error_type, error.error_class, flaw.position, error.erroneous_line_number),
        *(flaw.plausibility.score, int(flaw.needs_edit), mutation.before, mutation.after, error.explanation),
    ]


def _flaw_details(flaw: FlawRecord) -> dict[str, Any]:
    form, names = json_form(flaw), ("model", "label", "mutation", "values", "plausibility", "edits", "certificate")
    return {name: form[name] for name in names} | {
        "lines": list(map(json_form, compare(flaw.solution, flaw.flawed_solution))),
        "proof": proof_of(flaw),
        "rests_on": provenance_phrase(flaw.provenance, flaw.model),
    }


def _variant_cells(variant: VariantRecord) -> Row:
    edits = "; ".join(f"{edit.before or '–'} → {edit.after or '–'}" for edit in variant.edits) or "nothing"
    shown = edits if len(edits) <= LONGEST_SHOWN else f"{edits[: LONGEST_SHOWN - 1]}…"
    return [class_of(variant), variant.twin_of, shown, variant.reasoning_trace]


def _variant_details(variant: VariantRecord) -> dict[str, Any]:
    return {
        "texts": [list(map(json_form, pieces)) for pieces in text_pieces(variant)],
        "model": variant.model,
        "core": list(map(json_form, core_of(variant))),
        "quantities": list(map(json_form, quantities_of(variant))),
        "certificate": json_form(variant.certificate),
        "claim": class_claim(variant),
        "solution": variant.solution,
        "rests_on": provenance_phrase(variant.provenance, variant.model),
    }


FLAWS_PAGE: CertifiedPage[FlawRecord] = CertifiedPage(
    kind=FLAWS,
    cells=_flaw_cells,
    details=_flaw_details,
    search="Search id, question or text",
    facts={"positions": POSITIONS},
)
VARIANTS_PAGE: CertifiedPage[VariantRecord] = CertifiedPage(
    kind=VARIANTS,
    cells=_variant_cells,
    details=_variant_details,
    search="Search id, text or reasoning",
    facts={"classes": VARIANT_CLASSES},
    styles=("variants.css",),
)
