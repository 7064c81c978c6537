"""News for those who are connected: hints that something changed, never the truth itself."""
