"""The files that the stages of a run write, each with the record class of its lines, and the page that documents them."""

import ast
import inspect
import itertools
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import ConfigDict, TypeAdapter

from harness.command_line.option_types import PageFile, print_page
from harness.corpora.field_roles import ROLES
from harness.domain import Problem, Verdict
from harness.records.constraint import ClauseAlignmentRecord, ConstraintProblem
from harness.records.formalization import CalibrationRecord, ConsensusRecord, ModelRecord, OracleRecord, ProgramRecord
from harness.records.funnel import FunnelRecord, ProblemYield
from harness.records.label import DiagnosedSolution, FlaggedRecord, FlaggedSolution
from harness.records.mutation import DiscardedChange, FlawRecord
from harness.records.question import QuestionRecord
from harness.records.review import DecisionLine, DraftLine, ExampleLine
from harness.records.template import TierRecord, TraceRecord
from harness.records.variant import DiscardedEdit, VariantRecord
from harness.records.verifier import EngineComparison, EngineFigures, KeptCounts, LeftRecord
from harness.stages import FORMALIZATION, FUNNEL, LABEL, MUTATION, SMT, TEMPLATE, VARIANT, VERIFIER
from harness.store.run_folder import StageManifest

COMMAND = "oracle-factory docs formats"


FILES: Mapping[str, tuple[type[Any], ...]] = {
    f"{FORMALIZATION}/problems.jsonl": (Problem,),
    f"{FORMALIZATION}/programs.jsonl": (ProgramRecord,),
    f"{FORMALIZATION}/verdicts.jsonl": (Verdict,),
    f"{FORMALIZATION}/consensus.jsonl": (ConsensusRecord,),
    f"{FORMALIZATION}/oracles.jsonl": (OracleRecord,),
    f"{FORMALIZATION}/calibration.jsonl": (CalibrationRecord,),
    f"{FORMALIZATION}/models.jsonl": (ModelRecord,),
    "oracles/oracles.jsonl": (OracleRecord,),
    f"{TEMPLATE}/problems.jsonl": (Problem,),
    f"{TEMPLATE}/verdicts.jsonl": (Verdict,),
    f"{TEMPLATE}/traces.jsonl": (TraceRecord,),
    f"{TEMPLATE}/tiers.jsonl": (TierRecord,),
    f"{MUTATION}/problems.jsonl": (Problem,),
    f"{MUTATION}/verdicts.jsonl": (Verdict,),
    f"{MUTATION}/computational.jsonl": (FlawRecord,),
    f"{MUTATION}/conceptual.jsonl": (FlawRecord,),
    f"{MUTATION}/discarded.jsonl": (DiscardedChange,),
    f"{VARIANT}/problems.jsonl": (Problem,),
    f"{VARIANT}/verdicts.jsonl": (Verdict,),
    f"{VARIANT}/variants.jsonl": (VariantRecord,),
    f"{VARIANT}/discarded.jsonl": (DiscardedEdit,),
    f"{LABEL}/verdicts.jsonl": (Verdict,),
    f"{LABEL}/flagged.jsonl": (FlaggedSolution, DiagnosedSolution, FlaggedRecord),
    f"{SMT}/problems.jsonl": (ConstraintProblem,),
    f"{SMT}/verdicts.jsonl": (Verdict,),
    f"{SMT}/alignment.jsonl": (ClauseAlignmentRecord,),
    "STAGE/manifest.json": (StageManifest,),
    "oracle-factory review export": (DecisionLine, DraftLine, ExampleLine),
    "oracle-factory next": (QuestionRecord,),
    "oracle-factory verify --keep KEPT": (LeftRecord, KeptCounts),
    f"{FUNNEL}/steps.jsonl": (FunnelRecord,),
    f"{FUNNEL}/problems.jsonl": (ProblemYield,),
    f"{VERIFIER}/figures.jsonl": (EngineFigures,),
    f"{VERIFIER}/comparisons.jsonl": (EngineComparison,),
}
"""The record classes of the lines of each file by its path within a run; of what a command writes elsewhere, by the command."""
MEANINGS = {
    "problem_id": "The problem.",
    "question": "The text of the problem.",
    "variable": "The variable.",
    "name": "The name of the constraint: its kind, a colon, and its subject.",
    "provenance": "The clique of the formalization; absent in records of earlier versions, which do not record it.",
    "why": "The reason, in a word.",
    "detail": "What was found.",
    "kind": "The kind of the line.",
    "uid": "The identifier of the entry on every machine.",
    "candidate_id": "The `flaw_id` of the candidate.",
    "version": "A digest of the candidate's record.",
    "seconds": "The seconds that the reviewer spent on the candidate.",
    "at": "The time in ISO 8601, with its zone.",
    "engine": "The engine.",
    "dataset": "The dataset; `all` for all of them together.",
}
"""The meanings of fields by name, wherever the class of a record says nothing else."""
_INTRODUCTION = f"""# File formats

Each file of a stage, `runs/NAME/STAGE/FILE`, is JSON Lines in UTF-8: one record a line, in the order of the problems. `manifest.json` beside
them seals them with their SHA-256 and their numbers of records. Exact numbers are text: `7`, `-7` or `7/2`.

This page is generated from the record classes by `{COMMAND}`.
"""

_OTHERS = """## Data sets of others

`audit`, `verify`, `validate`, `judge`, `datasets` and `evaluate` read JSON lines, a JSON array, columns, CSV, TSV, Parquet and Arrow, packed or plain, in UTF-8 or UTF-16, and say which
fields they took for what. A field is known by its name, in any case; `a.b` is the field `b` of the object `a`, `a+b` are two fields that are
one text in this order, and `a@b` is the field `a` of a record that has `b`. A context stands before its question; an ending is what the steps end in. A conversation is one question with at most one reply; what a system says is left out. Where two fields differ that may hold the same part, the record is not
read: name one by `--question-field`, `--solution-field` or `--answer-field`.

| part | fields |
| --- | --- |"""


def format_page() -> str:
    """Return the page that documents the files and their records, in Markdown."""
    rows = [f"| `{path}` | {' or '.join(_link(own.__name__) for own in records)} |" for path, records in FILES.items()]
    schemas = record_schemas()
    sections = [_section(name, schema, schemas) for name, schema in sorted(schemas.items()) if "properties" in schema]
    table = "\n".join(["| file | records |", "| --- | --- |", *rows])
    names = [f"| {role} | {', '.join(f'`{name}`' for name in names.split())} |" for role, names in ROLES.items()]
    return "\n".join([_INTRODUCTION, table, "", *sections, _OTHERS, *names, ""])


@cache
def record_schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each record class by name, nested ones too; the description of a field is its docstring."""
    schemas: dict[str, dict[str, Any]] = {}
    records: set[type[Any]] = set(itertools.chain.from_iterable(FILES.values()))
    for record in records:
        adapter = TypeAdapter(tuple[record], config=ConfigDict(use_attribute_docstrings=True))  # type: ignore[valid-type]  # known when it runs
        schemas |= adapter.json_schema(mode="serialization")["$defs"]
    for record in records:  # pydantic reads the docstrings of a class's own fields alone
        for field, text in itertools.chain.from_iterable(map(own_docstrings, record.__mro__[1:-1])):
            schemas[record.__name__]["properties"][field].setdefault("description", text)
    for schema in schemas.values():
        for field, part in schema.get("properties", {}).items():
            part.setdefault("description", MEANINGS.get(field, ""))
    return schemas


def formats(*, output: PageFile = None) -> int:
    """Print the page of file formats, or write it.

    Example: oracle-factory docs formats -o docs/file-formats.md
    """
    return print_page(format_page(), output)


def _section(name: str, schema: dict[str, Any], schemas: dict[str, dict[str, Any]]) -> str:
    rows = [
        f"| `{field}` | {_type(part, schemas)} | {' '.join(part['description'].split())} |"
        for field, part in schema["properties"].items()
    ]
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


def own_docstrings(record_class: type) -> Iterator[tuple[str, str]]:
    """Yield the fields that a class declares itself, each with the docstring below it."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(record_class))).body
    statements = definition.body if isinstance(definition, ast.ClassDef) else []
    for statement, following in itertools.pairwise(statements):
        match statement, following:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str() as text)):
                yield name, " ".join(text.split())
