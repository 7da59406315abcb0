import { once } from 'node:events'
import { connect } from 'node:net'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { freePort } from '@parlando/test-support/servers/addresses'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { soundOf } from '../../../packages/node-red-nodes/src/sounds/sound.ts'
import { SharedServers } from '../../../packages/node-red-nodes/src/speakers/kinds/squeezebox/shared-servers.ts'
import { createSqueezeboxDriver } from '../../../packages/node-red-nodes/src/speakers/kinds/squeezebox/squeezebox.ts'
import { fuzz } from '../cases.ts'
import { watchEventLoop } from '../checks/event-loop-watch.ts'
import { heldMebibytes } from '../checks/held-memory.ts'
import { type Bytes, damaged } from '../inputs/bytes.ts'

function frameOf(operation: string, payload: Bytes): Bytes {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(payload.length)
  return operation + length.toString('latin1') + payload
}

const statusOf = (event: string) => frameOf('STAT', event + '\0'.repeat(49))
const hello = frameOf('HELO', `\x0c\x00\x00\x04\x20\x00\x00\x01${'\0'.repeat(28)}Model=squeezelite`)
const good = [
  hello,
  frameOf('SETD', '\0Kitchen\0'),
  ...['STMf', 'STMc', 'STMs', 'STMt', 'STMo', 'STMn', 'STMu'].map(statusOf),
  frameOf('RESP', 'HTTP/1.1 200 OK\r\n\r\n'),
  frameOf('BYE!', '\0'),
]
const endless = [
  '\xff'.repeat(1_000_000),
  frameOf('STAT', '').repeat(100_000),
  statusOf('STMu').repeat(20_000),
  frameOf('SETD', `\0${'x'.repeat(60_000)}`),
]

const frame = fc
  .constantFrom(...good)
  .chain((bytes) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(bytes) },
      { weight: 3, arbitrary: damaged(bytes, 1) },
      { weight: 1, arbitrary: fc.constantFrom(...endless) },
    ),
  )
const connection = fc
  .tuple(fc.boolean(), fc.array(frame, { maxLength: 12 }))
  .map(([isPlayer, frames]) => (isPlayer ? hello : '') + frames.join(''))

const maxLeftMebibytes = 64
const code = /^(SPEAKER_NOT_REACHABLE|SPEAKER_REFUSED|NOT_FETCHED)$/

it('a player of Squeezebox may send anything', async () => {
  const { sounds, ...server } = await serveSounds()
  const servers = new SharedServers('127.0.0.1')
  const port = await freePort()
  const config = { squeezeboxPort: port }
  const driver = createSqueezeboxDriver({ RED: speakerTexts.en, servers, sounds, config })
  await servers.get(port)
  const format = { audioEncoding: 'PCM', sampleRateHertz: 44_100 } as const
  const send = async (bytes: Bytes) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const closed = once(socket, 'close').catch(() => {})
    socket.resume()
    socket.write(Buffer.from(bytes, 'latin1'))
    const options = { volume: 50, onFirstSound() {}, handOut() {} }
    const signal = AbortSignal.timeout(100)
    const played = driver.play(soundOf(format, Buffer.alloc(8820)), { ...options, signal })
    await played.catch((error) => {
      if (error === signal.reason) return
      expect(error.code, error.message).toMatch(code)
      expect(error.message).toMatch(/^.{10,1000}$/su)
    })
    socket.destroy()
    await closed
  }
  const before = await heldMebibytes()
  const watchdog = watchEventLoop<Bytes>()
  await fuzz(connection, (bytes) => watchdog.watch(bytes, () => send(bytes)), {
    lanes: 4,
    share: 0.2,
  })
  for (const bytes of watchdog.stop()) {
    const held = await measureHold(() => send(bytes))
    expect(held, bytes.slice(0, 200)).toBeLessThan(maxHoldMs)
  }
  expect((await heldMebibytes()) - before).toBeLessThan(maxLeftMebibytes)
  expect(server.requests).toEqual([])
  const player = connect(port, '127.0.0.1')
  player.write(Buffer.from(hello, 'latin1'))
  await expect.poll(async () => (await servers.get(port)).players.length).toBe(1)
  await driver.prepare(AbortSignal.timeout(5000))
  player.destroy()
  await driver.close()
  await server.close()
})
