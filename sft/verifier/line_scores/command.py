"""The command `oracle-factory score`."""

import json
import shlex
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from harness.command_line.option_types import Device, Preset
from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import json_form
from sft.models.presets import DEFAULT

ITEMS_AT_ONCE = 256


def score(
    items: Annotated[Path, typer.Argument(help='JSONL of {"question", "solution"}, with "sample_id" if there is one.')],
    output: Annotated[str, typer.Argument(help="Where to write; - for standard output.")],
    *,
    adapter: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of a LoRA adapter; without it the base model scores.")
    ] = None,
    preset: Preset = DEFAULT,
    device: Device = "cpu",
    twins: Annotated[bool, typer.Option("--twins", help="Score the twins of each line too.")] = False,
    twins_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Twins that `oracle-factory twins` wrote; means --twins.")
    ] = None,
) -> int:
    """Write the model's log-probabilities of lines and marks.

    With --twins-file no module that reads equations is imported: a GPU host needs torch, transformers, peft and typer only.

    Example: oracle-factory score samples.jsonl scores.jsonl --adapter runs/sft/adapter --twins
    """
    from sft.models.base_model import load_base, load_with_adapter
    from sft.samples.record_lines import open_output
    from sft.verifier.item_files import read_named, read_twins
    from sft.verifier.line_scores.scorer import Scorer

    named = list(read_named(items))
    twins_of = read_twins(twins_file) if twins_file is not None else None
    missing = [item.sample_id for item in named if twins_of is not None and item.sample_id not in twins_of]
    if missing:
        raise HarnessError(
            f"{twins_file}: no twins of {missing[0]!r}; make them: {runnable(f'oracle-factory twins {shlex.quote(str(items))} {shlex.quote(str(twins_file))}')}"
        )
    loaded = load_base(preset, device) if adapter is None else load_with_adapter(preset, adapter, device)
    twins = twins or twins_of is not None
    scorer = Scorer(loaded.model, loaded.tokenizer)
    began = time.monotonic()
    with open_output(output) as lines:
        for start in range(0, len(named), ITEMS_AT_ONCE):
            batch = named[start : start + ITEMS_AT_ONCE]
            theirs = None if twins_of is None else [twins_of[item.sample_id] for item in batch]
            for item, scores in zip(
                batch, scorer.score([item.item for item in batch], twins=twins, made=theirs), strict=True
            ):
                lines.write(
                    json.dumps({"sample_id": item.sample_id, "scores": json_form(scores)}, ensure_ascii=False) + "\n"
                )
            lines.flush()
            done = start + len(batch)
            sys.stderr.write(f"{done:,} of {len(named):,} items, {(time.monotonic() - began) / done:.3f} s an item\n")
    return 0
