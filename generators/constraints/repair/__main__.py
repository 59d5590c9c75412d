"""Run `python -m generators.constraints.repair`."""

import sys

from generators.constraints.repair.command import main

if __name__ == "__main__":
    sys.exit(main())
