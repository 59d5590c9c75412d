"""Language models as judges: one way to ask a model, local or remote, for the JSON or the label of a task."""
