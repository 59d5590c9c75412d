"""Reading, checking and writing of SMT-LIB2 scripts without a solver."""
