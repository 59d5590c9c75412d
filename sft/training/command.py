"""The training command: an adapter is trained from a preset and options, `python -m sft.training.command --help`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Train; return 0, or 2 with one message where it cannot be done."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    try:
        from sft.training.config import parse
        from sft.training.run import train

        outcome = train(parse(arguments))
    except HarnessError as error:
        sys.stderr.write(f"train: {error}\n")
        return 2
    except ImportError as error:
        sys.stderr.write(f"train: {error}; run: make install-sft\n")
        return 2
    sys.stdout.write(f"{outcome.adapter}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
