"""Uses a Music Assistant with its own client, and prints what happened: use_music_assistant.py ADDRESS TOKEN URL."""

import asyncio
import json
import sys
import time

from music_assistant_client import MusicAssistantClient
from music_assistant_models.enums import EventType
from music_assistant_models.errors import AuthenticationFailed, MusicAssistantError

address, token, url = sys.argv[1:]


async def rejects_wrong_token() -> bool:
    try:
        await MusicAssistantClient(address, None, token="wrong").connect()
    except AuthenticationFailed:
        return True
    return False


async def main() -> None:
    report = {"rejectsWrongToken": await rejects_wrong_token()}
    async with MusicAssistantClient(address, None, token=token) as client:
        ready = asyncio.Event()
        listening = asyncio.create_task(client.start_listening(ready))
        await ready.wait()
        report["players"] = {p.player_id: p.available for p in client.players}
        states: list[tuple[str, int | None]] = []
        client.subscribe(
            lambda event: states.append((event.data["playback_state"], event.data["volume_level"])),
            EventType.PLAYER_UPDATED,
            "kitchen",
        )
        for player in ("away", "kitchen"):
            start = time.monotonic()
            await client.players.play_announcement(
                player, url, pre_announce=False, volume_level=40
            )
            report[f"{player}Seconds"] = time.monotonic() - start
        report["states"] = states
        playing = asyncio.create_task(client.players.play_announcement("kitchen", url))
        await asyncio.sleep(0.5)
        await client.player_queues.stop("kitchen")
        report["stopped"] = client.players["kitchen"].playback_state
        await playing
        try:
            await client.players.play_announcement("rejects", url)
        except MusicAssistantError as error:
            report["rejection"] = f"{type(error).__name__}: {error}"
        await client.disconnect()
        await listening
    print(json.dumps(report))


asyncio.run(main())
