import { createSentenceCutter, hasSpeakable } from '@parlando/core/text'
import { defaultSpeechModelId } from '@parlando/core/wire'
import { z } from 'zod'
import { createTurnLimit } from '../../concurrency/event-loop-turns.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { audioFormat } from '../../remote/wyoming/event.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import { createSynthesisRequest } from '../../speaking/synthesis-request.ts'
import { synthesize } from '../../speaking/synthesize.ts'
import { adviceForLanguage, findVoiceFor } from '../../voices/spoken-languages.ts'
import type { AppContext } from '../app/endpoint.ts'

const rateHertz = 24_000
const bytesPerMs = (rateHertz * 2) / 1000
const maxTextCharacters = 100_000
const maxWaitingTasks = 100
/** A text is cut into sentences in pieces, because a long one would hold the event loop. */
const pieceCharacters = 4000
const format = audioFormat(rateHertz)

const voiceSchema = z
  .looseObject({ name: z.string().nullish(), language: z.string().nullish() })
  .nullish()
const startSchema = z.looseObject({ voice: voiceSchema })
const chunkSchema = z.looseObject({ text: z.string() })
const textSchema = z.looseObject({ text: z.string(), voice: voiceSchema })

type WantedVoice = z.infer<typeof voiceSchema>

/** Speaks the texts of one connection, in order. The methods do not wait for the speech; the texts wait in a queue. */
export class WyomingSpeaker {
  readonly #connection: WyomingConnection
  readonly #service: AppContext
  readonly #fail: (error: unknown) => Promise<void>
  readonly #failed = new AbortController()
  readonly #signal: AbortSignal
  #work: Promise<void> = Promise.resolve()
  #waitingTasks = 0
  #waitingCharacters = 0
  #stream: { output: Output; cutter: ReturnType<typeof createSentenceCutter> } | undefined

  /** @param fail is called once, with the error that ends the speech. */
  constructor(
    connection: WyomingConnection,
    service: AppContext,
    fail: (error: unknown) => Promise<void>,
  ) {
    this.#connection = connection
    this.#service = service
    this.#fail = fail
    this.#signal = AbortSignal.any([connection.closed, this.#failed.signal])
  }

  get isBusy(): boolean {
    return this.#stream !== undefined || this.#waitingTasks > 0
  }

  /** Speaks a whole text. Ignored within a stream: clients send its whole text too, for servers that cannot stream. */
  speak(data: unknown): void {
    if (this.#stream) return
    const { text, voice } = read(textSchema, data)
    this.#rejectTooLong(text)
    if (text.trim() === '') throw new ServiceError('INVALID_ARGUMENT', 'text: must not be empty')
    const output = this.#createOutput(voice)
    this.#enqueueTexts([text], output)
    this.#enqueue(output.end)
  }

  /** A text that is still being written: each sentence is spoken as soon as it is complete. */
  startStream(data: unknown): void {
    const { voice } = read(startSchema, data)
    this.#stream = { output: this.#createOutput(voice), cutter: createSentenceCutter() }
  }

  async pushText(data: unknown): Promise<void> {
    const { text } = read(chunkSchema, data)
    if (!this.#stream) return
    this.#rejectTooLong(text)
    const { cutter, output } = this.#stream
    const endLongTurn = createTurnLimit()
    for (let start = 0; start < text.length; start += pieceCharacters) {
      const piece = text.slice(start, start + pieceCharacters)
      this.#enqueueTexts(cutter.push(piece).filter(hasSpeakable), output)
      await endLongTurn()
    }
  }

  endStream(): void {
    if (!this.#stream) return
    const { output, cutter } = this.#stream
    this.#stream = undefined
    this.#enqueueTexts(cutter.end().filter(hasSpeakable), output)
    this.#enqueue(output.end)
    // Without it, Home Assistant waits for ever.
    this.#enqueue(() => this.#connection.send({ type: 'synthesize-stopped' }))
  }

  /** Resolves when few texts wait: a client that does not read the speech has to wait. */
  async hasRoom(): Promise<void> {
    if (this.#waitingTasks >= maxWaitingTasks) await this.#work
  }

  /** Resolves when every text is spoken. */
  finish(): Promise<void> {
    return this.#work
  }

  #createOutput(voice: WantedVoice): Output {
    return createOutput({
      connection: this.#connection,
      service: this.#service,
      signal: this.#signal,
      voice,
    })
  }

  #enqueueTexts(texts: readonly string[], output: Output): void {
    if (texts.length === 0) return
    for (const text of texts) this.#waitingCharacters += text.length
    this.#enqueue(async () => {
      for (const text of texts) {
        if (this.#signal.aborted) return
        await output.speak(text)
        this.#waitingCharacters -= text.length
      }
    })
  }

  #enqueue(task: () => Promise<void>): void {
    this.#waitingTasks += 1
    const run = async () => {
      if (!this.#signal.aborted) await task()
    }
    const end = async (error: unknown) => {
      if (this.#signal.aborted) return
      this.#failed.abort()
      await this.#fail(error)
    }
    this.#work = this.#work
      .then(run)
      .catch(end)
      .finally(() => {
        this.#waitingTasks -= 1
      })
  }

  /** Checks a text before it is cut, which takes long for a long text. */
  #rejectTooLong(text: string): void {
    if (this.#waitingCharacters + text.length <= maxTextCharacters) return
    const message = `text: more than ${maxTextCharacters} characters wait to be spoken`
    throw new ServiceError('RESOURCE_EXHAUSTED', message)
  }
}

interface Output {
  speak(text: string): Promise<void>
  end(): Promise<void>
}

/**
 * Sends the sound of one or several texts as one piece of audio: Home Assistant reads the format only once, and takes
 * the first end as the end of everything.
 */
function createOutput({
  connection,
  service,
  signal,
  voice,
}: {
  connection: WyomingConnection
  service: AppContext
  signal: AbortSignal
  voice: WantedVoice
}): Output {
  let sentBytes = 0
  let isStarted = false
  const timestamp = () => Math.round(sentBytes / bytesPerMs)
  const start = async () => {
    if (isStarted) return
    isStarted = true
    await connection.send({ type: 'audio-start', data: { ...format, timestamp: 0 } })
  }
  return {
    async speak(text) {
      const voiceId = findVoiceId(voice, service)
      const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: rateHertz } as const
      const modelId = defaultSpeechModelId
      const request = createSynthesisRequest({ text, voiceId, modelId, audioConfig }, service, {
        maxTextCharacters,
      })
      // Home Assistant would not ask again, so its texts wait instead of being rejected.
      const utterance = { ...request, caller: connection.address, isContinued: true }
      for await (const { audio } of synthesize(utterance, signal)) {
        if (audio.length === 0) continue
        await start()
        const data = { ...format, timestamp: timestamp() }
        await connection.send({ type: 'audio-chunk', data, payload: audio })
        sentBytes += audio.length
      }
    },
    async end() {
      await start()
      await connection.send({ type: 'audio-stop', data: { timestamp: timestamp() } })
    },
  }
}

function findVoiceId(voice: WantedVoice, { voiceList, defaultVoice }: AppContext): string {
  if (voice?.name) return voice.name
  const voices = voiceList.list()
  const language = voice?.language
  if (!language) return defaultVoice ?? voices[0]!.voiceId
  const found = findVoiceFor(language, voices)
  if (found) return found.voiceId
  throw new ServiceError('NOT_FOUND', `voice: ${adviceForLanguage(language, voices)}`)
}

function read<Data>(schema: z.ZodType<Data>, data: unknown): Data {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ServiceError('INVALID_ARGUMENT', `${issue?.path.join('.')}: ${issue?.message}`)
}
