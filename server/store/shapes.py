"""Shapes: what all boards of one kind have in common (DESIGN 7)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import ColumnElement, FromClause, Select, Subquery

from server.store.cursors import Place
from server.store.tallies import SEASON_WIDTH, bucket, lowest

#: What orders rows with equal keys.
TIES: Final = ("finished_at", "attempt")

Line = TypeVar("Line")
Row = Mapping[str, Any]
Conditions = tuple[ColumnElement[bool], ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """The tallies of a ladder. ``klass`` says that the first key is the class, and the second the one in buckets."""

    board: str
    lanes: tuple[int, ...]
    klass: bool = False

    def bucket(self, key: int) -> int:
        """The bucket of the first key in buckets."""
        return key // SEASON_WIDTH if self.board == "season" else bucket(key)

    def lowest(self, number: int) -> int:
        """The least key in a bucket."""
        return number * SEASON_WIDTH if self.board == "season" else lowest(number)


@dataclass(frozen=True, slots=True, eq=False)
class Shape(Generic[Line]):
    """What all boards of one kind have in common; their statements are put together once for each shape.

    ``lanes`` are conditions on ``source`` that together choose its rows, each those of one range of an index whose
    columns are the keys and the ties; without tallies they may choose any. ``show`` gives places, a subquery of these
    columns, all that ``line`` needs; it must keep their columns.
    """

    name: str
    source: FromClause
    keys: tuple[str, ...]
    lanes: tuple[Conditions, ...]
    counted: Counted | None
    show: Callable[[Subquery], Select[*tuple[Any, ...]]]
    line: Callable[[int, Row], Line]

    @property
    def order(self) -> tuple[str, ...]:
        """The columns of a place: no two rows are equal in all."""
        return (*self.keys, *TIES)

    @property
    def ranked_by(self) -> tuple[str, ...]:
        """The keys but the class."""
        return self.keys[1:] if self.counted is not None and self.counted.klass else self.keys

    def columns(self, names: Sequence[str]) -> list[ColumnElement[Any]]:
        """Columns of the source by name."""
        return [self.source.c[name] for name in names]

    def place(self, row: Row) -> Place:
        """Where a row stands."""
        return tuple(int(row[name]) for name in self.order)
