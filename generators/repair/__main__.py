"""Run `python -m generators.repair`."""

import sys

from generators.repair.command import main

if __name__ == "__main__":
    sys.exit(main())
