"""The results of a run for constraint problems: those of the pipeline, and those that the suite judged claim by claim."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from harness.command_line.runnable_commands import runnable
from harness.domain import Status, Verdict
from harness.json_form import read_record
from harness.records.constraint import NOTHING_SAID, ConstraintProblem
from harness.stages import SMT, SMT_VALIDATE
from harness.store.run_folder import RunFolder, Stage
from harness.text.characters import one_line
from reports.views.artefacts import command_of, open_stage
from reports.views.tables import Column, Kind, Section, Table, command_section, numbers

Records = Mapping[str, Mapping[str, Any]]

REPAIRED, FILTERED, EVALUATED = "smt-repair", "smt-filter", "smt-evaluate"
LISTED, MOST_FINDINGS = 150, 10
"""The cards of a page: problems with a finding first, in order of their ids."""
CLAIM_COLUMNS = (*(status.name for status in reversed(Status)), NOTHING_SAID)
WRITTEN = ("valid", "correct", "correct where a number or name is asked for")


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
    def title(self) -> str:
        """Return how many problems have a finding."""
        return f"Programs with a finding: {self.with_findings:,} of {self.total:,}"

    @property
    def sentence(self) -> str:
        """Return how many of the problems are listed."""
        return f"{self.title}. Listed are {len(self.cards):,}, those with a finding first."

    def sections(self, folder: Path) -> list[Section]:
        """Return the sections of the terminal: the tables, the first findings, and the next commands."""
        rows = [[card.problem.id, one_line("; ".join(card.findings))] for card in self.cards if card.findings]
        problems = quote(str(folder / SMT / "problems.jsonl"))
        commands = {"page of all problems:": f"{command_of(folder)} --constraints"}
        if (folder / SMT).is_dir():
            commands["clauses that no assertion states:"] = runnable(f"oracle-factory smt align {problems} -o aligned")
            commands["train a model on them:"] = runnable(f"oracle-factory smt run --count 0 --problems {problems}")
        columns = [Column("problem", Kind.NAME), Column("finding", Kind.NAME)]
        return [
            Section(f"{self.name}: {self.total:,} constraint problems", []),
            *self.tables,
            Section(self.title, [Table(columns, rows[:MOST_FINDINGS], headless=True)]),
            command_section(commands),
        ]


def constraint_run(folder: Path) -> ConstraintRun:
    """Return the results of a run for constraint problems.

    Raises a HarnessError if no program was judged, or an artefact was changed after it was sealed.
    """
    # Opening a stage compares every file with the manifest.
    stages = [name for name in (SMT, SMT_VALIDATE) if (folder / name).is_dir()] or [SMT_VALIDATE]
    for name in stages:
        open_stage(folder, name)
    run = RunFolder(folder)
    cards = [*(_suite_cards(run) if SMT in stages else ()), *(_pipeline_cards(run) if SMT_VALIDATE in stages else ())]
    cards.sort(key=lambda card: (not card.findings, not card.repair, card.problem.id))
    written = sorted(_written_cards(run), key=lambda card: (not card.findings, card.problem.id))
    return ConstraintRun(
        name=folder.resolve().name,
        tables=tuple(_tables(run)),
        cards=tuple(cards[:LISTED]),
        written=tuple(written[:LISTED]),
        total=len(cards),
        with_findings=sum(bool(card.findings) for card in cards),
    )


def _tables(run: RunFolder) -> Iterator[Section]:
    """Yield the claims of the suite, the steps of the pipeline and what models wrote, as far as the run has them."""
    if run.stage(SMT).sealed:
        claims = []
        for name, found in run.stage(SMT).counts().items():
            claims.append([*name.rpartition(" ")[::2], *(found.get(column, 0) for column in CLAIM_COLUMNS)])
        yield Section("Claims", [Table([Column("domain"), Column("claim"), *numbers(*CLAIM_COLUMNS)], claims)])
    steps = []
    for path in sorted(run.folder.glob("smt-*/manifest.json"), key=lambda path: path.stat().st_mtime_ns):
        stage = Stage(path.parent)
        made = counts_phrase(stage.manifest().get("counts") or {}) or "done"
        steps.append([stage.folder.name.removeprefix("smt-"), made])
    if steps:
        yield Section("Steps", [Table([Column("step"), Column("result")], steps, headless=True)])
    if run.stage(EVALUATED).sealed:
        rows = []
        for row in run.stage(EVALUATED).records("rows.jsonl"):
            shares = (row["valid"], row["correct"], row["open"]["correct"])
            figures = (f"{share['count']:,} of {share['of']:,}" for share in shares)
            rows.append([one_line(row["row"].replace("_", ", ")), *figures])
        yield Section("What models wrote", [Table([Column("model"), *numbers(*WRITTEN)], rows)])


def _suite_cards(run: RunFolder) -> Iterator[ConstraintCard]:
    """Yield the problems that the suite judged, each with its claims; what a record does not say is no claim."""
    stage = open_stage(run.folder, SMT)
    verdicts: defaultdict[str, list[Verdict]] = defaultdict(list)
    for verdict in stage.verdicts():
        if verdict.method != NOTHING_SAID:
            verdicts[verdict.problem_id].append(verdict)
    alignments = _by_id(run.stage(SMT), "alignment.jsonl")
    for problem in stage.records(ConstraintProblem, "problems.jsonl"):
        judged, alignment = verdicts[problem.id], alignments.get(problem.id, {})
        doubtful = (verdict for verdict in judged if verdict.status is not Status.CONFIRMED)
        findings = [f"{verdict.claim}: {verdict.reason or verdict.status.name}" for verdict in doubtful]
        statuses = tuple((verdict.claim, verdict.status.name) for verdict in judged)
        answer = f"Known answer {problem.gold}." if problem.gold else ""
        yield ConstraintCard(problem, (*findings, *_unstated(alignment)), statuses, answer, alignment)


def _pipeline_cards(run: RunFolder) -> Iterator[ConstraintCard]:
    """Yield the problems whose programs the pipeline validated, with what was repaired."""
    validated = run.stage(SMT_VALIDATE)
    repaired = run.stage(REPAIRED).sealed
    source = run.stage(REPAIRED if repaired else FILTERED)
    problems = _by_id(source, "problems.jsonl" if repaired else "valid.jsonl")
    alignments, repairs = _by_id(validated, "alignment.jsonl"), _by_id(source, "repairs.jsonl")
    for found in validated.records("validation.jsonl"):
        name = found["id"]
        yield _validated_card(problems[name], found, alignments.get(name, {}), repairs.get(name, {}))


def _written_cards(run: RunFolder) -> Iterator[ConstraintCard]:
    """Yield the programs that the best model of the run wrote for the reserved problems."""
    if run.stage(EVALUATED).sealed:
        reserved = _by_id(run.stage("smt-format"), "evaluation.jsonl")
        for record in run.stage(EVALUATED).records("programs.jsonl"):
            problem = {**reserved[record["validation"]["id"]], "program": record["program"]}
            yield _validated_card(problem, record["validation"], record if "clauses" in record else {}, {})


def _validated_card(
    record: Mapping[str, Any], validation: Mapping[str, Any], alignment: Mapping[str, Any], repair: Mapping[str, Any]
) -> ConstraintCard:
    problem = read_record(ConstraintProblem, record)
    findings = []
    if not validation["valid"]:
        findings.append(f"not valid: {validation['error'] or 'the solvers do not read it'}")
    elif validation["correct"] is False:
        findings.append("not what is known of the answer")
    elif validation["correct"] is None and validation["unique"] is False:
        findings.append("more than one answer")
    if repair and not (repair.get("repaired") and repair.get("certain")):
        findings.append("repaired, and may be another program" if repair.get("repaired") else "not repaired")
    answers = tuple(sorted((str(name), str(answer)) for name, answer in (validation.get("by_solver") or {}).items()))
    outcome = ""
    if problem.gold:
        found = f", found {validation['answer']}" if validation.get("answer") else ""
        outcome = f"Known answer {problem.gold}{found}. "
    if validation["satisfiable"] is not None:
        unique = {True: ", one answer", False: ", more than one answer", None: ""}[validation["unique"]]
        outcome += f"{'Satisfiable' if validation['satisfiable'] else 'Unsatisfiable'}{unique}."
    return ConstraintCard(problem, (*findings, *_unstated(alignment)), answers, outcome, alignment, repair)


def _unstated(alignment: Mapping[str, Any]) -> list[str]:
    return [f"no assertion states “{text}”" for text in alignment.get("unstated", ())]


def _by_id(stage: Stage, name: str) -> Records:
    """Return the records of a file by id, none where the stage has no such file."""
    records = stage.records(name) if name in stage.manifest()["files"] else ()
    return {record["id"]: record for record in records}


def counts_phrase(counts: Mapping[str, Any]) -> str:
    """Return counts as words: `5 broken, ways (2 infix, 1 wrapped)`."""
    parts = []
    for name, count in counts.items():
        words = name.replace("_", " ")
        if count != {}:
            parts.append(f"{words} ({counts_phrase(count)})" if isinstance(count, dict) else f"{count:,} {words}")
    return ", ".join(parts)
