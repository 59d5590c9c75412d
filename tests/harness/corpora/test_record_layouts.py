"""One file of records in each layout gives the same records, or is refused by name."""

import gzip
import json
from pathlib import Path

import pytest

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from tests.cases import cases

RECORDS = [{"question": "12-5?", "answer": "7"}, {"question": 'a,\n"b"?', "answer": "8"}]
CELLS = 'question,answer\n12-5?,7\n"a,\n""b""?",8\n'
LAYOUTS = {
    "lines.jsonl": "".join(json.dumps(record) + "\n" for record in RECORDS),
    "array.json": json.dumps(RECORDS),
    "indented.json": json.dumps(RECORDS, indent=2),
    "array.jsonl": "[\n" + ",\n".join(map(json.dumps, RECORDS)) + "\n]\n",
    "glued.jsonl": "[" + ",\n".join(map(json.dumps, RECORDS)) + "]\n",
    "columns.json": json.dumps({name: [record[name] for record in RECORDS] for name in RECORDS[0]}),
    "wrapped.json": json.dumps({"data": RECORDS}, indent=1),
    "table.csv": CELLS,
    "spaced.csv": CELLS.replace("question,", "question , "),
    "table.tsv": 'question\tanswer\n12-5?\t7\n"a,\n""b""?"\t8\n',
}


@cases("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@cases("packed", [False, True])
@cases("name", LAYOUTS)
def test_every_layout_gives_the_same_records(tmp_path: Path, name: str, packed: bool, encoding: str) -> None:
    """A layout, an encoding and a packing change no record."""
    data = LAYOUTS[name].encode(encoding)
    path = tmp_path / (name + ".gz" * packed)
    path.write_bytes(gzip.compress(data) if packed else data)
    assert [record for _, record in read_records(path)] == RECORDS


@pytest.mark.parametrize("text", ['[{"a": 1},\n{"a": 2}\n', '{\n"a": [1, 2],\n"b": [1]}'])
def test_what_is_not_whole_is_refused(tmp_path: Path, text: str) -> None:
    """A document that breaks off gives no record, and says how to convert it."""
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(HarnessError, match="convert it to JSON lines"):
        list(read_records(path))
