import { onTestFinished } from 'vitest'
import {
  createUpstreamRecogniser,
  type UpstreamRecogniserOptions,
} from '../../../../local-service/src/recognisers/openai/openai-recogniser.ts'
import type {
  Recogniser,
  RecognitionRequest,
} from '../../../../local-service/src/recognisers/recogniser.ts'
import { tone } from '../../audio/computed-sounds.ts'
import { startTestServer, type TestServer } from '../../servers/test-server.ts'

const { signal } = new AbortController()
/** A second of sound. */
export const second = new Int16Array(
  new Uint8Array(tone({ seconds: 1, hertz: 300, sampleRateHertz: 16_000 })).buffer,
)

/** What a server responds to an upload. */
export interface Reply {
  status?: number
  type?: string
  body: string
  headers?: Record<string, string>
}

export const json = (value: unknown, status = 200): Reply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
})

/** The fields of a multipart body, without the file. */
function fieldsOf(body: string): Record<string, string> {
  const fields = body.matchAll(/name="([^"]+)"\r\n\r\n([^\r]*)\r\n/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
}

interface StandIn {
  server: TestServer
  recogniser: Recogniser
  uploads: { url: string; fields: Record<string, string>; body: string }[]
}

/** A recogniser and the server behind it, which has one path and replies with `reply`. */
export async function startUpstream(
  reply: (fields: Record<string, string>) => Reply,
  {
    path = '/v1/audio/transcriptions',
    models,
    ...options
  }: Partial<UpstreamRecogniserOptions> & { path?: string; models?: readonly string[] } = {},
): Promise<StandIn> {
  const uploads: StandIn['uploads'] = []
  const server = await startTestServer((response, request, bytes) => {
    const isList = request.url === '/v1/models' && models
    const body = bytes.toString()
    const fields = fieldsOf(body)
    if (request.url === path) uploads.push({ url: request.url, fields, body })
    const found = request.url === path ? reply(fields) : json({ error: 'no such path' }, 404)
    const sent = isList ? json({ data: models.map((id) => ({ id })) }) : found
    response.writeHead(sent.status ?? 200, { 'content-type': sent.type ?? '', ...sent.headers })
    response.end(sent.body)
  })
  const recogniser = await createUpstreamRecogniser({ baseUrl: `${server.baseUrl}/v1`, ...options })
  onTestFinished(() => recogniser.close())
  return { server, recogniser, uploads }
}

/** Recognises a second of sound. */
export async function recognise(recogniser: Recogniser, request: Partial<RecognitionRequest> = {}) {
  const modelId = recogniser.models[0]!.modelId
  const recognition = await recogniser.open({ modelId, withWords: false, signal, ...request })
  await recognition.write(second)
  return recognition.end()
}
