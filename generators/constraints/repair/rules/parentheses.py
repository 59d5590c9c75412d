"""The rule of parentheses that are missing or surplus in a command, placed so that the fewest faults are left."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, islice, pairwise

from generators.constraints.repair.program_draft import (
    AmbiguousError,
    ProgramDraft,
    RepairChange,
    command_faults,
    repair_rule,
)
from generators.constraints.repair.rules.terms import MISFITS, parameters_of, reading_of, terms_of
from generators.constraints.repair.spellings import function, has_one_argument
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.parser import read_tree
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, walk, write_node
from harness.smtlib.sort_checker import SymbolScope
from harness.smtlib.vocabulary import ALLOWED, FUNCTIONS, REFUSED

MOST_TOKENS = 400
MOST_TRIED, MOST_ALIKE = 1_500, 8
"""Texts that are read, and how many times as many places are looked at: most places beside a parenthesis give the same text."""
MOST_WORK = 30_000
"""Tokens that are read in all searches of a program."""
_COMMANDS = ALLOWED | REFUSED
_SEARCHED = frozenset({"assert", "define-const", "define-fun"})
"""The commands in which a search finds the place of a parenthesis."""
_UNBALANCED = frozenset({ScriptFaultKind.UNCLOSED, ScriptFaultKind.STRAY_CLOSING})
_MARK = re.compile(r"[()]")
MOST_SHOWN = 3
"""Readings that a note shows."""
_TOKEN = re.compile(r';[^\n]*|"(?:[^"\n]|"")*"|\|[^|\\\n]+\||[()]|[^\s()";|]+|["|]')
Placement = tuple[tuple[int, str], ...]
"""Changes of tokens: a closing parenthesis put in after a token, an opening one before it, or, with no mark, the token left out."""


@repair_rule(ScriptFaultKind.UNCLOSED, ScriptFaultKind.STRAY_CLOSING, ScriptFaultKind.MALFORMED_COMMAND)
def parentheses(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Balance each command by itself; it is certain only where one term alone has operators whose arguments fit."""
    yield from _changes(draft, [fault.at.offset for fault in draft.faults(*parentheses.faults)], balanced=False)


@repair_rule(*MISFITS)
def moved_parenthesis(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Move a parenthesis of an operator that is closed too early or too late, where one term alone fits then; it is never certain."""
    yield from _changes(draft, [fault.at.offset for fault in draft.faults(*moved_parenthesis.faults)], balanced=True)


def _changes(draft: ProgramDraft, offsets: Sequence[int], *, balanced: bool) -> Iterator[RepairChange]:
    """Yield the changes of parentheses in the commands at the offsets whose parentheses are balanced, or are not.

    The changes of other commands are yielded before an `AmbiguousError` names the commands with several readings.
    """
    work, several = MOST_WORK, list[str]()
    for start, end in _spans(draft):
        tokens = [token for token in _TOKEN.finditer(draft.text, start, end) if token[0][0] != ";"]
        texts = [token[0] for token in tokens]
        missing = texts.count("(") - texts.count(")")
        if bool(missing) == balanced or not any(start <= offset < end for offset in offsets):
            continue
        searched = texts[1] in _SEARCHED or texts[1] not in _COMMANDS
        tried = min(MOST_TRIED, work // len(tokens)) if searched and len(tokens) <= MOST_TOKENS else 0
        work -= tried * len(tokens)
        blanks = [" " if draft.text[token.start() - 1 : token.start()].isspace() else "" for token in tokens]
        found = _readings(list(zip(blanks, texts, strict=True)), missing, draft.script.scope, tried)
        chosen, note = found.best, found.note
        if balanced:
            if len(found.terms) > 1 and found.fits:
                several.append(note)
            if len(found.terms) != 1 or not (found.fits and found.complete):
                continue
            note = "an operator was closed too early or too late"
        elif chosen is None:
            note = "too much is wrong to tell where" if searched else ""
            # What is missing is added at the end; a surplus (`missing` is below zero) is taken away only where it stands there.
            if missing > 0 or texts[missing:] == [")"] * -missing:
                chosen = next(_candidates(texts, missing))
        for place, mark in chosen or ():
            token = tokens[place]
            offset = token.end() if mark == ")" else token.start()
            yield RepairChange(offset if mark else token.start(), offset if mark else token.end(), mark, note)
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


@dataclass(frozen=True, slots=True)
class _Readings:
    """The terms that a command with other parentheses can be, those with the fewest misfits, and the first placement of each.

    `doubtful` are those that other languages mean otherwise; `complete` tells whether all places were tried.
    """

    terms: dict[Node, Placement]
    doubtful: set[Node]
    fits: bool
    complete: bool

    @property
    def best(self) -> Placement | None:
        """Return the first placement, of a term without a doubt where there is one."""
        sure = (chosen for term, chosen in self.terms.items() if term not in self.doubtful)
        return next(sure, next(iter(self.terms.values()), None))

    @property
    def note(self) -> str:
        """Return why the placement is not certain; empty where it is."""
        if len(self.terms) > 1:
            shown = " or ".join(write_node(term) for term in islice(self.terms, MOST_SHOWN))
            return f"it may be {shown}{', or another' if len(self.terms) > MOST_SHOWN else ''}"
        several = len({*(self.best or ())}) < len(self.best or ())
        if several or not (self.fits and self.complete) or self.doubtful & self.terms.keys():
            return "more than one place is possible, or more may be missing"
        return ""


def _readings(pieces: Sequence[tuple[str, str]], missing: int, scope: SymbolScope, tried: int) -> _Readings:
    """Return the readings of a command that leave the fewest misfits, those with parentheses at the end first."""
    terms, doubtful = dict[Node, Placement](), set[Node]()
    least, known, seen = None, frozenset(scope.symbols), set[str]()
    number, most = 0, MOST_ALIKE * tried
    for number, chosen in enumerate(islice(_candidates([text for _, text in pieces], missing), most + 1)):
        text = _new_text(pieces, chosen)
        if text in seen or not _is_balanced(text):
            continue
        if number == most or len(seen) == tried:
            return _Readings(terms, doubtful, fits=least == 0, complete=False)
        seen.add(text)
        found = _command(text, known)
        if found is not None and found[0] not in terms:
            command, doubts = found
            misfits = sum(fault.kind in MISFITS for fault in command_faults(command, scope))
            misfits += any(has_one_argument(node) for node in walk(command))
            doubtful |= {command} if doubts else set()
            if least is None or misfits <= least:
                terms = {**(terms if misfits == least else {}), command: chosen}
                least = misfits
    return _Readings(terms, doubtful, fits=least == 0, complete=number < most)


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


def _new_text(pieces: Sequence[tuple[str, str]], chosen: Placement) -> str:
    """Return the text of tokens, each after its blank, with parentheses put in and left out."""
    parts = [[blank, "", text, ""] for blank, text in pieces]
    for place, mark in chosen:
        number = {"(": 1, "": 2, ")": 3}[mark]
        parts[place][number] = parts[place][number] + mark if mark else ""
    return "".join(part for piece in parts for part in piece)


def _is_balanced(text: str) -> bool:
    """Tell whether the parentheses of a text, as far as none stands in a quoted name, are those of one command."""
    if "|" in text or '"' in text:
        return True
    depths = list(accumulate({"(": 1, ")": -1}[mark] for mark in _MARK.findall(text)))
    return min(depths[:-1], default=0) > 0 == depths[-1]


def _command(text: str, known: frozenset[str]) -> tuple[NodeGroup, bool] | None:
    """Return the command that a text is, its term read in any notation, and whether that is doubtful; `None` where it is not one command."""
    tree = read_tree(text)
    command = tree.nodes[0] if len(tree.nodes) == 1 else None
    if not isinstance(command, NodeGroup) or any(fault.kind in _UNBALANCED for fault in tree.faults):
        return None
    nodes = terms_of(command)
    reading = reading_of(text, nodes, known | parameters_of(command)) if nodes else None
    if reading is None:
        return None
    head = command.items[: -len(nodes)] if nodes[0] is not command else (Atom("assert"),)
    return NodeGroup((*head, reading.node)), bool(reading.doubts)
