"""SMT-LIB scripts that prove the class of a problem: contradiction, uniqueness and ambiguity.

Where a divisor is zero, a step states nothing: nothing is proved from such a quotient. Every script raises `UntranslatableError`
where a step holds what the theory of reals lacks.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from json.encoder import encode_basestring_ascii

from harness.constraint_system import Bound, BoundKind, Constraint, ConstraintStep, ConstraintSystem, Fact, ProblemClass
from harness.domain import Exact
from harness.program.refusal import UntranslatableError
from harness.program.syntax.unparser import unparse
from harness.program.value_parser import read_expression
from oracles.proofs.real_terms import FUNCTIONS, LOGIC, RealTermWriter, conjunction, literal

_FUNCTIONS = {text.split(maxsplit=1)[0]: f"(define-fun {text}" for text in FUNCTIONS.split("(define-fun ")[1:]}
_ODD = re.compile(r"[^A-Za-z0-9_:-]")
_TITLES = {
    ProblemClass.CONTRADICTORY: "The problem is contradictory: no values meet all it says. Expect unsat.",
    ProblemClass.SOLVABLE: "The problem is solvable: no values that meet all it says give another answer. Expect unsat.",
    ProblemClass.UNDERSPECIFIED: "The problem is underspecified: two solutions differ in the answer. Expect sat.",
}


def expected_answer(problem_class: ProblemClass) -> str:
    """Return the expected answer of a solver to the script of a problem of the class."""
    return "sat" if problem_class is ProblemClass.UNDERSPECIFIED else "unsat"


def contradiction(system: ConstraintSystem, core: Sequence[str]) -> str:
    """Write that no values meet the constraints, of which those of `core` clash by themselves; expect `unsat`."""
    page = _Page([_TITLES[ProblemClass.CONTRADICTORY], f"core: {' '.join(map(_escaped, core))}"])
    page.copy(system)
    return page.text


def uniqueness(system: ConstraintSystem, model: Mapping[str, Exact], answer: Exact) -> str:
    """Write that no values meet the constraints and give another answer than that of the solution `model`; expect `unsat`."""
    solution = [f"a solution: {_variable(name)} is {literal(model[name])}" for name in system.free]
    page = _Page([_TITLES[ProblemClass.SOLVABLE], *solution])
    page.copy(system)
    page.claim("answer.differs", f"(not (= {_variable(system.answer)} {literal(answer)}))")
    return page.text


def ambiguity(system: ConstraintSystem, models: Sequence[Mapping[str, Exact]]) -> str:
    """Write that two solutions differ in the answer; expect `sat`.

    Free variables are pinned to their values in the two models. A step whose divisor is zero does not hold.
    """
    page = _Page([_TITLES[ProblemClass.UNDERSPECIFIED]])
    for copy, model in zip(("v1", "v2"), models, strict=True):
        # Before the assertions that they decide: z3 then takes two thirds of the time.
        for name in system.free:
            page.claim(f"pinned.{copy}.{_escaped(name)}", f"(= {_variable(name, copy)} {literal(model[name])})")
        page.copy(system, copy, strict=True)
    page.claim("answers.differ", f"(not (= {_variable(system.answer, 'v1')} {_variable(system.answer, 'v2')}))")
    return page.text


def partial_script(system: ConstraintSystem, names: Collection[str]) -> str:
    """Write that values meet some of the constraints."""
    page = _Page()
    page.copy(system, only=names)
    return page.text


@dataclass(slots=True)
class _Page:
    """Collects the parts of a script that asks one thing."""

    comments: list[str] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    writer: RealTermWriter = field(default_factory=RealTermWriter)

    @property
    def text(self) -> str:
        """Return the script, with the functions that its terms use."""
        terms = "".join(line for line in self.lines if not line.startswith(";"))
        needed: set[str] = set()
        for name in reversed(_FUNCTIONS):
            if f"({name} " in terms or any(f"({name} " in _FUNCTIONS[other] for other in needed):
                needed.add(name)
        functions = [text for name, text in _FUNCTIONS.items() if name in needed]
        head = [f"; {comment}\n" for comment in self.comments]
        return "".join([*head, LOGIC, *functions, *self.declared, *self.lines, "(check-sat)\n"])

    def claim(self, name: str, formula: str) -> None:
        """Assert a formula under a name."""
        self.lines.append(f"(assert (! {formula} :named |{name}|))\n")

    def copy(
        self, system: ConstraintSystem, prefix: str = "v", *, strict: bool = False, only: Collection[str] | None = None
    ) -> None:
        """Declare the variables of a copy and assert its constraints, all or those of the names in `only`."""
        names = {name: _variable(name, prefix) for name in system.variables}
        self.declared += [f"(declare-fun {symbol} () Real)\n" for symbol in names.values()]
        self.writer.names = names
        suffix = "" if prefix == "v" else f".{prefix}"
        for name, constraint in system.constraints.items():
            if only is None or name in only:
                defined = len(self.writer.definitions)
                formula = self._formula(constraint, names, strict=strict)
                self.lines.append(f"; {_source(constraint)}\n")
                self.lines += [f"{line}\n" for line in self.writer.definitions[defined:]]
                self.claim(f"{_escaped(name)}{suffix}", formula)

    def _formula(self, constraint: Constraint, names: Mapping[str, str], *, strict: bool) -> str:
        symbol = names[constraint.variable]
        match constraint:
            case Fact(value=value):
                return f"(= {symbol} {literal(value)})"
            case ConstraintStep(expression=expression):
                guarded = len(self.writer.guards)
                # As it is read back: an equal number may be written in several ways.
                term = self.writer.term(read_expression(unparse(expression)))
                guards = self.writer.guards[guarded:]
                if not guards:
                    return f"(= {symbol} {term})"
                return f"({'and' if strict else '=>'} {conjunction(guards)} (= {symbol} {term}))"
            case Bound(kind=BoundKind.WHOLE):
                return f"(is_int {symbol})"
            case Bound(kind=BoundKind.NOT_NEGATIVE):
                return f"(>= {symbol} 0.0)"
            case Bound(limit=str() as limit):
                return f"(<= {symbol} {names[limit]})"
            case Bound(limit=int() | Fraction() as limit):
                return f"(<= {symbol} {literal(limit)})"
        raise UntranslatableError(f"the bound {constraint.name[:60]!r} has no limit")


def _source(constraint: Constraint) -> str:
    """Return the name, the place and the words of a constraint, as a comment."""
    place = ""
    if isinstance(constraint, Fact):
        span = constraint.span
        place = f", {constraint.source}" if span is None else f", characters {span[0]} to {span[1]}"
    return f"{_escaped(constraint.name)}{place}: {encode_basestring_ascii(constraint.words)}"


@lru_cache(maxsize=4_096)
def _variable(name: str, copy: str = "v") -> str:
    return f"|{copy}.{_escaped(name)}|"


@lru_cache(maxsize=4_096)
def _escaped(name: str) -> str:
    """Return a name in plain ASCII, another one for each."""
    return _ODD.sub(lambda odd: f"~{ord(odd.group()):x}~", name)
