"""Lets a pipeline of pipecat-ai hold a conversation: converse_with_pipecat.py URL TURN."""

import asyncio
import sys

from loguru import logger
from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    ErrorFrame,
    InputAudioRawFrame,
    LLMFullResponseEndFrame,
    LLMRunFrame,
    StartFrame,
)
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.processors.frame_processor import FrameDirection
from pipecat.services.openai.realtime.events import (
    AudioConfiguration,
    AudioInput,
    InputAudioNoiseReduction,
    InputAudioTranscription,
    SemanticTurnDetection,
    SessionProperties,
)
from pipecat.services.openai.realtime.llm import OpenAIRealtimeLLMService
from pipecat.transports.base_input import BaseInputTransport
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams
from pipecat.workers.runner import WorkerRunner
from talking import RATE, Microphone, report

logger.remove()
logger.add(sys.stderr, level="WARNING")


class MicrophoneInput(BaseInputTransport):
    def __init__(self, microphone: Microphone, params: TransportParams) -> None:
        super().__init__(params)
        self._microphone = microphone

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)
        self.create_task(self._hear())

    async def _hear(self) -> None:
        async for piece in self._microphone.pieces():
            await self.push_audio_frame(InputAudioRawFrame(piece, RATE, 1))


class SpeakerOutput(BaseOutputTransport):
    """Plays nothing, but as long as a speaker does."""

    def __init__(self, microphone: Microphone, params: TransportParams) -> None:
        super().__init__(params)
        self._microphone = microphone

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def write_audio_frame(self, frame) -> bool:
        self._microphone.note("played")
        await asyncio.sleep(len(frame.audio) / 2 / frame.sample_rate)
        return True


class Reporter(BaseObserver):
    async def on_push_frame(self, data: FramePushed) -> None:
        frame = data.frame
        if data.direction != FrameDirection.DOWNSTREAM and not isinstance(frame, ErrorFrame):
            return
        if isinstance(frame, LLMFullResponseEndFrame):
            if isinstance(data.source, OpenAIRealtimeLLMService):
                report({"type": "ready"})
        elif isinstance(frame, BotStoppedSpeakingFrame):
            if isinstance(data.source, BaseOutputTransport):
                report({"type": "silent"})
        elif isinstance(frame, ErrorFrame):
            report({"type": "problem", "text": frame.error})


def create_model(url: str) -> OpenAIRealtimeLLMService:
    hearing = AudioInput(
        transcription=InputAudioTranscription(),
        turn_detection=SemanticTurnDetection(),
        noise_reduction=InputAudioNoiseReduction(type="near_field"),
    )
    properties = SessionProperties(audio=AudioConfiguration(input=hearing))
    return OpenAIRealtimeLLMService(
        api_key="any",
        base_url=f"{url.replace('http', 'ws')}/v1/realtime",
        settings=OpenAIRealtimeLLMService.Settings(
            system_instruction="Be short", session_properties=properties
        ),
    )


async def switch_light(params) -> None:
    await params.result_callback("the light is on")


async def main(url: str) -> None:
    microphone = Microphone()
    params = TransportParams(
        audio_in_enabled=True,
        audio_out_enabled=True,
        audio_in_sample_rate=RATE,
        audio_out_sample_rate=RATE,
    )
    model = create_model(url)
    model.register_function("light", switch_light)
    light = FunctionSchema("light", "the light", {"state": {"type": "string"}}, ["state"])
    context = LLMContext(
        [{"role": "developer", "content": "Begin"}], ToolsSchema(standard_tools=[light])
    )
    user, assistant = LLMContextAggregatorPair(context)
    source, sink = MicrophoneInput(microphone, params), SpeakerOutput(microphone, params)
    pipeline = Pipeline([source, user, model, sink, assistant])
    worker = PipelineWorker(
        pipeline, params=PipelineParams(enable_metrics=True), observers=[Reporter()]
    )
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await worker.queue_frames([LLMRunFrame()])
    running = asyncio.create_task(runner.run())
    await microphone.ended.wait()
    messages = [one for one in context.get_messages() if one.get("role") == "assistant"]
    said = [one["content"] for one in messages if one.get("content")]
    # The first response is to the message with which the pipeline begins.
    for text in said[1:]:
        report({"type": "said", "text": text})
    await worker.cancel()
    await running


asyncio.run(main(sys.argv[1]))
