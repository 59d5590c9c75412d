"""How could a line of a solution read if one thing in it were changed back?"""
