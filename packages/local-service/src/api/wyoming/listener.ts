import { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import { createTurnTranscriber, type TurnTranscriber } from '../../listening/turn-transcriber.ts'
import { defaultTurnRule } from '../../listening/turns/turn-rule.ts'
import { findModel } from '../../recognisers/registry.ts'
import type { WyomingConnection } from '../../remote/wyoming/connection.ts'
import type { AppContext } from '../endpoint.ts'
import { createLagLimit, type LagLimit, maxLagMs } from './lag-limit.ts'

/** Transcribes the sound of one connection. */
export interface Listener {
  /** Settings for the next sound. */
  configure(data: unknown): void
  /** Some clients send the format with the sound only. */
  start(data: unknown): Promise<void>
  /** Resolves when the recogniser wants more. */
  write(data: unknown, payload: Uint8Array): Promise<void>
  /** Sends the transcript. */
  end(): Promise<void>
  readonly isBusy: boolean
  close(): void
}

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

/** @param fail is called with an error that ends the sound while the service waits for the client. */
export function createListener(
  connection: WyomingConnection,
  service: AppContext,
  fail: (error: unknown) => Promise<void>,
): Listener {
  let settings: Settings = {}
  let transcriber: TurnTranscriber | undefined
  let texts: string[] = []
  let lag: LagLimit | undefined

  const close = () => {
    lag?.stop()
    transcriber?.close()
    transcriber = undefined
  }
  const endLateSound = () => {
    close()
    const message = `The sound takes ${maxLagMs / 1000} s longer to arrive than to play; send audio-stop at its end`
    void fail(new ServiceError('DEADLINE_EXCEEDED', message))
  }
  const open = (data: unknown): Promise<TurnTranscriber> => {
    const opening = openTranscriber(data, settings, service, {
      signal: connection.closed,
      onText: (text) => texts.push(text),
    })
    lag = createLagLimit(endLateSound)
    return opening
  }

  return {
    configure(data) {
      settings = settingsSchema.parse(data)
    },
    async start(data) {
      close()
      texts = []
      transcriber = await open(data)
      lag?.wait(0)
    },
    async write(data, payload) {
      transcriber ??= await open(data)
      lag?.stop()
      if (transcriber.durationMs > maxSeconds * 1000) {
        throw new ServiceError('INVALID_ARGUMENT', `The sound is longer than ${maxSeconds} s`)
      }
      await transcriber.write(payload)
      lag?.wait(transcriber.durationMs)
    },
    async end() {
      lag?.stop()
      await transcriber?.end()
      close()
      const { language } = settings
      const text = texts.filter(Boolean).join(' ')
      texts = []
      settings = {}
      await connection.send({ type: 'transcript', data: { text, ...(language && { language }) } })
    },
    get isBusy() {
      return transcriber !== undefined
    },
    close,
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
  const { recogniser, model } = findModel(service, wanted)
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
