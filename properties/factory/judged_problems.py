"""The first stage alone, for the command and for Python: judged answers, and the result of each problem."""

import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from harness.corpora.field_roles import FieldNames
from harness.corpora.table_rows import row_records
from harness.domain import Verdict
from harness.errors import HarnessError
from harness.records.formalization import ConsensusRecord, OracleRecord
from harness.result_display import Result
from harness.stages import FORMALIZATION
from harness.store.progress_line import StageProgress, caller_progress
from harness.store.run_folder import held_lock, link_latest
from properties.engine.inputs import SessionInputs
from properties.factory.factory_run import RUNS, engine_of, inputs_text, judge_and_seal, opened_inputs, require_folder
from properties.factory.options import JudgeCommandOptions, JudgeOptions
from reports.html.formalization_page import write_report
from reports.terminal.stages import print_stage
from reports.views.artefacts import open_stage
from reports.views.phrases import reason_to_look

Records = Iterable[Mapping[str, Any]]


@dataclass(frozen=True, slots=True, repr=False)
class JudgedProblem(Result):
    """The result of one problem."""

    problem_id: str
    """The problem."""
    oracle: OracleRecord | None
    """The program that stands for the largest group that agrees; `None` where no two programs agree."""
    consensus: ConsensusRecord
    """The group, its confidence score, the probability that the oracle is right, and who dissents why."""
    verdicts: tuple[Verdict, ...]
    """The verdict on each program (UT-1) and on each pair of programs (UT-2, UT-3)."""
    look: str
    """Why a person should look at the problem; empty if there is no reason."""

    @property
    def summary(self) -> str:
        """Return the answer of the oracle with its probability, and how many programs agree."""
        if self.oracle is None:
            return f"{self.problem_id}, no programs agree"
        probability = "unknown" if self.consensus.p_right is None else f"{self.consensus.p_right:.2f}"
        return f"{self.problem_id}, answer {self.oracle.value}, p_right {probability}, {self.consensus.clique_size} programs agree"

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row of the oracle and the group that agrees."""
        answer, code = (None, None) if self.oracle is None else (self.oracle.value, self.oracle.code)
        row = {"problem_id": self.problem_id, "answer": answer, "p_right": self.consensus.p_right}
        clique = ", ".join(self.consensus.clique)
        return [{**row, "confidence": self.consensus.confidence, "clique": clique, "look": self.look, "code": code}]


@dataclass(frozen=True, slots=True, repr=False)
class JudgedRun(Result, Mapping[str, JudgedProblem]):
    """The problems of a run by id, in the order of the file; `folder` is the run, `None` where it was not kept."""

    problems: Mapping[str, JudgedProblem]
    folder: Path | None = None

    def __getitem__(self, problem_id: str) -> JudgedProblem:
        return self.problems[problem_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.problems)

    def __len__(self) -> int:
        return len(self.problems)

    @property
    def summary(self) -> str:
        """Return the counts of problems, oracles and problems that a person should look at."""
        looks = sum(bool(problem.look) for problem in self.problems.values())
        return f"{len(self):,} problems, {len(self.oracles):,} oracles, {looks:,} to look at"

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each problem."""
        return [row for problem in self.problems.values() for row in problem.rows()]

    @property
    def oracles(self) -> dict[str, OracleRecord]:
        """Return the oracles by problem, of the problems that have one."""
        return {name: problem.oracle for name, problem in self.problems.items() if problem.oracle is not None}


def judge_command(options: JudgeCommandOptions) -> int:
    """Judge the answers, print what came of them, write the page and return the exit status; errors as in `run_factory`."""
    folder = judged_run(options).run.folder
    console = Console(highlight=False)
    page = write_report(folder)
    link_latest(folder)
    print_stage(folder, FORMALIZATION, console, verbose=options.verbose, as_json=options.json)
    if not options.json:
        console.print(f"page: {page}", markup=False, soft_wrap=True)
    return 0


def judge_records(
    problems: str | Path | Records,
    answers: str | Path | Sequence[str | Path | Mapping[str, Any]] | Records | Any,
    *,
    out: Path | None,
    processes: int | None,
    named: FieldNames,
    progress: bool = False,
) -> JudgedRun:
    """Judge answers that are files or records; `named` are fields of the problems; see `oracle_factory.judge`."""
    with tempfile.TemporaryDirectory(prefix="oracle-factory-") as scratch:
        folder = Path(scratch)
        corpus = str(problems)
        if not isinstance(problems, str | Path):
            corpus = _file_of(problems, folder / "problems.jsonl", option="problems")
        names, records = [], [answers] if isinstance(answers, str | Path) else answers
        if isinstance(records, list | tuple):
            names = [str(answer) for answer in records if isinstance(answer, str | Path)]
            records = [answer for answer in records if not isinstance(answer, str | Path)]
        if not isinstance(records, list) or records:
            names.append(_file_of(records, folder / "answers.jsonl", option="answers"))
        given: dict[str, Any] = {} if processes is None else {"processes": processes}
        given |= {"question_field": named.question, "solution_field": named.solution, "answer_field": named.answer}
        options = JudgeOptions(corpus=corpus, answers=names, out=out or folder / "run", **given)
        shown = caller_progress("judge", "problems", shown=progress)
        return _sealed_results(judged_run(options, quiet=True, progress=shown).run.folder, kept=out is not None)


def judged_run(
    options: JudgeOptions, *, quiet: bool = False, progress: StageProgress | None = None, runs: Path = RUNS
) -> SessionInputs:
    """Judge the run, by default one in `runs`, unless it is sealed, and return its inputs.

    The formalization stage is sealed then. Errors as in `judge_command`.
    """
    if options.out is not None:
        require_folder(options.out)
    engine = engine_of(options)
    inputs = opened_inputs(options, runs)
    with held_lock(inputs.run.folder, "--out"):
        if not quiet:
            sys.stderr.write(inputs_text(inputs))
        judge_and_seal(FORMALIZATION, inputs, engine, quiet=quiet, progress=progress)
    return inputs


def _file_of(records: Any, path: Path, *, option: str) -> str:
    """Write records to a file, one by one as they come, and return its name; none, or one that JSON cannot hold, raises a `HarnessError`."""
    place = -1
    with path.open("w", encoding="utf-8") as lines:
        for place, record in enumerate(row_records(records, option)):
            try:
                lines.write(json.dumps(record) + "\n")
            except (TypeError, ValueError) as error:
                raise HarnessError(f"{option}[{place}]: cannot be written as JSON ({error})") from None
    if place < 0:
        raise HarnessError(f"{option}: expected a file or at least one record, found none")
    return str(path)


def _sealed_results(folder: Path, *, kept: bool) -> JudgedRun:
    """Return the sealed results of a run."""
    stage = open_stage(folder)
    verdicts: defaultdict[str, list[Verdict]] = defaultdict(list)
    for verdict in stage.verdicts():
        verdicts[verdict.problem_id].append(verdict)
    oracles = {oracle.problem_id: oracle for oracle in stage.records(OracleRecord, "oracles.jsonl")}
    problems = {}
    for consensus in stage.consensus():
        name = consensus.problem_id
        look = reason_to_look(consensus) or ""
        problems[name] = JudgedProblem(name, oracles.get(name), consensus, tuple(verdicts[name]), look)
    return JudgedRun(problems, folder if kept else None)
