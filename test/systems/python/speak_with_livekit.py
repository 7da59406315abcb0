"""Streams speech with a plugin of livekit-agents: speak_with_livekit.py URL PLUGIN."""

import asyncio
import sys

from livekit.agents import tts
from livekit.agents.utils import http_context
from livekit.plugins import inworld, openai
from talking import SPOKEN_TEXT, SpeechReport


def create_speech(url: str, plugin: str) -> tts.TTS:
    if plugin == "openai":
        return openai.TTS(base_url=f"{url}/v1", api_key="any")
    sockets = url.replace("http", "ws")
    return inworld.TTS(
        base_url=f"{url}/",
        ws_url=f"{sockets}/",
        api_key="any",
        model="svc-tts-2",
        voice="Clara",
        timestamp_type="WORD",
    )


async def main(url: str, plugin: str) -> None:
    async with http_context.open():
        speech = create_speech(url, plugin)
        report = SpeechReport()
        if speech.capabilities.streaming:
            stream = speech.stream()
            # As a language model writes.
            for word in SPOKEN_TEXT.split(" "):
                stream.push_text(f"{word} ")
            stream.flush()
            stream.end_input()
        else:
            stream = speech.synthesize(SPOKEN_TEXT)
        async for audio in stream:
            words = audio.frame.userdata.get("lk.timed_transcripts", [])
            report.add(audio.frame.duration, [str(word) for word in words])
        report.end()
        await speech.aclose()


asyncio.run(main(*sys.argv[1:3]))
