"""What in a problem's text speaks for or against its being solvable? A kind of evidence a module."""
