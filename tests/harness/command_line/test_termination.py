"""Tests of SIGTERM in processes that are forked."""

import subprocess
import sys

from harness.paths import ROOT

FORKED = """
import os, signal, sys, time
from harness.command_line.termination import leave_at_sigterm

# Hooks run in the order in which they were registered: the signal comes while the new process has its parent's handler.
os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGTERM))
leave_at_sigterm()
leave_at_sigterm()
child = os.fork()
if not child:
    time.sleep(1)
    os._exit(0)
_, status = os.waitpid(child, 0)
try:
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(1)
except KeyboardInterrupt:
    print(os.waitstatus_to_exitcode(status))
"""


def test_a_process_that_is_just_forked_ends_at_sigterm() -> None:
    """SIGTERM ends a forked process however early it comes, and raises KeyboardInterrupt in its parent after the fork, too."""
    ended = subprocess.run([sys.executable, "-c", FORKED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.returncode) == ("-15\n", 0), ended.stderr
