"""What the whole suite shares: the services, loud skips, and fixed ways of Hypothesis."""

import os

from hypothesis import HealthCheck, settings

pytest_plugins = ("pytester", "tests.support.missing", "tests.support.services")

# Shared machines stall: a slow example is no failure. A failing example prints the line that repeats it.
settings.register_profile("default", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")
