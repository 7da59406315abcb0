import type { Call } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type Voice,
  type VoiceFile,
  voiceFileSchema,
  voiceIdSchema,
  voiceSchema,
} from '../../wire/voices.ts'
import type { EndpointContext } from '../response-source.ts'

/** `GET /local/v1/voices/{voiceId}:export`. An extension of the local service, like the function below. */
export async function exportVoice(
  { transport }: EndpointContext,
  voiceId: string,
  call: Call,
): Promise<VoiceFile> {
  const id = encodeURIComponent(parseInput(voiceIdSchema, voiceId, 'Voice id'))
  const request = { method: 'GET', path: `/local/v1/voices/${id}:export` } as const
  const { data } = await transport.sendForJson(voiceFileSchema, request, call)
  return data
}

/** `POST /local/v1/voices:import`: adds the voice of a file, with an id of its own. */
export async function importVoice(
  { transport }: EndpointContext,
  file: VoiceFile,
  call: Call,
): Promise<Voice> {
  const json = parseInput(voiceFileSchema, file, 'Voice file')
  const { data } = await transport.sendForJson(
    voiceSchema,
    {
      method: 'POST',
      path: '/local/v1/voices:import',
      body: { json },
      // Trap: a request that the service received may have added the voice; a retry would add a second one.
      retry: 'unless-received',
    },
    call,
  )
  return data
}
