import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { createTurnTranscriber, type TurnTranscriber } from '../../listening/turn-transcriber.ts'
import { defaultTurnRule } from '../../listening/turns/turn-rule.ts'
import { findRecogniserModel } from '../../recognisers/recogniser-registry.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import type { AppContext } from '../app/endpoint.ts'
import { createLagLimit, type LagLimit, maxLagMs } from './lag-limit.ts'

/** The client decides when the sound ends. Only sound above the limit of recognisers is divided. */
const rule = { ...defaultTurnRule, detectsSpeech: false }
const maxSeconds = 60 * 60

const textsSchema = z.array(z.string()).nullish().catch(undefined)
const settingsSchema = z.looseObject({
  name: z.string().nullish().catch(undefined),
  language: z.string().nullish().catch(undefined),
  transcript_names: textsSchema,
  transcript_terms: textsSchema,
})
type Settings = z.infer<typeof settingsSchema>

const formatSchema = z.looseObject({
  rate: z.int().min(8000).max(48_000),
  width: z.literal(2),
  channels: z.int().min(1).max(8),
})

/** Transcribes the sound of one connection. */
export class WyomingListener {
  readonly #connection: WyomingConnection
  readonly #service: AppContext
  readonly #fail: (error: unknown) => Promise<void>
  #settings: Settings = {}
  #transcriber: TurnTranscriber | undefined
  #texts: string[] = []
  #lag: LagLimit | undefined

  /** @param fail is called with an error that ends the sound while the service waits for the client. */
  constructor(
    connection: WyomingConnection,
    service: AppContext,
    fail: (error: unknown) => Promise<void>,
  ) {
    this.#connection = connection
    this.#service = service
    this.#fail = fail
  }

  get isBusy(): boolean {
    return this.#transcriber !== undefined
  }

  /** Settings for the next sound. */
  configure(data: unknown): void {
    this.#settings = settingsSchema.parse(data)
  }

  /** Some clients send the format with the sound only. */
  async start(data: unknown): Promise<void> {
    this.close()
    this.#texts = []
    this.#transcriber = await this.#open(data)
    this.#lag?.wait(0)
  }

  /** Resolves when the recogniser wants more. */
  async write(data: unknown, payload: Uint8Array): Promise<void> {
    this.#transcriber ??= await this.#open(data)
    const transcriber = this.#transcriber
    this.#lag?.stop()
    if (transcriber.durationMs > maxSeconds * 1000) {
      throw new ServiceError('INVALID_ARGUMENT', `The sound is longer than ${maxSeconds} s`)
    }
    await transcriber.write(payload)
    this.#lag?.wait(transcriber.durationMs)
  }

  /** Sends the transcript. */
  async end(): Promise<void> {
    this.#lag?.stop()
    await this.#transcriber?.end()
    this.close()
    const { language } = this.#settings
    const text = this.#texts.filter(Boolean).join(' ')
    this.#texts = []
    this.#settings = {}
    const data = { text, ...(language && { language }) }
    await this.#connection.send({ type: 'transcript', data })
  }

  close(): void {
    this.#lag?.stop()
    this.#transcriber?.close()
    this.#transcriber = undefined
  }

  #open(data: unknown): Promise<TurnTranscriber> {
    const opening = openTranscriber(data, this.#settings, this.#service, {
      signal: this.#connection.closed,
      onText: (text) => this.#texts.push(text),
    })
    this.#lag = createLagLimit(() => {
      this.close()
      const message = `The sound takes ${maxLagMs / 1000} s longer to arrive than to play; send audio-stop at its end`
      void this.#fail(new ServiceError('DEADLINE_EXCEEDED', message))
    })
    return opening
  }
}

/** @param data the format of the sound. */
async function openTranscriber(
  data: unknown,
  { name, language, transcript_names: names, transcript_terms: terms }: Settings,
  service: AppContext,
  { signal, onText }: { signal: AbortSignal; onText(text: string): void },
): Promise<TurnTranscriber> {
  const format = formatSchema.safeParse(data)
  if (!format.success) {
    const message = 'audio-start: the service reads PCM of 16 bits with 8,000 to 48,000 Hz only'
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  const wanted = { modelId: name || undefined, language: language || undefined }
  const { recogniser, model } = findRecogniserModel(service, wanted)
  return createTurnTranscriber({
    sampleRateHertz: format.data.rate,
    channels: format.data.channels,
    recogniser,
    request: {
      modelId: model.modelId,
      language: wanted.language,
      prompts: [...(names ?? []), ...(terms ?? [])],
      withWords: false,
      signal,
    },
    rule,
    onEnd: async ({ utterance }) => onText((await utterance).text),
  })
}
