"""The proof by z3 and cvc5 that the assertions of two SMT-LIB 2 programs entail each other.

Constants that both programs declare are compared. A constant that only one program declares may have any value that fits.
It is bound by a quantifier, which solvers eliminate where an assertion defines it (`(= total (+ a b))`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from harness.domain import Counterexample, Status, Verdict
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk, write_node
from harness.smtlib.script import Declaration
from harness.smtlib.solvers import SolverError, SolverName
from oracles.constraints.program import ConstraintProgram, UnreadableProgramError, quoted_symbol, values_of
from oracles.constraints.solver_processes import Announce, LostTask, SolverLimits, outcomes
from oracles.constraints.validation import VALUES_OF, SolverQuestions, shared_sessions

_DIRECTIONS = {True: "the right follows from the left", False: "the left follows from the right"}


def equivalent(left: str, right: str, limits: SolverLimits | None = None) -> Verdict:
    """Judge whether each program's assertions entail the other's, for all values of the constants both declare.

    CONFIRMED: proved both ways by z3 and by cvc5. REFUTED: `counterexample.inputs` satisfies one and not the other, `left`
    and `right` saying which (`sat` or `unsat`). UNKNOWN: a program cannot be read, the two cannot be set side by side, or a
    solver gave up; `reason` says which.
    """
    limits = limits or SolverLimits()
    sessions = shared_sessions(limits.work)

    def decide(programs: tuple[str, str], began: Announce) -> Verdict:
        return EquivalenceProver(limits.work, began, sessions).equivalent(*programs)

    ((_, outcome),) = outcomes(decide, [(left, right)], limits, workers=1)
    return _verdict(Status.UNKNOWN, outcome.reason) if isinstance(outcome, LostTask) else outcome


def _verdict(status: Status, reason: str | None, checked: int = 0, witness: Counterexample | None = None) -> Verdict:
    more: dict[str, Any] = {"checked": checked, "reason": reason, "counterexample": witness}
    return Verdict("same-meaning", "", "left", "right", status, "z3+cvc5", **more)


class IncomparableError(Exception):
    """Two programs cannot be compared."""


@dataclass(frozen=True, slots=True)
class ProgramFormula:
    """A program as a formula: its sorts, with their values or none, its constants and functions, and what it asserts."""

    sorts: Mapping[str, tuple[str, ...]]
    symbols: Mapping[str, Declaration]
    terms: tuple[str, ...]
    used: frozenset[str]

    @classmethod
    def read(cls, text: str) -> ProgramFormula:
        """Read a program; a constant that it defines is one that it asserts to be equal to the definition.

        Raises:
            IncomparableError: it defines a function.
            UnreadableProgramError: it has faults.
        """
        script = ConstraintProgram.read(text).script
        terms = list(script.assertions)
        for item in script.declarations:
            if item.body is not None and item.parameters:
                raise IncomparableError(f"the function {item.name} is defined")
            if item.body is not None:
                terms.append(NodeGroup((Atom("="), Atom(quoted_symbol(item.name)), item.body)))
        names = frozenset(part.name for term in terms for part in walk(term) if isinstance(part, Atom))
        defined = {item.name for item in script.declarations if item.body is not None}
        return cls(
            {**{item.name: item.values for item in script.enumerations}, **dict.fromkeys(script.sorts, ())},
            {item.name: item for item in script.declarations},
            tuple(write_node(_with_decimals(term) if script.scope.reals else term) for term in terms),
            names | defined,
        )


def _with_decimals(node: Node) -> Node:
    """Return a term whose numerals are decimals: under a logic of real numbers `3` is one."""
    if isinstance(node, NodeGroup):
        return NodeGroup(tuple(map(_with_decimals, node.items)))
    return Atom(f"{node.text}.0", AtomKind.DECIMAL) if node.kind is AtomKind.NUMERAL else node


class EquivalenceProver(SolverQuestions):
    """Compares programs in this process."""

    def equivalent(self, left: str, right: str) -> Verdict:
        """Return the verdict on two programs."""
        self.began("reading")
        try:
            return self._pair_verdict(_Pair.of(ProgramFormula.read(left), ProgramFormula.read(right)))
        except (UnreadableProgramError, IncomparableError, SolverError) as error:
            what = {UnreadableProgramError: "a program cannot be read: ", SolverError: "solver-error: "}
            return _verdict(Status.UNKNOWN, f"{what.get(type(error), '')}{error}")

    def _pair_verdict(self, pair: _Pair) -> Verdict:
        undecided: list[str] = []
        for forward, direction in _DIRECTIONS.items():
            answers = {name: self._lines(name, pair.difference(forward=forward), pair.asking) for name in SolverName}
            answered = {name: lines[0] for name, lines in answers.items()}
            if {"sat", "unsat"} <= {*answered.values()}:
                listed = ", ".join(f"{name} {answer}" for name, answer in answered.items())
                return _verdict(Status.UNKNOWN, f"solvers-disagree: on whether {direction}: {listed}")
            if "sat" in answered.values():
                witness = next(answers[name] for name in VALUES_OF if answered[name] == "sat")
                return self._refutation(pair, values_of(" ".join(witness[1:])), forward=forward)
            if open_ := [name for name, answer in answered.items() if answer != "unsat"]:
                undecided.append(f"{' and '.join(open_)} on whether {direction}")
        reason = f"undecided: {'; '.join(undecided)}" if undecided else None
        return _verdict(Status.UNKNOWN if undecided else Status.CONFIRMED, reason, len(_DIRECTIONS) - len(undecided))

    def _refutation(self, pair: _Pair, values: Mapping[str, str], *, forward: bool) -> Verdict:
        """Check again, with both solvers, that values meet one program and not the other."""
        inputs = {name: value for name, value in values.items() if name in pair.constants}
        pinned = "".join(f"(assert (= {quoted_symbol(name)} {value}))\n" for name, value in inputs.items())
        outcomes = ("sat", "unsat") if forward else ("unsat", "sat")
        # Values of constants say nothing about functions, which both sides may give another meaning.
        sides = [] if pair.functions else zip((pair.left, pair.right), outcomes, strict=True)
        for side, wanted in sides:
            for name in SolverName:
                try:
                    (answer, *_) = self._lines(name, f"{pair.program(side)}{pinned}", "")
                except SolverError as error:
                    answer = str(error)
                if answer != wanted:
                    reason = f"a difference was found that does not stand: {name} says {answer}, not {wanted}"
                    return _verdict(Status.UNKNOWN, reason)
        return _verdict(Status.REFUTED, f"not so that {_DIRECTIONS[forward]}", 1, Counterexample(inputs, *outcomes))

    def _lines(self, name: SolverName, commands: str, asking: str) -> list[str]:
        """Return what a solver answers to a check, and the values asked for where it is satisfiable."""
        self.began(name)
        with self.sessions[name].script("ALL") as session:
            lines = session.tell(f"{commands}(check-sat)\n")
            return lines + session.tell(asking) if lines == ["sat"] and asking else lines or [""]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two programs to compare: the constants and functions that both declare, and the declarations of these and of all sorts."""

    left: ProgramFormula
    right: ProgramFormula
    constants: tuple[str, ...]
    functions: tuple[str, ...]
    head: str

    @classmethod
    def of(cls, left: ProgramFormula, right: ProgramFormula) -> _Pair:
        """Return the pair of two programs; a name of different sorts, or a function that only one side uses, is an `IncomparableError`."""
        for name in left.sorts.keys() & right.sorts.keys():
            if sorted(left.sorts[name]) != sorted(right.sorts[name]):
                values = " and ".join(f"({' '.join(side.sorts[name])})" for side in (left, right))
                raise IncomparableError(f"the sort {name} is another one in each: {values}")
        shared = {name: item for name, item in left.symbols.items() if name in right.symbols}
        for name, item in shared.items():
            first, second = (" ".join([*side.sorts, side.sort]) for side in (item, right.symbols[name]))
            if first != second:
                raise IncomparableError(f"{name} is of sort {first} in one and {second} in the other")
        for side in (left, right):
            for name in side.symbols.keys() - shared.keys() & side.used:
                if side.symbols[name].sorts:
                    raise IncomparableError(f"the function {name} is in one of them only")
        constants = tuple(name for name, item in shared.items() if not item.sorts)
        functions = tuple(name for name, item in shared.items() if item.sorts)
        sorts = "".join(_sort_declaration(name, values) for name, values in {**right.sorts, **left.sorts}.items())
        return cls(left, right, constants, functions, sorts + _declarations(shared.values()))

    @property
    def asking(self) -> str:
        """Return the command that asks for the shared constants."""
        return f"(get-value ({' '.join(map(quoted_symbol, self.constants))}))\n" if self.constants else ""

    def _alone(self, side: ProgramFormula) -> list[Declaration]:
        """Return the constants of one side that it uses."""
        names = side.used - {*self.constants, *self.functions}
        return [item for name, item in side.symbols.items() if name in names and not item.sorts]

    def program(self, side: ProgramFormula) -> str:
        """Return the declarations and assertions of one side, its own constants included."""
        asserted = "".join(f"(assert {term})\n" for term in side.terms)
        return f"{self.head}{_declarations(self._alone(side))}{asserted}"

    def difference(self, *, forward: bool) -> str:
        """Return commands that are satisfiable if one side can hold while the other does not."""
        holds, fails = (self.left, self.right) if forward else (self.right, self.left)
        bound = " ".join(f"({quoted_symbol(item.name)} {item.sort})" for item in self._alone(fails))
        claim = f"(and true {' '.join(fails.terms)})"
        return f"{self.program(holds)}(assert (not {f'(exists ({bound}) {claim})' if bound else claim}))\n"


def _declarations(declarations: Iterable[Declaration]) -> str:
    return "".join(
        f"(declare-fun {quoted_symbol(item.name)} ({' '.join(map(quoted_symbol, item.sorts))}) {quoted_symbol(item.sort)})\n"
        for item in declarations
    )


def _sort_declaration(name: str, values: tuple[str, ...]) -> str:
    if not values:
        return f"(declare-sort {quoted_symbol(name)} 0)\n"
    listed = " ".join(f"({quoted_symbol(value)})" for value in values)
    return f"(declare-datatypes (({quoted_symbol(name)} 0)) (({listed})))\n"
