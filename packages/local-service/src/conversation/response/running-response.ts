import { firstCharacters } from '@parlando/core/text'
import type { ChatMessage } from '@parlando/core/wire'
import {
  type IncompleteReason,
  type LanguageModel,
  type ModelOutput,
  type ModelRequest,
  type ModelToolCall,
  type ModelUsage,
  maxTextCharacters,
} from '../../chat/language-model.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { Clock } from '../clock.ts'
import { newId } from '../server-events.ts'
import { createPacer, type Pacer } from './pacer.ts'
import { respondInSpeech } from './respond-in-speech.ts'
import {
  createResponseOutput,
  type ResponseOutput,
  type ResponseOutputOptions,
} from './response-output.ts'
import { type Ending, reportResponse } from './response-report.ts'
import type { ResponseVoice } from './response-voice.ts'

export interface ResponseOptions
  extends Omit<ResponseOutputOptions, 'responseId'>,
    Omit<ModelRequest, 'messages' | 'signal'> {
  model: LanguageModel
  voice: ResponseVoice
  clock: Clock
  /** Waits until the words of the user are known. */
  readMessages(): Promise<readonly ChatMessage[]>
  /** Returned unchanged. */
  metadata: Record<string, string> | null
  conversationId: string | null
  /** How long the model may write. */
  modelLimitMs: number
  /** Receives failures. */
  onFailure(error: unknown): void
  /** Called once, after `response.done`. */
  onEnd(): void
}

const noUsage: ModelUsage = { input: 0, output: 0 }

/** A response in progress: the model writes, a voice speaks its sentences, and the audio is sent as fast as it is played. */
export class RunningResponse {
  readonly id = newId('resp')
  /** Resolves when all work has ended. */
  readonly ended: Promise<void>
  readonly #options: ResponseOptions
  readonly #ending = new AbortController()
  readonly #pacer: Pacer
  readonly #output: ResponseOutput
  #usage = noUsage
  #isEnded = false

  /** Starts the response. */
  constructor(options: ResponseOptions) {
    this.#options = options
    this.#pacer = createPacer(options.clock, this.#ending.signal)
    const { hasAudio, emit, conversation } = options
    this.#output = createResponseOutput({ responseId: this.id, hasAudio, emit, conversation })
    void emit({ type: 'response.created', response: this.#report() })
    this.ended = this.#run().catch((error) => {
      if (this.#isEnded) return
      options.onFailure(error)
      // The client still plays what it has received.
      this.#end({ status: 'failed', error }, this.#output.speech.durationMs)
    })
  }

  /** The id of the message of the model; undefined before its first text. */
  get messageId(): string | undefined {
    return this.#output.messageId
  }

  /** Whether the audio is held back because the user may be interrupting. */
  get isPaused(): boolean {
    return this.#pacer.isPaused
  }

  /** How long the client still plays the audio that it has received. */
  get unplayedMs(): number {
    return this.#pacer.unplayedMs
  }

  pause(): void {
    this.#pacer.pause()
  }

  resume(): void {
    this.#pacer.resume()
  }

  /** Ends the response at once. @param heardMs how much of its audio was heard. Default: estimated. */
  cancel(reason: 'turn_detected' | 'client_cancelled', heardMs?: number): void {
    this.#end({ status: 'cancelled', reason }, heardMs)
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    const { hasAudio, voice } = this.#options
    const output = this.#output
    const write: Write = async (onText) => {
      const written = await writeText(this.#options, signal, onText)
      this.#usage = written.usage
      return written
    }
    const { speak } = voice
    const { calls, incompleteReason: reason } = await (hasAudio
      ? respondInSpeech({ speak, write, output, pacer: this.#pacer, signal })
      : write(output.addText))
    signal.throwIfAborted()
    if (calls.length > 0) output.end('completed')
    for (const call of calls) output.addToolCall(call)
    this.#end(reason ? { status: 'incomplete', reason } : { status: 'completed' })
  }

  #end(how: Ending, heardMs = this.#pacer.playedMs): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const output = this.#output
    if (how.status === 'completed' || how.status === 'incomplete') output.end(how.status)
    else output.end('incomplete', output.speech.textUntil(heardMs))
    void this.#options.emit({ type: 'response.done', response: this.#report(how) })
    this.#ending.abort()
    this.#options.onEnd()
  }

  #report(ending?: Ending) {
    const facts = {
      ...this.#options,
      id: this.id,
      items: this.#output.items,
      outputSettings: this.#options.voice.settings,
    }
    return reportResponse(facts, ending && { ending, usage: this.#usage })
  }
}

interface ModelEnd {
  calls: readonly ModelToolCall[]
  /** Undefined if the text is complete. */
  incompleteReason: IncompleteReason | undefined
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
  const calls: ModelToolCall[] = []
  let characters = 0
  for await (const part of readModel(options, messages, signal)) {
    signal.throwIfAborted()
    if (part.type === 'toolCall') calls.push(part)
    else if (part.type === 'end') {
      return { calls, incompleteReason: part.incompleteReason, usage: part.usage }
    } else {
      const text = firstCharacters(part.text, maxTextCharacters - characters)
      characters += part.text.length
      if (text !== '') await onText(text)
      // The model has not counted its tokens yet.
      if (characters >= maxTextCharacters) {
        return { calls, incompleteReason: 'max_output_tokens', usage: noUsage }
      }
    }
  }
  throw new ServiceError('UNAVAILABLE', 'The language model ended without the end of its response')
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
    const { model, tools, toolChoice, maxTokens, temperature } = options
    const settings = { tools, toolChoice, maxTokens, temperature }
    const either = AbortSignal.any([signal, limit])
    yield* model.respond({ messages, ...settings, signal: either })
  } catch (error) {
    if (!limit.aborted) throw error
    const message = `The language model did not finish within ${options.modelLimitMs / 1000} s`
    throw new ServiceError('DEADLINE_EXCEEDED', message)
  }
}
