"""Writing selected samples as dataset files with a manifest, and their upload; every sample is checked against the protected problems."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.store.run_folder import dump, write_atomically, write_lines
from sft.datasets.leakage import SPLITS
from sft.datasets.levels import LabelForm, Level
from sft.datasets.rows import ORIGIN, rendered_sample, row_of, row_of_problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sft.datasets.leakage import Fence
    from sft.datasets.rows import RenderedSample, Row
    from sft.datasets.selection import DatasetPlan, SelectedSamples
    from sft.samples.items import Sample

SOLUTIONS, PROBLEMS = "samples", "problems"
MANIFEST, CARD = "manifest.json", "README.md"
FORMATS = ("jsonl", "chat", "datasets")
_OWN = frozenset(
    [
        *(MANIFEST, CARD),
        *(f"{kind}-{split}.jsonl" for kind in (SOLUTIONS, PROBLEMS) for split in SPLITS),
        *(f"level-{level}/{split}.jsonl" for level in Level for split in SPLITS),
    ]
)
"""The names of the files of datasets, but for those of other formats."""


@dataclass(slots=True)
class DatasetFolder:
    """A folder of datasets: the manifest, with the hash of every file, is written last.

    `unfit` counts by level the solutions without a row; `shown` are the solutions in their forms, `None` where no form fits.
    """

    path: Path
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    unfit: Counter[str] = field(default_factory=Counter)
    shown: list[tuple[Sample, RenderedSample | None]] = field(default_factory=list)

    def require_own(self) -> list[str]:
        """Return the names of the files that an earlier call wrote into the folder.

        Raises:
            HarnessError: the folder holds other files.
        """
        manifest = self.path / MANIFEST
        if not self.path.exists() or (self.path.is_dir() and not any(self.path.iterdir())):
            return []
        try:
            names = list(json.loads(manifest.read_text(encoding="utf-8"))["files"])
        except (OSError, ValueError, KeyError, TypeError):
            raise HarnessError(
                f"--out {self.path}: holds files that are no part of datasets; name a new folder"
            ) from None
        return [*names, MANIFEST]

    def clear(self) -> None:
        """Create the folder, and remove the files of an earlier call; errors as in `require_own`."""
        names = self.require_own()
        self.path.mkdir(parents=True, exist_ok=True)
        for name in reversed(names):
            path = (self.path / name).resolve()
            if path.is_relative_to(self.path.resolve()):
                path.unlink(missing_ok=True)

    def remove_unfinished(self) -> None:
        """Remove what a finished or a killed call has written, whatever its manifest says.

        Raises:
            HarnessError: the folder holds a file that is no part of datasets; nothing is removed.
        """
        for path in sorted(self.path.rglob("*")):
            name = path.relative_to(self.path)
            partial = path.name.startswith(".") and path.name.endswith(".partial")  # of a killed `write_lines`
            own = partial or str(name) in _OWN or name.parts[0] in {"chat", "datasets"}
            if not own and (path.is_symlink() or not path.is_dir()):
                raise HarnessError(
                    f"{path}: is no part of the datasets; move it away, and the same command continues from there"
                )
        shutil.rmtree(self.path, ignore_errors=True)

    def is_whole(self) -> bool:
        """Tell whether each file of the manifest is there, with its bytes."""
        manifest = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
        return all(
            (self.path / name).is_file() and _entry(self.path / name)["sha256"] == entry["sha256"]
            for name, entry in manifest["files"].items()
        )

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
        labels: LabelForm = LabelForm.WORDS,
    ) -> None:
        """Write samples, then each level in each format.

        Raises:
            HarnessError: a sample is of a protected problem.
        """
        for split in SPLITS:
            for sample in chosen.splits[split]:
                fence.require(sample.problem_id, sample.question)
            self.lines(f"{SOLUTIONS}-{split}.jsonl", (sample.record() for sample in chosen.solutions(split)))
            self.lines(f"{PROBLEMS}-{split}.jsonl", (problem.record() for problem in chosen.problems(split)))
            shown = [(sample, rendered_sample(sample, plan.form(sample))) for sample in chosen.solutions(split)]
            self.shown += shown
            for level in levels:
                name = f"level-{level}/{split}.jsonl"
                if level is Level.VALIDATOR:
                    self.lines(name, map(row_of_problem, chosen.problems(split)))
                else:
                    self.lines(name, self._rows(level, shown, labels))
                if "chat" in formats and name in self.files:
                    self.lines(f"chat/{name}", map(_conversation, self._written(name)))
        if "datasets" in formats:
            for level in levels:
                self._save(level)

    def _rows(
        self, level: Level, shown: Iterable[tuple[Sample, RenderedSample | None]], labels: LabelForm
    ) -> Iterator[Row]:
        for sample, rendered in shown:
            row = None if rendered is None else row_of(level, sample, rendered, labels=labels)
            if row is None:
                self.unfit[level] += 1
            else:
                yield row

    def _written(self, name: str) -> Iterator[Row]:
        with (self.path / name).open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)

    def _save(self, level: Level) -> None:
        """Save a level as a `DatasetDict`, prompt and completion as messages, with the same bytes for the same rows."""
        try:
            import datasets  # an extra: importing it costs seconds
        except ImportError:
            message = f"--formats datasets: needs the datasets library; install it by: {runnable('make install-sft')}"
            raise HarnessError(message) from None
        datasets.disable_progress_bars()
        parts = {}
        target = self.path / "datasets" / f"level-{level}"
        shutil.rmtree(target, ignore_errors=True)
        with tempfile.TemporaryDirectory() as cache:
            for split in SPLITS:
                name = f"level-{level}/{split}.jsonl"
                if name in self.files:
                    parts[split] = datasets.Dataset.from_generator(
                        _turned_rows,
                        features=_features(level),
                        gen_kwargs={"path": str(self.path / name)},
                        cache_dir=cache,
                        fingerprint=self.files[name]["sha256"][:16],
                    )
            if parts:
                datasets.DatasetDict(parts).save_to_disk(str(target))
        for path in sorted(target.rglob("*")):
            if path.is_file():
                self.files[str(path.relative_to(self.path))] = _entry(path)

    def seal(self, card: str, about: dict[str, Any]) -> None:
        """Write the card, then the manifest."""
        write_atomically(self.path / CARD, card)
        self.files[CARD] = _entry(self.path / CARD)
        whole = {**about, "files": dict(sorted(self.files.items()))}
        write_atomically(self.path / MANIFEST, json.dumps(whole, indent=1, ensure_ascii=False) + "\n")


def _turns(row: Row) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Return prompt and completion as messages, which TRL reads for a loss on the completion alone."""
    return (
        [{"role": "user", "content": row["prompt"]}],
        [{"role": "assistant", "content": row["completion"]}],
    )


def _conversation(row: Row) -> Row:
    prompt, completion = _turns(row)
    return {"messages": prompt + completion, **{key: row[key] for key in row if key not in {"prompt", "completion"}}}


def _turned_rows(path: str) -> Iterator[Row]:
    with Path(path).open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield {**row, **dict(zip(("prompt", "completion"), _turns(row), strict=True))}


def _features(level: Level) -> Any:
    """Return the types of a level's columns; inferred types would differ if the first rows have no tier."""
    from datasets import Features, List, Value

    own = dict.fromkeys(("error_class", "error_type", "line", "position", "form"), "string") | {"flawed": "bool"}
    if level is Level.VALIDATOR:
        own = dict.fromkeys(("question", "reason", "twin"), "string") | {"class_label": "int64"}
    talk = List({"role": Value("string"), "content": Value("string")})
    columns = {name: Value(kind) for name, kind in {**ORIGIN, **own}.items()}
    return Features({"prompt": talk, "completion": talk, **columns})


def _entry(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        return {"sha256": hashlib.file_digest(stream, "sha256").hexdigest()}


def require_token() -> str:
    """Return the token that `HF_TOKEN` or `hf auth login` gives.

    Raises:
        HarnessError: there is no token, or huggingface_hub is not installed.
    """
    try:
        import huggingface_hub  # comes with the extra that brings datasets
    except ImportError:
        raise HarnessError(
            f"--push-to-hub: needs huggingface_hub; install it by: {runnable('make install-sft')}"
        ) from None
    token: str | None = huggingface_hub.get_token()
    if not token:
        raise HarnessError(
            f"--push-to-hub: needs a token with write access; set HF_TOKEN or run: {runnable('hf auth login')}"
        )
    return token


def push(folder: Path, repository: str, token: str) -> None:
    """Upload the files of a folder as a private dataset repository, which is created if it does not exist.

    Raises:
        HarnessError: the hub refuses the upload, or cannot be reached.
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
