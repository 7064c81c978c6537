"""Attempts as folds of their logs, and the one ranking function. Pure: no clock, no randomness, no I/O."""
