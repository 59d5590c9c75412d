"""Run `python -m generators.constraints`."""

import sys

from generators.constraints.command import main

if __name__ == "__main__":
    sys.exit(main())
