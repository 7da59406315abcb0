import { languageOf, lookUpLanguage } from '@parlando/core/text'
import { EngineError } from '../../engine-error.ts'
import { ServiceError } from '../../errors.ts'
import { problemText } from '../../remote/read-response.ts'
import type { WyomingConnection } from '../../remote/wyoming/connection.ts'
import { audioFormat, type WyomingMessage } from '../../remote/wyoming/event.ts'
import { openConnection, readAddress } from '../../remote/wyoming/open-connection.ts'
import { cleanTranscript } from '../clean-transcript.ts'
import {
  createUtteranceSlots,
  defineRecogniser,
  limitUtterance,
  type Recogniser,
  type RecognitionRequest,
  recogniserRateHertz,
} from '../recogniser.ts'
import { createProgramList } from './program-list.ts'

export interface WyomingRecogniserOptions {
  /** Such as `tcp://192.168.1.5:10300`. */
  address: string
  /** Maximum time from the end of an utterance to its text, in milliseconds. Default 60,000. */
  timeLimitMs?: number
  /** Receives the reason if the programs cannot be listed. */
  warn(message: string): void
}

const maxOpenUtterances = 32
const format = audioFormat(recogniserRateHertz)

/** A Wyoming server. Each utterance has a connection of its own, because some servers close it after a transcript. */
export async function createWyomingRecogniser(
  options: WyomingRecogniserOptions,
): Promise<Recogniser> {
  const { address, timeLimitMs = 60_000, warn } = options
  const closing = new AbortController()
  const slots = createUtteranceSlots({ slots: maxOpenUtterances, maxWaiting: 0 })
  const open = (signal: AbortSignal) => openConnection(address, signal)
  const programs = createProgramList(open, (reason) =>
    warn(`The recognisers of ${address} are not offered until they can be listed. ${reason}`),
  )
  await programs.refresh()

  const start = async (connection: WyomingConnection, request: RecognitionRequest) => {
    const { modelId, language, prompts } = request
    const program = programs.find(modelId)
    const result = readResult(connection, { onInterim: request.onInterim })
    // It may fail before it is awaited.
    result.catch(() => {})
    let isComplete = false
    void result.finally(() => (isComplete = true)).catch(() => {})
    // A server that detects the end of speech itself may close the connection early. Otherwise the result says why it
    // was closed.
    const send = async (event: WyomingMessage) => {
      await (isComplete ? result : connection.send(event).catch(() => result))
    }
    const terms = prompts?.length ? { transcript_terms: prompts } : {}
    const spoken = language && toServerLanguage(language, program?.languages ?? [])
    await send({ type: 'transcribe', data: { ...(spoken && { language: spoken }), ...terms } })
    await send({ type: 'audio-start', data: { ...format, timestamp: 0 } })
    let sent = 0
    const timestamp = () => Math.round((1000 * sent) / recogniserRateHertz)
    return {
      async write(samples: Int16Array) {
        if (samples.length === 0) return
        limitUtterance(sent + samples.length)
        const { buffer, byteOffset, byteLength } = samples
        const payload = new Uint8Array(buffer, byteOffset, byteLength)
        const data = { ...format, timestamp: timestamp() }
        sent += samples.length
        await send({ type: 'audio-chunk', data, payload })
      },
      async end() {
        await send({ type: 'audio-stop', data: { timestamp: timestamp() } })
        return { text: cleanTranscript(await result) }
      },
    }
  }

  return {
    name: 'wyoming',
    get models() {
      return programs.list()
    },
    async open(request) {
      const { signal } = request
      const release = await slots.acquire(signal)
      const limit = new AbortController()
      const ending = AbortSignal.any([signal, closing.signal, limit.signal])
      let connection: WyomingConnection | undefined
      let timer: NodeJS.Timeout | undefined
      const finish = () => {
        clearTimeout(timer)
        // A signal with a listener would be kept as long as those that it combines.
        ending.removeEventListener('abort', finish)
        connection?.destroy()
        release()
      }
      ending.addEventListener('abort', finish, { once: true })
      /** Converts the failure of a step. */
      const attempt = async <Result>(step: () => Promise<Result>): Promise<Result> => {
        try {
          return await step()
        } catch (error) {
          finish()
          signal.throwIfAborted()
          if (error instanceof EngineError) throw error
          if (limit.signal.aborted) {
            const message = `The Wyoming server, ${address}, took longer than ${timeLimitMs / 1000} s`
            throw new EngineError('timeout', message)
          }
          const reason = closing.signal.aborted ? 'the service is stopping' : messageOf(error)
          const message = `The Wyoming server, ${address}, failed: ${reason}. Check that it runs`
          // As a response it is not logged: a server may repeat in its error what was said.
          const response = new ServiceError('UNAVAILABLE', message)
          throw new EngineError('unavailable', message, { cause: error, response })
        }
      }
      return attempt(async () => {
        connection = await open(ending)
        const { write, end } = await start(connection, request)
        return {
          write: (samples) => attempt(() => write(samples)),
          end: () => {
            timer = setTimeout(() => limit.abort(), timeLimitMs)
            return attempt(end).finally(finish)
          },
        }
      })
    },
    async close() {
      closing.abort()
      programs.close()
    },
  }
}

/** The spelling that the server uses: it may know only `en`, or `en-US`, or `en_US`. */
function toServerLanguage(language: string, known: readonly string[]): string | undefined {
  if (/^auto/i.test(language)) return undefined
  return lookUpLanguage(language, known, (code) => [code]) ?? languageOf(language)
}

/** The message of an error, or of the errors for several addresses of a host. */
function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || 'unknown'
}

const usualPort = 10_300

/** A server of the Wyoming protocol, such as those of Home Assistant. */
export const wyoming = defineRecogniser({
  name: 'wyoming',
  options: {
    wyomingRecogniser: {
      placeholder: 'ADDRESS',
      help: 'address of a Wyoming server that recognises speech, such as tcp://192.168.1.5:10300',
      read: (text) => readAddress(text, usualPort),
    },
  },
  start: ({ options: { wyomingRecogniser: address }, warn }) =>
    address ? createWyomingRecogniser({ address, warn }) : undefined,
})

const maxTranscriptCharacters = 100_000

/**
 * Reads the events of a server up to the transcript. Unknown events are ignored.
 * @throws {Error} if the server reports an error or closes the connection first.
 */
async function readResult(
  { events }: WyomingConnection,
  { onInterim }: { onInterim: ((text: string) => void) | undefined },
): Promise<string> {
  let soFar = ''
  for await (const { type, data } of events) {
    const { text } = data
    if (type === 'error') throw new Error(`it reports an error: ${problemText({ message: text })}`)
    if (typeof text !== 'string') continue
    if (type === 'transcript') return text.slice(0, maxTranscriptCharacters)
    if (type !== 'transcript-chunk') continue
    soFar = (soFar + text).slice(0, maxTranscriptCharacters)
    onInterim?.(soFar.trim())
  }
  throw new Error('it closed the connection without a transcript')
}
