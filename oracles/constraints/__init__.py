"""How are programs in SMT-LIB2 judged?"""
