"""Regular expressions for the annotations of GSM8K's solutions, `<<48/2=24>>`."""

from __future__ import annotations

import re

ANNOTATION = re.compile(r"<<([^<>]*)>>")
"""Any annotation; the group is its content."""
ANNOTATED_EQUATION = re.compile(r"<<([^<>]*)=([^<>=]*)>>")
"""An annotation with at least one equals sign; the last one separates the groups."""
ANNOTATED_SINGLE_EQUATION = re.compile(r"<<([^<>=]*)=([^<>=]*)>>")
"""An annotation with exactly one equals sign; chains such as `<<2+2=4=4>>` do not match."""
MALFORMED_ANNOTATION = re.compile(r"<<+(?:[^<>]*>|\S*)|>>+")
"""The remains of malformed annotations."""


def without_annotations(text: str) -> str:
    """Return a text without its annotations."""
    return ANNOTATION.sub("", text)
