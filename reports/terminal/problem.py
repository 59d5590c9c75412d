"""Terminal printouts of one problem: its clique, programs and verdicts, or the traces of its templates."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from rich.console import Console

from harness.domain import Problem, Verdict
from harness.errors import HarnessError
from harness.records.formalization import ConsensusRecord, ProgramRecord
from harness.records.template import TraceRecord
from harness.stages import TEMPLATE
from harness.text.characters import spaced
from reports.terminal.sections import print_brief, print_sections
from reports.views import phrases
from reports.views.artefacts import SealedStage, command_of, open_stage
from reports.views.formalization_counts import ProblemRecords
from reports.views.graph_layout import steps_of
from reports.views.run_summary import ProblemSummary
from reports.views.tables import STATUS_TONES, Cell, Column, Kind, Prose, Row, Section, Table, Tone


def print_problem(run: Path, problem_id: str, console: Console, *, verbose: bool = True, as_json: bool = False) -> None:
    """Print a problem of `run`: question, clique, programs, verdicts, counterexamples, alignments.

    Unless `verbose`, print in a few lines, or as JSON, its oracle, and which programs are wrong and why.

    Raises a HarnessError if the run holds no such problem; the message has the closest ids; also if `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run)
    problem = find_problem(stage, problem_id)
    programs, verdicts = list(stage.programs(problem_id)), list(stage.verdicts(problem_id))
    consensus = next(stage.consensus(problem_id), None)
    if not verbose:
        records = ProblemRecords(problem, programs, verdicts, consensus)
        print_brief(ProblemSummary.of(stage, records), console, as_json=as_json)
        return
    verdicts.sort(key=lambda verdict: (verdict.claim, verdict.status, verdict.left, verdict.right or ""))
    values = {program.model: phrases.parameter_values(program.parameters) for program in programs}
    programs.sort(key=lambda program: (_standing(program, consensus), program.model))
    shown = [_program_section(program, consensus) for program in programs]
    clique = Section("Clique", list(_clique(consensus, problem.gold)))
    judged = [block for verdict in verdicts for block in _verdict(verdict, values)] or [Prose("none")]
    print_sections(console, [question_section(problem), clique, *shown, Section("Verdicts", judged)])


def find_problem(stage: SealedStage, problem_id: str, *, option: str = "--problem") -> Problem:
    """Return a problem of a stage.

    Raises a HarnessError if there is none of that id; the message has the closest ids and a command with `option`.
    """
    ids = []
    for problem in stage.problems():
        if problem.problem_id == problem_id:
            return problem
        ids.append(problem.problem_id)
    raise unknown_id(stage, problem_id, "the id of a problem", ids, option)


def unknown_id(stage: SealedStage, name: str, expected: str, known: Sequence[str], option: str) -> HarnessError:
    """Return the error on an id that a stage does not hold, with the closest of those that are known and the command for the first."""
    closest, command = get_close_matches(name, known, n=3, cutoff=0.4), command_of(stage.run)
    hint = f"see {command}"
    if closest:
        hint = f"did you mean {' or '.join(closest)}? {command} {option} {shlex.quote(closest[0])}"
    return HarnessError(f"{name}: expected {expected} of {stage.run}, found none; {hint}")


def question_section(problem: Problem) -> Section:
    """Return a problem's id, question, gold answer, tier and solution."""
    tier = "" if problem.tier is None else f"   tier {problem.tier}"
    solution = [Prose(problem.solution, Tone.WEAK)] if problem.solution else []
    gold = Prose(f"gold {'none' if problem.gold is None else problem.gold}{tier}", Tone.STRONG)
    return Section(problem.problem_id, [Prose(problem.question), gold, *solution])


def _standing(program: ProgramRecord, consensus: ConsensusRecord | None) -> int:
    if consensus is not None and program.model == consensus.oracle:
        return 0
    if consensus is not None and program.model in consensus.clique:
        return 1
    return 2 if program.reason is None else 3


def _clique(consensus: ConsensusRecord | None, gold: str | None) -> Iterator[Prose]:
    if consensus is None:
        yield Prose("no consensus was written", Tone.FAIR)
        return
    yield Prose(f"oracle {consensus.oracle or 'none'}", Tone.STRONG)
    yield Prose(f"clique {', '.join(consensus.clique) or 'none'}")
    yield Prose(f"p_right {phrases.probability_sentence(consensus)}")
    yield Prose(f"confidence {phrases.confidence_sentence(consensus)}")
    for pair in consensus.pairs:
        if pair.uncounted is not None:
            cause = spaced(pair.uncounted)
            yield Prose(f"not counted: {pair.left} ~ {pair.right} differ, cause: {cause}", Tone.FAIR)
    if consensus.gold_doubt is not None:
        yield Prose(phrases.gold_doubt_sentence(consensus.gold_doubt, gold), Tone.FAIR)
    for finding in consensus.findings:
        yield Prose(phrases.rounding_sentence(finding), Tone.FAIR)


def _program_section(program: ProgramRecord, consensus: ConsensusRecord | None) -> Section:
    standing = ("oracle", "clique", "outside the clique", "unreadable")[_standing(program, consensus)]
    blocks: list[Prose | Table] = [Prose(f"value {program.value or 'none'}, dialect {program.dialect or 'unknown'}")]
    dissenters = () if consensus is None else consensus.dissenters
    reasons = (phrases.dissent_reason(dissenter) for dissenter in dissenters if dissenter.model == program.model)
    blocks += [Prose(f"dissents: {reason}", Tone.FAIR) for reason in reasons]
    if program.reason is not None:
        blocks.append(Prose(f"could not be read: {program.reason}", Tone.BAD))
    blocks += [Prose(f"repaired: {repair}", Tone.WEAK) for repair in program.repairs]
    if program.code:
        lines = program.code.rstrip("\n").split("\n")
        rows = [[f"{number}", line.expandtabs(4)] for number, line in enumerate(lines, start=1)]
        blocks.append(Table([Column("line", Kind.NUMBER, Tone.WEAK), Column("code")], rows, headless=True))
    if program.parameters:
        heads = ("parameter", "value", "type", "provenance", "comment")
        blocks.append(Table(list(map(Column, heads)), list(map(phrases.PARAMETER_FIELDS, program.parameters))))
    return Section(f"{program.model}  {standing}", blocks)


def _verdict(verdict: Verdict, values: Mapping[str, phrases.Values]) -> Iterator[Table | Prose]:
    status, tone = verdict.status.name, STATUS_TONES[verdict.status]
    how = Cell(phrases.method_phrase(verdict), Tone.WEAK)
    head: Row = [phrases.CLAIM_TITLES[verdict.claim], Cell(status, tone), phrases.pair_of(verdict), how]
    yield Table([Column("") for _ in head], [head], headless=True)
    if verdict.reason:
        yield Prose(f"    {verdict.reason}")
    counterexample = phrases.counterexample_sentence(verdict, values)
    if counterexample:
        yield Prose(f"    {counterexample}")
    if verdict.domain:
        yield Prose(f"    domain: {'; '.join(f'{name} {where}' for name, where in verdict.domain.items())}")
    alignment = verdict.alignment
    if alignment is not None:
        for pair in alignment.aligned:
            yield Prose(f"    {pair.left} = {pair.right} ({pair.value}), similarity {pair.similarity:.2f}")
        for side, names in (("left", alignment.unaligned_left), ("right", alignment.unaligned_right)):
            if names:
                yield Prose(f"    unaligned {side}: {', '.join(names)}", Tone.FAIR)


def print_trace(run: Path, problem_id: str, console: Console) -> None:
    """Print the traces of a problem's templates: claims, and for each line its inputs, expression and value.

    Raises a HarnessError if the stage holds no such problem; the message has the closest ids; also if the template stage of `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, TEMPLATE)
    question = question_section(find_problem(stage, problem_id, option="--trace"))
    traces = {trace.model: trace for trace in stage.records(TraceRecord, "traces.jsonl", problem_id)}
    verdicts: dict[str, list[Verdict]] = {}
    for verdict in stage.verdicts(problem_id):
        verdicts.setdefault(verdict.left, []).append(verdict)
    missing = Prose("no trace was made of this template", Tone.FAIR)
    sections = []
    for model in sorted({*traces, *verdicts}):
        trace = _trace(traces[model]) if model in traces else [missing]
        sections.append(Section(model, [*_trace_claims(verdicts.get(model, [])), *trace]))
    print_sections(console, [question, *sections])


def _trace_claims(verdicts: Sequence[Verdict]) -> Iterator[Table | Prose]:
    rows: list[Row] = []
    for verdict in sorted(verdicts, key=lambda verdict: phrases.TRACE_CLAIMS.index(verdict.claim)):
        reason = "" if verdict.findings else verdict.reason or ""
        rows.append([Cell(verdict.status.name, STATUS_TONES[verdict.status]), verdict.claim, Cell(reason, Tone.WEAK)])
        for finding in verdict.findings:
            found = f"found {finding.found!r}, expected {finding.expected!r}"
            rows.append(["", "", f"{finding.line} {finding.cause}: {found}"])
    yield Table([Column("status", Kind.NAME), Column("claim", Kind.NAME), Column("reason")], rows, headless=True)


def _trace(trace: TraceRecord) -> Iterator[Table | Prose]:
    entries, dead = trace.entries, frozenset(trace.dead)
    rows: list[Row] = []
    for step in steps_of(entries):
        numbers = [*step.inputs, *([] if step.output is None else [step.output])]
        for place, number in enumerate(numbers):
            entry = entries[number]
            role, is_dead = phrases.ROLE_TITLES[entry.role], entry.variable in dead
            texts = (entry.variable, entry.value, f"{role}, dead" if is_dead else role, entry.code or entry.comment)
            cells = (Cell(text, Tone.WEAK if is_dead else Tone.PLAIN) for text in texts)
            rows.append(["" if place else step.line or "", *cells])
    yield Table(list(map(Column, ("line", "variable", "value", "from", "expression"))), rows)
    for mismatch in trace.mismatches:
        yield Prose(f"{mismatch.line} differs in {mismatch.cause}", Tone.BAD)
        yield Prose(f"    template: {mismatch.given}")
        yield Prose(f"    solution: {mismatch.expected}")
    unexplained = [
        f"{line.line} {', '.join(literal.text for literal in line.literals)}" for line in trace.lines if line.literals
    ]
    if unexplained:
        yield Prose(f"without a certain variable: {'; '.join(unexplained)}", Tone.WEAK)
