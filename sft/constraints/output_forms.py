"""The forms in which a model writes programs: after the reasoning, alone, or clause by clause; their prompts and training texts.

Clause by clause, each clause of the problem is a comment, followed by its declarations and assertions: SMT-LIB2 in the order of the
text. The comments are the problem's own words, so that a writer is given them and does not write them; a constant is declared after the
clause that first names it.
"""

import enum
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from harness.records.constraint import ConstraintProblem
from harness.smtlib.grammar import ANSWER, CHECK, VALUE
from harness.smtlib.s_expressions import Atom, Node, walk, write_node
from harness.smtlib.script import Script, read_script
from oracles.constraints.clause_alignment import align_clauses, clauses_of, name_words, text_words

CONTRACT = "declare a constant answer if a value is asked for, assert what is said, end with (check-sat)."
WRITE = f"Write the problem as an SMT-LIB2 program: {CONTRACT}"
CONVERT = "Convert the constraint problem into reasoning and SMT-LIB."
CLAUSE_BY_CLAUSE = "Write the problem as an SMT-LIB2 program, clause by clause."
CORRECT = f"Correct the SMT-LIB2 program by what the solver says of it: {CONTRACT}"
HEAD = "(set-logic ALL)"
"""The logic of a program clause by clause: what it needs is known at its end only."""
MARK = ";"
"""The mark that begins a clause; a writer ends the part after a clause by it."""
_PLACED = frozenset({"set-logic", "assert", "check-sat", "get-value", "get-model", "exit"})
"""The commands whose places do not depend on their names."""


class OutputForm(enum.StrEnum):
    """The form that a model learns to write: the reasoning, a blank line and the program; the program alone; or clause by clause."""

    REASONING = "reasoning"
    PROGRAM = "program"
    CLAUSES = "clauses"

    @property
    def instruction(self) -> str:
        """Return the request to a model for a problem."""
        return {OutputForm.REASONING: CONVERT, OutputForm.PROGRAM: WRITE, OutputForm.CLAUSES: CLAUSE_BY_CLAUSE}[self]


@dataclass(frozen=True, slots=True)
class InstructionExample:
    """A training text in the form that fine-tuning tools read."""

    instruction: str
    """The instruction."""
    input: str
    """The problem."""
    output: str
    """The expected program."""


def example_of(problem: ConstraintProblem, form: OutputForm = OutputForm.REASONING) -> InstructionExample:
    """Return the training text of a problem; a problem without reasoning has its program alone where that is asked for."""
    if form is OutputForm.CLAUSES:
        output = clause_program(problem.problem, problem.program, problem.stated)
    else:
        steps = "\n".join(problem.reasoning).strip() if form is OutputForm.REASONING else ""
        output = "\n\n".join(part for part in (steps, problem.program.strip()) if part)
    return InstructionExample(form.instruction, problem.problem.strip(), output)


def chat_turns(instruction: str, asked: str) -> list[dict[str, str]]:
    """Return the chat before the answer of the model."""
    return [{"role": "system", "content": instruction}, {"role": "user", "content": asked}]


def chat_of(example: InstructionExample) -> dict[str, Any]:
    """Return an example as the trainer reads it; `problem_id` groups the examples of the same input.

    `given` are the parts of the completion that a writer is given, from one character up to another; none is learnt.
    """
    chat = {"problem_id": example.input, "completion": example.output}
    if example.instruction != CLAUSE_BY_CLAUSE:
        return {**chat, "prompt": chat_turns(example.instruction, example.input)}
    # The answer has the words of the problem, so that they are not asked first.
    given = [list(span) for span in given_spans(example.output)]
    return {**chat, "prompt": chat_turns(CLAUSE_BY_CLAUSE, ""), "given": given}


def clause_texts(problem: str) -> tuple[str, ...]:
    """Return the clauses of a problem, each on one line, without answer options."""
    return tuple(" ".join(clause.text.split()) for clause in clauses_of(problem) if not clause.option)


def clause_program(problem: str, program: str, stated: Sequence[str] = ()) -> str:
    """Return a program clause by clause; see `clause_commands`."""
    lines = [HEAD]
    for text, commands in clause_commands(problem, program, stated):
        lines += [f"{MARK} {text}", *commands]
    return "\n".join([*lines, *ending(lines)])


def ending(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the last commands of a program: the question to the solver and, where an answer is declared, for its value."""
    asks_value = any(line.startswith(f"(declare-const {ANSWER} ") for line in lines)
    return (CHECK, VALUE) if asks_value else (CHECK,)


def clause_commands(problem: str, program: str, stated: Sequence[str] = ()) -> list[tuple[str, list[str]]]:
    """Return each clause with its declarations and assertions; an assertion that no clause states follows the one before it.

    `stated` are the words that state each assertion, where they are known; else names and numbers align the two.
    """
    texts, script = clause_texts(problem), read_script(program)
    commands: list[tuple[str, list[str]]] = [(text, []) for text in texts]
    if texts:
        places = _known_places(texts, script, stated) or _aligned_places(problem, program, script, len(texts) - 1)
        for place, line in _declared_places(texts, script, places):
            commands[place][1].append(line)
        for place, node in zip(places, script.assertions, strict=True):
            commands[place][1].append(f"(assert {write_node(node)})")
    return commands


def _aligned_places(problem: str, program: str, script: Script, last: int) -> list[int]:
    """Return the clause of each assertion by the alignment, the one before it where no clause states it; of the answer, the last."""
    places, place = [], 0
    for clause, node in zip(align_clauses(problem, program).clause_of, script.assertions, strict=True):
        place = place if clause is None else min(clause, last)
        places.append(last if ANSWER in _atom_names(node) else place)
    return places


def _known_places(texts: Sequence[str], script: Script, stated: Sequence[str]) -> list[int]:
    """Return the clause of each assertion by the words that state it, none if they are not all in the text in their order.

    What holds in every case is after the last clause before those, what ties the answer to the rest after the last clause.
    """
    if len(stated) != len(script.assertions) or not any(stated):
        return []
    whole, begin = " ".join(texts).casefold(), 0
    ends = list(accumulate(len(text) + 1 for text in texts))
    found: list[int | None] = []
    for words in (" ".join(words.split()).casefold() for words in stated):
        at = whole.find(words, begin) if words else None
        if at == -1:
            return []
        found.append(None if at is None else bisect_right(ends, at))
        begin = begin if at is None else at + len(words)
    first, last = min(place for place in found if place is not None), len(texts) - 1
    return [
        place if place is not None else last if ANSWER in _atom_names(node) else max(first - 1, 0)
        for place, node in zip(found, script.assertions, strict=True)
    ]


def _atom_names(node: Node) -> set[str]:
    return {atom.name for atom in walk(node) if isinstance(atom, Atom)}


def _declared_places(texts: Sequence[str], script: Script, places: Sequence[int]) -> list[tuple[int, str]]:
    """Return each declaration with the clause that it is after: the first by which its names were said, but before its use.

    A sort is declared with its first constant, which waits until the values are said; the answer after the last clause.
    """
    known = list(accumulate((text_words(text) for text in texts), set[str].union))
    last = len(texts) - 1

    def first(names: Iterable[str]) -> int:
        named = {word for name in names for word in name_words(name)}
        return next((place for place, words in enumerate(known) if named <= words), last)

    values = {enumeration.command: enumeration.values for enumeration in script.enumerations}
    said = {enumeration.name: first(enumeration.values) for enumeration in script.enumerations}
    constants = {declaration.command for declaration in script.declarations}
    needed: dict[str, int] = {}

    def need(names: Iterable[str], place: int) -> None:
        needed.update((name, min(place, needed.get(name, last))) for name in names)

    for place, node in zip(places, script.assertions, strict=True):
        need(_atom_names(node), place)
    placed: list[tuple[int, str]] = []
    # From the last to the first, so that what a declaration needs is declared before it.
    for number, command in reversed(list(enumerate(script.commands))):
        if command.head not in _PLACED:
            used = _atom_names(command)
            name = next((atom.name for node in command.arguments for atom in walk(node) if isinstance(atom, Atom)), "")
            own = {name, *values.get(number, ())}
            place = min((needed[name] for name in own & needed.keys()), default=last)
            if number in constants and name != ANSWER:
                place = min(place, max([first(own), *(said[name] for name in used & said.keys())]))
            need(used - own, place)
            placed.insert(0, (place, write_node(command)))
    return sorted(placed, key=lambda pair: pair[0])


def given_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the words of clauses begin and end in a program clause by clause, with their line ends; the first span from its begin."""
    start, first = 0, True
    for line in text.splitlines(keepends=True):
        if line.startswith(MARK):
            yield 0 if first else start + len(MARK), start + len(line)
            first = False
        start += len(line)


def without_clauses(lines: Iterable[str]) -> str:
    """Return a program without the comments of its clauses."""
    return "\n".join(line for line in lines if not line.startswith(MARK))
