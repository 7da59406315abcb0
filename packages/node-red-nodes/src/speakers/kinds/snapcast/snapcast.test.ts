import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startScriptedDevice } from '@parlando/test-support/players/stand-ins/scripted-device'
import { describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { readSampleFormat, toSampleFormat } from './sample-format.ts'
import { readServerState } from './server-state.ts'
import { createSnapcastDriver } from './snapcast.ts'

/** A server from version 0.31 on, as the documentation describes it: Debian's does not add streams. */
async function startNewServer(error?: { code: number; message: string }) {
  const added: string[] = []
  const device = await startScriptedDevice((socket) => {
    socket.on('data', (data) => {
      const { id, method, params } = JSON.parse(String(data))
      if (method === 'Stream.AddStream' && !error) added.push(params.streamUri)
      const streams = added.map(() => ({
        id: 'Rooms & co',
        status: 'idle',
        uri: { scheme: 'tcp', host: '0.0.0.0', query: { sampleformat: '44100:16:2' } },
      }))
      const result = method === 'Server.GetStatus' ? { server: { streams, groups: [] } } : {}
      const isRejected = method === 'Stream.AddStream' && error
      socket.write(`{"jsonrpc":"2.0","method":"Server.OnUpdate"}\n`)
      socket.write(`${JSON.stringify(isRejected ? { id, error } : { id, result })}\r\n`)
    })
  })
  onTestFinished(device.close)
  const config = { snapcast: device.address, snapcastSource: ' Rooms & co ' }
  const driver = createSnapcastDriver({ RED: speakerTexts.en, config })
  return { added, prepare: () => driver.prepare(AbortSignal.timeout(10_000)) }
}

describe('a server that can add a source', () => {
  it('gets it once, and says which sample rate it expects', async () => {
    const { added, prepare } = await startNewServer()
    const format = { audioEncoding: 'PCM', sampleRateHertz: 44_100 }
    expect(await prepare()).toEqual(format)
    expect(await prepare()).toEqual(format)
    expect(added).toEqual(['tcp://0.0.0.0?name=Rooms%20%26%20co&sampleformat=48000:16:2'])
  })

  it('may reject that, with a reason', async () => {
    const { prepare } = await startNewServer({ code: -32_603, message: 'Not \u0007 here' })
    await expect(prepare()).rejects.toMatchObject({
      code: 'SPEAKER_REFUSED',
      message: expect.stringContaining('(Not  here)'),
    })
  })
})

it('a group gets its stream back if the server rejects the switch of another one', async () => {
  const groups = ['hall', 'kitchen'].map((id) => ({
    id,
    stream_id: 'Music',
    clients: [{ connected: true }],
  }))
  const source = { id: 'Parlando', status: 'idle', uri: { scheme: 'tcp', host: '0.0.0.0' } }
  const device = await startScriptedDevice((socket) => {
    socket.on('data', (data) => {
      const { id, method, params } = JSON.parse(String(data))
      const isRejected = method === 'Group.SetStream' && params.id === 'kitchen'
      if (method === 'Group.SetStream' && !isRejected)
        groups.find((group) => group.id === params.id)!.stream_id = params.stream_id
      const result = { server: { streams: [source], groups } }
      const error = { code: -32_603, message: 'Group not found' }
      socket.write(`${JSON.stringify({ id, ...(isRejected ? { error } : { result }) })}\r\n`)
    })
  })
  onTestFinished(device.close)
  const config = { snapcast: device.address }
  const driver = createSnapcastDriver({ RED: speakerTexts.en, config })
  const signal = AbortSignal.timeout(10_000)
  const sound = soundOf(await driver.prepare(signal), Buffer.alloc(400))
  const options = { signal, volume: 100, onFirstSound() {}, handOut() {} }
  await expect(driver.play(sound, options)).rejects.toThrow('Group not found')
  expect(groups.map((group) => group.stream_id)).toEqual(['Music', 'Music'])
})

describe('the state of a server', () => {
  it('may contain anything', () => {
    for (const result of [undefined, 7, [], { server: { streams: {}, groups: 'x' } }]) {
      expect(readServerState(result)).toEqual({ streams: [], groups: [] })
    }
    expect(readServerState({ server: { streams: [null], groups: [{ clients: [7] }] } })).toEqual({
      streams: [{ id: '', isPlaying: false, members: [] }],
      groups: [{ id: '', streamId: '', isMuted: false, clients: 0, latencyMs: 0 }],
    })
  })

  it('has the port of a source, and the streams in a meta stream', () => {
    const uris = [
      { scheme: 'tcp', host: '0.0.0.0:4954', query: { chunk_ms: '26' } },
      { scheme: 'tcp', host: '192.168.1.2', query: { mode: 'client' } },
      { scheme: 'meta', path: '/Parlando/Music' },
    ]
    const { streams } = readServerState({ server: { streams: uris.map((uri) => ({ uri })) } })
    expect(streams.map(({ tcp, members }) => tcp ?? members)).toEqual([
      { port: 4954, sampleFormat: '48000:16:2', chunkMs: 26 },
      [],
      ['Parlando', 'Music'],
    ])
  })
})

describe('the samples of a source', () => {
  it.each(['48000:16:2', '44100:24:1', '22050:32:8'])('can be %s', (text) => {
    expect(readSampleFormat(text)).toMatchObject({ rateHertz: Number(text.split(':')[0]) })
  })

  it.each(['', '48000', '96000:16:2', '48000:8:2', '48000:16:0', '48000:16:9', '*:16:2', 'a:b:c'])(
    'cannot be %j',
    (text) => {
      expect(readSampleFormat(text)).toBeUndefined()
    },
  )

  it.each([
    ['48000:16:2', '0100 0100 feff feff'],
    ['48000:24:1', '00010000 00feffff'],
    ['48000:32:1', '00000100 0000feff'],
  ])('are made of mono ones as %s', async (text, hex) => {
    const samples = [Buffer.from('0100fe', 'hex'), Buffer.from('ff', 'hex')]
    const made: Buffer[] = []
    const format = readSampleFormat(text)!
    for await (const piece of toSampleFormat(streamOf(samples), format)) made.push(piece)
    expect(Buffer.concat(made).toString('hex')).toBe(hex.replaceAll(' ', ''))
  })
})

async function* streamOf(chunks: readonly Buffer[]) {
  yield* chunks
}
