"""Doubts about how the operators of a repaired program are read: what other languages mean by the same signs and words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from generators.constraints.repair.edit_kind import SKIPPED
from generators.constraints.repair.syntax.operator_spellings import COMPARISONS, operator
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, walk
from harness.smtlib.script import Script
from harness.smtlib.symbols import BOOL

_SIGNED = re.compile(r"[+-]\d+(?:\.\d+)?")
_SPAN = re.compile(r"\d+[-–]\d+|\d+/\d+\.\d+|\d+\.\d+/\d+(?:\.\d+)?")
_COMMA = re.compile(r"(?<=[\s(])\d+,\d+(?=[\s)])")
_ARROW = re.compile(r"(?m)^[^;\n]*\s<-\s")
_CONGRUENCE = re.compile(r"\\pmod\b|\w\s*\(\s*mod\s+\d+\s*\)|(?<![<>!=])=\s*+\w+\s+mod\b|\bcongruent\b", re.IGNORECASE)
_CONGRUENT = re.compile(r"≡|\\equiv\b")
_REMAINDER = re.compile(r"mod\b|%", re.IGNORECASE)
_ARROWS = re.compile(r"->|==>|[→⇒⟹⟶⇨➔➜➞⇛]|rightarrow\b|\\to\b|\bimplies\b", re.IGNORECASE)
_AT_LEAST = re.compile(r">=|(?<!=)=>|&gt;|[≥⩾]|\b(?:ge|geq|gte|least|less)\b|greater", re.IGNORECASE)
_TWICE = re.compile(r"\bnot\s+not\b|!\s*not\b|\bnot\s*!|!\s*!|~\s*~|¬\s*¬", re.IGNORECASE)
_EQUIVALENCES = frozenset({"<=>", "<->", "#<==>", "iff", "equiv", "equivalent"})
_ORDERS = frozenset({"<", "<=", ">", ">="})
_CONNECTIVES = {
    **dict.fromkeys(("and",), "and"),
    **dict.fromkeys(("or",), "or"),
    **dict.fromkeys(("xor", "^", "⊕"), "xor"),
    **dict.fromkeys(("=>", "->", "==>", "-->", "→", "⇒", "implies", "only-if"), "implies"),
    **dict.fromkeys((*_EQUIVALENCES, "↔", "⇔"), "iff"),
}
"""Connectives between formulas; `&&` and `||` are left out, which all languages bind alike."""
_UNBOUND = tuple(
    frozenset(pair)
    for pair in (("and", "or"), ("and", "xor"), ("or", "xor"), ("xor", "implies"), ("xor", "iff"), ("implies", "iff"))
)
"""The pairs that languages bind in different order."""


def reading_doubts(original: Script, repaired: Script) -> Iterator[str]:
    """Yield why what the repair wrote may not be what the signs and words of the original text mean."""
    yield from _readings(original)
    yield from _new_readings(original, repaired)


def _readings(original: Script) -> Iterator[str]:
    """Yield the doubt about comparisons of three or more arguments that are written as two are, and about `a and b or c`."""
    if _ARROW.search(original.text):
        yield "`<-` may be an arrow, or a comparison with a negative number"
    yield from _mixed_connectives(original)
    if (comma := _COMMA.search(SKIPPED.sub(" ", original.text))) is not None:
        yield f"{comma[0]} may be one number, or two"
    for command in original.commands:
        for group in walk(command):
            if isinstance(group, NodeGroup):
                for item in group.items[1:]:
                    if isinstance(item, Atom) and _SPAN.fullmatch(item.text):
                        yield f"{item.text} may be an operation, a range or two numbers"
            if not isinstance(group, NodeGroup) or len(group.arguments) < 3 or operator(group.head) not in COMPARISONS:
                continue
            for argument in group.arguments[1:]:
                if isinstance(argument, Atom) and _SIGNED.fullmatch(argument.text):
                    yield f"the sign of {argument.text} may join it to what stands before it"
            if operator(group.head) == "distinct" and not re.search("dist|diff", group.head, re.IGNORECASE):
                yield f"{group.head} of {len(group.arguments)} arguments may say that not all are equal"


def _mixed_connectives(original: Script) -> Iterator[str]:
    """Yield the doubt about connectives side by side that languages bind in different order, such as `a iff b implies c`."""
    lines: dict[int, list[Node]] = {}
    for node in original.nodes:
        lines.setdefault(node.at.line, []).append(node)
    groups = (part for command in original.commands for part in walk(command) if isinstance(part, NodeGroup))
    for items in (*(group.items[1:] for group in groups), *lines.values()):
        found = {_CONNECTIVES.get(item.text.lower(), "") for item in items if isinstance(item, Atom)} - {""}
        if any(pair <= found for pair in _UNBOUND):
            yield "connectives of several kinds stand side by side without parentheses"


def _new_readings(original: Script, repaired: Script) -> Iterator[str]:
    """Yield the doubt about relations that the repair wrote and that other languages mean otherwise."""
    before = set(original.assertions)
    groups = [
        part
        for formula in repaired.assertions
        if formula not in before
        for part in walk(formula)
        if isinstance(part, NodeGroup)
    ]
    heads = {group.head for group in groups}
    if "mod" in heads and (
        _is_congruence(original.text) or any(_is_small_remainder(group) for group in groups if group.head == "mod")
    ):
        yield "`mod` may say that two numbers are congruent"
    if ">=" in heads and _ARROWS.search(original.text) and not _AT_LEAST.search(original.text):
        yield "an arrow between numbers may be no comparison"
    if _TWICE.search(original.text):
        yield "a negation is written twice"
    truths = {name for name, symbol in repaired.scope.symbols.items() if symbol.sort == BOOL}
    for group in groups:
        if group.head in _ORDERS and len(group.arguments) == 2 and all(map(_is_counted_truth, group.arguments)):
            yield f"`{group.head}` between truth values may be an arrow"
        elif (
            group.head == "="
            and len(group.arguments) > 2
            and _is_truth(group.arguments[0], truths)
            and not _applies_equal(original)
        ):
            yield "`p = q = r` may compare the first two with the third"


def _is_congruence(text: str) -> bool:
    """Tell whether a text says that two numbers leave the same remainder, as `x ≡ 3 mod 5` does."""
    lines = ((line, _CONGRUENT.search(line)) for line in text.splitlines())
    return _CONGRUENCE.search(text) is not None or any(
        sign is not None and _REMAINDER.search(line, sign.end()) is not None for line, sign in lines
    )


def _is_small_remainder(group: NodeGroup) -> bool:
    """Tell whether this is the remainder of a number that is smaller than the divisor, such as `(mod 3 5)`, which is the number itself."""
    values = [argument.text for argument in group.arguments if isinstance(argument, Atom)]
    return len(values) == 2 and all(value.isdecimal() for value in values) and len(values[0]) <= len(values[1])


def _is_counted_truth(node: Node) -> bool:
    return (
        isinstance(node, NodeGroup)
        and node.head == "ite"
        and [getattr(item, "text", "") for item in node.items[2:]] == ["1", "0"]
    )


def _is_truth(node: Node, truths: Collection[str]) -> bool:
    if isinstance(node, Atom):
        return node.name in truths or node.text in {"true", "false"}
    return node.head in {"not", "and", "or", "xor", "=>", "=", "distinct", *_ORDERS}


def _applies_equal(original: Script) -> bool:
    """Tell whether the text itself applies an equality to three arguments or more."""
    return any(
        isinstance(part, NodeGroup)
        and len(part.arguments) > 2
        and operator(part.head) == "="
        and part.head.lower() not in _EQUIVALENCES
        for command in original.commands
        for part in walk(command)
    )
