"""Power loss: between the write of a move and its answer lies a completed fdatasync of the log (X2, DESIGN 1.5)."""

import re
import shutil
from pathlib import Path

import pytest

from tests.faults.served import served
from tests.support.missing import missing
from tests.support.scale import rounds

pytestmark = [pytest.mark.fault, pytest.mark.slow, pytest.mark.timeout(600)]

CALLS = "trace=pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg"


@pytest.fixture(scope="session")
def strace() -> str:
    """The program that shows system calls; skips where there is none."""
    return shutil.which("strace") or missing("strace", "install strace")


def unsynced_answers(trace: str) -> tuple[int, int]:
    """How many moves were answered, and how many of them without a sync of the log since the answer before.

    A call that another thread interrupts stands on two lines; it has happened at the second.
    """
    answers = unsynced = 0
    written = synced = False
    pending: dict[str, str] = {}
    for line in trace.splitlines():
        thread, _, call = line.partition(" ")
        call = call.strip()
        if call.endswith("<unfinished ...>"):
            pending[thread] = call
            if "played" not in call:
                continue
        elif call.startswith("<..."):
            call = pending.pop(thread, "") + call
            if "played" in call:
                continue  # counted when it began
        if re.match(r"pwrite64\(\d+<[^>]*-wal>", call):
            written, synced = True, False
        elif re.match(r"f(data)?sync\(\d+<[^>]*-wal>", call):
            synced = written
        elif '\\"played\\"' in call:
            answers += 1
            unsynced += not (written and synced)
            written = synced = False
    return answers, unsynced


async def traced(strace: str, url: str, folder: Path, moves: int, fault: str) -> tuple[int, int]:
    """Play that many moves one by one on a traced server."""
    trace = folder / "trace"
    before = (strace, "-f", "-y", "--seccomp-bpf", "-s", "160", "-e", CALLS, "-o", str(trace))
    async with served(url, folder, fault=fault, before=before) as server:
        player = await server.player(await server.guest())
        attempt = (await player.start("daily/today/pyramid"))["attempt"]
        for _ in range(moves):
            assert (await player.play(attempt, "s"))["t"] == "played"
        await player.close()
    return unsynced_answers(trace.read_text(errors="replace"))


async def test_x2_no_move_is_answered_before_the_log_is_on_the_disk(
    strace: str, sqlite_url: str, tmp_path: Path
) -> None:
    moves = rounds(500, 50_000)
    assert await traced(strace, sqlite_url, tmp_path, moves, "none") == (moves, 0)


async def test_x2_control_a_database_that_does_not_sync_is_caught(strace: str, sqlite_url: str, tmp_path: Path) -> None:
    answers, unsynced = await traced(strace, sqlite_url, tmp_path, 10, "commit-without-sync")
    assert answers == 10
    assert unsynced == 10


async def test_x2_control_an_answer_before_the_commit_is_caught(strace: str, sqlite_url: str, tmp_path: Path) -> None:
    answers, unsynced = await traced(strace, sqlite_url, tmp_path, 10, "answer-before-the-commit")
    assert answers == 10
    assert unsynced > 0
