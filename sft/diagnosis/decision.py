"""The decision on a solution: right or wrong by the oracle, the first wrong line, and the change that repairs it."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from harness.answers.answer_place import AnswerPlace, given_answer
from harness.answers.gold_answer import GoldAnswer, match_gold, read_gold
from harness.domain import Exact
from harness.equations.derivation import linear_equations
from harness.equations.equation import Truth
from harness.equations.quantities import are_in_other_units, complements, in_other_units
from harness.program import ir
from harness.program.evaluation.evaluator import format_exact
from harness.program.expression_nodes import filled
from harness.solution.labels import FINAL_ANSWER, ErrorType
from harness.text.number_forms import format_value
from harness.text.numbers import mentions, whole_as_int
from harness.text.units import is_counted
from oracles.alignment.word_overlap import words_of_text
from sft.diagnosis import stated_steps
from sft.diagnosis.certificate import certificate, witness
from sft.diagnosis.changes import ChangedStep, ChangeKind, repairs
from sft.diagnosis.diagnosis import Change, Diagnosis, DiagnosisStatus
from sft.diagnosis.line_meanings import named_steps, says_another, says_result, tied_steps
from sft.diagnosis.oracle import Oracle, OracleStep, calculation
from sft.diagnosis.readings import Meaning, Reader, read_steps
from sft.samples.items import Item
from sft.samples.solution_text import concluded

MOST_OTHERS = 5
MOST_REPAIRED = 4
"""The steps that changes are tried of."""
ROUNDED = Fraction(1, 100)
"""Roots of equations that differ less from a number are that number, rounded."""
MOST_PROOFS = 3
"""The changes of one step that UT-3 is asked about."""
LEAST_P_RIGHT = 0.8
"""The programs of less sure oracles prove nothing of a solution."""
_TYPES = {
    ChangeKind.RESULT: ErrorType.COMPUTATIONAL,
    ChangeKind.OPERATOR: ErrorType.OPERATOR_SWAP,
    ChangeKind.ORDER: ErrorType.OPERAND_SWAP,
    ChangeKind.TERM_TOO_MUCH: ErrorType.EXTRANEOUS_OPERATION,
    ChangeKind.TERM_LEFT_OUT: ErrorType.SKIPPED_STEP,
}


def diagnose(item: Item, oracle: Oracle | None) -> Diagnosis:
    """Return the diagnosis of a solution; it is unknown without an oracle, or without an answer that is read.

    No oracle is too unsure: of answers that differ from an oracle whose `p_right` is below a half, most are wrong as well. The
    confidence says how sure it is.
    """
    if oracle is None:
        return Diagnosis(DiagnosisStatus.UNKNOWN, 0.0, reason="no programs of the problem agree")
    whole = stated_steps.with_equations_of_program(concluded(item))
    text = whole.answer if whole.answer is not None else given_answer("\n".join(item.lines), AnswerPlace.AUTO)
    answer = None if text is None else read_gold(text, "\n".join(item.lines))
    if answer is None:
        return Diagnosis(DiagnosisStatus.UNKNOWN, 0.0, reason="the solution gives no answer that is read")
    return _Case(stated_steps.StatedSolution.of_item(whole), oracle, answer).diagnosis()


@dataclass
class _Case:
    """A solution with an answer, and the oracle of its problem."""

    solution: stated_steps.StatedSolution
    oracle: Oracle
    answer: GoldAnswer

    @cached_property
    def steps(self) -> Sequence[stated_steps.StatedStep]:
        """Return the steps; a fraction that is an input of the oracle, such as 3/4, is one number."""
        inputs = {each.value for each in self.oracle.inputs.values()}
        fractions = {value for value in inputs if Fraction(value).denominator > 1}
        parts = {part for value in fractions for part in Fraction(value).as_integer_ratio()}
        read: list[stated_steps.StatedStep] = []
        for step in self.solution.steps:
            wholes = inputs | ({earlier.stated for earlier in read} - parts)
            read.append(replace(step, side=stated_steps.with_fractions(step.side, fractions, wholes)))
        return read

    @cached_property
    def value(self) -> Exact:
        """Return the answer as a value."""
        return whole_as_int(self.answer.value)

    @cached_property
    def _readings(self) -> list[tuple[Reader, list[Meaning]]]:
        return list(read_steps(self.steps, self.oracle))

    @cached_property
    def results(self) -> list[list[Meaning]]:
        """Return what the result of each step can be."""
        return [meanings for _, meanings in self._readings]

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
        if not self.reached and (self.oracle.programs or self.oracle.stated):
            return self._of_wrong()
        if not self.reached and not false:  # an answer alone tells no line from another
            found, expected = format_value(self.value), format_value(self.oracle.answer)
            return Diagnosis(DiagnosisStatus.WRONG_UNLOCATED, self.oracle.p_right, found=found, expected=expected)
        if false:
            step = false[0]
            return self._located(f"L{step.line + 1}", ErrorType.COMPUTATIONAL, step.written, "")
        target, place = self.oracle.target, self.concluding
        # A line that leads to no right result may be wrong, though the answer does not rest on it.
        leading = self.held | self._relied_on()
        sure = target is not None and place is not None and leading.issuperset(range(len(self.steps)))
        for meaning in self.results[place or 0] if sure else ():
            if meaning.known and meaning.quantity == target:
                proof = certificate(self.oracle, meaning.expression)
                if proof is not None:
                    return Diagnosis(DiagnosisStatus.RIGHT_PROVED, self.oracle.p_right, certificate=proof)
        return Diagnosis(DiagnosisStatus.RIGHT_BY_VALUE, self.oracle.p_right)

    @cached_property
    def held(self) -> frozenset[int]:
        """Return the steps of right ways: true, with a result that the oracle computes, perhaps in another unit.

        A chain `2 + 3 * 4 = 2 + 12 = 14` is held where one of its sides is.
        """
        chains = {(step.line, step.stated) for place, step in enumerate(self.steps) if self._is_held(place)}
        return frozenset(
            place for place, step in enumerate(self.steps) if not step.is_false and (step.line, step.stated) in chains
        )

    def _is_held(self, place: int) -> bool:
        step = self.steps[place]
        if self.oracle.target is None:
            return not step.is_false and step.stated in self.oracle.values
        return self._is_true(place) and (
            self._is_calculation_of_oracle(step)
            or any(self._is_computed(meaning, step) for meaning in self.results[place])
        )

    def _is_calculation_of_oracle(self, step: stated_steps.StatedStep) -> bool:
        """Tell whether a step is one of the oracle: the same operations on the same numbers, with the same result."""
        numbers = {name: ir.Const(value) for name, value in step.operands.items()}
        return calculation(filled(step.expression, numbers), step.stated) in self.oracle.calculations

    def _is_true(self, place: int) -> bool:
        """Tell whether an equation holds: `7 / 2 = 3`, which may only mean a quotient in whole numbers, does not."""
        step = self.steps[place]
        return not step.is_false and (
            step.equation.truth is not Truth.UNKNOWN
            or any(meaning.quantity.value == step.stated for meaning in self.results[place])
        )

    def _is_computed(self, meaning: Meaning, step: stated_steps.StatedStep) -> bool:
        """Tell whether the oracle computes a quantity; one that it is given is computed from no result of another step."""
        residue = meaning.quantity.residue
        known = self.oracle.by_residue.get(residue)
        if known is not None:
            return not known.given or (meaning.known and not stated_steps.adds(step.side) and self._restates(step))
        if residue in self.oracle.given_residues:
            inputs = {quantity.value for quantity in self.oracle.inputs.values()}
            fixed = not any(ir.names_in_order(meaning.expression))  # `2 * 2` for a given 4
            return self._restates(step) and not (fixed and inputs.intersection(step.operands.values()))
        rests = [self.oracle.by_residue.get(rest) for rest in complements(residue) if 0 < meaning.quantity.value < 2]
        if any(rest is not None and (not rest.given or self._restates(step)) for rest in rests):
            return True
        return any(
            other in self.oracle.by_residue and not self.oracle.by_residue[other].given
            for other in in_other_units(residue, self.oracle.question_readings)
        )

    def _restates(self, step: stated_steps.StatedStep) -> bool:
        """Tell whether a step has no result of an earlier step among its numbers: it works out nothing."""
        results = {other.stated for other in itertools.takewhile(lambda other: other is not step, self.steps)}
        return results.isdisjoint(step.operands.values())

    @cached_property
    def concluding(self) -> int | None:
        """Return the step whose result is the answer: the first that states it, or a later one that works it out from other results."""
        found: int | None = None
        for place, step in enumerate(self.steps):
            if step.stated != self.value:
                continue
            if found is None:
                found = place
                continue
            operands = set(step.operands.values())
            since = {other.stated for other in self.steps[found + 1 : place]} - set(self.steps[found].operands.values())
            repeats = operands <= {self.value, 0, 1}
            if not since.isdisjoint(operands) or (self.value in operands and not repeats):
                found = place
        return found

    def _has_target_after(self, place: int) -> bool:
        """Tell whether a later step works out the oracle's answer, so that the solution only names another number as its answer."""
        target = self.oracle.target
        return target is not None and any(
            step.stated == target.value and any(meaning.quantity == target for meaning in meanings)
            for step, meanings in zip(self.steps[place + 1 :], self.results[place + 1 :], strict=True)
        )

    @cached_property
    def _named_as_answer(self) -> str | None:
        """Return the line that takes a result of a right way for the answer: the first after it that tells it and works out nothing."""
        if self.concluding is None or self.concluding not in self.held:
            return None
        told = self.solution.told
        after = (line for line in range(self.steps[self.concluding].line + 1, len(told)) if line not in self._working)
        named = (line for line in after if told[line] and all(self.value in readings for readings in told[line]))
        return next((f"L{line + 1}" for line in named), None)

    @cached_property
    def _working(self) -> frozenset[int]:
        return frozenset(step.line for step in self.steps)

    def _telling(self, value: Exact, lines: Iterable[int]) -> int | None:
        """Return the first of some lines whose prose has a value; `None` where there is none."""
        told = self.solution.told
        return next((line for line in lines if any(value == readings[0] for readings in told[line])), None)

    def _of_wrong(self) -> Diagnosis:
        relied = self._relied_on()
        suspects = [place for place in range(len(self.steps)) if place not in self.held and place not in relied]
        if self.concluding is not None:
            if self._has_target_after(self.concluding):
                suspects = [place for place in suspects if place < self.concluding]
            else:
                suspects = sorted({*suspects, self.concluding})
        unlike = self._unlike(self.steps[suspects[0]].line if suspects else len(self.solution.told))
        if unlike is not None:
            return unlike
        again = [place for place in self._again() if not suspects or place < suspects[0]]
        proved = self._first_repaired([*again, *suspects[:1]])
        if proved is not None:
            return proved
        if suspects:
            place = suspects[0]
            kind = ErrorType.COMPUTATIONAL if self.steps[place].is_false else None
            origin = self._origin(place, None)
            return self._located(origin, kind, self._written_on(origin, place), "")
        told = self._first_told_answer()
        if told is not None:
            return self._located(f"L{told + 1}", None, "", "")
        return self._located(
            FINAL_ANSWER, ErrorType.FINAL_ANSWER_SELECTION, format_value(self.value), format_value(self.oracle.answer)
        )

    def _unlike(self, before: int) -> Diagnosis | None:
        """Return the diagnosis of the first line before another that is unlike the oracle; `None` where there is none.

        Its words are those of a step whose result it does not have, or its equation in an unknown has a root that no right way has.
        """
        lines, relied = self.solution.item.lines, {self.steps[place].line for place in self._relied_on()}
        equations = list(linear_equations(lines))
        asked = {own.letter for own in equations if own.root == self.value}
        roots = ((own.place, None) for own in equations if not self._is_known(own.root, asked=own.letter in asked))
        steps = (
            (line, step.quantity.value)
            for line, step, shared in tied_steps(lines, self.oracle)
            if not self._has(line, step) and (shared == 1 or not (self._is_given(line) or line in relied))
        )
        line, expected = min((*roots, *steps), key=lambda own: own[0], default=(before, None))
        if line >= before:
            return None
        proved = self._first_repaired([place for place, step in enumerate(self.steps) if step.line == line])
        told = "" if expected is None else format_value(expected)
        return proved or self._located(f"L{line + 1}", None, "", told)

    def _is_known(self, root: Fraction, *, asked: bool) -> bool:
        """Tell whether a right way or the question has the root of an equation; an unknown that is the answer of the solution is `asked`."""
        known = {self.oracle.answer} if asked else self.oracle.values | self.oracle.question_readings
        return any(abs(root - value) < ROUNDED for value in known)

    def _has(self, line: int, step: OracleStep) -> bool:
        found = mentions(self.solution.item.lines[line])[: stated_steps.MOST_NUMBERS]
        return any(step.quantity.value in mention.readings for mention in found)

    def _again(self) -> Iterator[int]:
        """Yield the steps that work out again what an earlier line works out: they may stand for another quantity."""
        seen: dict[tuple[Exact, int], int] = {}
        for place, (step, meanings) in enumerate(zip(self.steps, self.results, strict=True)):
            if meanings and not step.is_false:
                line = seen.setdefault((step.stated, meanings[0].quantity.residue), step.line)
                if line != step.line:
                    yield place

    def _is_given(self, line: int) -> bool:
        """Tell whether a line works out nothing, and has numbers of the question alone."""
        given = self.oracle.question_readings
        return line not in self._working and all(not given.isdisjoint(told) for told in self.solution.told[line])

    def _first_repaired(self, places: Sequence[int]) -> Diagnosis | None:
        """Return the diagnosis with a change of the first of some steps that one repairs; `None` where there is none."""
        return next((found for found in map(self._repaired, places[:MOST_REPAIRED]) if found is not None), None)

    def _repaired(self, place: int) -> Diagnosis | None:
        """Return the diagnosis with a change of a step after which the solution computes the oracle, `None` where none is proved."""
        reader, step = self._readings[place][0], self.steps[place]
        repaired = repairs(self.steps, place, reader, self.results, self.value)
        found = list(itertools.islice((own for own in repaired if self._is_of_right_way(own.change)), MOST_OTHERS + 1))
        written = None if self._as_written is None else self._as_written.expression
        for change, reached in found[:MOST_PROOFS]:
            proof = certificate(self.oracle, reached.expression, written)
            if proof is not None:
                origin = self._origin(place, change)
                found_there = self._written_on(origin, place)
                # The lines are right as they say, and the step that leads on from them to the answer is missing.
                ends_early = origin == FINAL_ANSWER
                sure = self._is_sure(place, change)
                line = f"L{step.line + 1}"
                others = [other for other, _ in found if other is not change]
                return Diagnosis(
                    DiagnosisStatus.WRONG_PROVED if sure else DiagnosisStatus.WRONG_LOCATED,
                    self.oracle.p_right,
                    origin,
                    ErrorType.SKIPPED_STEP if ends_early else self._error_type(place, change),
                    found_there,
                    change.value if found_there else "",
                    change.equation if found_there else f"{line}: {change.equation}",
                    certificate=proof if sure else None,
                    witness=None if written is None else witness(self.oracle, written),
                    others=tuple(Change(line, self._error_type(place, own), step.written, own.value) for own in others),
                )
        return None

    def _is_sure(self, place: int, change: ChangedStep) -> bool:
        """Tell whether a change that repairs the solution shows that the line of a step is its first wrong one.

        A line before the concluding one can be right as it stands: where its result is one of the oracle's, where a term or a step
        that is left out, or a factor between units, can be missing after it, or where the change only turns a quotient or difference round
        or leaves a number alone, unless it names the right quantity. An earlier line
        whose words say another quantity than it works out is wrong itself. And no proof is surer than its oracle.
        """
        step = self.steps[place]
        if self.oracle.p_right < LEAST_P_RIGHT:
            return False
        right = 0 if change.meaning is None else change.meaning.quantity.value
        leaves_number = change.kind is ChangeKind.TERM_TOO_MUCH and isinstance(change.expression, ir.Name)
        can_be_right = (
            leaves_number
            or change.kind is ChangeKind.ORDER
            or self._error_type(place, change) is ErrorType.SKIPPED_STEP
            or are_in_other_units(right, step.stated)
        ) and all(own.quantity.value != right for size, own in named_steps(step.text, self.oracle) if size > 1)
        if place != self.concluding and (can_be_right or self._has_result_of_oracle(place)):
            return False
        earlier = [number for number, before in enumerate(self.steps) if before.line < step.line]
        return self.held.issuperset(earlier) and not any(
            says_another(self.steps[number], self.oracle) for number in earlier
        )

    def _has_result_of_oracle(self, place: int) -> bool:
        """Tell whether the oracle computes the number that a step states, and its line names that quantity or no other one."""
        step = self.steps[place]
        computed = [own for own in self.oracle.by_value.get(step.stated, ()) if not own.given]
        told = words_of_text(step.text)
        named = any(own in computed and words <= told for own, words in self.oracle.told_steps)
        has_result = place in self.held or (bool(computed) and not step.is_false)
        return has_result and (named or not says_another(step, self.oracle))

    def _is_of_right_way(self, change: ChangedStep) -> bool:
        """Tell whether the oracle computes the result of a change of an operator: `12 + 3` for `12 - 3` may only undo a later error."""
        if change.kind not in {ChangeKind.OPERATOR, ChangeKind.ORDER}:
            return True
        known = None if change.meaning is None else self.oracle.by_residue.get(change.meaning.quantity.residue)
        return known is not None and not known.given

    @cached_property
    def _as_written(self) -> Meaning | None:
        """Return what the answer is as the solution stands, `None` where no step states it or its arithmetic is false."""
        if self.concluding is None or any(step.is_false for step in self.steps):
            return None
        return next(iter(self.results[self.concluding]), None)

    def _located(self, line: str, error_type: ErrorType | None, found: str, expected: str) -> Diagnosis:
        return Diagnosis(DiagnosisStatus.WRONG_LOCATED, self.oracle.p_right, line, error_type, found, expected)

    def _relied_on(self) -> set[int]:
        """Return the steps that a later right result rests on, one that the problem does not give: another right way."""
        relied: set[int] = set()
        given = self.oracle.question_readings
        for place in range(len(self.steps) - 1, -1, -1):
            concludes = self.reached and place == self.concluding
            if place in relied or (place in self.held and (concludes or self.steps[place].stated not in given)):
                values = list(self.steps[place].operands.values())
                for before in range(place - 1, -1, -1):
                    step = self.steps[before]
                    if step.stated in values and self._is_true(before) and step.stated not in given:
                        relied.add(before)
                        values.remove(step.stated)
        return relied

    def _first_told_answer(self) -> int | None:
        """Return the first line whose prose states the answer; `None` where the question or a right way has that number, or a step works out the oracle's."""
        if self.value in self.oracle.question_readings or self._has_target_after(-1):
            return None
        return self._telling(self.value, range(len(self.solution.told)))

    def _origin(self, place: int, change: ChangedStep | None) -> str:
        """Return the place of the fault of a step: the final answer where its line says what it works out, the line that brings in a number that no text gives, else its own."""
        step = self.steps[place]
        if place == self.concluding:
            if self._named_as_answer is not None:
                return self._named_as_answer
            if self.solution.item.answer is not None and self._says_its_own(place):
                return FINAL_ANSWER
        if change is not None and change.kind is ChangeKind.OPERAND and change.number is not None:
            renamed = self._restated(change.number, place)
            if renamed is not None:
                return f"L{renamed + 1}"
        lone = None if change is None else change.number
        for value in step.operands.values() if lone is None else (lone,):
            known = self._readings[place][0].results, self.oracle.question_readings, self.oracle.values
            if any(value in each for each in known):
                continue
            brought = self._telling(value, range(step.line))
            if brought is not None:
                return f"L{brought + 1}"
        return f"L{step.line + 1}"

    def _says_its_own(self, place: int) -> bool:
        """Tell whether a line says what its step works out, from numbers that the text or a right way gives it: its words are those of a step with this result.

        Where the steps of the oracle are not known, a result that it states is enough.
        """
        if self.oracle.target is None:
            return place in self.held
        step, known = self.steps[place], any(meaning.known for meaning in self.results[place])
        return known and says_result(step.text, step.stated, self.oracle, own=self._is_calculation_of_oracle(step))

    def _written_on(self, line: str, place: int) -> str:
        """Return the equation of a step where it stands on a line, nothing where that line only brings in a number of it."""
        step = self.steps[place]
        return step.written if line == f"L{step.line + 1}" else ""

    def _restated(self, value: Exact, place: int) -> int | None:
        """Return the line before a step that works out nothing and states a number again which the step takes for another quantity."""
        first = min((step.line for step in self.steps[:place] if step.stated == value), default=-1)
        lines = range(self.steps[place].line - 1, first, -1)
        return self._telling(value, (line for line in lines if line not in self._working))

    def _error_type(self, place: int, change: ChangedStep) -> ErrorType:
        step, known, right = self.steps[place], _TYPES.get(change.kind), change.source
        if known is not None:
            return known
        if change.number is None or right is None:
            return ErrorType.COMPUTATIONAL if step.is_false else ErrorType.WRONG_FORMULA
        value, wanted = change.number, right.quantity.value
        results = {own.stated: own for own in self.steps[:place]}
        if wanted in results:
            outdated = value in results[wanted].operands.values()
            return ErrorType.FAILURE_TO_UPDATE_STATE if outdated else ErrorType.WRONG_REFERENCE_GROUP
        if wanted in self.oracle.question_readings:
            given = [name for name, own in self.oracle.inputs.items() if value == own.value]
            counted = [is_counted(name.split("_")) for name in (*given, *ir.names_in_order(right.expression))]
            group = value in results or (given and all(counted))
            return ErrorType.WRONG_REFERENCE_GROUP if group else ErrorType.INPUT_MISREPRESENTATION
        # A step of the oracle that the solution lacks: one of its operands stands in its place.
        names = ir.names_in_order(right.expression)
        quantities = {**{name: own.quantity for name, own in self.oracle.definitions.items()}, **self.oracle.inputs}
        left_out = any(name in quantities and quantities[name].value == value for name in names)
        return ErrorType.SKIPPED_STEP if left_out else ErrorType.WRONG_REFERENCE_GROUP
