"""The audit of a data set of any form: solutions, labels, equations and SMT-LIB 2 programs."""
