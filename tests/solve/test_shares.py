"""Shares of deals that can be won agree with what is known."""

import pytest

from server.solve.shares import KNOWN, Share, share_of, winnable
from tests.games.helpers import amount

#: Deals by default; in a deep run as many as the known shares ask for.
DEALS = {
    "pyramid": 100,
    "pyramid-cover": 60,
    "thirteen": 30,
    "thirteen-3": 4,
    "thirteen-strict": 30,
    "bakers-dozen": 2,
    "bakers-dozen-classic": 3,
    "bakers-dozen-kings": 3,
}


@pytest.mark.parametrize("key", KNOWN)
@pytest.mark.timeout(10_000)
def test_the_share_of_a_sample_agrees(key: str) -> None:
    found = share_of(winnable(key, number) for number in range(amount(DEALS[key], KNOWN[key].deals)))
    assert found.agrees(KNOWN[key]), found


def test_a_share_that_is_far_off_does_not_agree() -> None:
    known = KNOWN["pyramid"]
    assert Share(1_338, 662, 0).agrees(known)
    assert not Share(1_238, 762, 0).agrees(known)
    assert not Share(1_438, 562, 0).agrees(known)
    assert Share(1_238, 662, 100).agrees(known)
    assert not Share(2_000, 0, 0).agrees(known)
