"""How often a fault test breaks things: a smoke on every change, the gate before a release, the soak overnight."""

import os

VARIABLE = "SAMEDEAL_TEST_FAULTS"


def rounds(gate: int, soak: int, *, smoke: int | None = None) -> int:
    """How many rounds to run: `gate`, `soak`, or by default the smoke, a tenth of the gate (rounded up)."""
    scale = os.environ.get(VARIABLE, "smoke")
    chosen = {"smoke": -(-gate // 10) if smoke is None else smoke, "gate": gate, "soak": soak}
    if scale not in chosen:
        raise ValueError(f"{VARIABLE} is {scale!r}; it must be smoke, gate or soak")
    return chosen[scale]
