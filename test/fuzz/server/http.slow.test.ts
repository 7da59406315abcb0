import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fuzz } from '../cases.ts'
import { heldMebibytes } from '../checks/held-memory.ts'
import { cuts, pieces } from '../inputs/bytes.ts'
import { type OddRequest, oddRequests } from '../inputs/http-requests.ts'
import { type HttpResponse, readResponses } from '../inputs/http-responses.ts'
import { turn } from '../setups/wait.ts'

let folder: string
let services: LocalService[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlando-fuzz-'))
  const options = { dataFolder: folder, warmUp: false }
  // Without a key, the service rejects the requests of web pages.
  services = await Promise.all([
    startLocalService({ ...options, apiKey: keys.service }),
    startLocalService(options),
  ])
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()))
  await rm(folder, { recursive: true })
})

interface Connection {
  /** Sent without waiting for the responses. */
  requests: OddRequest[]
  /** Where the bytes are cut into pieces; absent: sent at once. */
  cuts?: number[] | undefined
}

const anyConnection: fc.Arbitrary<Connection> = fc.record({
  requests: oddRequests,
  cuts: fc.option(cuts, { nil: undefined }),
})

/** Much longer than any of the requests takes. */
const responseLimitMs = 20_000

/** Sends the requests of a connection, and waits for the responses to all, or for its end. */
async function converse(port: number, given: Connection): Promise<HttpResponse[]> {
  const { requests } = given
  const socket = connect(port, '127.0.0.1')
  // The service may close a connection while it still receives.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const received: Buffer[] = []
  const read = (isEnded: boolean) => readResponses(Buffer.concat(received), requests, isEnded)
  const complete = new Promise<HttpResponse[]>((resolve, reject) => {
    const check = (isEnded: boolean) => {
      try {
        const responses = read(isEnded)
        if (isEnded || responses.length === requests.length) resolve(responses)
      } catch (error) {
        reject(error)
      }
    }
    socket.on('data', (bytes) => {
      received.push(bytes)
      check(false)
    })
    socket.once('close', () => check(true))
    const limit = setTimeout(() => reject(new Error('No response')), responseLimitMs)
    socket.once('close', () => clearTimeout(limit))
  })
  // Reported where it is awaited, after the last piece.
  complete.catch(() => {})
  await once(socket, 'connect')
  const bytes = requests.map((request) => request.bytes).join('')
  for (const piece of pieces(bytes, given.cuts)) {
    socket.write(piece)
    await turn()
  }
  try {
    return await complete
  } finally {
    socket.destroy()
    await closed
  }
}

function expectResponses({ requests }: Connection, responses: HttpResponse[]): void {
  for (const [index, { status, headers, body }] of responses.entries()) {
    const { method, isHttp10 } = requests[index]!
    expect(status === 501 || (status >= 200 && status < 500)).toBe(true)
    expect(body.includes('node_modules') || body.includes(keys.service)).toBe(false)
    if (status < 400 || method === 'HEAD') continue
    expect(headers.get('content-type')).toBe('application/json')
    expect(JSON.parse(String(body))).toSatisfy(isProblem)
    if (status === 405) expect(headers.get('allow')).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
    if (isHttp10) expect(headers.has('transfer-encoding')).toBe(false)
  }
  // Requests remain without a response only behind one that ends the connection.
  if (responses.length < requests.length) expect(responses.at(-1)?.isLast).toBe(true)
}

function isProblem({
  error,
  message = error?.message,
}: {
  error?: { message: string }
  message?: string
}) {
  return typeof message === 'string' && message.length > 5
}

const resources = () =>
  process
    .getActiveResourcesInfo()
    .filter((name) => /TCP|Server|Process|Worker/.test(name))
    .sort()

it('gives legal responses to legal requests of any form, and leaves nothing behind', async () => {
  const before = resources()
  const ask = (share: number) =>
    fuzz(
      anyConnection,
      async (given, lane) => {
        const { port } = new URL(services[lane % services.length]!.baseUrl)
        expectResponses(given, await converse(Number(port), given))
      },
      { lanes: 4, share, eventsOf: ({ requests }) => requests.length },
    )
  await ask(0.5)
  const held = await heldMebibytes()
  // Voices and encoders are loaded on first use and stay loaded, but the same requests need no more memory.
  await ask(0.1)
  expect((await heldMebibytes()) - held).toBeLessThan(16)
  await expect.poll(resources).toEqual(before)
})
