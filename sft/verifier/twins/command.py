"""The command `oracle-factory twins`."""

import json
from pathlib import Path
from typing import Annotated

import typer


def twins(
    items: Annotated[Path, typer.Argument(help='JSONL of {"question", "solution"}, with "sample_id" if there is one.')],
    output: Annotated[str, typer.Argument(help="Where to write; - for standard output.")],
) -> int:
    """Write the twins of solutions, which the scorer compares.

    No model is needed. With the twins in a file, a machine that scores them needs no package that reads equations.

    Example: oracle-factory twins samples.jsonl twins.jsonl
    """
    from sft.samples.record_lines import open_output, require_lines
    from sft.verifier.item_files import read_named
    from sft.verifier.twins.line_twins import twins_of

    with open_output(output) as lines:
        found = 0
        for named in read_named(items):
            found += 1
            records = [
                {"place": twin.place, "text": twin.text, "kind": twin.kind, "change": twin.change}
                for twin in twins_of(named.item)
            ]
            lines.write(json.dumps({"sample_id": named.sample_id, "twins": records}, ensure_ascii=False) + "\n")
        require_lines(str(items), found, "question", "solution")
    return 0
