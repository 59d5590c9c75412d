"""How are constraint problems made?"""
