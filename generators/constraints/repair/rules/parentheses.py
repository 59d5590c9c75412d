"""The rule of parentheses that are missing or surplus in a command, placed so that the fewest faults are left."""

from __future__ import annotations

import re
from itertools import combinations, islice, pairwise
from typing import TYPE_CHECKING

from generators.constraints.repair.program_draft import ProgramDraft, RepairChange, command_faults, repair_rule
from generators.constraints.repair.spellings import function
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.parser import atom_kind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk
from harness.smtlib.symbols import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.smtlib.sort_checker import SymbolScope

MOST_TOKENS = 400
MOST_TRIED = 1_500
MOST_WORK = 60_000
"""Tokens that are read in all searches of a program."""
_COMMANDS = ALLOWED | REFUSED
_LENGTHS = {"assert": 2, "define-const": 4, "define-fun": 5}
"""The items of the commands in which a search finds the place of a parenthesis."""
_BINDING = frozenset({"let", "forall", "exists", "define-fun"})
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


@repair_rule(ScriptFaultKind.UNCLOSED, ScriptFaultKind.STRAY_CLOSING, ScriptFaultKind.MALFORMED_COMMAND)
def parentheses(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Balance each command by itself; it is certain only where one placement alone leaves no fault."""
    offsets = [fault.at.offset for fault in draft.faults(*parentheses.faults)]
    work = MOST_WORK
    for start, end in _spans(draft):
        tokens = [token for token in _TOKEN.finditer(draft.text, start, end) if token[0][0] != ";"]
        texts = [token[0] for token in tokens]
        missing = texts.count("(") - texts.count(")")
        if not missing or not any(start <= offset < end for offset in offsets):
            continue
        searched = texts[1] in _LENGTHS or texts[1] not in _COMMANDS
        tried = min(MOST_TRIED, work // len(tokens)) if searched and len(tokens) <= MOST_TOKENS else 0
        work -= tried * len(tokens)
        found = _placements(texts, missing, draft.script.scope, tried)
        note = "" if len(found) == 1 else "more than one place is possible, or more may be missing"
        if not found:
            note = "too much is wrong to tell where" if searched else ""
            if missing > 0 or texts[missing:] == [")"] * -missing:
                found = [next(_candidates(texts, missing))]
        elif found[0].count(len(tokens) - 1) > 1 and missing > 0:
            note = "more than one place is possible, or more may be missing"
        for place in found[0] if found else ():
            left_out = 0 if missing > 0 else 1
            yield RepairChange(
                tokens[place].end() - left_out, tokens[place].end(), "" if left_out else ")", not note, note
            )


def _spans(draft: ProgramDraft) -> list[tuple[int, int]]:
    """Return where each command begins and where the next one does; a formula that begins a line is a command without its name."""
    starts = [
        node.at.offset
        for node in draft.script.nodes
        if isinstance(node, NodeGroup)
        and (node.head in _COMMANDS or (node.at.column == 1 and function(node.head) in FUNCTIONS))
    ]
    return list(pairwise([*starts, len(draft.text)]))


def _placements(texts: Sequence[str], missing: int, scope: SymbolScope, tried: int) -> list[tuple[int, ...]]:
    """Return the ways to balance a command that leave the fewest faults, each reading differently, those at the end first."""
    best: dict[tuple[str, ...], tuple[int, ...]] = {}
    least: int | None = None
    for chosen in islice(_candidates(texts, missing), tried):
        changed = _balanced(texts, chosen, missing)
        weight = None if changed in best else _weight(changed, scope)
        if weight is not None and (least is None or weight <= least):
            best = {**(best if weight == least else {}), changed: chosen}
            least = weight
    return list(best.values())


def _candidates(texts: Sequence[str], missing: int) -> Iterator[tuple[int, ...]]:
    """Yield the tokens after which a parenthesis is put in, or those that are left out, as many as are missing or surplus."""
    backwards = range(len(texts) - 1, -1, -1)
    if missing > 0:
        # At the end first: that is where they are miscounted most.
        yield (len(texts) - 1,) * missing
        places = [place for place in backwards if texts[place] != "("]
        yield from combinations(sorted(places * min(missing, 2), reverse=True), missing)
    else:
        yield from combinations([place for place in backwards if texts[place] == ")"], -missing)


def _balanced(texts: Sequence[str], chosen: Sequence[int], missing: int) -> tuple[str, ...]:
    """Return tokens with the parentheses put in, or left out."""
    if missing < 0:
        return tuple(text for place, text in enumerate(texts) if place not in chosen)
    return tuple(part for place, text in enumerate(texts) for part in (text, *[")"] * chosen.count(place)))


def _weight(texts: Sequence[str], scope: SymbolScope) -> int | None:
    """Return how much is wrong with a command that reads so; `None` where it is not one command."""
    nodes = _read(texts)
    command = nodes[0] if nodes is not None and len(nodes) == 1 else None
    if not isinstance(command, NodeGroup):
        return None
    if command.head not in _COMMANDS:
        command = NodeGroup((Atom("assert"), command))
    if len(command.items) != _LENGTHS.get(command.head):
        return None
    shape = sum(fault.kind in _SHAPE for fault in command_faults(command, scope))
    groups = (node for node in walk(command) if isinstance(node, NodeGroup))
    return 2 * shape + sum(
        isinstance(item, NodeGroup) and _is_unlikely(item) and not (group.head in _BINDING and place in {1, 2})
        for group in groups
        for place, item in enumerate(group.items)
    )


def _is_unlikely(group: NodeGroup) -> bool:
    """Tell whether this is read but hardly ever meant, as `(and a)`, `((a))` and `(=> a b c)`."""
    alone = len(group.items) == 2 and group.head in {"and", "or", "let", "ite", "distinct", "=>"}
    return not group.head or alone or (len(group.items) > 3 and group.head == "=>")


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


def _spelt(items: list[Node]) -> list[Node]:
    """Return the items of a group as SMT-LIB2 would have them: its function, and that first."""
    names = [function(item.text) if isinstance(item, Atom) else None for item in items[:2]]
    if len(items) == 3 and names[1] is not None and names[0] is None:
        return [Atom(names[1]), items[0], items[2]]
    first = items[0] if items else None
    if isinstance(first, Atom) and first.text not in FUNCTIONS and names[0] is not None:
        return [Atom(names[0]), *items[1:]]
    return items
