"""The entry point of the command `python -m oracles.constraints`."""

import sys

from oracles.constraints.command import main

if __name__ == "__main__":
    sys.exit(main())
