"""The entry point for pytest: loads the plugins of the suites in sessions that name a suite, and is silent in all others."""

import pytest

from harness.paths import ROOT, given_paths

SUITES = ("properties", "sft")


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Load the plugins if an argument is a suite: a package after `--pyargs`, or a path."""
    known = early_config.known_args_namespace
    given = given_paths(known.file_or_dir, packages=known.pyargs)
    if any({path, *path.parents} & {ROOT / suite for suite in SUITES} for path in given):
        for suite in SUITES:
            early_config.pluginmanager.import_plugin(f"{suite}.plugin")
