"""The judgement on a re-checked record: its status, its reason, and the number of unread equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.domain import Status


@dataclass(frozen=True, slots=True)
class Judgement:
    """A status, and its reason where it is not CONFIRMED; `unread` counts equals signs that are no readable equation."""

    status: Status
    reason: str | None = None
    unread: int = 0
