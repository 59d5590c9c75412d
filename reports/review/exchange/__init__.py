"""How do decisions go to other programs and other machines, and come back?"""
