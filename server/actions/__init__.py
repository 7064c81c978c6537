"""One function per thing a person can do: the only place where rules, store and news meet."""
