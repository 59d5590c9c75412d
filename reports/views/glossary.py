"""The glossary: the terms of the field in plain words, for the tooltips of the pages and the table of the manual."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def glossary() -> list[dict[str, Any]]:
    """Return the terms in the order of the manual: each with its `meaning` and, where it has other forms, `also` these."""
    terms: list[dict[str, Any]] = tomllib.loads(
        (files("reports") / "views" / "glossary.toml").read_text(encoding="utf-8")
    )["terms"]
    return terms


def tooltips() -> dict[str, str]:
    """Return the meaning of each form of each term, without marks of code; the forms are in lower case."""
    return {
        form.lower(): entry["meaning"].replace("`", "")
        for entry in glossary()
        for form in (entry["term"], *entry.get("also", ()))
    }
