"""Laws of the Parquet files of a run: pandas and pyarrow read back what the stages sealed."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import HarnessError
from oracle_factory.command import main
from reports.parquet_tables import JSON_TEXT, export_tables
from reports.views.artefacts import TamperedError
from tests.cases import cases
from tests.reports.hostile import hostile_run
from tests.reports.stage_records import STAGE_RECORDS, seal_stage

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
ODD: list[dict[str, Any]] = [
    {"text": 'a,\n"b"', "whole": 2**63 - 1, "large": 2**63, "number": 0.1, "truth": True, "texts": ["x", ""], "mixed": 1},
    {"text": None, "whole": -(2**63), "large": 1, "number": -1e300, "truth": False, "texts": [], "mixed": "1", "late": {"a": [1]}},
    {"text": "", "whole": None, "large": None, "number": None, "truth": None, "texts": None, "mixed": None, "nothing": None}
]  # fmt: skip


def read_back(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file, with the JSON texts of its columns read."""
    table = parquet.read_table(path)
    as_json = {field.name for field in table.schema if field.metadata == JSON_TEXT}
    return [
        {name: json.loads(cell) if name in as_json and cell is not None else cell for name, cell in row.items()}
        for row in table.to_pylist()
    ]


def with_nulls(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return records of which each has all fields that one has."""
    names = dict.fromkeys(name for record in records for name in record)
    return [{name: record.get(name) for name in names} for record in records]


@cases("stage", sorted(STAGE_RECORDS))
def test_tables_are_the_sealed_records(tmp_path: Path, stage: str) -> None:
    """Each file with a record has a table, whose rows are the records, in their order, equal and of the same types."""
    run = seal_stage(tmp_path / "run", stage, STAGE_RECORDS[stage]())
    written = export_tables(run, tmp_path / "tables")
    files = {path.stem: path for path in (run / stage).glob("*.jsonl") if path.stat().st_size}
    assert {path.name for path in written} == {f"{stage}-{name}.parquet" for name in files}
    assert sorted((tmp_path / "tables").iterdir()) == sorted(written)
    for name, path in files.items():
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        table = tmp_path / "tables" / f"{stage}-{name}.parquet"
        assert json.dumps(read_back(table)) == json.dumps(with_nulls(records))
        assert len(pandas.read_parquet(table)) == len(records)


def test_values_keep_their_types(tmp_path: Path) -> None:
    """Largest whole numbers, numbers beyond 64 bits, empty lists, columns of several types, and fields that are missing."""
    run = seal_stage(tmp_path / "run", "label", {"flagged": ODD})
    (path,) = export_tables(run, tmp_path / "tables")
    assert json.dumps(read_back(path)) == json.dumps(with_nulls(ODD))
    types = {field.name: str(field.type) for field in parquet.read_schema(path)}
    assert types == {
        "text": "string", "whole": "int64", "large": "string", "number": "double", "truth": "bool",
        "texts": "list<element: string>", "mixed": "string", "late": "string", "nothing": "string"
    }  # fmt: skip


def test_hostile_texts_are_cells(tmp_path: Path) -> None:
    """A lone surrogate is replaced; every other character comes back."""
    run = hostile_run(tmp_path / "run", "formalization")
    rows = [row for path in export_tables(run, tmp_path / "tables") for row in read_back(path)]
    assert sum("\x1b[31m\x00\u202e\u2028\ufffd{{ script }}" in str(value) for row in rows for value in row.values()) > 5


def test_command_names_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints the path of each table; a changed stage, and a folder that is a file, are one message."""
    run = seal_stage(tmp_path / "run", "mutation", STAGE_RECORDS["mutation"]())
    assert main(["report", str(run), "--export", str(tmp_path / "tables")]) == 0
    printed = capsys.readouterr().out.split()
    assert printed
    assert all(Path(path).suffix == ".parquet" and Path(path).is_file() for path in printed)
    (tmp_path / "file").write_text("")
    with pytest.raises(HarnessError, match="expected a folder that can be written"):
        export_tables(run, tmp_path / "file")
    with (run / "mutation" / "conceptual.jsonl").open("a") as stream:
        stream.write("{}\n")
    with pytest.raises(TamperedError):
        export_tables(run, tmp_path / "tables")
