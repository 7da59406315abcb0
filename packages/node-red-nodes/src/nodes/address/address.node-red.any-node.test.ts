import { request } from 'node:http'
import { writeWavHeader } from '@parlando/core/audio'
import { type LoadedFlow, type Message, useNodeRed } from '@parlando/test-support/node-red/runtime'
import { describe, expect, it, vi } from 'vitest'

const { load, baseUrl } = useNodeRed()

const samples = Buffer.alloc(48_000, 1)
const wav = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 24_000, dataBytes: samples.length }),
  samples,
])

const loadNode = (settings: object = {}): Promise<LoadedFlow> =>
  load([
    {
      id: 'node',
      type: 'parlando-address',
      z: 'tab',
      ...settings,
      wires: [['at-once'], ['whole']],
    },
    ...['at-once', 'whole', 'caught'].map((id) => ({ id, type: 'helper', z: 'tab' })),
    { id: 'catch', type: 'catch', z: 'tab', scope: ['node'], wires: [['caught']] },
  ])

const chunk = (index: number, payload: Buffer, more: object = {}): Message => ({
  payload,
  audio: { encoding: 'PCM', sampleRateHertz: 24_000 },
  parts: { id: 'speech', index, ...more },
})

/** The address as this machine sees it: the network of the test may have no route to the one that players see. */
const local = (url: unknown) => baseUrl() + new URL(String(url)).pathname

interface Fetched {
  status: number
  headers: Record<string, unknown>
  body: Promise<Buffer>
}

function fetchSound(url: unknown, { method = 'GET', headers = {} } = {}): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    request(local(url), { method, headers }, (response) => {
      const body = (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        return Buffer.concat(chunks)
      })()
      body.catch(() => {})
      resolve({ status: response.statusCode!, headers: response.headers, body })
    })
      .on('error', reject)
      .end()
  })
}

describe('the sound address node', () => {
  it('sends the address of a Buffer at once, and again with the length of the sound', async () => {
    const flow = await loadNode()
    flow.node('node').receive({ payload: wav, bystander: 'kept' })
    const [first] = await flow.waitFor('at-once', 1)
    const [whole] = await flow.waitFor('whole', 1)
    expect(first).toMatchObject({
      payload: first!['url'],
      url: expect.stringMatching(/^http:\/\/[\d.]+:\d+\/parlando\/sounds\/[\w-]{22}\.wav$/),
      bystander: 'kept',
    })
    expect(whole).toMatchObject({
      url: first!['url'],
      audio: { durationSeconds: 1, bytes: wav.length },
    })
    const { status, headers, body } = await fetchSound(first!['url'])
    expect([status, headers['content-length'], headers['content-type']]).toEqual([
      200,
      String(wav.length),
      'audio/wav',
    ])
    expect(await body).toEqual(wav)
  })

  it('serves chunks while they arrive, from the first byte to every player', async () => {
    const flow = await loadNode({ response: 'chunked' })
    flow.node('node').receive(chunk(0, samples))
    const [first] = await flow.waitFor('at-once', 1)
    expect(first).not.toHaveProperty('parts')
    const early = await fetchSound(first!['url'], { headers: { range: 'bytes=0-' } })
    expect(early.status).toBe(200)
    expect(early.headers).toMatchObject({
      'transfer-encoding': 'chunked',
      'cache-control': 'no-store',
    })
    expect(early.headers).not.toHaveProperty('content-length')
    const late = await fetchSound(first!['url'])
    flow.node('node').receive(chunk(1, samples))
    flow.node('node').receive({ ...chunk(2, Buffer.alloc(0), { count: 3 }), complete: true })
    const both = Buffer.concat([samples, samples])
    expect(await Promise.all([early.body, late.body])).toEqual([both, both])
    expect(await flow.waitFor('whole', 1)).toMatchObject([{ audio: { durationSeconds: 2 } }])
    expect(flow.received('at-once')).toHaveLength(1)
  })

  it('answers a HEAD request at once, and a Range of a complete sound', async () => {
    const flow = await loadNode()
    flow.node('node').receive(chunk(0, samples))
    const [first] = await flow.waitFor('at-once', 1)
    const head = await fetchSound(first!['url'], { method: 'HEAD' })
    expect([head.status, head.headers['content-length']]).toEqual([200, undefined])
    flow.node('node').receive(chunk(1, Buffer.alloc(0), { count: 2 }))
    await flow.waitFor('whole', 1)
    const part = await fetchSound(first!['url'], { headers: { range: 'bytes=10-19' } })
    expect([part.status, part.headers['content-range']]).toEqual([206, 'bytes 10-19/48000'])
    expect(await part.body).toEqual(samples.subarray(10, 20))
    const outside = await fetchSound(first!['url'], { headers: { range: 'bytes=48000-' } })
    expect([outside.status, outside.headers['content-range']]).toEqual([416, 'bytes */48000'])
  })

  it('breaks the connection when the sound is not completed, since its end would look complete', async () => {
    const flow = await loadNode({ response: 'chunked' })
    flow.node('node').receive(chunk(0, samples))
    const [first] = await flow.waitFor('at-once', 1)
    const { body } = await fetchSound(first!['url'])
    flow.node('node').receive(chunk(2, samples))
    await expect(body).rejects.toThrow('aborted')
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({
      error: { code: 'INVALID_INPUT', message: expect.stringMatching(/sound\.chunk-missing$/) },
    })
  })

  it('serves no sound of another address', async () => {
    await loadNode()
    for (const path of ['x.wav', '..%2fx.wav', '__proto__', 'AAAAAAAAAAAAAAAAAAAAAA.mp3']) {
      const { status } = await fetchSound(`http://any/parlando/sounds/${path}`)
      expect(status).toBe(404)
    }
  })

  it.each<[player: string, expected: (url: string) => object]>([
    [
      'sonos-plus',
      (url) => ({ payload: url, topic: 'group.play.notification', duration: '00:00:02' }),
    ],
    ['castv2', (url) => ({ payload: { type: 'MEDIA', media: { url, contentType: 'audio/wav' } } })],
    [
      'home-assistant',
      (url) => ({
        payload: {
          action: 'media_player.play_media',
          data: { media_content_id: url, media_content_type: 'music', announce: true },
        },
      }),
    ],
    ['dashboard-2', (url) => ({ payload: url, ui_update: { autoplay: 'on' } })],
    ['vlc', (url) => ({ payload: `add ${url}\n` })],
  ])('makes a message for %s', async (player, expected) => {
    const flow = await loadNode({ player })
    flow.node('node').receive({ payload: wav })
    const [message] = await flow.waitFor('at-once', 1)
    expect(message).toMatchObject(expected(String(message!['url'])))
  })

  it('rejects a payload that is not a sound, and keeps the message for Catch', async () => {
    const flow = await loadNode()
    flow.node('node').receive({ payload: 'hello' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ payload: 'hello', error: { code: 'INVALID_INPUT' } })
    expect(caught!['error']).toMatchObject({
      message: expect.stringMatching(/sound\.not-a-sound$/),
    })
  })

  it('reports NOT_FETCHED with a hint when no player fetches the sound', async () => {
    const flow = await loadNode({ address: 'http://localhost:1880' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      flow.node('node').receive({ payload: wav })
      await vi.advanceTimersByTimeAsync(6000)
    } finally {
      vi.useRealTimers()
    }
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({
      url: expect.stringMatching(/^http:\/\/localhost:1880\//),
      error: {
        code: 'NOT_FETCHED',
        message: expect.stringMatching(/address.error.not-fetched$/),
      },
    })
  })
})
