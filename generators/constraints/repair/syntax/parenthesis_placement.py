"""The placement of missing and surplus parentheses in a command, ranked by the faults that are left."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from generators.constraints.repair.syntax.operator_spellings import operator
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.parser import atom_kind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk
from harness.smtlib.sort_checker import SortChecker, SymbolScope
from harness.smtlib.symbols import FUNCTIONS

MOST_TOKENS = 400
MOST_TRIED = 3_000
_TOKEN = re.compile(r';[^\n]*|"(?:[^"\n]|"")*"|\|[^|\\\n]+\||[()]|[^\s()";|]+|["|]')
_SHAPE = {
    ScriptFaultKind.MALFORMED_TERM,
    ScriptFaultKind.MALFORMED_COMMAND,
    ScriptFaultKind.WRONG_ARITY,
    ScriptFaultKind.WRONG_SORT,
    ScriptFaultKind.UNKNOWN_COMMAND,
}


@dataclass(frozen=True, slots=True)
class CommandToken:
    """A token of a command: its place in the text, and its kind."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParenthesisPlacement:
    """A way to balance a command: parentheses that are put in behind pieces, `before` them, or left out, by index.

    `weight` says how much is wrong with what it reads then.
    """

    weight: int
    behind: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    without: tuple[int, ...] = ()


def command_tokens(text: str, start: int, end: int) -> list[CommandToken]:
    """Return the tokens of a part of a text, without comments."""
    matches = _TOKEN.finditer(text, start, end)
    return [CommandToken(match[0], *match.span()) for match in matches if match[0][0] != ";"]


def parenthesis_placements(tokens: Sequence[CommandToken], scope: SymbolScope) -> list[ParenthesisPlacement]:
    """Return the ways to balance a command that leave the fewest faults, each reading differently, the likeliest first.

    Empty where it has too many tokens or lacks too many parentheses.
    """
    texts = [token.text for token in tokens]
    missing = texts.count("(") - texts.count(")")
    if len(texts) > MOST_TOKENS:
        return []
    best: dict[tuple[str, ...], ParenthesisPlacement] = {}
    least: int | None = None
    for placing, changed in islice(_candidates(texts, missing), MOST_TRIED):
        if changed in best:
            continue
        weight = _weight(changed, scope)
        if weight is None or (least is not None and weight > least):
            continue
        if least is None or weight < least:
            least, best = weight, {}
        best[changed] = ParenthesisPlacement(weight, **placing)
    return list(best.values())


def _candidates(texts: Sequence[str], missing: int) -> Iterator[tuple[dict[str, tuple[int, ...]], tuple[str, ...]]]:
    """Yield ways to balance a command and what it reads then."""
    backwards = range(len(texts) - 1, -1, -1)
    closings = [number for number in backwards if texts[number] == ")"]
    if missing > 0:
        places = [number for number in backwards if texts[number] != "("]
        # At the end first: that is where they are miscounted most.
        yield {"behind": (len(texts) - 1,) * missing}, (*texts, *[")"] * missing)
        for chosen in combinations(sorted(places * min(missing, 2), reverse=True), missing):
            yield {"behind": chosen}, _with(texts, behind=chosen)
    elif missing < 0:
        for chosen in combinations(closings, -missing):
            yield {"without": chosen}, _with(texts, without=chosen)
        if missing == -1:
            for place in range(2, len(texts)):
                if texts[place] != ")":
                    yield {"before": (place,)}, _with(texts, before=(place,))
    else:
        for place in closings:
            for other in backwards:
                if texts[other] != "(" and other != place:
                    yield {"behind": (other,), "without": (place,)}, _with(texts, behind=(other,), without=(place,))


def _with(
    texts: Sequence[str], behind: Sequence[int] = (), before: Sequence[int] = (), without: Sequence[int] = ()
) -> tuple[str, ...]:
    changed: list[str] = []
    for number, text in enumerate(texts):
        changed += ["("] * before.count(number)
        if number not in without:
            changed.append(text)
        changed += [")"] * behind.count(number)
    return tuple(changed)


def _weight(texts: Sequence[str], scope: SymbolScope) -> int | None:
    """Return how much is wrong with a command that reads so; `None` where it is not one command."""
    nodes = _read(texts)
    if nodes is None or len(nodes) != 1 or not isinstance(nodes[0], NodeGroup):
        return None
    command = nodes[0]
    checker = SortChecker(scope)
    if command.head == "assert":
        if len(command.items) != 2:
            return None
        checker.boolean(command.items[1])
    elif command.head in {"define-fun", "define-const"}:
        return _defined(command, checker)
    elif command.head in ALLOWED | REFUSED:
        return None
    else:
        # A formula that is not asserted.
        checker.boolean(command)
    return _faults(checker, command)


def _defined(command: NodeGroup, checker: SortChecker) -> int | None:
    if len(command.items) != (5 if command.head == "define-fun" else 4):
        return None
    bound: dict[str, str | None] = {}
    parameters = command.items[2] if command.head == "define-fun" else NodeGroup(())
    if not isinstance(parameters, NodeGroup):
        return None
    for parameter in parameters.items:
        match parameter:
            case NodeGroup(items=(Atom() as name, sort)):
                bound[name.name] = checker.sort(sort)
            case _:
                return None
    own, actual = checker.sort(command.items[-2]), checker.within(bound, command.items[-1])
    return _faults(checker, command) + (own is not None and actual not in {None, own})


def _faults(checker: SortChecker, command: NodeGroup) -> int:
    shape = sum(fault.kind in _SHAPE for fault in checker.faults)
    # `(and a)`, `((a))` and `(=> a b c)` are read but hardly ever meant.
    unlikely = sum(
        isinstance(node, NodeGroup)
        and (
            not node.head
            or (len(node.items) == 2 and node.head in {"and", "or", "let", "ite", "distinct", "=>"})
            or (len(node.items) > 3 and node.head == "=>")
        )
        and not _binding(node, command)
        for node in walk(command)
    )
    return 2 * shape + unlikely


def _binding(node: NodeGroup, command: NodeGroup) -> bool:
    """Tell whether a group is a list of variables, which need not begin with a name."""
    return any(
        isinstance(part, NodeGroup)
        and part.head in {"let", "forall", "exists", "define-fun"}
        and node in part.items[1:3]
        for part in walk(command)
    )


def _spelt(items: list[Node]) -> list[Node]:
    """Return the items of a group as SMT-LIB would have them: its operator, and that first."""
    signs = [operator(item.text) if isinstance(item, Atom) else None for item in items[:2]]
    if len(items) == 3 and signs[1] is not None and signs[0] is None:
        return [Atom(signs[1]), items[0], items[2]]
    first = items[0] if items else None
    if isinstance(first, Atom) and first.text not in FUNCTIONS and signs[0] is not None:
        return [Atom(signs[0]), *items[1:]]
    return items


def _read(texts: Sequence[str]) -> list[Node] | None:
    """Read tokens with operators as SMT-LIB spells them; `None` where parentheses do not match."""
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
            kind = AtomKind.QUOTED if text[0] == "|" and len(text) > 2 else atom_kind(text)
            stack[-1].append(Atom(text, kind))
    return stack[0] if len(stack) == 1 else None
