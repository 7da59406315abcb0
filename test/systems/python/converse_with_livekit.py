"""Lets an agent of livekit-agents hold a conversation: converse_with_livekit.py URL TURN."""

import asyncio
import sys
import time

from livekit import rtc
from livekit.agents import Agent, AgentSession, function_tool, io
from livekit.plugins import openai
from talking import RATE, Microphone, Speaker, report


class House(Agent):
    def __init__(self) -> None:
        super().__init__(instructions="Be short")

    @function_tool
    async def light(self, state: str) -> str:
        """Switches the light."""
        return "the light is on"


class MicrophoneInput(io.AudioInput):
    def __init__(self, microphone: Microphone) -> None:
        super().__init__(label="microphone")
        self._pieces = microphone.pieces()

    async def __anext__(self) -> rtc.AudioFrame:
        piece = await anext(self._pieces)
        return rtc.AudioFrame(piece, RATE, 1, len(piece) // 2)


class SpeakerOutput(io.AudioOutput):
    def __init__(self, microphone: Microphone) -> None:
        super().__init__(
            label="speaker",
            capabilities=io.AudioOutputCapabilities(pause=False),
            sample_rate=RATE,
        )
        self._speaker = Speaker(microphone)

    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)
        if not self._speaker.is_playing:
            self.on_playback_started(created_at=time.time())
        self._speaker.play(frame.duration)

    def flush(self) -> None:
        super().flush()
        self._speaker.finish(lambda heard: self._report_end(heard, interrupted=False))

    def clear_buffer(self) -> None:
        if self._speaker.is_playing:
            self._report_end(self._speaker.clear(), interrupted=True)

    def _report_end(self, heard: float, interrupted: bool) -> None:
        self.on_playback_finished(playback_position=heard, interrupted=interrupted)


async def main(url: str) -> None:
    microphone = Microphone()
    session = AgentSession(llm=openai.realtime.RealtimeModel(base_url=f"{url}/v1", api_key="any"))
    session.input.audio = MicrophoneInput(microphone)
    session.output.audio = SpeakerOutput(microphone)
    session.on("error", lambda event: report({"type": "problem", "text": str(event.error)}))
    house = House()
    await session.start(house, record=False)
    house.realtime_llm_session.on("openai_server_event_received", report)
    report({"type": "ready"})
    await microphone.ended.wait()
    for item in session.history.items:
        if item.type == "message" and item.role == "assistant":
            report({"type": "said", "text": item.text_content})
    await session.aclose()


asyncio.run(main(sys.argv[1]))
