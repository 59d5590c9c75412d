"""The command `oracle-factory datasets`."""

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from harness.command_line.option_types import QuestionField, Seed, SolutionField, from_fields, names_of
from harness.corpora.field_roles import FieldNames
from harness.corpora.problems import load_corpus, read_exclusion
from harness.domain import Problem
from harness.errors import HarnessError
from harness.paths import ROOT
from harness.records.provenance import ConfidenceThresholds
from harness.solution.labels import TypeNames
from harness.store.run_folder import code_fingerprint, sha256_of
from sft.datasets.leakage import SPLITS, Fence, ProtectedProblem, read_evaluation
from sft.datasets.levels import LabelForm, Level
from sft.datasets.output import FORMATS, STEPWISE, DatasetFolder, push, require_token
from sft.datasets.selection import PROBLEM_SHARES, SOLUTION_SHARES, DatasetPlan, choose
from sft.datasets.sources import SAMPLES, ExternalSource, RunSource
from sft.datasets.trust import ConfidencePlan
from sft.samples.items import UNKNOWN_ERROR

Paths = list[Path]
Protected = dict[str, list[ProtectedProblem]]


def _shares_text(shares: Mapping[str, float]) -> str:
    return ",".join(f"{name}={share:g}" for name, share in shares.items())


ORACLES = "For --solutions, the folder of a run whose programs judge them; without it, each record's gold_solution or reference."
CORPUS = "Gives the questions that lists and files only name; --exclude counts in the first."
EXCLUDE = "JSON list of zero-based lines of the first --corpus, or of ids, that no set may hold."
UNREVIEWED = "Also take flawed solutions that no person reviewed and that need an edit, are implausible, or whose audit is not clean."
TYPE_NAMES = "Names of error types in level-5, level-max and error_label_json: ours, or those of the original design, such as incorrect_operation."
FORMAT_LIST = "jsonl: prompt and completion as text, always written; chat: messages; datasets: a DatasetDict on disk; stepwise: steps with labels for TRL's PRMTrainer, always written of --solutions; error_label_json: flawed solutions with error_type, line_number and correction."
BALANCE = f"Classes of solutions, or as-is; by default {_shares_text(SOLUTION_SHARES)}, and --solutions as-is."
SOLUTIONS = "Solutions of models, whose labels the oracles of their problems give."


@dataclass(frozen=True, slots=True)
class DatasetOptions:
    """The options of `oracle-factory datasets`."""

    out: Annotated[Path, typer.Option(metavar="DIR", help="Where to write.")]
    run: Annotated[Paths, typer.Option(metavar="RUN", help="A run folder; repeatable.")] = field(default_factory=list)
    stages: Annotated[str, typer.Option(metavar="STAGE,…", help=f"Of {', '.join(SAMPLES)}; by default all.")] = ""
    run_licence: Annotated[
        str, typer.Option(metavar="NAME", help="Licence of the texts of the runs' corpus; GSM8K and mini are MIT.")
    ] = "MIT"
    external: Annotated[
        Paths, typer.Option(metavar="FILE", help="A labelled file of others, in any layout; repeatable.")
    ] = field(default_factory=list)
    licence: Annotated[
        list[str], typer.Option(metavar="NAME", help="The licence of each --external, in the same order.")
    ] = field(default_factory=list)
    solutions: Annotated[Paths, typer.Option(metavar="FILE", help=SOLUTIONS)] = field(default_factory=list)
    solutions_licence: Annotated[str, typer.Option(metavar="NAME", help="The licence of --solutions.")] = "not stated"
    oracles: Annotated[Path | None, typer.Option(metavar="RUN", help=ORACLES)] = None
    corpus: Annotated[list[str], typer.Option(help=CORPUS)] = field(default_factory=list)
    exclude: Annotated[Paths, typer.Option(help=EXCLUDE)] = field(default_factory=list)
    evaluation: Annotated[Paths, typer.Option(help="A file whose problems no set may hold; repeatable.")] = field(
        default_factory=list
    )
    question_field: QuestionField = ""
    solution_field: SolutionField = ""
    seed: Seed = 0
    most_per_problem: Annotated[int, typer.Option(min=1, help="Most samples of a problem and operator.")] = 2
    balance: Annotated[str, typer.Option(metavar="CLASS=SHARE,…", help=BALANCE)] = ""
    problem_balance: Annotated[str, typer.Option(metavar="CLASS=SHARE,…", help="Classes of problems, or as-is.")] = (
        _shares_text(PROBLEM_SHARES)
    )
    include_unreviewed: Annotated[bool, typer.Option("--include-unreviewed", help=UNREVIEWED)] = False
    min_confidence: Annotated[
        float, typer.Option(min=0.0, help="Least confidence of the oracle of a run's record.")
    ] = 0
    min_clique: Annotated[int, typer.Option(min=1, help="Least number of formalizations that agree on it.")] = 1
    min_p_right: Annotated[float, typer.Option(min=0.0, max=1.0, help="Least probability that it is right.")] = 0
    weight_by_confidence: Annotated[
        bool, typer.Option("--weight-by-confidence", help="Weigh samples of runs by their confidence in training.")
    ] = False
    splits: Annotated[str, typer.Option(metavar="A,B,C", help=f"Shares of {', '.join(SPLITS)}.")] = "0.9,0.05,0.05"
    levels: Annotated[str, typer.Option(metavar="LEVEL,…", help="Levels to write; none gives the samples alone.")] = (
        ",".join(Level)
    )
    labels: Annotated[
        LabelForm, typer.Option(help="How levels 1 to 4 are answered: by words, or numbers (0 correct, 1 flawed, …).")
    ] = LabelForm.WORDS
    type_names: Annotated[TypeNames, typer.Option(help=TYPE_NAMES)] = TypeNames.OWN
    formats: Annotated[str, typer.Option(metavar="FORMAT,…", help=FORMAT_LIST)] = "jsonl"
    push_to_hub: Annotated[
        str, typer.Option(metavar="USER/NAME", help="Upload as a private dataset; needs HF_TOKEN or a login.")
    ] = ""

    def plan(self) -> DatasetPlan:
        """Return the plan of the selection; raises `HarnessError` where an option cannot be used."""
        if not math.isfinite(self.min_confidence):
            raise HarnessError(f"--min-confidence: expected a number such as 0.5, found {self.min_confidence}")
        classes = [*SOLUTION_SHARES, UNKNOWN_ERROR]
        thresholds = ConfidenceThresholds(self.min_confidence, self.min_clique, self.min_p_right)
        return DatasetPlan(
            seed=self.seed,
            most=self.most_per_problem,
            solutions=_balance("--balance", self.balance or _shares_text(SOLUTION_SHARES), classes),
            problems=_balance("--problem-balance", self.problem_balance, [*PROBLEM_SHARES]),
            splits=_splits(self.splits),
            include_unreviewed=self.include_unreviewed,
            balance_diagnosed=bool(self.balance),
            confidence=ConfidencePlan(thresholds, weighted=self.weight_by_confidence),
        )

    def protected(self, corpora: Sequence[list[Problem]], questions: Mapping[str, str]) -> Protected:
        """Return the problems that no set may hold, by the file of `--exclude` or `--evaluation` that names them.

        Raises:
            HarnessError: a file cannot be read, or there is no corpus for `--exclude`.
        """
        protected: Protected = {}
        for path in self.exclude:
            if not corpora:
                message = f"--exclude {path}: name the corpus whose problems it lists by --corpus, such as --corpus gsm8k/train.jsonl; its questions are compared too"
                raise HarnessError(message)
            excluded = read_exclusion(path, corpora[0], option="--exclude").problems.items()
            protected[path.name] = [ProtectedProblem(name, problem.question) for name, problem in excluded]
        for path in self.evaluation:
            problems = read_evaluation(path, questions, FieldNames(self.question_field))
            protected[path.name] = list(dict.fromkeys(problems))
        return protected


def make_datasets(options: DatasetOptions) -> int:
    """Make training sets from sealed stages, labelled files and solutions of models.

    Solutions of models (--solutions) get the label of their diagnosis by the oracle of their problem, as verify gives it, with its
    certificate; recheck makes the labels again.

    Example: oracle-factory datasets --run runs/latest --formats jsonl,chat --out runs/datasets

    Returns:
        0; 2 if an option or a file cannot be used, or no sample is left.
    """
    from sft.datasets.card import card_of
    from sft.datasets.diagnosis_samples import SolutionSource
    from sft.diagnosis.oracle_sources import OracleSource

    if len(options.external) != len(options.licence):
        found = f"found {len(options.licence)} for {len(options.external)}"
        raise HarnessError(f"--licence: expected one for each --external, {found}")
    if not options.run and not options.external and not options.solutions:
        raise HarnessError("name what to read by --run RUN, --external FILE --licence NAME or --solutions FILE")
    if options.oracles and not options.solutions:
        raise HarnessError("--oracles goes with --solutions alone")
    stages = names_of("--stages", options.stages, SAMPLES)
    levels = [] if options.levels in {"", "none"} else names_of("--levels", options.levels, [*Level])
    formats = [*names_of("--formats", options.formats, FORMATS), *([STEPWISE] if options.solutions else [])]
    plan = options.plan()
    token = require_token() if options.push_to_hub else ""
    fields = FieldNames(options.question_field, options.solution_field)
    corpora = [load_corpus(name, fields) for name in options.corpus]
    questions = {problem.problem_id: problem.question for corpus in corpora for problem in corpus}
    protected = options.protected(corpora, questions)
    fence = Fence(problem for problems in protected.values() for problem in problems)
    oracles = OracleSource() if options.oracles is None else OracleSource.of_run(options.oracles)
    licence = options.solutions_licence
    sources: list[RunSource | ExternalSource | SolutionSource] = [
        *(RunSource.of(folder, stages, options.run_licence, plan.confidence) for folder in options.run),
        *(ExternalSource(*named, questions, fields) for named in zip(options.external, options.licence, strict=True)),
        *(SolutionSource(path, licence, oracles, fields, plan.confidence) for path in options.solutions),
    ]
    folder = DatasetFolder(options.out, options.labels, options.type_names)
    folder.require_own()
    chosen = choose(sources, fence, plan)
    for file in (source for source in sources if not isinstance(source, RunSource)):
        sys.stderr.write(f"{file.path}: {file.taken}\n")
    folder.clear()
    folder.write(chosen, fence, plan, levels=[Level(name) for name in levels], formats=formats)
    hashes = {name: sha256 for source in sources for name, sha256 in source.hashes().items()}
    refused: Counter[str] = Counter()
    for (_, why), count in sorted(chosen.refused.items()):
        refused[why] += count
    about = {
        "seed": plan.seed,
        "sources": hashes,
        "levels": levels,
        "labels": str(options.labels),
        **({} if options.type_names is TypeNames.OWN else {"type_names": str(options.type_names)}),
        "protected": protected_digests([*options.exclude, *options.evaluation]),
        "licence": options.run_licence,
        "code": dataset_code(),
        "samples": chosen.count,
        "left": dict(sorted((+chosen.left).items())),
        "refused": dict(sorted(refused.items())),
    }
    counts = {name: len(problems) for name, problems in protected.items()}
    folder.seal(card_of(folder, plan, chosen, hashes, counts), about)
    written = f"{chosen.count:,} samples, {len(folder.files):,} files"
    sys.stdout.write(f"{options.out}: {written}; see {options.out / 'README.md'}\n")
    if token:
        push(options.out, options.push_to_hub, token)
    return 0


datasets = from_fields(make_datasets)


def dataset_code() -> str:
    """Return the fingerprint of the code that makes datasets: those of other code are not taken for finished."""
    return code_fingerprint(ROOT, ("harness", "oracles", "sft"))


def protected_digests(paths: Sequence[Path]) -> dict[str, str]:
    """Return the SHA-256 of each file that names problems which no set may hold, by its name."""
    return {path.name: sha256_of(path) for path in paths}


def _balance(option: str, text: str, known: Sequence[str]) -> dict[str, float] | None:
    """Return the shares of classes, `None` for as-is; raises `HarnessError` where a class is unknown, or a share is not a number of zero or more."""
    if text == "as-is":
        return None
    try:
        shares = {name.strip(): float(share) for name, _, share in (item.partition("=") for item in text.split(","))}
    except ValueError:
        shares = {}
    if not shares or not set(known) >= shares.keys() or not all(0 <= share < 1e6 for share in shares.values()):
        message = f"{option}: expected classes among {', '.join(known)} with shares of zero or more, such as {known[0]}=2,{known[1]}=1, or as-is; found {text!r}"
        raise HarnessError(message)
    return shares


def _splits(text: str) -> tuple[float, float, float]:
    try:
        train, validation, test = (float(share) for share in text.split(","))
    except ValueError:
        train = validation = test = -1.0
    total = train + validation + test
    if min(train, validation, test) < 0 or not 0 < total < 1e6:
        message = f"--splits: expected three shares for {', '.join(SPLITS)}, such as 0.9,0.05,0.05; found {text!r}"
        raise HarnessError(message)
    return train / total, validation / total, test / total
