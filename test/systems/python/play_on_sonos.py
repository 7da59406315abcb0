"""Plays addresses on the Sonos player of this machine with sonos-websocket and with aiosonos. Prints what it reports, as JSON."""

import asyncio
import json
import sys

import aiohttp
from aiosonos.api import SonosLocalWebSocketsApi
from aiosonos.api.models import AudioClipType
from aiosonos.utils import get_discovery_info
from sonos_websocket import SonosWebsocket

host = "127.0.0.1"
first, second = sys.argv[1:]
limit = 20


async def play_with_aiosonos(url: str) -> dict:
    """Follows a clip from its start to its end."""
    async with aiohttp.ClientSession() as session:
        info = await get_discovery_info(session, host)
        api = SonosLocalWebSocketsApi(info["websocketUrl"], session)
        await api.connect()
        listening = asyncio.create_task(api.start_listening())
        player = info["playerId"]
        states: list[str] = []
        done = asyncio.Event()

        def note(event: dict) -> None:
            states.extend(clip["status"] for clip in event["audioClips"])
            if states[-1] == "DONE":
                done.set()

        await api.audio_clip.subscribe(player, note)
        volume = await api.player_volume.get_volume(player)
        clip = await api.audio_clip.load_audio_clip(
            player, "Test", "org.example.test", url, clip_type=AudioClipType.CUSTOM
        )
        async with asyncio.timeout(limit):
            await done.wait()
        groups = await api.groups.get_groups(info["householdId"])
        await api.disconnect()
        listening.cancel()
        names = [member["name"] for member in groups["players"]]
        return {"states": states, "volume": volume["volume"], "id": bool(clip["id"]), "players": names}


async def cancel_with_sonos_websocket(url: str) -> dict:
    """Begins a clip and cancels it."""
    player = SonosWebsocket(host, timeout=limit)
    await player.connect()
    header, clip = await player.play_clip(url, volume=70)
    await asyncio.sleep(0.5)
    cancelled, _ = await player.cancel_clip(clip["id"])
    again, error = await player.cancel_clip(clip["id"])
    await player.close()
    return {
        "played": header["success"],
        "cancelled": cancelled["success"],
        "again": again["success"],
        "error": error["errorCode"],
    }


async def main() -> None:
    report = {
        "aiosonos": await play_with_aiosonos(first),
        "sonos-websocket": await cancel_with_sonos_websocket(second),
    }
    print(json.dumps(report))


asyncio.run(main())
