"""Pages of certified flaws and variants: counts of all records, and a sample of them beside their originals."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

from markupsafe import Markup

from harness.json_form import RecordClass
from harness.records.provenance import SourceProvenance
from harness.text.printable_text import replace_surrogates
from reports.html.page import Page, write_page
from reports.html.page_data import InternedTexts, Row, chunks_of, dump_compact, run_facts
from reports.html.plots.certified_plots import yield_plot
from reports.views.artefacts import require_problem
from reports.views.certified_stage import CertifiedFigures, CertifiedStage, ranked
from reports.views.solution_diff import TextPiece
from reports.views.stratified_sample import Sample, Stratum


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
    ) -> Path:
        """Write the page into `run/report` and return its path.

        Args:
            run: the folder of the run.
            see: is called with each record of the stage.
            extra: further fields of the index; is called after the last record.
            plot: further pictures; is called after the last record.

        Raises:
            ReportError: the stage is missing, not sealed, or was changed after it was sealed; or a record names a
                problem that `problems.jsonl` lacks.
        """
        samples: dict[str, Sample[RecordClass]] = {}

        def add(record: RecordClass) -> None:
            sample = samples.setdefault(self.kind.operator_of(record), Sample(self.sampled))
            sample.add(self.stratum(record), self.kind.id_of(record), record)
            if see is not None:
                see(record)

        figures = self.kind.figures(run, add)
        records = sorted(
            (record for sample in samples.values() for record in sample.items()),
            key=lambda record: (self.problem_of(record), self.kind.id_of(record)),
        )
        page = Page(
            name=f"{self.kind.noun}s.html",
            template="certified.html",
            search=self.search,
            index={**self._index(figures, records), **extra()},
            chunks=chunks_of(dump_compact(self.details(record)) for record in records),
            styles=("certified.css", *self.styles),
            scripts=("certified.js", *self.scripts),
            values={
                "group": self.kind.group,
                "change": self.kind.change,
                "sources": self.origin,
                "has_matrix": see is not None,
                "plots": plot() + yield_plot(figures),
            },
        )
        return write_page(run, page)

    def _index(self, figures: CertifiedFigures[RecordClass], records: Sequence[RecordClass]) -> dict[str, Any]:
        operators = InternedTexts()
        wanted = set(map(self.problem_of, records))
        # A record has the lone surrogates of its texts replaced, a problem has not: the ids must be equal.
        questions = {replace_surrogates(problem.problem_id): problem.question for problem in figures.stage.problems()}
        problems = [[problem_id, question] for problem_id, question in questions.items() if problem_id in wanted]
        places = {problem_id: place for place, (problem_id, _) in enumerate(problems)}
        rows = [
            [
                self.kind.id_of(record),
                require_problem(
                    places, self.problem_of(record), " or ".join(self.kind.artefacts), stage=self.kind.stage
                ),
                operators.number(self.kind.operator_of(record)),
                self.tier_of(record),
                *_support(self.kind.provenance_of(record)),
                *self.cells(record),
            ]
            for record in records
        ]
        listed = Counter(map(self.kind.operator_of, records))
        reasons = [(self.kind.reason(name), count) for name, count in figures.discarded().most_common()]
        return {
            **run_facts(figures.stage),
            "operators": list(operators.numbers),
            "problems": problems,
            "items": rows,
            "totals": [figures.records, figures.marked, figures.fruitful, figures.problems],
            "heading": [figures.total_phrase, f"{figures.share_phrase}{figures.marked_phrase}."],
            "listing": figures.listing_sentence(len(records), self.sampled),
            "made_heads": ["operator", "", f"{self.kind.noun}s", self.kind.marked, "discarded", "listed"],
            "made": [
                [
                    group,
                    [
                        [
                            *(operator.name, operator.records, operator.marked, operator.discarded.total()),
                            *(operator.refused, listed[operator.name], figures.discard_phrase(operator)),
                        ]
                        for operator in operators_of_group
                    ],
                ]
                for group, operators_of_group in figures.by_group()
            ],
            "reasons": [[reason.brief, reason.sentence, count] for reason, count in reasons],
            "sources": ranked(figures.sources),
            "standings": ranked(figures.standings),
            "selection": figures.selection_phrase,
            "unfit": ranked(figures.unfit),
        }


def _support(provenance: SourceProvenance | None) -> Row:
    """Return the size of the clique that a record rests on, 0 without a formalization stage, its confidence and the probability.

    What is not recorded is null.
    """
    if provenance is None:
        return [None, None, None]
    return [provenance.clique_size or 0, provenance.confidence, provenance.p_right]


def piece_rows(pieces: Sequence[TextPiece]) -> Row:
    """Return the pieces of a text, each with 1 where the other text lacks it."""
    return [[piece.text, int(piece.changed)] for piece in pieces]
