"""Assignment of review sessions to browser tabs: a reload keeps its session, a second tab gets its own."""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_TOKEN = 40
PATIENCE = 0.6
"""Seconds that a reload waits until the connection of the old page is closed."""


@dataclass(slots=True)
class TabSessions:
    """The sessions of tabs, by the tokens in their addresses; `live` tells whether a connection is open."""

    live: Callable[[str], bool]
    patience: float = PATIENCE
    _owners: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def claim(self, token: str, connection: str) -> str:
        """Return the token, or a new token if another open connection uses it, as when an address is copied."""
        deadline = time.monotonic() + self.patience
        while True:
            with self._lock:
                owner = self._owners.get(token)
                if _is_token(token) and (owner in {None, connection} or not self.live(owner)):
                    self._owners[token] = connection
                    return token
            if not _is_token(token) or time.monotonic() > deadline:
                break
            time.sleep(0.02)
        with self._lock:
            self._owners = {known: owner for known, owner in self._owners.items() if self.live(owner)}
            fresh = secrets.token_urlsafe(9)
            self._owners[fresh] = connection
            return fresh


def _is_token(text: str) -> bool:
    return 0 < len(text) <= LONGEST_TOKEN and text.isascii() and text.replace("-", "").replace("_", "").isalnum()
