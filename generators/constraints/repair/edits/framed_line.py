"""Lines of languages that nothing is known of, which hold one formula, or one sort and the names that have it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.expression_parser import read_term
from generators.constraints.repair.syntax.frame_words import may_deny
from generators.constraints.repair.syntax.sort_names import sort_name
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, Node, NodeGroup
from harness.smtlib.sort_checker import SortChecker
from harness.smtlib.symbols import BOOL
from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_NO_NAMES = _LISTS.words("no_names")
_WORD = re.compile(r"\S+")
_NAME = re.compile(r"[A-Za-z_]\w*")
_CALL = re.compile(r"[^()]*+\((?P<arguments>.*)\)[^()]*+")
_KEYWORD = re.compile(r"[A-Za-z_]\w*+ ?=(?![=<>])")
_COMMENT = re.compile(r"\s*(?:;|//|#|--|%|/\*|<!--)")
_LONGEST, _MOST, _FRAME = 400, 300, 8
"""The characters of a line, the lines, and the words beside a formula that are looked at."""
_STATED = "the words around the formula may not say that it holds"
_DECLARED = "the line may say more of the name than its sort"


@dataclass(frozen=True, slots=True)
class _Line:
    """A line outside of commands, with its place."""

    start: int
    text: str


@edit_kind(
    "framed_line",
    order=119,
    examples=(
        RepairExample(
            "unknown x of type Int\nunknown y of type Int\npost x + y .== 7\npost x > 3 everywhere\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (= (+ x y) 7))\n(assert (> x 3))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\nModel.Impose(x > 3, name)\nModel.Impose(expr=x < 9, name)\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3))\nso it follows that x > 2\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n; so it follows that x > 2\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\nmaximize x > 3\nmaximize x > 5\n(assert (< x 9))\n(check-sat)\n",
            "(declare-const x Int)\n; maximize x > 3\n; maximize x > 5\n(assert (< x 9))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def framed_line(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Declare the names and assert the formulas of lines that are alike; the other words may say something else, so that none is certain."""
    if not draft.faults(ScriptFaultKind.STRAY_TEXT):
        return
    lines = list(_lines(draft))
    wanted = _wanted(draft)
    heads = {words[0] for line in lines if (words := _NAME.findall(line.text))}
    declared = [change for line in lines if (change := _declaration(draft, line, wanted, heads)) is not None]
    if declared:
        yield from declared
        return
    read = [(line, *reading) for line in lines if (reading := _formula(draft, line.text)) is not None]
    frames = Counter(frame for _, frame, _ in read)
    for line, frame, formula in read:
        alike = frames[frame] > 1 or (not draft.script.assertions and len(read) == 1)
        if frame and alike and any(isinstance(other, NodeGroup) for _, same, other in read if same == frame):
            text = f"(assert {write_node(formula)})"
            yield RepairChange(line.start, line.start + len(line.text), text, certain=False, note=_STATED)


def _lines(draft: ProgramDraft) -> Iterator[_Line]:
    """Yield the lines with something outside of commands and without a command."""
    taken = [
        (draft.position(node.at.offset).line, draft.position(node.end).line, node)
        for node in draft.nodes
        if isinstance(node, NodeGroup)
    ]
    commands = {
        number
        for first, last, node in taken
        if last > first or node.head in ALLOWED | REFUSED
        for number in range(first, last + 1)
    }
    stray = {draft.position(node.at.offset).line for node in draft.nodes if isinstance(node, Atom)}
    start = 0
    for number, line in enumerate(draft.text.splitlines(keepends=True)[: 10 * _MOST], 1):
        text = line.strip()
        if number in stray - commands and len(text) <= _LONGEST and not _COMMENT.match(text):
            yield _Line(start + len(line) - len(line.lstrip()), text)
        start += len(line)


def _formula(draft: ProgramDraft, text: str) -> tuple[str, Node] | None:
    """Return the first word of a line, and the formula in it, the longest that can be read; `None` where there is none."""
    known = draft.script.scope.symbols
    words = list(_WORD.finditer(text))
    speaking = [number for number, word in enumerate(words) if _speaks(word[0], known)]
    if not speaking:
        return None
    for number in range(min(speaking[0], _FRAME) + 1):
        for last in range(len(words), max(speaking[-1], len(words) - 1 - _FRAME), -1):
            start, end = words[number].start(), words[last - 1].end()
            beside = f"{text[:start]} {text[end:]}"
            if not beside.strip(" \t.,;"):
                continue
            formula = None if may_deny(beside) else _read(draft, text[start:end])
            if formula is not None:
                return words[0][0].lower(), formula
    return _argument(draft, text)


def _argument(draft: ProgramDraft, text: str) -> tuple[str, Node] | None:
    """Return what is called, and the only formula among its arguments."""
    match = _CALL.fullmatch(text)
    if match is None:
        return None
    formulas = []
    beside = text[: match.start("arguments")] + text[match.end("arguments") :]
    for argument in _arguments(match["arguments"]):
        formula = _read(draft, _keyword_value(argument))
        if formula is not None:
            formulas.append(formula)
        else:
            beside += f" {argument}"
    if len(formulas) != 1 or may_deny(beside):
        return None
    return text[: match.start("arguments")].lower(), formulas[0]


def _keyword_value(argument: str) -> str:
    """Return the value of `expr=x < 9`."""
    stripped = argument.strip()
    match = _KEYWORD.match(stripped)
    return stripped[match.end() :] if match else stripped


def _arguments(text: str) -> Iterator[str]:
    depth = start = 0
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            yield text[start:place]
            start = place + 1
    yield text[start:]


def _speaks(word: str, known: Collection[str]) -> bool:
    """Tell whether a word may belong to a formula: it has a parenthesis, a digit, or the name of a constant."""
    return "(" in word or any(name in known for name in _NAME.findall(word)) or word[:1].isdigit()


def _read(draft: ProgramDraft, text: str) -> Node | None:
    text = text.strip(" \t.,;:'\"`$")
    try:
        node = read_term(text, frozenset(draft.script.scope.symbols))
    except UnreadableError:
        return None
    checker = SortChecker(draft.script.scope)
    return node if checker.term(node) == BOOL and not checker.faults else None


def _wanted(draft: ProgramDraft) -> set[str]:
    """Return the names that are not declared, of the lines that name no sort."""
    names: set[str] = set()
    for line in draft.text.splitlines():
        words = _NAME.findall(line)
        if not any(sort_name(draft, word) for word in words):
            names.update(words)
    return {name for name in names - draft.script.scope.symbols.keys() if name.lower() not in _NO_NAMES}


def _declaration(
    draft: ProgramDraft, line: _Line, wanted: Collection[str], heads: Collection[str]
) -> RepairChange | None:
    """Return the declarations of a line that names one sort, of `wanted` names; a word that begins lines is none of them."""
    words = _NAME.findall(line.text)
    sorts = {sort for word in words if (sort := sort_name(draft, word)) is not None}
    if len(sorts) != 1 or may_deny(line.text) or re.search(r"[<>\d]", _NAME.sub("", line.text)):
        return None
    names = [word for word in dict.fromkeys(words) if word in wanted and (word not in heads or word == words[0])]
    if not names or (len(names) > 1 and words[0] == names[0] and len(words) > len(names) + 1):
        return None
    text = "\n".join(f"(declare-const {name} {next(iter(sorts))})" for name in names)
    return RepairChange(line.start, line.start + len(line.text), text, certain=False, note=_DECLARED)
