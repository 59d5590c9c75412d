"""The command `oracle-factory docs formats`."""

import sys


def formats() -> int:
    """Print the page of file formats, docs/file-formats.md.

    Example: oracle-factory docs formats
    """
    from harness.records.catalogue import format_page

    sys.stdout.write(format_page())
    return 0
