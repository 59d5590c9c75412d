"""How are edits of a question written so that a person could have written them?"""
