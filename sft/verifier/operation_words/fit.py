"""The command `oracle-factory fit-wording`, and the fit of the wording model on correct solutions."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from harness.corpora.problems import load_corpus
from harness.domain import Problem
from harness.errors import HarnessError
from sft.datasets.decontamination import Fence, ProtectedProblem, read_evaluation
from sft.samples.solution_text import read_item
from sft.verifier.operation_words.contexts import OPERATORS, ending_context, number_contexts, operation_contexts
from sft.verifier.operation_words.weights import BITS, WEIGHTS, hashed
from sft.verifier.solution_steps import SolutionSteps, steps_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


STRENGTH = 0.1
"""The inverse strength of the penalty; of 0.03, 0.1 and 0.3 the best of each model on held-out problems."""
HELD_OUT = 7


class ContextExample(NamedTuple):
    """A context, and which class it is of."""

    context: Sequence[str]
    is_of: int


def unreserved_problems(
    corpus: Sequence[Problem], reserved: Sequence[str], evaluation: Sequence[Path]
) -> list[Problem]:
    """Return the problems that are neither reserved nor evaluated on, nor nearly the same as one of those."""
    questions = {problem.problem_id: problem.question for problem in corpus}
    fence = Fence(ProtectedProblem(one, questions.get(one, "")) for one in reserved)
    for path in evaluation:
        for one in read_evaluation(path, questions):
            fence.protect(one)
    return [problem for problem in corpus if fence.why(problem.problem_id, problem.question) is None]


def operator_examples(steps: SolutionSteps) -> Iterator[ContextExample]:
    """Yield the operations of a solution."""
    return (ContextExample(one.context, OPERATORS.index(one.operator)) for one in operation_contexts(steps))


def use_examples(steps: SolutionSteps) -> Iterator[ContextExample]:
    """Yield the numbers of a question: 1 where the solution uses one."""
    return (ContextExample(one.context, int(one.used)) for one in number_contexts(steps))


def end_examples(steps: SolutionSteps) -> Iterator[ContextExample]:
    """Yield every beginning of a solution: 1 where it is the whole."""
    total = len(steps.steps)
    return (ContextExample(ending_context(steps, until), int(until == total)) for until in range(1, total + 1))


MODELS = {"operator": operator_examples, "use": use_examples, "end": end_examples}


def matrix(contexts: Sequence[Sequence[str]]) -> "csr_matrix":
    """Return contexts as rows of 32,768 columns, 1 where a feature is there."""
    import numpy as np
    from scipy.sparse import csr_matrix

    rows = [hashed(context) for context in contexts]
    starts = np.cumsum([0, *map(len, rows)])
    columns = np.fromiter((one for row in rows for one in row), dtype=np.int32)
    return csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(len(rows), 1 << BITS))


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
    problems = list(load_corpus(corpus))
    try:
        listed = json.loads(reserved.read_text(encoding="utf-8"))
        names = [problems[name].problem_id if isinstance(name, int) else str(name) for name in listed]
    except (ValueError, IndexError, TypeError) as error:
        raise HarnessError(f"{reserved}: expected a JSON list of ids or of lines of the corpus ({error})") from None
    outside = unreserved_problems(problems, names, evaluation)
    sys.stdout.write(f"{len(problems):,} problems, {len(outside):,} of them outside\n")
    _fit([steps_of(read_item(problem.question, problem.solution)) for problem in outside], out)
    return 0


def _fit(read: Sequence[SolutionSteps], out: Path) -> None:
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss

    tables = {}
    for name, examples in MODELS.items():
        found = [(number % HELD_OUT == 0, one) for number, steps in enumerate(read) for one in examples(steps)]
        held = np.array([one for one, _ in found])
        rows, classes = matrix([one.context for _, one in found]), np.array([one.is_of for _, one in found])
        part = LogisticRegression(C=STRENGTH, max_iter=200).fit(rows[~held], classes[~held])
        shares = part.predict_proba(rows[held])
        right = (shares.argmax(axis=1) == classes[held]).mean()
        reached = f"{right:.3f} right, {log_loss(classes[held], shares):.3f} nats"
        sys.stdout.write(f"{name}: {len(found):,} examples; held out: {reached}\n")
        whole = LogisticRegression(C=STRENGTH, max_iter=200).fit(rows, classes)
        table = whole.coef_.T.copy()
        # Every context has the feature `1`.
        table[hashed(["1"])[0]] += whole.intercept_
        tables[name] = (table if table.shape[1] > 1 else table[:, 0]).astype(np.float16)
    np.savez_compressed(out, **tables)
