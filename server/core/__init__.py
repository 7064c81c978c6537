"""Cards, decks, positions and the Rules base class: a pure library without clock, randomness or I/O."""
