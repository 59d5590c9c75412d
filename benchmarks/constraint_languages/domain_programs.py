"""The translation of programs of variables with finite domains and Python-like constraints to SMT-LIB2.

Prompts ask models for this form: `Domain:`, `Variables:`, `Constraints:` and `Query:`. Each line is a formula, then `:::` and the
sentence that it formalizes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from benchmarks.constraint_languages.translation import (
    AnswerOption,
    OptionClaim,
    Translation,
    TranslationFailure,
    UntranslatedLine,
    assertion,
    numbers_term,
)
from generators.constraints.repair.syntax.expression_parser import read_term
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import NodeGroup
from harness.smtlib.sort_checker import Signature, SortChecker, SymbolScope
from harness.smtlib.symbols import BOOL, INT, RESERVED

if TYPE_CHECKING:
    from harness.smtlib.s_expressions import Node

LONGEST = 20_000
_SECTION = re.compile(r"\s*#*\s*(Domain|Variables|Constraints|Query)\s*:?\s*$", re.IGNORECASE)
_VARIABLE = re.compile(r"\s*([A-Za-z_]\w*)\s*\[IN\]\s*\[\s*(-?\d+(?:\s*,\s*-?\d+)*)\s*\]")
_OPTION = re.compile(r"\s*\(?([A-Z])\)\s*(.*)")
_FAILURES = {
    ScriptFaultKind.UNDECLARED: TranslationFailure.UNDECLARED,
    ScriptFaultKind.WRONG_ARITY: TranslationFailure.WRONG_ARITY,
}


def translate(text: str) -> Translation:
    """Translate a program; never raises. What is not translated is said line by line."""
    return _Translation().run(text)


class _Translation:
    def __init__(self) -> None:
        self.scope = SymbolScope()
        self.lines: list[str] = []
        self.options: list[AnswerOption] = []
        self.failed: list[UntranslatedLine] = []

    def run(self, text: str) -> Translation:
        section = ""
        for number, line in enumerate(text[:LONGEST].splitlines(), start=1):
            if heading := _SECTION.match(line):
                section = heading.group(1).lower()
            elif line.strip():
                self.line(section, number, line)
        if not self.scope.symbols:
            self.failed.append(UntranslatedLine(1, TranslationFailure.EMPTY, "no variables"))
        program = "\n".join(["(set-logic QF_LIA)", *self.lines, "(check-sat)", ""])
        return Translation(program, tuple(self.options), tuple(self.failed))

    def line(self, section: str, number: int, line: str) -> None:
        formula, _, sentence = line.partition(":::")
        match section:
            case "variables":
                self.variable(number, line)
            case "constraints":
                if (node := self.formula(number, formula)) is not None:
                    self.lines.append(assertion(write_node(node), sentence))
            case "query":
                option = _OPTION.match(formula)
                if option is None:
                    self.failed.append(UntranslatedLine(number, TranslationFailure.UNKNOWN_OPTION, formula.strip()))
                elif (node := self.formula(number, option[2])) is not None:
                    self.options.append(AnswerOption(option[1], OptionClaim.MUST, (write_node(node),)))

    def variable(self, number: int, line: str) -> None:
        variable = _VARIABLE.match(line)
        if variable is None or variable[1] in RESERVED | self.scope.symbols.keys():
            self.failed.append(UntranslatedLine(number, TranslationFailure.UNREADABLE, line.strip()))
            return
        name = variable[1]
        self.scope.symbols[name] = Signature((), INT)
        values = numbers_term(name, map(int, variable[2].split(",")))
        self.lines += [f"(declare-const {name} Int)", f"(assert {values})"]

    def formula(self, number: int, text: str) -> Node | None:
        try:
            node = read_term(text.strip(), self.scope.symbols, prefix=False)
        except UnreadableError:
            self.failed.append(UntranslatedLine(number, TranslationFailure.UNREADABLE, text.strip()))
            return None
        checker = SortChecker(self.scope)
        if isinstance(node, NodeGroup) and checker.term(node) == BOOL and not checker.faults:
            return node
        kind = checker.faults[0].kind if checker.faults else ScriptFaultKind.WRONG_SORT
        self.failed.append(UntranslatedLine(number, _FAILURES.get(kind, TranslationFailure.WRONG_SORT), text.strip()))
        return None
