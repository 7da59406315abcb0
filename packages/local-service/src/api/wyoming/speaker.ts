import { createSentenceCutter, hasSpeakable } from '@parlando/core/text'
import { defaultSpeechModelId } from '@parlando/core/wire'
import { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import type { WyomingConnection } from '../../remote/wyoming/connection.ts'
import { audioFormat } from '../../remote/wyoming/event.ts'
import { createTurnLimit } from '../../server/event-loop-turns.ts'
import { createSynthesisRequest } from '../../speaking/synthesis-request.ts'
import { synthesize } from '../../speaking/synthesize.ts'
import { adviceForLanguage, findVoiceFor } from '../../voices/spoken-languages.ts'
import type { AppContext } from '../endpoint.ts'

/** Speaks the texts of one connection, in order. The methods do not wait for the speech; the texts wait in a queue. */
export interface Speaker {
  /** Speaks a whole text. Ignored within a stream: clients send its whole text too, for servers that cannot stream. */
  speak(data: unknown): void
  /** A text that is still being written: each sentence is spoken as soon as it is complete. */
  startStream(data: unknown): void
  pushText(data: unknown): Promise<void>
  endStream(): void
  readonly isBusy: boolean
  /** Resolves when few texts wait: a client that does not read the speech has to wait. */
  hasRoom(): Promise<void>
  /** Resolves when every text is spoken. */
  finish(): Promise<void>
}

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

/** @param fail is called once, with the error that ends the speech. */
export function createSpeaker(
  connection: WyomingConnection,
  service: AppContext,
  fail: (error: unknown) => Promise<void>,
): Speaker {
  const failed = new AbortController()
  const signal = AbortSignal.any([connection.closed, failed.signal])
  let work: Promise<void> = Promise.resolve()
  let waitingTasks = 0
  let waitingCharacters = 0
  let stream: { output: Output; cutter: ReturnType<typeof createSentenceCutter> } | undefined

  const enqueue = (task: () => Promise<void>): void => {
    waitingTasks += 1
    const run = async () => {
      if (!signal.aborted) await task()
    }
    const end = async (error: unknown) => {
      if (signal.aborted) return
      failed.abort()
      await fail(error)
    }
    work = work
      .then(run)
      .catch(end)
      .finally(() => {
        waitingTasks -= 1
      })
  }

  /** Checks a text before it is cut, which takes long for a long text. */
  const rejectTooLong = (text: string): void => {
    if (waitingCharacters + text.length <= maxTextCharacters) return
    const message = `text: more than ${maxTextCharacters} characters wait to be spoken`
    throw new ServiceError('RESOURCE_EXHAUSTED', message)
  }

  const enqueueTexts = (texts: readonly string[], output: Output): void => {
    if (texts.length === 0) return
    for (const text of texts) waitingCharacters += text.length
    enqueue(async () => {
      for (const text of texts) {
        if (signal.aborted) return
        await output.speak(text)
        waitingCharacters -= text.length
      }
    })
  }

  return {
    speak(data) {
      if (stream) return
      const { text, voice } = read(textSchema, data)
      rejectTooLong(text)
      if (text.trim() === '') throw new ServiceError('INVALID_ARGUMENT', 'text: must not be empty')
      const output = createOutput({ connection, service, signal, voice })
      enqueueTexts([text], output)
      enqueue(output.end)
    },
    startStream(data) {
      const { voice } = read(startSchema, data)
      const output = createOutput({ connection, service, signal, voice })
      stream = { output, cutter: createSentenceCutter() }
    },
    async pushText(data) {
      const { text } = read(chunkSchema, data)
      if (!stream) return
      rejectTooLong(text)
      const { cutter, output } = stream
      const endLongTurn = createTurnLimit()
      for (let start = 0; start < text.length; start += pieceCharacters) {
        const piece = text.slice(start, start + pieceCharacters)
        enqueueTexts(cutter.push(piece).filter(hasSpeakable), output)
        await endLongTurn()
      }
    },
    endStream() {
      if (!stream) return
      const { output, cutter } = stream
      stream = undefined
      enqueueTexts(cutter.end().filter(hasSpeakable), output)
      enqueue(output.end)
      // Without it, Home Assistant waits for ever.
      enqueue(() => connection.send({ type: 'synthesize-stopped' }))
    },
    get isBusy() {
      return stream !== undefined || waitingTasks > 0
    },
    async hasRoom() {
      if (waitingTasks >= maxWaitingTasks) await work
    },
    finish: () => work,
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
  voice: z.infer<typeof voiceSchema>
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
      for await (const { audio } of synthesize(request, signal)) {
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

function findVoiceId(
  voice: z.infer<typeof voiceSchema>,
  { catalogue, defaultVoice }: AppContext,
): string {
  if (voice?.name) return voice.name
  const voices = catalogue.list()
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
