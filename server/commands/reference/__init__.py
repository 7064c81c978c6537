"""The generated parts of docs/: what the code knows already is written by the code, examples are played."""
