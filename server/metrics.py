"""What the server counts (Prometheus). No label names a player, an attempt or an address."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """The counters of one application, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.entries = Counter(
            "samedeal_log_entries", "Log entries durably stored", ["ruleset", "kind"], registry=self.registry
        )
        self._stored: dict[tuple[str, str], Counter] = {}
        self.attempts_ended = Counter(
            "samedeal_attempts_ended", "Attempts that ended", ["ruleset", "outcome"], registry=self.registry
        )
        self.attempts_started = Counter(
            "samedeal_attempts_started", "Attempts that started", ["ruleset", "kind"], registry=self.registry
        )
        self.refused = Counter("samedeal_refused", "Requests refused, by code", ["code"], registry=self.registry)
        self.stock_deals = Gauge(
            "samedeal_stock_deals", "Certified deals in stock", ["ruleset", "difficulty"], registry=self.registry
        )
        self.stock_days = Gauge(
            "samedeal_stock_days", "Days for which the stock lasts", ["ruleset"], registry=self.registry
        )
        self.sockets = Gauge("samedeal_sockets", "Sockets that are connected", registry=self.registry)
        self.tables = Gauge("samedeal_tables", "Attempts held in memory", registry=self.registry)
        self.commit_seconds = Histogram(
            "samedeal_commit_seconds",
            "Time of one grouped commit",
            buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
            registry=self.registry,
        )
        self.commit_entries = Histogram(
            "samedeal_commit_entries",
            "Log entries in one grouped commit",
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
            registry=self.registry,
        )
        self.commit_failures = Counter(
            "samedeal_entries_failed", "Log entries that could not be stored", registry=self.registry
        )
        self.searches = Counter(
            "samedeal_searches",
            "Searches in processes of their own, by how they ended",
            ["outcome"],
            registry=self.registry,
        )
        self.searches_waiting = Gauge(
            "samedeal_searches_waiting", "Searches that wait for a process", registry=self.registry
        )
        self.faults = Counter("samedeal_faults", "Bugs that reached a client as internal", registry=self.registry)

    def stored(self, ruleset: str, kind: str) -> None:
        """Take note of one stored log entry; on the way of every move, so the counters are not looked up anew."""
        counter = self._stored.get((ruleset, kind))
        if counter is None:
            counter = self._stored[ruleset, kind] = self.entries.labels(ruleset, kind)
        counter.inc()

    def committed(self, entries: int, seconds: float) -> None:
        """Take note of one grouped commit."""
        self.commit_entries.observe(entries)
        self.commit_seconds.observe(seconds)

    def exposition(self) -> bytes:
        """The metrics as Prometheus reads them."""
        return generate_latest(self.registry)
