"""Does a certificate hold from its record alone?"""
