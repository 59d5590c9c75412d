"""The proof by z3 and cvc5 that the assertions of two SMT-LIB 2 programs entail each other.

Constants that both programs declare are compared. A constant that only one program declares may have any value that fits.
Where an assertion defines it (`(= total (+ a b))`), the definition replaces it. Otherwise it is bound by a quantifier, which
solvers decide less often.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.domain import Counterexample, Status, Verdict
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup, walk
from oracles.constraints.program import ConstraintProgram, UnreadableProgramError, quoted_symbol, values_of
from oracles.constraints.program_judge import VALUES_OF
from oracles.constraints.solver_sessions import POP, PUSH, SolverSessions
from oracles.proofs.solvers import SolverError, SolverName

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harness.smtlib.s_expressions import Node
    from harness.smtlib.script import Declaration

CLAIM = "same-meaning"
METHOD = "z3+cvc5"
LOGIC = "ALL"
_DIRECTIONS = ("the right follows from the left", "the left follows from the right")


class IncomparableError(Exception):
    """Two programs cannot be compared."""


@dataclass(frozen=True, slots=True)
class ProgramFormula:
    """A program as a formula: the constants and functions it uses, sorts, assertions, and the definitions among these.

    `defined` gives, in an order in which each uses those before, constants that are equal to a term in each solution.
    """

    sorts: Mapping[str, str]
    symbols: Mapping[str, Declaration]
    definitions: Mapping[str, str]
    assertions: tuple[Node, ...]

    @classmethod
    def of(cls, program: ConstraintProgram, suffix: str) -> ProgramFormula:
        """Read a program; `suffix` is appended to the names of the functions that it defines."""
        script = program.script
        own = {
            declaration.name
            for declaration in script.declarations
            if declaration.body is not None and declaration.parameters
        }
        sorts = {enumeration.name: f"({' '.join(enumeration.values)})" for enumeration in script.enumerations}
        sorts |= dict.fromkeys(script.sorts, "declared")

        def mended(node: Node) -> Node:
            if isinstance(node, NodeGroup):
                return NodeGroup(tuple(map(mended, node.items)))
            if node.kind in {AtomKind.SYMBOL, AtomKind.QUOTED} and node.name in own:
                return Atom(f"|{node.name}{suffix}|", AtomKind.QUOTED)
            # If all numbers are real, `3` is a real number; otherwise it is an integer.
            return (
                Atom(f"{node.text}.0", AtomKind.DECIMAL)
                if script.scope.reals and node.kind is AtomKind.NUMERAL
                else node
            )

        definitions: dict[str, str] = {}
        assertions = list(map(mended, script.assertions))
        for declaration in script.declarations:
            if declaration.body is None:
                continue
            command = script.commands[declaration.command]
            if declaration.name in own:
                parts = " ".join(write_node(mended(item)) for item in command.items[1:])
                definitions[declaration.name] = f"(define-fun {parts})\n"
            else:
                equal = Atom("=")
                assertions.append(NodeGroup((equal, Atom(quoted_symbol(declaration.name)), mended(declaration.body))))
        symbols = {declaration.name: declaration for declaration in script.declarations if declaration.name not in own}
        return cls(sorts, symbols, definitions, tuple(assertions))

    def used(self) -> set[str]:
        """Return the names in assertions and definitions, bound variables included."""
        texts = [*self.assertions]
        names = {atom.name for node in texts for atom in walk(node) if isinstance(atom, Atom)}
        for text in self.definitions.values():
            names |= {word.strip("|") for word in text.replace("(", " ").replace(")", " ").split()}
        return names


@dataclass(slots=True)
class EquivalenceProver:
    """Compares programs by sessions of both solvers; `began` is called with the name of the next step."""

    sessions: dict[SolverName, SolverSessions]
    began: Callable[[str], None]

    @classmethod
    def within(cls, work: int, began: Callable[[str], None] = lambda _: None) -> EquivalenceProver:
        """Return a prover with a limit on the work of the solvers for a question."""
        return cls({name: SolverSessions.of(name, work) for name in SolverName}, began)

    def equivalent(self, left: str, right: str) -> Verdict:
        """Return the verdict on two programs."""
        self.began("reading")
        try:
            sides = (
                ProgramFormula.of(ConstraintProgram.read(left), "!left"),
                ProgramFormula.of(ConstraintProgram.read(right), "!right"),
            )
            pair = _Pair.of(*sides)
        except UnreadableProgramError as error:
            return _verdict(Status.UNKNOWN, f"a program cannot be read: {error}")
        except IncomparableError as error:
            return _verdict(Status.UNKNOWN, str(error))
        try:
            return self._compared(pair)
        except SolverError as error:
            return _verdict(Status.UNKNOWN, f"solver-error: {error}")

    def _compared(self, pair: _Pair) -> Verdict:
        proved = 0
        undecided: list[str] = []
        for forward in (True, False):
            answers = {name: self._asked(name, pair.difference(forward=forward), pair.asking) for name in SolverName}
            answered = {name: lines[0] for name, lines in answers.items()}
            if "sat" in answered.values():
                if "unsat" in answered.values():
                    disagreement = ", ".join(f"{name} {answer}" for name, answer in answered.items())
                    return _verdict(
                        Status.UNKNOWN, f"solvers-disagree: on whether {_DIRECTIONS[not forward]}: {disagreement}"
                    )
                witness = next(answers[name] for name in VALUES_OF if answered[name] == "sat")
                return self._refuted(pair, values_of(" ".join(witness[1:])), forward=forward)
            if all(answer == "unsat" for answer in answered.values()):
                proved += 1
            else:
                undecided.append(
                    f"{' and '.join(name for name, answer in answered.items() if answer != 'unsat')} on whether {_DIRECTIONS[not forward]}"
                )
        if undecided:
            return _verdict(Status.UNKNOWN, f"undecided: {'; '.join(undecided)}", proved)
        return _verdict(Status.CONFIRMED, None, proved)

    def _refuted(self, pair: _Pair, values: Mapping[str, str], *, forward: bool) -> Verdict:
        """Check again, with both solvers, that values meet one program and not the other."""
        pinned = "".join(
            f"(assert (= {quoted_symbol(name)} {value}))\n" for name, value in values.items() if name in pair.shared
        )
        sides = [pair.left, pair.right] if forward else [pair.right, pair.left]
        objections = []
        for side, wanted in zip(sides, ("sat", "unsat"), strict=True):
            for name in SolverName:
                try:
                    (answer, *_) = self._asked(name, f"{pair.declared(side)}{pair.asserted(side)}{pinned}", "")
                except SolverError as error:
                    answer = f"{error}"
                if answer != wanted:
                    objections.append(f"{name} says {answer}, not {wanted}")
        if objections and pair.plain:
            return _verdict(Status.UNKNOWN, f"a difference was found that does not stand: {objections[0]}")
        outcomes = ("sat", "unsat") if forward else ("unsat", "sat")
        example = Counterexample({name: value for name, value in values.items() if name in pair.shared}, *outcomes)
        return Verdict(
            CLAIM,
            "",
            "left",
            "right",
            Status.REFUTED,
            METHOD,
            checked=1,
            reason=f"not so that {_DIRECTIONS[not forward]}",
            counterexample=example,
        )

    def _asked(self, name: SolverName, commands: str, asking: str) -> list[str]:
        self.began(name)
        sessions = self.sessions[name]
        try:
            session = sessions.session(LOGIC)
            lines = session.tell(f"{PUSH}{commands}(check-sat)\n")
            if lines == ["sat"] and asking:
                lines += session.tell(asking)
            session.tell(POP)
        except SolverError:
            sessions.drop()
            raise
        return lines or [""]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two programs to compare: the constants, functions and sorts that both declare."""

    left: ProgramFormula
    right: ProgramFormula
    shared: tuple[str, ...]
    functions: tuple[str, ...]
    sorts: tuple[str, ...]

    @classmethod
    def of(cls, left: ProgramFormula, right: ProgramFormula) -> _Pair:
        """Return the pair of two programs.

        Raises:
            IncomparableError: a name has different sorts, or a function of only one side is used.
        """
        for name in left.sorts.keys() & right.sorts.keys():
            if sorted(left.sorts[name].strip("()").split()) != sorted(right.sorts[name].strip("()").split()):
                raise IncomparableError(
                    f"the sort {name} is another one in each: {left.sorts[name]} and {right.sorts[name]}"
                )
        shared: list[str] = []
        functions: list[str] = []
        for name, declaration in left.symbols.items():
            other = right.symbols.get(name)
            if other is None:
                continue
            if (declaration.sorts, declaration.sort) != (other.sorts, other.sort):
                raise IncomparableError(
                    f"{name} is of sort {_shape(declaration)} in one and {_shape(other)} in the other"
                )
            (functions if declaration.sorts else shared).append(name)
        for side, opposite in ((left, right), (right, left)):
            used = side.used()
            for name, declaration in side.symbols.items():
                if declaration.sorts and name not in opposite.symbols and name in used:
                    raise IncomparableError(f"the function {name} is in one of them only")
        return cls(left, right, tuple(shared), tuple(functions), tuple({**left.sorts, **right.sorts}))

    @property
    def plain(self) -> bool:
        """Tell whether the values of the shared constants determine everything."""
        return not self.functions

    @property
    def asking(self) -> str:
        """Return the command that asks for the shared constants."""
        return f"(get-value ({' '.join(map(quoted_symbol, self.shared))}))\n" if self.shared else ""

    def _alone(self, side: ProgramFormula) -> dict[str, Declaration]:
        used = side.used()
        return {
            name: declaration
            for name, declaration in side.symbols.items()
            if not declaration.sorts and name not in self.shared and name in used
        }

    def _head(self) -> str:
        lines = []
        for name in self.sorts:
            sort = self.left.sorts.get(name) or self.right.sorts[name]
            values = " ".join(f"({quoted_symbol(value)})" for value in sort.strip("()").split())
            lines.append(
                f"(declare-sort {quoted_symbol(name)} 0)\n"
                if sort == "declared"
                else f"(declare-datatypes (({quoted_symbol(name)} 0)) (({values})))\n"
            )
        lines += [_declared(self.left.symbols[name]) for name in (*self.shared, *self.functions)]
        return "".join(lines)

    def declared(self, side: ProgramFormula) -> str:
        """Return the declarations of one side, its own constants included."""
        own = "".join(map(_declared, self._alone(side).values()))
        return f"{self._head()}{own}{''.join(side.definitions.values())}"

    def asserted(self, side: ProgramFormula) -> str:
        """Return the assertions of a side."""
        return "".join(f"(assert {write_node(assertion)})\n" for assertion in side.assertions)

    def difference(self, *, forward: bool) -> str:
        """Return commands that are satisfiable if one side can hold while the other does not."""
        holds, fails = (self.left, self.right) if forward else (self.right, self.left)
        own = "".join(map(_declared, self._alone(holds).values()))
        alone = self._alone(fails)
        defining, rest = _defining(fails.assertions, alone)
        by_definition = "".join(_declared(alone[name]) for name in defining)
        premises = "".join(
            f"(assert (= {quoted_symbol(name)} {write_node(term)}))\n" for name, term in defining.items()
        )
        others = {name: declaration for name, declaration in alone.items() if name not in defining}
        conjunction = f"(and true {' '.join(map(write_node, rest))})"
        if others:
            # Constants that other constants define are bound with them.
            bound = " ".join(f"({quoted_symbol(name)} {declaration.sort})" for name, declaration in alone.items())
            conjunction = f"(exists ({bound}) (and true {' '.join(map(write_node, fails.assertions))}))"
            by_definition = premises = ""
        return (
            f"{self._head()}{own}{by_definition}{''.join(holds.definitions.values())}{''.join(fails.definitions.values())}"
            f"{self.asserted(holds)}{premises}(assert (not {conjunction}))\n"
        )


def _defining(assertions: tuple[Node, ...], alone: Mapping[str, Declaration]) -> tuple[dict[str, Node], list[Node]]:
    """Return the terms that constants of one side alone are equal to, none of which needs itself, and the other assertions."""
    defining: dict[str, Node] = {}
    rest: list[Node] = []
    needs: dict[str, set[str]] = {}
    for node in assertions:
        definition = _definition(node, alone, defining, needs)
        if definition is None:
            rest.append(node)
        else:
            name, term = definition
            defining[name] = term
            needs[name] = {atom.name for atom in walk(term) if isinstance(atom, Atom)} & alone.keys()
    return defining, rest


def _definition(
    node: Node, alone: Mapping[str, Declaration], defining: Mapping[str, Node], needs: Mapping[str, set[str]]
) -> tuple[str, Node] | None:
    if not isinstance(node, NodeGroup) or node.head != "=" or len(node.items) != 3:
        return None
    for constant, term in ((node.items[1], node.items[2]), (node.items[2], node.items[1])):
        if not isinstance(constant, Atom) or constant.name not in alone or constant.name in defining:
            continue
        names = {part.name for part in walk(term) if isinstance(part, Atom)} & alone.keys()
        if constant.name not in _closure(names, needs):
            return constant.name, term
    return None


def _closure(names: set[str], needs: Mapping[str, set[str]]) -> set[str]:
    closure: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in closure:
            closure.add(name)
            waiting.extend(needs.get(name, ()))
    return closure


def _declared(declaration: Declaration) -> str:
    return f"(declare-fun {quoted_symbol(declaration.name)} ({' '.join(map(quoted_symbol, declaration.sorts))}) {quoted_symbol(declaration.sort)})\n"


def _shape(declaration: Declaration) -> str:
    return f"({' '.join(declaration.sorts)}) {declaration.sort}" if declaration.sorts else declaration.sort


def _verdict(status: Status, reason: str | None, checked: int = 0) -> Verdict:
    return Verdict(CLAIM, "", "left", "right", status, METHOD, checked=checked, reason=reason)
