"""The decision on a solution: right or wrong by the oracle, the first wrong line, and the change that repairs it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from harness.answers.answer_place import AnswerPlace, given_answer
from harness.answers.gold_answer import match_gold, read_gold
from harness.program.evaluation.evaluator import format_exact
from harness.solution.labels import FINAL_ANSWER, ErrorType
from harness.text.number_forms import format_value
from harness.text.numbers import whole_as_int
from sft.diagnosis.changes import ChangedStep, ChangeKind, repairs
from sft.diagnosis.diagnosis import Change, Diagnosis, DiagnosisStatus
from sft.diagnosis.readings import Meaning, Reader
from sft.diagnosis.stated_steps import StatedSolution, operand_value, with_equations_of_program
from sft.samples.solution_text import concluded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.answers.gold_answer import GoldAnswer
    from harness.domain import Exact
    from sft.diagnosis.oracle import Oracle
    from sft.diagnosis.stated_steps import StatedStep
    from sft.samples.items import Item

LEAST_P_RIGHT = 0.5
MOST_OTHERS = 5
_TYPES = {
    ChangeKind.RESULT: ErrorType.COMPUTATIONAL,
    ChangeKind.OPERATOR: ErrorType.OPERATOR_SWAP,
    ChangeKind.ORDER: ErrorType.OPERAND_SWAP,
    ChangeKind.TERM_TOO_MUCH: ErrorType.EXTRANEOUS_OPERATION,
    ChangeKind.TERM_LEFT_OUT: ErrorType.SKIPPED_STEP,
}


def diagnose(item: Item, oracle: Oracle | None) -> Diagnosis:
    """Return the diagnosis of a solution; it is unknown without an oracle, or where that is as likely wrong as right."""
    if oracle is None:
        return Diagnosis(DiagnosisStatus.UNKNOWN, 0.0, reason="no programs of the problem agree")
    if oracle.p_right < LEAST_P_RIGHT:
        return Diagnosis(
            DiagnosisStatus.UNKNOWN, 0.0, reason=f"the oracle is right with a probability of {oracle.p_right:.2f}"
        )
    whole = with_equations_of_program(concluded(item))
    text = whole.answer if whole.answer is not None else given_answer("\n".join(item.lines), AnswerPlace.AUTO)
    answer = None if text is None else read_gold(text, "\n".join(item.lines))
    if answer is None:
        return Diagnosis(DiagnosisStatus.UNKNOWN, 0.0, reason="the solution gives no answer that is read")
    return _Case(StatedSolution.of_item(whole), oracle, answer).diagnosis()


@dataclass
class _Case:
    """A solution with an answer, and the oracle of its problem."""

    solution: StatedSolution
    oracle: Oracle
    answer: GoldAnswer

    @cached_property
    def steps(self) -> Sequence[StatedStep]:
        return self.solution.steps

    @cached_property
    def value(self) -> Exact:
        """Return the answer as a value."""
        return whole_as_int(self.answer.value)

    @cached_property
    def _read(self) -> tuple[list[list[Sequence[Meaning]]], list[list[Meaning]]]:
        """Return the meanings of the numbers of each step, and what each result can be."""
        reader, options, results = Reader(self.oracle), [], []
        for step in self.steps:
            options.append([reader.meanings(number) for number in step.operands])
            results.append(reader.combined(step, options[-1]))
            reader.add(step, results[-1])
        return options, results

    def reader_before(self, place: int) -> Reader:
        """Return a reader that has read the steps before a place."""
        reader = Reader(self.oracle)
        for step, meanings in zip(self.steps[:place], self._read[1][:place], strict=True):
            reader.add(step, meanings)
        return reader

    @property
    def reached(self) -> bool:
        """Tell whether the answer is that of the oracle."""
        gold = read_gold(format_exact(self.oracle.answer))
        if gold is None:
            return self.value == self.oracle.answer
        return bool(match_gold(self.oracle.answer, self.answer).reached or match_gold(self.answer.value, gold).reached)

    def diagnosis(self) -> Diagnosis:
        """Return the diagnosis."""
        false = [step for step in self.steps if step.is_false]
        if not self.reached:
            return self._of_wrong()
        if false:
            step = false[0]
            return self._located(f"L{step.line + 1}", ErrorType.COMPUTATIONAL, step.written, "")
        target = self.oracle.target
        proved = target is not None and any(
            step.stated == self.value and any(m.known and m.quantity.residue == target.residue for m in meanings)
            for step, meanings in zip(self.steps, self._read[1], strict=True)
        )
        status = DiagnosisStatus.RIGHT_PROVED if proved else DiagnosisStatus.RIGHT_BY_VALUE
        return Diagnosis(status, self.oracle.p_right)

    def held(self, place: int) -> bool:
        """Tell whether a step is one of a right way: its result is true, and a quantity that the oracle computes."""
        step = self.steps[place]
        if step.is_false:
            return False
        if self.oracle.target is None:
            return step.stated in self.oracle.values
        return any(meaning.quantity.residue in self.oracle.by_residue for meaning in self._read[1][place])

    def _of_wrong(self) -> Diagnosis:
        astray = [place for place in range(len(self.steps)) if not self.held(place)]
        relied = self._relied_on()
        suspects = [place for place in astray if place not in relied]
        for place in suspects:
            options = self._read[0]
            found = list(
                itertools.islice(
                    repairs(self.steps, place, self.reader_before(place), options, self.value), MOST_OTHERS + 1
                )
            )
            if found:
                change = found[0]
                line = self._origin(place, change)
                step = self.steps[place]
                return Diagnosis(
                    DiagnosisStatus.WRONG_PROVED,
                    self.oracle.p_right,
                    line,
                    self._error_type(step, change),
                    step.written,
                    _value(change),
                    others=tuple(self._changes(place, found[1 : MOST_OTHERS + 1])),
                )
            break
        told = self._told()
        if suspects:
            place = suspects[0]
            line = self._origin(place, None)
            if told is not None and told < int(line[1:]) - 1:
                line = f"L{told + 1}"
            kind = ErrorType.COMPUTATIONAL if self.steps[place].is_false else None
            return self._located(line, kind, self.steps[place].written, "")
        if told is not None:
            return self._located(f"L{told + 1}", None, "", "")
        return self._located(
            FINAL_ANSWER, ErrorType.FINAL_ANSWER_SELECTION, format_value(self.value), format_value(self.oracle.answer)
        )

    def _located(self, line: str, error_type: ErrorType | None, found: str, expected: str) -> Diagnosis:
        return Diagnosis(DiagnosisStatus.WRONG_LOCATED, self.oracle.p_right, line, error_type, found, expected)

    def _relied_on(self) -> set[int]:
        """Return the steps that a later right result rests on: another right way."""
        relied: set[int] = set()
        for place in range(len(self.steps) - 1, -1, -1):
            if place in relied or self.held(place):
                values = set(map(operand_value, self.steps[place].operands))
                for before in range(place - 1, -1, -1):
                    step = self.steps[before]
                    if step.stated in values and not step.is_false and step.stated not in self.oracle.question_readings:
                        relied.add(before)
                        values.discard(step.stated)
        return relied

    def _told(self) -> int | None:
        """Return the first line whose prose brings in a number that neither the question nor a right way has."""
        stated: set[Exact] = set()
        for place, told in enumerate(self.solution.told):
            stated.update(step.stated for step in self.steps if step.line <= place)
            for readings in told:
                known = self.oracle.values | self.oracle.question_readings | stated
                if known.isdisjoint(readings) and self.value not in readings:
                    return place
        return None

    def _origin(self, place: int, change: ChangedStep | None) -> str:
        """Return the line of the fault of a step: that which brings in a number that no text gives, else its own."""
        step = self.steps[place]
        reader = self.reader_before(place)
        operands = step.operands if change is None or change.number is None else (change.number,)
        for number in operands:
            value = operand_value(number)
            if value in reader.results or value in self.oracle.question_readings or value in self.oracle.values:
                continue
            for line, told in enumerate(self.solution.told[: step.line]):
                if any(value == readings[0] for readings in told):
                    return f"L{line + 1}"
        return f"L{step.line + 1}"

    def _error_type(self, step: StatedStep, change: ChangedStep) -> ErrorType:
        known = _TYPES.get(change.kind)
        if known is not None:
            return known
        if change.number is None:
            return ErrorType.COMPUTATIONAL if step.is_false else ErrorType.WRONG_FORMULA
        value = operand_value(change.number)
        given = value in self.oracle.question_readings
        right = change.source
        if right is not None and right.quantity.value in self.oracle.question_readings and not given:
            return ErrorType.INPUT_MISREPRESENTATION
        return ErrorType.WRONG_REFERENCE_GROUP

    def _changes(self, place: int, found: Sequence[ChangedStep]) -> Iterator[Change]:
        step = self.steps[place]
        for change in found:
            kind = self._error_type(step, change)
            yield Change(f"L{step.line + 1}", kind, step.written, _value(change))


def _value(change: ChangedStep) -> str:
    meaning = change.meaning
    return "" if meaning is None else format_value(meaning.quantity.value)
