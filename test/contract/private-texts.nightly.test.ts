import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@parlando/core'
import { beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'

const require = createRequire(import.meta.url)
const cli = require.resolve('@parlando/local-service/cli')
const printSpans = new URL('../../packages/test-support/src/watch/print-spans.js', import.meta.url)

/** No word of the service. */
const secret = 'marmalade'
const text = `The code of the safe is ${secret}, and this is a secret.`

interface Operation {
  requestBody?: { content: Record<string, { example?: unknown }> }
}
type Paths = Record<string, Record<string, Operation>>

/** Everything that the service has written about its requests: its log, its spans and its metrics. */
let written = ''
let paths: Paths

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-private-'))
  const service = spawn(process.execPath, [cli, '--port', '0', '--log-level', 'debug'], {
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${printSpans.href}`,
      PARLANDO_LOCAL_DATA_FOLDER: folder,
      PARLANDO_LOCAL_WARM_UP: 'false',
    },
  })
  const ended = new Promise((resolve) => service.once('close', resolve))
  try {
    service.stderr.on('data', (data) => {
      written += data
    })
    const baseUrl = await new Promise<string>((resolve, reject) => {
      service.stdout.once('data', (data) => resolve(/^Speaking at (\S+)$/m.exec(String(data))![1]!))
      void ended.then(() => reject(new Error(`The service has ended: ${written}`)))
    })
    const response = await fetch(`${baseUrl}/openapi.yaml`)
    paths = (parse(await response.text()) as { paths: Paths }).paths
    await useEveryOperation(baseUrl)
    const client = createClient({ baseUrl })
    await useSockets(client)
    await useJobs(client)
    await client.close()
    written += await (await fetch(`${baseUrl}/metrics`)).text()
    service.kill('SIGTERM')
    await ended
  } finally {
    service.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  }
}, 90_000)

/** Sends the examples of the description, with other texts in place of their texts, and in place of everything. */
async function useEveryOperation(baseUrl: string): Promise<void> {
  for (const [path, operations] of Object.entries(paths)) {
    const url = `${baseUrl}${path.replace(/\{\w+\}/g, secret)}?filter=${secret}`
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const example = Object.values(requestBody?.content ?? {})[0]?.example
      const bodies =
        example === undefined ? [undefined] : [withSecrets(example, / /), withSecrets(example, /./)]
      for (const body of bodies) {
        const init = {
          method: method.toUpperCase(),
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }
        const response = await fetch(url, init)
        await response.arrayBuffer()
      }
    }
  }
}

/** @param replaced the strings in place of which the text is put. */
function withSecrets(value: unknown, replaced: RegExp): unknown {
  if (typeof value === 'string') return replaced.test(value) ? text : value
  if (Array.isArray(value)) return value.map((member) => withSecrets(member, replaced))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withSecrets(member, replaced)]),
  )
}

async function useSockets(client: Client): Promise<void> {
  await using socket = client.speechSocket()
  const context = socket.context({ voiceId: 'Clara', modelId: 'svc-tts-2-flash' })
  context.write(text)
  context.end()
  for await (const _chunk of context);
  const conversation = client.realtime({ instructions: text }, { reconnect: false })
  conversation.sendText(text)
  for await (const { type } of conversation) if (type === 'response.done') break
  await client.transcribeStream({ prompts: [text] }).close()
  await client.findWakeWords({ phrases: [text] }).close()
}

async function useJobs(client: Client): Promise<void> {
  const request = { text, voiceId: 'Clara', modelId: 'svc-tts-2-flash' }
  const long = await client.synthesizeLong(request)
  await long.finished()
  const items = [
    { customId: secret, request },
    { customId: 'unknown', request: { ...request, voiceId: secret } },
  ]
  const batch = await client.synthesizeBatch({ items })
  await batch.finished()
  await Promise.all([long.remove(), batch.remove()])
}

it('the log, the traces and the metrics of the service contain no text of a user', () => {
  const lines = written.split('\n').filter((line) => line.includes(secret))
  expect(lines).toEqual([])
})

it('each request is in the log and in the traces', () => {
  for (const path of Object.keys(paths)) {
    const route = path.replace(/\{(\w+)\}/g, ':$1')
    expect(written).toContain(`"route":"${route}"`)
    expect(written).toContain(`"http.route":"${route}"`)
  }
  expect(written).toContain('parlando_')
})
