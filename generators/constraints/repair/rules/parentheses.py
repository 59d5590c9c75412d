"""The rule of parentheses that are missing or surplus in a command, placed so that the fewest faults are left."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations, islice, pairwise
from typing import TYPE_CHECKING

from generators.constraints.repair.program_draft import (
    AmbiguousError,
    ProgramDraft,
    RepairChange,
    command_faults,
    repair_rule,
)
from generators.constraints.repair.spellings import NEVER_ALONE, closeness, function
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.parser import atom_kind
from harness.smtlib.printer import write_node
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
_BINDING = frozenset({"let", "forall", "exists"})
MOST_SHOWN = 3
"""Readings that a note shows."""
_TOKEN = re.compile(r';[^\n]*|"(?:[^"\n]|"")*"|\|[^|\\\n]+\||[()]|[^\s()";|]+|["|]')
_MISFITS = (
    ScriptFaultKind.MALFORMED_TERM,
    ScriptFaultKind.MALFORMED_COMMAND,
    ScriptFaultKind.WRONG_ARITY,
    ScriptFaultKind.WRONG_SORT,
    ScriptFaultKind.UNKNOWN_COMMAND,
    ScriptFaultKind.UNSUPPORTED,
)


@repair_rule(ScriptFaultKind.UNCLOSED, ScriptFaultKind.STRAY_CLOSING, ScriptFaultKind.MALFORMED_COMMAND)
def parentheses(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Balance each command by itself; it is certain only where one term alone has operators whose arguments fit."""
    yield from _placed(draft, [fault.at.offset for fault in draft.faults(*parentheses.faults)], balanced=False)


@repair_rule(*_MISFITS)
def moved_parenthesis(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Move a parenthesis of an operator that is closed too early or too late, where one term alone fits then; it is never certain."""
    yield from _placed(draft, [fault.at.offset for fault in draft.faults(*moved_parenthesis.faults)], balanced=True)


def _placed(draft: ProgramDraft, offsets: Sequence[int], *, balanced: bool) -> Iterator[RepairChange]:
    """Yield the changes of parentheses in the commands at the offsets whose parentheses are balanced, or are not."""
    work, several = MOST_WORK, list[str]()
    for start, end in _spans(draft):
        tokens = [token for token in _TOKEN.finditer(draft.text, start, end) if token[0][0] != ";"]
        texts = [token[0] for token in tokens]
        missing = texts.count("(") - texts.count(")")
        if bool(missing) == balanced or not any(start <= offset < end for offset in offsets):
            continue
        searched = texts[1] in _LENGTHS or texts[1] not in _COMMANDS
        tried = min(MOST_TRIED, work // len(tokens)) if searched and len(tokens) <= MOST_TOKENS else 0
        work -= tried * len(tokens)
        found = _readings(texts, missing, draft.script.scope, tried)
        chosen, note = found.best, found.note
        if balanced:
            if len(found.terms) > 1 and found.fits:
                several.append(note)
            if len(found.terms) != 1 or not found.fits:
                continue
            note = "an operator was closed too early or too late"
        elif chosen is None:
            note = "too much is wrong to tell where" if searched else ""
            if missing > 0 or texts[missing:] == [")"] * -missing:
                chosen = next(_candidates(texts, missing))
        for place, mark in chosen or ():
            token = tokens[place]
            offset = token.end() if mark == ")" else token.start()
            yield RepairChange(offset if mark else token.start(), offset if mark else token.end(), mark, not note, note)
    if several:
        raise AmbiguousError("; ".join(several))


def _spans(draft: ProgramDraft) -> list[tuple[int, int]]:
    """Return where each command begins and where the next one does; a formula that begins a line is a command without its name."""
    starts = [
        node.at.offset
        for node in draft.script.nodes
        if isinstance(node, NodeGroup)
        and (node.head in _COMMANDS or (node.at.column == 1 and function(node.head) in FUNCTIONS))
    ]
    return list(pairwise([*starts, len(draft.text)]))


Placement = tuple[tuple[int, str], ...]
"""Changes of tokens: a closing parenthesis put in after a token, an opening one before it, or, with no mark, the token left out."""


@dataclass(frozen=True, slots=True)
class _Readings:
    """The terms that a command with other parentheses can be, those with the fewest misfits, and the first placement of each."""

    terms: dict[Node, Placement]
    fits: bool
    complete: bool

    @property
    def best(self) -> Placement | None:
        """Return the first placement."""
        return next(iter(self.terms.values()), None)

    @property
    def note(self) -> str:
        """Return why the placement is not certain; empty where it is."""
        if len(self.terms) > 1:
            shown = " or ".join(write_node(term) for term in islice(self.terms, MOST_SHOWN))
            return f"it may be {shown}{', or another' if len(self.terms) > MOST_SHOWN else ''}"
        if not (self.fits and self.complete) or len({*(self.best or ())}) < len(self.best or ()):
            return "more than one place is possible, or more may be missing"
        return ""


def _readings(texts: Sequence[str], missing: int, scope: SymbolScope, tried: int) -> _Readings:
    """Return the readings of a command that leave the fewest misfits, those with parentheses at the end first."""
    terms: dict[Node, Placement] = {}
    least, count = None, 0
    for count, chosen in enumerate(islice(_candidates(texts, missing), tried + 1), start=1):
        command = _command(_changed(texts, chosen)) if count <= tried else None
        misfits = None if command is None or command in terms else _misfits(command, scope)
        if command is not None and misfits is not None and (least is None or misfits <= least):
            terms = {**(terms if misfits == least else {}), command: chosen}
            least = misfits
    return _Readings(terms, least == 0, count <= tried)


def _candidates(texts: Sequence[str], missing: int) -> Iterator[Placement]:
    """Yield the ways to add the parentheses that are missing, to leave out those that are surplus, or to move one of a balanced command."""
    backwards = range(len(texts) - 1, -1, -1)
    opening, closing = ([place for place in backwards if texts[place] == mark] for mark in "()")
    after = [place for place in backwards if texts[place] != "("]
    before = [place for place in backwards if texts[place] != ")" and place > 1]
    if not missing:
        yield from (((old, ""), (new, ")")) for old in closing for new in after if new != old)
        yield from (((old, ""), (new, "(")) for old in opening[:-1] for new in before if new != old)
    elif missing > 0:
        # At the end first: that is where they are miscounted most.
        yield ((len(texts) - 1, ")"),) * missing
        places = sorted(after * min(missing, 2), reverse=True)
        yield from (tuple((place, ")") for place in chosen) for chosen in combinations(places, missing))
    else:
        yield from (tuple((place, "") for place in chosen) for chosen in combinations(closing, -missing))
    if abs(missing) == 1:
        yield from (((place, "" if missing > 0 else "("),) for place in (opening if missing > 0 else before))


def _changed(texts: Sequence[str], chosen: Placement) -> list[str]:
    """Return tokens with parentheses put in and left out."""
    parts = [[text] for text in texts]
    for place, mark in chosen:
        if mark:
            parts[place].insert(0 if mark == "(" else len(parts[place]), mark)
        else:
            parts[place].clear()
    return [part for text in parts for part in text]


def _command(texts: Sequence[str]) -> NodeGroup | None:
    """Return the command that tokens are, its term with operators as SMT-LIB2 spells them; `None` where they are not one of its length."""
    stack: list[list[Node]] = [[]]
    for text in texts:
        if text == "(":
            stack.append([])
        elif text != ")":
            stack[-1].append(Atom(text, AtomKind.QUOTED if text[0] == "|" and len(text) > 2 else atom_kind(text)))
        elif len(stack) == 1:
            return None
        else:
            items = stack.pop()
            stack[-1].append(NodeGroup(tuple(items)))
    command = stack[0][0] if len(stack) == len(stack[0]) == 1 else None
    if not isinstance(command, NodeGroup):
        return None
    if command.head not in _COMMANDS:
        command = NodeGroup((Atom("assert"), command))
    length = _LENGTHS.get(command.head, 0)
    if command.head == "assert" and len(command.items) > length:
        command = NodeGroup((command.items[0], NodeGroup(command.items[1:])))
    if len(command.items) != length:
        return None
    return NodeGroup((*command.items[:-1], _spelt(command.items[-1])))


def _spelt(node: Node) -> Node:
    """Return a term without surplus parentheses, with operators as SMT-LIB2 spells them, and before their arguments."""
    if isinstance(node, Atom):
        return node
    raw = node.head in _BINDING
    items = [item if raw and place == 1 else _spelt(item) for place, item in enumerate(node.items)]
    if len(items) == 1:
        return items[0]
    names = [function(item.text) if isinstance(item, Atom) else None for item in items]
    if len(items) % 2 and not any(names[::2]) and all(name and closeness(name) for name in names[1::2]):
        return _joined(items, [name or "" for name in names[1::2]]) if items else node
    if names and names[0] is not None and isinstance(items[0], Atom) and items[0].text not in FUNCTIONS:
        items[0] = Atom(names[0])
    return NodeGroup(tuple(items))


def _joined(items: Sequence[Node], names: Sequence[str]) -> Node:
    """Return the term of arguments, each second item, with operators between them; those that bind least are outermost."""
    least = min((closeness(name) or 0 for name in names), default=0)
    places = [place for place, name in enumerate(names) if closeness(name) == least]
    if not places:
        return items[0]
    if len({names[place] for place in places}) > 1:
        places = places[-1:]
    edges = [0, *(place + 1 for place in places), len(names) + 1]
    parts = [_joined(items[2 * start : 2 * end - 1], names[start : end - 1]) for start, end in pairwise(edges)]
    return NodeGroup((Atom(names[places[0]]), *parts))


def _misfits(command: NodeGroup, scope: SymbolScope) -> int:
    """Return how many operators of a command have arguments that do not fit by number or sort, and how many atoms are odd."""
    shape = sum(fault.kind in _MISFITS for fault in command_faults(command, scope))
    nodes = list(walk(command.items[-1]))
    alone = sum(isinstance(node, NodeGroup) and len(node.items) == 2 and node.head in NEVER_ALONE for node in nodes)
    # Both solvers read `-3`.
    odd = (node.text[1:2].isdigit() for node in nodes if isinstance(node, Atom) and node.kind is AtomKind.ODD)
    return 2 * shape + alone + list(odd).count(False)
