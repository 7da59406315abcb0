import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { freePort } from '@parlando/test-support/servers/addresses'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { SharedServers } from './shared-servers.ts'
import { createSqueezeboxDriver } from './squeezebox.ts'

const servers = new SharedServers('127.0.0.1')

async function startDriver(config: object, fetchLimitMs?: number) {
  const { sounds, close } = await serveSounds()
  const driver = createSqueezeboxDriver({
    RED: speakerTexts.en,
    servers,
    sounds,
    config: { ...config },
    ...(fetchLimitMs && { fetchLimitMs }),
  })
  onTestFinished(async () => {
    await driver.close()
    await close()
  })
  return driver
}

/** Connects as a player does, and receives the commands. */
async function connectPlayer(port: number, mac: string) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const hello = Buffer.concat([
    Buffer.from('HELO\0\0\0\x24\x0c\0', 'latin1'),
    Buffer.from(mac.replaceAll(':', ''), 'hex'),
    Buffer.alloc(28),
  ])
  const received: Buffer[] = []
  socket.on('data', (data) => received.push(data))
  socket.write(hello)
  await once(socket, 'data')
  return { socket, received: () => Buffer.concat(received).toString('latin1') }
}

const signal = () => AbortSignal.timeout(20_000)

it('a player is found by its MAC address, and by its name', async () => {
  const port = await freePort()
  const driver = await startDriver({ squeezebox: '00:04:20:AA:00:02', squeezeboxPort: port })
  await connectPlayer(port, '00:04:20:aa:00:01')
  const { socket } = await connectPlayer(port, '00:04:20:aa:00:02')
  expect(await driver.prepare(signal())).toEqual({ audioEncoding: 'PCM', sampleRateHertz: 44_100 })
  socket.write(Buffer.from('SETD\0\0\0\x06\0Hall\0', 'latin1'))
  const byName = await startDriver({ squeezebox: ' hall ', squeezeboxPort: port })
  await byName.prepare(signal())
})

it('a player that connects again takes its own place', async () => {
  const port = await freePort()
  const driver = await startDriver({ squeezeboxPort: port })
  const { socket } = await connectPlayer(port, '00:04:20:aa:00:01')
  const closed = once(socket, 'close')
  await connectPlayer(port, '00:04:20:aa:00:01')
  await closed
  await driver.prepare(signal())
})

it('a player that does not fetch the sound is reported, and told to stop', async () => {
  const port = await freePort()
  const driver = await startDriver({ squeezeboxPort: port }, 100)
  const player = await connectPlayer(port, '00:04:20:aa:00:01')
  const sound = soundOf({ audioEncoding: 'PCM', sampleRateHertz: 44_100 }, Buffer.alloc(8820))
  const options = { signal: signal(), volume: 50, onFirstSound() {}, handOut() {} }
  await expect(driver.play(sound, options)).rejects.toMatchObject({ code: 'NOT_FETCHED' })
  await expect
    .poll(player.received)
    .toMatch(/strms1.*GET \/parlando\/sounds\/[\w-]+\.\w+ HTTP\/1\.0\r\n.*strmq/su)
})

it('a port that another server uses is reported, and used once it is free', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  const driver = await startDriver({ squeezeboxPort: port })
  await expect(driver.prepare(signal())).rejects.toMatchObject({
    code: 'SPEAKER_REFUSED',
    message: expect.stringMatching(/Port \d+ .* is not free \(EADDRINUSE\)/),
  })
  other.close()
  await once(other, 'close')
  const found = driver.prepare(signal())
  // The driver listens as soon as it looks for a player.
  const connecting = async () => {
    await servers.get(port)
    await connectPlayer(port, '00:04:20:aa:00:01')
  }
  await Promise.all([found, connecting()])
})
