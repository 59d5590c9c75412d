"""What is a verifier taught with, at which level, and who may not be among it?"""
