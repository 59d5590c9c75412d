"""The provers of UT-3: paths, normal forms, renaming and SMT, and the comparison that asks them in order."""
