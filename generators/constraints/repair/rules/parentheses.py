"""The rule of parentheses that are missing or surplus in a command, placed so that the fewest faults are left."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations, islice, pairwise
from typing import TYPE_CHECKING

from generators.constraints.repair.operator_spellings import function
from generators.constraints.repair.program_draft import ProgramDraft, RepairChange, RepairRule
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.parser import atom_kind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk
from harness.smtlib.sort_checker import SortChecker, SymbolScope
from harness.smtlib.symbols import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_TOKENS = 400
MOST_TRIED = 1_500
MOST_WORK = 60_000
"""Tokens that are read in all searches of a program."""
_COMMANDS = ALLOWED | REFUSED
_TOKEN = re.compile(r';[^\n]*|"(?:[^"\n]|"")*"|\|[^|\\\n]+\||[()]|[^\s()";|]+|["|]')
_SHAPE = frozenset(
    {
        ScriptFaultKind.MALFORMED_TERM,
        ScriptFaultKind.MALFORMED_COMMAND,
        ScriptFaultKind.WRONG_ARITY,
        ScriptFaultKind.WRONG_SORT,
        ScriptFaultKind.UNKNOWN_COMMAND,
    }
)


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Placement:
    """A way to balance a command: parentheses put in after tokens, or left out, by index; `weight` is how much is wrong then."""

    weight: int
    after: tuple[int, ...]
    without: tuple[int, ...]


def parentheses(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Balance each command by itself; it is certain only where one placement alone leaves no fault."""
    offsets = [fault.at.offset for fault in draft.faults(*PARENTHESES.faults)]
    work = MOST_WORK
    for start, end in _spans(draft):
        if not any(start <= offset < end for offset in offsets):
            continue
        tokens = [
            _Token(match[0], *match.span()) for match in _TOKEN.finditer(draft.text, start, end) if match[0][0] != ";"
        ]
        missing = sum((token.text == "(") - (token.text == ")") for token in tokens)
        if not missing:
            continue
        searched = tokens[1].text in {"assert", "define-fun", "define-const"} or tokens[1].text not in _COMMANDS
        tried = min(MOST_TRIED, work // len(tokens)) if searched and len(tokens) <= MOST_TOKENS else 0
        work -= tried * len(tokens)
        found = _placements([token.text for token in tokens], missing, draft.script.scope, tried)
        if len(found) == 1 and (missing < 0 or found[0].after.count(len(tokens) - 1) < 2):
            yield from _changes(tokens, found[0], "")
        elif found:
            yield from _changes(tokens, found[0], "more than one place is possible, or more may be missing")
        else:
            yield from _at_the_end(tokens, missing, "too much is wrong to tell where" if searched else "")


def _spans(draft: ProgramDraft) -> list[tuple[int, int]]:
    """Return where each command begins and where the next one does; a formula that begins a line is a command without its name."""
    starts = [
        node.at.offset
        for node in draft.nodes
        if isinstance(node, NodeGroup)
        and (node.head in _COMMANDS or (node.at.column == 1 and function(node.head) in FUNCTIONS))
    ]
    return list(pairwise([*starts, len(draft.text)]))


def _at_the_end(tokens: Sequence[_Token], missing: int, note: str) -> Iterator[RepairChange]:
    """Yield parentheses put in, or left out, after the last token."""
    if missing > 0:
        yield RepairChange(tokens[-1].end, tokens[-1].end, ")" * missing, not note, note)
    elif all(token.text == ")" for token in tokens[missing:]):
        yield RepairChange(tokens[missing].start, tokens[-1].end, "", not note, note)


def _changes(tokens: Sequence[_Token], placement: _Placement, note: str) -> Iterator[RepairChange]:
    for place in placement.after:
        yield RepairChange(tokens[place].end, tokens[place].end, ")", not note, note)
    for place in placement.without:
        yield RepairChange(tokens[place].start, tokens[place].end, "", not note, note)


def _placements(texts: Sequence[str], missing: int, scope: SymbolScope, tried: int) -> list[_Placement]:
    """Return the ways to balance a command that leave the fewest faults, each reading differently, those at the end first."""
    best: dict[tuple[str, ...], _Placement] = {}
    least: int | None = None
    for after, without in islice(_candidates(texts, missing), tried):
        changed = _with(texts, after, without)
        if changed in best:
            continue
        weight = _weight(changed, scope)
        if weight is None or (least is not None and weight > least):
            continue
        if least is None or weight < least:
            least, best = weight, {}
        best[changed] = _Placement(weight, after, without)
    return list(best.values())


def _candidates(texts: Sequence[str], missing: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield tokens after which a parenthesis is put in, and parentheses that are left out."""
    backwards = range(len(texts) - 1, -1, -1)
    if missing > 0:
        # At the end first: that is where they are miscounted most.
        yield (len(texts) - 1,) * missing, ()
        places = [number for number in backwards if texts[number] != "("]
        for chosen in combinations(sorted(places * min(missing, 2), reverse=True), missing):
            yield chosen, ()
    else:
        for chosen in combinations([number for number in backwards if texts[number] == ")"], -missing):
            yield (), chosen


def _with(texts: Sequence[str], after: Sequence[int], without: Sequence[int]) -> tuple[str, ...]:
    changed: list[str] = []
    for number, text in enumerate(texts):
        if number not in without:
            changed.append(text)
        changed += [")"] * after.count(number)
    return tuple(changed)


def _weight(texts: Sequence[str], scope: SymbolScope) -> int | None:
    """Return how much is wrong with a command that reads so; `None` where it is not one command."""
    nodes = _read(texts)
    command = nodes[0] if nodes is not None and len(nodes) == 1 else None
    if not isinstance(command, NodeGroup):
        return None
    checker = SortChecker(scope)
    if command.head == "assert":
        if len(command.items) != 2:
            return None
        checker.boolean(command.items[1])
    elif command.head == "define-fun":
        if len(command.items) != 5 or not isinstance(command.items[2], NodeGroup):
            return None
        pairs = [item.items for item in command.items[2].items if isinstance(item, NodeGroup) and len(item.items) == 2]
        bound = {name.name: checker.sort(sort) for name, sort in pairs if isinstance(name, Atom)}
        checker.within(bound, command.items[4])
    elif command.head in _COMMANDS:
        return None
    else:
        checker.boolean(command)  # a formula that is not asserted
    binding = {
        id(part.items[place])
        for part in walk(command)
        if isinstance(part, NodeGroup) and part.head in {"let", "forall", "exists", "define-fun"}
        for place in (1, 2)
        if place < len(part.items)
    }
    # `(and a)`, `((a))` and `(=> a b c)` are read but hardly ever meant.
    unlikely = sum(
        isinstance(node, NodeGroup)
        and id(node) not in binding
        and (
            not node.head
            or (len(node.items) == 2 and node.head in {"and", "or", "let", "ite", "distinct", "=>"})
            or (len(node.items) > 3 and node.head == "=>")
        )
        for node in walk(command)
    )
    return 2 * sum(fault.kind in _SHAPE for fault in checker.faults) + unlikely


def _spelt(items: list[Node]) -> list[Node]:
    """Return the items of a group as SMT-LIB2 would have them: its function, and that first."""
    names = [function(item.text) if isinstance(item, Atom) else None for item in items[:2]]
    if len(items) == 3 and names[1] is not None and names[0] is None:
        return [Atom(names[1]), items[0], items[2]]
    first = items[0] if items else None
    if isinstance(first, Atom) and first.text not in FUNCTIONS and names[0] is not None:
        return [Atom(names[0]), *items[1:]]
    return items


def _read(texts: Sequence[str]) -> list[Node] | None:
    """Read tokens with operators as SMT-LIB2 spells them; `None` where parentheses do not match."""
    stack: list[list[Node]] = [[]]
    for text in texts:
        if text == "(":
            stack.append([])
        elif text == ")":
            if len(stack) == 1:
                return None
            items = stack.pop()
            stack[-1].append(NodeGroup(tuple(_spelt(items))))
        else:
            stack[-1].append(Atom(text, AtomKind.QUOTED if text[0] == "|" and len(text) > 2 else atom_kind(text)))
    return stack[0] if len(stack) == 1 else None


PARENTHESES = RepairRule(
    "parentheses",
    frozenset({ScriptFaultKind.UNCLOSED, ScriptFaultKind.STRAY_CLOSING, ScriptFaultKind.MALFORMED_COMMAND}),
    parentheses,
)
