"""The results of a run for constraint problems: those of the pipeline, and those that the suite judged claim by claim."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from shlex import quote
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.domain import Status, Verdict
from harness.json_form import read_record
from harness.smtlib.constraint_problem import NOTHING_SAID, ConstraintProblem
from harness.stages import SMT, SMT_VALIDATE
from harness.store.run_folder import RunFolder
from harness.text.characters import one_line
from reports.views.artefacts import NotSealedError, command_of, open_stage
from reports.views.tables import Column, Kind, Section, Table, command_section, numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from harness.store.run_folder import Stage

REPAIRED, FILTERED, EVALUATED = "smt-repair", "smt-filter", "smt-evaluate"
ALIGNED = "alignment.jsonl"
LISTED, MOST_FINDINGS = 150, 10
"""The cards of a page: problems with a finding first, in order of their ids."""
CLAIM_COLUMNS = (*(status.name for status in reversed(Status)), NOTHING_SAID)


@dataclass(frozen=True, slots=True)
class ConstraintCard:
    """A problem with what was found of its program.

    `findings` are what a reader should look at, in words; `verdicts` what each solver answered or what became of each claim, by name;
    `outcome` says what is known of the answer; `alignment` has each clause with the assertions that state it.
    """

    problem: ConstraintProblem
    findings: tuple[str, ...]
    verdicts: tuple[tuple[str, str], ...]
    outcome: str
    alignment: Mapping[str, Any]
    repair: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConstraintRun:
    """The constraint problems of a run: its tables, the problems, and those that the best model wrote programs for."""

    name: str
    tables: tuple[Section, ...]
    cards: tuple[ConstraintCard, ...]
    written: tuple[ConstraintCard, ...]
    total: int
    with_findings: int

    @property
    def sentence(self) -> str:
        """Return how many of the problems are listed."""
        found = f"Programs with a finding: {self.with_findings:,} of {self.total:,}"
        return f"{found}. Listed are {len(self.cards):,}, those with a finding first."

    def sections(self, folder: Path) -> list[Section]:
        """Return the sections of the terminal: the tables, the first findings, and the next commands."""
        rows = [[card.problem.id, one_line("; ".join(card.findings))] for card in self.cards if card.findings]
        problems = quote(str(folder / SMT / "problems.jsonl"))
        commands = {"page of all problems:": f"{command_of(folder)} --constraints"}
        if (folder / SMT).is_dir():
            commands["clauses that no assertion states:"] = runnable(f"oracle-factory smt align {problems} -o aligned")
            commands["train a model on them:"] = runnable(f"oracle-factory smt run --count 0 --problems {problems}")
        columns = [Column("problem", Kind.NAME), Column("finding", Kind.NAME)]
        title = f"Programs with a finding: {self.with_findings:,} of {self.total:,}"
        return [
            Section(f"{self.name}: {self.total:,} constraint problems", []),
            *self.tables,
            Section(title, [Table(columns, rows[:MOST_FINDINGS], headless=True)]),
            command_section(commands),
        ]


def constraint_run(folder: Path) -> ConstraintRun:
    """Return the results of a run for constraint problems.

    Raises:
        HarnessError: no program was judged, or an artefact was changed after it was sealed.
    """
    there = [stage for stage in (SMT, SMT_VALIDATE) if (folder / stage).is_dir()]
    if not there:
        raise NotSealedError(
            f"{folder}: no validated constraint programs; make them: {runnable('oracle-factory smt run')}"
        )
    for stage in there:
        open_stage(folder, stage)  # compares every file with the manifest
    cards = [
        *(_suite_cards(folder) if SMT in there else ()),
        *(_pipeline_cards(folder) if SMT_VALIDATE in there else ()),
    ]
    cards.sort(key=lambda card: (not card.findings, not card.repair, card.problem.id))
    run = RunFolder(folder)
    return ConstraintRun(
        name=folder.resolve().name,
        tables=tuple(_tables(run)),
        cards=tuple(cards[:LISTED]),
        written=tuple(_written(run)),
        total=len(cards),
        with_findings=sum(bool(card.findings) for card in cards),
    )


def _tables(run: RunFolder) -> Iterator[Section]:
    """Yield the claims of the suite, the steps of the pipeline and what models wrote, as far as the run has them."""
    if run.stage(SMT).sealed:
        claims = [
            [*name.rpartition(" ")[::2], *(found.get(column, 0) for column in CLAIM_COLUMNS)]
            for name, found in run.stage(SMT).counts().items()
        ]
        yield Section("Claims", [Table([Column("domain"), Column("claim"), *numbers(*CLAIM_COLUMNS)], claims)])
    steps = _steps(run)
    if steps:
        yield Section("Steps", [Table([Column("step"), Column("result")], steps, headless=True)])
    evaluated = run.stage(EVALUATED)
    if evaluated.sealed:
        rows = [
            [
                one_line(row["row"].replace("_", ", ")),
                *(
                    f"{share['count']:,} of {share['of']:,}"
                    for share in (row["valid"], row["correct"], row["open"]["correct"])
                ),
            ]
            for row in evaluated.records("rows.jsonl")
        ]
        heads = ("valid", "correct", "correct where a number or name is asked for")
        yield Section("What models wrote", [Table([Column("model"), *numbers(*heads)], rows)])


def _suite_cards(folder: Path) -> list[ConstraintCard]:
    """Return the problems that the suite judged, each with its claims; what a record does not say is no claim."""
    stage = open_stage(folder, SMT)
    verdicts: defaultdict[str, list[Verdict]] = defaultdict(list)
    for verdict in stage.verdicts():
        if verdict.method != NOTHING_SAID:
            verdicts[verdict.problem_id].append(verdict)
    alignments = {record["id"]: record for record in _known(RunFolder(folder).stage(SMT), ALIGNED)}
    cards = []
    for problem in stage.records(ConstraintProblem, "problems.jsonl"):
        judged = verdicts[problem.id]
        alignment = alignments.get(problem.id, {})
        found = [
            f"{verdict.claim}: {verdict.reason or verdict.status.name}"
            for verdict in judged
            if verdict.status is not Status.CONFIRMED
        ]
        shown = tuple((verdict.claim, verdict.status.name) for verdict in judged)
        answer = f"Known answer {problem.gold}." if problem.gold else ""
        cards.append(ConstraintCard(problem, (*found, *_unstated(alignment)), shown, answer, alignment))
    return cards


def _pipeline_cards(folder: Path) -> list[ConstraintCard]:
    """Return the problems whose programs the pipeline validated, with what was repaired."""
    run = RunFolder(folder)
    validated = run.stage(SMT_VALIDATE)
    alignments = {record["id"]: record for record in _known(validated, ALIGNED)}
    source = run.stage(REPAIRED if run.stage(REPAIRED).sealed else FILTERED)
    name = "problems.jsonl" if source.folder.name == REPAIRED else "valid.jsonl"
    problems = {record["id"]: record for record in source.records(name)}
    repairs = {record["id"]: record for record in _known(source, "repairs.jsonl")}
    return [
        _validated_card(problems[found["id"]], found, alignments.get(found["id"], {}), repairs.get(found["id"], {}))
        for found in validated.records("validation.jsonl")
    ]


def _validated_card(
    record: Mapping[str, Any],
    validation: Mapping[str, Any],
    alignment: Mapping[str, Any],
    repair: Mapping[str, Any] | None = None,
) -> ConstraintCard:
    problem = read_record(ConstraintProblem, record)
    found = []
    if not validation["valid"]:
        found.append(f"not valid: {validation['error'] or 'the solvers do not read it'}")
    elif validation["correct"] is False:
        found.append("not what is known of the answer")
    elif validation["correct"] is None and validation["unique"] is False:
        found.append("more than one answer")
    if repair and not repair.get("repaired"):
        found.append("not repaired")
    elif repair and not repair.get("certain"):
        found.append("repaired, and may be another program")
    answers = tuple(sorted((str(name), str(said)) for name, said in (validation.get("by_solver") or {}).items()))
    findings = (*found, *_unstated(alignment))
    return ConstraintCard(problem, findings, answers, _outcome(problem, validation), alignment, repair or {})


def _outcome(problem: ConstraintProblem, validation: Mapping[str, Any]) -> str:
    """Return the known answer beside the one that was found, and whether there is another."""
    said = ""
    if problem.gold:
        found = f", found {validation['answer']}" if validation.get("answer") else ""
        said = f"Known answer {problem.gold}{found}. "
    if validation["satisfiable"] is not None:
        answers = {True: ", one answer", False: ", more than one answer", None: ""}[validation["unique"]]
        said += f"{'Satisfiable' if validation['satisfiable'] else 'Unsatisfiable'}{answers}."
    return said


def _unstated(alignment: Mapping[str, Any]) -> list[str]:
    opposed = alignment.get("opposed", ())
    return [
        *(f"no assertion states “{text}”" for text in alignment.get("unstated", ())),
        *(f"“{text}” is numbered the other way than the rest" for text in opposed),
    ]


def _known(stage: Stage, name: str) -> Iterable[Mapping[str, Any]]:
    """Return the records of a file, none where the release that sealed the stage wrote no such file."""
    return stage.records(name) if name in stage.manifest()["files"] else ()


def _written(run: RunFolder) -> list[ConstraintCard]:
    """Return the programs that the best model of the run wrote for the reserved problems, those with a finding first."""
    evaluated = run.stage(EVALUATED)
    if not evaluated.sealed:
        return []
    reserved = {record["id"]: record for record in run.stage("smt-format").records("evaluation.jsonl")}
    cards = [
        _validated_card(
            {**reserved[record["validation"]["id"]], "program": record["program"]},
            record["validation"],
            record if "clauses" in record else {},
        )
        for record in evaluated.records("programs.jsonl")
    ]
    return sorted(cards, key=lambda card: (not card.findings, card.problem.id))[:LISTED]


def _steps(run: RunFolder) -> list[tuple[str, str]]:
    steps = []
    for manifest in sorted(run.folder.glob("smt-*/manifest.json"), key=lambda path: path.stat().st_mtime_ns):
        stage = run.stage(manifest.parent.name)
        if stage.sealed:
            steps.append(
                (stage.folder.name.removeprefix("smt-"), counts_phrase(stage.manifest().get("counts") or {}) or "done")
            )
    return steps


def counts_phrase(counts: Mapping[str, Any]) -> str:
    """Return counts as words: `5 broken, ways (2 infix, 1 wrapped)`."""
    parts: Sequence[str] = [
        f"{name.replace('_', ' ')} ({counts_phrase(count)})"
        if isinstance(count, dict)
        else f"{count:,} {name.replace('_', ' ')}"
        for name, count in counts.items()
        if count != {}
    ]
    return ", ".join(parts)
