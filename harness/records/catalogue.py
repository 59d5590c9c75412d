"""The files that the stages of a run write, each with the record class of its lines, and the page that documents them."""

import ast
import dataclasses
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import PlainSerializer, TypeAdapter

from harness.domain import Problem, Verdict
from harness.records.constraint import ClauseAlignmentRecord
from harness.records.formalization import CalibrationRecord, ConsensusRecord, ModelRecord, OracleRecord, ProgramRecord
from harness.records.funnel import FunnelRecord, ProblemYield
from harness.records.label import FlaggedRecord, FlaggedSolution
from harness.records.mutation import DiscardedChange, FlawRecord
from harness.records.question import QuestionRecord
from harness.records.review import DecisionLine, DraftLine, ExampleLine
from harness.records.template import TierRecord, TraceRecord
from harness.records.variant import DiscardedEdit, VariantRecord
from harness.records.verifier import Consistency, EngineComparison, EngineFigures
from harness.smtlib.constraint_problem import ConstraintProblem
from harness.stages import FORMALIZATION, FUNNEL, LABEL, MUTATION, SMT, TEMPLATE, VARIANT, VERIFIER
from harness.store.manifest import StageManifest
from harness.store.run_folder import output_file

COMMAND = "oracle-factory docs formats"


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file of a stage and the record classes of its lines; of what a command writes elsewhere, `name` is the command."""

    stage: str
    name: str
    records: tuple[type[Any], ...]

    @property
    def path(self) -> str:
        """Return the path within a run."""
        return f"{self.stage}/{self.name}" if self.stage else self.name


FILES = (
    RecordFile(FORMALIZATION, "problems.jsonl", (Problem,)),
    RecordFile(FORMALIZATION, "programs.jsonl", (ProgramRecord,)),
    RecordFile(FORMALIZATION, "verdicts.jsonl", (Verdict,)),
    RecordFile(FORMALIZATION, "consensus.jsonl", (ConsensusRecord,)),
    RecordFile(FORMALIZATION, "oracles.jsonl", (OracleRecord,)),
    RecordFile(FORMALIZATION, "calibration.jsonl", (CalibrationRecord,)),
    RecordFile(FORMALIZATION, "models.jsonl", (ModelRecord,)),
    RecordFile("oracles", "oracles.jsonl", (OracleRecord,)),
    RecordFile(TEMPLATE, "problems.jsonl", (Problem,)),
    RecordFile(TEMPLATE, "verdicts.jsonl", (Verdict,)),
    RecordFile(TEMPLATE, "traces.jsonl", (TraceRecord,)),
    RecordFile(TEMPLATE, "tiers.jsonl", (TierRecord,)),
    RecordFile(MUTATION, "problems.jsonl", (Problem,)),
    RecordFile(MUTATION, "verdicts.jsonl", (Verdict,)),
    RecordFile(MUTATION, "computational.jsonl", (FlawRecord,)),
    RecordFile(MUTATION, "conceptual.jsonl", (FlawRecord,)),
    RecordFile(MUTATION, "discarded.jsonl", (DiscardedChange,)),
    RecordFile(VARIANT, "problems.jsonl", (Problem,)),
    RecordFile(VARIANT, "verdicts.jsonl", (Verdict,)),
    RecordFile(VARIANT, "variants.jsonl", (VariantRecord,)),
    RecordFile(VARIANT, "discarded.jsonl", (DiscardedEdit,)),
    RecordFile(LABEL, "verdicts.jsonl", (Verdict,)),
    RecordFile(LABEL, "flagged.jsonl", (FlaggedSolution, FlaggedRecord)),
    RecordFile(SMT, "problems.jsonl", (ConstraintProblem,)),
    RecordFile(SMT, "verdicts.jsonl", (Verdict,)),
    RecordFile(SMT, "alignment.jsonl", (ClauseAlignmentRecord,)),
    RecordFile("STAGE", "manifest.json", (StageManifest,)),
    RecordFile("", "oracle-factory review export", (DecisionLine, DraftLine, ExampleLine)),
    RecordFile("", "oracle-factory next", (QuestionRecord,)),
    RecordFile(FUNNEL, "steps.jsonl", (FunnelRecord,)),
    RecordFile(FUNNEL, "problems.jsonl", (ProblemYield,)),
    RecordFile(VERIFIER, "figures.jsonl", (EngineFigures,)),
    RecordFile(VERIFIER, "comparisons.jsonl", (EngineComparison,)),
    RecordFile(VERIFIER, "consistency.jsonl", (Consistency,)),
)
_INTRODUCTION = f"""# File formats

Each file of a stage, `runs/NAME/STAGE/FILE`, is JSON Lines in UTF-8: one record a line, in the order of the problems. `manifest.json` beside
them seals them with their SHA-256 and their numbers of records. Exact numbers are text: `7`, `-7` or `7/2`.

This page is generated from the record classes by `{COMMAND}`.
"""


def format_page() -> str:
    """Return the page that documents the files and their records, in Markdown."""
    rows = [f"| `{file.path}` | {' or '.join(_link(record.__name__) for record in file.records)} |" for file in FILES]
    schemas: dict[str, dict[str, Any]] = {}
    for record in dict.fromkeys(record for file in FILES for record in file.records):
        schema = TypeAdapter(record).json_schema(mode="serialization", by_alias=True)
        nested = schema.pop("$defs", {})
        schemas |= {record.__name__: schema, **{name: part for name, part in nested.items() if name not in schemas}}
    sections = [_section(name, schema, schemas) for name, schema in sorted(schemas.items()) if "properties" in schema]
    table = "\n".join(["| file | records |", "| --- | --- |", *rows])
    return "\n".join([_INTRODUCTION, table, "", *sections])


def formats(
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write; by default, standard output."),
    ] = None,
) -> int:
    """Print the page of file formats, or write it.

    Example: oracle-factory docs formats -o docs/file-formats.md
    """
    page = format_page()
    if output is None:
        sys.stdout.write(page)
    else:
        output_file(output).write_text(page, encoding="utf-8")
    return 0


def _section(name: str, schema: dict[str, Any], schemas: dict[str, dict[str, Any]]) -> str:
    fields = field_docstrings(name)
    rows = [f"| `{field}` | {_type(part, schemas)} | {fields[field]} |" for field, part in schema["properties"].items()]
    about = textwrap.dedent(schema.get("description", "")).strip()
    return "\n".join([f"## {name}", "", about, "", "| field | type | meaning |", "| --- | --- | --- |", *rows, ""])


def _type(part: dict[str, Any], schemas: dict[str, dict[str, Any]]) -> str:
    """Return the words for a JSON schema."""
    match part:
        case {"$ref": reference}:
            name = reference.rpartition("/")[2]
            return _link(name) if "properties" in schemas.get(name, {}) else _type(schemas[name], schemas)
        case {"anyOf": options}:
            return " or ".join(dict.fromkeys(_type(option, schemas) for option in options))
        case {"enum": values}:
            return ", ".join(f"`{value}`" for value in values)
        case {"const": value}:
            return f"`{value}`"
        case {"prefixItems": parts}:
            return f"list of {len(parts)}: {', '.join(_type(item, schemas) for item in parts)}"
        case {"type": "array", "items": item}:
            return f"list of {_type(item, schemas)}"
        case {"type": "object", "additionalProperties": dict() as item}:
            return f"object of {_type(item, schemas)} by name"
        case {"type": kind}:
            return {"string": "text", "boolean": "true or false"}.get(kind, str(kind))
    return "any"


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def field_docstrings(name: str) -> dict[str, str]:
    """Return the docstrings of a record class's fields by their names in JSON."""
    docstrings: dict[str, str] = {}
    record_class = record_classes()[name]
    for base in reversed(record_class.__mro__):
        if dataclasses.is_dataclass(base):
            docstrings |= dict(own_docstrings(base))
    aliases = {
        field.name: alias[1]
        for field in dataclasses.fields(record_class)
        if (alias := re.search(r"alias='(\w+)'", str(field.type)))
    }
    return {aliases.get(field, field): text for field, text in docstrings.items()}


def own_docstrings(record_class: type) -> Iterator[tuple[str, str]]:
    """Yield the fields that a class declares itself, each with the docstring below it."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(record_class))).body
    statements = definition.body if isinstance(definition, ast.ClassDef) else []
    for statement, following in pairwise(statements):
        match statement, following:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str() as text)):
                yield name, " ".join(text.split())


@cache
def record_classes() -> dict[str, type[Any]]:
    """Return the record classes that the files hold, by name, nested ones too."""
    classes: dict[str, type[Any]] = {}

    def visit(part: Any) -> None:
        if any(isinstance(about, PlainSerializer) for about in getattr(part, "__metadata__", ())):
            return
        if dataclasses.is_dataclass(part) and isinstance(part, type) and part.__name__ not in classes:
            classes[part.__name__] = part
            for hint in inspect.get_annotations(part, eval_str=True).values():
                visit(hint)
        for argument in getattr(part, "__args__", ()):
            visit(argument)

    for file in FILES:
        for record in file.records:
            for base in record.__mro__:
                visit(base)
    return classes
