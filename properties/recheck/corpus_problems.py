"""The re-check of records against the corpus that their problems come from: the question, the correct solution and its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.corpora.problems import load_corpus
from harness.text.characters import quoted
from oracles.proofs.flaw_text import ANSWER_MARK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Problem


@dataclass(frozen=True, slots=True)
class CorpusProblems:
    """The problems of a corpus by their ids.

    They show which of two solutions is the right one, which a record alone cannot: two programs with true arithmetic
    and other answers are alike in form.
    """

    problems: Mapping[str, Problem]

    @classmethod
    def of(cls, name: str) -> CorpusProblems:
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
        own = "flaw_id" in record or record.get("edits") == []
        if not own or problem.gold is None or not isinstance(solution, str):
            return None
        lines, mark, answer = solution.rpartition(ANSWER_MARK)
        if not mark or answer.strip() != problem.gold.strip():
            return f"solution: expected the answer {quoted(problem.gold)} of the corpus, found {quoted(answer.strip())}"
        # A problem without a worked solution was given a plain one.
        if problem.solution.strip() and lines.rstrip("\n") != problem.solution.rstrip("\n"):
            return f"solution: expected that of the corpus, {quoted(problem.solution)}, found {quoted(lines)}"
        return None
