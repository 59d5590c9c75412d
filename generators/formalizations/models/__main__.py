"""The entry point of `python -m generators.formalizations.models`, which calls the command line."""

import sys

from generators.formalizations.models.command import main

if __name__ == "__main__":
    sys.exit(main())
