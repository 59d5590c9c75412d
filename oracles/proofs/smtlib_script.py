"""SMT-LIB scripts that prove the class of a problem: contradiction, uniqueness, ambiguity and entailment."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING

from harness.constraint_system import Bound, BoundKind, ConstraintStep, Fact, ProblemClass
from harness.program.refusal import ProgramError, Refusal
from harness.program.syntax.unparser import unparse
from harness.program.value_parser import read_expression
from oracles.equivalence.provers.translation_error import UntranslatableError
from oracles.proofs.real_terms import FUNCTIONS, LOGIC, RealTermWriter, conjunction, literal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from harness.constraint_system import Constraint, ConstraintSystem
    from harness.domain import Exact

_FUNCTIONS = {text.split(maxsplit=1)[0]: f"(define-fun {text}" for text in FUNCTIONS.split("(define-fun ")[1:]}
_COPIES = ("v1", "v2")
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
    """Write that no values meet the constraints, of which those of `core` clash by themselves; expect `unsat`.

    Where a divisor is zero, a step states nothing: nothing is proved from such a quotient.

    Raises:
        UntranslatableError: a step holds what the theory of reals lacks.
    """
    page = _Page()
    page.say(_TITLES[ProblemClass.CONTRADICTORY], f"core: {' '.join(map(_escaped, core))}")
    page.copy(system, values_of(system))
    return page.text


def uniqueness(system: ConstraintSystem, model: Mapping[str, Exact], answer: Exact) -> str:
    """Write that no values meet the constraints and give another answer than this one; expect `unsat`.

    `model` is a solution. Divisors and errors are as in `contradiction`.
    """
    page = _Page()
    page.say(_TITLES[ProblemClass.SOLVABLE])
    page.say(*(f"a solution: {_variable(name)} is {literal(model[name])}" for name in system.free))
    page.copy(system, model)
    page.claim("answer.differs", f"(not (= {_variable(system.answer)} {literal(answer)}))")
    return page.text


def ambiguity(system: ConstraintSystem, models: Sequence[Mapping[str, Exact]], *, pinned: bool = True) -> str:
    """Write that two solutions differ in the answer; expect `sat`.

    Free variables are pinned to their values in the two models, each by an assertion of its own, unless `pinned` is not
    asked for: then the solver has to find two solutions, and `models` say only what exponents are. A step whose divisor
    is zero does not hold. Errors as in `contradiction`.
    """
    page = _Page()
    page.say(_TITLES[ProblemClass.UNDERSPECIFIED])
    for prefix, model in zip(_COPIES, models, strict=True):
        # Before the assertions that they decide: z3 then takes two thirds of the time.
        for name in system.free if pinned else ():
            page.claim(f"pinned.{prefix}.{_escaped(name)}", f"(= {_variable(name, prefix)} {literal(model[name])})")
        page.copy(system, model, prefix=prefix, strict=True)
    first, second = (_variable(system.answer, prefix) for prefix in _COPIES)
    page.claim("answers.differ", f"(not (= {first} {second}))")
    return page.text


def entailment(system: ConstraintSystem, fact: Fact) -> str:
    """Write that the constraints but for a fact hold and the fact does not; `unsat` where they entail it.

    Divisors and errors are as in `contradiction`.
    """
    page = _Page()
    page.copy(system, values_of(system), only=system.constraints.keys() - {fact.name})
    page.claim("fact.differs", f"(not (= {_variable(fact.variable)} {literal(fact.value)}))")
    return page.text


def partial_script(system: ConstraintSystem, names: Collection[str]) -> str:
    """Write that values meet some of the constraints; divisors and errors are as in `contradiction`."""
    page = _Page()
    page.copy(system, values_of(system), only=names)
    return page.text


def values_of(system: ConstraintSystem) -> Mapping[str, Exact]:
    """Return the values that facts and steps give, as far as they give all of them, else none."""
    try:
        return system.complete()
    except (KeyError, Refusal, ProgramError):
        return {}


@dataclass(slots=True)
class _Page:
    """Collects the parts of a script."""

    said: list[str] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    writer: RealTermWriter = field(default_factory=RealTermWriter)

    @property
    def body(self) -> str:
        """Return the script as it stands."""
        functions = _functions("".join((*self.terms, *self.writer.definitions)))
        return "".join([*self.said, LOGIC, *functions, *self.declared, *self.lines])

    @property
    def text(self) -> str:
        """Return the script, which asks one thing."""
        return f"{self.body}(check-sat)\n"

    def say(self, *comments: str) -> None:
        """Add comments to the head."""
        self.said += [f"; {text}\n" for text in comments]

    def claim(self, name: str, formula: str) -> None:
        """Assert a formula under a name."""
        self.lines.append(f"(assert (! {formula} :named |{name}|))\n")

    def copy(
        self,
        system: ConstraintSystem,
        values: Mapping[str, Exact],
        *,
        prefix: str = "v",
        strict: bool = False,
        only: Collection[str] | None = None,
    ) -> None:
        """Declare the variables of a copy and assert its constraints, all or those of the names in `only`."""
        names = {name: _variable(name, prefix) for name in system.variables}
        self.declared += [f"(declare-fun {symbol} () Real)\n" for symbol in names.values()]
        suffix = "" if prefix == "v" else f".{prefix}"
        for name, constraint in system.constraints.items():
            if only is not None and name not in only:
                continue
            defined = len(self.writer.definitions)
            formula = self._formula(constraint, names, values, strict=strict)
            self.terms.append(formula)
            self.lines.append(f"; {_said(constraint)}\n")
            self.lines += [f"{line}\n" for line in self.writer.definitions[defined:]]
            self.claim(f"{_escaped(name)}{suffix}", formula)

    def _formula(
        self, constraint: Constraint, names: Mapping[str, str], values: Mapping[str, Exact], *, strict: bool
    ) -> str:
        symbol = names[constraint.variable]
        match constraint:
            case Fact(value=value):
                return f"(= {symbol} {literal(value)})"
            case ConstraintStep(expression=expression):
                guarded = len(self.writer.guards)
                # As it is read back: an equal number may be written in several ways.
                term = self.writer.term(read_expression(unparse(expression)), names, values)
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
        message = f"the bound {constraint.name[:60]!r} has no limit"
        raise UntranslatableError(message)


def _functions(text: str) -> list[str]:
    """Return the functions that terms use, in an order in which each is defined before it is used."""
    needed: set[str] = set()
    for name in reversed(_FUNCTIONS):
        if f"({name} " in text or any(f"({name} " in _FUNCTIONS[other] for other in needed):
            needed.add(name)
    return [text for name, text in _FUNCTIONS.items() if name in needed]


def _said(constraint: Constraint) -> str:
    place = ""
    if isinstance(constraint, Fact):
        place = (
            f", {constraint.source}"
            if constraint.span is None
            else f", characters {constraint.span[0]} to {constraint.span[1]}"
        )
    return f"{_escaped(constraint.name)}{place}: {encode_basestring_ascii(constraint.words)}"


@lru_cache(maxsize=4_096)
def _variable(name: str, copy: str = "v") -> str:
    return f"|{copy}.{_escaped(name)}|"


@lru_cache(maxsize=4_096)
def _escaped(name: str) -> str:
    """Return a name in plain ASCII, another one for each."""
    return _ODD.sub(_code, name)


def _code(odd: re.Match[str]) -> str:
    return f"~{ord(odd.group()):x}~"
