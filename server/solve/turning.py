"""Where a game was lost: the first move after which no win was possible, by the true order of the cards.

The log is followed as it was played, so an undo leads back to the earlier position and its verdict. Positions form a
tree: once one is lost, so is all behind it; while one can be won, so can all ahead of it. So few of them have to be
searched, and the move is found by halving. What a search leaves open is told as open.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from server.core.deck import shuffled
from server.core.moves import Move
from server.core.position import Position
from server.core.rules import Memo, Outcome, Rules
from server.games import ruleset
from server.games._pyramid_family import PyramidFamily
from server.play.attempt import ENDINGS, UNDO
from server.solve import Solution, solve
from server.solve.guidance import NODES, budget
from server.solve.solution import Budget

#: The families whose solvers prove losses.
FAMILIES: Final = ("pyramid", "thirteen", "bakers-dozen")
#: Nodes for all verdicts of one analysis together.
ALL_NODES: Final = 300_000
#: Nodes for the par of a deal, by family: a few seconds of one core.
PAR_NODES: Final[Mapping[str, int]] = MappingProxyType(
    {"pyramid": 150_000, "thirteen": 120_000, "bakers-dozen": 40_000, "foursquare": 10_000}
)

#: ``won`` and ``winnable``: the attempt was won, or could still be when it ended. ``lost``: a move lost it. ``never``:
#: the deal could not be won. ``undecided``: no search came to an end. ``untold``: of this game it is not told.
Fate = Literal["won", "winnable", "lost", "never", "undecided", "untold"]


class Turn(NamedTuple):
    """A move that lost the game; ``seq`` entries of the log lie ahead of it, and lead to where it could be won."""

    seq: int
    move: Move


class Deal(NamedTuple):
    """What is known of a deal, for any attempt at it."""

    winnable: bool | None
    par: int | None
    par_exact: bool
    score: int | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an attempt came to.

    ``lost`` is the move that lost it. Where that is known only in part, ``between`` gives the numbers of entries
    after the last position known as winnable (the deal itself where none is) and after the first known as lost.
    ``slips`` are losing moves that were taken back; ``slips_all`` says that no more of them can exist.
    """

    deal: Deal
    fate: Fate
    lost: Turn | None = None
    between: tuple[int, int] | None = None
    slips: tuple[Turn, ...] = ()
    slips_all: bool = True


def analysed(
    pause: Callable[[], None], key: str, version: int, seed: str, log: Sequence[str], deal: Deal | None
) -> Analysis:
    """The analysis of an attempt by its log. ``deal`` spares a second search where it is known already.

    Raises ``ruleset/unknown``, and what ``pause`` raises.
    """
    rules = ruleset(key, version)
    start = rules.deal(shuffled(seed, rules.deck))
    if deal is None:
        deal = _deal(solve(rules, start, budget(pause, PAR_NODES.get(rules.family, 0))))
    tree = Tree(rules, start, log)
    if rules.family not in FAMILIES:
        return Analysis(deal, "won" if rules.verdict(tree.last.position) is Outcome.WON else "untold")
    return Turning(rules, tree, budget(pause, ALL_NODES), pause).analysis(deal)


def _deal(found: Solution) -> Deal:
    return Deal(found.winnable, found.par, found.par_exact, found.score)


@dataclass(slots=True, eq=False)
class Node:
    """A position that was reached. ``seq`` is the place in the log of the move that led to it last."""

    position: Position
    parent: "Node | None"
    move: Move
    seq: int
    children: dict[Move, "Node"] = field(default_factory=dict)
    winnable: bool | None = None
    searched: bool = False


class Tree:
    """All positions of a log, each behind the one from which it was reached."""

    def __init__(self, rules: Rules, start: Position, log: Sequence[str]) -> None:
        self.root = node = Node(start, None, "", -1)
        #: Every position in the order in which it was reached first.
        self.nodes = [node]
        for seq, text in enumerate(log):
            if text in ENDINGS:
                break
            if text == UNDO:
                assert node.parent is not None, "a log holds no undo of nothing"
                node = node.parent
                continue
            following = node.children.get(text)
            if following is None:
                after = node.position.after(rules.steps(node.position, text))
                following = node.children[text] = Node(after, node, text, seq)
                self.nodes.append(following)
            following.seq = seq
            node = following
        #: Where the attempt ended.
        self.last = node


def path_to(node: Node) -> list[Node]:
    """The positions from the deal to a node."""
    path = [node]
    while (parent := path[-1].parent) is not None:
        path.append(parent)
    return path[::-1]


class Turning:
    """The verdicts on the positions of one attempt."""

    def __init__(self, rules: Rules, tree: Tree, nodes: Budget, pause: Callable[[], None]) -> None:
        """``nodes`` are those of all searches together."""
        self._rules = rules
        self._tree = tree
        self._nodes = nodes
        self._pause = pause
        self._memo: Memo = {}

    def analysis(self, deal: Deal) -> Analysis:
        """What the attempt came to, on a deal of which this is known."""
        root, last = self._tree.root, self._tree.last
        root.winnable, root.searched = deal.winnable, True
        path = path_to(last)
        won, lost = self._halved(path)
        slips = tuple(self._slips(path))
        slips_all = all(node.winnable is not None for node in self._tree.nodes)
        if self._rules.verdict(last.position) is Outcome.WON:
            fate: Fate = "won"
        elif lost == len(path):
            fate = "winnable" if won == lost - 1 else "undecided"
        else:
            fate = "lost" if lost else "never"
        turn = between = None
        if fate == "lost":
            if won == lost - 1:
                turn = Turn(path[lost].seq, path[lost].move)
            else:
                between = (path[max(won, 0)].seq + 1, path[lost].seq + 1)
        return Analysis(deal, fate, turn, between, slips, slips_all)

    def _slips(self, path: list[Node]) -> Iterator[Turn]:
        """Losing moves off the path that the attempt ended on, in the order in which they were made first."""
        on_path = set(map(id, path))
        for leaf in self._tree.nodes:
            if not leaf.children and id(leaf) not in on_path:
                self._halved(path_to(leaf))
        for node in self._tree.nodes:
            if id(node) not in on_path and node.winnable is False and node.parent is not None and node.parent.winnable:
                yield Turn(node.seq, node.move)

    def _halved(self, path: list[Node]) -> tuple[int, int]:
        """The places on a path of the last position known as winnable, -1 for none, and of the first known as lost.

        Its end and its beginning are looked at first, since they mostly settle it.
        """
        ends = [len(path) - 1, 0]
        while True:
            won = max((at for at, node in enumerate(path) if node.winnable), default=-1)
            lost = next((at for at, node in enumerate(path) if node.winnable is False), len(path))
            left = [at for at in range(won + 1, lost) if not path[at].searched]
            if not left:
                break
            self._search(path[next((at for at in ends if at in left), left[len(left) // 2])])
        for node in path[lost:]:
            node.winnable = False
        return won, lost

    def _search(self, node: Node) -> None:
        """Find out about one node, as far as the budget goes, and what follows from it for others."""
        self._pause()
        node.searched = True
        node.winnable, line = self._verdict(node.position)
        if node.winnable:
            ahead: Node | None = node
            while ahead is not None:
                ahead.winnable = True
                ahead = ahead.parent
            behind = node
            for move in line:  # as far as the line was played, it was right
                following = behind.children.get(move)
                if following is None:
                    break
                following.winnable = True
                behind = following

    def _verdict(self, position: Position) -> tuple[bool | None, tuple[Move, ...]]:
        rules = self._rules
        outcome = rules.outcome(position)
        if outcome is not Outcome.OPEN:
            return outcome is Outcome.WON, ()
        if isinstance(rules, PyramidFamily) and rules.turns_over:  # the order of the cards does not matter (P10)
            return rules.winnable(rules.view(position), self._memo, patient=True), ()
        if self._nodes.over:
            return None, ()
        searched = budget(self._pause, NODES[rules.family])
        found = solve(rules, position, searched, par=False)
        for _ in range(searched.nodes):
            self._nodes.take()
        return found.winnable, found.witness
