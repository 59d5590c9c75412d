"""What speaks against the words that a person gave a flawed solution?"""
