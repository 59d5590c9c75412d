"""Rules of terms: another notation, and numbers of the wrong sort."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from generators.constraints.repair.program_draft import ProgramDraft, RepairChange, repair_rule, replacement
from generators.constraints.repair.term_reader import TermReading, UnreadableError, read_term
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk, write_node
from harness.smtlib.sort_checker import SortChecker
from harness.smtlib.vocabulary import ALLOWED, BOOL, FUNCTIONS, INT, NUMBERS, REAL, REFUSED

LONGEST = 4_000
MOST_TIMES = 5
"""How often the program may be read: what is nested is read again at each level."""
_WHOLE = re.compile(r"(\d+)\.0+")
_ONE_SORT = frozenset({"arguments of one sort", "branches of one sort"})
MISFITS = (
    ScriptFaultKind.MALFORMED_TERM,
    ScriptFaultKind.MALFORMED_COMMAND,
    ScriptFaultKind.WRONG_ARITY,
    ScriptFaultKind.WRONG_SORT,
    ScriptFaultKind.UNKNOWN_COMMAND,
    ScriptFaultKind.UNSUPPORTED,
)
"""The faults of a command whose parts do not fit together."""


@repair_rule(*MISFITS, ScriptFaultKind.ODD_ATOM, ScriptFaultKind.UNTERMINATED, ScriptFaultKind.UNDECLARED)
def notation(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write terms of other notations as SMT-LIB2 does, where fewer faults are left then."""
    wrong = [fault.at.offset for fault in draft.faults(*notation.faults)]
    known = frozenset(draft.script.scope.symbols)
    left = MOST_TIMES * len(draft.text) + LONGEST
    for command in draft.script.commands:
        if any(command.at.offset <= offset < command.end for offset in wrong):
            own = known | parameters_of(command)
            waiting = [terms_of(command)]
            while waiting and left >= 0:
                nodes = waiting.pop()
                size = nodes[-1].end - nodes[0].at.offset if nodes else 0
                if 0 < size <= LONGEST:
                    left -= size
                    reading = reading_of(draft.text, nodes, own)
                    if reading is not None:
                        yield from _term_changes(draft, nodes, reading)
                        continue
                # What stands deeper may still be readable by itself.
                groups = (item for node in nodes if isinstance(node, NodeGroup) for item in node.items)
                waiting += [(group,) for group in groups if isinstance(group, NodeGroup)]


def terms_of(command: NodeGroup) -> tuple[Node, ...]:
    """Return the nodes of a command that should be one term."""
    place = {"assert": 1, "define-fun": 4, "define-const": 3}.get(command.head)
    if place is None:
        return () if command.head in ALLOWED | REFUSED else (command,)
    return command.items[place:]


def parameters_of(command: NodeGroup) -> frozenset[str]:
    """Return the names of the parameters of a definition."""
    listed = command.items[2] if command.head == "define-fun" and len(command.items) > 2 else NodeGroup(())
    rows = [row for row in listed.items if isinstance(row, NodeGroup)] if isinstance(listed, NodeGroup) else []
    return frozenset(name.name for row in rows for name in row.items[:1] if isinstance(name, Atom))


def reading_of(text: str, nodes: Sequence[Node], known: frozenset[str]) -> TermReading | None:
    """Read the nodes of a text as one term; several such as `< x 3` with the parentheses that they lack, too."""
    written = text[nodes[0].at.offset : nodes[-1].end]
    for form in ("{}", "({})") if len(nodes) > 1 else ("{}",):
        with suppress(UnreadableError):
            return read_term(form.format(written), known)
    return None


def _term_changes(draft: ProgramDraft, nodes: Sequence[Node], reading: TermReading) -> Iterator[RepairChange]:
    """Yield the change of nodes to the term that they are read as, where that has fewer faults, and no new fault of shape."""
    before, after = (_faults(draft, terms) for terms in (nodes, [reading.node]))
    shape = {ScriptFaultKind.WRONG_ARITY.value, ScriptFaultKind.MALFORMED_TERM.value, BOOL}
    better = len(nodes) > 1 or len(after) < len(before)
    if better and not any(fault[0] in shape and fault not in before for fault in after):
        note = "; ".join(reading.doubts)
        text = write_node(reading.node)
        yield RepairChange(nodes[0].at.offset, nodes[-1].end, text, note)


def _faults(draft: ProgramDraft, nodes: Sequence[Node]) -> list[tuple[str, str]]:
    """Return the faults of formulas, odd atoms and functions in the place of arguments included."""
    checker = SortChecker(draft.script.scope)
    found = list[tuple[str, str]]()
    for node in nodes:
        checker.boolean(node)
        for part in walk(node):
            items = part.items[1:] if isinstance(part, NodeGroup) else ()
            found += [("function", item.text) for item in items if isinstance(item, Atom) and item.text in FUNCTIONS]
            if isinstance(part, Atom) and part.kind is AtomKind.ODD:
                found.append(("odd", part.text))
    kinds = ((BOOL if fault.expected == BOOL else fault.kind.value, fault.found) for fault in checker.faults)
    return [*kinds, *found]


@repair_rule(ScriptFaultKind.WRONG_SORT)
def number_sorts(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write whole numbers as real ones, or the reverse where a real one is written out and whole."""
    for fault in draft.faults(ScriptFaultKind.WRONG_SORT):
        node, wanted = draft.node(fault.at.offset), fault.expected
        if wanted in _ONE_SORT and isinstance(node, NodeGroup):
            nodes = node.items[2:] if node.head == "ite" else node.arguments
            reals = [part for part, sort in zip(nodes, draft.sorts_of(nodes), strict=True) if sort == REAL]
            wanted = INT if all(isinstance(part, Atom) and _WHOLE.fullmatch(part.text) for part in reals) else REAL
        else:
            nodes = () if node is None else (node,)
        sorts = draft.sorts_of(nodes)
        if wanted in NUMBERS and set(sorts) <= NUMBERS:
            for part, sort in zip(nodes, sorts, strict=True):
                if sort != wanted:
                    yield from _number_changes(draft, part, wanted)


def _number_changes(draft: ProgramDraft, node: Node, sort: str) -> Iterator[RepairChange]:
    text = draft.source(node)
    whole = _WHOLE.fullmatch(text)
    if sort == REAL:
        numeral = isinstance(node, Atom) and node.kind is AtomKind.NUMERAL
        yield replacement(node, f"{text}.0" if numeral else f"(to_real {text})")
    elif whole is not None:
        yield replacement(node, whole[1])
    elif isinstance(node, NodeGroup) and len(node.items) == 2:
        if node.head == "-":
            yield from _number_changes(draft, node.items[1], INT)
        elif node.head == "to_real":
            yield replacement(node, draft.source(node.items[1]))
