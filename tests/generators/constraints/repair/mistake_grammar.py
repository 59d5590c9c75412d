"""A grammar of mistakes: programs written in the notations of other languages, and in wrappers, as language models write them.

A notation says how each part of a program is written: operators, applications, numbers, names, declarations, assertions, brackets
and what surrounds the whole. A family of mistakes is a notation that differs from SMT-LIB2 in one part. In every family a reader
still sees what the program means.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, Node
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

WORDS = {"<": "lt", "<=": "leq", ">": "gt", ">=": "geq", "=": "equals", "distinct": "neq", "=>": "implies"}
PROGRAMMING = {"and": "&&", "or": "||", "not": "!", "=": "==", "distinct": "!=", "=>": "->", "mod": "%"}
PYTHON = {"and": "And", "or": "Or", "not": "Not", "=>": "Implies", "distinct": "Distinct", "xor": "Xor"}
LATEX = {
    "and": r"\land",
    "or": r"\lor",
    "not": r"\lnot",
    "=>": r"\implies",
    "<=": r"\leq",
    ">=": r"\geq",
    "distinct": r"\neq",
    "*": r"\cdot",
}
LATEX_SHORT = {"and": r"\wedge", "or": r"\vee", "not": r"\neg", "=>": r"\Rightarrow", "<=": r"\le", ">=": r"\ge"}
MATHEMATICS = {"and": "∧", "or": "∨", "not": "¬", "=>": "⇒", "<=": "≤", ">=": "≥", "distinct": "≠", "*": "×"}
UPPER = {name: name.upper() for name in ("and", "or", "not", "xor", "distinct", "ite", "mod", "div")}
OTHER_SIGNS = {"<=": "=<", "distinct": "<>", "=>": "==>", "and": "/\\", "or": "\\/"}
INFIX = {"and", "or", "=>", "=", "<", "<=", ">", ">=", "+", "-", "*", "/", "distinct", "div", "mod", "xor"}

Declare: TypeAlias = "Callable[[str, str], str]"


@dataclass(frozen=True, slots=True)
class Notation:
    """How a program is written; the defaults are those of SMT-LIB2."""

    operators: tuple[tuple[str, str], ...] = ()
    placement: str = "prefix"
    comma: bool = False
    brackets: tuple[str, str] = ("(", ")")
    numeral: str = "{}"
    name: str = "{}"
    declare: Declare | None = None
    assertion: str = "(assert {})"
    label: str = ""
    whole: Callable[[str], str] | None = None
    edit: Callable[[str, Random], str | None] | None = None


def _notation(operators: dict[str, str] | None = None, **parts: Any) -> Notation:
    return replace(Notation(), operators=tuple((operators or {}).items()), **parts)


def written(program: str, notation: Notation, random: Random) -> str | None:
    """Return a program in a notation; `None` where the notation does not touch it."""
    lines: list[str] = []
    count = 0
    for command in read_script(program).commands:
        match command.items:
            case (Atom(text="declare-const"), Atom(text=name), Atom(text=sort)) if notation.declare is not None:
                lines.append(notation.declare(notation.name.format(name), sort))
            case (Atom(text="declare-const"), Atom(text=name), sort) if notation.name != "{}":
                lines.append(f"(declare-const {notation.name.format(name)} {write_node(sort)})")
            case (Atom(text="assert"), formula):
                count += 1
                text = notation.assertion.format(_term(formula, notation))
                lines.append(f"{text}{notation.label.format(count)}")
            case _:
                lines.append(write_node(command))
    text = "\n".join(lines) + "\n"
    if notation.whole is not None:
        text = notation.whole(text)
    if notation.edit is not None:
        edited = notation.edit(text, random)
        if edited is None:
            return None
        text = edited
    return None if text.split() == program.split() else text


def _term(node: Node, notation: Notation) -> str:
    if isinstance(node, Atom):
        if node.kind is AtomKind.NUMERAL:
            return notation.numeral.format(node.text)
        return notation.name.format(node.text) if node.kind is AtomKind.SYMBOL and _is_name(node) else node.text
    opening, closing = notation.brackets
    head = node.items[0] if node.items else None
    if not isinstance(head, Atom) or head.text in {"let", "forall", "exists", "!", "_"}:
        return write_node(node)
    arguments = [_term(item, notation) for item in node.items[1:]]
    operator = dict(notation.operators).get(head.text, head.text)
    if notation.placement == "infix" and head.text in INFIX and len(arguments) == 2:
        return f"{opening}{arguments[0]} {operator} {arguments[1]}{closing}"
    if notation.placement == "call" and operator[0].isalpha():
        return f"{operator}{opening}{', '.join(arguments)}{closing}"
    return f"{opening}{' '.join([operator, (', ' if notation.comma else ' ').join(arguments)])}{closing}"


def _is_name(node: Atom) -> bool:
    return node.text not in {"true", "false"}


def _json(text: str) -> str:
    return json.dumps({"reasoning": "Each statement is one assertion.", "program": text})


def _literal_newlines(text: str) -> str:
    return text.replace("\n", "\\n")


def _commented(text: str) -> str:
    lines = [f"{line} ; line {number}" for number, line in enumerate(text.splitlines(), 1)]
    return "\\n".join(lines)


def _lines(template: str) -> Callable[[str], str]:
    """Return a function that writes each line by a template with its number and text."""
    return lambda text: "".join(template.format(number, line) for number, line in enumerate(text.splitlines(), 1))


def _full_width(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if sign in "<>=+*-()0123456789" else sign for sign in text)


def _minizinc(text: str) -> str:
    return text.replace("(check-sat)", "solve satisfy;")


def _in_assertion(pattern: str, after: str) -> Callable[[str, Random], str | None]:
    """Return an edit of one place that a pattern finds, drawn by chance."""

    def edit(text: str, random: Random) -> str | None:
        places = list(re.finditer(pattern, text))
        if not places:
            return None
        match = random.choice(places)
        return text[: match.start()] + match.expand(after) + text[match.end() :]

    return edit


def _everywhere(pattern: str, after: str) -> Callable[[str, Random], str | None]:
    def edit(text: str, _: Random) -> str | None:
        changed = re.sub(pattern, after, text)
        return changed if changed != text else None

    return edit


def _two_in_one(text: str, random: Random) -> str | None:
    lines = text.splitlines()
    places = [
        number
        for number in range(len(lines) - 1)
        if lines[number].startswith("(assert ") and lines[number + 1].startswith("(assert ")
    ]
    if not places:
        return None
    number = random.choice(places)
    lines[number : number + 2] = [f"{lines[number][:-1]} {lines[number + 1][len('(assert ') :]}"]
    return "\n".join(lines) + "\n"


def _without_last_parentheses(text: str, _: Random) -> str | None:
    lines = text.splitlines()
    return "\n".join(line[:-1] if line.startswith("(assert ") else line for line in lines) + "\n"


def _between(text: str, random: Random, line: str) -> str | None:
    lines = text.splitlines()
    if len(lines) < 2:
        return None
    place = random.randrange(len(lines) - 1) + 1
    return "\n".join([*lines[:place], line, *lines[place:]]) + "\n"


def _stray(line: str) -> Callable[[str, Random], str | None]:
    return lambda text, random: _between(text, random, line)


_LOWER = {"Int": "int", "Bool": "bool", "Real": "real"}

FAMILIES: dict[str, Notation] = {
    # Operators.
    "operator: words": _notation(WORDS),
    "operator: C": _notation(PROGRAMMING),
    "operator: Python names": _notation(PYTHON),
    "operator: LaTeX": _notation(LATEX),
    "operator: LaTeX, short": _notation(LATEX_SHORT),
    "operator: mathematical signs": _notation(MATHEMATICS),
    "operator: upper case": _notation(UPPER),
    "operator: other signs": _notation(OTHER_SIGNS),
    "operator: HTML": _notation(whole=html.escape),
    "operator: HTML names": _notation({"<=": "&le;", ">=": "&ge;", "distinct": "&ne;", "<": "&lt;", ">": "&gt;"}),
    # Placement.
    "infix": _notation(placement="infix"),
    "infix, C": _notation({**PROGRAMMING, "not": "not"}, placement="infix"),
    "infix, LaTeX": _notation(LATEX, placement="infix"),
    "infix, mathematical signs": _notation(MATHEMATICS, placement="infix"),
    "call": _notation(PYTHON, placement="call"),
    "call and infix": _notation({"not": "Not", "or": "or"}, placement="infix"),
    "commas": _notation(comma=True),
    # Brackets.
    "square brackets": _notation(brackets=("[", "]")),
    "braces": _notation(brackets=("{", "}")),
    # Atoms.
    "number: decimal": _notation(numeral="{}.0"),
    "number: signed": _notation(numeral="+{}"),
    "number: text": _notation(numeral='"{}"'),
    "name: text": _notation(name='"{}"', edit=_everywhere(r'(declare-const )"([^"]+)"', r"\1\2")),
    "name: smart quotes": _notation(name="“{}”", edit=_everywhere(r"(declare-const )“([^”]+)”", r"\1\2")),
    "name: backticks": _notation(name="`{}`"),
    "name: dollar": _notation(name="${}$"),
    # Declarations.
    "declaration: colon": _notation(declare="(declare-const {} : {})".format),
    "declaration: glued colon": _notation(declare="(declare-const {}: {})".format),
    "declaration: glued colons": _notation(declare="(declare-const {}:{})".format),
    "declaration: pair": _notation(declare="(declare-const ({} {}))".format),
    "declaration: exchanged": _notation(declare=lambda name, sort: f"(declare-const {sort} {name})"),
    "declaration: short": _notation(declare="(declare {} {})".format),
    "declaration: var": _notation(declare="(declare-var {} {})".format),
    "declaration: function without arguments": _notation(declare="(declare-fun {} {})".format),
    "declaration: Yices": _notation(declare=lambda name, sort: f"(define {name}::{_LOWER.get(sort, sort)})"),
    "declaration: MiniZinc": _notation(
        declare=lambda name, sort: f"var {_LOWER.get(sort, sort)}: {name};", whole=_minizinc
    ),
    "declaration: C": _notation(declare=lambda name, sort: f"{_LOWER.get(sort, sort)} {name};"),
    "declaration: words": _notation(declare=lambda name, sort: f"declare {name} as {sort}"),
    "declaration: without parentheses": _notation(declare="declare-const {} {}".format),
    "declaration: other sort words": _notation(
        declare=lambda name, sort: f"(declare-const {name} { {'Int': 'Integer', 'Bool': 'Boolean'}.get(sort, sort) })"
    ),
    # Assertions.
    "assertion: none": _notation(assertion="{}"),
    "assertion: constraint": _notation(assertion="(constraint {})"),
    "assertion: MiniZinc": _notation(
        {"distinct": "!=", "=>": "->", "and": "/\\", "or": "\\/"}, placement="infix", assertion="constraint {};"
    ),
    "assertion: colon": _notation(assertion="(assert: {})"),
    "assertion: call": _notation(assertion="assert({})"),
    "assertion: statement": _notation(assertion="assert {}"),
    "assertion: upper case": _notation(assertion="(ASSERT {})"),
    "assertion: in brackets": _notation(assertion="[assert {}]"),
    "assertion: opened": _notation(edit=_everywhere(r"\(assert \((.*)\)\)\n", r"(assert \1)\n")),
    "assertion: text behind": _notation(assertion='(assert {} "as the text says")'),
    "assertion: text before": _notation(assertion='(assert "as the text says" {})'),
    "assertion: one name for all": _notation(assertion="(assert (! {} :named c1))"),
    "assertion: two in one": _notation(edit=_two_in_one),
    "assertion: period": _notation(assertion="(assert {})."),
    "assertion: semicolon": _notation(assertion="(assert {});"),
    "assertion: hash comment": _notation(label=" # statement {}"),
    "assertion: slash comment": _notation(label=" // statement {}"),
    "assertion: not closed": _notation(edit=_without_last_parentheses),
    # Wrappers.
    "wrapper: JSON": _notation(whole=_json),
    "wrapper: JSON text": _notation(whole=json.dumps),
    "wrapper: JSON in a fence": _notation(whole=lambda text: f"```json\n{_json(text)}\n```\n"),
    "wrapper: literal line breaks": _notation(whole=_literal_newlines),
    "wrapper: literal line breaks behind comments": _notation(whole=_commented),
    "wrapper: bullets": _notation(whole=_lines("- {1}\n")),
    "wrapper: numbers": _notation(whole=_lines("{0}. {1}\n")),
    "wrapper: quotation": _notation(whole=_lines("> {1}\n")),
    "wrapper: backticks": _notation(whole=_lines("`{1}`\n")),
    "wrapper: bold": _notation(whole=_lines("**{1}**\n")),
    "wrapper: HTML": _notation(
        whole=lambda text: f"<pre><code>{html.escape(text).replace(chr(10), '<br>')}</code></pre>"
    ),
    "wrapper: full width": _notation(whole=_full_width),
    "wrapper: headings": _notation(whole=lambda text: f"## Variables\n{text}\n**Done.**\n"),
    "wrapper: prompt": _notation(whole=lambda text: f"z3> {text}"),
    "wrapper: one line": _notation(whole=lambda text: " ".join(text.split())),
    # Commands.
    "command: pop": _notation(edit=_stray("(pop 1)")),
    "command: push": _notation(edit=_stray("(push 1)")),
    "command: minimize": _notation(
        whole=lambda text: text.replace("(check-sat)", "(check-sat)\n(get-objectives)\n(exit)")
    ),
    "command: spelling": _notation(
        whole=lambda text: text.replace("check-sat", "check_sat").replace("-const", "_const")
    ),
    # Functions that SMT-LIB2 lacks.
    "function: range": _notation(edit=_in_assertion(r"\(<= (\d+) (\w+) (\d+)\)", r"(in \2 \1..\3)")),
    "function: difference between bars": _notation(edit=_in_assertion(r"\(abs \(- (\w+) (\w+)\)\)", r"|\1 - \2|")),
    "function: if then": _notation(edit=_everywhere(r"\(=> (\w+|\([^()]*\)) (\w+|\([^()]*\))\)", r"(if \1 then \2)")),
}
"""The families, by name."""


def mixed(program: str, random: Random, count: int) -> tuple[str, tuple[str, ...]] | None:
    """Return a program with several families of mistakes at once, that differ in other parts, and their names."""
    names = random.sample(sorted(FAMILIES), len(FAMILIES))
    chosen: list[str] = []
    notation = Notation()
    for name in names:
        changed = {
            part: value
            for part in Notation.__slots__
            if (value := getattr(FAMILIES[name], part)) != getattr(Notation(), part)
        }
        if len(chosen) < count and all(getattr(notation, part) == getattr(Notation(), part) for part in changed):
            chosen.append(name)
            notation = replace(notation, **changed)
    text = written(program, notation, random)
    return None if text is None else (text, tuple(chosen))
