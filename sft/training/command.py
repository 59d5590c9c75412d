"""The command `oracle-factory train`, whose options are the fields of `TrainingSettings`."""

import inspect
import sys
from dataclasses import MISSING, fields
from typing import Annotated, Any, get_type_hints

import typer

from sft.models.quiet_libraries import quiet_libraries
from sft.training.config import TrainingSettings, settings_of


def train(**given: Any) -> int:
    """Train a LoRA adapter that judges solutions or problems.

    A preset sets what the command line does not.

    Example: oracle-factory train --preset qwen3-4b --train runs/datasets/samples-train.jsonl --out runs/qwen
    """
    quiet_libraries()
    settings = settings_of(**{name: value for name, value in given.items() if value not in (None, [])})
    from sft.training.run import train as trained

    sys.stdout.write(f"{trained(settings).adapter}\n")
    return 0


def _parameters() -> dict[str, inspect.Parameter]:
    """Return a parameter for each setting; its default is shown, and not passed, so that presets may set another."""
    hints = get_type_hints(TrainingSettings)
    parameters = {}
    for setting in fields(TrainingSettings):
        shown = "" if setting.default is MISSING else str(setting.default)
        option = typer.Option(help=f"{setting.metadata['help']}.", show_default=shown or False)
        default = setting.default if setting.name == "preset" else None
        kind = hints[setting.name] if setting.name == "preset" else hints[setting.name] | None
        parameters[setting.name] = inspect.Parameter(
            setting.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
        )
    return parameters


train.__signature__ = inspect.Signature([*_parameters().values()])  # type: ignore[attr-defined]  # read by Typer
train.__annotations__ = {name: parameter.annotation for name, parameter in _parameters().items()}
