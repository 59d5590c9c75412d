"""What may a question lose, and is anything it needs missing then?"""
