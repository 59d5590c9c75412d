"""The translation of programs with enumerations, functions and answer options to SMT-LIB2.

Prompts ask models for this form: `# Declarations` (`EnumSort`, `Function`), `# Constraints` and `# Options`. Each line is a
formula, then `:::` and the sentence that it formalizes. Quantifiers over listed values are expanded.
"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from benchmarks.constraint_languages.formulas import (
    DeclaredFunction,
    FormulaTranslator,
    UntranslatableError,
    VariableDomain,
)
from benchmarks.constraint_languages.notation import read_declaration, read_formula, read_names, symbol
from benchmarks.constraint_languages.translation import (
    AnswerOption,
    OptionClaim,
    Translation,
    TranslationFailure,
    UntranslatedLine,
    assertion,
    numbers_term,
)
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, NodeGroup
from harness.smtlib.symbols import BOOL, INT, OTHER_SORTS, REAL, RESERVED, SORTS

if TYPE_CHECKING:
    from harness.smtlib.s_expressions import Node

LONGEST = 20_000
MOST_ARGUMENTS = 400
_SECTION = re.compile(r"\s*#+\s*(Declarations|Constraints|Options)\s*:?\s*$", re.IGNORECASE)
_LETTER = re.compile(r"\(?([A-Z])\)?\s*$")
_PLAIN = {"bool": BOOL, "boolean": BOOL, "int": INT, "integer": INT, "real": REAL, "float": REAL}
_CLAIMS = {"is_valid": OptionClaim.MUST, "is_sat": OptionClaim.CAN, "is_unsat": OptionClaim.CANNOT}
_NEGATED = {
    OptionClaim.MUST: OptionClaim.NEED_NOT,
    OptionClaim.CAN: OptionClaim.CANNOT,
    OptionClaim.CANNOT: OptionClaim.CAN,
}


def translate(text: str) -> Translation:
    """Translate a program; never raises. What is not translated is said line by line."""
    return _Translation().run(text)


class _Translation:
    def __init__(self) -> None:
        self.formulas = FormulaTranslator()
        self.declared: list[str] = []
        self.asserted: list[str] = []
        self.options: list[AnswerOption] = []
        self.failed: list[UntranslatedLine] = []

    def run(self, text: str) -> Translation:
        section = ""
        for number, line in enumerate(text[:LONGEST].splitlines(), start=1):
            if heading := _SECTION.match(line):
                section = heading.group(1).lower()
            elif line.strip() and not line.lstrip().startswith("#"):
                try:
                    self.line(section, line)
                except UnreadableError as error:
                    self.failed.append(UntranslatedLine(number, TranslationFailure.UNREADABLE, str(error)[:200]))
                except UntranslatableError as error:
                    self.failed.append(UntranslatedLine(number, error.failure, str(error)[:200]))
        if not self.declared:
            self.failed.append(UntranslatedLine(1, TranslationFailure.EMPTY, "no declarations"))
        lines = ["(set-logic ALL)", *self.declared, *self.formulas.ranks.values(), *self.asserted, "(check-sat)", ""]
        return Translation("\n".join(lines), tuple(self.options), tuple(self.failed), tuple(self.formulas.assumed))

    def line(self, section: str, line: str) -> None:
        formula, _, sentence = line.partition(":::")
        if section == "options":
            if not formula.strip().startswith("Question"):
                self.option(formula, sentence)
        elif (declared := read_declaration(formula)) is not None:
            name, kind, inside = declared
            if kind == "EnumSort":
                self.enumeration(name, inside)
            else:
                self.function(name, inside)
        else:
            self.asserted.append(assertion(write_node(self.formula(formula)), sentence))

    def formula(self, text: str) -> Node:
        return self.formulas.formula(read_formula(text.strip(), self.formulas.names))

    def enumeration(self, name: str, inside: str) -> None:
        values = read_names(inside)
        if not values or len(set(values)) < len(values):
            raise UntranslatableError(TranslationFailure.UNREADABLE, f"{name} of no or repeated values")
        if all(value.isdigit() for value in values):
            self.formulas.domains[name] = VariableDomain(INT, tuple(values))
            self.declared.append(f"; {name}: {', '.join(values)}")
            return
        sort = name if name not in OTHER_SORTS | SORTS else f"{name}_2"
        names = [self.fresh(symbol(value)) for value in values]
        self.formulas.domains[name] = VariableDomain(sort, tuple(names))
        for value, own in zip(values, names, strict=True):
            self.formulas.values.setdefault(symbol(value), []).append((own, sort))
        self.declared.append(f"(declare-datatype {sort} ({' '.join(f'({value})' for value in names)}))")

    def fresh(self, name: str) -> str:
        """Return a name that SMT-LIB2 and the program leave free."""
        taken = {own for symbols in self.formulas.values.values() for own, _ in symbols}
        taken |= {function.name for function in self.formulas.functions.values()}
        if name not in taken | RESERVED:
            return name
        others = (symbol(f"{name.strip('|')}_{number}") for number in range(2, len(taken) + 3))
        return next(other for other in others if other not in taken)

    def function(self, name: str, inside: str) -> None:
        sides = re.fullmatch(r"\s*(\[.*\])\s*->\s*(\[.*\])\s*", inside)
        if sides is None:
            raise UnreadableError(inside.strip())
        arguments, results = ([self.domain(name) for name in read_names(side)] for side in sides.groups())
        if len(results) != 1:
            raise UntranslatableError(TranslationFailure.UNREADABLE, f"{name} gives {len(results)} values")
        own = self.fresh(name)
        self.formulas.functions[name] = DeclaredFunction(own, tuple(arguments), results[0])
        sorts = " ".join(argument.sort for argument in arguments)
        self.declared.append(f"(declare-fun {own} ({sorts}) {results[0].sort})")
        if results[0].sort == INT and results[0].values:
            self.bounded(own, arguments, results[0])

    def bounded(self, name: str, arguments: list[VariableDomain], result: VariableDomain) -> None:
        """Assert that a function gives nothing but the numbers that are listed."""
        rows = list(product(*(argument.values for argument in arguments)))
        if not rows or len(rows) > MOST_ARGUMENTS:
            raise UntranslatableError(TranslationFailure.TOO_LARGE, f"{name} has no or too many arguments to list")
        for row in rows:
            values = numbers_term(f"({name} {' '.join(row)})", map(int, result.values))
            self.asserted.append(f"(assert {values})")

    def domain(self, name: str) -> VariableDomain:
        if name in self.formulas.domains:
            return self.formulas.domains[name]
        if name.lower() in _PLAIN:
            return VariableDomain(_PLAIN[name.lower()], ())
        raise UntranslatableError(TranslationFailure.UNKNOWN_SORT, name)

    def option(self, text: str, letter: str) -> None:
        label = _LETTER.search(letter.strip())
        node = read_formula(text.strip(), self.formulas.names)
        if label is None or not isinstance(node, NodeGroup):
            raise UntranslatableError(TranslationFailure.UNKNOWN_OPTION, text.strip())
        claim, formulas = self.claimed(node)
        self.options.append(AnswerOption(label[1], claim, tuple(map(write_node, formulas))))

    def claimed(self, node: NodeGroup) -> tuple[OptionClaim, list[Node]]:
        """Return what an option claims of which formulas."""
        inner = node.items[1] if len(node.items) > 1 else Atom("")
        if node.head in _CLAIMS and len(node.items) > 1:
            if len(node.items) > 2:
                self.formulas.assumed["several formulas of an option hold together"] = None
                inner = NodeGroup((Atom("and"), *node.arguments))
            return _CLAIMS[node.head], [self.formulas.formula(inner)]
        if node.head == "is_accurate_list" and len(node.items) > 1:
            return OptionClaim.EXACTLY, list(map(self.formulas.formula, node.arguments))
        if node.head in {"is_exception", "not"} and len(node.items) == 2 and isinstance(inner, NodeGroup):
            claim, formulas = self.claimed(inner)
            if claim in _NEGATED:
                return _NEGATED[claim], formulas
        raise UntranslatableError(TranslationFailure.UNKNOWN_OPTION, write_node(node))
