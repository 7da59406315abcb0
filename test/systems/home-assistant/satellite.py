"""A voice satellite that plays what Home Assistant sends on the sound server: satellite.py PORT."""

import asyncio
import sys

from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.event import Event
from wyoming.info import Attribution, Describe, Info, Satellite
from wyoming.ping import Ping, Pong
from wyoming.server import AsyncEventHandler, AsyncServer
from wyoming.snd import Played


class SatelliteHandler(AsyncEventHandler):
    player: asyncio.subprocess.Process | None = None

    async def handle_event(self, event: Event) -> bool:
        if Describe.is_type(event.type):
            await self.write_event(describe().event())
        elif Ping.is_type(event.type):
            await self.write_event(Pong(text=Ping.from_event(event).text).event())
        elif AudioStart.is_type(event.type):
            rate = AudioStart.from_event(event).rate
            command = f"pacat --raw --format=s16le --channels=1 --latency-msec=100 --rate={rate}"
            self.player = await asyncio.create_subprocess_exec(
                *command.split(), stdin=asyncio.subprocess.PIPE
            )
        elif AudioChunk.is_type(event.type) and self.player:
            self.player.stdin.write(AudioChunk.from_event(event).audio)
            await self.player.stdin.drain()
        elif AudioStop.is_type(event.type) and self.player:
            self.player.stdin.close()
            await self.player.wait()
            await self.write_event(Played().event())
        return True


def describe() -> Info:
    nobody = Attribution(name="", url="")
    return Info(
        satellite=Satellite(
            name="hall", description="hall", version="1", installed=True, attribution=nobody
        )
    )


server = AsyncServer.from_uri(f"tcp://127.0.0.1:{sys.argv[1]}")
asyncio.run(server.run(SatelliteHandler))
