"""Streams speech with a service of pipecat-ai: speak_with_pipecat.py URL SERVICE."""

import asyncio
import sys

from loguru import logger
from pipecat.frames.frames import (
    EndFrame,
    ErrorFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    TTSAudioRawFrame,
    TTSTextFrame,
)
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.services.inworld.tts import InworldTTSService
from pipecat.services.openai.tts import OpenAITTSService
from pipecat.services.tts_service import TTSService
from pipecat.workers.runner import WorkerRunner
from talking import RATE, SPOKEN_TEXT, SpeechReport

logger.remove()
logger.add(sys.stderr, level="WARNING")


class Listener(BaseObserver):
    def __init__(self) -> None:
        super().__init__()
        self.report = SpeechReport()

    async def on_push_frame(self, data: FramePushed) -> None:
        frame = data.frame
        if not isinstance(data.source, TTSService):
            return
        if isinstance(frame, TTSAudioRawFrame):
            self.report.add(len(frame.audio) / 2 / frame.sample_rate)
        elif isinstance(frame, TTSTextFrame):
            self.report.add(0, [frame.text])
        elif isinstance(frame, ErrorFrame):
            self.report.fail(frame.error)


def create_speech(url: str, service: str) -> TTSService:
    if service == "openai":
        return OpenAITTSService(api_key="any", base_url=f"{url}/v1")
    return InworldTTSService(
        api_key="any",
        url=f"{url.replace('http', 'ws')}/tts/v1/voice:streamBidirectional",
        settings=InworldTTSService.Settings(model="svc-tts-2", voice="Clara"),
    )


async def main(url: str, service: str) -> None:
    listener = Listener()
    worker = PipelineWorker(
        Pipeline([create_speech(url, service)]),
        params=PipelineParams(audio_out_sample_rate=RATE),
        observers=[listener],
    )
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    # As a language model writes.
    words = [LLMTextFrame(f"{word} ") for word in SPOKEN_TEXT.split(" ")]
    await worker.queue_frames(
        [LLMFullResponseStartFrame(), *words, LLMFullResponseEndFrame(), EndFrame()]
    )
    await runner.run()
    listener.report.end()


asyncio.run(main(*sys.argv[1:3]))
