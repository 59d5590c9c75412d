"""The command that makes datasets: `python -m sft.datasets --help`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness.corpora.problems import load_corpus, read_exclusion
from harness.errors import HarnessError
from sft.datasets.card import card_of
from sft.datasets.decontamination import Fence, ProtectedProblem, read_evaluation
from sft.datasets.hub_upload import push, require_token
from sft.datasets.output_files import FORMATS, DatasetFolder, SampleSpool
from sft.datasets.prompts import Level
from sft.datasets.selection import PROBLEM_SHARES, SOLUTION_SHARES, UNKNOWN_ERROR, DatasetPlan, choose, drawn_samples
from sft.datasets.sources import SAMPLES, ExternalSource, RunSource
from sft.datasets.splits import SPLITS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from harness.domain import Problem
from sft.datasets.selection import SampleSource


def main(arguments: Sequence[str] | None = None) -> int:
    """Make datasets; return 0, or 2 with one message where it cannot be done."""
    options = _parser().parse_args(arguments)
    try:
        return _make(options)
    except (HarnessError, OSError) as error:
        sys.stderr.write(f"datasets: {error}\n")
        return 2


def _make(options: argparse.Namespace) -> int:
    if len(options.external) != len(options.licence):
        message = (
            f"--licence: expected one for each --external, found {len(options.licence)} for {len(options.external)}"
        )
        raise HarnessError(message)
    if not options.run and not options.external:
        message = "name what to read by --run RUN or --external FILE --licence NAME"
        raise HarnessError(message)
    token = require_token() if options.push_to_hub else ""
    corpora = [load_corpus(name) for name in options.corpus]
    questions = {problem.problem_id: problem.question for corpus in corpora for problem in corpus}
    protected = _protected(options, corpora, questions)
    fence = Fence(one for found in protected.values() for one in found)
    runs = [RunSource.of(folder, options.stages or (), options.run_licence) for folder in options.run]
    files = [
        ExternalSource(path, licence, questions)
        for path, licence in zip(options.external, options.licence, strict=True)
    ]
    sources: list[SampleSource] = [*runs, *files]
    plan = DatasetPlan(
        seed=options.seed,
        most=options.most_per_problem,
        solutions=options.balance,
        problems=options.problem_balance,
        weights=options.weights,
        splits=options.splits,
    )
    folder = DatasetFolder(options.out)
    folder.require_own()
    chosen = choose(sources, fence, plan)
    folder.clear()
    with SampleSpool(fence) as spool:
        spool.fill(drawn_samples(sources, chosen), plan)
        folder.write(spool, [Level(name) for name in options.levels], options.formats)
    hashes = {name: sha256 for source in sources for name, sha256 in source.hashes().items()}
    counts = {name: len(found) for name, found in protected.items()}
    folder.seal(card_of(folder, plan, chosen, hashes, counts), {"seed": plan.seed, "sources": hashes})
    sys.stdout.write(
        f"{options.out}: {len(chosen.entries):,} samples, {len(folder.files):,} files; see {options.out / 'README.md'}\n"
    )
    if token:
        push(options.out, options.push_to_hub, token)
    return 0


def _protected(
    options: argparse.Namespace, corpora: Sequence[list[Problem]], questions: Mapping[str, str]
) -> dict[str, list[ProtectedProblem]]:
    """Return the problems that may be in no set, by the file of `--exclude` or `--evaluation` that names them."""
    found: dict[str, list[ProtectedProblem]] = {}
    for path in options.exclude:
        if not corpora:
            message = f"--exclude {path}: name the corpus whose problems it lists by --corpus, such as --corpus gsm8k/train.jsonl; its questions are compared too"
            raise HarnessError(message)
        exclusion = read_exclusion(path, corpora[0], option="--exclude")
        found[path.name] = [ProtectedProblem(name, problem.question) for name, problem in exclusion.problems.items()]
    for path in options.evaluation:
        named = read_evaluation(path, questions)
        found[path.name] = list({(one.problem_id, one.question): one for one in named}.values())
    return found


def _balance(known: Mapping[str, float]) -> Callable[[str], dict[str, float] | None]:
    """Return what reads the shares of classes, of which only known ones may be named."""

    def read(text: str) -> dict[str, float] | None:
        shares = None if text == "as-is" else _shares(text)
        if shares is not None and not known.keys() >= shares.keys():
            message = f"expected classes among {', '.join(known)}, or as-is; found {text!r}"
            raise argparse.ArgumentTypeError(message)
        return shares

    return read


def _shares(text: str) -> dict[str, float]:
    try:
        shares = {name.strip(): float(share) for name, _, share in (item.partition("=") for item in text.split(","))}
    except ValueError:
        shares = {}
    if not shares or not all(0 <= share < 1e6 for share in shares.values()):
        message = f"expected NAME=SHARE,… with shares of zero or more, such as correct=2,conceptual_error=1, or as-is; found {text!r}"
        raise argparse.ArgumentTypeError(message)
    return shares


def _weights(text: str) -> dict[str, float]:
    shares = _shares(text)
    if min(shares.values()) <= 0:
        message = (
            f"expected TYPE=WEIGHT,… with weights above zero, such as operator_swap=2,off_by_n=0.5; found {text!r}"
        )
        raise argparse.ArgumentTypeError(message)
    return shares


def _splits(text: str) -> tuple[float, float, float]:
    try:
        train, validation, test = (float(share) for share in text.split(","))
    except ValueError:
        train = validation = test = -1.0
    total = train + validation + test
    if min(train, validation, test) < 0 or not 0 < total < 1e6:
        message = f"expected three shares for {', '.join(SPLITS)}, such as 0.9,0.05,0.05; found {text!r}"
        raise argparse.ArgumentTypeError(message)
    return train / total, validation / total, test / total


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        message = f"expected a number of at least 1, found {text!r}"
        raise argparse.ArgumentTypeError(message)
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sft.datasets",
        description="Make training sets for the verifier from sealed stages of runs and from labelled files of others.",
    )
    add = parser.add_argument
    add("--run", type=Path, action="append", default=[], metavar="RUN", help="a run folder; may be repeated")
    add(
        "--stages",
        nargs="+",
        choices=tuple(SAMPLES),
        help="the stages to read, all of which must be sealed (those the run has)",
    )
    add(
        "--run-licence",
        default="MIT",
        metavar="NAME",
        help="licence of the texts of the runs' corpus (MIT, as GSM8K and mini)",
    )
    add(
        "--external",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a labelled JSONL file of others; may be repeated",
    )
    add(
        "--licence",
        action="append",
        default=[],
        metavar="NAME",
        help="the licence of each --external, in the same order",
    )
    add(
        "--corpus",
        action="append",
        default=[],
        metavar="CORPUS",
        help="gives the questions that lists and files only name; the first is what --exclude counts",
    )
    add(
        "--exclude",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="JSON list of zero-based lines of the first --corpus or of ids that may be in no set",
    )
    add(
        "--evaluation",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="evaluation files whose problems may be in no set",
    )
    add("--out", type=Path, required=True, metavar="DIR", help="where to write")
    add("--seed", type=int, default=0, metavar="N", help="another seed draws, splits and shows otherwise (0)")
    add(
        "--most-per-problem",
        type=_positive,
        default=2,
        metavar="N",
        help="at most N samples of one problem and operator (2)",
    )
    add(
        "--balance",
        type=_balance({**SOLUTION_SHARES, UNKNOWN_ERROR: 0.0}),
        default=SOLUTION_SHARES,
        metavar="CLASS=SHARE,…",
        help="classes of solutions, or as-is (%(default)s)",
    )
    add(
        "--problem-balance",
        type=_balance(PROBLEM_SHARES),
        default=PROBLEM_SHARES,
        metavar="CLASS=SHARE,…",
        help="classes of problems, or as-is (%(default)s)",
    )
    add(
        "--weights",
        type=_weights,
        default={},
        metavar="TYPE=WEIGHT,…",
        help="how much likelier an error type or operator is drawn",
    )
    add(
        "--splits",
        type=_splits,
        default=(0.9, 0.05, 0.05),
        metavar="A,B,C",
        help="shares of train, validation and test (0.9,0.05,0.05)",
    )
    add(
        "--levels",
        nargs="*",
        choices=[str(level) for level in Level],
        default=[str(level) for level in Level],
        metavar="LEVEL",
        help=f"of {', '.join(Level)} (all of them); none gives the samples alone",
    )
    add(
        "--formats",
        nargs="+",
        choices=FORMATS,
        default=["jsonl"],
        metavar="FORMAT",
        help="jsonl: prompt and completion as text, always written; chat: messages; datasets: a DatasetDict saved to disk, prompt and completion as messages (jsonl)",
    )
    add("--push-to-hub", metavar="USER/NAME", help="upload the folder as a private dataset; needs HF_TOKEN or a login")
    return parser


if __name__ == "__main__":
    sys.exit(main())
