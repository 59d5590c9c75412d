"""Pages of certified flaws and variants: counts of all records, and the records beside their originals, a sample first."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from pathlib import Path
from typing import Any, Generic

from markupsafe import Markup

from harness.json_form import RecordClass
from harness.records.provenance import SourceProvenance
from harness.text.characters import replace_surrogates
from reports.html.page import Page, write_page
from reports.html.page_data import InternedTexts, Row, chunks_of, dump_compact, run_facts
from reports.html.plots.certified_plots import yield_plot
from reports.views.artefacts import require_problem
from reports.views.certified_stage import CertifiedFigures, CertifiedStage, ranked
from reports.views.solution_diff import TextPiece
from reports.views.stratified_sample import Sample, Stratum

MOST_RECORDS = 10_000
"""Records in one of the files that together list all: 2 MB, which a browser opens in a second."""


@dataclass(frozen=True, slots=True)
class CertifiedPage(Generic[RecordClass]):
    """The page of the certified flaws or of the certified variants of a run.

    Attributes:
        kind: the stage.
        sampled: how many records of an operator the page lists at most.
        stratum: the stratum of a record; a sample is spread over strata.
        problem_of: the id of the problem of a record.
        tier_of: the tier of a record.
        cells: the rest of the row of a record in the index, after its id, problem, operator, tier, clique and confidence.
        details: what the page reads when a record is opened.
        search: the placeholder of the search field.
        origin: the head of the list of formalizations that the records rest on.
        scripts: the assets of this page, after those that both pages share.
        styles: the same for styles.
    """

    kind: CertifiedStage[RecordClass]
    sampled: int
    stratum: Callable[[RecordClass], Stratum]
    problem_of: Callable[[RecordClass], str]
    tier_of: Callable[[RecordClass], int | str | None]
    cells: Callable[[RecordClass], Row]
    details: Callable[[RecordClass], Row]
    search: str
    origin: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...] = ()

    def write(
        self,
        run: Path,
        *,
        see: Callable[[RecordClass], None] | None = None,
        extra: Callable[[], Mapping[str, Any]] = dict,
        plot: Callable[[], Markup] = Markup,
        whole: bool = True,
    ) -> Path:
        """Write the page into `run/report` and return its path.

        Where the page lists a sample, all records are in files beside it, which it links: `flaws-1.html` and so on.

        Args:
            run: the folder of the run.
            see: is called with each record of the stage.
            extra: further fields of the index; is called after the last record.
            plot: further pictures; is called after the last record.
            whole: whether a page that lists a sample has files beside it that list all, which take 0.3 s for 1,000 records.

        Raises:
            ReportError: the stage is missing, not sealed, or was changed after it was sealed; or a record names a
                problem that `problems.jsonl` lacks.
        """
        samples: dict[str, Sample[RecordClass]] = {}
        kept: list[RecordClass] = []

        def add(record: RecordClass) -> None:
            # Reading takes as long as listing: what fits one file is read once.
            if whole and len(kept) <= MOST_RECORDS:
                kept.append(record)
            sample = samples.setdefault(self.kind.operator_of(record), Sample(self.sampled))
            sample.add(self.stratum(record), self.kind.id_of(record), record)
            if see is not None:
                see(record)

        figures = self.kind.figures(run, add)
        # A record has the lone surrogates of its texts replaced, a problem has not: the ids must be equal.
        questions = {replace_surrogates(problem.problem_id): problem.question for problem in figures.stage.problems()}
        listing = _Listing(self, questions)
        for record in sorted((record for sample in samples.values() for record in sample.items()), key=self._order):
            listing.add(record)
        names = self._part_names(figures.records) if whole and len(listing.rows) < figures.records else []
        for path in (run / "report").glob(self._part_name("*")):
            if path.name not in names:
                path.unlink()
        values = {
            "group": self.kind.group,
            "change": self.kind.change,
            "sources": self.origin,
            "has_matrix": see is not None,
            "plots": plot() + yield_plot(figures),
            "parts": [(name, f"{number:,}") for number, name in enumerate(names, start=1)],
        }
        figures_of_run = {**self._figures(figures), **extra()}

        def write(name: str, listing: _Listing[RecordClass], sentence: str) -> Path:
            page = Page(
                name=name,
                template="certified.html",
                search=self.search,
                index={**figures_of_run, **listing.index(figures, sentence)},
                chunks=chunks_of(listing.details),
                styles=("certified.css", *self.styles),
                scripts=("certified.js", *self.scripts),
                values={**values, "part": name},
                kind=self._name,
            )
            return write_page(run, page)

        if names:
            if len(kept) == figures.records:
                everything = iter(sorted(kept, key=self._order))
            else:
                kept.clear()
                files = (self.kind.records_of(figures.stage, artefact) for artefact in self.kind.artefacts)
                everything = merge(*files, key=self._order)
            for name in names:
                part = _Listing(self, questions)
                for record in islice(everything, MOST_RECORDS):
                    part.add(record)
                write(name, part, figures.part_sentence(part.first, part.last))
        return write(self._name, listing, figures.listing_sentence(len(listing.rows), self.sampled, names))

    @property
    def _name(self) -> str:
        return f"{self.kind.noun}s.html"

    def _part_name(self, number: int | str) -> str:
        return f"{self.kind.noun}s-{number}.html"

    def _part_names(self, records: int) -> list[str]:
        return [self._part_name(number) for number in range(1, -(-records // MOST_RECORDS) + 1)]

    def _order(self, record: RecordClass) -> tuple[str, str]:
        return self.problem_of(record), self.kind.id_of(record)

    def _figures(self, figures: CertifiedFigures[RecordClass]) -> dict[str, Any]:
        """Return the fields of the index that count all records of the run."""
        reasons = [(self.kind.reason(name), count) for name, count in figures.discarded().most_common()]
        return {
            **run_facts(figures.stage),
            "totals": [figures.records, figures.marked, figures.fruitful, figures.problems],
            "heading": [figures.total_phrase, f"{figures.share_phrase}{figures.marked_phrase}."],
            "made_heads": ["operator", "", f"{self.kind.noun}s", self.kind.marked, "discarded", "listed"],
            "reasons": [[reason.brief, reason.sentence, count] for reason, count in reasons],
            "sources": ranked(figures.sources),
            "standings": ranked(figures.standings),
            "selection": figures.selection_phrase,
            "unfit": ranked(figures.unfit),
        }


class _Listing(Generic[RecordClass]):
    """The records that one file lists: their rows, and as JSON what the page reads when a record is opened."""

    def __init__(self, page: CertifiedPage[RecordClass], questions: Mapping[str, str]) -> None:
        self._page, self._questions = page, questions
        self._operators, self._problems = InternedTexts(), InternedTexts()
        self._listed = Counter[str]()
        self.rows: list[Row] = []
        self.details: list[str] = []
        self.first = self.last = ""

    def add(self, record: RecordClass) -> None:
        """Add a record.

        Raises:
            ReportError: it names a problem that `problems.jsonl` lacks.
        """
        page, kind = self._page, self._page.kind
        problem_id, operator = page.problem_of(record), kind.operator_of(record)
        require_problem(self._questions, problem_id, " or ".join(kind.artefacts), stage=kind.stage)
        self.first, self.last = self.first or problem_id, problem_id
        self._listed[operator] += 1
        self.rows.append(
            [
                kind.id_of(record),
                self._problems.number(problem_id),
                self._operators.number(operator),
                page.tier_of(record),
                *_support(kind.provenance_of(record)),
                *page.cells(record),
            ]
        )
        self.details.append(dump_compact(page.details(record)))

    def index(self, figures: CertifiedFigures[RecordClass], sentence: str) -> dict[str, Any]:
        """Return the fields of the index that depend on the listed records."""
        return {
            "operators": list(self._operators.numbers),
            "problems": [[problem_id, self._questions[problem_id]] for problem_id in self._problems.numbers],
            "items": self.rows,
            "listing": sentence,
            "made": [
                [
                    group,
                    [
                        [
                            *(operator.name, operator.records, operator.marked, operator.discarded.total()),
                            *(operator.refused, self._listed[operator.name], figures.discard_phrase(operator)),
                        ]
                        for operator in operators_of_group
                    ],
                ]
                for group, operators_of_group in figures.by_group()
            ],
        }


def _support(provenance: SourceProvenance | None) -> Row:
    """Return the size of the clique that a record rests on, 0 without a formalization stage, its confidence and the probability.

    Values that are not recorded are null.
    """
    if provenance is None:
        return [None, None, None]
    return [provenance.clique_size or 0, provenance.confidence, provenance.p_right]


def piece_rows(pieces: Sequence[TextPiece]) -> Row:
    """Return the pieces of a text, each with 1 where the other text lacks it."""
    return [[piece.text, int(piece.changed)] for piece in pieces]
