"""The singular and plural forms of nouns, by their spelling and a list of irregular ones."""

from __future__ import annotations

from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_SINGULAR: dict[str, str] = _LISTS.mapping("singular")
_IRREGULAR = _LISTS.words("irregular")
_NO_PLURAL = _LISTS.words("no_plural")
_IN_IE = _LISTS.words("in_ie")


def singular_noun(noun: str) -> str:
    """Return a noun without its plural ending; enough to compare nouns, not to print them."""
    if noun in _SINGULAR:
        return _SINGULAR[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "shes", "xes", "sses", "zes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def singular_of(plural: str) -> str:
    """Return the singular of a plural noun, an empty text where its spelling does not tell."""
    if plural in _IRREGULAR or not is_plural(plural) or plural.endswith("ves"):
        return ""
    return plural[:-1] if plural in _IN_IE else singular_noun(plural)


def is_plural(word: str) -> bool:
    """Tell whether a lower-case word is a plural noun, as far as its ending tells."""
    if word in _IRREGULAR:
        return True
    regular = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s", "’s"))
    return regular and word not in _NO_PLURAL


def plural_unit(unit: str) -> str:
    """Return the plural of the noun of a unit."""
    if unit == "foot":
        return "feet"
    if unit.endswith("y") and unit[-2:] != "ay":
        return f"{unit[:-1]}ies"
    return f"{unit}es" if unit.endswith(("ch", "sh", "x")) else f"{unit}s"
