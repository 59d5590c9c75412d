"""The page `index.html`: all problems of a formalization run in one file that needs no network."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from markupsafe import Markup

from harness.domain import CauseKind, Verdict
from harness.json_form import json_form
from harness.records.formalization import ConsensusRecord
from harness.store.spool import Spool
from reports.html.page import Page, Row, divided, dump_compact, run_facts, write_parts
from reports.views.artefacts import SealedStage, open_stage
from reports.views.formalization_counts import ProblemCounts, ProblemOutcome, ProblemRecords, RunCounts
from reports.views.phrases import (
    Values,
    confidence_sentence,
    counterexample_sentence,
    dissent_reason,
    gold_doubt_sentence,
    method_phrase,
    probability_sentence,
    rounding_sentence,
)
from reports.views.stage_sections import calibration_sections, formalization_sections, problem_address

MOST_PROBLEMS = 20_000
"""Problems in one file: more are divided, so that a browser opens each file in about a second."""
# Styles come from the page by class: its Content-Security-Policy forbids style attributes.
_WIDTH, _HEIGHT, _TOP, _LEFT = 380, 200, 22, 40
_RIGHT, _FLOOR = _WIDTH - 12, _HEIGHT - 30
_IN_WORDS = {"problem_id", "checked", "unsupported", "frozen"}
"""The fields of a verdict that its page says in a sentence, or by its place."""
MOST_POINTS, _TABLE_ROWS = 400, 10
_TITLE = "Expected share of right oracles by share of problems kept"


def write_report(run: Path) -> Path:
    """Write `run/report/index.html`, one self-contained page, and return its path.

    Of more than MOST_PROBLEMS problems, the others are in `index-2.html` and so on, which the page links.
    Errors as of `open_stage`, and a HarnessError if a record names a problem that `problems.jsonl` lacks.
    """
    return write_parts(run, _pages(open_stage(run)))


@dataclass(slots=True)
class _Listing:
    """The problems of a run as its pages list them: on disk, each its row in the list and the JSON text that is read when it is opened."""

    items: Spool[tuple[Row, str]] = field(default_factory=Spool)
    places: dict[str, int] = field(default_factory=dict)

    def add(self, records: ProblemRecords, own: ProblemCounts) -> None:
        """Add a problem."""
        problem, consensus = records.problem, records.consensus
        self.places[problem.problem_id] = len(self.items)
        row = [
            *(problem.problem_id, problem.tier, problem.question, problem.gold),
            *(own.responses, own.readable, own.accepted),
            0 if consensus is None else consensus.clique_size,
            0.0 if consensus is None else round(consensus.confidence, 4),
            None if consensus is None else consensus.oracle,
            *(int(own.outcome), own.refuted, own.unknown, own.mostly_frozen, own.doubt),
            [kind for kind in CauseKind if own.causes[kind]],
            int(consensus is not None and bool(consensus.findings)),
            None if consensus is None else consensus.p_right,
            int(consensus is not None and consensus.gold_doubt is not None),
        ]
        details = {
            "solution": problem.solution,
            "programs": list(map(json_form, records.programs)),
            "verdicts": [_verdict(verdict, own.values) for verdict in records.verdicts],
            "consensus": None if consensus is None else _consensus(consensus, problem.gold),
        }
        self.items.append((row, dump_compact(details)))


def _verdict(verdict: Verdict, values: Mapping[str, Values]) -> dict[str, Any]:
    """Return a verdict with how much it checked and its counterexample in words, without fields that are null or in these words."""
    words = {"how": method_phrase(verdict), "sentence": counterexample_sentence(verdict, values)}
    form = {name: value for name, value in json_form(verdict).items() if name not in _IN_WORDS}
    return {name: value for name, value in (form | words).items() if value not in (None, "")}


def _consensus(consensus: ConsensusRecord, gold: str | None) -> dict[str, Any]:
    doubts = [] if consensus.gold_doubt is None else [gold_doubt_sentence(consensus.gold_doubt, gold)]
    return json_form(consensus) | {
        "confidence": confidence_sentence(consensus),
        "dissenters": [{**json_form(own), "reason": dissent_reason(own)} for own in consensus.dissenters],
        "findings": [*doubts, *map(rounding_sentence, consensus.findings)],
        "basis": probability_sentence(consensus).partition(", ")[2],
    }


def _pages(stage: SealedStage) -> Iterator[Page]:
    listing = _Listing()
    counts = RunCounts.read(stage, listing.add)
    # Those to look at come first, the others in the order of the file.
    looks = {look.problem_id: place for place, look in enumerate(counts.first_looks())}
    order = sorted(listing.places, key=lambda name: looks.get(name, len(looks)))
    parts = divided("index.html", len(order), MOST_PROBLEMS)
    facts = {**run_facts(stage), "outcomes": [outcome.title for outcome in ProblemOutcome], "causes": list(CauseKind)}
    # The sentence before the problems that it names, these with their addresses, and the rest of it.
    before, _, after = (
        counts.sentence.partition(named) if (named := ", ".join(counts.named)) else (counts.sentence, "", "")
    )
    values = {
        "outcome": (before, [(name, problem_address(name)) for name in counts.named], after),
        "coverage": coverage_plot(counts.p_right, counts.problems),
        "calibration": calibration_sections(list(stage.calibration())),
    }
    for part in parts:
        own = [listing.places[problem_id] for problem_id in order[part.start : part.end]]
        first = "" if part is parts[0] else parts[0].name
        certainty, looked, *figures = formalization_sections(stage, counts, page=first)
        yield Page(
            name=part.name,
            template="report.html",
            search="Search id or question",
            index={**facts, "problems": [listing.items[place][0] for place in own]},
            items=(listing.items[place][1] for place in own),
            scripts=("certainty.js", "program_code.js", "report.js"),
            values={**values, "certainty": [certainty], "looks": [looked], "figures": figures},
            parts=parts,
        )


def coverage_plot(p_right: Sequence[float], problems: int) -> Markup:
    """Return the expected share of right oracles by the share of problems that are kept, the surest first."""
    chances, problems = sorted(p_right, reverse=True), max(problems, len(p_right))
    if not chances:
        return _figure([_text_at("no problem has a probability", x=_WIDTH / 2, y=40)], "")
    precisions = [total / number for number, total in enumerate(itertools.accumulate(chances), start=1)]
    least = min(int(10 * precisions[-1]) / 10, 0.9)

    def height(precision: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * (precision - least) / (1 - least)

    parts = []
    for precision in (least, (1 + least) / 2, 1.0):
        y = height(precision)
        parts.append(f'<line class="axis" x1="{_LEFT}" x2="{_RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text_at(f"{100 * precision:.4g}%", x=_LEFT - 6, y=y + 4, anchor="end"))
    parts += [
        _text_at(f"{kept:.0%}", x=min(_LEFT + (_RIGHT - _LEFT) * kept, _RIGHT - 14), y=_FLOOR + 18)
        for kept in (0.0, 0.5, 1.0)
    ]
    # Problems without an oracle count as not kept: the curve ends before the right edge.
    drawn = [*range(0, len(precisions) - 1, max(1, len(precisions) // MOST_POINTS)), len(precisions) - 1]
    points = (
        f"{_LEFT + (_RIGHT - _LEFT) * (number + 1) / problems:.1f},{height(precisions[number]):.1f}" for number in drawn
    )
    parts.append(f'<polyline class="curve" points="{" ".join(points)}"/>')
    parts.append(f'<line id="plot-threshold" class="mark" x1="{_LEFT}" x2="{_LEFT}" y1="{_TOP}" y2="{_FLOOR}"/>')
    rows = "".join(
        f'<tr><th scope="row">{kept / problems:.0%}</th><td class="number">{kept:,}</td>'
        f'<td class="number">{precisions[kept - 1]:.1%}</td></tr>'
        for kept in dict.fromkeys(max(1, len(chances) * tenth // _TABLE_ROWS) for tenth in range(1, _TABLE_ROWS + 1))
    )
    return _figure(parts, rows)


def _figure(parts: Sequence[str], rows: str) -> Markup:
    table = (
        '<details class="figures-of-plot"><summary>Figures</summary><div class="scroller">'
        f'<table class="figures" aria-label="{_TITLE}"><thead><tr><th>share kept</th><th>problems kept</th>'
        f"<th>expected share of right oracles</th></tr></thead><tbody>{rows}</tbody></table></div></details>"
    )
    figure = (
        f'<figure class="plot"><figcaption>{_TITLE}</figcaption><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-labelledby="plot-coverage"><title id="plot-coverage">{_TITLE}</title>'
        f"{''.join(parts)}</svg>{table if rows else ''}</figure>"
    )
    return Markup(figure)  # noqa: S704  # the parts are built here of numbers


def _text_at(text: str, *, x: float, y: float, anchor: str = "middle") -> str:
    return f'<text class="tick" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
