"""The fit of the wording model of the engine `text`: `python -m benchmarks.verifier_wording` writes the committed weights.

It reads correct solutions of GSM8K train. Problems that are reserved or judged, or nearly the same, are left out.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from harness.corpora.problems import load_corpus, read_exclusion
from harness.paths import data_folder
from sft.datasets.leakage import Fence, ProtectedProblem, read_evaluation
from sft.fitted.model import logistic_regression
from sft.samples.solution_text import read_item
from sft.verifier.solution_steps import SolutionSteps, steps_of
from sft.verifier.wording_model import BITS, OPERATORS, WEIGHTS, hashed, number_contexts, operation_contexts

JUDGED = ("human_written", "human_accepted_conceptual", "verify_then_generate")
INTERCEPT = "1"
"""The feature that every context has."""


def solutions(data: Path) -> list[SolutionSteps]:
    """Return the steps of the solutions that the model is fitted on."""
    problems = load_corpus(str(data / "gsm8k" / "train.jsonl"))
    questions = {problem.problem_id: problem.question for problem in problems}
    reserved = read_exclusion(data / "gsm8k" / "reserved_indices.json", problems).problems
    judged = [own for name in JUDGED for own in read_evaluation(data / "errors" / f"{name}.jsonl", questions)]
    fence = Fence([*(ProtectedProblem(name, own.question) for name, own in reserved.items()), *judged])
    free = [own for own in problems if fence.why(own.problem_id, own.question) is None]
    return [steps_of(read_item(own.question, own.solution)) for own in free]


def fit_hashed(contexts: Sequence[Sequence[str]], labels: Sequence[int]) -> np.ndarray:
    """Return the table of contexts with the numbers of their classes; each context has the feature `INTERCEPT`."""
    rows = [hashed(context) for context in contexts]
    starts = np.cumsum([0, *map(len, rows)])
    columns = np.fromiter((column for row in rows for column in row), dtype=np.int32)
    sparse = csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(len(rows), 1 << BITS))
    fitted = logistic_regression(sparse, np.array(labels))
    table: np.ndarray = fitted.coef_.T.copy()
    table[hashed([INTERCEPT])[0]] += fitted.intercept_
    return table if table.shape[1] > 1 else table[:, 0]


def save_tables(tables: dict[str, np.ndarray], path: Path) -> None:
    """Write tables by name, in half precision."""
    np.savez_compressed(path, **{name: table.astype(np.float16) for name, table in tables.items()})  # type: ignore[arg-type]  # names are no options


if __name__ == "__main__":
    read = solutions(data_folder())
    signs = [(own.context, OPERATORS.index(own.operator)) for steps in read for own in operation_contexts(steps)]
    uses = [(own.context, int(own.used)) for steps in read for own in number_contexts(steps)]
    save_tables(
        {"operator": fit_hashed(*zip(*signs, strict=True)), "use": fit_hashed(*zip(*uses, strict=True))}, WEIGHTS
    )
