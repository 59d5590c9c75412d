"""The bundled corpus `mini`: its problems and the models' responses, whose text snapshots may quote."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from harness.corpora.problems import CORPORA, load_corpus
from harness.corpora.responses import load_responses
from harness.solution.template import may_be_template

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Problem, Response

CORPUS = "mini"


@functools.cache
def problems() -> Mapping[str, Problem]:
    """Return the bundled problems by id."""
    return {problem.problem_id: problem for problem in load_corpus(CORPUS)}


@functools.cache
def responses() -> Mapping[str, Mapping[str, Response]]:
    """Return the responses by problem and model."""
    return load_responses([CORPORA / CORPUS / "formalizations.jsonl"], frozenset(problems())).accepted


def templates(problem_id: str) -> list[Response]:
    """Return the templates of a problem in the order in which the stages try them."""
    answered = responses().get(problem_id, {})
    return [answered[model] for model in sorted(answered) if may_be_template(answered[model])]
