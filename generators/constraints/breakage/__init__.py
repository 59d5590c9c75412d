"""How do models break programs in SMT-LIB2?"""
