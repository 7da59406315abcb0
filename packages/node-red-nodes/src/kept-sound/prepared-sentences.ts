import type { AudioConfig, SpeechRequest } from '@parlando/core'
import type { ServiceCall, Speech } from '../runtime/speech-service.ts'
import { abortableDelay } from '../runtime/wait.ts'
import type { KeepOptions } from './kept-speech.ts'

/** A sentence that exists before a message asks for it. */
export interface PreparedSentence {
  text: string
  /** Absent: the default voice of the service. */
  voiceId?: string
}

/** Everything of a request but its text and its voice. */
type RequestShape = Omit<SpeechRequest, 'text' | 'voiceId'>

export interface PreparedSentencesOptions {
  sentences: readonly PreparedSentence[]
  /** How the nodes of most flows request speech. */
  shapes: readonly RequestShape[]
  defaultVoiceId(signal: AbortSignal): Promise<string>
  speak(request: SpeechRequest, call: ServiceCall, options: KeepOptions): Promise<Speech>
  /** Called with the error if a sentence cannot be made; it is tried again. */
  onProblem(error: Error): void
}

const maxSentences = 100
/** The last shapes that nodes have requested; each sentence is made in each of them. */
const maxShapes = 5
const retryMs = 60_000

/** The lines of a form: a sentence each, or `voice | sentence`. */
export function readSentences(lines: unknown): PreparedSentence[] {
  const texts = String(lines ?? '').split('\n')
  const sentences = texts.map((line) => {
    const at = line.indexOf('|')
    const voiceId = line.slice(0, Math.max(0, at)).trim()
    return { text: line.slice(at + 1).trim(), ...(voiceId && { voiceId }) }
  })
  return sentences.filter(({ text }) => text !== '').slice(0, maxSentences)
}

/** Makes sentences ahead, in each format in which the nodes of the flow request speech. */
export class PreparedSentences {
  readonly #options: PreparedSentencesOptions
  readonly #shapes = new Map<string, RequestShape>()
  readonly #closing = new AbortController()
  #work: Promise<void> = Promise.resolve()

  constructor(options: PreparedSentencesOptions) {
    this.#options = options
    for (const shape of options.shapes) this.#add(shape)
  }

  /** Called with each request of a node: the sentences may be needed in this form, too. */
  noteRequest({ text: _text, voiceId: _voice, ...shape }: SpeechRequest): void {
    const { modelId, audioConfig, language, timestampType, ...others } = shape
    const isUsual = Object.values(others).every((value) => value === undefined)
    if (!isUsual || this.#options.sentences.length === 0 || this.#shapes.size >= maxShapes) return
    this.#add({ modelId, audioConfig, language, timestampType })
  }

  /** Resolves when all sentences exist that are known to be needed. */
  get made(): Promise<void> {
    return this.#work
  }

  close(): void {
    this.#closing.abort(new DOMException('The flow was stopped', 'AbortError'))
  }

  #add(shape: RequestShape): void {
    const key = JSON.stringify(shape)
    if (this.#shapes.has(key)) return
    this.#shapes.set(key, shape)
    this.#work = this.#work
      .then(async () => {
        for (const sentence of this.#options.sentences) await this.#make(sentence, shape)
      })
      // Only the abort of `close` ends it early.
      .catch(() => {})
  }

  /** Makes a sentence, again and again until the service responds. */
  async #make({ text, voiceId }: PreparedSentence, shape: RequestShape): Promise<void> {
    const { signal } = this.#closing
    for (let isFirst = true; ; isFirst = false) {
      try {
        const voice = voiceId ?? (await this.#options.defaultVoiceId(signal))
        const request = { ...shape, text, voiceId: voice }
        const speech = await this.#options.speak(request, { signal }, { isPreparation: true })
        for await (const _chunk of speech);
        return
      } catch (error) {
        signal.throwIfAborted()
        if (isFirst) this.#options.onProblem(error as Error)
        if ((error as { retryable?: boolean }).retryable === false) return
        await abortableDelay(retryMs, signal)
      }
    }
  }
}

/** The formats of this machine and of pages, and of devices in the network. */
export const speakerFormats: readonly AudioConfig[] = [
  { audioEncoding: 'PCM', sampleRateHertz: 24_000 },
  { audioEncoding: 'MP3', sampleRateHertz: 44_100 },
]
