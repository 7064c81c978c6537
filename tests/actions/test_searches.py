"""Searches in processes of their own: bounded, in order of need, ended when nobody waits, gone with the server."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import psutil
import pytest

from server.actions import searches as module
from server.actions.searches import Searches
from server.errors import GameError
from server.metrics import Metrics

Pause = Callable[[], None]


def endless(pause: Pause, begun: str | None = None) -> None:
    """A search that ends only when it is told to, and says at a pipe that it has begun."""
    if begun is not None:
        Path(begun).write_text("begun")
    while True:
        pause()


def noted(pause: Pause, path: str, name: str) -> int:
    """A search that writes its name down; the process that did it."""
    with Path(path).open("a") as file:
        file.write(name)
    return os.getpid()


def failing(pause: Pause) -> None:
    """A search with a fault."""
    raise ZeroDivisionError("a fault")


def refusing(pause: Pause) -> None:
    """A search that refuses."""
    raise GameError("ruleset/unknown", "no such ruleset")


@pytest.fixture
async def searches() -> AsyncIterator[Searches]:
    running = Searches(Metrics(), processes=1)
    yield running
    await running.close()


async def begun(searches: Searches, folder: Path) -> "asyncio.Task[None]":
    """A search that is under way and does not end by itself."""
    pipe = folder / "begun"
    os.mkfifo(pipe)
    task = asyncio.get_running_loop().create_task(searches.run("somebody", partial(endless, begun=str(pipe))))
    await asyncio.to_thread(pipe.read_text)
    return task


async def test_nothing_runs_before_the_first_search(searches: Searches, tmp_path: Path) -> None:
    before = {child.pid for child in psutil.Process().children()}
    assert not searches.started
    pid = await searches.run("somebody", partial(noted, path=str(tmp_path / "order"), name="a"))
    assert pid not in before
    assert pid in {child.pid for child in psutil.Process().children(recursive=True)}


async def test_the_urgent_ones_come_first(searches: Searches, tmp_path: Path) -> None:
    path = str(tmp_path / "order")
    blocking = await begun(searches, tmp_path)
    waiting = [
        asyncio.ensure_future(searches.run(name, partial(noted, path=path, name=name), urgent=name.isupper()))
        for name in "abAcB"
    ]
    await asyncio.sleep(0)
    blocking.cancel()
    await asyncio.gather(*waiting)
    assert await asyncio.to_thread(Path(path).read_text) == "ABabc"


async def test_what_waits_is_bounded_in_all_and_for_each(
    searches: Searches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAITING", 6)
    blocking = await begun(searches, tmp_path)
    waiting = [asyncio.ensure_future(searches.run("one", endless)) for _ in range(module.OF_ONE)]
    await asyncio.sleep(0)
    with pytest.raises(GameError, match="too many") as refused:
        await searches.run("one", endless)
    assert (refused.value.code, refused.value.retry_after_s) == ("try_later", 2)
    waiting += [asyncio.ensure_future(searches.run("two", endless)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(GameError, match="too many"):
        await searches.run("three", endless)
    for search in (blocking, *waiting):
        search.cancel()
    await asyncio.gather(blocking, *waiting, return_exceptions=True)
    assert searches._owned == {}


async def test_a_search_that_nobody_waits_for_ends_in_the_middle(searches: Searches, tmp_path: Path) -> None:
    blocking = await begun(searches, tmp_path)
    blocking.cancel()
    # The only process is free again, or this would never come to its turn.
    assert await searches.run("somebody", partial(noted, path=str(tmp_path / "order"), name="a"))


async def test_faults_and_refusals_come_back(searches: Searches) -> None:
    with pytest.raises(ZeroDivisionError):
        await searches.run("somebody", failing)
    with pytest.raises(GameError, match="no such ruleset"):
        await searches.run("somebody", refusing)


async def test_a_process_that_dies_is_followed_by_another(searches: Searches, tmp_path: Path) -> None:
    work = partial(noted, path=str(tmp_path / "order"), name="a")
    pid = await searches.run("somebody", work)
    blocking = await begun(searches, tmp_path)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(GameError, match="cut off"):
        await blocking
    assert await searches.run("somebody", work) != pid


async def test_the_processes_end_when_nobody_searches(
    searches: Searches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE_S", 0.0)
    work = partial(noted, path=str(tmp_path / "order"), name="a")
    process = psutil.Process(await searches.run("somebody", work))
    await asyncio.to_thread(process.wait, 20)
    assert not searches.started
    assert await searches.run("somebody", work) != process.pid


async def test_closing_tells_who_waits_and_leaves_no_process(tmp_path: Path) -> None:
    searches = Searches(Metrics(), processes=1)
    work = partial(noted, path=str(tmp_path / "order"), name="a")
    process = psutil.Process(await searches.run("somebody", work))
    running = await begun(searches, tmp_path)
    waiting = asyncio.ensure_future(searches.run("somebody", work))
    await asyncio.sleep(0)
    await searches.close()
    for search in (running, waiting):
        with pytest.raises(GameError) as refused:
            await search
        assert refused.value.code == "try_later"
    assert not process.is_running()
    with pytest.raises(GameError, match="too many"):
        await searches.run("somebody", work)
