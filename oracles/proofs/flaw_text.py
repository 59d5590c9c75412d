"""Checks that the text of a flawed solution agrees with its certificate and its label."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from harness.answers.gold_answer import match_gold, read_gold
from harness.domain import Exact, Status
from harness.equations.derivation import solved_lines
from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from harness.program.evaluation.evaluator import format_exact
from harness.program.ir import names_of
from harness.records.mutation import FlawCertificate
from harness.solution.labels import FINAL_ANSWER
from harness.text.numbers import mentions
from oracles.proofs.record_content import Judgement
from oracles.proofs.straight_program import EditKind, ProgramEdit

ANSWER_MARK = "####"
# A step that is left out or added need not be a whole line.
_MORE_LINES: Mapping[EditKind | None, set[int]] = {EditKind.DELETED: {0, -1}, EditKind.ADDED: {0, 1}}


@dataclass(frozen=True, slots=True)
class FlawText:
    """The texts of one flawed solution; `line` is the labelled one, `edit` the mutant's one place, `None` for a slip.

    `values` are those of the oracle's variables; `reworded` tells that a person has edited its words.
    """

    solution: str
    flawed: str
    line: str
    certificate: FlawCertificate
    edit: ProgramEdit | None
    values: Mapping[str, Exact]
    reworded: bool = False


def text_finding(text: FlawText) -> Judgement | None:
    """Return the objection to the text, contradictions first; `None` if there is none.

    REFUTED is a contradiction, UNKNOWN text that cannot be read.
    """
    return min(_findings(text), key=lambda finding: finding.status, default=None)


def lines_of(solution: str) -> tuple[str, ...]:
    """Return the lines of a solution as its labels count them; line breaks after the last one make none."""
    return tuple(solution.rstrip("\n").split("\n"))


def line_place(label: str, lines: Sequence[str]) -> int | None:
    """Return where the line of a label stands, from zero; `None` where there is none."""
    place = len(lines) if label == FINAL_ANSWER else _number(label)
    return place - 1 if place is not None and 0 < place <= len(lines) else None


def _number(line: str) -> int | None:
    return int(line[1:]) if line[:1] == "L" and line[1:].isascii() and line[1:].isdecimal() and len(line) < 7 else None


def _findings(text: FlawText) -> Iterator[Judgement]:
    original, flawed = lines_of(text.solution), lines_of(text.flawed)
    certificate = text.certificate
    for name, lines, value in (
        ("solution", original, text.values[certificate.oracle.answer]),
        ("flawed solution", flawed, certificate.answer),
    ):
        reason = _answer_problem(lines[-1], "\n".join(lines), value)
        if reason is not None:
            yield Judgement.of_problem(f"the {name} {reason}")
            return
    place = line_place(text.line, flawed)
    if place is None or (place == len(flawed) - 1 and text.line != FINAL_ANSWER):
        yield Judgement.of_problem(f"the flawed solution has no line {text.line[:20]!r}")
        return
    yield from _earlier_changes(text, original[:-1], flawed[:-1], place)
    yield from _equation_findings(text, flawed[:-1], place)
    yield from _missing_values(text, flawed)


# The solution is that of other flaws, too.
@lru_cache(maxsize=128)
def _answer_problem(line: str, solution: str, value: Exact) -> str | None:
    if not line.startswith(ANSWER_MARK):
        return f"does not end in {ANSWER_MARK!r}"
    gold = read_gold(line.removeprefix(ANSWER_MARK), solution)
    if gold is None:
        return f"has no number after {ANSWER_MARK!r}"
    reached = match_gold(value, gold)
    return None if reached.reached else f"answers otherwise than its certificate: it {reached.reason}"


def _earlier_changes(text: FlawText, original: Sequence[str], flawed: Sequence[str], place: int) -> Iterator[Judgement]:
    """Yield the first line before the error that is not the solution's, whose words alone a person may change; a step left out moves what follows it."""
    kind = None if text.edit is None else text.edit.kind
    if text.edit is not None and kind is EditKind.DELETED:
        place = min(place, (_number(text.edit.line) or place + 1) - 1)
    for number in range(place):
        same = _stated_parts if text.reworded else str
        if number >= len(original) or same(flawed[number]) != same(original[number]):
            yield Judgement.of_problem(f"L{number + 1}, before the error, is not the solution's line")
            return
    more = len(flawed) - len(original)
    if more not in _MORE_LINES.get(kind, {0}):
        yield Judgement.of_problem(
            f"the flawed solution has {len(flawed)} lines before the answer, the solution {len(original)}"
        )


def _stated_parts(line: str) -> tuple[list[str], list[str]]:
    equations = (f"{line[equation.start : equation.end]}".split() for equation in read_line(line).equations)
    return sorted(str(mention.readings) for mention in mentions(line)), sorted(map("".join, equations))


def _equation_findings(text: FlawText, flawed: Sequence[str], place: int) -> Iterator[Judgement]:
    """Yield false equations and comparisons where none should be, and the lack of a false equation where one should."""
    # From the error on, an equation in an unknown has to hold for the value that the solution ends with.
    solved = solved_lines(["" if number < place else line for number, line in enumerate(flawed)])
    for number, line in enumerate([*flawed[:place], *solved[place:]]):
        reading = read_line(line)
        labelled = text.certificate.mutant is None and number == place
        if labelled and not reading.false:
            undecided = any(equation.truth is Truth.UNKNOWN for equation in reading.equations)
            if reading.unread or not reading.equations or undecided:
                unread = f"{text.line} holds no equation that can be read as the false one"
                yield Judgement(Status.UNKNOWN, unread)
            else:
                yield Judgement.of_problem(f"{text.line} holds no false equation")
        for false in () if labelled else reading.refuted[:1]:
            yield Judgement.of_problem(f"L{number + 1} holds a false equation: {line[false.start : false.end][:80]}")


def _missing_values(text: FlawText, flawed: Sequence[str]) -> Iterator[Judgement]:
    """Yield the stated values that their lines do not show; a value may be missing where no step reads it any longer."""
    certificate = text.certificate
    read = {certificate.told.answer}.union(*(names_of(step.expression) for step in certificate.told.steps))
    strict = text.edit is None or text.edit.kind in {EditKind.CHANGED, EditKind.ADDED}
    for step in certificate.told.steps:
        value = certificate.stated[step.variable]
        place = _number(step.line)
        # The answer's line, and those that a solution has not, show any value.
        shown = [] if place is None or not 0 < place < len(flawed) else mentions(flawed[place - 1])
        if place is None or any(abs(value) in mention.readings for mention in shown):
            continue
        if step.variable in read or (strict and step.variable == certificate.change.variable):
            yield Judgement.of_problem(f"{step.line} does not show {step.variable} = {format_exact(value)}")
