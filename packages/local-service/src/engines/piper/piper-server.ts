import { toLangCode } from '@parlando/core/text'
import { z } from 'zod'
import { createOpenAiClient } from '../../remote/openai-client.ts'
import { readFailure, type ServerName } from '../../remote/server-failure.ts'
import { decodeSpeech } from '../remote/decode-speech.ts'
import type { RemoteVoice, SpeechServer } from '../remote/remote-engine.ts'

/** The fields of a request that select a voice; `undefined` for a server with a single voice. */
export type PiperSelection = { voice: string; speaker_id?: number } | undefined

const configSchema = z.looseObject({
  language: z.looseObject({ code: z.string() }).nullish().catch(undefined),
  espeak: z.looseObject({ voice: z.string() }).nullish().catch(undefined),
  speaker_id_map: z.record(z.string(), z.int()).nullish().catch(undefined),
})
const voicesSchema = z.record(z.string(), configSchema)

// Some voices have a thousand speakers.
const maxSpeakers = 50
/** Used only if a response is not WAV. */
const pcmRateHertz = 22_050

/**
 * Piper's HTTP server. It sends a whole WAV file. Version 1.4 has `/synthesize`; older ones use `/`. The oldest have one
 * voice, no list, and read the body aloud as it is.
 */
export function createPiperServer(
  baseUrl: string,
  serverName: ServerName,
): SpeechServer<PiperSelection> {
  const server = createOpenAiClient([baseUrl], serverName)
  const synthesis = createOpenAiClient([`${baseUrl}/synthesize`, `${baseUrl}/`], serverName)

  const post = async (selection: PiperSelection, text: string, signal: AbortSignal) => {
    const body = selection ? JSON.stringify({ text, ...selection }) : text
    const type = selection ? 'application/json' : 'text/plain; charset=utf-8'
    const init = { method: 'POST', headers: { 'content-type': type }, body, signal }
    const response = await (selection ? synthesis.send('', init) : server.send('/', init))
    if (!response.ok) throw await readFailure(response, serverName)
    return response
  }

  return {
    async listVoices(signal) {
      const list = await server.readList('/voices', signal)
      if (list === undefined) return [{ name: 'default', langCode: 'AUTO', selection: undefined }]
      return Object.entries(voicesSchema.parse(list)).flatMap(([name, config]) =>
        toVoices(name, config),
      )
    },
    async *speak(selection, text, signal) {
      const response = await post(selection, text, signal)
      yield* decodeSpeech(response, { subject: serverName.subject, pcmRateHertz }, signal)
    },
  }
}

function toVoices(
  voice: string,
  { language, espeak, speaker_id_map: speakers }: z.infer<typeof configSchema>,
): RemoteVoice<PiperSelection>[] {
  const langCode = toLangCode(language?.code ?? espeak?.voice ?? '')
  const named = Object.entries(speakers ?? {}).slice(0, maxSpeakers)
  if (named.length < 2) return [{ name: voice, langCode, selection: { voice } }]
  return named.map(([speaker, id]) => ({
    name: `${voice}-${speaker}`,
    displayName: `${voice}, ${speaker}`,
    langCode,
    selection: { voice, speaker_id: id },
  }))
}
