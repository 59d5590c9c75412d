"""The page `index.html`: all problems of a formalization run in one file that needs no network."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from harness.domain import CauseKind, ParameterAlignment, Problem, Verdict, WitnessKind
from harness.json_form import json_form
from harness.records.formalization import ConsensusRecord, ProgramRecord
from reports.html.page import Page, write_page
from reports.html.page_data import InternedTexts, Row, chunks_of, dump_compact, require_problem, run_facts
from reports.html.plots.agreement_plot import agreement_plot
from reports.html.plots.flow_plot import flow_plot
from reports.html.plots.formalization_plots import clique_plot, confidence_plot, coverage_plot
from reports.views.artefacts import SealedStage, open_stage
from reports.views.certainty import (
    BASIS_TITLES,
    calibration_tables,
    first_looks,
    gold_doubt_sentence,
    probability_sentence,
)
from reports.views.formalization_counts import ProblemOutcome, RunCounts
from reports.views.formalization_flows import formalization_flows
from reports.views.records import CLAIMS
from reports.views.verdict_phrases import (
    Values,
    cause_title,
    confidence_sentence,
    counterexample_sentence,
    dissent_reason,
    doubt,
    parameter_values,
    rounding_sentence,
    telling_counterexample,
)

_CAUSES = tuple(CauseKind)
# Twelve models of 44 px fill the width; a larger matrix would hide the list below it.
MATRIX_MODELS = 12
FIRST_LOOKS = 12
MOST_PROBLEMS = 20_000
"""Problems in one file: more are divided, so that a browser opens each file in about a second."""
_FURTHER = "index-{}.html"


def write_report(run: Path) -> Path:
    """Write `run/report/index.html`, one self-contained page, and return its path.

    Of more than MOST_PROBLEMS problems, the others are in `index-2.html` and so on, which the page links.

    Raises:
        ReportError: `run` is missing, not sealed, or was changed after it was sealed; or a record names a problem
            that `problems.jsonl` lacks.
    """
    pages = _pages(open_stage(run))
    names = {page.name for page in pages}
    for path in (run / "report").glob(_FURTHER.format("*")):
        if path.name not in names:
            path.unlink()
    return [write_page(run, page) for page in reversed(pages)][-1]


@dataclass(slots=True)
class _Parts:
    problem: Problem
    programs: list[Row] = field(default_factory=list)
    values: dict[str, Values] = field(default_factory=dict)
    # Kept as JSON text: 220,000 verdicts are 60 MB as text, 500 MB as lists.
    verdicts: list[str] = field(default_factory=list)
    consensus: ConsensusRecord | None = None


def _pages(stage: SealedStage) -> list[Page]:
    counts, models, methods = RunCounts(), InternedTexts(), InternedTexts()
    parts = {problem.problem_id: _Parts(problem) for problem in stage.problems()}
    counts.problems = len(parts)
    for program in stage.programs():
        counts.add_program(program)
        part = require_problem(parts, program.problem_id, "programs.jsonl")
        part.programs.append(_program(program, models))
        part.values[program.model] = parameter_values(program.parameters)
    for verdict in stage.verdicts():
        counts.add_verdict(verdict)
        part = require_problem(parts, verdict.problem_id, "verdicts.jsonl")
        part.verdicts.append(dump_compact(_verdict(verdict, part, models, methods)))
    for consensus in stage.consensus():
        counts.add_consensus(consensus)
        require_problem(parts, consensus.problem_id, "consensus.jsonl").consensus = consensus
    listed = sorted(parts.values(), key=lambda part: part.consensus is None or not part.consensus.findings)
    if len(listed) > MOST_PROBLEMS:
        first = {listed[place].problem.problem_id for place, *_ in _looks(listed, counts)}
        listed.sort(key=lambda part: part.problem.problem_id not in first)
    rows = [_row(part, counts, models) for part in listed]
    consensus_rows = [_consensus(part.consensus, part.problem.gold, models) for part in listed]
    index = {
        **run_facts(stage),
        "models": list(models.numbers),
        "methods": list(methods.numbers),
        "outcomes": [outcome.title for outcome in ProblemOutcome],
        "funnel": [[step.title, step.count, step.of, step.depth] for step in counts.funnel()],
        "ladder": [[method, status, count] for (method, status), count in sorted(counts.methods.items())],
        "causes": list(map(cause_title, CauseKind)),
        "cause_counts": [
            [cause_title(cause.kind), cause.pairs, cause.proved, cause.tested, cause.counted]
            for cause in counts.cause_counts()
        ],
        "agreement": [
            [row.number, row.model, row.responses, row.readable, row.accepted, row.confirmed, row.decided]
            for row in counts.agreements()
        ],
    }
    certainty = {
        "calibration": [
            [
                BASIS_TITLES[table.basis],
                table.sentence,
                [[row.low, row.high, row.answers, row.mean, row.right] for row in table.rows],
            ]
            for table in calibration_tables(stage.calibration())
        ],
        "bases": [[BASIS_TITLES[basis], count] for basis, count in sorted(counts.bases.items())],
    }
    looks = _looks(listed, counts)
    plots = {
        "coverage": coverage_plot(counts),
        "flows": Markup().join(flow_plot(f"plot-flow-{flow.unit}", flow) for flow in formalization_flows(counts)),
        "plots": confidence_plot(counts) + clique_plot(counts),
        "heatmap": agreement_plot(counts),
        "opened": len(counts.models()) <= MATRIX_MODELS,
    }
    starts = range(0, max(len(listed), 1), MOST_PROBLEMS)
    names = ["index.html", *(_FURTHER.format(number) for number in range(2, len(starts) + 1))]
    ends = [min(start + MOST_PROBLEMS, len(listed)) for start in starts]
    links = [(name, f"{start + 1:,} to {end:,}") for name, start, end in zip(names, starts, ends, strict=True)]

    def page(name: str, start: int, end: int) -> Page:
        own = [[place - start, *rest] for place, *rest in looks if start <= place < end]
        return Page(
            name=name,
            template="report.html",
            search="Search id or question",
            index={**index, "certainty": {**certainty, "looks": own}, "problems": rows[start:end]},
            chunks=chunks_of(map(_details, listed[start:end], consensus_rows[start:end])),
            scripts=("certainty.js", "report.js"),
            values={**plots, "parts": links if len(links) > 1 else [], "part": name},
            kind="index.html",
        )

    return [page(name, start, end) for name, start, end in zip(names, starts, ends, strict=True)]


def _looks(parts: Sequence[_Parts], counts: RunCounts) -> list[Row]:
    """Return what to look at first: the number of the problem in the list, its probability and why."""
    consensus = [part.consensus for part in parts if part.consensus is not None]
    reasons = {
        record.problem_id: doubt(record, counts.counts(record.problem_id), counts.outcome(record))
        for record in consensus
    }
    golds = {part.problem.problem_id: part.problem.gold for part in parts}
    places = {part.problem.problem_id: place for place, part in enumerate(parts)}
    return [
        [places[look.problem_id], look.p_right, look.why]
        for look in first_looks(consensus, golds, reasons, FIRST_LOOKS)
    ]


def _program(program: ProgramRecord, models: InternedTexts) -> Row:
    parameters = [
        [parameter.name, parameter.value, parameter.type, parameter.provenance, parameter.comment]
        for parameter in program.parameters
    ]
    texts = (program.dialect, program.code, program.value, program.reason)
    return [models.number(program.model), parameters, *texts, program.repairs]


def _verdict(verdict: Verdict, part: _Parts, models: InternedTexts, methods: InternedTexts) -> Row:
    left, right = verdict.left, verdict.right
    counterexample, alignment = telling_counterexample(verdict), verdict.alignment
    row: Row = [
        CLAIMS.index(verdict.claim),
        models.number(left),
        models.number(right),
        verdict.status,
        methods.number(verdict.method),
        verdict.checked,
        verdict.unsupported,
        verdict.reason,
        verdict.error_bound,
        verdict.domain,
        None,
        None if alignment is None else _alignment(alignment),
        verdict.frozen,
        None if verdict.cause is None else _CAUSES.index(verdict.cause.kind),
        True if verdict.witness is WitnessKind.EXTREME else None,
    ]
    if counterexample is not None:
        sentence = counterexample_sentence(
            counterexample,
            left_values=part.values.get(left, {}),
            right_values=part.values.get(right or "", {}),
        )
        row[10] = [sentence, counterexample.inputs]
    while row[-1] is None:
        row.pop()
    return row


def _alignment(alignment: ParameterAlignment) -> Row:
    aligned = [[pair.left, pair.right, pair.value, pair.similarity] for pair in alignment.aligned]
    runner_up = None if alignment.runner_up is None else json_form(alignment.runner_up)
    return [aligned, alignment.unaligned_left, alignment.unaligned_right, runner_up]


def _row(part: _Parts, counts: RunCounts, models: InternedTexts) -> Row:
    problem, consensus = part.problem, part.consensus
    own = counts.counts(problem.problem_id)
    outcome = ProblemOutcome.NO_ORACLE if consensus is None else counts.outcome(consensus)
    return [
        problem.problem_id,
        problem.tier,
        problem.question,
        problem.gold,
        own.responses,
        own.readable,
        own.accepted,
        0 if consensus is None else consensus.clique_size,
        0.0 if consensus is None else round(consensus.confidence, 4),
        -1 if consensus is None else models.number(consensus.oracle),
        int(outcome),
        own.refuted,
        own.unknown,
        own.mostly_frozen,
        doubt(consensus, own, outcome),
        [_CAUSES.index(kind) for kind in _CAUSES if own.causes[kind]],
        int(consensus is not None and bool(consensus.findings)),
        None if consensus is None else consensus.p_right,
        int(consensus is not None and consensus.gold_doubt is not None),
    ]


def _consensus(consensus: ConsensusRecord | None, gold: str | None, models: InternedTexts) -> Row | None:
    if consensus is None:
        return None
    return [
        [models.number(model) for model in consensus.clique],
        confidence_sentence(consensus),
        [
            [
                models.number(dissent.model),
                models.number(dissent.against),
                dissent_reason(dissent),
                -1 if dissent.cause is None else _CAUSES.index(dissent.cause),
            ]
            for dissent in consensus.dissenters
        ],
        [
            [
                models.number(pair.left),
                models.number(pair.right),
                round(pair.score, 4),
                -1 if pair.uncounted is None else _CAUSES.index(pair.uncounted),
            ]
            for pair in consensus.pairs
        ],
        [
            *([] if consensus.gold_doubt is None else [gold_doubt_sentence(consensus.gold_doubt, gold)]),
            *map(rounding_sentence, consensus.findings),
        ],
        probability_sentence(consensus).partition(", ")[2],
    ]


def _details(part: _Parts, consensus: Row | None) -> str:
    return (
        f"[{dump_compact(part.problem.solution)},{dump_compact(part.programs)},"
        f"[{','.join(part.verdicts)}],{dump_compact(consensus)}]"
    )
