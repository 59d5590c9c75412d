"""Names of several words with blanks between them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import code_matches
from generators.constraints.repair.syntax.name_usage import free_name
from generators.constraints.repair.syntax.sort_names import sort_name
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup
from harness.smtlib.script import read_script


@edit_kind(
    "spaced_name",
    order=295,
    examples=(
        RepairExample(
            "(declare-const red book Int)\n(declare-const blue book Int)\n(assert (< red book blue book))\n(check-sat)\n",
            "(declare-const red_book Int)\n(declare-const blue_book Int)\n(assert (< red_book blue_book))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x y Int)\n(assert (< x 3))\n(assert (< y x))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (< x 3))\n(assert (< y x))\n(check-sat)\n",
        ),
    ),
)
def spaced_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Join the words of a name that always stand side by side, where the program has fewer faults with it than with each by itself."""
    phrases = {phrase for command in draft.script.commands if (phrase := _phrase(draft, command)) is not None}
    if not phrases:
        return
    words = {word for phrase in phrases for word in phrase}
    if words & draft.script.scope.symbols.keys():
        return
    longest = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    forms = (r"\s+".join(map(re.escape, phrase)) for phrase in longest)
    pattern = re.compile("|".join(rf"(?<![\w.-]){form}(?![\w.-])" for form in forms))
    runs = list(code_matches(pattern, draft.text))
    used = {phrase: sum(tuple(run[0].split()) == phrase for run in runs) for phrase in phrases}
    alone = [
        atom
        for atom in draft.atoms()
        if atom.name in words and not any(run.start() <= atom.at.offset < run.end() for run in runs)
    ]
    if alone or not any(used[phrase] > 1 for phrase in phrases):
        return
    changes = [RepairChange(run.start(), run.end(), free_name(draft, "_".join(run[0].split()))) for run in runs]
    joined, single = _faults(_applied(draft.text, changes)), _faults(_split(draft, phrases))
    # `red book` and `blue book` share a word, which would be declared twice.
    shared = sum(map(len, phrases)) > len(words)
    if joined < single or (shared and joined == single):
        yield from changes


def _applied(text: str, changes: list[RepairChange]) -> str:
    for change in reversed(changes):
        text = text[: change.start] + change.after + text[change.end :]
    return text


def _split(draft: ProgramDraft, phrases: set[tuple[str, ...]]) -> str:
    """Return the program with a declaration for each word."""
    changes = []
    for command in draft.script.commands:
        if (phrase := _phrase(draft, command)) in phrases and phrase is not None:
            sort = draft.source(command.items[-1])
            declared = "".join(f"(declare-const {word} {sort})" for word in phrase)
            changes.append(RepairChange(command.at.offset, command.end, declared))
    return _applied(draft.text, changes)


def _faults(text: str) -> int:
    """Return how many faults a program has, repeated declarations of one name aside."""
    return sum(fault.kind is not ScriptFaultKind.DUPLICATE for fault in read_script(text).faults)


def _phrase(draft: ProgramDraft, command: NodeGroup) -> tuple[str, ...] | None:
    """Return the words in front of the sort of a declaration of several words; `None` where it has another form."""
    atoms = [item for item in command.arguments if isinstance(item, Atom)]
    if command.head != "declare-const" or len(atoms) != len(command.arguments) or len(atoms) < 3:
        return None
    if sort_name(draft, atoms[-1].text) is None or any(sort_name(draft, atom.text) for atom in atoms[:-1]):
        return None
    if any(atom.kind is not AtomKind.SYMBOL or not atom.text[0].isalpha() for atom in atoms[:-1]):
        return None
    return tuple(atom.text for atom in atoms[:-1])
