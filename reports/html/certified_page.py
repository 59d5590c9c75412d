"""The pages `flaws.html` and `variants.html`: counts of all records, and the records beside their originals, a sample first."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from pathlib import Path
from typing import Any, Generic

from harness.json_form import json_form
from harness.records.mutation import FlawRecord
from harness.records.variant import VariantRecord
from harness.text.characters import one_line, replace_surrogates
from reports.html.page import Page, Row, Sample, Stratum, dump_compact, run_facts, write_page
from reports.views.artefacts import require_problem
from reports.views.certified_stage import CertifiedFigures, CertifiedRecord, CertifiedStage
from reports.views.flaws import FLAWS, claim_of, proof_of
from reports.views.phrases import POSITIONS, VARIANT_CLASSES, provenance_phrase
from reports.views.solution_diff import compare
from reports.views.variants import VARIANTS, class_claim, class_of, core_of, quantities_of, text_pieces

MOST_RECORDS = 10_000
"""Records in one of the files that together list all: 2 MB, which a browser opens in a second."""
SAMPLED_FLAWS, SAMPLED_VARIANTS = 25, 60
"""Records of an operator: a page of 0.5 MB, of forty or of ten operators, that a person can look through."""
LONGEST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class CertifiedPage(Generic[CertifiedRecord]):
    """The page of the certified flaws or of the certified variants of a run.

    It lists `sampled` records of an operator at most, spread over strata. `cells` are the rest of the row of a record in the index, after
    what both pages have; `details` what the page reads when a record is opened; `facts` further fields of the index.
    """

    kind: CertifiedStage[CertifiedRecord]
    sampled: int
    stratum: Callable[[CertifiedRecord], Stratum]
    cells: Callable[[CertifiedRecord], Row]
    details: Callable[[CertifiedRecord], Mapping[str, Any]]
    search: str
    facts: Mapping[str, Any]
    styles: tuple[str, ...] = ()

    def write(self, run: Path) -> Path:
        """Write the page into `run/report` and return its path.

        Where the page lists a sample, all records are in files beside it, which it links: `flaws-1.html` and so on.
        Errors as of `open_stage`, and a HarnessError if a record names a problem that `problems.jsonl` lacks.
        """
        samples: dict[str, Sample[CertifiedRecord]] = {}
        kept: list[CertifiedRecord] = []

        def add(record: CertifiedRecord) -> None:
            # Reading takes as long as listing: what fits one file is read once.
            if len(kept) <= MOST_RECORDS:
                kept.append(record)
            sample = samples.setdefault(record.operator, Sample(self.sampled))
            sample.add(self.stratum(record), self.kind.id_of(record), record)

        kind, noun = self.kind, self.kind.noun
        figures = kind.figures(run, add)
        # A record has the lone surrogates of its texts replaced, a problem has not: the ids must be equal.
        questions = {replace_surrogates(problem.problem_id): problem.question for problem in figures.stage.problems()}
        sampled = sorted((record for sample in samples.values() for record in sample.items()), key=self._order)
        files = -(-figures.records // MOST_RECORDS) if len(sampled) < figures.records else 0
        names = [f"{noun}s-{number}.html" for number in range(1, files + 1)]
        for path in (run / "report").glob(f"{noun}s-*.html"):
            if path.name not in names:
                path.unlink()
        if len(kept) == figures.records:
            everything = iter(sorted(kept, key=self._order))
        else:
            kept.clear()
            artefacts = (figures.stage.records(kind.record_class, name) for name in kind.artefacts)
            everything = merge(*artefacts, key=self._order)
        for name in names:
            index, details = self._listing(questions, islice(everything, MOST_RECORDS))
            first, last = (one_line(index["items"][place][1]) for place in (0, -1))
            sentence = f"This file lists all {kind.title}s of the problems {first} to {last}; the figures are of the whole run."
            write_page(run, self._page(name, figures, index, details, sentence=sentence, parts=names))
        index, details = self._listing(questions, sampled)
        sentence = figures.listing_sentence(len(sampled), self.sampled, names)
        return write_page(run, self._page(f"{noun}s.html", figures, index, details, sentence=sentence, parts=names))

    def _page(
        self,
        name: str,
        figures: CertifiedFigures[CertifiedRecord],
        index: dict[str, Any],
        details: list[str],
        *,
        sentence: str,
        parts: list[str],
    ) -> Page:
        """Return the page of one file from what it lists; `sentence` says what part of all, `parts` are the files that list all."""
        rows, noun = index["items"], self.kind.noun
        partial = sentence if len(rows) < figures.records else ""
        return Page(
            name=name,
            template="certified.html",
            search=self.search,
            index={**run_facts(figures.stage), **self.facts, **index, "partial": partial},
            items=details,
            styles=("certified.css", *self.styles),
            scripts=("certified.js", f"{noun}s.js"),
            values={
                "drawn": figures.sections(Counter(row[2] for row in rows), sentence),
                "parts": [(part, f"{number:,}") for number, part in enumerate(parts, start=1)],
                "part": name,
            },
            kind=f"{noun}s.html",
        )

    def _listing(
        self, questions: Mapping[str, str], records: Iterable[CertifiedRecord]
    ) -> tuple[dict[str, Any], list[str]]:
        """Return the records that one file lists: fields of the index, and as JSON what the page reads when a record is opened.

        Raises a HarnessError where a record names a problem that `problems.jsonl` lacks.
        """
        kind, asked = self.kind, dict[str, str]()
        rows, details = list[Row](), list[str]()
        for record in records:
            provenance, place = record.provenance, " or ".join(kind.artefacts)
            asked[record.problem_id] = require_problem(questions, record.problem_id, place, stage=kind.stage)
            # The size of the clique is 0 without a formalization stage; what is not recorded is null.
            support: Row = [None] * 3
            if provenance is not None:
                support = [provenance.clique_size or 0, provenance.confidence, provenance.p_right]
            names = (kind.id_of(record), record.problem_id, record.operator)
            rows.append([*names, record.tier, *support, *self.cells(record)])
            details.append(dump_compact(self.details(record)))
        return {"problems": asked, "items": rows}, details

    def _order(self, record: CertifiedRecord) -> tuple[str, str]:
        return record.problem_id, self.kind.id_of(record)


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
        "proof": [claim_of(flaw), *proof_of(flaw)],
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
    sampled=SAMPLED_FLAWS,
    stratum=lambda flaw: (str(flaw.tier), flaw.position),
    cells=_flaw_cells,
    details=_flaw_details,
    search="Search id, question or text",
    facts={"positions": POSITIONS},
)
VARIANTS_PAGE: CertifiedPage[VariantRecord] = CertifiedPage(
    kind=VARIANTS,
    sampled=SAMPLED_VARIANTS,
    stratum=lambda variant: (str(variant.twin_of is None), str(variant.tier)),
    cells=_variant_cells,
    details=_variant_details,
    search="Search id, text or reasoning",
    facts={"classes": VARIANT_CLASSES},
    styles=("variants.css",),
)
