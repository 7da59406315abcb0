"""Streams speech with the package openai: speak_with_openai.py URL."""

import asyncio
import sys

from openai import AsyncOpenAI
from talking import RATE, SPOKEN_TEXT, SpeechReport


async def main(url: str) -> None:
    client = AsyncOpenAI(api_key="any", base_url=f"{url}/v1")
    report = SpeechReport()
    request = {"model": "tts-1", "voice": "alloy", "input": SPOKEN_TEXT, "response_format": "pcm"}
    async with client.audio.speech.with_streaming_response.create(**request) as response:
        async for piece in response.iter_bytes():
            report.add(len(piece) / 2 / RATE)
    report.end()


asyncio.run(main(sys.argv[1]))
