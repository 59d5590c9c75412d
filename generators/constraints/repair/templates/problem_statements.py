"""The content of a problem that a template has read, and the statements of a problem's text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.smtlib.symbols import RESERVED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LONGEST = 5_000
MOST_NAMES = 30
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_OPTIONS = re.compile(
    r"\b(?:answer\s+)?(?:options|choices)\s*:|(?:^|\s)\(?A\s?[).:]\s.{1,400}?\s\(?B\s?[).:]\s",
    re.IGNORECASE | re.DOTALL,
)
_CLAUSE = re.compile(r";|, (?:and|but) (?=[A-Z]|the )|, (?=but )")


@dataclass(frozen=True, slots=True)
class ProblemReading:
    """The constants of a problem with their sorts, the conditions of the kind of problem, and facts with their clauses."""

    constants: Mapping[str, str]
    frame: Sequence[str]
    facts: Sequence[tuple[str, str]]

    def program(self) -> str:
        """Return the program, each fact with its clause as a comment."""
        logic = "QF_LIA" if "Int" in self.constants.values() else "QF_UF"
        lines = [f"(set-logic {logic})", *(f"(declare-const {name} {sort})" for name, sort in self.constants.items())]
        lines += [f"(assert {formula})" for formula in self.frame]
        lines += [f"(assert {fact}) ; {clause}" for fact, clause in self.facts]
        return "\n".join([*lines, "(check-sat)", ""])


def statements(problem: str) -> list[str]:
    """Return the sentences that state something: not the questions, and nothing from the answer options on."""
    text = " ".join(problem[:LONGEST].split())
    options = _OPTIONS.search(text)
    sentences = _SENTENCE.split(text[: options.start()] if options else text)
    return [sentence for sentence in sentences if sentence and not sentence.endswith("?")]


def clauses(sentences: Sequence[str]) -> Iterator[str]:
    """Yield the clauses of sentences that can be read by themselves."""
    for sentence in sentences:
        yield from (part.strip(" .") for part in _CLAUSE.split(sentence) if part.strip(" ."))


def symbols(names: Sequence[str]) -> dict[str, str]:
    """Return a symbol for each name, all different."""
    found: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"\W+", "_", name.lower()).strip("_") or "thing"
        plain = plain if plain[0].isalpha() and plain.isascii() and plain not in RESERVED else f"the_{len(found) + 1}"
        found[name] = plain if plain not in found.values() else f"{plain}_{len(found) + 1}"
    return found
