"""The comments of source code by line, and the provenance of inputs that they state."""

import re
from dataclasses import dataclass

from harness.domain import Provenance

_COMMENT = re.compile(r"""^(?:[^#'"]|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")*?#(.*)$""")
_WORLD_KNOWLEDGE = re.compile(
    r"^\W*WK\b[\s:,()-]*|world[ _]knowledge[\s:]*|external knowledge[\s:]*|common knowledge[\s:]*", re.IGNORECASE
)
_STEP = re.compile(r"^\s*\d+\.(?!\d)\s*(?P<question>.*?)\s*(?:\((?:independent|depends on)\b(?P<rest>.*))?$", re.DOTALL)
_SUPPORT = re.compile(r"""support:\s*\[\s*["'](?P<quote>.*)["']\s*\]""")
LONGEST_COMMENT = 300


@dataclass(frozen=True, slots=True)
class Comments:
    """The comments of a source text by line number, 1-based: trailing ones and whole-line ones."""

    trailing: dict[int, str]
    whole: dict[int, str]

    def of(self, line: int) -> str:
        """Return the comment on a line: its trailing comment, else the numbered step on the line above."""
        own = self.trailing.get(line)
        if own is not None:
            return own
        above = self.whole.get(line - 1, "")
        return above if _STEP.match(above) else ""


_LINE_END = re.compile(r"\r\n|\r|\n")


def python_lines(code: str) -> list[str]:
    """Return the lines of source as Python ends them; `str.splitlines` splits at form feeds and other separators too."""
    return _LINE_END.split(code)


def scan_comments(code: str) -> Comments:
    """Return the comments of each line; a `#` inside a one-line string is no comment."""
    trailing: dict[int, str] = {}
    whole: dict[int, str] = {}
    for number, line in enumerate(python_lines(code), start=1):
        if "#" not in line:
            continue
        match = _COMMENT.match(line)
        if match is None:
            continue
        text = match.group(1).strip()[:LONGEST_COMMENT]
        (whole if line.lstrip().startswith("#") else trailing)[number] = text
    return Comments(trailing, whole)


def read_provenance(comment: str) -> tuple[Provenance, str]:
    """Return the provenance that a comment claims, and its words that carry meaning.

    `WK` and `External knowledge` mark world knowledge. In the numbered-step convention the quoted support is the
    meaning, or the step's question where nothing is quoted. An empty comment claims nothing.
    """
    step = _STEP.match(comment)
    words = comment
    if step is not None:
        support = _SUPPORT.search(step.group("rest") or "")
        words = support.group("quote") if support else step.group("question")
    marked = _WORLD_KNOWLEDGE.search(words)
    if marked is not None:
        return Provenance.WORLD_KNOWLEDGE, (words[: marked.start()] + words[marked.end() :]).strip()
    if not comment:
        return Provenance.UNKNOWN, ""
    return Provenance.QUESTION, words.strip()
