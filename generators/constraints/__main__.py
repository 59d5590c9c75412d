"""Entry point of `python -m generators.constraints`, which generates constraint problems."""

import sys

from generators.constraints.command import main

if __name__ == "__main__":
    sys.exit(main())
