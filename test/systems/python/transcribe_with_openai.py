"""Streams recognition with the package openai: transcribe_with_openai.py URL TURN."""

import asyncio
import base64
import sys

from openai import AsyncOpenAI
from talking import Microphone, report

TYPE = "conversation.item.input_audio_transcription"


async def main(url: str) -> None:
    client = AsyncOpenAI(
        api_key="any",
        base_url=f"{url}/v1",
        websocket_base_url=f"{url.replace('http', 'ws')}/v1",
    )
    microphone = Microphone()
    audio = {"input": {"transcription": {"model": "gpt-4o-transcribe", "language": "en"}}}
    async with client.realtime.connect(extra_query={"intent": "transcription"}) as connection:
        await connection.session.update(session={"type": "transcription", "audio": audio})
        reading = asyncio.create_task(read(connection, microphone))
        async for piece in microphone.pieces():
            await connection.input_audio_buffer.append(audio=base64.b64encode(piece).decode())
        reading.cancel()


async def read(connection, microphone: Microphone) -> None:
    async for event in connection:
        if event.type == f"{TYPE}.delta":
            report({"type": "interim", "text": event.delta})
        elif event.type == f"{TYPE}.completed":
            microphone.note("final", text=event.transcript)
        elif event.type == "error":
            report({"type": "problem", "text": event.error.message})


asyncio.run(main(sys.argv[1]))
