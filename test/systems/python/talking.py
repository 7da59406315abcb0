"""What the programs of the clients share: a microphone that never stops, and reports as lines of JSON."""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator

RATE = 24_000
PIECE_SECONDS = 0.1
PIECE_BYTES = int(RATE * PIECE_SECONDS) * 2
SPOKEN_TEXT = (
    "The harbour lay still. Two boats came in with the tide, and nobody had seen them before."
)


def report(event: dict) -> None:
    print(json.dumps(event), flush=True)


class Microphone:
    """Pieces of 100 ms, as fast as they are spoken: silence, and a turn after each line of the standard input."""

    def __init__(self) -> None:
        with open(sys.argv[2], "rb") as file:
            self._turn = file.read()
        self._waiting = b""
        self._spoken_at: float | None = None
        self.ended = asyncio.Event()

    async def pieces(self) -> AsyncIterator[bytes]:
        """Ends with the standard input."""
        reading = asyncio.create_task(self._read_commands())
        due = time.monotonic()
        while not reading.done():
            due += PIECE_SECONDS
            await asyncio.sleep(max(0, due - time.monotonic()))
            piece, self._waiting = self._waiting[:PIECE_BYTES], self._waiting[PIECE_BYTES:]
            if piece and not self._waiting:
                self._spoken_at = time.monotonic()
            yield piece.ljust(PIECE_BYTES, b"\0")
        self.ended.set()

    async def _read_commands(self) -> None:
        commands = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(commands), sys.stdin
        )
        while await commands.readline():
            self._waiting += self._turn

    def note(self, what: str, **facts: str) -> None:
        """Reports what follows the turn, and when: only once for each turn."""
        if self._spoken_at is None:
            return
        after_ms = round((time.monotonic() - self._spoken_at) * 1000)
        self._spoken_at = None
        report({"type": what, "afterMs": after_ms, **facts})


class Speaker:
    """Plays nothing, but as long as a speaker does. Reports when the sound begins and ends."""

    def __init__(self, microphone: Microphone) -> None:
        self._microphone = microphone
        self._started_at: float | None = None
        self._seconds = 0.0
        self._end: asyncio.TimerHandle | None = None

    @property
    def is_playing(self) -> bool:
        return self._started_at is not None

    def play(self, seconds: float) -> None:
        if self._started_at is None:
            self._started_at = time.monotonic()
            self._microphone.note("played")
        self._seconds += seconds

    def finish(self, when_played=lambda _seconds: None) -> None:
        """No more sound follows."""
        if self._started_at is None:
            return

        def end() -> None:
            when_played(self.clear())
            report({"type": "silent"})

        remaining = self._started_at + self._seconds - time.monotonic()
        self._end = asyncio.get_running_loop().call_later(max(0, remaining), end)

    def clear(self) -> float:
        """Stops the sound. Returns how many seconds of it were heard."""
        if self._end:
            self._end.cancel()
        heard = min(self._seconds, time.monotonic() - (self._started_at or 0))
        self._started_at, self._seconds, self._end = None, 0.0, None
        return heard


class SpeechReport:
    """Measures speech from now on."""

    def __init__(self) -> None:
        self._started_at = time.monotonic()
        self._first_ms: int | None = None
        self._seconds = 0.0
        self._words: list[str] = []

    def add(self, seconds: float, words: list[str] = []) -> None:
        if seconds > 0 and self._first_ms is None:
            self._first_ms = round((time.monotonic() - self._started_at) * 1000)
        self._seconds += seconds
        self._words += words

    def fail(self, reason: str) -> None:
        report({"type": "problem", "text": reason})

    def end(self) -> None:
        words = " ".join(word.strip() for word in self._words)
        facts = {"firstMs": self._first_ms, "seconds": self._seconds, "words": words}
        report({"type": "spoken", **facts})
