"""Doubts about a program because of the text around it: words that take it back, what was cut, and other versions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import pairwise

from generators.constraints.repair.syntax.remarks import is_denial
from harness.smtlib.commands import ALLOWED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, walk
from harness.smtlib.script import Script
from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_ELLIPSIS = re.compile(r"(?m)^[^\w\n]*(?:\.{3}|…)")
_UNCHANGED = re.compile(
    r"(?m)^(?![ \t]*[(;])[^\n()]*\b(?:(?:the|all|any) (?:rest|others?|remaining|remainder)|unchanged|omitted|elided|snip(?:ped)?"
    r"|(?:same )?as (?:before|above)|keep (?:the|all|everything))\b",
    re.IGNORECASE,
)
_DIRECTIVE = re.compile(r"(?m)^[ \t]*+#[ \t]*+(?:if|ifdef|ifndef|else|endif)\b")
_LIST = re.compile(r"\([-+*/=<>]=?\s[^()\n]*\[\s*+\d+\s*+,\s*+\d+\s*+\]")
_NUMBERED = re.compile(
    r"(?m)^[^;\n]*\b(?:version|variant|alternative|attempt|draft|option)\s+(?:[A-Z]|\d+)\b", re.IGNORECASE
)
_STRUCK = re.compile(r"~~[^~\n]*\([^~\n]*~~|<(?:del|strike|s)>", re.IGNORECASE)
_WITHDRAWAL = re.compile(rf"\b(?:{_LISTS.either('withdrawals')})\b", re.IGNORECASE)
"""Comments of another language that withdraw the assertion before them."""
_REJECTION = re.compile(rf"\b(?:{_LISTS.either('rejections')})\b", re.IGNORECASE)
_BARE_DENIAL = re.compile(
    r"\W*+(?:(?:this|that|it)\s++)?(?:(?:is|was|['’]s)\s++)?(?:not|false|untrue|no|nope|never|invalid|disproved|refuted)\W*+$",
    re.IGNORECASE,
)
"""A remark that says of the whole assertion that it is false."""
_REMARK = re.compile(r"\s*(?:;|//|#|--|%|/\*|<!--)")
_HIDING = re.compile(r"(?:^|(?<=\s))(?://+|#+|--+|%+|/\*+|<!--|-)\s*$")


def text_doubts(original: Script, repaired: Script, new: Collection[str]) -> Iterator[str]:
    """Yield why the text may not mean what its commands say; `new` are the names that the repair declared."""
    yield from _rejections(original)
    yield from _cut_text(original, repaired)
    yield from _ellipses(original)
    yield from _beside(original)
    yield from _versions(original)
    yield from _units(original, new)


def _rejections(original: Script) -> Iterator[str]:
    """Yield the doubt about a sentence before or after the commands that rejects the program."""
    groups = [node for node in original.nodes if isinstance(node, NodeGroup) and node.head in ALLOWED]
    if groups and (
        _REJECTION.search(original.text, 0, groups[0].at.offset) or _REJECTION.search(original.text, groups[-1].end)
    ):
        yield "a sentence beside the program may reject it"


def _ellipses(original: Script) -> Iterator[str]:
    if _ELLIPSIS.search(original.text):
        yield "a line of dots stands for what is left out"
    if _UNCHANGED.search(original.text):
        yield "a line says that the rest stays as it was"
    if _DIRECTIVE.search(original.text):
        yield "a directive of another language may leave out what is behind it"
    if _LIST.search(original.text):
        yield "numbers in brackets may be a range"
    if _NUMBERED.search(original.text):
        yield "the text numbers its versions"
    if _STRUCK.search(original.text):
        yield "a command is struck out"


def _beside(original: Script) -> Iterator[str]:
    """Yield the doubt about an assertion that the words on its line take back, or that is written after the sign of a comment.

    Where the same sign is before every assertion, it is a mark of the list, not of a comment.
    """
    asserted = [number for number, node in enumerate(original.nodes) if _is_assertion(node)]
    hidden = []
    for number in asserted:
        node = original.nodes[number]
        groups = [other for other in original.nodes[max(0, number - 40) : number] if isinstance(other, NodeGroup)]
        line = original.text.rfind("\n", 0, node.at.offset) + 1
        before = original.text[max([line, *(group.end for group in groups)]) : node.at.offset]
        following = (other.at.offset for other in original.nodes[number + 1 :] if isinstance(other, NodeGroup))
        newline = original.text.find("\n", node.end)
        end = min(next(following, len(original.text)), newline if newline >= 0 else len(original.text))
        behind = original.text[node.end : end]
        remark = _WITHDRAWAL.search(behind) or _BARE_DENIAL.match(behind)
        taken_back = remark if _REMARK.match(behind) else is_denial(behind)
        if is_denial(before) or (taken_back and not behind.lstrip().startswith(";")):
            yield "words beside an assertion may take it back"
        sign = _HIDING.search(before)
        hidden.append(sign[0].strip() if sign else "")
    if len(set(hidden)) > 1:
        yield "an assertion is behind the sign of a comment"


def _versions(original: Script) -> Iterator[str]:
    """Yield the doubt about a text that holds two programs, the first of which asserts what the second does not."""
    parts: list[set[Node]] = [set()]
    declared: set[Node] = set()
    for command in original.commands:
        if command.head.startswith("declare-") and command.arguments:
            if command.arguments[0] in declared and parts[-1]:
                parts.append(set())
                declared.clear()
            declared.add(command.arguments[0])
        elif command.head == "assert":
            parts[-1].update(command.arguments)
    formulas = Counter(command.arguments for command in original.commands if command.head == "assert")
    names = Counter(c.arguments[0] for c in original.commands if c.head.startswith("declare-") and c.arguments)
    beside = len(parts) == 1 and len(names) > 1 and min(names.values()) > 1 and min(formulas.values(), default=2) < 2
    if beside or any(not first <= second for first, second in pairwise(parts)):
        yield "the text holds two programs, which assert different things"


def _cut_text(original: Script, repaired: Script) -> Iterator[str]:
    """Yield the doubt about a text that may have lost its end, or assertions: a form left open, or a constant that nothing is said of."""
    if not original.commands:
        return
    checked = any(command.head.startswith("check-sat") for command in original.commands)
    unclosed = [fault.at.offset for fault in original.faults if fault.kind is ScriptFaultKind.UNCLOSED]
    if not checked and any(offset >= original.commands[-1].at.offset for offset in unclosed):
        yield "the text ends within a form and has no (check-sat): it may have been cut"
    if checked and not unclosed:
        return
    used = {part.name for formula in repaired.assertions for part in walk(formula) if isinstance(part, Atom)}
    bodies = {
        part.name
        for declaration in repaired.declarations
        if declaration.body is not None
        for part in walk(declaration.body)
        if isinstance(part, Atom)
    }
    used |= bodies
    constants = (declaration.name for declaration in repaired.declarations if declaration.body is None)
    name = next((name for name in constants if name not in used), None)
    if name is not None:
        lack = "a form is not closed" if checked else "there is no (check-sat)"
        yield f"{name} is declared and not used, and {lack}: the text may have been cut"


def _units(original: Script, new: Collection[str]) -> Iterator[str]:
    """Yield the doubt about a new name that stands after a number wherever it stands."""
    for name in new:
        places = len(re.findall(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", original.text))
        behind = len(re.findall(rf"(?<![\w.-])\d+(?:\.\d+)?[ \t]+{re.escape(name)}(?![\w.-])", original.text))
        if places == behind:
            yield f"{name} may be the unit of the numbers before it"


def _is_assertion(node: Node) -> bool:
    return isinstance(node, NodeGroup) and node.head.lower().startswith("assert")
