"""Holds a conversation with the package openai: converse_with_openai.py URL TURN."""

import asyncio
import base64
import sys

from openai import AsyncOpenAI
from talking import RATE, Microphone, Speaker, report

TOOLS = [{"type": "function", "name": "light"}]


async def main(url: str) -> None:
    client = AsyncOpenAI(
        api_key="any",
        base_url=f"{url}/v1",
        websocket_base_url=f"{url.replace('http', 'ws')}/v1",
    )
    microphone = Microphone()
    async with client.realtime.connect(model="gpt-realtime") as connection:
        await connection.session.update(session={"type": "realtime", "tools": TOOLS})
        report({"type": "ready"})
        responding = asyncio.create_task(respond(connection, Speaker(microphone)))
        async for piece in microphone.pieces():
            await connection.input_audio_buffer.append(audio=base64.b64encode(piece).decode())
        responding.cancel()


async def respond(connection, speaker: Speaker) -> None:
    message = ""
    async for event in connection:
        report(event.to_dict(mode="json"))
        if event.type == "response.output_audio.delta":
            message = event.item_id
            speaker.play(len(base64.b64decode(event.delta)) / 2 / RATE)
        elif event.type == "input_audio_buffer.speech_started" and speaker.is_playing:
            heard_ms = int(speaker.clear() * 1000)
            await connection.conversation.item.truncate(
                item_id=message, content_index=0, audio_end_ms=heard_ms
            )
        elif event.type == "response.function_call_arguments.done":
            result = {"call_id": event.call_id, "output": "the light is on"}
            await connection.conversation.item.create(
                item={"type": "function_call_output", **result}
            )
        elif event.type == "response.done":
            speaker.finish()
            if is_call(event.response.output):
                await connection.response.create()
        elif event.type == "response.output_audio_transcript.done":
            report({"type": "said", "text": event.transcript})
        elif event.type == "error":
            report({"type": "problem", "text": event.error.message})


def is_call(output: list | None) -> bool:
    return bool(output) and output[-1].type == "function_call"


asyncio.run(main(sys.argv[1]))
