"""Programs in notations that are put together by chance: a way to apply operators, their names, names, numbers, frames and declarations.

No language has most of them. A reader still sees what a program means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from harness.smtlib.s_expressions import Node

SIGNS = {"and": "&&", "or": "||", "=>": "->", "=": "==", "distinct": "!=", "mod": "%", "not": "!"} | {
    sign: sign for sign in ("xor", "<", ">", "<=", ">=", "+", "-", "*", "ite")
}
SHORT = (
    {"=>": "implies", "=": "eq", "<": "lt", ">": "gt", "<=": "le", ">=": "ge", "+": "add", "-": "sub", "*": "mul"}
    | {"distinct": "ne"}
    | {word: word for word in ("and", "or", "xor", "mod", "not", "ite")}
)
LONG = {"and": "And", "or": "Or", "=>": "Implies", "xor": "Xor", "=": "Equals", "<": "LessThan", ">": "GreaterThan"} | {
    "<=": "LessThanOrEqual",
    ">=": "GreaterThanOrEqual",
    "+": "Plus",
    "-": "Minus",
    "*": "Times",
    "distinct": "NotEquals",
    "mod": "Mod",
    "not": "Not",
    "ite": "IfThenElse",
}
SNAKE = {sign: re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).lower() for sign, word in LONG.items()}


def _affixed(form: str, words: Mapping[str, str]) -> dict[str, str]:
    return {sign: form.format(word) for sign, word in words.items()}


OPERATORS = [
    SIGNS,
    SHORT,
    LONG,
    SNAKE,
    _affixed("{}", {sign: word.upper() for sign, word in SNAKE.items()}),
    *(_affixed(form, LONG) for form in ("Op{}", "{}Expr")),
    *(_affixed(form, SHORT) for form in ("kind.{}", "mk_{}", "{}_expr", "smt::{}", "logic/{}", "int_{}", "#{}", ":{}")),
]
NAMES = [
    "?{}",
    "${}",
    "Var({})",
    "(var {})",
    "(ref {})",
    "{}.value",
    "model.{}",
    "this.{}",
    "vars[{}]",
    '"{}"',
    '"{}"',
    *(
        'get("{}")',
        "{{{}}}",
        "{}()",
        ":{}",
        "@{}",
        "<{}>",
        "`{}`",
        "*{}*",
        "_{}_",
        "id:{}",
        "%{}%",
        "[[{}]]",
        "{}.get()",
    ),
]
NUMBERS = [
    "Int({})",
    "(lit {})",
    "{}L",
    '"{}"',
    "const({})",
    "#{}",
    "num:{}",
    "IntVal({})",
    "Constant(value={})",
    "{}i32",
]
FRAMES = [
    "{}.",
    "rule: {}",
    "- {}",
    "post {}",
    "[{}]",
    "{};",
    "model.enforce({})",
    "must hold: {}",
    "C{n} := {}",
    "@ensure {}",
    *("@constraint({})", "fact {{ {} }}", "s.t. {}", "<constraint>{}</constraint>", "require {}", "solver += {}"),
    *(
        "add_rule(name='r{n}', body={})",
        "| {} |",
        "★ {}",
        "assert!({});",
        "axiom a{n}: {}",
        "invariant {}",
        "clause({n}, {})",
    ),
    *(
        "{}\t# rule {n}",
        "impose [{}]",
        "(* {n} *) {}",
        "{} -- rule {n}",
        '"{}",',
        "holds({})",
        'require({}, "rule {n}");',
    ),
]
DECLARATIONS = [
    "{x} : {s};",
    "{s} {x};",
    "var {x}: {s}",
    "{x} = Var('{x}', {s})",
    "{x} ∈ {s}",
    "new {s}({x})",
    "{x} :: {s}",
    *(
        "{x} is a {s}",
        "unknown {x} of type {s}",
        '<var name="{x}" type="{s}"/>',
        "declare {x} as {s}",
        "let {x} be a {s}.",
    ),
    *(
        "decl({x}, {s}).",
        "{x} := {s}()",
        "param {x} {s}",
        "model.add_variable('{x}', type={s})",
        "- {x}: {s}",
        "| {x} | {s} |",
    ),
    *("@var {x} {s}", "fun {x} -> {s}", "({x} {s})", "type({x}) = {s}", "{x} <- {s}", "local {x} = {s}.new()"),
]
SORTS = {
    "Int": ["int", "Int", "integer", "INT", "IntSort()", "ℤ", "whole number"],
    "Bool": ["bool", "Bool", "boolean", "BOOL", "BoolSort()", "𝔹", "truth value"],
    "Real": ["real", "Real", "float", "REAL", "RealSort()", "ℝ", "real number"],
}


@dataclass(frozen=True, slots=True)
class UnknownNotation:
    """A notation: how operators are applied and called, how names and numbers look, and what stands around formulas and declarations."""

    applied: str
    operators: Mapping[str, str]
    name: str
    number: str
    frame: str
    declaration: str
    sort: int

    @classmethod
    def drawn(cls, random: Random) -> UnknownNotation:
        """Draw a notation; each part is often that of SMT-LIB2."""
        applied = random.choice([*_FORMS, "infix", "method"])
        fitting = [
            words for words in OPERATORS if applied not in {"method", "tag", "behind"} or words["<"].isidentifier()
        ]
        return cls(
            applied,
            random.choice(fitting),
            random.choice(NAMES) if random.random() < 0.5 else "{}",
            random.choice(NUMBERS) if random.random() < 0.4 else "{}",
            random.choice(FRAMES) if random.random() < 0.7 else "(assert {})",
            random.choice(DECLARATIONS) if random.random() < 0.6 else "",
            random.randrange(len(SORTS["Int"])),
        )

    def written(self, program: str) -> str | None:
        """Write a program in the notation; `None` where it cannot say something in it."""
        lines: list[str] = []
        number = 0
        for command in read_script(program).commands:
            if command.head == "assert":
                number += 1
                formula = self._term(command.items[1])
                if formula is None:
                    return None
                lines.append(self.frame.format(formula, n=number))
            elif command.head == "declare-const" and self.declaration:
                name, sort = map(write_node, command.arguments)
                if sort not in SORTS:
                    return None
                lines.append(self.declaration.format(x=name, s=SORTS[sort][self.sort]))
            elif command.head.startswith(("declare", "define")) and command.head != "declare-const":
                return None
            else:
                lines.append(write_node(command))
        return "".join(f"{line}\n" for line in lines)

    def _term(self, node: Node) -> str | None:
        if isinstance(node, Atom):
            if node.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}:
                return self.number.format(node.text)
            return node.text if node.text in {"true", "false"} else self.name.format(node.text)
        terms = [self._term(item) for item in node.arguments]
        known = [term for term in terms if term is not None]
        if node.head not in self.operators or len(known) < len(terms):
            return None
        operator, many = self.operators[node.head], len(known) > 2 and node.head not in {"and", "or", "+", "*"}
        if self.applied == "infix":
            if node.head == "not" or (node.head == "-" and len(known) == 1):
                return f"({operator} {known[0]})"
            return None if node.head == "ite" or many else f"({f' {operator} '.join(known)})"
        if self.applied == "method":
            if node.head == "not":
                return f"{known[0]}.{operator}()"
            return None if node.head == "ite" or len(known) != 2 else f"{known[0]}.{operator}({known[1]})"
        if self.applied == "tag" and len(known) == 1 and node.head == "-":
            return None
        return _FORMS[self.applied].format(
            o=operator, blank=" ".join(known), comma=", ".join(known), semi="; ".join(known)
        )


_FORMS = {
    "before": "({o} {blank})",
    "behind": "({blank} {o})",
    "square": "[{o} {blank}]",
    "curly": "{{{o} {blank}}}",
    "call": "{o}({comma})",
    "call with semicolons": "{o}({semi})",
    "list": "({o} [{comma}])",
    "labels": "(op: {o}, args: [{comma}])",
    "label": "{o}(args=[{comma}])",
    "tag": "<{o}>{blank}</{o}>",
}
"""Ways to apply an operator to its terms."""
