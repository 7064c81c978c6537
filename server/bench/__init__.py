"""``samedeal bench``: speeds of this server, each beside a baseline that is measured in the same run.

Absolute rates say more about a machine's mood than about the server, so every figure is a ratio of two measurements
that take turns, and the median of several turns counts (docs/benchmarks.md).
"""
