"""The command `oracle-factory train`, whose options are the fields of `TrainingSettings`."""

import inspect
import sys
from typing import Annotated, Any

import typer

from sft.models.base_model import quiet_libraries
from sft.models.presets import memory_table
from sft.training.config import FIELDS, STEPS, settings_of


def train(*, dry_run: bool = False, **given: Any) -> int:
    """Train a LoRA adapter that judges solutions or problems, of a language model or of the sentence encoder.

    A preset sets what the command line does not. --dry-run prints the memory that it needs, and trains nothing.

    Example: oracle-factory train --preset qwen3-4b --train runs/datasets/samples-train.jsonl --out runs/qwen
    """
    quiet_libraries()
    settings = settings_of(**{name: value for name, value in given.items() if value not in (None, [])})
    if dry_run:
        sys.stdout.write(f"{memory_table(settings.preset, settings.rank, nf4=settings.quantization == 'nf4')}\n")
        return 0
    if settings.level == STEPS:
        from sft.training.step_run import train_steps

        outcome = train_steps(settings)
    else:
        from sft.training.run import train as trained

        outcome = trained(settings)
    sys.stdout.write(f"{outcome.adapter}\n")
    return 0


def _parameter(name: str) -> inspect.Parameter:
    """Return the parameter for a setting; its default is shown, and not passed, so that presets may set another."""
    setting, is_preset = FIELDS[name], name == "preset"
    shown = "" if setting.is_required() or setting.default_factory else str(setting.default)
    option = typer.Option(help=f"{setting.description}.", show_default=shown or False)
    kind: Any = setting.annotation if is_preset else setting.annotation | None
    default = setting.default if is_preset else None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


_DRY_RUN = inspect.Parameter(
    "dry_run",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--dry-run", help="Print the reckoned memory, and train nothing.")],
)
_PARAMETERS = [*map(_parameter, FIELDS), _DRY_RUN]
train.__signature__ = inspect.Signature(_PARAMETERS)  # type: ignore[attr-defined]  # read by Typer
train.__annotations__ = {parameter.name: parameter.annotation for parameter in _PARAMETERS}
