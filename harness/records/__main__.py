"""The command that prints the page of file formats: `python -m harness.records > docs/file-formats.md`."""

import sys

from harness.records.catalogue import format_page

if __name__ == "__main__":
    sys.stdout.write(format_page())
