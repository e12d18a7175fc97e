"""Reports for people and programs, made from stored results. This package never starts an engine."""
