"""Streams recognition with pipecat-ai: transcribe_with_pipecat.py URL TURN."""

import asyncio
import sys

from loguru import logger
from pipecat.frames.frames import (
    ErrorFrame,
    InputAudioRawFrame,
    InterimTranscriptionFrame,
    TranscriptionFrame,
)
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.services.openai.stt import OpenAIRealtimeSTTService
from pipecat.workers.runner import WorkerRunner
from talking import RATE, Microphone, report

logger.remove()
logger.add(sys.stderr, level="WARNING")


class Reader(BaseObserver):
    def __init__(self, microphone: Microphone) -> None:
        super().__init__()
        self._microphone = microphone

    async def on_push_frame(self, data: FramePushed) -> None:
        if not isinstance(data.source, OpenAIRealtimeSTTService):
            return
        if isinstance(data.frame, InterimTranscriptionFrame):
            report({"type": "interim", "text": data.frame.text})
        elif isinstance(data.frame, TranscriptionFrame):
            self._microphone.note("final", text=data.frame.text)
        elif isinstance(data.frame, ErrorFrame):
            report({"type": "problem", "text": data.frame.error})


async def main(url: str) -> None:
    microphone = Microphone()
    recognition = OpenAIRealtimeSTTService(
        api_key="any",
        base_url=f"{url.replace('http', 'ws')}/v1/realtime",
        turn_detection={"type": "server_vad"},
    )
    worker = PipelineWorker(
        Pipeline([recognition]),
        params=PipelineParams(audio_in_sample_rate=RATE),
        observers=[Reader(microphone)],
    )
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    running = asyncio.create_task(runner.run())
    async for piece in microphone.pieces():
        await worker.queue_frames([InputAudioRawFrame(piece, RATE, 1)])
    await worker.cancel()
    await running


asyncio.run(main(sys.argv[1]))
