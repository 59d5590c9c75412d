"""Pages of certified flaws and variants: counts of all records, and the records beside their originals, a sample first."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice
from pathlib import Path
from typing import Any, Generic

from harness.text.characters import one_line, replace_surrogates
from reports.html.page import InternedTexts, Page, Row, dump_compact, run_facts, write_page
from reports.views.artefacts import require_problem
from reports.views.certified_stage import CertifiedFigures, CertifiedRecord, CertifiedStage
from reports.views.solution_diff import TextPiece
from reports.views.stratified_sample import Sample, Stratum
from reports.views.tables import Section

MOST_RECORDS = 10_000
"""Records in one of the files that together list all: 2 MB, which a browser opens in a second."""


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
    details: Callable[[CertifiedRecord], Row]
    search: str
    scripts: tuple[str, ...]
    facts: Mapping[str, Any]
    styles: tuple[str, ...] = ()

    def write(
        self,
        run: Path,
        *,
        see: Callable[[CertifiedRecord], None] | None = None,
        more: Callable[[], Sequence[Section]] = tuple,
    ) -> Path:
        """Write the page into `run/report` and return its path.

        Where the page lists a sample, all records are in files beside it, which it links: `flaws-1.html` and so on.

        Args:
            run: the folder of the run.
            see: is called with each record of the stage.
            more: further sections; is called after the last record.

        Raises:
            ReportError: the stage is missing, not sealed, or was changed after it was sealed; or a record names a
                problem that `problems.jsonl` lacks.
        """
        samples: dict[str, Sample[CertifiedRecord]] = {}
        kept: list[CertifiedRecord] = []

        def add(record: CertifiedRecord) -> None:
            # Reading takes as long as listing: what fits one file is read once.
            if len(kept) <= MOST_RECORDS:
                kept.append(record)
            sample = samples.setdefault(record.operator, Sample(self.sampled))
            sample.add(self.stratum(record), self.kind.id_of(record), record)
            if see is not None:
                see(record)

        figures, sections = self.kind.figures(run, add), more()
        # A record has the lone surrogates of its texts replaced, a problem has not: the ids must be equal.
        questions = {replace_surrogates(problem.problem_id): problem.question for problem in figures.stage.problems()}
        listing = _Listing(self, questions)
        for record in sorted((record for sample in samples.values() for record in sample.items()), key=self._order):
            listing.add(record)
        sample_name = f"{self.kind.noun}s.html"
        files = -(-figures.records // MOST_RECORDS) if len(listing.rows) < figures.records else 0
        names = [f"{self.kind.noun}s-{number}.html" for number in range(1, files + 1)]
        for path in (run / "report").glob(f"{self.kind.noun}s-*.html"):
            if path.name not in names:
                path.unlink()

        def write(name: str, listing: _Listing[CertifiedRecord], sentence: str) -> Path:
            page = Page(
                name=name,
                template="certified.html",
                search=self.search,
                index={**run_facts(figures.stage), **self.facts, **listing.index(figures, sentence)},
                items=listing.details,
                styles=("certified.css", *self.styles),
                scripts=("certified.js", *self.scripts),
                values={
                    "drawn": figures.sections(sections, listing.listed, sentence),
                    "parts": [(part, f"{number:,}") for number, part in enumerate(names, start=1)],
                    "part": name,
                },
                kind=sample_name,
            )
            return write_page(run, page)

        if names:
            if len(kept) == figures.records:
                everything = iter(sorted(kept, key=self._order))
            else:
                kept.clear()
                stage, record_class = figures.stage, self.kind.record_class
                everything = merge(
                    *(stage.records(record_class, name) for name in self.kind.artefacts), key=self._order
                )
            for name in names:
                part = _Listing(self, questions)
                for record in islice(everything, MOST_RECORDS):
                    part.add(record)
                listed = list(part.problems.numbers)
                span = f"{one_line(listed[0])} to {one_line(listed[-1])}"
                title = self.kind.title
                write(
                    name,
                    part,
                    f"This file lists all {title}s of the problems {span}; the figures are of the whole run.",
                )
        return write(sample_name, listing, figures.listing_sentence(len(listing.rows), self.sampled, names))

    def _order(self, record: CertifiedRecord) -> tuple[str, str]:
        return record.problem_id, self.kind.id_of(record)


@dataclass(slots=True)
class _Listing(Generic[CertifiedRecord]):
    """The records that one file lists: their rows, and as JSON what the page reads when a record is opened."""

    page: CertifiedPage[CertifiedRecord]
    questions: Mapping[str, str]
    operators: InternedTexts = field(default_factory=InternedTexts)
    problems: InternedTexts = field(default_factory=InternedTexts)
    listed: Counter[str] = field(default_factory=Counter)
    rows: list[Row] = field(default_factory=list)
    details: list[str] = field(default_factory=list)

    def add(self, record: CertifiedRecord) -> None:
        """Add a record.

        Raises:
            ReportError: it names a problem that `problems.jsonl` lacks.
        """
        page, kind, provenance = self.page, self.page.kind, record.provenance
        require_problem(self.questions, record.problem_id, " or ".join(kind.artefacts), stage=kind.stage)
        self.listed[record.operator] += 1
        # The size of the clique is 0 without a formalization stage; what is not recorded is null.
        support: Row = [None] * 3
        if provenance is not None:
            support = [provenance.clique_size or 0, provenance.confidence, provenance.p_right]
        numbered = [self.problems.number(record.problem_id), self.operators.number(record.operator)]
        self.rows.append([kind.id_of(record), *numbered, record.tier, *support, *page.cells(record)])
        self.details.append(dump_compact(page.details(record)))

    def index(self, figures: CertifiedFigures[CertifiedRecord], sentence: str) -> dict[str, Any]:
        """Return the fields of the index that depend on the listed records."""
        return {
            "operators": list(self.operators.numbers),
            "problems": [[problem_id, self.questions[problem_id]] for problem_id in self.problems.numbers],
            "items": self.rows,
            "partial": sentence if len(self.rows) < figures.records else "",
        }


def piece_rows(pieces: Sequence[TextPiece]) -> Row:
    """Return the pieces of a text, each with 1 where the other text lacks it."""
    return [[piece.text, int(piece.changed)] for piece in pieces]
