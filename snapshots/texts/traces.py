"""The snapshot text of a problem: the traces of its models as worked solutions, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.formalizations.annotation.compiler import formalize
from harness.program.refusal import ProgramError, Refusal
from harness.solution.solution_text import read_text
from harness.solution.template import read_template
from harness.solution.trace import trace_program
from snapshots.texts import bundled_corpus as bundled
from snapshots.texts.subjects import COMPILED, problem_of
from snapshots.texts.worked_solution import heading, unsolved, worked_solution

if TYPE_CHECKING:
    from harness.domain import Problem, Response
    from snapshots.texts.subjects import TraceSubject


def traces_text(subject: TraceSubject) -> str:
    """Return the text of the snapshot of a subject.

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
    """Return the response of a model; raises the errors of `formalize`."""
    return formalize(problem) if model == COMPILED else bundled.responses()[problem.problem_id][model]
