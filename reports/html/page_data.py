"""Compact JSON form of a formalization run for its HTML page: interned texts, index rows and chunks of problems."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from reports.views.artefacts import FORMALIZATION, ReportError, SealedStage, command_for
from reports.views.records import CLAIMS, STATUSES, Alignment, Consensus, Problem, Program, Verdict
from reports.views.run_counts import ProblemOutcome, RunCounts
from reports.views.verdict_phrases import (
    Values,
    confidence_sentence,
    counterexample_sentence,
    dissent_reason,
    doubt,
    parameter_values,
    telling_counterexample,
)

# Problems a chunk: the page unpacks one in 10 ms when a problem is opened; zlib looks back 32 kB only, so
# larger chunks are no smaller.
CHUNK = 32
Row = list[Any]
Part = TypeVar("Part")

dump_compact = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class PackedRun:
    """A run as the page reads it: rows for the index, and JSON text of `CHUNK` problems each."""

    tally: RunCounts
    index: dict[str, Any]
    chunks: Iterator[str]


@dataclass(slots=True)
class _Parts:
    problem: Problem
    programs: list[Row] = field(default_factory=list)
    values: dict[str, Values] = field(default_factory=dict)
    # Kept as JSON text: 220,000 verdicts are 60 MB as text, 500 MB as lists.
    verdicts: list[str] = field(default_factory=list)
    consensus: Consensus | None = None


@dataclass(slots=True)
class InternedTexts:
    """Texts that a page holds once, numbered in the order in which they came."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str | None) -> int:
        """Return the number of a text, -1 for none."""
        return -1 if text is None else self.numbers.setdefault(text, len(self.numbers))


def pack(stage: SealedStage) -> PackedRun:
    """Read every artefact of `stage` once and return it as the page wants it.

    Raises:
        ReportError: A record names a problem that `problems.jsonl` lacks.
    """
    tally, models, methods = RunCounts(), InternedTexts(), InternedTexts()
    parts = {problem["problem_id"]: _Parts(problem) for problem in stage.problems()}
    tally.problems = len(parts)
    for program in stage.programs():
        tally.add_program(program)
        part = require_problem(parts, program["problem_id"], "programs.jsonl")
        part.programs.append(_program(program, models))
        part.values[program["model"]] = parameter_values(program.get("parameters"))
    for verdict in stage.verdicts():
        tally.add_verdict(verdict)
        part = require_problem(parts, verdict["problem_id"], "verdicts.jsonl")
        part.verdicts.append(dump_compact(_verdict(verdict, part, models, methods)))
    for consensus in stage.consensus():
        tally.add_consensus(consensus)
        require_problem(parts, consensus["problem_id"], "consensus.jsonl").consensus = consensus
    rows = [_row(part, tally, models) for part in parts.values()]
    consensus_rows = [_consensus(part.consensus, models) for part in parts.values()]
    details = map(_details, parts.values(), consensus_rows)
    index = {
        "run": stage.run.name,
        "seed": stage.manifest.get("seed"),
        "versions": stage.manifest.get("versions") or {},
        "options": stage.manifest.get("options") or {},
        "chunk": CHUNK,
        "models": list(models.numbers),
        "methods": list(methods.numbers),
        "outcomes": [outcome.title for outcome in ProblemOutcome],
        "funnel": [[step.title, step.count, step.of, step.depth] for step in tally.funnel()],
        "ladder": [[method, status, count] for (method, status), count in sorted(tally.methods.items())],
        "agreement": [
            [row.number, row.model, row.responses, row.readable, row.accepted, row.confirmed, row.decided]
            for row in tally.agreements()
        ],
        "problems": rows,
    }
    return PackedRun(tally=tally, index=index, chunks=chunks_of(details))


def _program(program: Program, models: InternedTexts) -> Row:
    parameters = [
        [parameter.get(key) for key in ("name", "value", "type", "provenance", "comment")]
        for parameter in program.get("parameters") or ()
    ]
    model = models.number(program["model"])
    rest = (program.get(key) for key in ("dialect", "code", "value", "reason"))
    return [model, parameters, *rest, program.get("repairs") or []]


def _verdict(verdict: Verdict, part: _Parts, models: InternedTexts, methods: InternedTexts) -> Row:
    left, right = verdict["left"], verdict["right"]
    counterexample, alignment = telling_counterexample(verdict), verdict.get("alignment")
    row: Row = [
        CLAIMS.index(verdict["claim"]),
        models.number(left),
        models.number(right),
        STATUSES.index(verdict["status"]),
        methods.number(verdict.get("method")),
        verdict.get("checked") or 0,
        verdict.get("unsupported") or 0,
        verdict.get("reason"),
        verdict.get("error_bound"),
        verdict.get("domain"),
        None,
        None if alignment is None else _alignment(alignment),
    ]
    if counterexample is not None:
        sentence = counterexample_sentence(
            counterexample,
            left_values=part.values.get(left, {}),
            right_values=part.values.get(right or "", {}),
        )
        row[10] = [sentence, counterexample["inputs"]]
    while row[-1] is None:
        row.pop()
    return row


def _alignment(alignment: Alignment) -> Row:
    aligned = [
        [pair["left"], pair["right"], pair.get("value"), pair.get("similarity")] for pair in alignment["aligned"]
    ]
    return [aligned, alignment["unaligned_left"], alignment["unaligned_right"], alignment.get("runner_up")]


def _row(part: _Parts, tally: RunCounts, models: InternedTexts) -> Row:
    problem, consensus = part.problem, part.consensus
    counts = tally.counts(problem["problem_id"])
    outcome = ProblemOutcome.NO_ORACLE if consensus is None else tally.outcome(consensus)
    return [
        problem["problem_id"],
        problem.get("tier"),
        problem["question"],
        problem.get("gold"),
        counts.responses,
        counts.readable,
        counts.accepted,
        0 if consensus is None else consensus["clique_size"],
        0.0 if consensus is None else round(consensus["confidence"], 4),
        -1 if consensus is None else models.number(consensus["oracle"]),
        int(outcome),
        counts.refuted,
        counts.unknown,
        doubt(consensus, counts, outcome),
    ]


def _consensus(consensus: Consensus | None, models: InternedTexts) -> Row | None:
    if consensus is None:
        return None
    return [
        [models.number(model) for model in consensus["clique"]],
        confidence_sentence(consensus),
        [
            [models.number(dissent["model"]), models.number(dissent.get("against")), dissent_reason(dissent)]
            for dissent in consensus.get("dissenters") or ()
        ],
        [
            [models.number(pair["left"]), models.number(pair["right"]), round(pair["score"], 4)]
            for pair in consensus.get("pairs") or ()
        ],
    ]


def chunks_of(items: Iterable[str]) -> Iterator[str]:
    """Join JSON texts to JSON lists of `CHUNK` each."""
    whole = iter(items)
    while chunk := list(islice(whole, CHUNK)):
        yield f"[{','.join(chunk)}]"


def require_problem(parts: Mapping[str, Part], problem_id: str, artefact: str, *, stage: str = FORMALIZATION) -> Part:
    """Return what belongs to a problem.

    Raises:
        ReportError: The artefact names a problem that `problems.jsonl` lacks.
    """
    try:
        return parts[problem_id]
    except KeyError:
        message = (
            f"{artefact}: names the problem {problem_id}, which problems.jsonl lacks; "
            f"run the stage again in a new folder: {command_for(stage)}"
        )
        raise ReportError(message) from None


def _details(part: _Parts, consensus: Row | None) -> str:
    return (
        f"[{dump_compact(part.problem.get('solution'))},{dump_compact(part.programs)},"
        f"[{','.join(part.verdicts)}],{dump_compact(consensus)}]"
    )
