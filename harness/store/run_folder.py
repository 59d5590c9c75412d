"""The run folder with one folder for each stage, written in shards and sealed by a manifest, and its lock; `latest` names the newest run.

Processes write records to `runs/<run>/<stage>/shards/*.jsonl`, one write a record, so a killed process loses at most the record
in flight. `seal` merges the shards into sorted files and a manifest with their hashes. A stage without a sealed manifest is
unfinished, whatever the exit status was.
"""

import contextlib
import datetime as dt
import errno
import hashlib
import json
import os
import shlex
import shutil
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout

from harness.errors import HarnessError, StorageError, told_of_file
from harness.json_form import DIGEST_FIELD, Integer, MalformedRecordError, content_digest, read_record, with_digest
from harness.registry import plugin_files
from harness.text.characters import one_line

FORMAT = 2
"""The format of the records of a run. A run of another format is refused, because its records cannot be read or checked again."""


@dataclass(frozen=True, slots=True)
class SealedFile:
    """A file of a sealed stage."""

    sha256: str
    """The SHA-256 of its bytes, in hexadecimal digits."""
    records: Integer
    """The number of its records."""


@dataclass(frozen=True, slots=True)
class StageManifest:
    """The seal of a stage, with further fields on its inputs, options and counts."""

    stage: str
    """The stage."""
    sealed: Literal[True]
    """A stage without a manifest is unfinished."""
    format: Integer
    """The format of the records."""
    files: Mapping[str, SealedFile]
    """The files of the stage by name."""
    digest: str
    """The SHA-256 of the other fields, by which a later change is found."""


def checked_manifest(form: Any) -> dict[str, Any]:
    """Return a manifest as it was sealed.

    One that was changed, is of another release, or names a file outside the stage's folder is a `MalformedRecordError`.
    """
    if isinstance(form, dict) and form.get("sealed") is True and form.get("format") != FORMAT:
        raise MalformedRecordError(
            "format", f"the run is of another release; this one reads format {FORMAT}", repr(form.get("format"))[:80]
        )
    sealed = read_record(StageManifest, form)
    for name in sealed.files:
        if not name or name.startswith(".") or any(sign in name for sign in "/\\\0"):
            raise MalformedRecordError(
                "files", "expected the name of a file in the folder of the stage", repr(name)[:80]
            )
    if sealed.digest != content_digest(form):
        raise MalformedRecordError(
            DIGEST_FIELD, "the manifest was changed after the stage was sealed", repr(sealed.digest)[:80]
        )
    manifest: dict[str, Any] = form
    return manifest


Record = dict[str, Any]


def dump(record: Any) -> str:
    """Return the JSON text of a record, the same in every process."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def write_atomically(path: Path, text: str) -> None:
    """Replace a file atomically."""
    write_lines(path, [text])


def write_lines(path: Path, parts: Iterable[str]) -> Record:
    """Replace a file by concatenated parts, atomically; return its SHA-256 and the number of parts."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.partial")
    digest, count = hashlib.sha256(), 0
    try:
        with writing(path), temporary.open("wb") as stream:
            for part in parts:
                data = part.encode("utf-8", "backslashreplace")
                digest.update(data)
                stream.write(data)
                count += 1
            stream.flush()
            os.fsync(stream.fileno())
        with writing(path):
            temporary.replace(path)
    except StorageError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    return {"sha256": digest.hexdigest(), "records": count}


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def output_file(path: Path) -> Path:
    """Return the file that a command will write and make its folder, or raise a `HarnessError`, before any work."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_dir():
            return path
    except OSError as error:
        raise HarnessError(f"{path}: cannot be written: {told_of_file(error)}") from None
    raise HarnessError(f"{path}: is a folder; expected a file to write")


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise an error of the disk (full, read-only, access denied) as the `StorageError` of a path."""
    try:
        yield
    except StorageError:
        raise
    except OSError as error:
        if error.errno not in _OF_DISK:
            raise
        raise StorageError.of(path, error) from None


_OF_DISK = {errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EPERM, errno.EDQUOT, errno.EIO, errno.EFBIG}


@dataclass(slots=True)
class Shard:
    """The file to which one process appends records, one `write` each; a kill loses at most the last record."""

    path: Path
    _descriptor: int | None = field(default=None)

    def append(self, record: Record) -> None:
        """Write one record, or raise a `StorageError`; readers skip the part that was written."""
        self.write((dump(record) + "\n").encode("utf-8", "backslashreplace"))

    def write(self, lines: bytes) -> None:
        """Write whole lines, all at once; errors as in `append`."""
        with writing(self.path):
            if self._descriptor is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
                if os.fstat(self._descriptor).st_size:
                    # Process ids repeat, especially in containers: a killed process with this id may have left half a line.
                    lines = b"\n" + lines
            written = os.write(self._descriptor, lines)
            if written < len(lines):  # a nearly full disk takes a part first
                os.write(self._descriptor, lines[written:])

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def whole_records(path: Path) -> Iterator[Record]:
    """Yield the records that processes appended to a file; a line that is no complete record, as a kill leaves it, is skipped."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if line.endswith("\n"):
                yield record


@dataclass(slots=True)
class MemoryShard(Shard):
    """The records of one process in memory, for another process that writes them."""

    content: bytearray = field(default_factory=bytearray)

    def write(self, lines: bytes) -> None:
        """Add whole lines."""
        self.content += lines


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a run."""

    folder: Path

    @property
    def manifest_path(self) -> Path:
        """Return the path of the manifest, which exists once the stage is sealed."""
        return self.folder / "manifest.json"

    @property
    def sealed(self) -> bool:
        """Tell whether the stage is finished."""
        return self.manifest_path.is_file()

    @property
    def scratch(self) -> Path:
        """Return the folder for files that are needed only until the stage is sealed."""
        return self.folder / "scratch"

    def shard(self, name: str) -> Shard:
        """Return the shard of this process under a name."""
        return Shard(self.folder / "shards" / f"{name}-{os.getpid()}.jsonl")

    def shard_records(self) -> Iterator[Record]:
        """Yield the records of the shards, as `whole_records` does."""
        for path in sorted((self.folder / "shards").glob("*.jsonl")):
            yield from whole_records(path)

    def records(self, name: str) -> list[Record]:
        """Return the records of a sealed file, checked against the manifest; errors as in `stream`."""
        return [json.loads(line) for line in self.lines(name)]  # parsed after the whole file is known to be unchanged

    def lines(self, name: str) -> list[str]:
        """Return the lines of a sealed file, checked against the manifest; errors as in `stream`."""
        return list(self.stream(name))

    def stream(self, name: str) -> Iterator[str]:
        """Yield the lines of a sealed file.

        At its end a `HarnessError` says that it was changed later, before it that the stage is not sealed or lacks the file.
        """
        path, entry, digest = self.folder / name, self.manifest()["files"].get(name), hashlib.sha256()
        if entry is None:
            raise HarnessError(f"{path}: is not part of the sealed stage {self.folder.name!r}")
        if not path.is_file():
            raise HarnessError(f"{path}: the manifest names this file, but it is missing; {self._again}")
        with path.open("rb") as lines:
            for line in lines:
                digest.update(line)
                if line.strip():
                    yield line.decode("utf-8", "replace").rstrip("\n")
        if digest.hexdigest() != entry["sha256"]:
            raise HarnessError(f"{path}: was changed after the stage was sealed; {self._again}")

    def require_unchanged(self) -> None:
        """Check that each file of the sealed stage is there, with its bytes; errors as in `stream`."""
        for name in sorted(self.manifest()["files"]):
            deque(self.stream(name), maxlen=0)

    @property
    def _again(self) -> str:
        return f"remove {self.folder} and run the stage again"

    def manifest(self) -> Record:
        """Return the manifest, or raise a `HarnessError` if the stage is not sealed."""
        if not self.sealed:
            state = "unfinished" if self.folder.is_dir() else "missing"
            raise HarnessError(
                f"{self.folder}: the stage is {state}, not sealed; run it again with {run_option(self.folder.parent)} to finish it"
            )
        try:
            manifest: Record = json.loads(self.manifest_path.read_text(encoding="utf-8"))
            return checked_manifest(manifest)
        except (OSError, ValueError, RecursionError, MalformedRecordError) as error:
            raise HarnessError(
                f"{self.manifest_path}: is not a manifest of a sealed stage ({str(error)[:200]}); {self._again}"
            ) from None

    def counts(self) -> Record:
        """Return the counts of the manifest, or raise a `HarnessError` if it has none, such as that of an earlier version."""
        counts = self.manifest().get("counts")
        if not isinstance(counts, dict):
            raise HarnessError(f"{self.manifest_path}: has no counts; {self._again}")
        return counts

    def seal(self, files: dict[str, Iterable[Record | str]], manifest: Record | Callable[[], Record]) -> None:
        """Write the files, then the manifest with their hashes and record counts, then delete all other files.

        A record may be given as its `dump` line. A manifest that needs counts of the records may be a function, which is called
        after they are written.
        """
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        # Without its manifest, a stage that is sealed again counts as unfinished until all files are written.
        self.manifest_path.unlink(missing_ok=True)
        entries: dict[str, Record] = {}
        for name, records in files.items():
            lines = (f"{record if isinstance(record, str) else dump(record)}\n" for record in records)
            entries[name] = write_lines(self.folder / name, lines)
        details = manifest() if callable(manifest) else manifest
        sealed = {"stage": self.folder.name, "sealed": True, **details, "files": entries, "format": FORMAT}
        write_atomically(
            self.manifest_path, json.dumps(with_digest(sealed), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        )
        self.tidy()

    def tidy(self) -> None:
        """Delete the shards, the scratch folder and the partial files of killed processes."""
        for folder in (self.folder / "shards", self.scratch):
            for _ in range(10):  # a process that is about to end may still add a file
                shutil.rmtree(folder, ignore_errors=True)
                if not folder.exists():
                    break
        for path in self.folder.glob(".*.partial"):
            path.unlink(missing_ok=True)

    def discard(self) -> None:
        """Delete the folder of the stage."""
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A run folder with its stages."""

    folder: Path

    def stage(self, name: str) -> Stage:
        """Return the stage with a name, sealed or not."""
        return Stage(self.folder / name)

    @property
    def fingerprint_path(self) -> Path:
        """Return the path of the file with the fingerprint and description of the inputs."""
        return self.folder / "inputs.json"

    def fingerprint(self) -> str | None:
        """Return the fingerprint of the inputs, `None` where it cannot be read."""
        try:
            return str(json.loads(self.fingerprint_path.read_text(encoding="utf-8"))["fingerprint"])
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def claim(self, fingerprint: str, description: Record, *, option: str = "--harness-run") -> None:
        """Bind the folder, which `option` names, to its inputs, or raise a `HarnessError` if it holds results for others."""
        if self.fingerprint_path.is_file():
            if (recorded := self.fingerprint()) != fingerprint:
                raise HarnessError(
                    f"{option} {self.folder}: the folder holds a run on other inputs, options or code ({recorded}, not {fingerprint}); choose another name or remove it"
                )
            return
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(
            self.fingerprint_path,
            json.dumps({"fingerprint": fingerprint, **description}, indent=1, sort_keys=True) + "\n",
        )


def run_option(folder: Path) -> str:
    """Return the option that names a run's folder for pytest, quoted for a shell: by its name under `runs`, else by its path.

    It is one word: pytest takes a separate word that is an existing path for a place to look for tests.
    """
    name = folder.name if folder.absolute().parent == folder.cwd() / "runs" else str(folder.absolute())
    return shlex.quote(f"--harness-run={name}")


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
    """Return a hash of the modules, word lists and grammars of packages and plugins, by which results of other code are refused.

    A package that is no folder is a `FileNotFoundError`.
    """
    packages = list(packages)
    if absent := [package for package in packages if not (root / package).is_dir()]:
        raise FileNotFoundError(f"no folder of code: {', '.join(absent)} in {root}")
    files = sorted(path for package in packages for path in (root / package).rglob("*") if path.suffix in _CODE)
    named = {str(path.relative_to(root)): path for path in files} | plugin_files()
    return fingerprint(part for name, path in named.items() for part in (name, path.read_bytes()))


LATEST = "latest"


def with_stage(folder: Path, *stages: str) -> Path:
    """Return the run that a path stands for.

    `latest` is the run beside it that sealed one of the stages last, as far as any did; every other path is itself.
    """
    return _latest(folder, lambda run: (RunFolder(run).stage(stage).manifest_path for stage in stages))


def on_inputs(folder: Path, fingerprint: str) -> Path:
    """Return the run that a path stands for: `latest` is the run beside it that was begun last on the same inputs, if any was."""

    def claims(run: Path) -> Iterable[Path]:
        return [RunFolder(run).fingerprint_path] if RunFolder(run).fingerprint() == fingerprint else []

    return _latest(folder, claims)


def _latest(folder: Path, files: Callable[[Path], Iterable[Path]]) -> Path:
    """Return the run beside `latest` with the newest of these files, any other path and one without such a run itself."""
    if folder.name != LATEST or (folder.exists() and not folder.is_symlink()) or not folder.parent.is_dir():
        return folder
    runs = [run for run in folder.parent.iterdir() if run.is_dir() and not run.is_symlink()]
    times = [(path.stat().st_mtime_ns, run.name) for run in runs for path in files(run) if path.is_file()]
    return folder.with_name(max(times)[1]) if times else folder


def link_latest(folder: Path) -> None:
    """Point `latest` beside a run to it."""
    link = folder.parent / LATEST
    if link.is_symlink() or not link.exists():
        temporary = link.with_name(f".latest.{os.getpid()}")
        temporary.symlink_to(folder.name)
        temporary.replace(link)


LOCK = ".lock"
PATIENCE = 5.0
"""Seconds to wait for the processes of a killed run, which end by themselves."""


@contextlib.contextmanager
def held_lock(folder: Path, option: str) -> Iterator[None]:
    """Hold the lock of a folder, which `option` names; that of a process that died is free, of any other a `HarnessError` names the process."""
    path = folder / LOCK
    lock = FileLock(path)
    now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
    try:
        with writing(path):
            folder.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=PATIENCE)
            path.write_text(json.dumps({"process": os.getpid(), "host": socket.gethostname(), "since": now}))
    except Timeout:
        raise HarnessError(
            f"{option} {folder}: another run works in this folder{_owner(path)}; wait until it ends"
        ) from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        lock.release()


def _owner(path: Path) -> str:
    """Return the owner of a lock, if the file names it."""
    try:
        owner = json.loads(path.read_text("utf-8"))
        words = f": process {owner['process']} on {owner['host']}, since {owner['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return one_line(words, limit=200)
