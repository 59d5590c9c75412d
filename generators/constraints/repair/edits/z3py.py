"""Statements of z3's Python interface in place of SMT-LIB2 commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, insertion
from generators.constraints.repair.syntax.expression_parser import read_term
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import NodeGroup

_LINE = re.compile(r"(?m)^(\S(?:[^\n]*[^ \t\r\n])?)[ \t\r]*$")
_DECLARED = re.compile(r"(\w+(?:\s*,\s*\w+)*)\s*=\s*(Int|Bool|Real)s?\(\s*(?:f?['\"])([\w ,]+)['\"]\s*\)")
_ADDED = re.compile(r"(?:\w+\.(?:add|assert_exprs|append)|solve)\((.*)\)")
_ASKED = re.compile(r"(?:print\()?\w+\.check\(\)\)?|if\s+\w+\.check\(\).*")
_IDLE = re.compile(r"\w+\s*=\s*Solver\(\)|from z3 import .*|import z3.*|print\(.*\)")


@edit_kind(
    "z3py",
    order=105,
    examples=(
        RepairExample(
            "from z3 import *\nx, y = Ints('x y')\np = Bool('p')\ns = Solver()\ns.add(x + y == 10, Implies(p, x > y))\nprint(s.check())\n",
            "; from z3 import *\n(declare-const x Int)\n(declare-const y Int)\n(declare-const p Bool)\n; s = Solver()\n(assert (and (= (+ x y) 10) (=> p (> x y))))\n(check-sat)\n",
        ),
    ),
)
def z3py(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write declarations, what is added to a solver and the question as commands; nothing of it is executed.

    Indented lines stand under a condition or in a loop, and are not read.
    """
    lines = list(_LINE.finditer(draft.text))
    names: set[str] = set()
    for line in lines:
        if declared := _DECLARED.fullmatch(line[1]):
            own = [name.strip() for name in declared[1].split(",")]
            names.update(own)
            commands = "\n".join(f"(declare-const {name} {declared[2]})" for name in own)
            yield RepairChange(line.start(1), line.end(1), commands)
    for line in lines if names else []:
        if added := _ADDED.fullmatch(line[1]):
            try:
                node = read_term(f"And({added[1]})", frozenset(names | draft.script.scope.symbols.keys()))
            except UnreadableError:
                continue
            if isinstance(node, NodeGroup) and node.head == "and" and len(node.items) == 2:
                node = node.items[1]
            yield RepairChange(line.start(1), line.end(1), f"(assert {write_node(node)})")
        elif _ASKED.fullmatch(line[1]):
            yield RepairChange(line.start(1), line.end(1), "(check-sat)")
        elif _IDLE.fullmatch(line[1]):
            yield insertion(line.start(1), "; ")
