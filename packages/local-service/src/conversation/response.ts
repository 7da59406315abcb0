import { createSentenceCutter } from '@parlando/core/text'
import type { ChatMessage } from '@parlando/core/wire'
import { ServiceError } from '../errors.ts'
import { createAsyncQueue } from '../speaking/async-queue.ts'
import type { Clock } from './clock.ts'
import type {
  LanguageModel,
  ModelOutput,
  ModelRequest,
  ModelUsage,
  ToolCall,
} from './language-model.ts'
import { createPacer, type Pacer } from './pacer.ts'
import {
  createResponseOutput,
  type Ending,
  type ResponseOutput,
  type ResponseOutputOptions,
  reportResponse,
} from './response-output.ts'
import { type Speak, speakSentences } from './sentence-speech.ts'
import { newId } from './server-events.ts'
import type { OutputSettings } from './session-settings.ts'

export interface ResponseOptions
  extends Omit<ResponseOutputOptions, 'responseId'>,
    Omit<ModelRequest, 'messages' | 'signal'> {
  model: LanguageModel
  speak: Speak
  clock: Clock
  /** Waits until the words of the user are known. */
  readMessages(): Promise<readonly ChatMessage[]>
  /** Returned unchanged. */
  metadata: Record<string, string> | null
  outputSettings: OutputSettings
  conversationId: string | null
  /** How long the model may write. */
  modelLimitMs: number
  /** Receives failures. */
  onFailure(error: unknown): void
  /** Called once, after `response.done`. */
  onEnd(): void
}

/** A response in progress. */
export interface RunningResponse {
  readonly id: string
  /** The id of the message of the model; undefined before its first text. */
  readonly messageId: string | undefined
  /** Whether the audio is held back because the user may be interrupting. */
  readonly isPaused: boolean
  /** How long the client still plays the audio that it has received. */
  readonly unplayedMs: number
  pause(): void
  resume(): void
  /** Ends the response at once. @param heardMs how much of its audio was heard. Default: estimated. */
  cancel(reason: 'turn_detected' | 'client_cancelled', heardMs?: number): void
  /** Resolves when all work has ended. */
  readonly ended: Promise<void>
}

/** A model that never ends would fill the memory and the conversation. */
const maxTextCharacters = 20_000

/** The speech of so much text takes longer than a model needs to write the rest of the sentence. */
const openingCharacters = 18

/** Starts a response: the model writes, a voice speaks its sentences, and the audio is sent as fast as it is played. */
export function startResponse(options: ResponseOptions): RunningResponse {
  const { emit, clock } = options
  const id = newId('resp')
  const ending = new AbortController()
  const { signal } = ending
  const pacer = createPacer(clock, signal)
  const output = createResponseOutput({ ...options, responseId: id })
  let usage: ModelUsage = { input: 0, output: 0 }
  let isEnded = false

  const report = (ending?: Ending) => {
    const facts = { ...options, id, items: output.items }
    return reportResponse(facts, ending && { ending, usage })
  }
  const end = (how: Ending, heardMs = pacer.playedMs) => {
    if (isEnded) return
    isEnded = true
    if (how.status === 'completed') output.end('completed')
    else if (how.status === 'incomplete') output.end('incomplete')
    else output.end('incomplete', output.speech.textUntil(heardMs))
    void emit({ type: 'response.done', response: report(how) })
    ending.abort()
    options.onEnd()
  }

  const write: Write = async (onText) => {
    const written = await writeText(options, signal, onText)
    usage = written.usage
    return written
  }
  const run = async (): Promise<void> => {
    const { calls, isCut } = await (options.hasAudio
      ? respondInSpeech({ ...options, write, output, pacer, signal })
      : write(output.addText))
    signal.throwIfAborted()
    if (calls.length > 0) output.end('completed')
    for (const call of calls) output.addToolCall(call)
    end(isCut ? { status: 'incomplete', reason: 'max_output_tokens' } : { status: 'completed' })
  }

  void emit({ type: 'response.created', response: report() })
  const ended = run().catch((error) => {
    if (isEnded) return
    options.onFailure(error)
    end({ status: 'failed', error })
  })
  return {
    id,
    get messageId() {
      return output.messageId
    },
    get isPaused() {
      return pacer.isPaused
    },
    get unplayedMs() {
      return pacer.unplayedMs
    },
    pause: pacer.pause,
    resume: pacer.resume,
    cancel: (reason, heardMs) => end({ status: 'cancelled', reason }, heardMs),
    ended,
  }
}

interface ModelEnd {
  calls: readonly ToolCall[]
  /** Whether a limit cut the text. */
  isCut: boolean
  usage: ModelUsage
}

type Write = (onText: (text: string) => Promise<void> | void) => Promise<ModelEnd>

/** Reads the whole output of the model, no matter how fast it is spoken. */
async function writeText(
  options: ResponseOptions,
  signal: AbortSignal,
  onText: Parameters<Write>[0],
): Promise<ModelEnd> {
  const messages = await options.readMessages()
  const calls: ToolCall[] = []
  let characters = 0
  for await (const part of readModel(options, messages, signal)) {
    signal.throwIfAborted()
    if (part.type === 'toolCall') calls.push(part)
    else if (part.type === 'end') return { calls, isCut: part.isCut, usage: part.usage }
    else {
      const text = part.text.slice(0, maxTextCharacters - characters)
      characters += text.length
      await onText(text)
      if (characters >= maxTextCharacters) break
    }
  }
  return { calls, isCut: true, usage: { input: 0, output: 0 } }
}

interface SpeechOptions extends Pick<ResponseOptions, 'speak'> {
  write: Write
  output: ResponseOutput
  pacer: Pacer
  signal: AbortSignal
}

/** Speaks each sentence while the model writes the next ones. */
async function respondInSpeech(options: SpeechOptions): Promise<ModelEnd> {
  const { write, output, pacer, signal } = options
  const cutter = createSentenceCutter({ openingCharacters })
  const sentences = createAsyncQueue<string>()
  const push = (texts: string[]) => texts.forEach(sentences.push)
  const writing = write((text) => push(cutter.push(text)))
  writing.then(() => {
    push(cutter.end())
    sentences.end()
  }, sentences.fail)
  for await (const { text, chunks } of speakSentences(sentences, options.speak, signal)) {
    let isFirst = true
    for await (const { audio, durationSeconds } of chunks) {
      const durationMs = durationSeconds * 1000
      await pacer.admit(durationMs)
      if (isFirst) output.addSentence(text)
      isFirst = false
      await output.addAudio(audio, durationMs)
    }
    signal.throwIfAborted()
    if (isFirst) output.addSentence(text)
  }
  return writing
}

/** @throws {ServiceError} if the model fails or takes too long. */
async function* readModel(
  options: ResponseOptions,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): AsyncGenerator<ModelOutput, void> {
  signal.throwIfAborted()
  const limit = AbortSignal.timeout(options.modelLimitMs)
  try {
    const request = { ...options, messages, signal: AbortSignal.any([signal, limit]) }
    yield* options.model.respond(request)
  } catch (error) {
    if (!limit.aborted) throw error
    const message = `The language model did not finish within ${options.modelLimitMs / 1000} s`
    throw new ServiceError('DEADLINE_EXCEEDED', message)
  }
}
