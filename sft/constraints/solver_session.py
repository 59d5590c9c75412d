"""Sessions with solvers in their own process, which check or compare programs one by one."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from oracles.constraints.equivalence import equivalences
from oracles.constraints.validation import ValidationCase, validate_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.domain import Verdict
    from oracles.constraints.validation import Validation

Question = TypeVar("Question")
Answer = TypeVar("Answer")


@dataclass(slots=True)
class SolverSession(Generic[Question, Answer]):
    """Gives questions one by one to a function that maps a stream of questions to a stream of answers and reads one ahead.

    While there is no question, the function gets `idle`, whose answer is dropped.
    """

    answering: Callable[[Iterator[Question]], Iterator[Answer]]
    idle: Question
    _asked: deque[Question] = field(default_factory=deque)
    _meant: deque[bool] = field(default_factory=deque)
    _answers: Iterator[Answer] | None = None

    def ask(self, question: Question) -> Answer:
        """Return the answer to a question."""
        if self._answers is None:
            self._answers = self.answering(self._questions())
        self._asked.append(question)
        while True:
            answer = next(self._answers)
            if self._meant.popleft():
                return answer

    def _questions(self) -> Iterator[Question]:
        while True:
            self._meant.append(bool(self._asked))
            yield self._asked.popleft() if self._asked else self.idle

    def close(self) -> None:
        """End the process."""
        if self._answers is not None:
            self._answers.close()  # type: ignore[attr-defined]  # it is a generator
            self._answers = None


_IDLE = "(set-logic QF_UF)\n(declare-const a Bool)\n(assert a)\n(check-sat)\n"


def validation_session() -> SolverSession[ValidationCase, Validation]:
    """Return a session that validates programs."""
    return SolverSession(lambda cases: validate_all(cases, workers=1), ValidationCase("", _IDLE))


def comparison_session() -> SolverSession[tuple[str, str], Verdict]:
    """Return a session that judges the equivalence of pairs of programs."""
    return SolverSession(lambda pairs: equivalences(pairs, workers=1), (_IDLE, _IDLE))
