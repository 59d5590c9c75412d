"""What does a worked solution hold? Its template, evaluation trace, dependency graph and text."""
