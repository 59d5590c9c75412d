"""Writing selected samples as dataset files with a manifest, and their upload; every sample is checked against the protected problems."""

import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.command_line.runnable_commands import optional_packages, runnable
from harness.errors import HarnessError
from harness.solution.labels import TypeNames
from harness.store.run_folder import dump, sha256_of, write_atomically, write_lines
from sft.datasets.leakage import SPLITS, Fence
from sft.datasets.levels import LabelForm, Level, LevelForm
from sft.datasets.rows import (
    OF_PROBLEM,
    OF_SOLUTION,
    ORIGIN,
    Row,
    error_label_row,
    rendered_sample,
    row_of,
    row_of_problem,
    stepwise_row,
)
from sft.datasets.selection import DatasetPlan, SelectedSamples
from sft.datasets.sources import Material

SOLUTIONS, PROBLEMS = "samples", "problems"
MANIFEST, CARD = "manifest.json", "README.md"
FORMATS = ("jsonl", "chat", "datasets", "stepwise", "error_label_json")
STEPWISE, ERROR_LABELS = "stepwise", "error_label_json"
_OWN = re.compile(
    rf"{re.escape(MANIFEST)}|{re.escape(CARD)}|(?:(?:{SOLUTIONS}|{PROBLEMS})-|level-(?:{'|'.join(Level)})/|{STEPWISE}/|{ERROR_LABELS}/)(?:{'|'.join(SPLITS)})\.jsonl"
    r"|(?:chat|datasets)/.*|(?:.*/)?\.[^/]*\.partial",
    re.DOTALL,
)
"""The names of the files of datasets; those that a killed call was writing are partial."""


@dataclass(slots=True)
class DatasetFolder:
    """A folder of datasets: the manifest, with the hash of every file, is written last; labels and types of errors have its forms.

    `unfit` counts by level or format the solutions without a row.
    """

    path: Path
    labels: LabelForm = LabelForm.WORDS
    names: TypeNames = TypeNames.OWN
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    unfit: Counter[str] = field(default_factory=Counter)

    def require_own(self, *, finished: bool = True) -> None:
        """Refuse a folder with files that datasets did not write, and by default one without the manifest of a finished call.

        Raises:
            HarnessError: it holds such a file, or no manifest.
        """
        if finished and self.path.exists() and not (self.path.is_dir() and not any(self.path.iterdir())):
            try:
                json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))["files"]
            except (OSError, ValueError, KeyError, TypeError):
                message = f"--out {self.path}: holds files that are no part of datasets; name a new folder"
                raise HarnessError(message) from None
        for path in sorted(self.path.rglob("*")):
            own = _OWN.fullmatch(path.relative_to(self.path).as_posix())
            if not own and (path.is_symlink() or not path.is_dir()):
                message = f"{path}: is no part of the datasets; move it away, and the same command continues from there"
                raise HarnessError(message)

    def clear(self) -> None:
        """Remove what a finished or a killed call has written; a folder with other files is refused, and nothing is removed."""
        self.require_own(finished=False)
        shutil.rmtree(self.path, ignore_errors=True)

    def is_whole(self) -> bool:
        """Tell whether each file of the manifest is there, with its bytes."""
        manifest = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
        hashes = {self.path / name: entry["sha256"] for name, entry in manifest["files"].items()}
        return all(path.is_file() and sha256_of(path) == sha256 for path, sha256 in hashes.items())

    def lines(self, name: str, rows: Iterable[Row]) -> None:
        """Write rows as JSON lines; without rows, no file is written."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        entry = write_lines(path, (f"{dump(row)}\n" for row in rows))
        if entry["records"]:
            self.files[name] = entry
        else:
            path.unlink()

    def write(
        self,
        chosen: SelectedSamples,
        fence: Fence,
        plan: DatasetPlan,
        *,
        levels: Sequence[Level],
        formats: Sequence[str] = (),
    ) -> None:
        """Write samples, then each level in each format; raises `HarnessError` where a sample is of a protected problem."""
        for split in SPLITS:
            solutions, problems = chosen.solutions[split], chosen.problems[split]
            samples: list[Material] = [*solutions, *problems]
            for sample in samples:
                fence.require(sample.problem_id, sample.question)
            self.lines(f"{SOLUTIONS}-{split}.jsonl", (sample.record() for sample in solutions))
            self.lines(f"{PROBLEMS}-{split}.jsonl", (problem.record() for problem in problems))
            shown = [(sample, rendered_sample(sample, plan.form(sample))) for sample in solutions]
            if STEPWISE in formats:
                self.lines(f"{STEPWISE}/{split}.jsonl", self._fitting(STEPWISE, map(stepwise_row, solutions)))
            if ERROR_LABELS in formats:
                rows = (error_label_row(sample, self.names) for sample in solutions)
                self.lines(f"{ERROR_LABELS}/{split}.jsonl", self._fitting(ERROR_LABELS, rows))
            for level in levels:
                name, asked = f"level-{level}/{split}.jsonl", LevelForm(level, self.labels, self.names)
                if level is Level.VALIDATOR:
                    self.lines(name, map(row_of_problem, problems))
                else:
                    rows = (own if own is None else row_of(asked, sample, own) for sample, own in shown)
                    self.lines(name, self._fitting(level, rows))
                if "chat" in formats and name in self.files:
                    messages = _rows_as_messages(self.path / name)
                    talks = ({"messages": row.pop("prompt") + row.pop("completion"), **row} for row in messages)
                    self.lines(f"chat/{name}", talks)
        for level in levels if "datasets" in formats else ():
            self._save(level)

    def _fitting(self, name: str, rows: Iterable[Row | None]) -> Iterator[Row]:
        """Yield the rows of a file, and count the samples that give none."""
        for row in rows:
            if row is None:
                self.unfit[name] += 1
            else:
                yield row

    def _save(self, level: Level) -> None:
        """Save a level as a `DatasetDict`, prompt and completion as messages, with the same bytes for the same rows."""
        with optional_packages("--formats datasets"):
            import datasets  # an extra: importing it costs seconds
        datasets.disable_progress_bars()
        parts = {}
        target = self.path / "datasets" / f"level-{level}"
        shutil.rmtree(target, ignore_errors=True)
        with tempfile.TemporaryDirectory() as cache:
            for split in SPLITS:
                name = f"level-{level}/{split}.jsonl"
                if name in self.files:
                    parts[split] = datasets.Dataset.from_generator(
                        _rows_as_messages,
                        features=_features(level),
                        gen_kwargs={"path": self.path / name},
                        cache_dir=cache,
                        fingerprint=self.files[name]["sha256"][:16],
                    )
            if parts:
                datasets.DatasetDict(parts).save_to_disk(str(target))
        for path in sorted(target.rglob("*")):
            if path.is_file():
                self.files[str(path.relative_to(self.path))] = {"sha256": sha256_of(path)}

    def seal(self, card: str, about: dict[str, Any]) -> None:
        """Write the card, then the manifest."""
        write_atomically(self.path / CARD, card)
        self.files[CARD] = {"sha256": sha256_of(self.path / CARD)}
        whole = {**about, "files": dict(sorted(self.files.items()))}
        write_atomically(self.path / MANIFEST, json.dumps(whole, indent=1, ensure_ascii=False) + "\n")


def _rows_as_messages(path: Path) -> Iterator[Row]:
    """Yield the rows of a file, prompt and completion as messages, which TRL reads for a loss on the completion alone."""
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            for name, role in (("prompt", "user"), ("completion", "assistant")):
                row[name] = [{"role": role, "content": row[name]}]
            yield row


def _features(level: Level) -> Any:
    """Return the types of a level's columns; inferred types would differ if the first rows have no tier."""
    from datasets import Features, List, Value

    talk = List({"role": Value("string"), "content": Value("string")})
    columns = {**ORIGIN, **(OF_PROBLEM if level is Level.VALIDATOR else OF_SOLUTION)}
    return Features({"prompt": talk, "completion": talk, **{name: Value(kind) for name, kind in columns.items()}})


def require_token() -> str:
    """Return the token that `HF_TOKEN` or `hf auth login` gives; raises `HarnessError` where there is no token, or huggingface_hub is not installed."""
    with optional_packages("--push-to-hub"):
        import huggingface_hub  # comes with the extra that brings datasets
    token: str | None = huggingface_hub.get_token()
    if not token:
        message = f"--push-to-hub: needs a token with write access; set HF_TOKEN or run: {runnable('hf auth login')}"
        raise HarnessError(message)
    return token


def push(folder: Path, repository: str, token: str) -> None:
    """Upload the files of a folder as a private dataset repository, which is created if it does not exist.

    Raises `HarnessError` where the hub refuses the upload, or cannot be reached.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    api = HfApi(token=token)
    try:
        api.create_repo(repository, repo_type="dataset", private=True, exist_ok=True)
        api.upload_folder(
            repo_id=repository, repo_type="dataset", folder_path=folder, commit_message="Datasets of oracle-factory"
        )
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        message = f"--push-to-hub {repository}: {type(error).__name__}: {str(error)[:300]}; the files are in {folder}"
        raise HarnessError(message) from None
