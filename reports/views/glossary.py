"""The glossary: the terms of the field in plain words, for the tooltips of the pages and the table of the manual."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A term, its meaning, and its other forms."""

    term: str
    meaning: str
    also: tuple[str, ...] = ()


@cache
def glossary() -> tuple[GlossaryTerm, ...]:
    """Return the terms in the order of the manual."""
    text = (files("reports") / "views" / "glossary.toml").read_text(encoding="utf-8")
    return tuple(
        GlossaryTerm(entry["term"], entry["meaning"], tuple(entry.get("also", ())))
        for entry in tomllib.loads(text)["terms"]
    )


def tooltips() -> dict[str, str]:
    """Return the meaning of each form of each term, without marks of code; the forms are in lower case."""
    return {form.lower(): entry.meaning.replace("`", "") for entry in glossary() for form in (entry.term, *entry.also)}


def glossary_table() -> str:
    """Return the table of the manual in Markdown."""
    rows = "".join(f"| {entry.term} | {entry.meaning} |\n" for entry in glossary())
    return f"| term | meaning |\n|---|---|\n{rows}"
