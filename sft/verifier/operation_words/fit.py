"""The fit of the wording model on correct solutions."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.domain import Problem
from sft.datasets.leakage.decontamination import Fence, ProtectedProblem, read_evaluation
from sft.verifier.operation_words.contexts import OPERATORS, ending_context, number_contexts, operation_contexts
from sft.verifier.operation_words.weights import BITS, hashed
from sft.verifier.solution.solution_steps import SolutionSteps

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


STRENGTH = 0.1
"""The inverse strength of the penalty: for each model the best of 0.03, 0.1 and 0.3 on held-out problems."""
HELD_OUT = 7


class ContextExample(NamedTuple):
    """A context and its class."""

    context: Sequence[str]
    is_of: int


def unreserved_problems(
    corpus: Sequence[Problem], reserved: Sequence[str], evaluation: Sequence[Path]
) -> list[Problem]:
    """Return the problems that are neither reserved nor in an evaluation file, nor nearly the same as such a problem."""
    questions = {problem.problem_id: problem.question for problem in corpus}
    fence = Fence(ProtectedProblem(name, questions.get(name, "")) for name in reserved)
    for path in evaluation:
        for protected in read_evaluation(path, questions):
            fence.protect(protected)
    return [problem for problem in corpus if fence.why(problem.problem_id, problem.question) is None]


def operator_examples(steps: SolutionSteps) -> Iterator[ContextExample]:
    """Yield the operations of a solution; the class is the sign."""
    return (
        ContextExample(operation.context, OPERATORS.index(operation.operator))
        for operation in operation_contexts(steps)
    )


def use_examples(steps: SolutionSteps) -> Iterator[ContextExample]:
    """Yield the numbers of a question; the class is 1 if the solution uses the number."""
    return (ContextExample(number.context, int(number.used)) for number in number_contexts(steps))


def end_examples(steps: SolutionSteps) -> Iterator[ContextExample]:
    """Yield every beginning of a solution; the class is 1 for the whole solution."""
    total = len(steps.steps)
    return (ContextExample(ending_context(steps, until), int(until == total)) for until in range(1, total + 1))


MODELS = {"operator": operator_examples, "use": use_examples, "end": end_examples}


def matrix(contexts: Sequence[Sequence[str]]) -> "csr_matrix":
    """Return contexts as rows of 32,768 columns, with 1 for each feature of a context."""
    import numpy as np
    from scipy.sparse import csr_matrix

    rows = [hashed(context) for context in contexts]
    starts = np.cumsum([0, *map(len, rows)])
    columns = np.fromiter((column for row in rows for column in row), dtype=np.int32)
    return csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(len(rows), 1 << BITS))


def fit_models(read: Sequence[SolutionSteps], out: Path) -> None:
    """Fit the models on solutions and write their weights; print the accuracy of each on every seventh solution."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss

    tables = {}
    for name, examples in MODELS.items():
        drawn = [(number % HELD_OUT == 0, example) for number, steps in enumerate(read) for example in examples(steps)]
        held = np.array([example for example, _ in drawn])
        rows, classes = (
            matrix([example.context for _, example in drawn]),
            np.array([example.is_of for _, example in drawn]),
        )
        part = LogisticRegression(C=STRENGTH, max_iter=200).fit(rows[~held], classes[~held])
        shares = part.predict_proba(rows[held])
        right = (shares.argmax(axis=1) == classes[held]).mean()
        reached = f"{right:.3f} right, {log_loss(classes[held], shares):.3f} nats"
        sys.stdout.write(f"{name}: {len(drawn):,} examples; held out: {reached}\n")
        whole = LogisticRegression(C=STRENGTH, max_iter=200).fit(rows, classes)
        table = whole.coef_.T.copy()
        # Every context has the feature `1`.
        table[hashed(["1"])[0]] += whole.intercept_
        tables[name] = (table if table.shape[1] > 1 else table[:, 0]).astype(np.float16)
    np.savez_compressed(out, **tables)
