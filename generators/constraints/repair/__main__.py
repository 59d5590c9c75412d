"""Entry point of `python -m generators.constraints.repair`, which repairs SMT-LIB2 programs."""

import sys

from generators.constraints.repair.command import main

if __name__ == "__main__":
    sys.exit(main())
