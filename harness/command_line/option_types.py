"""Option types that the commands of several rooms share, and commands whose options are the fields of a dataclass."""

import inspect
import math
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from harness.errors import HarnessError

T = TypeVar("T")


def above_zero(text: str) -> float:
    """Read a number above zero; a `ValueError` says that a text is none."""
    return _number(text, "a number above 0", sys.float_info.min, sys.float_info.max)


def temperature(text: str) -> float | None:
    """Read a temperature, or `none` for models that refuse it; a `ValueError` says that a text is neither."""
    return None if text == "none" else _number(text, "none, or a number from 0 to 2", 0, 2)


def _number(text: str, expected: str, least: float, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not least <= number <= most:
        raise ValueError(f"expected {expected}, found {text!r}")
    return number


def names_of(option: str, text: str, known: Collection[str]) -> list[str]:
    """Return the names of an option that is a list with commas, or raise a `HarnessError` if one is not known."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise HarnessError(f"{option}: expected names of {', '.join(known)}, found {name!r}")
    return names


def require_at_most_one(given: Mapping[str, object]) -> None:
    """Raise a `HarnessError` if more than one of some options was given."""
    names = [name for name, value in given.items() if value not in (None, False)]
    if len(names) > 1:
        raise HarnessError(f"expected one of {', '.join(given)}, found {' and '.join(names)}")


Seed = Annotated[int, typer.Option(metavar="N", help="Seed of all random choices.")]
Preset = Annotated[str, typer.Option(metavar="NAME|FILE", help="The model: a preset by name, or a YAML file.")]
Device = Annotated[str, typer.Option(metavar="DEVICE", help="The device as torch names it: cpu, cuda, cuda:1.")]
Endpoint = Annotated[
    str, typer.Option(metavar="URL", help="An OpenAI-compatible server; its key is read from $OPENAI_API_KEY.")
]
AnswerStoreFile = Annotated[Path, typer.Option(metavar="FILE", help="The store of the models' answers.")]
Budget = Annotated[
    str | None, typer.Option(metavar="DOLLARS", help="Stop before the total cost of the store exceeds this sum.")
]
Prices = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A file of prices in place of those of genai-prices.")
]
Offline = Annotated[bool, typer.Option("--offline", help="Use only the answers in the store; send no request.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the estimated cost; send no request.")]
QuestionField = Annotated[
    str, typer.Option(metavar="NAME", help="The field of the question; a.b is the field b of the object a.")
]
SolutionField = Annotated[str, typer.Option(metavar="NAME", help="The field of the worked solution.")]
AnswerField = Annotated[str, typer.Option(metavar="NAME", help="The field of the answer.")]
Jobs = Annotated[int, typer.Option(min=1, metavar="N", help="Number of processes.")]
PageFile = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write; by default, standard output.")
]


def print_page(page: str, output: Path | None) -> int:
    """Print a page, or write it to a file; return 0. A file that cannot be written is an `OSError`."""
    if output is None:
        sys.stdout.write(page)
    else:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(page, encoding="utf-8")
    return 0


def from_fields(run: Callable[[T], int]) -> Callable[..., int]:
    """Return a command whose options are the fields of the dataclass that a function takes."""
    (parameter,) = inspect.signature(run).parameters
    options = get_type_hints(run)[parameter]
    lists = {field.name: field.default_factory() for field in fields(options) if field.default_factory is not MISSING}

    def command(**values: Any) -> int:
        return run(options(**values))

    signature = inspect.signature(options, eval_str=True)
    parameters = [own.replace(default=lists.get(own.name, own.default)) for own in signature.parameters.values()]
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # a function has one where it is set
    command.__annotations__ = get_type_hints(options, include_extras=True)
    command.__doc__, command.__name__ = run.__doc__, run.__name__
    return command
