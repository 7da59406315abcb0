import { toLangCode } from '@parlando/core/text'
import { z } from 'zod'
import type { DecodedPiece } from '../../audio/decoding/decode-pieces.ts'
import { fromPcmBytes } from '../../audio/pcm.ts'
import { onAbort } from '../../concurrency/abort-signals.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { problemText } from '../../remote/read-response.ts'
import type { ServerName } from '../../remote/server-failure.ts'
import type { WyomingEvent } from '../../remote/wyoming/event.ts'
import { describeServer, openConnection } from '../../remote/wyoming/open-connection.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import type { RemoteVoice, SpeechServer } from '../remote/remote-engine.ts'

/** The `voice` of the event `synthesize`. */
export interface WyomingSelection {
  name: string
  speaker?: string
}

const voiceSchema = z.looseObject({
  name: z.string().min(1),
  installed: z.boolean().nullish(),
  languages: z.array(z.string()).nullish().catch(undefined),
  speakers: z
    .array(z.looseObject({ name: z.string().min(1) }))
    .nullish()
    .catch(undefined),
})
const programSchema = z.looseObject({
  installed: z.boolean().nullish(),
  voices: z.array(voiceSchema).nullish(),
})
const infoSchema = z.looseObject({ tts: z.array(programSchema).nullish() })

const formatSchema = z.looseObject({
  rate: z.int().min(4000).max(192_000),
  width: z.literal(2),
  channels: z.int().min(1).max(8),
})
type AudioFormat = z.infer<typeof formatSchema>

// Some voices have a thousand speakers.
const maxSpeakers = 50

/**
 * A Wyoming server. Each phrase has a connection of its own and is sent with `synthesize`: the text is complete, and servers
 * send the audio of each of its sentences when it is ready.
 */
export function createWyomingSpeechServer(
  address: string,
  { subject }: ServerName,
): SpeechServer<WyomingSelection> {
  /** Opens a connection that an abort closes. */
  const open = async (signal: AbortSignal): Promise<WyomingConnection> => {
    const connection = await openConnection(address, signal)
    onAbort(signal, connection.destroy)
    return connection
  }

  return {
    async listVoices(signal) {
      const connection = await open(signal)
      const info = await describeServer(connection).finally(connection.destroy)
      const programs = (infoSchema.parse(info).tts ?? []).filter(isInstalled)
      // Servers download a voice that is not installed when it speaks first.
      return programs.flatMap(({ voices }) => (voices ?? []).filter(isInstalled).flatMap(toVoices))
    },
    async *speak(voice, text, signal) {
      const connection = await open(signal)
      try {
        await connection.send({ type: 'synthesize', data: { text, voice } })
        yield* readSpeech(connection, subject)
      } finally {
        connection.destroy()
      }
    },
  }
}

function isInstalled({ installed }: { installed?: boolean | null | undefined }): boolean {
  return installed !== false
}

function toVoices({
  name,
  languages,
  speakers,
}: z.infer<typeof voiceSchema>): RemoteVoice<WyomingSelection>[] {
  const langCode = languages?.length === 1 ? toLangCode(languages[0]!) : 'AUTO'
  const named = (speakers ?? []).slice(0, maxSpeakers)
  if (named.length < 2) return [{ name, langCode, selection: { name } }]
  return named.map(({ name: speaker }) => ({
    name: `${name}-${speaker}`,
    displayName: `${name}, ${speaker}`,
    langCode,
    selection: { name, speaker },
  }))
}

/** Reads the audio up to `audio-stop`. Unknown events are ignored. */
async function* readSpeech(
  { events }: WyomingConnection,
  subject: string,
): AsyncGenerator<DecodedPiece, void> {
  const fail = (problem: string) => new ServiceError('INTERNAL', `${subject} ${problem}`, 502)
  for await (const { type, data, payload } of events) {
    if (type === 'audio-stop') return
    if (type === 'error') throw fail(`reports an error: ${problemText({ message: data['text'] })}`)
    if (type !== 'audio-chunk') continue
    const format = formatSchema.safeParse(data)
    if (!format.success) throw fail('sent audio that is not PCM with 16 bits')
    yield { samples: toMono(payload, format.data), sampleRateHertz: format.data.rate }
  }
  throw new Error('it closed the connection before the end of the speech')
}

function toMono(payload: WyomingEvent['payload'], { channels }: AudioFormat): Float32Array {
  const samples = fromPcmBytes(payload)
  if (channels === 1) return samples
  const mono = new Float32Array(Math.floor(samples.length / channels))
  for (let index = 0; index < mono.length; index++) {
    const frame = samples.subarray(index * channels, (index + 1) * channels)
    mono[index] = frame.reduce((sum, sample) => sum + sample, 0) / channels
  }
  return mono
}
