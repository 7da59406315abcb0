import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@parlando/test-support/servers/addresses'
import { WebSocket } from 'ws'
import { installHomeAssistant } from './install-home-assistant.ts'

const startLimitMs = 300_000

export interface RealHomeAssistant {
  address: string
  /** A long-lived token of its owner. */
  token: string
  /**
   * Adds an integration.
   * @param fields of its form.
   */
  add(integration: string, fields: object): Promise<void>
  /** Sends a request to its REST API. */
  request(method: string, path: string, body?: object): Promise<unknown>
  close(): Promise<void>
}

/** Starts a new Home Assistant on the loopback interface, without the integrations that search a network, and with an owner. */
export async function startHomeAssistant(
  environment: NodeJS.ProcessEnv,
): Promise<RealHomeAssistant> {
  const programs = installHomeAssistant()
  const folder = await mkdtemp(join(tmpdir(), 'home-assistant-'))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  await writeFile(join(folder, 'configuration.yaml'), settings(address, port))
  const components = fileURLToPath(new URL('custom_components', import.meta.url))
  await cp(components, join(folder, 'custom_components'), { recursive: true })
  const command = ['-m', 'homeassistant', '--config', folder, '--skip-pip']
  const child = spawn(join(programs, 'python'), command, {
    env: { ...environment, PATH: `${programs}:${process.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output = (output + data).slice(-20_000)
    })
  }
  const exited = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    const hanging = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await exited
    clearTimeout(hanging)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilStarted(address, () => child.exitCode !== null)
    const token = await createOwner(address)
    const request = (method: string, path: string, body?: object) =>
      sendRequest(`${address}${path}`, { method, body, token })
    return { address, token, request, close, add: (...given) => addIntegration(request, ...given) }
  } catch (error) {
    await close()
    throw new Error(`Home Assistant did not start: ${output}`, { cause: error })
  }
}

function settings(address: string, port: number): string {
  return `homeassistant:
  internal_url: ${address}
http:
  server_host: 127.0.0.1
  server_port: ${port}
config:
media_player:
  - platform: judge
assist_satellite:
`
}

async function untilStarted(address: string, hasExited: () => boolean): Promise<void> {
  const limit = AbortSignal.timeout(startLimitMs)
  while (!(await fetch(`${address}/api/onboarding`).catch(() => undefined))?.ok) {
    if (hasExited() || limit.aborted) throw new Error('no response')
    await delay(200)
  }
}

/** Goes through the first steps of its form for new users. @returns a long-lived token. */
async function createOwner(address: string): Promise<string> {
  const client = `${address}/`
  const owner = { name: 'Owner', username: 'owner', password: randomUUID(), language: 'en' }
  const created = await sendRequest(`${address}/api/onboarding/users`, {
    method: 'POST',
    body: { client_id: client, ...owner },
  })
  const response = await fetch(`${address}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: (created as { auth_code: string }).auth_code,
      client_id: client,
    }),
  })
  const { access_token: session } = (await response.json()) as { access_token: string }
  return longLivedToken(address, session)
}

async function longLivedToken(address: string, session: string): Promise<string> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/api/websocket`)
  const send = (message: object) => socket.send(JSON.stringify(message))
  try {
    for await (const [data] of messagesOf(socket)) {
      const { type, result } = JSON.parse(String(data)) as { type: string; result: string }
      if (type === 'auth_required') send({ type: 'auth', access_token: session })
      if (type === 'auth_ok') {
        const command = { type: 'auth/long_lived_access_token', client_name: 'Test', lifespan: 1 }
        send({ id: 1, ...command })
      }
      if (type === 'result') return result
    }
    throw new Error('no token')
  } finally {
    socket.close()
  }
}

async function* messagesOf(socket: WebSocket): AsyncGenerator<unknown[]> {
  for (;;) yield once(socket, 'message')
}

type Send = RealHomeAssistant['request']

async function addIntegration(request: Send, handler: string, fields: object): Promise<void> {
  const path = '/api/config/config_entries/flow'
  const form = (await request('POST', path, { handler })) as { flow_id: string }
  const result = (await request('POST', `${path}/${form.flow_id}`, fields)) as { type: string }
  if (result.type !== 'create_entry') throw new Error(JSON.stringify(result))
}

interface Request {
  method: string
  body?: object
  token?: string
}

async function sendRequest(url: string, { method, body, token }: Request): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  return JSON.parse(text)
}
