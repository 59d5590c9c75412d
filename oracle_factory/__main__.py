"""Entry point of `python -m oracle_factory`, for launchers that start a module, such as `accelerate launch`."""

import sys

from oracle_factory.command import main

if __name__ == "__main__":
    sys.exit(main())
