"""oracle-factory for Python: six functions, which import what they need when they are called, and the command line.

`judge` finds the program that stands for each word problem, `audit` what is wrong in a data set, `verify` the wrong line of a
solution, `verify_many` of many, `validate` whether a problem can be solved, `validate_many` whether many can.
"""

from harness.errors import HarnessError
from oracle_factory.functions import audit, judge, validate, validate_many, verify, verify_many

__all__ = ["HarnessError", "audit", "judge", "validate", "validate_many", "verify", "verify_many"]
__version__ = "0.2.0"
