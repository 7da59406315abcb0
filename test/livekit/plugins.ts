import { createRequire } from 'node:module'

// The parts of LiveKit Agents that the tests use. Its packages take 400 MB, so they are installed only for these tests and
// not for the check of types.

/** A piece of sound. */
interface AudioFrame {
  data: Int16Array
  sampleRate: number
  samplesPerChannel: number
}

/** Speech as the text-to-speech plug-in returns it; a symbol marks the end of a stream. */
export type SynthesizedAudio =
  | symbol
  | { frame: AudioFrame; timedTranscripts?: { text: string; startTime?: number }[] }

export interface SpeechStream extends AsyncIterable<SynthesizedAudio> {
  pushText(text: string): void
  flush(): void
  endInput(): void
}

export interface SpeechPlugin {
  stream(): SpeechStream
  synthesize(text: string): AsyncIterable<SynthesizedAudio>
  close(): Promise<void>
}

export interface FunctionCall {
  callId: string
  name: string
  args: string
}

/** A response in progress. */
export interface Generation {
  messageStream: AsyncIterable<{
    messageId: string
    textStream: AsyncIterable<string>
    audioStream: AsyncIterable<AudioFrame>
  }>
  functionStream: AsyncIterable<FunctionCall>
}

export interface ChatContext {
  items: { type: string; role?: string; textContent?: string }[]
  copy(): ChatContext
  insert(item: object): void
}

interface RealtimeEvents {
  generation_created: Generation
  input_speech_started: object
  openai_server_event_received: { type: string }
  error: { error: Error }
}

export interface RealtimePluginSession {
  readonly chatCtx: ChatContext
  on<Name extends keyof RealtimeEvents>(
    name: Name,
    listener: (event: RealtimeEvents[Name]) => void,
  ): void
  pushAudio(frame: AudioFrame): void
  updateInstructions(instructions: string): Promise<void>
  updateTools(tools: object): Promise<void>
  updateChatCtx(context: ChatContext): Promise<void>
  generateReply(): Promise<unknown>
  interrupt(): Promise<void>
  truncate(heard: { messageId: string; audioEndMs: number; modalities: string[] }): Promise<void>
  close(): Promise<void>
}

export interface Plugins {
  /** @param samples mono, 24 kHz. */
  createFrame(samples: Int16Array): AudioFrame
  createSpeech(options: object): SpeechPlugin
  openSession(options: object): RealtimePluginSession
  createTool(options: object): object
  createToolResult(result: { callId: string; name: string; output: string }): object
}

export function loadPlugins(): Plugins {
  const require = createRequire(import.meta.url)
  const load = (name: string) => require(`@livekit/${name}`)
  const { initializeLogger, llm } = load('agents')
  const { AudioFrame } = load('rtc-node')
  const { TTS } = load('agents-plugin-inworld')
  const { realtime } = load('agents-plugin-openai')
  initializeLogger({ pretty: false, level: 'error' })
  return {
    createFrame: (samples) => new AudioFrame(samples, 24_000, 1, samples.length),
    createSpeech: (options) => new TTS(options),
    openSession: (options) => new realtime.RealtimeModel(options).session(),
    createTool: llm.tool,
    createToolResult: (result) => llm.FunctionCallOutput.create({ ...result, isError: false }),
  }
}
