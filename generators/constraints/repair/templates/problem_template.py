"""The template of a problem: the reading that covers most of its statements, as a program."""

from __future__ import annotations

from generators.constraints.repair.templates.comparisons import compared_amounts, ordered_things
from generators.constraints.repair.templates.problem_statements import statements
from generators.constraints.repair.templates.relations import equal_values, friendships, slots
from generators.constraints.repair.templates.truths import truths

LEAST_FACTS = 2
KINDS = (ordered_things, slots, friendships, truths, equal_values, compared_amounts)
"""The kinds of text that are read; of two that read as many clauses the first is taken."""


def template_program(problem: str) -> str | None:
    """Return a program of the statements that the patterns find in a problem's text; `None` if there are none.

    Deterministic. Statements alone are read: a question asserts nothing, and the answer options are claims to be judged.
    """
    sentences = statements(problem)
    readings = [reading for kind in KINDS if (reading := kind(sentences)) is not None]
    best = max(readings, key=lambda reading: len(reading.facts), default=None)
    return best.program() if best is not None and len(best.facts) >= LEAST_FACTS else None
