"""The run folder with one folder for each stage, written in shards and sealed by a manifest.

Processes write records to `runs/<run>/<stage>/shards/*.jsonl`, one write a record, so a killed process loses at most the record
in flight. `seal` merges the shards into sorted files and a manifest with their hashes. A stage without a sealed manifest is
unfinished, whatever the exit status was.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.registry import plugin_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

Record = dict[str, Any]


def dump(record: Any) -> str:
    """Return the one JSON text of a record that every process writes."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def write_atomically(path: Path, text: str) -> None:
    """Replace a file whole or not at all."""
    write_lines(path, [text])


def write_lines(path: Path, parts: Iterable[str]) -> Record:
    """Replace a file by the parts one after the other, whole or not at all; return its hash and how many there were."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.partial")
    digest, count = hashlib.sha256(), 0
    with temporary.open("wb") as stream:
        for part in parts:
            data = part.encode("utf-8", "backslashreplace")
            digest.update(data)
            stream.write(data)
            count += 1
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)
    return {"sha256": digest.hexdigest(), "records": count}


@dataclass(slots=True)
class Shard:
    """The file one process appends its records to, one `write` a record: a kill loses at most the record in flight."""

    path: Path
    _descriptor: int | None = field(default=None)

    def append(self, record: Record) -> None:
        """Write one record."""
        if self._descriptor is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            if os.fstat(self._descriptor).st_size:
                # Process ids come again, in containers at once: what a killed namesake left may end amid a line.
                os.write(self._descriptor, b"\n")
        os.write(self._descriptor, (dump(record) + "\n").encode("utf-8", "backslashreplace"))

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a run: its folder, and what is in it."""

    folder: Path

    @property
    def manifest_path(self) -> Path:
        """Return where the manifest stands once the stage is sealed."""
        return self.folder / "manifest.json"

    @property
    def sealed(self) -> bool:
        """Tell whether the stage was finished."""
        return self.manifest_path.is_file()

    @property
    def scratch(self) -> Path:
        """Return where processes may keep what nobody needs once the stage is sealed."""
        return self.folder / "scratch"

    def shard(self, name: str) -> Shard:
        """Return the shard of a process; names are kept apart by process id."""
        return Shard(self.folder / "shards" / f"{name}-{os.getpid()}.jsonl")

    def shard_lines(self) -> Iterator[str]:
        """Yield the lines the shards hold; a last line cut off by a kill is passed over."""
        for path in sorted((self.folder / "shards").glob("*.jsonl")):
            with path.open(encoding="utf-8", errors="replace") as lines:
                yield from (line.rstrip("\n") for line in lines if line.endswith("\n"))

    def shard_records(self) -> Iterator[Record]:
        """Yield what the shards hold; a line that is no whole record is passed over."""
        for line in self.shard_lines():
            try:
                yield json.loads(line)
            except ValueError:
                continue

    def records(self, name: str) -> list[Record]:
        """Read a sealed file and check it against the manifest.

        Raises:
            HarnessError: the stage is not sealed, the file is not part of it, or it was changed since.
        """
        return [json.loads(line) for line in self.lines(name)]

    def lines(self, name: str) -> list[str]:
        """Read a sealed file's lines and check it against the manifest; errors as in `records`."""
        return [line for line in self.read(name).split("\n") if line]

    def stream(self, name: str) -> Iterator[str]:
        """Yield a sealed file's lines one by one; what was yielded is only to be trusted once all of it was.

        Raises:
            HarnessError: as in `records`; that the file was changed shows at its end.
        """
        entry = self.manifest()["files"].get(name)
        path = self.folder / name
        if entry is None or not path.is_file():
            message = f"{path}: is not part of the sealed stage {self.folder.name!r}"
            raise HarnessError(message)
        digest = hashlib.sha256()
        with path.open("rb") as lines:
            for line in lines:
                digest.update(line)
                if line.strip():
                    yield line.decode("utf-8", "replace").rstrip("\n")
        if digest.hexdigest() != entry["sha256"]:
            message = f"{path}: was changed after the stage was sealed; run the stage again"
            raise HarnessError(message)

    def read(self, name: str) -> str:
        """Read a sealed file's text and check it against the manifest; errors as in `records`."""
        entry = self.manifest()["files"].get(name)
        path = self.folder / name
        if entry is None or not path.is_file():
            message = f"{path}: is not part of the sealed stage {self.folder.name!r}"
            raise HarnessError(message)
        data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            message = f"{path}: was changed after the stage was sealed; run the stage again"
            raise HarnessError(message)
        return data.decode("utf-8")

    def manifest(self) -> Record:
        """Return the manifest.

        Raises:
            HarnessError: the stage is not sealed.
        """
        if not self.sealed:
            state = "unfinished" if self.folder.is_dir() else "missing"
            message = f"{self.folder}: the stage is {state}, not sealed; run it again with --harness-run {self.folder.parent.name} to finish it"
            raise HarnessError(message)
        try:
            manifest = json.loads(self.manifest_path.read_text(encoding="utf-8"))
        except ValueError:
            manifest = None
        if not (
            isinstance(manifest, dict) and manifest.get("sealed") is True and isinstance(manifest.get("files"), dict)
        ):
            message = f"{self.manifest_path}: is not a manifest of a sealed stage"
            raise HarnessError(message)
        return manifest

    def seal(self, files: dict[str, Iterable[Record | str]], manifest: Record | Callable[[], Record]) -> None:
        """Write the files, then the manifest with their hashes and record counts, then drop all else.

        Records may be given as the lines that `dump` made of them; a manifest that counts them, as a function that is
        called once they are written.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        # A stage that is sealed again is unfinished meanwhile: its manifest must never stand beside other files.
        self.manifest_path.unlink(missing_ok=True)
        entries: dict[str, Record] = {}
        for name, records in files.items():
            lines = (f"{record if isinstance(record, str) else dump(record)}\n" for record in records)
            entries[name] = write_lines(self.folder / name, lines)
        said = manifest() if callable(manifest) else manifest
        whole = {"stage": self.folder.name, "sealed": True, **said, "files": entries}
        write_atomically(self.manifest_path, json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
        self.tidy()

    def tidy(self) -> None:
        """Drop the shards, the scratch folder and what a killed process had not yet put in place."""
        for folder in (self.folder / "shards", self.scratch):
            for _ in range(10):  # a process that is about to end may still add a file
                shutil.rmtree(folder, ignore_errors=True)
                if not folder.exists():
                    break
        for path in self.folder.glob(".*.partial"):
            path.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove everything the stage holds."""
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A run folder; `stage` gives its stages."""

    folder: Path

    def stage(self, name: str) -> Stage:
        """Return the stage of that name, sealed or not."""
        return Stage(self.folder / name)

    @property
    def fingerprint_path(self) -> Path:
        """Return where the run notes what it was started on."""
        return self.folder / "inputs.json"

    def claim(self, fingerprint: str, description: Record) -> None:
        """Bind the folder to its inputs, or check that it already is.

        Raises:
            HarnessError: the folder holds results for other inputs.
        """
        if self.fingerprint_path.is_file():
            try:
                found = json.loads(self.fingerprint_path.read_text(encoding="utf-8")).get("fingerprint")
            except (ValueError, AttributeError):
                found = None
            if found != fingerprint:
                message = f"--harness-run {self.folder}: the folder holds a run on other inputs, options or code ({found}, not {fingerprint}); choose another name or remove it"
                raise HarnessError(message)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(
            self.fingerprint_path,
            json.dumps({"fingerprint": fingerprint, **description}, indent=1, sort_keys=True) + "\n",
        )


def fingerprint(parts: Iterable[str | bytes]) -> str:
    """Return a short hash of inputs, in order."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()[:16]


_CODE = frozenset({".py", ".toml", ".lark"})


def code_fingerprint(root: Path, packages: Iterable[str]) -> str:
    """Return a hash of the modules, word lists and grammars of packages and plugins: results of other code are never taken for ours.

    Raises:
        FileNotFoundError: a package is no folder below the root; a list of packages is stale.
    """
    packages = list(packages)
    if absent := [package for package in packages if not (root / package).is_dir()]:
        raise FileNotFoundError(f"no folder of code: {', '.join(absent)} in {root}")
    files = sorted(path for package in packages for path in (root / package).rglob("*") if path.suffix in _CODE)
    named = {str(path.relative_to(root)): path for path in files} | plugin_files()
    return fingerprint(part for name, path in named.items() for part in (name, path.read_bytes()))


def merge_lines(lines: Iterable[str], key: Callable[[Record], Any]) -> dict[Any, str]:
    """Return the lines by the key of their record; of a repeated key the first, of no record none.

    Lines are kept as text: parsed, 200,000 verdicts take half a gigabyte.
    """
    found: dict[Any, str] = {}
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        found.setdefault(key(record), line)
    return found
