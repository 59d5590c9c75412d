"""The provers of UT-3: paths, normal forms, random points, renaming and SMT, and the comparison that asks them in order."""
