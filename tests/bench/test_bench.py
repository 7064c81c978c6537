"""The benchmarks themselves: that their figures can be believed, not what the figures are."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from websockets.asyncio.server import ServerConnection, serve

from server import compiling
from server.bench import catalogue, databases, latency, moves, processes, production, rules
from server.bench.figures import Bar, BenchError, Figure, StoppedError, median, percentile
from server.bench.players import QUESTION, Echoed, Guest, Tally
from server.bench.wire import Wire
from server.commands.bench import bench
from server.commands.console import CommandError
from server.games import rulesets

STATE = {"t": "state", "attempt": "a", "seq": 0, "legal": ["s"], "over": None}
PLAYED = {"t": "played", "attempt": "a", "seq": 1, "legal": ["s"], "over": None}


@pytest.fixture
async def answering() -> AsyncIterator[Any]:
    """Serve what a test tells it to answer; gives the address."""
    replies: list[dict[str, Any] | str] = []

    async def answer(socket: ServerConnection) -> None:
        async for _ in socket:
            reply = replies.pop(0)
            await socket.send(reply if isinstance(reply, str) else json.dumps(reply))

    async with serve(answer, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/", replies


def test_a_bar_is_held_from_its_side() -> None:
    assert Bar(0.4, 0.75).holds(0.4, lenient=False)
    assert not Bar(0.4, 0.75).holds(0.39, lenient=False)
    assert Bar(3, 1.5, at_least=False).holds(3, lenient=False)
    assert not Bar(3, 1.5, at_least=False).holds(3.1, lenient=False)


def test_a_smoke_judges_no_speed_but_sees_what_is_absurd() -> None:
    assert Bar(0.4, 0.75).holds(0.15, lenient=True)
    assert not Bar(0.4, 0.75).holds(0.05, lenient=True)
    assert not Bar(3, 1.5, at_least=False).holds(30, lenient=True)


def test_a_figure_below_its_bar_says_so() -> None:
    figure = Figure("moves", "90 us", "20 us", 0.2, "of the echo", Bar(0.4, 0.75))
    assert figure.line(lenient=False).endswith("BELOW THE BAR")
    assert "baseline 20 us" in figure.line(lenient=False)


def test_no_values_have_no_middle() -> None:
    assert median([3, 1, 2]) == 2
    assert percentile(list(range(100)), 0.99) == 99
    with pytest.raises(BenchError):
        median([])
    with pytest.raises(BenchError):
        percentile([], 0.5)


def test_the_processor_time_of_all_threads_is_read() -> None:
    before = processes.cpu_s(os.getpid())
    began = time.process_time()
    while time.process_time() < began + 0.1:
        sum(range(1000))
    assert 0.1 <= processes.cpu_s(os.getpid()) - before <= 0.5
    assert processes.resident(os.getpid()) > 10 * 1024 * 1024


def test_a_question_is_as_long_as_it_should_be() -> None:
    assert len(QUESTION) == 60


async def test_frames_of_every_length_cross_the_wire(answering: Any) -> None:
    url, replies = answering
    for size in (1, 125, 126, 400, 65_535, 65_536):
        replies.append("x" * size)
    wire = await Wire.connect(url)
    got: asyncio.Queue[bytes] = asyncio.Queue()
    wire.on_frame = got.put_nowait
    for size in (1, 125, 126, 400, 65_535, 65_536):
        wire.send(b"q" * min(size, 4000))
        assert len(await asyncio.wait_for(got.get(), 60)) == size
    wire.abort()


async def test_an_echo_is_counted_frame_by_frame(answering: Any) -> None:
    url, replies = answering
    replies += ["e"] * 3
    tally = Tally(3)
    (await Echoed.connect(url)).play(3, tally)
    await tally.wait()
    assert replies == []


@pytest.mark.parametrize(
    "answer",
    [
        {**PLAYED, "seq": 3},
        {**PLAYED, "attempt": "b"},
        {"t": "rejected", "attempt": "a", "seq": 0, "code": "move/illegal"},
        {"t": "error", "code": "try_later", "message": ""},
    ],
)
async def test_a_move_that_is_not_acknowledged_ends_the_measurement(answering: Any, answer: dict[str, Any]) -> None:
    url, replies = answering
    replies += [{"t": "welcome", "v": 1}, STATE, PLAYED, answer]
    guest = await Guest.connect(url, "token", 0)
    await guest.practice("pyramid", "0" * 32)
    tally = Tally(2)
    guest.play(2, tally)
    with pytest.raises(BenchError):
        await tally.wait()
    assert guest.acknowledged == 1


async def test_a_player_without_attempts_ends_the_measurement(answering: Any) -> None:
    url, replies = answering
    replies += [{"t": "welcome", "v": 1}, STATE, {**PLAYED, "over": "won", "legal": []}]
    guest = await Guest.connect(url, "token", 0)
    await guest.practice("pyramid", "0" * 32)
    tally = Tally(2)
    guest.play(2, tally)
    with pytest.raises(BenchError, match="ran out"):
        await tally.wait()


async def test_latency_counts_from_the_instant_at_which_a_frame_was_due() -> None:
    ledger = latency.Ledger(1)
    latency.Shot(time.perf_counter() - 1, ledger).answered()
    await ledger.wait()
    assert ledger.latencies[0] >= 1


@pytest.mark.parametrize("key", list(rulesets()))
def test_games_for_the_rules_benchmark_are_played_and_coded_again(key: str) -> None:
    game = rules.game(rulesets()[key], 1)
    assert len(game.moves) == len(game.asked) == len(game.answers) >= 5
    assert [answer.move for answer in game.answers] == list(game.moves)
    rules.replayed([game])
    rules.recoded([game])


async def test_moves_are_measured_on_a_real_server() -> None:
    said: list[str] = []
    load = moves.Load(sockets=3, frames=4, rounds=1, attempts=2)
    async with databases.sqlite() as url:
        (figure,) = await moves.run(url, load, Bar(0.4, 0.75), said.append)
    assert 0 < figure.judged < 20
    assert len(said) == 2


def test_the_command_names_what_there_is() -> None:
    command = [sys.executable, "-c", "from server.cli import main; main()", "bench", "s99"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert told.returncode == 2
    assert re.search(r"s1, s2, s3, s5, s6, s8, s10", told.stderr)


def test_a_benchmark_says_what_it_measures() -> None:
    command = [sys.executable, "-c", "from server.cli import main; main()", "bench", "s5", "--smoke"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert told.stdout.splitlines()[0] == "measured: interpreted code (a smoke judges no speed)"


def test_code_is_measured_as_it_stands_where_it_cannot_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "obstacle", lambda: "no C compiler")
    because = production.interpreted_because
    assert because(smoke=False, interpreted=False) == "no C compiler"
    assert because(smoke=False, interpreted=True) == "as asked"
    monkeypatch.setattr(compiling, "obstacle", lambda: None)
    assert because(smoke=False, interpreted=False) is None


def test_a_compiled_copy_runs_the_command_and_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    def copy(folder: Path) -> None:
        made.append(folder)
        (folder / "server").symlink_to(Path(production.__file__).parents[1])

    monkeypatch.setattr(compiling, "compiled_copy", copy)
    assert production.run_compiled(["bench", "s99"]) == 2
    assert made
    assert not made[0].exists()


@pytest.mark.parametrize(("error", "tried"), [(BenchError("no database"), 2), (StoppedError("stopped"), 1)])
def test_one_that_cannot_be_measured_keeps_no_other_from_it(
    monkeypatch: pytest.MonkeyPatch, error: BenchError, tried: int
) -> None:
    names: list[str] = []

    def run(name: str, **_: object) -> bool:
        names.append(name)
        raise error

    monkeypatch.setattr(catalogue, "run", run)
    monkeypatch.setattr(catalogue, "BENCHMARKS", {"s1": None, "s2": None})
    with pytest.raises(CommandError) as complaint:
        bench("all", smoke=True)
    assert len(names) == tried
    assert str(complaint.value) in ("not measured: s1, s2", "s1: stopped")


def test_a_copy_that_cannot_be_made_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def copy(_: Path) -> None:
        raise compiling.CompileError("the compiler is unwell")

    monkeypatch.setattr(compiling, "compiled_copy", copy)
    with pytest.raises(BenchError, match="unwell"):
        production.run_compiled(["bench", "s5"])


def test_a_stopped_benchmark_leaves_no_server_behind() -> None:
    command = [sys.executable, "-c", "from server.cli import main; main()", "bench", "s1", "--smoke"]
    with subprocess.Popen(command, cwd=Path(__file__).parents[2], stderr=subprocess.PIPE, text=True) as bench:
        children: list[psutil.Process] = []
        while len(children) < 2 and bench.poll() is None:
            children = psutil.Process(bench.pid).children()
        bench.send_signal(signal.SIGTERM)
        _, said = bench.communicate(timeout=60)
    assert "stopped" in said
    assert bench.returncode == 1
    assert [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE] == []
