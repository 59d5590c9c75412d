"""One module a stage: what it judges, keeps and hands on."""
