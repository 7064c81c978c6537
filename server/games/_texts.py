"""Sentences that the rules pages of several games share."""

from typing import Final

UNDO_COUNTED: Final = (
    "Undo as far back as the deal. Every undo counts as one move, gives no move back, and the clock runs on."
)
UNDO_NONE: Final = "There is no undo in ranked play: it would show the next card. In practice undo is free."
RANKED_BY_TIME: Final = (
    "# How it ranks",
    "Players who won come first: the shorter time wins, then the fewer moves. The board of moves turns this round.",
)
HONESTY: Final = (
    "# Fair play",
    (
        "Everybody gets the same deal. Its commitment is published before play and its seed after the close, so"
        " anybody can check that no card was changed. Bear in mind that an open daily can be solved by any solver,"
        " ours too: the board relies on players who enjoy finding the way themselves."
    ),
)
