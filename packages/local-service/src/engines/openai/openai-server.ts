import { ServiceError } from '../../errors/service-error.ts'
import { createOpenAiClient } from '../../remote/openai-client.ts'
import { readFailure, type ServerName } from '../../remote/server-failure.ts'
import { decodeSpeech } from '../remote/decode-speech.ts'
import type { RemoteVoice, SpeechServer } from '../remote/remote-engine.ts'
import { type OpenAiSelection, readModelVoices, readVoices, toVoice } from './read-voices.ts'

export interface OpenAiServerOptions {
  /** Base URL of the API, with or without `/v1`. */
  baseUrl: string
  serverName: ServerName
  model: string
  /** The names of the voices. Default: those that the server lists. */
  voices?: readonly string[]
  /** The rate of PCM if the server does not state it. */
  pcmRateHertz: number
}

/**
 * The variants of a request, from the fastest first sound to the one that every server supports. LocalAI streams only with
 * `stream`, which other servers reject; Chatterbox sends only complete files, and no PCM.
 */
const variants: readonly object[] = [
  { response_format: 'pcm', stream: true },
  { response_format: 'pcm' },
  { response_format: 'wav' },
]

/** A server of the OpenAI API that speaks. */
export function createOpenAiServer(options: OpenAiServerOptions): SpeechServer<OpenAiSelection> {
  const { serverName, model, pcmRateHertz } = options
  const client = createOpenAiClient(basesOf(options.baseUrl), serverName)
  let possible = variants

  const listVoices = async (signal: AbortSignal): Promise<RemoteVoice<OpenAiSelection>[]> => {
    if (options.voices?.length) {
      // This only finds out whether the server can be used.
      await client.readList('/models', signal)
      return options.voices.map((name) => toVoice({ name }))
    }
    const voices = readVoices(await client.readList('/audio/voices', signal))
    if (voices.length > 0) return voices
    const models = readModelVoices(await client.readList('/models', signal))
    if (models.length > 0) return models
    const message = `${serverName.subject} lists no voices. Name them with --speech-upstream-voice`
    throw new ServiceError('NOT_FOUND', message)
  }

  /** Sends the first variant that the server accepts, and remembers it. */
  const requestSpeech = async (request: object, signal: AbortSignal): Promise<Response> => {
    let rejected: ServiceError | undefined
    for (const variant of possible) {
      const response = await client.send('/audio/speech', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...request, ...variant }),
        signal,
      })
      if (response.ok) {
        // It begins in `variants`, because a phrase in parallel may have shortened `possible` meanwhile.
        possible = variants.slice(variants.indexOf(variant))
        return response
      }
      const failure = await readFailure(response, serverName)
      if (response.status !== 400 && response.status !== 422) throw failure
      rejected ??= failure
    }
    throw rejected!
  }

  return {
    listVoices,
    async *speak(selection, text, signal) {
      const response = await requestSpeech({ model, input: text, ...selection }, signal)
      yield* decodeSpeech(response, { subject: serverName.subject, pcmRateHertz }, signal)
    },
  }
}

function basesOf(baseUrl: string): readonly string[] {
  return /\/v\d+$/.test(baseUrl) ? [baseUrl] : [`${baseUrl}/v1`, baseUrl]
}
