"""What should the snapshot of a problem's traces say?"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from generators.annotation.compiler import formalize
from harness.corpora import CORPORA
from harness.program.refusal import ProgramError, Refusal
from harness.responses import load_responses
from harness.solution.template import read_template
from harness.solution.text import read_text
from harness.solution.trace import trace_program
from snapshots.subjects import COMPILED, problem_of, subjects
from snapshots.worked import heading, unsolved, worked_solution

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Problem, Response
    from snapshots.subjects import Subject


def snapshot_text(subject: Subject) -> str:
    """Return what the snapshot of a subject should say.

    Raises:
        NoDataError: its problem is not on this machine.
    """
    problem = problem_of(subject)
    sections = [_section(problem, model, prose=subject.prose) for model in subject.models]
    return "\n".join([heading(problem, prose=subject.prose), *sections])


def _section(problem: Problem, model: str, *, prose: bool) -> str:
    try:
        template = read_template(_response(problem, model))
        trace = trace_program(template.program)
        return worked_solution(problem, model, trace, read_text(problem, template, trace), prose=prose)
    except (Refusal, ProgramError) as reason:
        return unsolved(model, reason, prose=prose)


def _response(problem: Problem, model: str) -> Response:
    """Return what a model said; errors as in `formalize`."""
    return formalize(problem) if model == COMPILED else _bundled()[problem.problem_id][model]


@functools.cache
def _bundled() -> Mapping[str, Mapping[str, Response]]:
    known = frozenset(subject.problem_id for subject in subjects())
    return load_responses([CORPORA / "mini" / "formalizations.jsonl"], known).accepted
