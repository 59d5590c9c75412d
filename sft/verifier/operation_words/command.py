"""The command `oracle-factory fit-wording`."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from harness.errors import HarnessError
from sft.verifier.operation_words.weights import WEIGHTS


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
    from sft.verifier.operation_words.fit import fit_models, unreserved_problems
    from sft.verifier.solution.solution_steps import steps_of

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
