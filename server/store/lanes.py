"""Lanes: what a player was when a challenge opened. Boards can be read by lane (DESIGN 7).

An account stands on the boards of accounts only for challenges that opened after it was made: what somebody played as
a guest and claimed later does not enter them.
"""

from typing import Final, Literal

Who = Literal["all", "accounts", "bots"]

GUEST: Final = 0
ACCOUNT: Final = 1
BOT: Final = 2

#: The lanes of results that each filter shows.
LANES: Final[dict[Who, tuple[int, ...]]] = {"all": (GUEST, ACCOUNT, BOT), "accounts": (ACCOUNT,), "bots": (BOT,)}

#: The column ``who`` of the standings that each filter shows.
STANDINGS: Final[dict[Who, int]] = {"all": 0, "accounts": ACCOUNT, "bots": BOT}

#: The lane in SQL, of a player ``p`` and a challenge ``c``; :func:`lane_of` says the same.
LANE: Final = (
    "CASE WHEN p.kind = 'bot' THEN 2"
    " WHEN p.kind = 'account' AND coalesce(p.account_since, p.created_at) < c.opens_at THEN 1 ELSE 0 END"
)


def lane_of(kind: str, created_at: int, account_since: int | None, opens_at: int) -> int:
    """The lane of a player's result at a challenge that opened at an instant."""
    if kind == "bot":
        return BOT
    made = created_at if account_since is None else account_since
    return ACCOUNT if kind == "account" and made < opens_at else GUEST
