"""The draft of a constraint problem before it has an id: text, program, reasoning steps and answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReasoningStep:
    """A sentence of the reasoning: its conclusion follows from the terms of the premises and the background of the program.

    Without a conclusion it says that everything can be true at once.
    """

    text: str
    premises: tuple[str, ...]
    conclusion: str | None


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    """The question: the sort of the answer, the terms that tie the constant `answer` to the rest, and its value."""

    sort: str
    ties: tuple[str, ...]
    gold: str


@dataclass(frozen=True, slots=True)
class ProblemDraft:
    """A problem as a domain makes it.

    `background` are the terms of what holds in every case (places are distinct, amounts are not negative), `clues` those of
    the sentences, and `said` the words of each clue, empty where clues and sentences do not correspond; a problem without an
    `answer` asks whether it can be done, which `satisfiable` says.
    """

    kind: str
    problem: str
    steps: tuple[ReasoningStep, ...]
    declarations: tuple[str, ...]
    background: tuple[str, ...]
    clues: tuple[str, ...]
    answer: DraftAnswer | None
    satisfiable: bool = True
    said: tuple[str, ...] = ()

    @property
    def program(self) -> str:
        """Return the program, a command a line."""
        declarations, terms, asked = list(self.declarations), [*self.background, *self.clues], ["(check-sat)"]
        if self.answer is not None:
            declarations += constants(("answer",), self.answer.sort)
            terms += self.answer.ties
            asked.append("(get-value (answer))")
        logic = logic_of((*declarations, *terms))
        lines = [f"(set-logic {logic})", *declarations, *(f"(assert {term})" for term in terms), *asked]
        return "\n".join(lines) + "\n"

    @property
    def stated(self) -> tuple[str, ...]:
        """Return for each assertion the words of its clue, empty for an assertion that is no clue."""
        if not self.said:
            return ()
        ties = self.answer.ties if self.answer is not None else ()
        return (*("" for _ in self.background), *self.said, *("" for _ in ties))


def logic_of(parts: Iterable[str]) -> str:
    """Return the logic that declarations, sorts and terms need: with named values, real or whole numbers, or truth values alone."""
    text = " ".join(parts)
    if "declare-datatypes" in text:
        return "QF_UFDTLIA"
    return "QF_LRA" if "Real" in text else "QF_LIA" if "Int" in text or "(+ " in text else "QF_UF"


def needed_steps(steps: Sequence[ReasoningStep]) -> tuple[ReasoningStep, ...]:
    """Return the steps that the last one rests on, and it."""
    wanted, kept = set(steps[-1].premises), [steps[-1]]
    for step in reversed(steps[:-1]):
        if step.conclusion in wanted:
            kept.append(step)
            wanted.update(step.premises)
    return tuple(kept[::-1])


def constants(symbols: tuple[str, ...], sort: str) -> tuple[str, ...]:
    """Return the declarations of constants."""
    return tuple(f"(declare-const {symbol} {sort})" for symbol in symbols)


def enumeration(sort: str, values: tuple[str, ...]) -> str:
    """Return the declaration of a sort of named values."""
    return f"(declare-datatypes (({sort} 0)) (({' '.join(f'({value})' for value in values)})))"


def literal(value: bool | int) -> str:  # noqa: FBT001  # a truth value is a value here, not a flag
    """Return the literal of a truth value or a whole number."""
    return str(value).lower() if isinstance(value, bool) else str(value) if value >= 0 else f"(- {-value})"


def sort_of_literal(value: object) -> str:
    """Return the sort of a truth value or a whole number."""
    return "Bool" if isinstance(value, bool) else "Int"
