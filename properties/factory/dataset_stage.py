"""The datasets of a run, which `oracle-factory run` makes of its sealed stages."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from harness.command_line.option_types import names_of
from harness.corpora.field_roles import FieldNames
from harness.corpora.problems import load_corpus
from harness.errors import HarnessError
from harness.store.run_folder import RunFolder
from properties.factory.options import FactoryOptions
from sft.datasets.command import DatasetOptions, dataset_code, make_datasets, protected_digests
from sft.datasets.leakage import read_evaluation
from sft.datasets.levels import Level
from sft.datasets.output import MANIFEST, DatasetFolder
from sft.datasets.sources import RunSource

DATASETS = "datasets"
NO_LEVELS = {"", "none"}


@dataclass(frozen=True, slots=True)
class DatasetStage:
    """The datasets of one run: their options, and the folder that the manifest in it seals."""

    options: DatasetOptions

    @classmethod
    def of(cls, options: FactoryOptions) -> Self:
        """Return the stage of a run.

        Raises:
            HarnessError: a level is unknown, or a file of --evaluation cannot be read.
        """
        levels = options.levels if options.levels is not None else ",".join(Level)
        if levels not in NO_LEVELS:
            names_of("--levels", levels, [*Level])
        fields = FieldNames(options.question_field, options.solution_field, options.answer_field)
        questions = {problem.problem_id: problem.question for problem in load_corpus(options.corpus, fields)}
        for path in options.evaluation or []:
            for _ in read_evaluation(path, questions, FieldNames(options.question_field)):
                pass
        return cls(
            DatasetOptions(
                out=options.out / DATASETS,
                run=[options.out],
                run_licence=options.licence,
                corpus=[options.corpus],
                exclude=[] if options.exclude is None else [options.exclude],
                evaluation=options.evaluation or [],
                seed=options.seed,
                question_field=options.question_field,
                solution_field=options.solution_field,
                levels=levels,
            )
        )

    def manifest(self) -> Mapping[str, Any] | None:
        """Return the manifest, `None` if the datasets are unfinished."""
        try:
            manifest = json.loads((self.options.out / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return manifest if isinstance(manifest, dict) else None

    def is_sealed(self, run: RunFolder) -> bool:
        """Tell whether the datasets are finished and were made from the run's sealed stages with these options."""
        manifest, options = self.manifest(), self.options
        if manifest is None:
            return False
        wanted = {
            "seed": options.seed,
            "sources": RunSource.of(run.folder, (), options.run_licence).hashes(),
            "levels": [] if options.levels in NO_LEVELS else [name.strip() for name in options.levels.split(",")],
            "protected": protected_digests([*options.exclude, *options.evaluation]),
            "licence": options.run_licence,
            "code": dataset_code(),
        }
        return {name: manifest.get(name) for name in wanted} == wanted and DatasetFolder(options.out).is_whole()

    def make(self) -> str | None:
        """Make the datasets; return why there are none, `None` where there are.

        Files of an earlier run are removed first.

        Raises:
            HarnessError: the folder holds other files.
        """
        DatasetFolder(self.options.out).clear()
        try:
            make_datasets(self.options)
        except HarnessError as error:
            return str(error)
        return None
