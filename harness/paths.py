"""The folders that the project reads and writes outside its packages."""

import os
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHECKOUT = (ROOT / "Makefile").is_file() and (ROOT / "pyproject.toml").is_file()
"""Whether the root is the project's folder, and not that of the packages of an environment."""
LONGEST_PATH = 1_000


def given_paths(arguments: Iterable[str], *, packages: bool) -> list[Path]:
    """Return the paths that the arguments of a session of pytest name; with `packages`, for `--pyargs`, those of our packages, too."""
    names = [argument.partition("::")[0] for argument in arguments]
    if packages:
        names += [str(ROOT / name.replace(".", "/")) for name in names]
        names += [f"{name}.py" for name in names]
    return [Path(name).resolve() for name in names if len(name) < LONGEST_PATH]


def cache_folder() -> Path:
    """Return the folder for embeddings, unpacked weights and tokenised data.

    It is `$ORACLE_FACTORY_CACHE`, else `.cache` in the project's folder, or of an installed package the user's folder of caches.
    """
    if named := os.environ.get("ORACLE_FACTORY_CACHE"):
        return Path(named)
    if CHECKOUT:
        return ROOT / ".cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "oracle-factory"


def data_folder() -> Path:
    """Return the folder of real data: `$SHARED_DATA`, else `../shared/data` beside the root."""
    return Path(os.environ.get("SHARED_DATA") or ROOT.parent / "shared" / "data")
