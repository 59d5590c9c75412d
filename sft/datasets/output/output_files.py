"""Writing selected samples as dataset files with a manifest, and their upload; every sample is checked against the protected problems."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import json_form, read_record
from harness.store.run_folder import dump, write_atomically, write_lines
from sft.datasets.leakage.splits import SPLITS
from sft.datasets.level_labels import LabelForm, Level
from sft.datasets.level_rows import RenderedSample, Row, conversation, messages, rendered_sample, row_of, row_of_problem
from sft.datasets.sampling import ticket_of
from sft.samples.items import Sample
from sft.samples.problem_sample import ProblemSample

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from sft.datasets.leakage.decontamination import Fence
    from sft.datasets.sampling import SampleEntry
    from sft.datasets.selection import DatasetPlan
    from sft.datasets.sources import Material

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
class SampleSpool:
    """Samples on disk, read in a random order without being held in memory.

    The fence checks each sample when it is written and again when it is read.
    """

    fence: Fence
    _file: BinaryIO = field(default_factory=lambda: tempfile.TemporaryFile("w+b"))  # noqa: SIM115  # closed by __exit__
    _places: dict[tuple[str, str], list[tuple[float, int, int]]] = field(default_factory=dict)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def fill(self, drawn: Iterable[tuple[str, SampleEntry, Material]], plan: DatasetPlan) -> None:
        """Store samples with their splits, solutions also in their forms.

        Raises:
            HarnessError: a sample is of a protected problem.
        """
        for split, entry, sample in drawn:
            self.fence.require(sample.problem_id, sample.question)
            what = PROBLEMS if isinstance(sample, ProblemSample) else SOLUTIONS
            order = ticket_of(0, f"order:{sample.sample_id}")
            self._places.setdefault((what, split), []).append((order, entry.number, self._file.tell()))
            shown = None if isinstance(sample, ProblemSample) else rendered_sample(sample, plan.form(sample))
            record = {
                "sample": json_form(sample) if isinstance(sample, ProblemSample) else sample.record(),
                "shown": None if shown is None else asdict(shown),
            }
            self._file.write((dump(record) + "\n").encode("utf-8", "backslashreplace"))

    def _records(self, what: str, split: str) -> Iterator[dict[str, Any]]:
        for *_, place in sorted(self._places.get((what, split), ())):
            self._file.seek(place)
            yield json.loads(self._file.readline())

    def solutions(self, split: str) -> Iterator[tuple[Sample, RenderedSample | None]]:
        """Yield the solutions of a split with their rendered form, `None` if no form fits.

        Raises:
            HarnessError: a sample is of a protected problem.
        """
        for record in self._records(SOLUTIONS, split):
            sample = Sample.of_record(record["sample"])
            self.fence.require(sample.problem_id, sample.question)
            yield sample, None if record["shown"] is None else RenderedSample(**record["shown"])

    def problems(self, split: str) -> Iterator[ProblemSample]:
        """Yield the problems of a split; errors as in `solutions`."""
        for record in self._records(PROBLEMS, split):
            sample = read_record(ProblemSample, record["sample"])
            self.fence.require(sample.problem_id, sample.question)
            yield sample

    def rows(self, level: Level, split: str, unfit: Counter[str], labels: LabelForm) -> Iterator[Row]:
        """Yield the rows of a level, its labels as words or numbers; `unfit` counts the solutions without a row, by level. Errors as in `solutions`."""
        if level is Level.VALIDATOR:
            yield from map(row_of_problem, self.problems(split))
            return
        for sample, shown in self.solutions(split):
            row = None if shown is None else row_of(level, sample, shown, labels=labels)
            if row is None:
                unfit[level] += 1
            else:
                yield row


@dataclass(slots=True)
class DatasetFolder:
    """A folder of datasets: the manifest, with the hash of every file, is written last."""

    path: Path
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    unfit: Counter[str] = field(default_factory=Counter)

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
        present = [path for path in sorted(self.path.rglob("*")) if not path.is_dir() or path.is_symlink()]
        for path in present:
            name = path.relative_to(self.path)
            if not (_is_partial(path) or str(name) in _OWN or name.parts[0] in {"chat", "datasets"}):
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
        spool: SampleSpool,
        levels: Sequence[Level],
        formats: Sequence[str],
        labels: LabelForm = LabelForm.WORDS,
    ) -> None:
        """Write samples, then each level in each format.

        Raises:
            HarnessError: a sample is of a protected problem.
        """
        for split in SPLITS:
            self.lines(f"{SOLUTIONS}-{split}.jsonl", (sample.record() for sample, _ in spool.solutions(split)))
            self.lines(f"{PROBLEMS}-{split}.jsonl", map(json_form, spool.problems(split)))
        for level in levels:
            for split in SPLITS:
                name = f"level-{level}/{split}.jsonl"
                self.lines(name, spool.rows(level, split, self.unfit, labels))
                if "chat" in formats and name in self.files:
                    self.lines(f"chat/{name}", map(messages, self.rows(name)))
            if "datasets" in formats:
                self._save(level)

    def rows(self, name: str) -> Iterator[Row]:
        """Yield the rows of a written file."""
        with (self.path / name).open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)

    def _save(self, level: Level) -> None:
        """Save a level as a `DatasetDict`, prompt and completion as messages, with the same bytes for the same rows."""
        try:
            import datasets  # an extra: importing it costs seconds
        except ImportError:
            message = f"--formats datasets: needs the datasets library; install it by: {runnable('make install-sft')}"
            raise HarnessError(message) from None
        datasets.disable_progress_bars()
        parts = {}
        with tempfile.TemporaryDirectory() as cache:
            for split in SPLITS:
                name = f"level-{level}/{split}.jsonl"
                if name in self.files:
                    parts[split] = datasets.Dataset.from_generator(
                        _conversations,
                        features=_features(level),
                        gen_kwargs={"path": str(self.path / name)},
                        cache_dir=cache,
                        fingerprint=self.files[name]["sha256"][:16],
                    )
            target = self.path / "datasets" / f"level-{level}"
            shutil.rmtree(target, ignore_errors=True)
            if parts:
                datasets.DatasetDict(parts).save_to_disk(str(target))
        for path in sorted(target.rglob("*")) if parts else ():
            if path.is_file():
                self.files[str(path.relative_to(self.path))] = _entry(path)

    def seal(self, card: str, said: dict[str, Any]) -> None:
        """Write the card, then the manifest."""
        write_atomically(self.path / CARD, card)
        self.files[CARD] = _entry(self.path / CARD)
        whole = {**said, "files": dict(sorted(self.files.items()))}
        write_atomically(self.path / MANIFEST, json.dumps(whole, indent=1, ensure_ascii=False) + "\n")


def _is_partial(path: Path) -> bool:
    """Tell whether a file is what `write_lines` had not finished when it was killed."""
    return path.name.startswith(".") and path.name.endswith(".partial")


def _features(level: Level) -> Any:
    """Return the types of a level's columns; inferred types would differ if the first rows have no tier."""
    from datasets import Features, List, Value

    text = Value("string")
    talk = List({"role": text, "content": text})
    names = ["sample_id", "problem_id", "source", "licence", "operator", "oracle"]
    numbers = {
        "tier": "int64",
        "clique_size": "int64",
        "confidence": "float64",
        "p_right": "float64",
        "weight": "float64",
    }
    types: dict[str, Any] = {**dict.fromkeys(names, text), **{name: Value(kind) for name, kind in numbers.items()}}
    if level is Level.VALIDATOR:
        problem_columns = {"question": text, "class_label": Value("int64"), "reason": text, "twin": text}
        return Features({"prompt": talk, "completion": talk, **types, **problem_columns})
    known = dict.fromkeys(["error_class", "error_type", "line", "position", "form"], text)
    return Features({"prompt": talk, "completion": talk, **types, "flawed": Value("bool"), **known})


def _conversations(path: str) -> Iterator[Row]:
    with Path(path).open(encoding="utf-8") as lines:
        for line in lines:
            yield conversation(json.loads(line))


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
