import { writeWavHeader } from '@parlando/core/audio'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { surroundingNodes } from '@parlando/test-support/node-red/flows/flow-harness'
import { type Message, useNodeRed } from '@parlando/test-support/node-red/runtime'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { createFakeSpeaker, provideFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { onPlaybackStart } from '../../playback/playback-starts.ts'

const { load, unload } = useNodeRed()

const samples = tone({ hertz: 600, seconds: 0.1, sampleRateHertz: 24_000 })
const wav = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 24_000, dataBytes: samples.length }),
  samples,
])

async function loadNode(settings: object = {}, speaker = createFakeSpeaker('kitchen')) {
  const flow = await load([
    { id: 'node', type: 'parlando-play', z: 'tab', ...settings, wires: [['out'], ['handed out']] },
    { id: 'handed out', type: 'helper', z: 'tab' },
    ...surroundingNodes('node'),
  ])
  provideFakeSpeaker(speaker)
  return { flow, speaker }
}

const chunk = (index: number, payload: Buffer, more: object = {}): Message => ({
  payload,
  audio: { encoding: 'PCM', sampleRateHertz: 24_000 },
  parts: { id: 'speech', index, ...more },
})
const end = (index: number): Message => ({
  ...chunk(index, Buffer.alloc(0), { count: index + 1 }),
  complete: true,
})

describe('the play node', () => {
  it('sends the message when its Buffer was heard', async () => {
    const { flow, speaker } = await loadNode()
    flow.node('node').receive({ payload: wav, bystander: 'kept' })
    const [message] = await flow.waitFor('out', 1)
    expect(speaker.played).toMatchObject([{ audio: samples, volume: 80, isWhole: true }])
    expect(message).toMatchObject({
      payload: wav,
      bystander: 'kept',
      playback: {
        durationSeconds: 0.1,
        speakers: [{ name: 'kitchen', status: 'said', confirmedBy: 'player' }],
      },
    })
    await flow.waitFor('completed', 1)
    expect(
      flow
        .statuses('node')
        .map(({ text }) => text)
        .slice(-2),
    ).toEqual([
      expect.stringMatching(/playback\.playing$/),
      expect.stringMatching(/playback\.played$/),
    ])
  })

  it('begins with the first chunk of a sequence, and sends the last message when all was heard', async () => {
    const { flow, speaker } = await loadNode()
    const outer = { id: 'texts', index: 0, count: 2 }
    const onStart = vi.fn()
    onTestFinished(onPlaybackStart('speech', onStart))
    flow.node('node').receive(chunk(0, samples))
    await vi.waitFor(() => expect(speaker.played[0]?.audio).toEqual(samples))
    await vi.waitFor(() => expect(onStart).toHaveBeenCalledTimes(1))
    flow.node('node').receive(chunk(1, samples))
    flow
      .node('node')
      .receive({ ...end(2), parts: { id: 'speech', index: 2, count: 3, parts: outer } })
    const [message] = await flow.waitFor('out', 1)
    expect(message).toMatchObject({ parts: outer, playback: { durationSeconds: 0.2 } })
    expect(message).not.toHaveProperty('complete')
    expect(speaker.played).toHaveLength(1)
    await flow.waitFor('completed', 3)
    expect(flow.received('out')).toHaveLength(1)
  })

  it('plays one sound after the other', async () => {
    const { flow, speaker } = await loadNode()
    for (const name of ['one', 'two']) flow.node('node').receive({ payload: wav, name })
    expect(await flow.waitFor('out', 2)).toMatchObject([{ name: 'one' }, { name: 'two' }])
    const [one, two] = speaker.played
    expect(two!.startedAt).toBeGreaterThanOrEqual(one!.endedAt!)
  })

  it('plays a sequence of 200 sentences whole and in order', async () => {
    const { flow, speaker } = await loadNode()
    speaker.isInstant = true
    for (let index = 0; index < 200; index++) {
      const outer = { id: 'answer', index, ...(index === 199 && { count: 200 }) }
      const parts = (own: object) => ({ id: `sentence ${index}`, ...own, parts: outer })
      const sentence = Buffer.alloc(480, index)
      flow.node('node').receive({ ...chunk(0, sentence), parts: parts({ index: 0 }) })
      flow.node('node').receive({ ...end(1), parts: parts({ index: 1, count: 2 }) })
    }
    const messages = await flow.waitFor('out', 200)
    const all = Array.from({ length: 200 }, (_, index) => index)
    expect(speaker.played.map(({ audio }) => audio[0])).toEqual(all)
    expect(messages.map(({ parts }) => (parts as { index: number }).index)).toEqual(all)
    expect(flow.received('caught')).toEqual([])
    expect(flow.statuses('node').at(-1)).toMatchObject({ fill: 'green' })
  })

  it('still shows that a sentence of a sequence was not played when the others were', async () => {
    const { flow, speaker } = await loadNode()
    speaker.isInstant = true
    const sentence = (index: number) => {
      const parts = { id: `sentence ${index}`, index: 0, parts: { id: 'answer', index } }
      flow.node('node').receive({ ...chunk(0, samples), parts })
      flow.node('node').receive({ ...end(1), parts: { ...parts, index: 1, count: 2 } })
    }
    sentence(0)
    await flow.waitFor('out', 1)
    speaker.failure = Object.assign(new Error('No player.'), { code: 'NO_PLAYER' })
    sentence(1)
    await flow.waitFor('caught', 1)
    speaker.failure = undefined
    sentence(2)
    await flow.waitFor('out', 2)
    await vi.waitFor(() => expect(flow.statuses('node').at(-1)).toMatchObject({ fill: 'red' }))
    flow.node('node').receive({ payload: wav })
    await flow.waitFor('out', 3)
    await vi.waitFor(() => expect(flow.statuses('node').at(-1)).toMatchObject({ fill: 'green' }))
  })

  it('takes the volume from the message, or else from the form', async () => {
    const { flow, speaker } = await loadNode({ volume: '30' })
    flow.node('node').receive({ payload: wav })
    flow.node('node').receive({ payload: wav, volume: 55 })
    await flow.waitFor('out', 2)
    expect(speaker.played.map(({ volume }) => volume)).toEqual([30, 55])
  })

  it('stops all sounds after msg.stop, and drops the rest of a sequence', async () => {
    const { flow, speaker } = await loadNode()
    flow.node('node').receive(chunk(0, samples))
    flow.node('node').receive({ payload: wav })
    await vi.waitFor(() => expect(speaker.played[0]?.audio.length).toBeGreaterThan(0))
    flow.node('node').receive({ stop: true })
    flow.node('node').receive(chunk(1, samples))
    flow.node('node').receive(end(2))
    await flow.waitFor('completed', 5)
    expect(speaker.played.map(({ isWhole }) => isWhole)).toEqual([false])
    expect(flow.received('out')).toEqual([])
    expect(flow.received('caught')).toEqual([])
  })

  it('reports a speaker that fails to Catch, with the unchanged message', async () => {
    const { flow, speaker } = await loadNode()
    speaker.failure = Object.assign(new Error('No player.'), { code: 'NO_PLAYER' })
    flow.node('node').receive({ payload: wav })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ payload: wav, error: { code: 'NO_PLAYER' } })
    expect(flow.received('out')).toEqual([])
    expect(flow.received('completed')).toEqual([])
  })

  it('shows that there is no player until there is one', async () => {
    const { flow, speaker } = await loadNode()
    const whenSolved = vi.fn((_notify: () => void) => () => {})
    speaker.failure = Object.assign(new Error('No player.'), { code: 'NO_PLAYER', whenSolved })
    flow.node('node').receive({ payload: wav })
    await flow.waitFor('caught', 1)
    await vi.waitFor(() => expect(flow.statuses('node').at(-1)).toMatchObject({ fill: 'red' }))
    const [notify] = whenSolved.mock.calls[0]!
    notify()
    await vi.waitFor(() => expect(flow.statuses('node').at(-1)).toEqual({}))
  })

  it('reports a sound that quiet hours forbid', async () => {
    const quietHours = {
      from: '00:00',
      to: '00:00',
      minPriority: 'urgent',
      action: 'drop',
    } as const
    const { flow } = await loadNode({}, createFakeSpeaker('kitchen', { quietHours }))
    flow.node('node').receive({ payload: wav })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({
      error: { code: 'SPEAKER_REFUSED', message: 'play.error.not-played' },
    })
  })

  it.each([
    ['text', { payload: 'hello' }, 'sound.not-a-sound'],
    ['a Buffer without audio', { payload: Buffer.from('hello') }, 'sound.not-a-sound'],
    ['a volume above 100', { payload: wav, volume: 101 }, 'error.not-volume'],
    ['speakers without a name', { payload: wav, speakers: [7] }, 'error.not-speakers'],
  ])('rejects %s', async (_title, message, key) => {
    const { flow, speaker } = await loadNode()
    flow.node('node').receive(message)
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught!['error']).toMatchObject({ code: 'INVALID_INPUT' })
    expect((caught!['error'] as Error).message).toMatch(new RegExp(`${key}$`))
    expect(speaker.played).toEqual([])
  })

  it('ends its playback without an error when it is closed', async () => {
    const { flow, speaker } = await loadNode()
    flow.node('node').receive({ payload: wav })
    flow.node('node').receive(chunk(0, samples))
    await vi.waitFor(() => expect(speaker.played).toHaveLength(1))
    await unload()
    expect(speaker.played).toMatchObject([{ isWhole: false }])
    expect(flow.received('caught')).toEqual([])
  })
})

describe('an address', () => {
  it('is fetched and played while it grows', async () => {
    const { flow, speaker } = await loadNode()
    let endResponse = () => {}
    const server = await startTestServer((response) => {
      response.write(wav.subarray(0, 2000))
      endResponse = () => void response.end(wav.subarray(2000))
    })
    flow.node('node').receive({ payload: `${server.baseUrl}/bell.wav` })
    await vi.waitFor(() => expect(speaker.played[0]?.audio.length).toBeGreaterThan(0))
    endResponse()
    const [message] = await flow.waitFor('out', 1)
    expect(message).toMatchObject({ playback: { durationSeconds: 0.1 } })
    expect(speaker.played[0]!.audio).toEqual(samples)
  })

  it.each([
    ['an error status', 404, 'text/html', '<html>', 'play.error.status'],
    ['something other than a sound', 200, 'text/html', '<html>', 'play.error.not-audio'],
    ['nothing', 200, 'audio/wav', '', 'play.error.not-audio'],
  ])('is reported when it sends %s', async (_title, status, mediaType, body, message) => {
    const { flow } = await loadNode()
    const server = await startTestServer((response) => {
      response.writeHead(status, { 'content-type': mediaType }).end(body)
    })
    flow.node('node').receive({ payload: server.baseUrl })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ error: { code: 'INVALID_INPUT', message } })
  })

  it('is not fetched when the form accepts no addresses', async () => {
    const { flow } = await loadNode({ acceptAddresses: false })
    const server = await startTestServer((response) => void response.end(wav))
    flow.node('node').receive({ payload: server.baseUrl })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({
      error: { code: 'INVALID_INPUT', message: 'play.error.address-not-accepted' },
    })
    expect(server.requests).toEqual([])
    flow.node('node').receive({ payload: wav })
    await flow.waitFor('out', 1)
  })

  it('is reported as NOT_REACHABLE when nothing responds', async () => {
    const { flow } = await loadNode()
    flow.node('node').receive({ payload: unreachableUrl })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({
      error: { code: 'NOT_REACHABLE', cause: { retryable: true } },
    })
  })

  it('is reported as CONNECTION_LOST when the connection breaks in the middle', async () => {
    const { flow } = await loadNode()
    const server = await startTestServer((response) => {
      response.write(wav.subarray(0, 2000), () => response.destroy())
    })
    flow.node('node').receive({ payload: server.baseUrl })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ error: { code: 'CONNECTION_LOST' } })
  })

  it('is reported as TIMEOUT when no audio arrives for 10 seconds', async () => {
    const { flow } = await loadNode()
    const server = await startTestServer((response) => void response.write('RIFF'))
    const timeouts = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timeouts.mockRestore())
    flow.node('node').receive({ payload: server.baseUrl })
    await vi.waitFor(() => expect(server.requests).toHaveLength(1))
    const [tooSlow] = timeouts.mock.calls.find(([, ms]) => ms === 10_000)!
    tooSlow()
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ error: { code: 'TIMEOUT' } })
    await vi.waitFor(() => expect(server.openSockets()).toBe(0), 10_000)
  })
})
