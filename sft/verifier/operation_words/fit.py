"""The command `oracle-factory fit-wording`: the fit of the wording model on correct solutions."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from harness.domain import Problem
from harness.errors import HarnessError
from sft.verifier.operation_words.contexts import OPERATORS, ending_context, number_contexts, operation_contexts
from sft.verifier.operation_words.weights import WEIGHTS
from sft.verifier.solution_steps import SolutionSteps

HELD_OUT = 7


class ContextExample(NamedTuple):
    """A context and its class."""

    context: Sequence[str]
    is_of: int


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
    outside = unreserved_problems(problems, names, evaluation)
    sys.stdout.write(f"{len(problems):,} problems, {len(outside):,} of them outside\n")
    fit_models([steps_of(read_item(problem.question, problem.solution)) for problem in outside], out)
    return 0


def unreserved_problems(
    corpus: Sequence[Problem], reserved: Sequence[str], evaluation: Sequence[Path]
) -> list[Problem]:
    """Return the problems that are neither reserved nor in an evaluation file, nor nearly the same as such a problem."""
    from sft.datasets.leakage import Fence, ProtectedProblem, read_evaluation

    questions = {problem.problem_id: problem.question for problem in corpus}
    fence = Fence(ProtectedProblem(name, questions.get(name, "")) for name in reserved)
    for path in evaluation:
        for protected in read_evaluation(path, questions):
            fence.protect(protected)
    return [problem for problem in corpus if fence.why(problem.problem_id, problem.question) is None]


def operator_examples(steps: SolutionSteps) -> Iterator[ContextExample]:
    """Yield the operations of a solution; the class is the sign."""
    return (ContextExample(each.context, OPERATORS.index(each.operator)) for each in operation_contexts(steps))


def use_examples(steps: SolutionSteps) -> Iterator[ContextExample]:
    """Yield the numbers of a question; the class is 1 if the solution uses the number."""
    return (ContextExample(number.context, int(number.used)) for number in number_contexts(steps))


def end_examples(steps: SolutionSteps) -> Iterator[ContextExample]:
    """Yield every beginning of a solution; the class is 1 for the whole solution."""
    total = len(steps.steps)
    return (ContextExample(ending_context(steps, until), int(until == total)) for until in range(1, total + 1))


MODELS = {"operator": operator_examples, "use": use_examples, "end": end_examples}


def fit_models(read: Sequence[SolutionSteps], out: Path) -> None:
    """Fit the models on solutions and write their weights; print the accuracy of each on every seventh solution."""
    from sft.fitted.hashed import fit_hashed, hashed_probabilities, save_tables

    tables = {}
    for name, examples in MODELS.items():
        drawn = [(number % HELD_OUT == 0, example) for number, steps in enumerate(read) for example in examples(steps)]
        seen = [example for held, example in drawn if not held]
        table = fit_hashed([example.context for example in seen], [example.is_of for example in seen])
        shares = [(hashed_probabilities(table, example.context), example.is_of) for held, example in drawn if held]
        right = sum(max(range(len(share)), key=share.__getitem__) == is_of for share, is_of in shares)
        sys.stdout.write(f"{name}: {len(drawn):,} examples; held out: {right / max(1, len(shares)):.3f} right\n")
        tables[name] = fit_hashed([example.context for _, example in drawn], [example.is_of for _, example in drawn])
    save_tables(tables, out)
