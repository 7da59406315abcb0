import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { makeCertificate } from '@parlando/test-support/servers/certificate'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createSonosDriver } from '../../../packages/node-red-nodes/src/speakers/kinds/sonos/sonos.ts'
import { fuzz } from '../cases.ts'
import { heldMebibytes } from '../checks/held-memory.ts'
import { damaged } from '../inputs/bytes.ts'
import { anyJson, grown, mutated } from '../inputs/json.ts'
import { fetchSound, startTrap, toText } from '../setups/hostile-api.ts'
import {
  errorsOf,
  expectErrorForUsers,
  maxLeftMebibytes,
  playShortSound,
  useSounds,
} from '../setups/hostile-player.ts'

const trap = await startTrap()
const websocketUrl = `${trap.url.replace('http:', 'wss:')}websocket/api`

/** What a player sends, by the command; `"cmdId":"0"` becomes that of the command. */
const result = { cmdId: '0', success: true, householdId: 'h', websocketUrl }
const clip = { id: 'c', status: 'ACTIVE', streamUrl: websocketUrl }
const good: Record<string, unknown> = {
  info: {
    playerId: 'p',
    websocketUrl,
    restUrl: websocketUrl,
    device: { capabilities: ['AUDIO_CLIP'] },
  },
  subscribe: [result, {}],
  getVolume: [result, { volume: 40, fixed: false }],
  loadAudioClip: [result, { id: 'c', name: 'Parlando' }],
  active: [{ type: 'audioClipStatus' }, { audioClips: [clip] }],
  done: [{ type: 'audioClipStatus' }, { audioClips: [{ ...clip, status: 'DONE' }] }],
  cancelAudioClip: [result, {}],
}

const response = (valid: unknown) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(toText(valid)) },
    { weight: 2, arbitrary: mutated(valid, 1).map(toText) },
    { weight: 1, arbitrary: grown(valid).map(toText) },
    { weight: 2, arbitrary: damaged(toText(valid), 1) },
    { weight: 1, arbitrary: anyJson.map(toText) },
    { weight: 1, arbitrary: fc.constant('') },
  )
const responses = fc.record(
  Object.fromEntries(Object.entries(good).map(([name, valid]) => [name, response(valid)])),
)
type Responses = Record<string, string>

const certificate = makeCertificate()

async function serve(given: Responses) {
  const server = createServer(certificate, (_request, response) => {
    // A redirect is not followed.
    response.writeHead(given['info'] === '' ? 307 : 200, { location: trap.url })
    response.end(given['info'])
  }).listen(0, '127.0.0.1')
  server.on('tlsClientError', () => {})
  const handleProtocols = (protocols: Set<string>) => [...protocols][0]!
  const webSockets = new WebSocketServer({ server, handleProtocols })
  webSockets.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.on('message', (data) => void respond(socket, String(data), given))
  })
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of webSockets.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function respond(socket: WebSocket, text: string, given: Responses): Promise<void> {
  const [{ command, cmdId }, { streamUrl }] = JSON.parse(text) as [
    { command: string; cmdId: string },
    { streamUrl?: string },
  ]
  // The player.
  if (streamUrl?.includes('/parlando/sounds/')) await fetchSound(streamUrl)
  const events = command === 'loadAudioClip' ? ['active', 'done'] : []
  for (const name of [command, ...events])
    socket.send(given[name]!.replace('"cmdId":"0"', `"cmdId":"${cmdId}"`))
}

const sounds = useSounds(trap)

/** Uses a player as a speaker does. @param responseMs How long the player may take. @returns the error. */
async function use(address: string, responseMs = 150): Promise<unknown> {
  const options = { RED: speakerTexts.en, sounds: sounds(), config: { sonos: address } }
  const driver = createSonosDriver({ ...options, responseMs, fetchLimitMs: responseMs })
  const signal = AbortSignal.timeout(4 * responseMs)
  const [error] = await errorsOf([playShortSound(driver, signal)]).finally(() => driver.close())
  return error
}

const valid = () =>
  Object.fromEntries(Object.entries(good).map(([name, value]) => [name, toText(value)]))

it('no message of a Sonos player ends Node-RED, or makes it connect to another address', async () => {
  const before = await heldMebibytes()
  await fuzz(
    responses,
    async (given) => {
      const server = await serve(given as Responses)
      const error = await use(server.address)
      await server.close()
      if (error) expectErrorForUsers(error)
      expect(trap.contacts).toEqual([])
    },
    { lanes: 20, share: 0.2 },
  )
  expect((await heldMebibytes()) - before).toBeLessThan(maxLeftMebibytes)
})

it('a player that behaves well plays to the end', async () => {
  const server = await serve(valid())
  expect(await use(server.address, 5000)).toBeUndefined()
  await server.close()
})

/** As large as a message may be. */
const bytes = 64 * 1024
const large: [what: string, text: string][] = [
  ['deep lists', '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)],
  ['deep lists without an end', '['.repeat(bytes)],
  ['many clips', `[{},{"audioClips":[${'{"id":"c"},'.repeat(bytes / 12)}{"id":"c"}]}]`],
  ['many numbers', `[${'1,'.repeat(bytes / 2 - 2)}1]`],
  ['too much', 'x'.repeat(10 * bytes)],
]

it.each(large)('a player does not hold the event loop: %s', async (_what, text) => {
  for (const name of ['info', 'subscribe', 'active']) {
    const server = await serve({ ...valid(), [name]: text })
    const holdMs = await measureHold(() => use(server.address))
    await server.close()
    expect(holdMs).toBeLessThan(maxHoldMs)
  }
})
