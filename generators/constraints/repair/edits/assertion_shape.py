"""Assertions with several formulas, a label, or parentheses in another place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, insertion
from generators.constraints.repair.syntax.code_matches import code_matches
from generators.constraints.repair.syntax.operator_spellings import operator
from generators.constraints.repair.syntax.remarks import is_conditional, is_denial, is_neutral
from generators.constraints.repair.syntax.term_rewrites import weight
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk

_BARE = re.compile(
    r"(?m)^[ \t]*((?:[A-Za-z_]\w*\.)?(?:assert|assert_that|add|addConstraint|add_constraint|addConstr|constraint|ensure|fact|require))(?:[ \t]+|:[ \t]*)?(?=\()",
    re.IGNORECASE,
)

_ENCLOSED = re.compile(
    r"(?m)^[ \t]*+(?:\([ \t]*+(?:assert[ \t]*+)?(?P<assertion>\(assert\b.*\))[ \t]*+\)"
    r"|<(?P<tag>[a-z]+)>[ \t]*+(?P<formula>\((?!(?:assert|declare|define|set|check|get)\b).*\))[ \t]*+</(?P=tag)>)[ \t]*+$"
)
_ASKED = re.compile(r"\(\s*+assert\s*+(?P<inner>\((?:check-sat|get-model|exit)\s*+\))\s*+\)")
_NAMING = frozenset({":named", ":name", ":label", ":id", ":comment", ":desc", ":description", ":tag", ":note"})
_LABEL = re.compile(r"[^:]++:|:[a-z]+|#\d+|\[\w+\]:?|<\w+>:?")


@edit_kind(
    "assertion_shape",
    order=116,
    examples=(
        RepairExample(
            '(declare-const x Int)\n(assert (> x 3) (< x 9))\n(assert distinct x 5)\n(assert (> x 4) "above four")\n(check-sat)\n',
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(assert (distinct x 5))\n(assert (> x 4))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert c1: (> x 3))\n(assert (< x 9) :named c2)\nsolver.add((< x 8))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(assert (< x 8))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n((assert (> x 3)))\n(assert (assert (< x 9)))\n<clue>(< x 8)</clue>\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(assert (< x 8))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3))\n(assert (check-sat))\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert that (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (! (> x 3) named c))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\nassert (> x 3)\nassert(< x 9);\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9));\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (and (> x 3)) (< x 9)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (and (> x 3) (< x 9)))\n(check-sat)\n",
        ),
    ),
)
def assertion_shape(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Give each formula an assertion of its own, its operator inside the parentheses, and leave labels out."""
    yield from _enclosed(draft)
    yield from _bare(draft)
    yield from _unnamed(draft)
    yield from _asked(draft)
    if not draft.faults(ScriptFaultKind.MALFORMED_COMMAND):
        return
    unclosed = [fault.at.offset for fault in draft.faults(ScriptFaultKind.UNCLOSED, ScriptFaultKind.STRAY_CLOSING)]
    for command in draft.script.commands:
        if command.head != "assert" or len(command.items) < 3:
            continue
        if any(command.at.offset <= offset <= draft.end_of_line(command.end) for offset in unclosed):
            continue
        yield from _shaped(draft, command)


def _enclosed(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Yield an assertion for one within another pair of parentheses or another assertion, and for a formula within tags."""
    if not draft.faults(ScriptFaultKind.UNCLOSED, ScriptFaultKind.STRAY_CLOSING, ScriptFaultKind.STRAY_TEXT):
        return
    for match in _ENCLOSED.finditer(draft.text):
        inner = match["assertion"] or match["formula"]
        depths = list(accumulate({"(": 1, ")": -1}.get(character, 0) for character in inner))
        if depths[-1] == 0 and min(depths[:-1], default=0) > 0:
            yield RepairChange(match.start(), match.end(), inner if match["assertion"] else f"(assert {inner})")


def _asked(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Yield the question for `(assert (check-sat))`."""
    if draft.faults(ScriptFaultKind.UNCLOSED, ScriptFaultKind.MALFORMED_COMMAND):
        for match in code_matches(_ASKED, draft.text):
            yield RepairChange(match.start(), match.end(), match["inner"])


def _unnamed(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Yield the formula of `(! F named c)` and of a label that is no symbol."""
    for fault in draft.faults(ScriptFaultKind.MALFORMED_TERM, ScriptFaultKind.UNSUPPORTED):
        node = draft.node(fault.at.offset)
        path = draft.path(fault.at.offset)
        group = node if isinstance(node, NodeGroup) else path[-1] if path else None
        match group.items if group is not None else ():
            case (Atom(text="!"), formula, Atom(text=keyword), *rest) if keyword.lstrip(":") in {
                "named",
                "name",
                "label",
            } or (keyword in _NAMING and not rest):
                if group is not None:
                    yield RepairChange(group.at.offset, group.end, draft.source(formula))


def _shaped(draft: ProgramDraft, command: NodeGroup) -> Iterator[RepairChange]:
    labels = list(_labels(command))
    formulas = [item for item in command.arguments if item not in labels]
    for label in labels if formulas else []:
        keyword = label.kind is AtomKind.KEYWORD and label.text not in _NAMING and not is_neutral(label.text, ())
        doubtful = keyword or label.kind is AtomKind.NUMERAL or is_denial(label.text) or is_conditional(label.text)
        note = f"{label.text} may weaken it" if doubtful else ""
        if label is command.arguments[0]:
            yield RepairChange(label.at.offset, formulas[0].at.offset, "", not note, note)
        else:
            before = draft.text[: label.at.offset]
            yield RepairChange(len(before.rstrip()), label.end, "", not note, note)
    first = formulas[0] if formulas else None
    if len(formulas) < 2 or first is None:
        return
    if isinstance(first, Atom) and first.text == "that" and first.text not in draft.script.scope.symbols:
        yield RepairChange(first.at.offset, formulas[1].at.offset, "")
        return
    if isinstance(first, Atom):
        name = operator(first.text) if first.end < formulas[1].at.offset else None
        if name is not None and first.text not in draft.script.scope.symbols and not _is_infix(draft, command):
            yield insertion(first.at.offset, "(")
            yield insertion(formulas[-1].end, ")")
        elif first.text in draft.script.scope.symbols and all(_is_whole(draft, formula) for formula in formulas):
            yield from _parted(formulas)
    elif all(_is_whole(draft, formula) for formula in formulas):
        yield from _parted(formulas)


def _parted(formulas: Sequence[Node]) -> Iterator[RepairChange]:
    """Yield the ends and beginnings of assertions between formulas."""
    for left, right in pairwise(formulas):
        yield RepairChange(left.end, right.at.offset, ")\n(assert ")


def _labels(command: NodeGroup) -> Iterator[Atom]:
    """Yield what only names an assertion: a text, a word with a colon in front, a keyword with its value after."""
    items = command.arguments
    for number, item in enumerate(items):
        if not isinstance(item, Atom):
            continue
        before = items[number - 1] if number else None
        named = isinstance(before, Atom) and before.kind is AtomKind.KEYWORD and number > 1
        if (
            item.kind is AtomKind.STRING
            or (number == 0 and item.kind is AtomKind.NUMERAL and len(items) == 2 and isinstance(items[1], NodeGroup))
            or (number == 0 and _LABEL.fullmatch(item.text))
            or (number > 0 and (item.kind is AtomKind.KEYWORD or named))
        ):
            yield item


def _is_infix(draft: ProgramDraft, command: NodeGroup) -> bool:
    """Tell whether an operator stands between the arguments, as in `not a or b`, or they are written with commas."""
    later = [item for item in command.items[2:] if isinstance(item, Atom)]
    return any(
        item.text.endswith(",") or (operator(item.text) is not None and item.text not in draft.script.scope.symbols)
        for item in later
    )


def _is_whole(draft: ProgramDraft, formula: Node) -> bool:
    """Tell whether a formula has no fault, and no `and` or `or` of a single one, which has lost the others."""
    single = any(
        isinstance(part, NodeGroup) and part.head in {"and", "or", "=>", "xor"} and len(part.items) < 3
        for part in walk(formula)
    )
    return not single and weight(draft, formula) == 0


def _bare(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Yield the parentheses around an assertion that has none of its own."""
    if not draft.faults(ScriptFaultKind.STRAY_TEXT):
        return
    for match in code_matches(_BARE, draft.text):
        node = draft.node(match.end())
        if isinstance(node, NodeGroup) and not draft.path(match.end()):
            end = draft.end_of_line(node.end)
            rest = draft.text[node.end : end].strip()
            if rest == ")":
                yield RepairChange(match.start(1), match.end(), "(assert ")
            elif rest[:1] in {"", ";", "."}:
                yield RepairChange(match.start(1), match.end(), "(assert ")
                yield RepairChange(node.end, node.end + len(rest) if rest == "." else node.end, ")")
