"""Bounds in time that hold on a busy machine too."""

import time

#: Processor time of one measurement, in seconds.
_SAMPLE_S = 0.03


def busy() -> float:
    """How many times as long as on a machine of one's own work takes here just now; 1 where nobody else is at work."""
    began, worked = time.perf_counter(), time.process_time()
    while time.process_time() < worked + _SAMPLE_S:
        pass
    return max(1.0, (time.perf_counter() - began) / (time.process_time() - worked))
