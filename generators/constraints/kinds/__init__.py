"""The kinds of constraint problems: functions that draft one problem and are registered with their domains."""
