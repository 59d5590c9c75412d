"""The card by which `datasets.load_dataset` reads the records of a run: its oracles, flaws, variants and reviewed flaws."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

import typer
from pydantic import TypeAdapter

from harness.errors import HarnessError
from harness.records.formalization import OracleRecord
from harness.records.mutation import FlawRecord
from harness.records.variant import VariantRecord
from harness.stages import MUTATION, REVIEW, VARIANT
from harness.store.run_folder import LATEST, RunFolder, write_atomically

CARD = "README.md"
_MADE = "Made by `oracle-factory card`"
_HUB_NAME = re.compile(r"[a-z0-9][a-z0-9.+-]*")
"""Names of licences on the hub; any other name is `other`."""
_SCALARS = {"string": "string", "integer": "int64", "number": "float64", "boolean": "bool"}
"""The types of columns by those of JSON schemas; any other value is a column of JSON."""


@dataclass(frozen=True, slots=True)
class CardConfig:
    """A configuration of `load_dataset`: files of a stage by split, and the class of their records, if they have one."""

    name: str
    stage: str
    files: Mapping[str, str]
    about: str
    record: type[Any] | None = None


CONFIGS = (
    CardConfig(
        "oracles", "oracles", {"train": "oracles.jsonl"}, "the program that stands for each problem", OracleRecord
    ),
    CardConfig(
        "flaws",
        MUTATION,
        {"computational": "computational.jsonl", "conceptual": "conceptual.jsonl"},
        "flawed solutions, each with its label and certificate",
        FlawRecord,
    ),
    CardConfig(
        "variants",
        VARIANT,
        {"train": "variants.jsonl"},
        "solvable (1), contradictory (0) and underspecified (2) problems",
        VariantRecord,
    ),
    CardConfig("reviewed", REVIEW, {"train": "accepted.jsonl"}, "flaws that reviewers accepted", FlawRecord),
    CardConfig(
        "examples", REVIEW, {"train": "examples.jsonl"}, "solutions that reviewers labelled; nothing proves them"
    ),
)


@dataclass(frozen=True, slots=True)
class _LoadedConfig:
    """A configuration of a run, with the number of records and the columns of its files."""

    config: CardConfig
    counts: Mapping[str, int]
    columns: Mapping[str, str]

    @classmethod
    def of(cls, run: RunFolder, config: CardConfig) -> Self:
        """Return what a run has of a configuration; without records, `counts` is empty."""
        stage = run.stage(config.stage)
        there = stage.manifest()["files"] if stage.sealed else {}
        counts = {split: int(there[file]["records"]) for split, file in config.files.items() if file in there}
        counts = {split: count for split, count in counts.items() if count}
        known = {} if config.record is None else _columns(config.record)
        lines = (line for split in counts for line in stage.stream(config.files[split]))
        names = dict.fromkeys(name for line in lines for name in json.loads(line))
        return cls(config, counts, {name: known.get(name, "json") for name in names})


def write_card(folder: Path, licence: str) -> Mapping[str, int]:
    """Write the card of a run; return the number of records of each configuration.

    Raises a HarnessError if the run has nothing to load, a sealed file was changed, or the folder has another README.md.
    """
    loaded = [own for config in CONFIGS if (own := _LoadedConfig.of(RunFolder(folder), config)).counts]
    if not loaded:
        names = ", ".join(dict.fromkeys(config.stage for config in CONFIGS))
        raise HarnessError(f"{folder}: expected a sealed stage with records, one of {names}, found none")
    path = folder / CARD
    if path.is_file() and _MADE not in path.read_text(encoding="utf-8", errors="replace"):
        raise HarnessError(f"{path}: expected no file, or a card of this command; move it away")
    write_atomically(path, _card(folder.resolve().name, loaded, licence))
    return {own.config.name: sum(own.counts.values()) for own in loaded}


def _columns(record: type[Any]) -> dict[str, str]:
    schema = TypeAdapter(record).json_schema(mode="serialization", by_alias=True)
    return {name: _kind(part, schema.get("$defs", {})) for name, part in schema["properties"].items()}


def _kind(part: Mapping[str, Any], nested: Mapping[str, Any]) -> str:
    if "$ref" in part:
        return _kind(nested[part["$ref"].rpartition("/")[2]], nested)
    options = [option for option in part.get("anyOf", [part]) if option.get("type") != "null"]
    if len(options) == 1 and options[0] is not part:
        return _kind(options[0], nested)
    return _SCALARS.get(str(part.get("type")), "json")


def _card(name: str, loaded: list[_LoadedConfig], licence: str) -> str:
    head, schema, rows = list[str](), list[str](), list[str]()
    for found in loaded:
        config = found.config
        head += [f"- config_name: {config.name}", "  data_files:"]
        # The types of columns are written, so that no record's own form decides them.
        schema += [f"- config_name: {config.name}", "  features:"]
        schema += [f"  - name: {json.dumps(column)}\n    dtype: {kind}" for column, kind in found.columns.items()]
        for split, count in found.counts.items():
            head += [f"  - split: {split}", f"    path: {config.stage}/{config.files[split]}"]
            rows.append(f"| `{config.name}` | {split} | {count:,} | {config.about} |")
    first = loaded[0].config.name
    licence_name = licence.lower() if _HUB_NAME.fullmatch(licence.lower()) else "other"
    return f"""---
language: en
license: {licence_name}
tags: [mathematics, verification]
configs:
{chr(10).join(head)}
dataset_info:
{chr(10).join(schema)}
---
# Records of the run {name.replace("`", "")}

{_MADE}; the same records give the same card. Each stage is sealed by its `manifest.json` with the SHA-256 of its files.
`oracle-factory recheck FILE` proves the certificates of flaws and variants again from the records alone.

| config | split | records | what |
|---|---|---|---|
{chr(10).join(rows)}

```python
from datasets import load_dataset

{first} = load_dataset("path/of/this/folder", "{first}", split="{next(iter(loaded[0].counts))}")
```

Texts of problems and solutions are those of the corpus, under its licence. Errors are made by operators, one a solution.
"""


def card(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run; latest by default.")] = LATEST,
    *,
    licence: Annotated[str, typer.Option(metavar="NAME", help="Licence of the texts of the corpus.")] = "MIT",
) -> int:
    """Write the card by which load_dataset reads a run.

    Example: oracle-factory card latest --licence MIT
    """
    from reports.views.artefacts import find_run

    folder = find_run(run)
    counts = write_card(folder, licence)
    said = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    typer.echo(f"{folder / CARD}: {said}")
    return 0
