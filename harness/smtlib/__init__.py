"""How is SMT-LIB2 read, judged without a solver, and written?"""
