import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import type { PhraseRequest, PhraseSound } from '../../../../local-service/src/engines/engine.ts'
import {
  createUpstreamEngine,
  type UpstreamEngineOptions,
} from '../../../../local-service/src/engines/parlando/parlando-engine.ts'
import { keys } from '../../secrets/keys.ts'
import { audioLine, startTestServer } from '../../servers/test-server.ts'

/** The first voice of the upstream. */
export const nova = { voiceId: 'Nova', displayName: 'Nova', langCode: 'DE_DE' }
/** The audio of every response: 200 ms. */
export const tone = Buffer.from(
  Int16Array.from({ length: 4800 }, (_, at) => (at % 2 ? 9000 : -9000)).buffer,
)

export type Respond = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>

/** Starts the engine with an upstream that has two voices. The library also has a voice with one of the ids. */
export async function startUpstreamEngine(
  speak: Respond = (response) => void response.end(audioLine(tone)),
  options: Partial<UpstreamEngineOptions> = {},
) {
  const server = await startTestServer((response, request) => {
    if (request.method === 'POST') return speak(response, request)
    response.end(JSON.stringify({ voices: [nova, { voiceId: 'Clara', displayName: 'Other' }] }))
  })
  const warnings: string[] = []
  const engine = await createUpstreamEngine({
    baseUrl: server.baseUrl,
    apiKey: keys.upstream,
    warn: (message) => warnings.push(message),
    ...options,
  })
  onTestFinished(() => engine.close())
  const sounds: PhraseSound[] = []
  const phrase = (more: Partial<PhraseRequest> = {}) =>
    engine.speakPhrase({
      voice: 'Nova',
      text: 'Guten Tag.',
      modelId: 'svc-tts-2-flash',
      withWords: false,
      signal: new AbortController().signal,
      onSound: (sound) => sounds.push(sound),
      ...more,
    })
  return { server, engine, warnings, sounds, phrase }
}
