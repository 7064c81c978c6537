"""Samedeal: a competitive solitaire server where everybody gets the same deal."""

__version__ = "0.1.0"
