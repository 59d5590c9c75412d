"""What the records of a file must agree with outside of it: the sealed oracles of their run, and the problems of their corpus."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from harness.answers.gold_answer import match_gold, read_gold
from harness.corpora.problems import load_corpus
from harness.domain import Problem
from harness.json_form import MalformedRecordError, read_record
from harness.records.formalization import OracleRecord
from harness.records.provenance import SourceProvenance
from harness.store.run_folder import Stage
from harness.text.characters import quoted
from oracles.proofs.flaw_text import ANSWER_MARK


def _has_own_solution(record: Mapping[str, Any]) -> bool:
    """Tell whether the correct solution of a record is that of its problem: that of an edited variant is not."""
    return "flaw_id" in record or record.get("edits") == []


@dataclass(frozen=True, slots=True)
class RunOracles:
    """The sealed oracles of the run that a file of records lies in, by problem."""

    oracles: Mapping[str, OracleRecord]

    @classmethod
    def beside(cls, path: Path) -> Self | None:
        """Return the oracles of the run of `RUN/STAGE/FILE`, `None` where none are sealed there; changed or malformed ones raise a `HarnessError`."""
        stage = Stage(path.resolve().parent.parent / "oracles")
        if not stage.sealed:
            return None
        records = (read_record(OracleRecord, form) for form in stage.records("oracles.jsonl"))
        return cls({record.problem_id: record for record in records})

    def problem(self, record: Any) -> str | None:
        """Return the part of a record's provenance that differs from the run's oracle; `None` if there is none, or no provenance."""
        try:
            provenance = read_record(SourceProvenance, record.get("provenance") if isinstance(record, dict) else None)
        except MalformedRecordError:
            return None  # the check of the record itself says so, where it has one
        oracle = self.oracles.get(str(record.get("problem_id")))
        if not provenance.formalized:
            return None
        if oracle is None:
            return "provenance: expected no formalization stage, the run has no oracle of the problem"
        for field in ("oracle", "clique_size", "confidence", "p_right"):
            given, value = getattr(provenance, field), getattr(oracle, "model" if field == "oracle" else field)
            if given != value:
                return f"provenance.{field}: expected {quoted(str(value))}, as the run's oracle has it, found {quoted(str(given))}"
        if record.get("model") not in oracle.provenance.clique:
            return f"model: expected a member of the clique, found {quoted(str(record.get('model')))}"
        return _answer_problem(record, oracle)


def _answer_problem(record: Mapping[str, Any], oracle: OracleRecord) -> str | None:
    """Return why the correct solution of a record does not end with the answer of its oracle; `None` where it does."""
    solution = record.get("solution")
    if oracle.value is None or not isinstance(solution, str) or not _has_own_solution(record):
        return None
    answer = solution.rpartition(ANSWER_MARK)[2].strip()
    number = read_gold(answer, solution)
    try:
        match = None if number is None else match_gold(Fraction(oracle.value), number)
    except (ValueError, ZeroDivisionError):
        return None  # an oracle whose value is no number
    if match is not None and match.reached:
        return None
    return f"solution: expected the answer {quoted(oracle.value)}, as the run's oracle has it, found {quoted(answer)}"


@dataclass(frozen=True, slots=True)
class CorpusProblems:
    """The problems of a corpus by their ids: they show which of two solutions with true arithmetic is the right one."""

    problems: Mapping[str, Problem]

    @classmethod
    def of(cls, name: str) -> Self:
        """Return the problems of the corpus that a name or path means; errors as in `load_corpus`."""
        return cls({problem.problem_id: problem for problem in load_corpus(name)})

    def problem(self, record: Any) -> str | None:
        """Return the field of a record that differs from its problem; `None` if all agree."""
        if not isinstance(record, dict):
            return None  # the check of the record itself says so
        problem_id, question, solution = (record.get(name) for name in ("problem_id", "question", "solution"))
        problem = self.problems.get(str(problem_id))
        if problem is None:
            return f"problem_id: expected a problem of the corpus, found {quoted(str(problem_id))}"
        if question != problem.question:
            return f"question: expected that of the corpus, {quoted(problem.question)}, found {quoted(str(question))}"
        if problem.gold is None or not isinstance(solution, str) or not _has_own_solution(record):
            return None
        lines, mark, answer = solution.rpartition(ANSWER_MARK)
        if not mark or answer.strip() != problem.gold.strip():
            return f"solution: expected the answer {quoted(problem.gold)} of the corpus, found {quoted(answer.strip())}"
        # A problem without a worked solution was given a plain one.
        if problem.solution.strip() and lines.rstrip("\n") != problem.solution.rstrip("\n"):
            return f"solution: expected that of the corpus, {quoted(problem.solution)}, found {quoted(lines)}"
        return None
