"""The provers of UT-3: paths, normal forms, prime fields, renaming and SMT, and the comparison that asks them in order."""
