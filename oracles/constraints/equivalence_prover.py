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
from oracles.certificates.solvers import SolverError, SolverName
from oracles.constraints.program import ConstraintProgram, UnreadableProgramError, quoted_symbol, values_of
from oracles.constraints.program_judge import VALUES_OF
from oracles.constraints.solver_sessions import POP, PUSH, SolverSessions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harness.smtlib.s_expressions import Node
    from harness.smtlib.script import Declaration

CLAIM = "same-meaning"
METHOD = "z3+cvc5"
LOGIC = "ALL"
_DIRECTIONS = ("the right follows from the left", "the left follows from the right")


class IncomparableError(Exception):
    """Two programs speak of things that cannot be set side by side."""


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
        """Read a program; `suffix` is put behind the names of the functions it defines, which are its own."""
        script = program.script
        own = {one.name for one in script.declarations if one.body is not None and one.parameters}
        sorts = {one.name: f"({' '.join(one.values)})" for one in script.enumerations}
        sorts |= dict.fromkeys(script.sorts, "declared")

        def mended(node: Node) -> Node:
            if isinstance(node, NodeGroup):
                return NodeGroup(tuple(map(mended, node.items)))
            if node.kind in {AtomKind.SYMBOL, AtomKind.QUOTED} and node.name in own:
                return Atom(f"|{node.name}{suffix}|", AtomKind.QUOTED)
            # Where all numbers are real, `3` is one; elsewhere it is a whole number.
            return (
                Atom(f"{node.text}.0", AtomKind.DECIMAL)
                if script.scope.reals and node.kind is AtomKind.NUMERAL
                else node
            )

        definitions: dict[str, str] = {}
        assertions = list(map(mended, script.assertions))
        for one in script.declarations:
            if one.body is None:
                continue
            command = script.commands[one.command]
            if one.name in own:
                parts = " ".join(write_node(mended(item)) for item in command.items[1:])
                definitions[one.name] = f"(define-fun {parts})\n"
            else:
                equal = Atom("=")
                assertions.append(NodeGroup((equal, Atom(quoted_symbol(one.name)), mended(one.body))))
        symbols = {one.name: one for one in script.declarations if one.name not in own}
        return cls(sorts, symbols, definitions, tuple(assertions))

    def used(self) -> set[str]:
        """Return the names that assertions and definitions hold, bound variables among them."""
        texts = [*self.assertions]
        found = {one.name for node in texts for one in walk(node) if isinstance(one, Atom)}
        for text in self.definitions.values():
            found |= {word.strip("|") for word in text.replace("(", " ").replace(")", " ").split()}
        return found


@dataclass(slots=True)
class EquivalenceProver:
    """Compares programs, with the sessions of both solvers; `began` is told whose turn it is."""

    sessions: dict[SolverName, SolverSessions]
    began: Callable[[str], None]

    @classmethod
    def within(cls, work: int, began: Callable[[str], None] = lambda _: None) -> EquivalenceProver:
        """Return a prover whose solvers do so much work on a question at most."""
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
            said = {name: lines[0] for name, lines in answers.items()}
            if "sat" in said.values():
                if "unsat" in said.values():
                    told = ", ".join(f"{name} {one}" for name, one in said.items())
                    return _verdict(Status.UNKNOWN, f"solvers-disagree: on whether {_DIRECTIONS[not forward]}: {told}")
                found = next(answers[name] for name in VALUES_OF if said[name] == "sat")
                return self._refuted(pair, values_of(" ".join(found[1:])), forward=forward)
            if all(one == "unsat" for one in said.values()):
                proved += 1
            else:
                undecided.append(
                    f"{' and '.join(name for name, one in said.items() if one != 'unsat')} on whether {_DIRECTIONS[not forward]}"
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
        told = []
        for side, wanted in zip(sides, ("sat", "unsat"), strict=True):
            for name in SolverName:
                try:
                    (said, *_) = self._asked(name, f"{pair.declared(side)}{pair.asserted(side)}{pinned}", "")
                except SolverError as error:
                    said = f"{error}"
                if said != wanted:
                    told.append(f"{name} says {said}, not {wanted}")
        if told and pair.plain:
            return _verdict(Status.UNKNOWN, f"a difference was found that does not stand: {told[0]}")
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
            said = session.tell(f"{PUSH}{commands}(check-sat)\n")
            if said == ["sat"] and asking:
                said += session.tell(asking)
            session.tell(POP)
        except SolverError:
            sessions.drop()
            raise
        return said or [""]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two programs side by side: what both declare, and for each side alone what is behind a definition or a quantifier."""

    left: ProgramFormula
    right: ProgramFormula
    shared: tuple[str, ...]
    functions: tuple[str, ...]
    sorts: tuple[str, ...]

    @classmethod
    def of(cls, left: ProgramFormula, right: ProgramFormula) -> _Pair:
        """Set two programs side by side.

        Raises:
            IncomparableError: a name is of another sort in each, or a function of one side alone is used.
        """
        for name in left.sorts.keys() & right.sorts.keys():
            if sorted(left.sorts[name].strip("()").split()) != sorted(right.sorts[name].strip("()").split()):
                raise IncomparableError(
                    f"the sort {name} is another one in each: {left.sorts[name]} and {right.sorts[name]}"
                )
        shared: list[str] = []
        functions: list[str] = []
        for name, one in left.symbols.items():
            other = right.symbols.get(name)
            if other is None:
                continue
            if (one.sorts, one.sort) != (other.sorts, other.sort):
                raise IncomparableError(f"{name} is of sort {_shape(one)} in one and {_shape(other)} in the other")
            (functions if one.sorts else shared).append(name)
        for side, another in ((left, right), (right, left)):
            used = side.used()
            for name, one in side.symbols.items():
                if one.sorts and name not in another.symbols and name in used:
                    raise IncomparableError(f"the function {name} is in one of them only")
        return cls(left, right, tuple(shared), tuple(functions), tuple({**left.sorts, **right.sorts}))

    @property
    def plain(self) -> bool:
        """Tell whether nothing has to be guessed but the values of shared constants."""
        return not self.functions

    @property
    def asking(self) -> str:
        """Return the command that asks for the shared constants."""
        return f"(get-value ({' '.join(map(quoted_symbol, self.shared))}))\n" if self.shared else ""

    def _alone(self, side: ProgramFormula) -> dict[str, Declaration]:
        used = side.used()
        return {
            name: one
            for name, one in side.symbols.items()
            if not one.sorts and name not in self.shared and name in used
        }

    def _head(self) -> str:
        lines = []
        for name in self.sorts:
            said = self.left.sorts.get(name) or self.right.sorts[name]
            values = " ".join(f"({quoted_symbol(value)})" for value in said.strip("()").split())
            lines.append(
                f"(declare-sort {quoted_symbol(name)} 0)\n"
                if said == "declared"
                else f"(declare-datatypes (({quoted_symbol(name)} 0)) (({values})))\n"
            )
        lines += [_declared(self.left.symbols[name]) for name in (*self.shared, *self.functions)]
        return "".join(lines)

    def declared(self, side: ProgramFormula) -> str:
        """Return what one side needs declared, its own constants among it."""
        own = "".join(map(_declared, self._alone(side).values()))
        return f"{self._head()}{own}{''.join(side.definitions.values())}"

    def asserted(self, side: ProgramFormula) -> str:
        """Return the assertions of a side."""
        return "".join(f"(assert {write_node(one)})\n" for one in side.assertions)

    def difference(self, *, forward: bool) -> str:
        """Return commands that can be met where one side holds and the other does not."""
        holds, fails = (self.left, self.right) if forward else (self.right, self.left)
        own = "".join(map(_declared, self._alone(holds).values()))
        alone = self._alone(fails)
        defining, rest = _defining(fails.assertions, alone)
        by_definition = "".join(_declared(alone[name]) for name in defining)
        premises = "".join(
            f"(assert (= {quoted_symbol(name)} {write_node(term)}))\n" for name, term in defining.items()
        )
        others = {name: one for name, one in alone.items() if name not in defining}
        conjunction = f"(and true {' '.join(map(write_node, rest))})"
        if others:
            # What is defined by others is bound with them.
            bound = " ".join(f"({quoted_symbol(name)} {one.sort})" for name, one in alone.items())
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
        found = _definition(node, alone, defining, needs)
        if found is None:
            rest.append(node)
        else:
            name, term = found
            defining[name] = term
            needs[name] = {one.name for one in walk(term) if isinstance(one, Atom)} & alone.keys()
    return defining, rest


def _definition(
    node: Node, alone: Mapping[str, Declaration], defining: Mapping[str, Node], needs: Mapping[str, set[str]]
) -> tuple[str, Node] | None:
    if not isinstance(node, NodeGroup) or node.head != "=" or len(node.items) != 3:
        return None
    for one, term in ((node.items[1], node.items[2]), (node.items[2], node.items[1])):
        if not isinstance(one, Atom) or one.name not in alone or one.name in defining:
            continue
        names = {part.name for part in walk(term) if isinstance(part, Atom)} & alone.keys()
        if one.name not in _closure(names, needs):
            return one.name, term
    return None


def _closure(names: set[str], needs: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(needs.get(name, ()))
    return found


def _declared(one: Declaration) -> str:
    return f"(declare-fun {quoted_symbol(one.name)} ({' '.join(map(quoted_symbol, one.sorts))}) {quoted_symbol(one.sort)})\n"


def _shape(one: Declaration) -> str:
    return f"({' '.join(one.sorts)}) {one.sort}" if one.sorts else one.sort


def _verdict(status: Status, reason: str | None, checked: int = 0) -> Verdict:
    return Verdict(CLAIM, "", "left", "right", status, METHOD, checked=checked, reason=reason)
