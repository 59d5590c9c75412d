"""The command `oracle-factory fit-wording`: the fit of the wording model on correct solutions."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from harness.domain import Problem
from harness.errors import HarnessError
from sft.verifier.solution_steps import SolutionSteps
from sft.verifier.wording_contexts import OPERATORS, ending_context, number_contexts, operation_contexts
from sft.verifier.wording_model import WEIGHTS, fit_hashed, hashed_probabilities, save_tables

HELD_OUT = 7


def fit_wording(
    corpus: Annotated[str, typer.Argument(help="NAME=FILE or FILE, a corpus with solutions.")],
    *,
    reserved: Annotated[
        Path, typer.Option(metavar="FILE", help="JSON list of problem ids, or of their numbers in the corpus.")
    ],
    evaluation: Annotated[list[Path], typer.Option(metavar="FILE", help="Problems that are judged; repeatable.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The weights to write.")] = WEIGHTS,
) -> int:
    """Fit the wording model on correct solutions.

    Problems that are reserved or evaluated on, or nearly the same, are left out. The accuracy on every seventh
    problem is printed for a fit to the others.

    Example: oracle-factory fit-wording train.jsonl --reserved reserved.json --evaluation bench.jsonl
    """
    from harness.corpora.problems import load_corpus
    from sft.samples.solution_text import read_item
    from sft.verifier.solution_steps import steps_of

    problems = list(load_corpus(corpus))
    try:
        listed = json.loads(reserved.read_text(encoding="utf-8"))
        names = [problems[name].problem_id if isinstance(name, int) else str(name) for name in listed]
    except (ValueError, IndexError, TypeError) as error:
        raise HarnessError(f"{reserved}: expected a JSON list of ids or of lines of the corpus ({error})") from None
    outside = _unreserved(problems, names, evaluation)
    sys.stdout.write(f"{len(problems):,} problems, {len(outside):,} of them outside\n")
    _fit([steps_of(read_item(problem.question, problem.solution)) for problem in outside], out)
    return 0


def _unreserved(corpus: Sequence[Problem], reserved: Sequence[str], evaluation: Sequence[Path]) -> list[Problem]:
    """Return the problems that are neither reserved nor in an evaluation file, nor nearly the same as such a problem."""
    from sft.datasets.leakage import Fence, ProtectedProblem, read_evaluation

    questions = {problem.problem_id: problem.question for problem in corpus}
    named = [ProtectedProblem(name, questions.get(name, "")) for name in reserved]
    fence = Fence([*named, *(problem for path in evaluation for problem in read_evaluation(path, questions))])
    return [problem for problem in corpus if fence.why(problem.problem_id, problem.question) is None]


def _examples(steps: SolutionSteps) -> dict[str, list[tuple[Sequence[str], int]]]:
    """Return contexts with their classes: the sign of an operation, whether a number is used, whether a solution ends."""
    total = len(steps.steps)
    return {
        "operator": [(each.context, OPERATORS.index(each.operator)) for each in operation_contexts(steps)],
        "use": [(number.context, int(number.used)) for number in number_contexts(steps)],
        "end": [(ending_context(steps, until), int(until == total)) for until in range(1, total + 1)],
    }


def _fit(read: Sequence[SolutionSteps], out: Path) -> None:
    """Fit the models on solutions and write their weights; print the accuracy of each on every seventh solution."""
    examples = [_examples(steps) for steps in read]
    tables = {}
    for name in ("operator", "use", "end"):
        drawn = [(number % HELD_OUT == 0, *one) for number, each in enumerate(examples) for one in each[name]]
        table = fit_hashed(*zip(*((context, label) for held, context, label in drawn if not held), strict=True))
        shares = [(hashed_probabilities(table, context), label) for held, context, label in drawn if held]
        right = sum(max(range(len(share)), key=share.__getitem__) == label for share, label in shares)
        sys.stdout.write(f"{name}: {len(drawn):,} examples; held out: {right / max(1, len(shares)):.3f} right\n")
        tables[name] = fit_hashed([context for _, context, _ in drawn], [label for *_, label in drawn])
    save_tables(tables, out)
