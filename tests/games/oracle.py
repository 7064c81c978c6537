"""The rules written down a second time: plainly, slowly, with card texts and lists, and sharing no code with the first.

Two programs that agree on every move of thousands of games are unlikely to be wrong in the same way.
"""

from collections.abc import Sequence
from itertools import product

ORDER = "A23456789TJQK"
PYRAMID_KEYS = ("pyramid", "pyramid-3", "pyramid-open", "pyramid-cover")
THIRTEEN_KEYS = ("thirteen", "thirteen-3", "thirteen-strict")
BAKER_KEYS = ("bakers-dozen", "bakers-dozen-kings", "bakers-dozen-classic")
SQUARE_KEYS = ("foursquare", "foursquare-all")
KEYS = (*PYRAMID_KEYS, *THIRTEEN_KEYS, *BAKER_KEYS, *SQUARE_KEYS)

#: p1 has row 1; the cells below cell n of row r are n + r and n + r + 1.
ROW_OF = {n: next(r for r in range(1, 8) if n <= r * (r + 1) // 2) for n in range(1, 29)}


def value(card: str) -> int:
    """1 for an ace to 13 for a king."""
    return ORDER.index(card[0].upper()) + 1


class Oracle:
    """One table of one ruleset; ``play`` changes it. ``over`` is None, "won" or "lost"; stuck is just no legal move."""

    def __init__(self, key: str, cards: Sequence[str]) -> None:
        self.key = key
        self.piles: dict[str, list[str]] = {}
        self.over: str | None = None
        if key in BAKER_KEYS:
            self._deal_baker(cards)
        elif key in SQUARE_KEYS:
            self.piles = {c + r: [] for c in "abcdefg" for r in "1234567"}
            self.piles |= {"d4": [cards[0]], "h": [cards[1]], "s": [c.lower() for c in reversed(cards[2:])]}
        else:
            self.wastes = ["w1", "w2", "w3"] if key.endswith("-3") else ["w1"]
            self.piles = {f"p{n}": [cards[n - 1]] for n in range(1, 29)} | {name: [] for name in ["f", *self.wastes]}
            self.piles["s"] = [c if key == "pyramid-open" else c.lower() for c in reversed(cards[28:])]

    def _deal_baker(self, cards: Sequence[str]) -> None:
        for column in range(13):
            dealt = [cards[row * 13 + column] for row in range(4)]
            if self.key != "bakers-dozen-kings":
                dealt = [c for c in dealt if c[0] == "K"] + [c for c in dealt if c[0] != "K"]
            self.piles[f"c{column + 1}"] = dealt
        self.piles |= {"fc": [], "fd": [], "fh": [], "fs": []}

    def legal(self) -> set[str]:
        """Every legal move."""
        if self.over:
            return set()
        if self.key in BAKER_KEYS:
            return {a + b for a, b in product(self.piles, self.piles) if self._baker_may(a, b)}
        if self.key in SQUARE_KEYS:
            return {name for name in self.piles if name not in "hs" and self._square_may(name)}
        singles = {n for n in self.piles if n != "s" and self._free(n) and value(self.piles[n][-1]) == 13}
        order = [*(f"p{n}" for n in range(1, 29)), *self.wastes, "s"]
        pairs = {a + b for i, a in enumerate(order) for b in order[i + 1 :] if self._pair(a, b)}
        waste_left = any(self.piles[w] for w in self.wastes)
        draw = {"s"} if self.piles["s"] or (waste_left and self.key in PYRAMID_KEYS) else set()
        return singles | pairs | draw

    def play(self, move: str) -> None:
        """Make a legal move."""
        if self.key in BAKER_KEYS:
            source, target = self._named(move)
            self.piles[target].append(self.piles[source].pop())
            if sum(len(self.piles[f]) for f in ("fc", "fd", "fh", "fs")) == 52:
                self.over = "won"
        elif self.key in SQUARE_KEYS:
            self._place(move)
        else:
            self._remove_or_draw(move)

    def _named(self, move: str) -> list[str]:
        return next([a, b] for a in self.piles for b in self.piles if a + b == move and a[-1].isdigit())

    # The pyramid.

    def _covers(self, n: int) -> list[str]:
        row = ROW_OF[n]
        return [f"p{m}" for m in (n + row, n + row + 1) if row < 7 and self.piles[f"p{m}"]]

    def _free(self, name: str) -> bool:
        """Whether the top card of the pile is available."""
        if not self.piles[name] or name == "f" or (name == "s" and self.key != "pyramid-open"):
            return False
        return name[0] != "p" or not self._covers(int(name[1:]))

    def _pair(self, a: str, b: str) -> bool:
        if not self.piles[a] or not self.piles[b] or value(self.piles[a][-1]) + value(self.piles[b][-1]) != 13:
            return False
        if self._free(a) and self._free(b):
            return True
        return self.key == "pyramid-cover" and a[0] == b[0] == "p" and self._covers(int(a[1:])) == [b] and self._free(b)

    def _remove_or_draw(self, move: str) -> None:
        piles = self.piles
        if move == "s" and piles["s"]:
            for waste in self.wastes:
                if piles["s"]:
                    piles[waste].append(piles["s"].pop().upper())
            if self.key == "thirteen-strict" and not piles["s"] and piles["p1"]:
                self.over = "lost"
        elif move == "s":
            again = [c for waste in self.wastes for c in piles[waste]]
            piles["s"] = [c if self.key == "pyramid-open" else c.lower() for c in reversed(again)]
            for waste in self.wastes:
                piles[waste] = []
        else:
            for name in [move] if move in piles else self._named(move):
                piles["f"].append(piles[name].pop())
            if not piles["p1"]:
                self.over = "won"

    # Baker's Dozen.

    def _baker_may(self, a: str, b: str) -> bool:
        if a[0] != "c" or a == b or not self.piles[a]:
            return False
        card, target = self.piles[a][-1], self.piles[b]
        if b[0] == "f":
            return card[1].lower() == b[1] and value(card) == len(target) + 1
        if not target:
            return self.key == "bakers-dozen-kings" and card[0] == "K"
        return value(target[-1]) == value(card) + 1 and (self.key == "bakers-dozen-classic" or target[-1][1] != card[1])

    # Foursquare.

    def _taken(self) -> list[str]:
        return [name for name, pile in self.piles.items() if name not in "hs" and pile]

    def _square_may(self, cell: str) -> bool:
        if self.piles[cell]:
            return len(self.piles[cell]) < 4
        after = [*self._taken(), cell]
        columns, rows = [ord(n[0]) for n in after], [int(n[1]) for n in after]
        beside = any(abs(ord(n[0]) - ord(cell[0])) + abs(int(n[1]) - int(cell[1])) == 1 for n in self._taken())
        return beside and max(columns) - min(columns) < 4 and max(rows) - min(rows) < 4

    def _place(self, cell: str) -> None:
        card = self.piles["h"].pop()
        self.piles[cell].append(card)
        for axis in (1, 0):  # cells of one row share the digit, cells of one column the letter
            line = [n for n in self._taken() if n[axis] == cell[axis] and n != cell]
            up = [value(self.piles[n][-1]) for n in line if self.piles[n][-1][1].isupper()]
            if all(value(card) > v for v in up) or all(value(card) < v for v in up):
                turning = [*line, cell] if self.key == "foursquare-all" and line else line
                for name in turning:
                    self.piles[name][-1] = self.piles[name][-1].swapcase()
        tops = [self.piles[n][-1] for n in self._taken()]
        down = sum(top[1].islower() for top in tops)
        if len(tops) == 16 and not down:
            self.over = "won"
        elif down > 4 or not self.piles["s"]:
            self.over = "lost"
        else:
            self.piles["h"].append(self.piles["s"].pop().upper())
