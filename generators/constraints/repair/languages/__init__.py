"""Which constraint languages that models write are translated to SMT-LIB2?"""
