"""Text without the annotations of GSM8K's solutions, `<<48/2=24>>`, without the numbering of lines, and without the markup of Markdown and HTML."""

import html
import re

from harness.text.characters import seen
from harness.text.lexicon import english

_LISTS = english("markup")

ANNOTATION = re.compile(r"<<([^<>]*)>>")
"""Any annotation; the group is its content."""
MALFORMED_ANNOTATION = re.compile(r"<<+(?:[^<>]*>|\S*)|>>+")
"""The remains of malformed annotations."""


def without_annotations(text: str) -> str:
    """Return a text without its annotations."""
    return ANNOTATION.sub("", text)


_PREFIX = re.compile(
    r"(?:\s*(?:[-*•>]\s+|#{1,3}\s+)?(?:\*\*)?"
    rf"(?:(?:{_LISTS.either('numbered')})"
    r"\s*#?\d{1,3}\s*(?:(?:[:)\]]|\.(?!\d)):?|-\s)|\d{1,3}[.)]:?(?=\s)|\(\d{1,3}\)(?=\s+[^\W_]{2}|\s+\d|\s+[$\\]))\s*(?:\*\*)?\s*"
    r"|\s*[-*•>]\s+)++",
    re.IGNORECASE,
)
"""Numbering and bullets, repeated ones too, so that none is left after removal."""
_EMPHASIS = re.compile(
    r"(?<![\w)])\*\*(?=\S)|(?<=\S)\*\*(?![\w(-])|(?<![\w)])__(?=[^\W_])|(?<=[^\s_])__(?![\w(-])|(?<!`)`(?!`)"
)
"""Signs of emphasis; the power in `2**3` and blanks of underscores do not match."""


_ANSWERS = english("answers")
NAMED_ANSWER = _ANSWERS.pattern(
    "named", r"(?:(?<![^\n])|(?<=[.!?]))[ \t*_>#-]*+", r"[ \t*_]*[:：][ \t*_]*(?P<answer>[^\n]*)"
)
"""An answer after its name, `**Answer:** 5`, at the beginning of a line or a sentence."""
ANSWER_LINE = _ANSWERS.pattern("endings", r"\s*(?:(?P<mark>####)|", r")(?P<answer>.*)")
"""A line that is the answer: `#### 5`, `Final answer: 5`."""
STATED_ANSWER = _ANSWERS.pattern("stated")
"""The words of a sentence before its answer: `The answer is`."""


def unnumbered(line: str) -> str:
    """Return a line without numbering, bullet and emphasis."""
    bare = _EMPHASIS.sub("", line)
    mark = _PREFIX.match(bare)
    return bare if mark is None else bare[mark.end() :]


def plain(line: str) -> str:
    """Return a line without annotations, numbering, bullet and emphasis, its spaces single."""
    return " ".join(unnumbered(without_annotations(line)).split())


_TAG = re.compile(
    rf"<(?=/?[a-z])(?P<end>/?)(?P<name>{_LISTS.either('tags')})"
    r"(?:\s+[\w:.-]{1,40}=(?:\"[^\"<>\n]{0,300}\"|'[^'<>\n]{0,300}'|[^\s\"'<>]{1,100})){0,20}\s*/?>",
    re.IGNORECASE,
)
"""A tag; attributes have values, since `a <b and c> d` compares."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_BREAKS = _LISTS.words("breaks")
_EMPTY = frozenset({"br", "hr"})
_SCRIPTS = {"sup": "^", "sub": "_"}
_AT_END = re.compile(r"(?<!; )(?:; )++(?=\n|\Z)")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_EXPONENT = re.compile(r"(?<=[\d)])(?P<sign>[⁻⁺]?)(?P<digits>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)(?![⁰-⁾])")

_FORMULA = re.compile(
    r"\\[()\[\]]|\$\$|(?<!\\)\$(?:(?=[^\s$])(?P<close>[^$\n]*[^\s$\\])|\s(?P<apart>[^$\n]*[^\s$])\s)\$(?!\s?\d)"
)
"""The marks around a formula. As in Pandoc, a dollar sign before a digit, or beside a space on one side alone, is money."""
_FRACTION = re.compile(
    r"(?P<whole>(?<=\d)\s*)?\\[dtc]?frac\s?(?:\{\s?([^{}]*?)\s?\}|(\d))\s?(?:\{\s?([^{}]*?)\s?\}|(\d))(?P<factor>(?=\d))?"
)
_WRAPPED = re.compile(r"\\(?:text|mathrm|textbf|mathbf|boxed|fbox)\s?\{([^{}]*)\}")
_COMMANDS = {"times": "×", "cdot": "·", "div": "÷", "approx": "≈", "left": "", "right": "", "quad": " "}
_COMMAND = re.compile(rf"\\(?:(?P<name>{'|'.join(_COMMANDS)})(?![A-Za-z])|[,;:! ]|(?P<sign>[$%]))")


def without_latex(text: str) -> str:
    """Return a line without the marks of formulas and of LaTeX, for readers of words; powers, roots and other commands stay."""
    if "\\" in text:
        text = _FRACTION.sub(_as_quotient, _WRAPPED.sub(r"\1", text))
    if "$" in text or "\\" in text:
        text = _FORMULA.sub(lambda match: match["close"] or match["apart"] or " ", text)
        text = _COMMAND.sub(lambda match: _COMMANDS[match["name"]] if match["name"] else match["sign"] or "", text)
    return text


def _as_quotient(match: re.Match[str]) -> str:
    sides = (side if side.isalnum() else f"({side})" for side in (match[2] or match[3], match[4] or match[5]))
    quotient = (" / " if "(" in match[0] else "/").join(sides)
    return f"{'' if match['whole'] is None else ' '}{quotient}{'' if match['factor'] is None else ' '}"


_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_CONTROLS = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160), *range(0xD800, 0xE000)])
"""The control characters and lone surrogates of Unicode, except line break and tab."""


def clean(text: str) -> str:
    """Return text as it is seen: no markup, no control characters, one kind of line break, digits of every script as ASCII digits."""
    return seen(without_markup(_BREAK.sub("\n", text).translate(_CONTROLS)))


def without_markup(text: str) -> str:
    """Return a text without the tags of HTML, entities and exponents of its own characters.

    Only names that HTML has are tags, so that `a < b` and `<<5*7=35>>` stay. Line breaks are never removed, and tags break lines only in
    a text of one line, so that lines keep their numbers.
    """
    if "<" in text:
        broken = "; " if "\n" in text.strip() else "\n"
        untagged = _TAG.sub(lambda match: _tag_text(match, broken), text)
        text = text if untagged == text else _AT_END.sub("", untagged)
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match.group()), text)
    return text if text.isascii() else _EXPONENT.sub(lambda match: f"^{match.group().translate(_RAISED)}", text)


def _tag_text(match: re.Match[str], broken: str) -> str:
    """Return the replacement of a tag: a break, the sign of a script, or nothing."""
    name, ends = match["name"].lower(), bool(match["end"])
    if name in _SCRIPTS:
        return "" if ends else _SCRIPTS[name]
    return broken if name in _BREAKS and (ends or name in _EMPTY) else ""
