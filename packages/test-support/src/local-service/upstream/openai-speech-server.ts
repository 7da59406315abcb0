import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { createOpenAiServer } from '../../../../local-service/src/engines/openai/openai-server.ts'
import { createRemoteEngine } from '../../../../local-service/src/engines/remote/remote-engine.ts'
import { keys } from '../../secrets/keys.ts'
import { startTestServer } from '../../servers/test-server.ts'
import { toneOfText } from '../speech-stand-in.ts'

const apiKey = keys.upstream
/** What the server speaks: 1.5 s. */
export const tone = toneOfText('Good morning', 24_000)

/** The body of a request. */
export interface Speech {
  model: string
  input: string
  voice?: string
  response_format: string
  stream?: boolean
}

/** How a server responds. */
export interface StandIn {
  /** By path. Default: 404. */
  lists?: Readonly<Record<string, unknown>>
  speak?(response: ServerResponse, speech: Speech, request: IncomingMessage): void
}

/** A server with three voices. */
export const kokoro: StandIn = {
  lists: { '/v1/audio/voices': { voices: ['af_heart', 'bf_emma', 'zm_yunxi'] } },
  speak: (response) => void response.writeHead(200, { 'content-type': 'audio/pcm' }).end(tone),
}

/** Starts a server and an engine for it. Both stop at the end of the test. */
export async function openEngine(
  { lists = {}, speak = kokoro.speak! }: StandIn,
  options: { path?: string; voices?: readonly string[]; timeLimitMs?: number } = {},
) {
  const server = await startTestServer((response, request, bytes) => {
    const list = lists[request.url ?? '']
    if (request.method === 'GET') {
      return void response.writeHead(list ? 200 : 404).end(JSON.stringify(list ?? { detail: 'no' }))
    }
    if (request.url !== '/v1/audio/speech') return void response.writeHead(404).end()
    speak(response, JSON.parse(Buffer.from(bytes).toString()), request)
  })
  const { path = '/v1', voices, timeLimitMs } = options
  return { server, ...(await openEngineAt(server.baseUrl + path, { voices, timeLimitMs })) }
}

/** Opens an engine for a server. */
export async function openEngineAt(
  baseUrl: string,
  { voices, timeLimitMs }: { voices?: readonly string[]; timeLimitMs?: number } = {},
) {
  const warnings: string[] = []
  const subject = `The speech server, ${baseUrl},`
  const serverName = { subject, option: '--speech-upstream', apiKey }
  const engine = await createRemoteEngine({
    ...{ name: 'openai', address: baseUrl, serverName, timeLimitMs },
    server: createOpenAiServer({
      ...{ baseUrl, serverName, model: 'tts-1', voices, pcmRateHertz: 24_000 },
    }),
    warn: (problem) => warnings.push(problem),
  })
  onTestFinished(() => engine.close())
  const sounds: Float32Array[] = []
  const speak = (text = 'Good morning', voice = engine.voices[0]!.name, signal?: AbortSignal) =>
    engine.speakPhrase({
      ...{ voice, text, modelId: 'svc-tts-2', withWords: false },
      signal: signal ?? new AbortController().signal,
      onSound: ({ samples }) => void sounds.push(samples),
    })
  const seconds = () => sounds.reduce((sum, { length }) => sum + length, 0) / 24_000
  return { engine, warnings, speak, sounds, seconds }
}
