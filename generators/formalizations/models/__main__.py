"""Run `python -m generators.formalizations.models`."""

import sys

from generators.formalizations.models.command import main

if __name__ == "__main__":
    sys.exit(main())
