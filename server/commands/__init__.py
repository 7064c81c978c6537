"""The commands of ``samedeal``, one small module each. Heavy imports stay inside the functions that need them."""
