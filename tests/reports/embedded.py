"""Test helpers that extract the embedded data and the elements of an HTML page."""

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from typing import Any

BLOB = re.compile(r'<script type="application/zlib\+base64" id="([a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>\n')


def blobs(page: str) -> dict[str, Any]:
    """Return what the page embeds, unpacked, by element id."""
    return {name: json.loads(zlib.decompress(base64.b64decode(data))) for name, data in BLOB.findall(page)}


def strings(value: object) -> list[str]:
    """Return every string in `value`, keys included."""
    if isinstance(value, dict):
        return [*value, *(text for item in value.values() for text in strings(item))]
    if isinstance(value, list):
        return [text for item in value for text in strings(item)]
    return [value] if isinstance(value, str) else []


class Elements(HTMLParser):
    """Collects the start tags of a page, and the text of its executable scripts and styles."""

    def __init__(self) -> None:
        """Start without an element."""
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inline: dict[str, str] = {}
        self.open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag and its attributes."""
        self.tags.append((tag, dict(attrs)))
        self.open = tag if tag == "style" or (tag == "script" and not attrs) else ""

    def handle_endtag(self, tag: str) -> None:
        """Leave the script or the style."""
        self.open = "" if tag == self.open else self.open

    def handle_data(self, data: str) -> None:
        """Keep the text of an executable script or of a style."""
        if self.open:
            self.inline[self.open] = self.inline.get(self.open, "") + data
