"""The nouns that name units of time and measure, and the singular form of a noun."""

from __future__ import annotations

from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)

TIMES = _LISTS.words("times")
MEASURES = _LISTS.words("measures")


def singular_noun(noun: str) -> str:
    """Return a noun without its plural ending; enough to compare nouns, not to print them."""
    if noun in {"feet", "foot"}:
        return "foot"
    if noun in {"people", "children", "men", "women", "mice", "geese", "teeth"}:
        return {"people": "person", "children": "child", "men": "man", "women": "woman"}.get(noun, noun)
    if noun == "calories":
        return "calorie"
    if noun.endswith("ies") and len(noun) > 4:
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "shes", "xes", "sses", "zes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun
