"""The single changes of a line that make a wrong solution compute the oracle: the operators of flaws, read backwards."""

import enum
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.domain import Exact
from harness.equations.equation import Expression, Number, Operation
from harness.equations.quantities import of_side, residue_of_side
from harness.program import ir
from harness.solution.expression_text import worked_equation
from harness.text.number_forms import format_value
from sft.diagnosis.line_meanings import named_steps
from sft.diagnosis.readings import Meaning, Reader, expression_of
from sft.diagnosis.stated_steps import StatedStep, operand_value

MOST_CHANGED = 400
"""The changes of one step that are tried."""
MOST_CARRIED = 16
"""The readings of a later step that are tried for each change."""
_NEW = -1
"""The place of a number that the line does not have."""


class ChangeKind(enum.StrEnum):
    """How a step is changed; in the order of preference."""

    RESULT = "result"
    OPERATOR = "operator"
    ORDER = "order of operands"
    TERM_TOO_MUCH = "term too much"
    OPERAND = "operand"
    TERM_LEFT_OUT = "term left out"
    STEP = "step of the oracle"


@dataclass(frozen=True, slots=True)
class ChangedStep:
    """A change of a step: another side for the meanings of its numbers, by their place.

    `number` is the number of the line that is replaced or left out, `source` what stands in its place or is added.
    """

    kind: ChangeKind
    side: Expression
    operands: Mapping[int, Meaning]
    number: Number | None = None
    source: Meaning | None = None

    @property
    def residue(self) -> int | None:
        """Return the residue of the result."""
        return residue_of_side(self.side, {start: each.quantity.residue for start, each in self.operands.items()})

    @property
    def meaning(self) -> Meaning | None:
        """Return the result, `None` where it has no value."""
        quantity = of_side(self.side, {start: each.quantity for start, each in self.operands.items()})
        code = expression_of(self.side, {start: each.expression for start, each in self.operands.items()})
        return None if quantity is None else Meaning(quantity, code)

    @property
    def equation(self) -> str:
        """Return the step as it should be, in numbers: `72 - 50 = 22`; empty where it has no value."""
        meaning = self.meaning
        if meaning is None:
            return ""
        if isinstance(self.side, Number):
            return format_value(meaning.quantity.value)
        values = {start: ir.Const(each.quantity.value) for start, each in self.operands.items()}
        return worked_equation(expression_of(self.side, values), {}, meaning.quantity.value)


def repairs(
    steps: Sequence[StatedStep],
    place: int,
    reader: Reader,
    options: Sequence[Sequence[Sequence[Meaning]]],
    answer: Exact,
) -> Iterator[ChangedStep]:
    """Yield the changes of a step after which the steps that follow compute the oracle.

    `reader` has read the steps before it; `options` are the meanings of the numbers of each step as the solution stands.
    """
    target = reader.oracle.target
    later = _depending(steps, place, answer)
    if target is None or later is None:
        return
    unchanged = {meaning.quantity.residue for meaning in reader.combined(steps[place], options[place])}
    never_negative = all(value >= 0 for value in reader.oracle.values)
    tried: set[int | None] = set() if steps[place].is_false else {None, *unchanged}
    for change in itertools.islice(_changes(steps[place], options[place], reader), MOST_CHANGED):
        residue = change.residue
        if residue in tried or residue is None:
            continue
        if never_negative and (meaning := change.meaning) is not None and meaning.quantity.value < 0:
            continue
        tried.add(residue)
        carried: dict[Exact, Sequence[int]] = {steps[place].stated: [residue]}
        for number in later:
            carried[steps[number].stated] = _carried_residues(steps[number], options[number], reader, carried)
        if target.residue in carried[answer]:
            yield change


def repaired_answer(
    steps: Sequence[StatedStep], place: int, reader: Reader, change: ChangedStep, answer: Exact
) -> Meaning | None:
    """Return the answer as the steps compute it after a change, where that is the oracle's; `reader` has read the steps before it."""
    target, meaning = reader.oracle.target, change.meaning
    later = _depending(steps, place, answer)
    if target is None or meaning is None or later is None:
        return None
    changed = Reader(reader.oracle, {**reader.results, steps[place].stated: [meaning]})
    for step in steps[place + 1 :]:
        changed.results[step.stated] = changed.read(step)
    found = changed.results.get(answer, ())
    return next((each for each in found if each.quantity.residue == target.residue), None)


def _carried_residues(
    step: StatedStep, options: Sequence[Sequence[Meaning]], reader: Reader, changed: Mapping[Exact, Sequence[int]]
) -> Sequence[int]:
    """Return the residues of the result of a step that rests on changed ones; `changed` has the residues of each by its number."""
    choices = []
    for operand, own in zip(step.operands, options, strict=True):
        value = operand_value(operand)
        inputs = [each.quantity.residue for each in (reader.of_inputs(value) if value in changed else own)]
        choices.append([*changed.get(value, ()), *inputs])
    starts = [number.start for number in step.operands]
    results = (
        residue_of_side(step.side, dict(zip(starts, chosen, strict=True)))
        for chosen in itertools.islice(itertools.product(*choices), MOST_CARRIED)
    )
    return list(dict.fromkeys(result for result in results if result is not None))


def _depending(steps: Sequence[StatedStep], place: int, answer: Exact) -> list[int] | None:
    """Return the later steps that rest on a step, `None` where the answer does not."""
    values, later = {steps[place].stated}, []
    for number in range(place + 1, len(steps)):
        if not values.isdisjoint(map(operand_value, steps[number].operands)):
            values.add(steps[number].stated)
            later.append(number)
    return later if answer in values else None


def _changes(step: StatedStep, options: Sequence[Sequence[Meaning]], reader: Reader) -> Iterator[ChangedStep]:
    """Yield the changes of a step, the smallest first."""
    starts = [number.start for number in step.operands]
    first = {start: option[0] for start, option in zip(starts, options, strict=True)}
    if step.is_false:
        yield from (
            ChangedStep(ChangeKind.RESULT, step.side, dict(zip(starts, chosen, strict=True)))
            for chosen in itertools.islice(itertools.product(*options), MOST_CARRIED)
        )
    for kind, side in _other_operators(step.side):
        yield ChangedStep(kind, side, first)
    for gone, side in _without_a_term(step.side):
        yield ChangedStep(ChangeKind.TERM_TOO_MUCH, side, first, gone)
    sources = _sources(reader, step, options)
    for number in step.operands:
        for source in sources:
            yield ChangedStep(ChangeKind.OPERAND, step.side, {**first, number.start: source}, number, source)
    added = Number(None, _NEW, _NEW, _NEW, _NEW)
    for source in sources:
        for operator in "+-*/":
            side = Operation(operator, step.side, added, None, _NEW, _NEW)
            yield ChangedStep(ChangeKind.TERM_LEFT_OUT, side, {**first, _NEW: source}, source=source)
    for meaning in _computable(reader, step, options):
        yield ChangedStep(ChangeKind.STEP, added, {_NEW: meaning}, source=meaning)
    for _, own in named_steps(step.text, reader.oracle):
        if own.quantity != reader.oracle.target:
            meaning = Meaning(own.quantity, own.expression)
            yield ChangedStep(ChangeKind.STEP, added, {_NEW: meaning}, source=meaning)


def _other_operators(side: Expression) -> Iterator[tuple[ChangeKind, Expression]]:
    """Yield a side with another operator at one place, or the two sides of one exchanged."""
    if isinstance(side, Number):
        return
    if not isinstance(side, Operation):
        for kind, inner in _other_operators(side.inner):
            yield kind, replace(side, inner=inner)
        return
    for operator in "+-*/":
        if operator != side.operator:
            yield ChangeKind.OPERATOR, replace(side, operator=operator)
    if side.operator in {"-", "/"}:
        yield ChangeKind.ORDER, replace(side, left=side.right, right=side.left)
    else:
        for operator in "-/":
            yield ChangeKind.OPERATOR, replace(side, operator=operator, left=side.right, right=side.left)
    for kind, left in _other_operators(side.left):
        yield kind, replace(side, left=left)
    for kind, right in _other_operators(side.right):
        yield kind, replace(side, right=right)


def _without_a_term(side: Expression) -> Iterator[tuple[Number | None, Expression]]:
    """Yield a side without one of the sides of an operation, and the number that is gone."""
    if isinstance(side, Operation):
        yield side.right if isinstance(side.right, Number) else None, side.left
        yield side.left if isinstance(side.left, Number) else None, side.right
        for gone, left in _without_a_term(side.left):
            yield gone, replace(side, left=left)
        for gone, right in _without_a_term(side.right):
            yield gone, replace(side, right=right)


def _sources(reader: Reader, step: StatedStep, options: Sequence[Sequence[Meaning]]) -> list[Meaning]:
    """Return what an operand could have been: earlier results, inputs, and what the oracle works out from these; not its answer."""
    found = {meaning.quantity.residue: meaning for meanings in reader.results.values() for meaning in meanings[:2]}
    for name, quantity in reader.oracle.inputs.items():
        found.setdefault(quantity.residue, Meaning(quantity, ir.Name(name)))
    for meaning in _computable(reader, step, options):
        if meaning.quantity != reader.oracle.target:
            found.setdefault(meaning.quantity.residue, meaning)
    return list(found.values())


def _computable(reader: Reader, step: StatedStep, options: Sequence[Sequence[Meaning]]) -> Iterator[Meaning]:
    """Yield the variables of the oracle whose operands are inputs, earlier results or the result of the step: one step is missing, not several."""
    at_hand = {meaning.quantity.residue for meanings in reader.results.values() for meaning in meanings}
    at_hand |= {meaning.quantity.residue for meaning in reader.combined(step, options)}
    oracle = reader.oracle
    for known, _ in oracle.told_steps:
        names = [name for name in ir.names_in_order(known.expression) if name not in oracle.inputs]
        if all(name in oracle.definitions and oracle.definitions[name].quantity.residue in at_hand for name in names):
            yield Meaning(known.quantity, known.expression)
