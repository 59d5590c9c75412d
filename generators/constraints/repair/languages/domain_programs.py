"""How does a program of variables with domains and Python-like constraints read in SMT-LIB2?

The form is that of models asked for `Domain:`, `Variables:`, `Constraints:` and `Query:`, each line a formula, then `:::`
and the sentence it stands for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generators.constraints.repair.languages.translation import Claim, Failure, Option, Translated, Untranslated
from generators.constraints.repair.syntax.expression_parser import read_term
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.faults import FaultKind
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Group
from harness.smtlib.sort_checker import Checker, Scope, Signature
from harness.smtlib.symbols import BOOL, INT, RESERVED

if TYPE_CHECKING:
    from harness.smtlib.s_expressions import Node

LONGEST = 20_000
_SECTION = re.compile(r"\s*#*\s*(Domain|Variables|Constraints|Query)\s*:?\s*$", re.IGNORECASE)
_VARIABLE = re.compile(r"\s*([A-Za-z_]\w*)\s*\[IN\]\s*\[\s*(-?\d+(?:\s*,\s*-?\d+)*)\s*\]")
_OPTION = re.compile(r"\s*\(?([A-Z])\)\s*(.*)")
_FAILURES = {FaultKind.UNDECLARED: Failure.UNDECLARED, FaultKind.WRONG_ARITY: Failure.WRONG_ARITY}


def translate(text: str) -> Translated:
    """Translate a program; never raises. What is not translated is said line by line."""
    return _Translation().run(text)


class _Translation:
    def __init__(self) -> None:
        self.scope = Scope()
        self.lines: list[str] = []
        self.options: list[Option] = []
        self.failed: list[Untranslated] = []

    def run(self, text: str) -> Translated:
        section = ""
        for number, line in enumerate(text[:LONGEST].splitlines(), start=1):
            if heading := _SECTION.match(line):
                section = heading.group(1).lower()
            elif line.strip():
                self.line(section, number, line)
        if not self.scope.symbols:
            self.failed.append(Untranslated(1, Failure.EMPTY, "no variables"))
        program = "\n".join(["(set-logic QF_LIA)", *self.lines, "(check-sat)", ""])
        return Translated(program, tuple(self.options), tuple(self.failed))

    def line(self, section: str, number: int, line: str) -> None:
        formula, _, sentence = line.partition(":::")
        match section:
            case "variables":
                self.variable(number, line)
            case "constraints":
                if (node := self.formula(number, formula)) is not None:
                    note = f" ; {' '.join(sentence.split())}" if sentence.strip() else ""
                    self.lines.append(f"(assert {write_node(node)}){note}")
            case "query":
                found = _OPTION.match(formula)
                if found is None:
                    self.failed.append(Untranslated(number, Failure.UNKNOWN_OPTION, formula.strip()))
                elif (node := self.formula(number, found.group(2))) is not None:
                    self.options.append(Option(found.group(1), Claim.MUST, (write_node(node),)))

    def variable(self, number: int, line: str) -> None:
        found = _VARIABLE.match(line)
        if found is None or found.group(1) in RESERVED or found.group(1) in self.scope.symbols:
            self.failed.append(Untranslated(number, Failure.UNREADABLE, line.strip()))
            return
        name, values = found.group(1), sorted({int(value) for value in found.group(2).split(",")})
        self.scope.symbols[name] = Signature((), INT)
        self.lines.append(f"(declare-const {name} Int)")
        written = [str(value) if value >= 0 else f"(- {-value})" for value in values]
        if values == list(range(values[0], values[-1] + 1)):
            self.lines.append(f"(assert (<= {written[0]} {name} {written[-1]}))")
        else:
            self.lines.append(f"(assert (or {' '.join(f'(= {name} {value})' for value in written)}))")

    def formula(self, number: int, text: str) -> Node | None:
        try:
            node = read_term(text.strip(), self.scope.symbols, prefix=False)
        except UnreadableError:
            self.failed.append(Untranslated(number, Failure.UNREADABLE, text.strip()))
            return None
        checker = Checker(self.scope)
        if isinstance(node, Group) and checker.term(node) == BOOL and not checker.faults:
            return node
        kind = checker.faults[0].kind if checker.faults else FaultKind.WRONG_SORT
        self.failed.append(Untranslated(number, _FAILURES.get(kind, Failure.WRONG_SORT), text.strip()))
        return None
