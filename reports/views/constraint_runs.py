"""What a run of the constraint pipeline found: its problems with verdicts of both solvers, repairs and the alignment of clauses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.command_line.programs import runnable
from harness.json_form import read_record
from harness.smtlib.constraint_problem import ConstraintProblem
from harness.store.run_folder import RunFolder
from reports.views.artefacts import NotSealedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from harness.store.run_folder import Stage

VALIDATED, REPAIRED, FILTERED, EVALUATED = "smt-validate", "smt-repair", "smt-filter", "smt-evaluate"
LISTED = 150
"""The cards of a page: problems with a finding first, in order of their ids."""


@dataclass(frozen=True, slots=True)
class ConstraintCard:
    """A problem with what was found of its program: `findings` in words, and each clause with the assertions that state it."""

    problem: ConstraintProblem
    validation: Mapping[str, Any]
    alignment: Mapping[str, Any]
    repair: Mapping[str, Any] = field(default_factory=dict)

    @property
    def findings(self) -> tuple[str, ...]:
        """Return what a reader should look at."""
        found = []
        if not self.validation["valid"]:
            found.append(f"not valid: {self.validation['error'] or 'the solvers do not read it'}")
        elif self.validation["correct"] is False:
            found.append("not what is known of the answer")
        elif self.validation["correct"] is None and self.validation["unique"] is False:
            found.append("more than one answer")
        if self.repair and not self.repair.get("repaired"):
            found.append("not repaired")
        elif self.repair and not self.repair.get("certain"):
            found.append("repaired, and may be another program")
        found += [f"no assertion states “{text}”" for text in self.alignment.get("unstated", ())]
        return tuple(found)

    @property
    def verdicts(self) -> tuple[tuple[str, str], ...]:
        """Return what each solver answered, by its name."""
        return tuple(sorted((str(name), str(said)) for name, said in (self.validation.get("by_solver") or {}).items()))


@dataclass(frozen=True, slots=True)
class ConstraintRun:
    """A run of the constraint pipeline: its steps with their counts, the rows of its evaluation, and its problems."""

    name: str
    steps: tuple[tuple[str, str], ...]
    rows: tuple[Mapping[str, Any], ...]
    cards: tuple[ConstraintCard, ...]
    written: tuple[ConstraintCard, ...]
    total: int
    with_findings: int

    @property
    def sentence(self) -> str:
        """Return what is listed of how many."""
        found = f"Programs with a finding: {self.with_findings:,} of {self.total:,}"
        return f"{found}. Listed are {len(self.cards):,}, those with a finding first."


def constraint_run(folder: Path) -> ConstraintRun:
    """Return what a run of the constraint pipeline found.

    Raises:
        HarnessError: its programs were not validated, or an artefact was changed after it was sealed.
    """
    run = RunFolder(folder)
    if not run.stage(VALIDATED).sealed:
        raise NotSealedError(
            f"{folder}: no validated constraint programs; make them: {runnable('oracle-factory smt run')}"
        )
    validated = run.stage(VALIDATED)
    alignments = {record["id"]: record for record in _known(validated, "alignment.jsonl")}
    source = next(stage for stage in (run.stage(REPAIRED), run.stage(FILTERED)) if stage.sealed)
    name = "problems.jsonl" if source.folder.name == REPAIRED else "valid.jsonl"
    problems = {record["id"]: record for record in source.records(name)}
    repairs = {record["id"]: record for record in _known(source, "repairs.jsonl")}
    cards = [
        ConstraintCard(
            read_record(ConstraintProblem, problems[found["id"]]),
            found,
            alignments.get(found["id"], {}),
            repairs.get(found["id"], {}),
        )
        for found in validated.records("validation.jsonl")
    ]
    cards.sort(key=lambda card: (not card.findings, not card.repair, card.problem.id))
    evaluated = run.stage(EVALUATED)
    return ConstraintRun(
        folder.resolve().name,
        tuple(_steps(run)),
        tuple(evaluated.records("rows.jsonl")) if evaluated.sealed else (),
        tuple(cards[:LISTED]),
        tuple(_written(run)),
        len(cards),
        sum(bool(card.findings) for card in cards),
    )


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
        ConstraintCard(
            read_record(ConstraintProblem, {**reserved[record["validation"]["id"]], "program": record["program"]}),
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
            steps.append((stage.folder.name.removeprefix("smt-"), counts_phrase(stage.manifest().get("counts") or {})))
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
