"""The proof by z3 and cvc5 that the assertions of two SMT-LIB 2 programs entail each other.

Constants that both programs declare are compared. A constant that only one program declares may have any value that fits.
It is bound by a quantifier, which solvers eliminate where an assertion defines it (`(= total (+ a b))`).
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.domain import Counterexample, Status, Verdict
from harness.json_form import read_record
from harness.smtlib.printer import write_node, write_script
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup, walk
from harness.smtlib.solvers import SolverError, SolverName
from oracles.constraints.program import ConstraintProgram, UnreadableProgramError, quoted_symbol, values_of
from oracles.constraints.validation import VALUES_OF, solver_sessions
from oracles.constraints.worker_pool import LostTask, task_results

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping

    from harness.smtlib.s_expressions import Node
    from harness.smtlib.script import Declaration
    from harness.smtlib.solvers import SolverSessions
    from oracles.constraints.worker_pool import SolverLimits, SolverWorker

_DIRECTIONS = {True: "the right follows from the left", False: "the left follows from the right"}


def equivalent(left: str, right: str, worker: SolverWorker) -> Verdict:
    """Judge whether each program's assertions entail the other's, for all values of the constants both declare.

    CONFIRMED: proved both ways by z3 and by cvc5. REFUTED: `counterexample.inputs` satisfies one and not the other, `left`
    and `right` saying which (`sat` or `unsat`). UNKNOWN: a program cannot be read, the two cannot be set side by side, or a
    solver gave up; `reason` says which.
    """
    return _of_worker(worker.ask("equivalent", {"left": left, "right": right}))


def equivalences(
    pairs: Iterable[tuple[str, str]], *, limits: SolverLimits | None = None, workers: int = 0
) -> Generator[Verdict, None, None]:
    """Yield the verdict of each pair, in the order given, from worker processes; `workers` of 0 is one a core."""
    tasks = (("equivalent", {"left": left, "right": right}, None) for left, right in pairs)
    with closing(task_results(tasks, limits=limits, workers=workers)) as results:
        for _, outcome in results:
            yield _of_worker(outcome)


def _of_worker(outcome: dict[str, Any] | LostTask) -> Verdict:
    if isinstance(outcome, LostTask):
        return _verdict(Status.UNKNOWN, outcome.reason)
    return read_record(Verdict, outcome)


def _verdict(status: Status, reason: str | None, checked: int = 0, witness: Counterexample | None = None) -> Verdict:
    more: dict[str, Any] = {"checked": checked, "reason": reason, "counterexample": witness}
    return Verdict("same-meaning", "", "left", "right", status, "z3+cvc5", **more)


class IncomparableError(Exception):
    """Two programs cannot be compared."""


@dataclass(frozen=True, slots=True)
class ProgramFormula:
    """A program as a formula: its sorts, with their values or none, its constants and functions, definitions and assertions."""

    sorts: Mapping[str, tuple[str, ...]]
    symbols: Mapping[str, Declaration]
    definitions: tuple[Node, ...]
    assertions: tuple[Node, ...]

    @classmethod
    def read(cls, text: str, suffix: str) -> ProgramFormula:
        """Read a program; `suffix` is appended to the names of the functions that it defines.

        Raises:
            UnreadableProgramError: it has faults.
        """
        script = ConstraintProgram.read(text).script
        functions = [item for item in script.declarations if item.body is not None and item.parameters]
        own = {item.name for item in functions}

        def renamed(node: Node) -> Node:
            if isinstance(node, NodeGroup):
                return NodeGroup(tuple(map(renamed, node.items)))
            if node.kind in {AtomKind.SYMBOL, AtomKind.QUOTED} and node.name in own:
                return _symbol(f"{node.name}{suffix}")
            # If all numbers are real, `3` is a real number; otherwise it is an integer.
            whole = script.scope.reals and node.kind is AtomKind.NUMERAL
            return Atom(f"{node.text}.0", AtomKind.DECIMAL) if whole else node

        others = [item for item in script.declarations if item.name not in own]
        defined = (_equal(item.name, renamed(item.body)) for item in others if item.body is not None)
        return cls(
            {**{item.name: item.values for item in script.enumerations}, **dict.fromkeys(script.sorts, ())},
            {item.name: item for item in others},
            tuple(renamed(script.commands[item.command]) for item in functions),
            (*map(renamed, script.assertions), *defined),
        )

    @property
    def used(self) -> set[str]:
        """Return the names in assertions and definitions, bound variables included."""
        return _names(*self.definitions, *self.assertions)


@dataclass(slots=True)
class EquivalenceProver:
    """Compares programs by sessions of both solvers, with a limit on the work for a question; `began` is told the name of the next step."""

    work: int
    began: Callable[[str], None] = lambda _: None
    sessions: dict[SolverName, SolverSessions] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sessions = {**solver_sessions(self.work), **self.sessions}

    def equivalent(self, left: str, right: str) -> Verdict:
        """Return the verdict on two programs."""
        self.began("reading")
        try:
            pair = _Pair.of(ProgramFormula.read(left, "!left"), ProgramFormula.read(right, "!right"))
            return self._compared(pair)
        except UnreadableProgramError as error:
            return _verdict(Status.UNKNOWN, f"a program cannot be read: {error}")
        except IncomparableError as error:
            return _verdict(Status.UNKNOWN, str(error))
        except SolverError as error:
            return _verdict(Status.UNKNOWN, f"solver-error: {error}")

    def _compared(self, pair: _Pair) -> Verdict:
        undecided: list[str] = []
        for forward, direction in _DIRECTIONS.items():
            answers = {name: self._answer(name, pair.difference(forward=forward), pair.asking) for name in SolverName}
            answered = {name: lines[0] for name, lines in answers.items()}
            if {"sat", "unsat"} <= {*answered.values()}:
                listed = ", ".join(f"{name} {answer}" for name, answer in answered.items())
                return _verdict(Status.UNKNOWN, f"solvers-disagree: on whether {direction}: {listed}")
            if "sat" in answered.values():
                witness = next(answers[name] for name in VALUES_OF if answered[name] == "sat")
                return self._refuted(pair, values_of(" ".join(witness[1:])), forward=forward)
            if open_ := [name for name, answer in answered.items() if answer != "unsat"]:
                undecided.append(f"{' and '.join(open_)} on whether {direction}")
        reason = f"undecided: {'; '.join(undecided)}" if undecided else None
        return _verdict(Status.UNKNOWN if undecided else Status.CONFIRMED, reason, len(_DIRECTIONS) - len(undecided))

    def _refuted(self, pair: _Pair, values: Mapping[str, str], *, forward: bool) -> Verdict:
        """Check again, with both solvers, that values meet one program and not the other."""
        inputs = {name: value for name, value in values.items() if name in pair.constants}
        pinned = "".join(f"(assert (= {quoted_symbol(name)} {value}))\n" for name, value in inputs.items())
        outcomes = ("sat", "unsat") if forward else ("unsat", "sat")
        # Values of constants say nothing about functions, which both sides may give another meaning.
        sides = [] if pair.functions else zip((pair.left, pair.right), outcomes, strict=True)
        for side, wanted in sides:
            for name in SolverName:
                try:
                    (answer, *_) = self._answer(name, f"{pair.program(side)}{pinned}", "")
                except SolverError as error:
                    answer = str(error)
                if answer != wanted:
                    reason = f"a difference was found that does not stand: {name} says {answer}, not {wanted}"
                    return _verdict(Status.UNKNOWN, reason)
        return _verdict(Status.REFUTED, f"not so that {_DIRECTIONS[forward]}", 1, Counterexample(inputs, *outcomes))

    def _answer(self, name: SolverName, commands: str, asking: str) -> list[str]:
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
        """Return the pair of two programs.

        Raises:
            IncomparableError: a name has different sorts, or a function of only one side is used.
        """
        for name in left.sorts.keys() & right.sorts.keys():
            if sorted(left.sorts[name]) != sorted(right.sorts[name]):
                values = " and ".join(f"({' '.join(side.sorts[name])})" for side in (left, right))
                raise IncomparableError(f"the sort {name} is another one in each: {values}")
        shared = {name: item for name, item in left.symbols.items() if name in right.symbols}
        for name, item in shared.items():
            signatures = [_signature(item), _signature(right.symbols[name])]
            if signatures[0] != signatures[1]:
                raise IncomparableError(f"{name} is of sort {signatures[0]} in one and {signatures[1]} in the other")
        for side in (left, right):
            for name in side.symbols.keys() - shared.keys() & side.used:
                if side.symbols[name].sorts:
                    raise IncomparableError(f"the function {name} is in one of them only")
        sorts = "".join(_declared_sort(name, values) for name, values in {**right.sorts, **left.sorts}.items())
        constants = tuple(name for name, item in shared.items() if not item.sorts)
        functions = tuple(name for name, item in shared.items() if item.sorts)
        return cls(left, right, constants, functions, sorts + _declared(shared.values()))

    @property
    def asking(self) -> str:
        """Return the command that asks for the shared constants."""
        return f"(get-value ({' '.join(map(quoted_symbol, self.constants))}))\n" if self.constants else ""

    def _alone(self, side: ProgramFormula) -> dict[str, Declaration]:
        """Return the constants of one side that it uses."""
        names = side.used - {*self.constants, *self.functions}
        return {name: item for name, item in side.symbols.items() if name in names and not item.sorts}

    def program(self, side: ProgramFormula) -> str:
        """Return the declarations and assertions of one side, its own constants included."""
        own = _declared(self._alone(side).values())
        return f"{self.head}{own}{write_script(side.definitions)}{_asserted(side.assertions)}"

    def difference(self, *, forward: bool) -> str:
        """Return commands that are satisfiable if one side can hold while the other does not."""
        holds, fails = (self.left, self.right) if forward else (self.right, self.left)
        bound = " ".join(f"({quoted_symbol(name)} {item.sort})" for name, item in self._alone(fails).items())
        claim = f"(and true {' '.join(map(write_node, fails.assertions))})"
        claim = f"(exists ({bound}) {claim})" if bound else claim
        definitions = write_script((*holds.definitions, *fails.definitions))
        return (
            f"{self.head}{_declared(self._alone(holds).values())}{definitions}"
            f"{_asserted(holds.assertions)}(assert (not {claim}))\n"
        )


def _names(*nodes: Node) -> set[str]:
    return {atom.name for node in nodes for atom in walk(node) if isinstance(atom, Atom)}


def _symbol(name: str) -> Atom:
    text = quoted_symbol(name)
    return Atom(text, AtomKind.QUOTED if text.startswith("|") else AtomKind.SYMBOL)


def _equal(name: str, term: Node) -> Node:
    return NodeGroup((Atom("="), _symbol(name), term))


def _asserted(nodes: Iterable[Node]) -> str:
    return "".join(f"(assert {write_node(node)})\n" for node in nodes)


def _signature(item: Declaration) -> str:
    return " ".join([*([f"({' '.join(item.sorts)})"] if item.sorts else []), item.sort])


def _declared(declarations: Iterable[Declaration]) -> str:
    return "".join(
        f"(declare-fun {quoted_symbol(item.name)} ({' '.join(map(quoted_symbol, item.sorts))}) {quoted_symbol(item.sort)})\n"
        for item in declarations
    )


def _declared_sort(name: str, values: tuple[str, ...]) -> str:
    if not values:
        return f"(declare-sort {quoted_symbol(name)} 0)\n"
    listed = " ".join(f"({quoted_symbol(value)})" for value in values)
    return f"(declare-datatypes (({quoted_symbol(name)} 0)) (({listed})))\n"
