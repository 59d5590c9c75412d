"""The page of the documentation about the Python functions, generated from their docstrings, and the command that prints it."""

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from harness.command_line.option_types import PageFile, print_page

COMMAND = "oracle-factory docs python"
_SECTION = re.compile(r"^(Returns|Raises|Example):$", re.MULTILINE)
_INTRODUCTION = f"""# Python

```python
from oracle_factory import audit, judge, validate, validate_many, verify, verify_many
```

Six functions do from Python what the commands do. The import itself is light: each function imports what it needs when it is
called. What they return are frozen dataclasses with types. Misuse raises `oracle_factory.HarnessError`, whose message names the value and what
was expected. The notebook [`docs/python.ipynb`](python.ipynb) shows them at work on ten cells.

This page is generated from the docstrings by `{COMMAND}`, and its examples are executed by the tests.
"""


def python_page() -> str:
    """Return the page, in Markdown."""
    from oracle_factory import audit, judge, validate, validate_many, verify, verify_many
    from oracles.dataset_audit.findings import AuditFinding, DatasetAudit, UnreadRecord
    from properties.factory.judged_problems import JudgedProblem, JudgedRun
    from sft.samples.problem_judgement import ProblemFinding, ProblemJudgement, ProblemJudgements
    from sft.samples.solution_judgement import Hint, Judgement, Judgements

    results: dict[Callable[..., Any], tuple[type[Any], ...]] = {
        judge: (JudgedRun, JudgedProblem),
        audit: (DatasetAudit, AuditFinding, UnreadRecord),
        verify: (Judgement, Hint),
        verify_many: (Judgements,),
        validate: (ProblemJudgement, ProblemFinding),
        validate_many: (ProblemJudgements,),
    }
    sections = [part for function, classes in results.items() for part in _function(function, classes)]
    return "\n".join([_INTRODUCTION, *sections]).rstrip("\n") + "\n"


def _function(function: Callable[..., Any], classes: tuple[type[Any], ...]) -> Iterator[str]:
    """Yield the heading, signature and docstring of a function, and what it returns."""
    summary, *sections = _SECTION.split(inspect.getdoc(function) or "")
    yield f"## {function.__name__}\n"
    signature = inspect.getsource(function).partition('"""')[0].removesuffix("r").rstrip()
    yield f"```python\n{signature} ...\n```\n"
    yield f"{summary.strip()}\n"
    for title, text in zip(sections[::2], sections[1::2], strict=True):
        body = textwrap.dedent(text.strip("\n")).strip()
        if title == "Example":
            yield f"```pycon\n{body}\n```\n"
        else:
            yield f"**{title}:** {' '.join(body.split())}\n"
    for shown in classes:
        yield f"### {shown.__name__}\n"
        yield f"{(inspect.getdoc(shown) or '').strip()}\n"
        yield "\n".join([*_table(shown), ""])


def _table(shown: type[Any]) -> Iterator[str]:
    """Yield the rows of a table of fields; the column of meanings is left out where the class docstring explains all fields."""
    from harness.records.catalogue import own_docstrings

    meanings = dict(own_docstrings(shown))
    yield "| field | type | meaning |" if meanings else "| field | type |"
    yield "| --- | --- | --- |" if meanings else "| --- | --- |"
    for field in dataclasses.fields(shown):
        # A type is named without its module.
        own = field.type.__name__ if isinstance(field.type, type) else str(field.type)
        kind = re.sub(r"\b(?:\w+\.)+(?=\w)", "", own).replace("|", "\\|")
        yield f"| `{field.name}` | `{kind}` |{f' {meanings.get(field.name, str())} |' if meanings else ''}"


def python(*, output: PageFile = None) -> int:
    """Print the page of the Python functions, or write it.

    Example: oracle-factory docs python -o docs/python.md
    """
    return print_page(python_page(), output)
