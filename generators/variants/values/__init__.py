"""Which other values could the quantities of a problem have, and what would follow from them?"""
