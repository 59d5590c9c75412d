"""How does a person explain why a problem is of its class?"""
