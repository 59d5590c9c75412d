"""The names of the months and of the days of the week."""

from __future__ import annotations

from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
MONTHS = _LISTS.ordered("months")
WEEKDAYS = _LISTS.ordered("weekdays")
CALENDAR_NAMES = frozenset(name.lower() for name in (*MONTHS, *WEEKDAYS))
"""All of them in lower case."""
