"""Files of JSON lines that tests write and read."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def write_lines(path: Path, records: Iterable[object]) -> Path:
    """Write records as JSON lines, a text as it is, and return the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (record if isinstance(record, str) else json.dumps(record) for record in records)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def read_lines(source: Path | str) -> list[Any]:
    """Return the records of a file, or of a text such as what a command printed."""
    text = source if isinstance(source, str) else source.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.removesuffix("\n").split("\n")] if text else []
