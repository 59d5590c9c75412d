"""The command that writes the twins of solutions: `python -m sft.verifier.twins ITEMS.jsonl TWINS.jsonl`.

The command needs no model. `python -m sft.verifier.line_scores.scorer ITEMS.jsonl OUT.jsonl --twins-file TWINS.jsonl` scores the twins, also on
a machine without the packages that read equations.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from sft.samples.record_lines import open_output
from sft.verifier.item_files import read_named
from sft.verifier.twins.line_twins import twins_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the twins of each item: `{"sample_id", "twins": [{"place", "text", "kind", "change"}]}`, one item a line.

    Returns:
        0, or 2 where a file cannot be read or written: one message on stderr.
    """
    parser = argparse.ArgumentParser(prog="python -m sft.verifier.twins", description=__doc__)
    parser.add_argument("items", type=Path, help='JSONL of {"question", "solution"}, "sample_id" if there is one')
    parser.add_argument("output", help="where to write, - for standard output")
    options = parser.parse_args(arguments)
    try:
        with open_output(options.output) as output:
            for one in read_named(options.items):
                made = [
                    {"place": twin.place, "text": twin.text, "kind": twin.kind, "change": twin.change}
                    for twin in twins_of(one.item)
                ]
                output.write(json.dumps({"sample_id": one.sample_id, "twins": made}, ensure_ascii=False) + "\n")
    except HarnessError as error:
        sys.stderr.write(f"sft.verifier.twins: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
