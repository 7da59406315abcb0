"""Streams recognition with a plugin of livekit-agents: transcribe_with_livekit.py URL TURN PLUGIN."""

import asyncio
import sys

from livekit import rtc
from livekit.agents import stt
from livekit.agents.utils import http_context
from livekit.plugins import inworld, openai
from talking import RATE, Microphone, report


def create_recognition(url: str, plugin: str) -> stt.STT:
    if plugin == "openai":
        return openai.STT(base_url=f"{url}/v1", api_key="any", use_realtime=True)
    return inworld.STT(base_url=url, api_key="any", model="svc/svc-stt-1")


async def main(url: str, plugin: str) -> None:
    microphone = Microphone()
    async with http_context.open():
        recognition = create_recognition(url, plugin)
        stream = recognition.stream()
        reading = asyncio.create_task(read(stream, microphone))
        async for piece in microphone.pieces():
            stream.push_frame(rtc.AudioFrame(piece, RATE, 1, len(piece) // 2))
        reading.cancel()
        await stream.aclose()
        await recognition.aclose()


async def read(stream: stt.RecognizeStream, microphone: Microphone) -> None:
    try:
        async for event in stream:
            if event.type == stt.SpeechEventType.INTERIM_TRANSCRIPT:
                report({"type": "interim", "text": event.alternatives[0].text})
            elif event.type == stt.SpeechEventType.FINAL_TRANSCRIPT:
                microphone.note("final", text=event.alternatives[0].text)
    except Exception as error:
        report({"type": "problem", "text": str(error)})


asyncio.run(main(sys.argv[1], sys.argv[3]))
