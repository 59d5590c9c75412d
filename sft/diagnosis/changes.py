"""The single changes of a line that make a wrong solution compute the oracle: the operators of flaws, read backwards."""

import enum
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import filled, nodes, replaced
from harness.solution.expression_text import worked_equation
from harness.text.number_forms import format_value
from sft.diagnosis.line_meanings import named_steps
from sft.diagnosis.readings import MOST_READINGS, Meaning, Reader, computed
from sft.diagnosis.stated_steps import StatedStep

MOST_CHANGED = 400
"""The changes of one step that are tried."""
MOST_RESULTS = 16
"""The readings of a false step whose right result is tried."""
_ADDED = ir.Name("added")
"""An operand that the line does not have."""


class ChangeKind(enum.StrEnum):
    """How a step is changed; in the order of preference."""

    RESULT = "result"
    OPERATOR = "operator"
    ORDER = "order of operands"
    TERM_TOO_MUCH = "term too much"
    OPERAND = "operand"
    TERM_LEFT_OUT = "term left out"
    STEP = "step of the oracle"


@dataclass(frozen=True)
class ChangedStep:
    """A change of a step: another expression, or other meanings of its operands.

    `number` is the number of the line that is replaced or left out, `source` what stands in its place or is added.
    """

    kind: ChangeKind
    expression: ir.Expr
    operands: Mapping[str, Meaning]
    number: Exact | None = None
    source: Meaning | None = None

    @cached_property
    def meaning(self) -> Meaning | None:
        """Return the result, `None` where it has no value."""
        return computed(self.expression, self.operands)

    @property
    def value(self) -> str:
        """Return the right value of the result, empty where it has none."""
        return "" if self.meaning is None else format_value(self.meaning.quantity.value)

    @property
    def equation(self) -> str:
        """Return the step as it should be, in numbers: `72 - 50 = 22`; empty where it has no value."""
        if self.meaning is None or isinstance(self.expression, ir.Name):
            return self.value
        values = {name: ir.Const(meaning.quantity.value) for name, meaning in self.operands.items()}
        return worked_equation(filled(self.expression, values), {}, self.meaning.quantity.value)


class Repair(NamedTuple):
    """A change of a step, and the answer as the steps compute it then, which is the oracle's."""

    change: ChangedStep
    answer: Meaning


def repairs(
    steps: Sequence[StatedStep], place: int, reader: Reader, results: Sequence[Sequence[Meaning]], answer: Exact
) -> Iterator[Repair]:
    """Yield the changes of a step after which the steps that follow compute the oracle.

    `reader` has read the steps before it; `results` are the meanings of the result of each step as the solution stands.
    """
    target, step = reader.oracle.target, steps[place]
    later = _depending(steps, place, answer)
    if target is None or later is None:
        return
    never_negative = all(value >= 0 for value in reader.oracle.values)
    tried = set() if step.is_false else {meaning.quantity.residue for meaning in results[place]}
    for change in itertools.islice(_changes(step, reader), MOST_CHANGED):
        meaning = change.meaning
        if meaning is None or meaning.quantity.residue in tried or (never_negative and meaning.quantity.value < 0):
            continue
        tried.add(meaning.quantity.residue)
        changed = Reader(reader.oracle, {**reader.results, step.stated: [meaning]})
        for number in range(place + 1, len(steps)):
            found = changed.read(steps[number]) if number in later else [*results[number]]
            changed.results[steps[number].stated] = found
        reached = changed.results.get(answer, ())
        yield from (Repair(change, each) for each in reached[:MOST_READINGS] if each.quantity.residue == target.residue)


def _depending(steps: Sequence[StatedStep], place: int, answer: Exact) -> list[int] | None:
    """Return the later steps that rest on a step, `None` where the answer does not."""
    values, later = {steps[place].stated}, []
    for number in range(place + 1, len(steps)):
        if not values.isdisjoint(steps[number].operands.values()):
            values.add(steps[number].stated)
            later.append(number)
    return later if answer in values else None


def _changes(step: StatedStep, reader: Reader) -> Iterator[ChangedStep]:
    """Yield the changes of a step, the smallest first."""
    options = list(map(reader.meanings, step.operands.values()))
    first = {name: option[0] for name, option in zip(step.operands, options, strict=True)}
    if step.is_false:
        yield from (
            ChangedStep(ChangeKind.RESULT, step.expression, dict(zip(step.operands, chosen, strict=True)))
            for chosen in itertools.islice(itertools.product(*options), MOST_RESULTS)
        )
    # A term too much comes after all other operators.
    for kind, edited, gone in sorted(_edits(step.expression), key=lambda edit: edit[0] is ChangeKind.TERM_TOO_MUCH):
        yield ChangedStep(kind, edited, first, step.operands.get(gone))
    computable = list(_computable(reader, step))
    sources = _sources(reader, computable)
    for name, value in step.operands.items():
        for source in sources:
            yield ChangedStep(ChangeKind.OPERAND, step.expression, {**first, name: source}, value, source)
    for source in sources:
        for operator in "+-*/":
            longer = ir.Binary(operator, step.expression, _ADDED)
            yield ChangedStep(ChangeKind.TERM_LEFT_OUT, longer, {**first, _ADDED.name: source}, source=source)
    for meaning in computable:
        yield ChangedStep(ChangeKind.STEP, _ADDED, {_ADDED.name: meaning}, source=meaning)
    for _, own in named_steps(step.text, reader.oracle):
        if own.quantity != reader.oracle.target:
            meaning = Meaning(own.quantity, own.expression)
            yield ChangedStep(ChangeKind.STEP, _ADDED, {_ADDED.name: meaning}, source=meaning)


def _edits(expression: ir.Expr) -> Iterator[tuple[ChangeKind, ir.Expr, str]]:
    """Yield an expression with another operator at one place, with the two sides of one exchanged, and without one of them; with it the operand that is gone."""
    for path, node in nodes(expression):
        if not isinstance(node, ir.Binary):
            continue
        left, right = node.left, node.right
        for operator in "+-*/":
            if operator != node.operator:
                yield ChangeKind.OPERATOR, replaced(expression, path, ir.Binary(operator, left, right)), ""
        if node.operator in {"-", "/"}:
            yield ChangeKind.ORDER, replaced(expression, path, ir.Binary(node.operator, right, left)), ""
        else:
            for operator in "-/":
                yield ChangeKind.OPERATOR, replaced(expression, path, ir.Binary(operator, right, left)), ""
        for kept, lost in ((left, right), (right, left)):
            name = lost.name if isinstance(lost, ir.Name) else ""
            yield ChangeKind.TERM_TOO_MUCH, replaced(expression, path, kept), name


def _sources(reader: Reader, computable: Iterable[Meaning]) -> list[Meaning]:
    """Return what an operand could have been: earlier results, inputs, and what the oracle works out from these; not its answer."""
    found = {meaning.quantity.residue: meaning for meanings in reader.results.values() for meaning in meanings[:2]}
    for name, quantity in reader.oracle.inputs.items():
        found.setdefault(quantity.residue, Meaning(quantity, ir.Name(name)))
    for meaning in computable:
        if meaning.quantity != reader.oracle.target:
            found.setdefault(meaning.quantity.residue, meaning)
    return list(found.values())


def _computable(reader: Reader, step: StatedStep) -> Iterator[Meaning]:
    """Yield the variables of the oracle whose operands are inputs, earlier results or the result of the step: one step is missing, not several."""
    at_hand = {meaning.quantity.residue for meanings in reader.results.values() for meaning in meanings}
    at_hand |= {meaning.quantity.residue for meaning in reader.read(step)}
    oracle = reader.oracle
    for known, _ in oracle.told_steps:
        names = [name for name in ir.names_in_order(known.expression) if name not in oracle.inputs]
        if all(name in oracle.definitions and oracle.definitions[name].quantity.residue in at_hand for name in names):
            yield Meaning(known.quantity, known.expression)
