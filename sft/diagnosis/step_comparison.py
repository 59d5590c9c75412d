"""A solution and the oracle side by side: each line with the steps of the right way that it works out, and the first that differs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from harness.program import ir
from harness.records.label import ComparedRow
from harness.solution.expression_text import worked_equation
from harness.solution.labels import FINAL_ANSWER
from harness.text.names import variable_words
from harness.text.number_forms import format_value
from sft.diagnosis.oracle import Oracle
from sft.diagnosis.readings import read_steps
from sft.diagnosis.stated_steps import StatedSolution, with_equations_of_program
from sft.samples.items import Item
from sft.samples.solution_text import concluded, read_item

MOST_ROWS = 260
SAME, DIFFERS = "same", "differs"


def side_by_side(item: Item, oracle: Oracle, wrong: str = "") -> tuple[ComparedRow, ...]:
    """Return the lines of a solution in order, each beside the steps of the oracle that it works out; the answers stand beside each other.

    `wrong` is the first wrong line. The right side are the lines of the worked solution where the item has one, else the steps of the first program. Steps that
    no line works out stand before the line that works out a later one, and from the first wrong line on beside lines that work out none.
    """
    residues = _oracle_steps(item, oracle)
    steps = list(residues)
    tied = _ties(item, oracle, residues.values())
    waiting = [number for number in range(len(steps)) if all(number not in own for own in tied.values())]
    rows: list[ComparedRow] = []
    shown: set[int] = set()
    differs = False
    for number, text in enumerate(item.lines, start=1):
        place = f"L{number}"
        own = [step for step in tied.get(place, ()) if step not in shown]
        differs = differs or place == wrong
        while own and waiting and waiting[0] < own[0]:
            rows.append(ComparedRow("", "", (steps[waiting.pop(0)],)))
        mark = DIFFERS if place == wrong else SAME if tied.get(place) else ""
        beside = [waiting.pop(0)] if differs and waiting and not tied.get(place) else own
        shown.update(beside)
        rows.append(ComparedRow(place, text, tuple(steps[step] for step in beside), mark))
    rows += [ComparedRow("", "", (steps[number],)) for number in waiting]
    mark = DIFFERS if wrong == FINAL_ANSWER else "" if wrong else SAME
    answer = ComparedRow(FINAL_ANSWER, item.answer or "", (format_value(oracle.answer),), mark)
    return (*rows[:MOST_ROWS], answer)


def _oracle_steps(item: Item, oracle: Oracle) -> Mapping[str, set[int]]:
    """Return the residues of what each step of the right way computes, by the text of the step."""
    program = oracle.programs[0] if oracle.programs else None
    entries = () if program is None else program.entries
    residues = {name: {step.quantity.residue} for name, step in oracle.first_steps if not step.given}
    if item.reference:
        worked = read_item(item.question, item.reference)
        of_line = defaultdict[str | None, set[int]](set)
        for entry in entries:
            of_line[entry.line] |= residues.get(entry.variable, set())
        texts = zip(worked.places(), worked.lines, strict=False)
        return {f"{place}: {text}": of_line[place] for place, text in texts}
    values = {} if program is None else program.values
    steps: dict[str, set[int]] = {}
    for entry in entries:
        if entry.expression is not None and not isinstance(entry.expression, ir.Name):
            equation = worked_equation(entry.expression, values, entry.value)
            steps[f"{variable_words(entry.variable)}: {equation}"] = residues.get(entry.variable, set())
    return steps


def _ties(item: Item, oracle: Oracle, steps: Iterable[set[int]]) -> Mapping[str, Sequence[int]]:
    """Return the steps that each line works out, by their numbers; a line with a false equation works out none by it."""
    found = defaultdict[str, set[int]](set)
    lines = StatedSolution.of_item(with_equations_of_program(concluded(item))).steps
    for stated, (_, meanings) in zip(lines, read_steps(lines, oracle), strict=True):
        own = {meaning.quantity.residue for meaning in meanings}
        number = next((number for number, residues in enumerate(steps) if own & residues), None)
        if number is not None and not stated.is_false:
            found[f"L{stated.line + 1}"].add(number)
    return {place: sorted(numbers) for place, numbers in found.items()}
