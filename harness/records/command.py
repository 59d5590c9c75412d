"""The command `oracle-factory docs formats`."""

import sys
from pathlib import Path
from typing import Annotated

import typer


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
    from harness.records.catalogue import format_page
    from harness.store.run_folder import output_file

    page = format_page()
    if output is None:
        sys.stdout.write(page)
    else:
        output_file(output).write_text(page, encoding="utf-8")
    return 0
