"""The page `index.html`: all problems of a formalization run in one file that needs no network."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from harness.domain import CauseKind, ParameterAlignment, Problem, Verdict, WitnessKind
from harness.json_form import json_form
from harness.records.formalization import ConsensusRecord, ProgramRecord
from harness.store.spool import Spool
from reports.html.page import Page, write_page
from reports.html.page_data import InternedTexts, Row, chunks_of, dump_compact, run_facts
from reports.html.plots.agreement_plot import agreement_plot
from reports.html.plots.flow_plot import flow_plot
from reports.html.plots.formalization_plots import clique_plot, confidence_plot, coverage_plot
from reports.views.artefacts import SealedStage, open_stage
from reports.views.certainty import (
    BASIS_TITLES,
    FirstLooks,
    calibration_tables,
    gold_doubt_sentence,
    lowered_sentence,
    probability_sentence,
)
from reports.views.formalization_counts import ProblemOutcome, RunCounts
from reports.views.formalization_flows import formalization_flows
from reports.views.problem_records import ProblemRecords, RecordIndex
from reports.views.record_titles import CLAIMS
from reports.views.run_outcome import OutcomeTally, is_asked
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
    written = [write_page(run, page) for page in _pages(open_stage(run))]
    for path in (run / "report").glob(_FURTHER.format("*")):
        if path not in written:
            path.unlink()
    return written[-1]


@dataclass(frozen=True, slots=True)
class _Listed:
    """The data of a problem on a page: its row in the list, and the JSON text that is read when it is opened."""

    row: Row
    details: str


@dataclass(slots=True)
class _Problems:
    """The problems of a run as its pages list them; their data wait on disk, `order` has the places in the list."""

    counts: RunCounts = field(default_factory=RunCounts)
    tally: OutcomeTally = field(default_factory=OutcomeTally)
    models: InternedTexts = field(default_factory=InternedTexts)
    methods: InternedTexts = field(default_factory=InternedTexts)
    listed: Spool[_Listed] = field(default_factory=Spool)
    order: list[int] = field(default_factory=list)
    looks: list[Row] = field(default_factory=list)

    @classmethod
    def read(cls, stage: SealedStage) -> "_Problems":
        """Read a stage."""
        problems, index = cls(), RecordIndex.open(stage)
        # The numbers of names and methods follow the order of the files.
        for form in index.forms("programs.jsonl"):
            problems.models.number(form["model"])
        for form in index.forms("verdicts.jsonl"):
            problems.models.number(form["left"])
            problems.models.number(form.get("right"))
            problems.methods.number(form["method"])
        index.read("consensus.jsonl")
        problems.counts.add_models(stage.models())
        looks, found = FirstLooks(FIRST_LOOKS), set[int]()
        for place, records in enumerate(index.records()):
            problems._add(records, looks)
            if records.consensus is not None and records.consensus.findings:
                found.add(place)
        first = (
            [index.problem_ids[look.problem_id] for look in looks.looks()]
            if len(index.problem_ids) > MOST_PROBLEMS
            else []
        )
        # In the order of the file: on a divided list those to look at, and those with a finding, before the others.
        rank = dict.fromkeys(found, 2) | {place: 0 if place in found else 1 for place in first}
        problems.order = sorted(range(len(index.problem_ids)), key=lambda place: rank.get(place, 3))
        places = {place: number for number, place in enumerate(problems.order)}
        problems.looks = [
            [places[index.problem_ids[look.problem_id]], look.p_right, look.why] for look in looks.looks()
        ]
        return problems

    def _add(self, records: ProblemRecords, looks: FirstLooks) -> None:
        problem, consensus = records.problem, records.consensus
        self.counts.problems += is_asked(problem)
        values: dict[str, Values] = {}
        for program in records.programs:
            self.counts.add_program(program)
            values[program.model] = parameter_values(program.parameters)
        for verdict in records.verdicts:
            self.counts.add_verdict(verdict)
            self.tally.add_verdict(verdict)
        if consensus is not None:
            self.counts.add_consensus(consensus)
            self.tally.add_consensus(consensus)
            outcome, own = self.counts.outcome(consensus), self.counts.counts(problem.problem_id)
            looks.add(consensus, problem.gold, doubt(consensus, own, outcome))
        row = _row(problem, consensus, self.counts, self.models)
        programs = dump_compact([_program(program, self.models) for program in records.programs])
        verdicts = ",".join(
            dump_compact(_verdict(verdict, values, self.models, self.methods)) for verdict in records.verdicts
        )
        agreed = dump_compact(_consensus(consensus, problem.gold, self.models))
        self.listed.append(_Listed(row, f"[{dump_compact(problem.solution)},{programs},[{verdicts}],{agreed}]"))
        self.counts.forget(problem.problem_id)


def _pages(stage: SealedStage) -> Iterator[Page]:
    """Yield the pages, the last one first: when the first one is written, all pages that it links exist."""
    problems = _Problems.read(stage)
    counts, order = problems.counts, problems.order
    index = {
        **run_facts(stage),
        "models": list(problems.models.numbers),
        "methods": list(problems.methods.numbers),
        "outcomes": [outcome.title for outcome in ProblemOutcome],
        "funnel": [[step.title, step.count, step.of, step.depth] for step in counts.funnel()],
        "ladder": [[method, status, count] for (method, status), count in sorted(counts.methods.items())],
        "causes": list(map(cause_title, CauseKind)),
        "cause_counts": [
            [cause_title(cause.kind), cause.pairs, cause.proved, cause.tested, cause.counted]
            for cause in counts.cause_counts()
        ],
        "agreement": [
            [
                row.number,
                row.model,
                row.responses,
                row.readable,
                row.accepted,
                row.confirmed,
                row.decided,
                row.accuracy,
                row.one_witness_with,
            ]
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
        "lowered": lowered_sentence(counts.lowered) if counts.lowered else None,
    }
    plots = {
        "outcome": problems.tally.outcome(counts.problems).sentence,
        "coverage": coverage_plot(counts),
        "flows": Markup().join(flow_plot(f"plot-flow-{flow.unit}", flow) for flow in formalization_flows(counts)),
        "plots": confidence_plot(counts) + clique_plot(counts),
        "heatmap": agreement_plot(counts),
        "opened": len(counts.models()) <= MATRIX_MODELS,
    }
    starts = range(0, max(len(order), 1), MOST_PROBLEMS)
    names = ["index.html", *(_FURTHER.format(number) for number in range(2, len(starts) + 1))]
    ends = [min(start + MOST_PROBLEMS, len(order)) for start in starts]
    links = [(name, f"{start + 1:,} to {end:,}") for name, start, end in zip(names, starts, ends, strict=True)]

    def page(name: str, start: int, end: int) -> Page:
        own = [[place - start, *rest] for place, *rest in problems.looks if start <= place < end]
        return Page(
            name=name,
            template="report.html",
            search="Search id or question",
            index={
                **index,
                "certainty": {**certainty, "looks": own},
                "problems": [problems.listed[place].row for place in order[start:end]],
            },
            chunks=chunks_of(problems.listed[place].details for place in order[start:end]),
            scripts=("certainty.js", "program_code.js", "report.js"),
            values={**plots, "parts": links if len(links) > 1 else [], "part": name},
            kind="index.html",
        )

    for name, start, end in reversed(list(zip(names, starts, ends, strict=True))):
        yield page(name, start, end)


def _program(program: ProgramRecord, models: InternedTexts) -> Row:
    parameters = [
        [parameter.name, parameter.value, parameter.type, parameter.provenance, parameter.comment]
        for parameter in program.parameters
    ]
    texts = (program.dialect, program.code, program.value, program.reason)
    return [models.number(program.model), parameters, *texts, program.repairs]


def _verdict(verdict: Verdict, values: Mapping[str, Values], models: InternedTexts, methods: InternedTexts) -> Row:
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
            left_values=values.get(left, {}),
            right_values=values.get(right or "", {}),
        )
        row[10] = [sentence, counterexample.inputs]
    while row[-1] is None:
        row.pop()
    return row


def _alignment(alignment: ParameterAlignment) -> Row:
    aligned = [[pair.left, pair.right, pair.value, pair.similarity] for pair in alignment.aligned]
    runner_up = None if alignment.runner_up is None else json_form(alignment.runner_up)
    return [aligned, alignment.unaligned_left, alignment.unaligned_right, runner_up]


def _row(problem: Problem, consensus: ConsensusRecord | None, counts: RunCounts, models: InternedTexts) -> Row:
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
