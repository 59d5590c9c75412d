"""The sealed records of a run as Parquet files, a table a file, with a type for each column."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.stages import STAGES
from harness.text.characters import replace_surrogates
from reports.views.artefacts import ReportError, SealedStage, open_stage

_BATCH = 5_000
_WHOLE = range(-(2**63), 2**63)
JSON_TEXT = {b"form": b"json"}
"""The metadata of a column whose cells are JSON texts: its values are objects, or of several types."""


def export_tables(run: Path, folder: Path) -> list[Path]:
    """Write each file of records of each sealed stage as `FOLDER/STAGE-NAME.parquet`, and return the paths.

    A column is whole numbers (64 bits), numbers, truth values, texts or lists of texts where all its values are; otherwise its cells
    are JSON texts, and its metadata say so. A field that a record lacks is null, and so is a lone surrogate's character replaced. A
    file without a record has no table.
    Raises a HarnessError if pyarrow is not installed, or the folder cannot be written; a ReportError if the run has no sealed stage, or a file was changed after its stage was sealed.
    """
    try:
        import pyarrow.parquet  # noqa: F401  # 0.2 s to import
    except ImportError:
        raise HarnessError(
            f"--export writes Parquet files by pyarrow, which is not installed; install it by: {runnable('make install-scale')}"
        ) from None
    stages = [stage.name for stage in STAGES if stage.artefacts and (run / stage.name).is_dir()]
    if not stages:
        open_stage(run)  # says what is missing
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = [
            path
            for name in stages
            for stage in [open_stage(run, name)]
            for file in sorted(stage.manifest["files"])
            if file.endswith(".jsonl")
            if (path := _write_table(stage, file, folder / f"{name}-{file.removesuffix('.jsonl')}.parquet"))
        ]
    except OSError as error:
        raise HarnessError(f"{folder}: expected a folder that can be written, found {error}") from None
    return written


def _write_table(stage: SealedStage, file: str, path: Path) -> Path | None:
    import pyarrow as pa
    from pyarrow import parquet

    columns = _columns(_forms(stage, file))
    if not columns:
        return None
    schema = pa.schema([_field(name, kinds) for name, kinds in columns.items()])
    forms = _forms(stage, file)
    part = path.with_suffix(".part")
    try:
        with parquet.ParquetWriter(part, schema) as writer:
            while batch := list(islice(forms, _BATCH)):
                rows = [{field.name: _cell(form.get(field.name), field) for field in schema} for form in batch]
                writer.write_table(pa.Table.from_pylist(rows, schema))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _forms(stage: SealedStage, file: str) -> Iterator[dict[str, Any]]:
    for form in stage.forms(file):
        if not isinstance(form, dict):
            raise ReportError(f"{stage.run / stage.name / file}: expected JSON objects, found {json.dumps(form)[:80]}")
        yield replace_surrogates(form)


def _columns(forms: Iterable[dict[str, Any]]) -> dict[str, set[str]]:
    """Return the kinds of the values of each column, in the order in which columns first occur."""
    columns: defaultdict[str, set[str]] = defaultdict(set)
    for form in forms:
        for name, value in form.items():
            columns[name].add(_kind(value))
    return columns


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return "texts" if all(isinstance(item, str) for item in value) else "json"
    if type(value) is int:
        return "int" if value in _WHOLE else "json"
    return {bool: "bool", float: "float", str: "text"}.get(type(value), "json")


def _field(name: str, kinds: set[str]) -> Any:
    import pyarrow as pa

    types = {
        "bool": pa.bool_(),
        "int": pa.int64(),
        "float": pa.float64(),
        "texts": pa.list_(pa.string()),
        "text": pa.string(),
    }
    found = kinds - {"null"} or {"text"}
    (kind,) = found if len(found) == 1 else ("json",)
    return pa.field(name, types[kind]) if kind in types else pa.field(name, pa.string(), metadata=JSON_TEXT)


def _cell(value: object, field: Any) -> object:
    if value is None or field.metadata != JSON_TEXT:
        return value
    return json.dumps(value, ensure_ascii=False)
