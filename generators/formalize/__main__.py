"""Run `python -m generators.formalize`."""

import sys

from generators.formalize.command import main

if __name__ == "__main__":
    sys.exit(main())
