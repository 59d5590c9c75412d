"""The second set of traps: texts in which the meaning of a constraint program is lost, taken back or can be read in two ways."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.unseen_mistakes.formula_notations import ASSERTION, drawn, operations, regular, replaced, written_as
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from benchmarks.unseen_mistakes.formula_notations import Mistake
    from harness.smtlib.s_expressions import Node

_one_of = partial(written_as, single=True)
_INTEGER = r"(?m)^(\(declare-const \S+) Int\)$"
_LETTERS = (("0", "O"), ("1", "l"), ("1", "I"), ("5", "S"), ("8", "B"))


def _assertion(*forms: str) -> Mistake:
    """Replace an assertion, whose formula is group 1."""
    return drawn(*(regular(ASSERTION, form, single=True) for form in forms))


def _number(*forms: str) -> Mistake:
    """Replace a number in an assertion by a form with the place `{}`."""

    def change(text: str, random: Random) -> str | None:
        form = random.choice(forms)
        numeral = {AtomKind.NUMERAL, AtomKind.DECIMAL}
        return replaced(
            lambda node: form.format(node.text) if isinstance(node, Atom) and node.kind in numeral else None,
            single=True,
        )(text, random)

    return change


def _constant(change: Callable[[str, Sequence[str]], str | None]) -> Mistake:
    """Replace the use of a declared constant in one assertion, given all the constants."""

    def mistake(text: str, random: Random) -> str | None:
        names = re.findall(r"(?m)^\(declare-const (\S+) \S+\)$", text)
        return replaced(
            lambda node: change(node.text, names) if isinstance(node, Atom) and node.text in names else None,
            single=True,
        )(text, random)

    return mistake


def _cut(text: str, random: Random, note: str = "") -> str | None:
    match = random.choice(list(re.finditer(r"(?m)^\(assert .{6,}$", text)))
    return text[: random.randint(match.start() + 9, match.end() - 3)] + note


def _cut_and_noted(text: str, random: Random) -> str | None:
    return _cut(text, random, random.choice(["\n[continued]", "...", "\n; (truncated)", " <end of output>", "\n```"]))


def _lines_cut(text: str, random: Random) -> str:
    """Cut each line at the width of a page."""
    width = random.randint(18, 30)
    return "\n".join(line[:width] for line in text.splitlines())


def _two_programs(text: str, random: Random) -> str | None:
    """Answer twice, each time with another assertion."""
    other = _other_assertion(text, random)
    join = random.choice(["\n\nOr:\n\n", "\n\n", "\n\nAlternatively\n\n", "\n\nOption 2:\n\n"])
    return None if other is None else text + join + other


def _conflict(text: str, random: Random) -> str | None:
    other = _other_assertion(text, random)
    if other is None:
        return None
    return "\n".join(
        old if old == new else f"<<<<<<< HEAD\n{old}\n=======\n{new}\n>>>>>>> fix"
        for old, new in zip(text.splitlines(), other.splitlines(), strict=True)
    )


def _other_assertion(text: str, random: Random) -> str | None:
    swaps = (("<=", ">="), ("<", ">"), ("or", "and"), ("=", "distinct"), ("+", "-"))
    old, new = random.choice(swaps)
    swap = operations(old, lambda args: f"({new} {' '.join(args)})" if len(args) > 1 else None, single=True)
    changed = swap(text, random)
    return changed if changed is not None and read_script(changed).valid else None


def _middle_bracket(text: str, random: Random) -> str | None:
    """Lose a closing bracket inside an operation of several operands, so that it could stand at several places."""

    def write(node: Node) -> str | None:
        if not isinstance(node, NodeGroup) or node.head not in {"and", "or", "+"} or len(node.arguments) < 2:
            return None
        first, *rest = node.arguments
        if not isinstance(first, NodeGroup) or first.head not in {"and", "or", "+", "=", "distinct"}:
            return None
        return f"({node.head} {write_node(first)[:-1]} {' '.join(map(write_node, rest))})"

    return replaced(write, single=True)(text, random)


def _flat(text: str, random: Random) -> str | None:
    """Write two levels of `and` and `or` (or of `+` and `*`) without brackets, so that precedence says another thing."""

    def write(node: Node) -> str | None:
        if not isinstance(node, NodeGroup) or node.head not in {"and", "*"} or len(node.arguments) != 2:
            return None
        first, second = node.arguments
        inner = {"and": "or", "*": "+"}[node.head]
        if not isinstance(second, NodeGroup) or second.head != inner or len(second.arguments) != 2:
            return None
        return f"({write_node(first)} {node.head} {write_node(second.arguments[0])} {inner} {write_node(second.arguments[1])})"

    return replaced(write, single=True)(text, random)


def _initials(name: str, names: Sequence[str]) -> str | None:
    begun = [other for other in names if other[0] == name[0]]
    return name[0] if len(begun) > 1 and name[0] not in names else None


def _between_two(name: str, names: Sequence[str]) -> str | None:
    """Join the beginning of a name with the end of another."""
    others = [other for other in names if other != name and len(other) > 3 and len(name) > 3]
    return name[: len(name) // 2] + others[0][len(others[0]) // 2 :] if others else None


def _options(text: str, random: Random) -> str | None:
    """List the last assertions as the options of a question."""
    lines = text.splitlines()
    places = [number for number, line in enumerate(lines) if line.startswith("(assert")]
    if len(places) < 2:
        return None
    head = random.choice(
        ["Which of these must be true?", "Options:", "Choices (exactly one holds)", "Answer candidates"]
    )
    for letter, number in zip("AB", places[-2:], strict=True):
        lines[number] = f"{letter}) {lines[number]}"
    return "\n".join([*lines[: places[-2]], head, *lines[places[-2] :]])


def _cases(text: str, random: Random) -> str | None:
    lines = text.splitlines()
    places = [number for number, line in enumerate(lines) if line.startswith("(assert")]
    if len(places) < 2:
        return None
    word = random.choice(["Case {}:", "Scenario {}", "Suppose first ({}):", "Attempt {}"])
    for number, place in enumerate(places[-2:], 1):
        lines[place] = f"{word.format(number)}\n{lines[place]}"
    return "\n".join(lines)


def _header(*headers: str) -> Mistake:
    """Put a line before an assertion that makes it conditional or takes it back."""
    return _assertion(*(rf"{header}\n(assert \1)" for header in headers))


TRAPS: dict[str, Mistake] = {
    "lost: a formula": _assertion(
        "(assert ...)",
        "(assert TODO)",
        "(assert ???)",
        "(assert <constraint>)",
        "(assert (...))",
        "(assert [clue 3 here])",
        "(assert …)",
    ),
    "lost: an operand": _one_of(
        ["and", "or", "+", "distinct"],
        "({head} {most} ...)",
        "({head} {most} …)",
        "({head} {most} etc.)",
        "({head} {most} and so on)",
        "({head} {most}, ...)",
    ),
    "lost: a number": _number(
        "...", "?", "_", "<value>", "[REDACTED]", "{{value}}", "%d", "N", "$1", "xx", "<NUM>", "#"
    ),
    "lost: a digit": _number("\ufffd{}", "{}\ufffd", "{}?", "{}_", "{}*", "{}x"),
    "lost: an operator": _one_of(
        ["<", "<=", "=", "or", "and", "=>"],
        "({all})",
        "(\ufffd {all})",
        "(? {all})",
        "(OP {all})",
        "(@ {all})",
        "(_ {all})",
        "([op] {all})",
    ),
    "lost: an alternative": operations("ite", lambda args: f"(ite {args[0]} {args[1]})", single=True),
    "lost: the second operand": _one_of(
        ["<", "<=", "=", "=>"], "({head} {0})", "({head} {0} )", "({0} {head})", count=2
    ),
    "lost: the end": _cut,
    "lost: the end, noted": _cut_and_noted,
    "lost: ends of lines": _lines_cut,
    "lost: a bracket inside": _middle_bracket,
    "lost: by reference": _assertion(
        "(assert (same as above))",
        "(assert (see clue 2))",
        "(assert as stated in the text)",
        "(assert (the second clue))",
        "(assert clue_3)",
        "(assert similarly)",
        "(assert (clue 4 holds))",
    ),
    "name: a pronoun": _constant(lambda _, __: "he"),
    "name: the other": drawn(
        _constant(lambda _, __: "the_other"),
        _constant(lambda _, __: "it"),
        _constant(lambda _, __: "someone"),
        _constant(lambda _, __: "this"),
        _constant(lambda _, __: "X"),
    ),
    "name: initials of several": _constant(_initials),
    "name: of two": _constant(_between_two),
    "name: two at a place": _constant(
        lambda name, names: f"{name}/{next(other for other in names if other != name)}" if len(names) > 1 else None
    ),
    "operator: two at a place": drawn(
        _one_of(["<", "<="], "(</<= {all})"),
        _one_of(["and", "or"], "(and/or {all})"),
        _one_of(["=", "distinct"], "(=|!= {all})"),
        _one_of(["<", ">"], "(<or> {all})"),
    ),
    "operator: either": drawn(
        _one_of(["or", "xor"], "(either {0} {1})", "(either {0} or {1})", "({0} or {1} but not necessarily)", count=2)
    ),
    "operator: unless": _one_of(["or", "=>"], "(unless {0} {1})", "({0} unless {1})", count=2),
    "operator: not of several": _one_of(["and", "or"], "(not {all})", "not {all}", "(not {0}, {1})", count=2),
    "operator: not equal, chained": _one_of(
        ["distinct"], "({0} != {1} != {2})", "({0} /= {1} /= {2})", "({0} ≠ {1} ≠ {2})", count=3
    ),
    "operator: almost equal": _one_of(
        ["=", "distinct"],
        "(~= {all})",
        "({0} ~= {1})",
        "({0} ≈ {1})",
        "(approx {all})",
        "({0} is about {1})",
        "(similar {all})",
        count=2,
    ),
    "operator: precedence": _flat,
    "operator: an unknown relation": _one_of(
        ["<", "<=", ">", "="],
        "(near {all})",
        "(relates {all})",
        "(beats {all})",
        "({0} vs {1})",
        "(compare {all})",
        "({0} .. {1})",
        "({0} : {1})",
        "({0} - {1})",
        count=2,
    ),
    "range: between": drawn(
        _one_of(
            ["<=", "<"],
            "(between {1} {0} {2})",
            "({1} between {0} and {2})",
            "(in-range {1} {0} {2})",
            "(in {1} range({0}, {2}))",
            "(in {1} {0}-{2})",
            count=3,
        )
    ),
    "range: two ends in brackets": drawn(
        _one_of(
            ["<=", "<"],
            "(in {1} [{0}, {2}])",
            "(member {1} ({0} {2}))",
            "({1} in ({0}, {2}))",
            "({1} ∈ {{{0}, {2}}})",
            "({1} in [{0}, {2}[)",
            count=3,
        )
    ),
    "number: two": _number("{} or 7", "3/{}", "{}-12", "{}~20", "{}, 8", "{}±1", "4|{}"),
    "number: about": _number("~{}", "about {}", "roughly {}", "(approximately {})", "{}ish", "circa {}", "nearly {}"),
    "number: part of another": _number(
        "{}%", "{} percent", "{}k", "{} dozen", "{}/100", "{}e", "{} squared", "{}!", "{}²"
    ),
    "number: a time": _number("{}:30", "{}h", "{}pm", "{} o'clock", "{}:00", "{}h15", "{}'"),
    "number: a letter": drawn(*(regular(rf"(?<= ){digit}(?=[ )])", letter, single=True) for digit, letter in _LETTERS)),
    "taken back: behind it": _assertion(
        r"(assert \1) -- no, this is wrong",
        r"(assert \1) wait, it should be the other way round",
        r"(assert \1) (scratch that)",
        r"(assert \1) ← incorrect",
        r"(assert \1) does not hold",
        r"(assert \1) // removed",
        r"(assert \1) [not used]",
    ),
    "taken back: before it": _header(
        "Not this one:",
        "Wrong attempt:",
        "Ignore the next line.",
        "The following is false:",
        "DEPRECATED",
        "Remove:",
        "Do not include this:",
        "#if 0",
        "Previously (now dropped):",
    ),
    "taken back: around it": _assertion(
        r"~~(assert \1)~~",
        r"<del>(assert \1)</del>",
        r"<s>(assert \1)</s>",
        r"[deleted: (assert \1)]",
        r"\\sout{(assert \1)}",
        r"[-(assert \1)-]",
        r"(assert \1) [[removed]]",
    ),
    "taken back: said before": _header(
        "Actually, the previous assertion was wrong; instead:",
        "Correction of the line above:",
        "Replace the last assertion by",
        "EDIT: use this in place of the one before",
    ),
    "condition: before it": _header(
        "If the first is true:",
        "if (flag) {",
        "Only on Mondays:",
        "Optionally:",
        "Either",
        "In the second case only:",
        "Assuming that nobody lies:",
        "for i in range(3):",
        "unless told otherwise,",
    ),
    "condition: behind it": _assertion(
        r"(assert \1) if needed",
        r"(assert \1) when the shop is open",
        r"(assert \1) or not",
        r"(assert \1) (optional)",
        r"(assert \1) unless it rains",
        r"(assert \1)?",
        r"(assert \1) strictly",
        r"(assert \1) ???",
    ),
    "condition: options": _options,
    "condition: cases": _cases,
    "strength: soft": _assertion(
        r"(assert-soft \1 :weight)",
        r"(prefer \1)",
        r"(maybe \1)",
        r"(assert? \1)",
        r"(optional \1)",
        r"(assert \1 :weight 0.5)",
        r"(should \1)",
        r"(try \1)",
        r"(assert maybe \1)",
        r"(soft \1)",
    ),
    "strength: denied": _assertion(
        r"(deny \1)",
        r"(refute \1)",
        r"(retract \1)",
        r"(reject \1)",
        r"(forbid \1)",
        r"(check \1)",
        r"(question \1)",
        r"(prove \1)",
        r"(goal \1)",
        r"(conjecture \1)",
        r"(show \1)",
    ),
    "strength: an objective": _one_of(
        ["<=", ">=", "<", "="], "(max {0})", "(minimize {0})", "({0} as large as possible)", "(is-largest {0})", count=2
    ),
    "strength: a doubt": _assertion(
        r"(assert \1) I am not sure about this",
        r"(assert (probably \1))",
        r"(assert (perhaps \1))",
        r"(assert (usually \1))",
        r"(assert (likely \1))",
        r"(assert (possibly \1))",
        r"(assert (not necessarily \1))",
    ),
    "sort: of fewer values": drawn(
        *(regular(_INTEGER, rf"\1 {sort})") for sort in ("Nat", "uint8", "Positive", "1..9"))
    ),
    "sort: a value with it": drawn(
        *(regular(_INTEGER, rf"\1 Int {put})", single=True) for put in ("0", ">= 0", "default 1"))
    ),
    "twice: two programs": _two_programs,
    "twice: a conflict of versions": _conflict,
}
