"""SMT-LIB 2 programs as the solvers receive them: declarations, assertions, numerals and printed values."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from harness.smtlib.faults import BEYOND_THE_READER, ScriptFault, ScriptFaultKind
from harness.smtlib.grammar import ANSWER
from harness.smtlib.parser import atom_kind, read_tree
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, write_node, write_script
from harness.smtlib.script import Declaration, Script, read_script
from harness.smtlib.vocabulary import DECLARING, NUMBERS, SAYING, is_harmless
from oracles.proofs.real_terms import literal

CHECKS = {"check-sat", "check-sat-assuming"}
LONGEST_NUMBER = 1_000
MOST_VALUES = 500
"""The maximum number of constants whose values a solver is asked for."""
_RANK = {
    # Unread text makes its surroundings look wrong; a fault at a place says more than something missing in the whole.
    **dict.fromkeys((ScriptFaultKind.TOO_LONG, ScriptFaultKind.TOO_DEEP), -1),
    **dict.fromkeys((ScriptFaultKind.NO_CHECK, ScriptFaultKind.NO_ASSERTION, ScriptFaultKind.EMPTY), 1),
}
_BIT_VECTOR = re.compile(r"\(_ BitVec (\d+)\)")
_BITS = re.compile(r"#x[0-9a-fA-F]+|#b[01]+|\(_ bv\d+ \d+\)")
_QUOTED_TEXT = re.compile(r'"(?:[^"]|"")*"')
_NUMERAL = re.compile(r"-?\d+(?:\.\d+|/0*[1-9]\d*)?")


class UnreadableProgramError(Exception):
    """A program has faults; `fault` is the first."""

    def __init__(self, fault: ScriptFault) -> None:
        super().__init__(f"{fault.kind}: {fault.message.replace(f'{fault.kind}: ', '', 1)}")
        self.fault = fault


@dataclass(frozen=True)
class ConstraintProgram:
    """A script without faults, or one that only the solvers can judge: `fault` is then what the reader objects to."""

    script: Script
    fault: ScriptFault | None = None

    @classmethod
    def read(cls, text: str) -> ConstraintProgram:
        """Read a program; one with faults is an `UnreadableProgramError`."""
        program = cls.for_solvers(text)
        if program.fault is not None:
            raise UnreadableProgramError(program.fault)
        return program

    @classmethod
    def for_solvers(cls, text: str) -> ConstraintProgram:
        """Read a program that the solvers may understand where the reader does not.

        Faults that none forgives, and commands that none is given, are an `UnreadableProgramError`.
        """
        script = read_script(text)
        fault = first_fault(script)
        foreign = all(found.kind in BEYOND_THE_READER for found in script.faults)
        if fault is not None and not (foreign and is_harmless(script.commands)):
            raise UnreadableProgramError(fault)
        return cls(script, fault)

    @property
    def question(self) -> str:
        """Return the commands up to the last check, or all and a check where there is none."""
        left_out = {*SAYING, "set-logic", "set-option", "exit"}
        commands = [command for command in self.script.commands if command.head not in left_out]
        checks = [number for number, command in enumerate(commands, 1) if command.head in CHECKS]
        return write_script(commands[: checks[-1]]) if checks else f"{write_script(commands)}(check-sat)\n"

    @property
    def assumed(self) -> str:
        """Return what the last check assumes, as assertions."""
        last = next((command for command in reversed(self.script.commands) if command.head in CHECKS), None)
        literals = last.items[1] if last is not None and len(last.items) == 2 else None
        terms = literals.items if isinstance(literals, NodeGroup) else ()
        return "".join(f"(assert {write_node(term)})\n" for term in terms)

    @cached_property
    def declarations(self) -> str:
        """Return the commands that declare and define, in their order."""
        return write_script(command for command in self.script.commands if command.head in DECLARING)

    @cached_property
    def assertions(self) -> tuple[str, ...]:
        """Return the terms that are asserted."""
        return tuple(write_node(assertion) for assertion in self.script.assertions)

    @property
    def commands(self) -> str:
        """Return declarations, assertions and a check."""
        return f"{self.declarations}{''.join(f'(assert {term}){chr(10)}' for term in self.assertions)}(check-sat)\n"

    @cached_property
    def constants(self) -> dict[str, Declaration]:
        """Return the declared or defined constants, by name; a sort that the reader does not know is as it is written."""
        return {
            declaration.name: declaration
            if declaration.sort
            else replace(declaration, sort=self._written_sort(declaration))
            for declaration in self.script.declarations
            if not declaration.sorts and not declaration.parameters
        }

    def _written_sort(self, declaration: Declaration) -> str:
        command = self.script.commands[declaration.command]
        return write_node(command.items[-2 if command.head.startswith("define") else -1])

    @property
    def asking(self) -> str:
        """Return the command that asks for the values of the constants, empty without constants."""
        first = sorted(self.constants, key=lambda name: name != ANSWER)[:MOST_VALUES]
        return f"(get-value ({' '.join(map(quoted_symbol, first))}))\n" if first else ""

    def literal(self, value: str, sort: str) -> str | None:
        """Return the term of a literal as a value of a sort, `None` where the sort has no such value.

        A number may be written in any way, a named value with other capitals, or as a constant of that sort.
        """
        if sort == "Bool":
            return value if value in {"true", "false"} else None
        if sort == "String":
            return value if _QUOTED_TEXT.fullmatch(value) else '"{}"'.format(value.replace('"', '""'))
        width = _BIT_VECTOR.fullmatch(sort)
        if sort in NUMBERS or width:
            amount = number_of(value)
            whole = amount is not None and amount.denominator == 1
            if width:
                inside = amount is not None and whole and 0 <= amount < 1 << int(width[1])
                return f"(_ bv{amount} {width[1]})" if inside else value if _BITS.fullmatch(value) else None
            return numeral(amount, sort) if amount is not None and (whole or sort == "Real") else None
        named = [name for name, item in self.constants.items() if item.sort == sort and name != ANSWER]
        values = [
            *(value for listed in self.script.enumerations if listed.name == sort for value in listed.values),
            *named,
        ]
        wanted = value.strip("|").casefold()
        matches = [name for name in values if name == value] or [name for name in values if name.casefold() == wanted]
        return quoted_symbol(matches[0]) if matches else None


def first_fault(script: Script) -> ScriptFault | None:
    """Return the fault to report, which is not always the first."""
    return min(script.faults, key=lambda fault: _RANK.get(fault.kind, 0), default=None)


def number_of(text: str) -> Fraction | None:
    """Read `3`, `-3`, `(- 3)`, `2.5`, `(/ 5 2)` or `5/2`; `None` where it is no number."""
    tree = read_tree(text)
    if len(tree.nodes) == 1 and isinstance(tree.nodes[0], NodeGroup):
        return _arithmetic_value(tree.nodes[0])
    text = text.strip()
    return Fraction(text) if len(text) <= LONGEST_NUMBER and _NUMERAL.fullmatch(text) else None


def _arithmetic_value(node: Node) -> Fraction | None:
    if isinstance(node, Atom):
        return Fraction(node.text) if node.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL} else None
    match node.head, [_arithmetic_value(argument) for argument in node.arguments]:
        case "-", [Fraction() as amount]:
            return -amount
        case "/", [Fraction() as top, Fraction() as bottom] if bottom:
            return top / bottom
    return None


def numeral(amount: Fraction, sort: str) -> str:
    """Return the term of a number."""
    if sort != "Int":
        return literal(amount)
    return str(amount) if amount >= 0 else f"(- {-amount})"


def quoted_symbol(name: str) -> str:
    """Return a symbol as it is written."""
    return name if atom_kind(name) is AtomKind.SYMBOL else f"|{name}|"


def values_of(said: str) -> dict[str, str]:
    """Return the literal of each name in the output of `get-value`."""
    tree = read_tree(said)
    listed = tree.nodes[0] if len(tree.nodes) == 1 else None
    values: dict[str, str] = {}
    for pair in listed.items if isinstance(listed, NodeGroup) else ():
        if isinstance(pair, NodeGroup) and len(pair.items) == 2 and isinstance(pair.items[0], Atom):
            values[pair.items[0].name] = write_node(pair.items[1])
    return values
