"""Sessions with solvers in their own process, which check programs, or compare pairs of programs, one by one."""

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
    """Puts questions one by one to a function that answers a stream of them, and looks one ahead.

    Where nothing is asked yet it is given `idle`, whose answer is dropped.
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
        """End the process that answers."""
        if self._answers is not None:
            self._answers.close()  # type: ignore[attr-defined]  # it is a generator
            self._answers = None


_IDLE = "(set-logic QF_UF)\n(declare-const a Bool)\n(assert a)\n(check-sat)\n"


def validation_session() -> SolverSession[ValidationCase, Validation]:
    """Return a conversation about single programs."""
    return SolverSession(lambda cases: validate_all(cases, workers=1), ValidationCase("", _IDLE))


def comparison_session() -> SolverSession[tuple[str, str], Verdict]:
    """Return a conversation about whether two programs say the same."""
    return SolverSession(lambda pairs: equivalences(pairs, workers=1), (_IDLE, _IDLE))
