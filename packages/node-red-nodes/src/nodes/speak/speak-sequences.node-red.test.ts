import { lastStatus, speak, useSpeak } from '@parlando/test-support/node-red/flows/speak-flow'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'

const { loadSpeak } = useSpeak()
const audio = Buffer.alloc(480)

/** A service that responds to every request with a chunk. */
const startSpeaker = () => startTestServer((response) => void response.end(audioLine(audio)))

describe('parts of a sequence of texts', () => {
  const part = (payload: string, index: number, more: object = {}) => ({
    payload,
    parts: { id: 'answer', type: 'string', ch: ' ', index, ...more },
  })

  it('are spoken in order even if the node speaks in parallel', async () => {
    const flow = await loadSpeak({ speak: { busy: 'parallel', output: 'whole' } })
    const texts = ['One is a rather long sentence that takes its time to speak.', 'Two.', 'Three.']
    for (const [index, text] of texts.entries()) {
      flow.node('speak').receive({ ...part(text, index), topic: text })
    }
    const messages = await flow.waitFor('out', 3)
    expect(messages.map(({ topic }) => topic)).toEqual(texts)
  })

  it('become parts of a sequence of Buffers, which join combines', async () => {
    const server = await startSpeaker()
    // Files with a length in their header, such as WAV, cannot be joined.
    const settings = { output: 'whole', encoding: 'PCM' }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    await speak(flow, part('One.', 0))
    await speak(flow, part('Two.', 1))
    const end = { ...part('', 2, { count: 3 }), complete: true }
    await speak(flow, end)
    const [joined] = await flow.waitFor('joined', 1)
    expect(joined).toMatchObject({ payload: { length: 2 * audio.length } })
    expect(server.requests.length).toBe(2)
  })

  it('end with an empty sequence if each text becomes chunks', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    const end = { ...part('', 2, { count: 3 }), complete: true }
    const [message] = await speak(flow, end)
    expect(message).toMatchObject({
      payload: Buffer.alloc(0),
      complete: true,
      parts: { type: 'buffer', index: 0, count: 1, parts: { id: 'answer', index: 2, count: 3 } },
    })
    expect(server.requests).toEqual([])
  })

  it.each(['whole', 'chunks'])(
    'are joined even if some have nothing to say: %s',
    async (output) => {
      const server = await startSpeaker()
      const settings = { output, encoding: 'PCM', clean: true }
      const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
      const texts = ['Well done.', ' ', '🎉', 'See:', '<https://example.org>.']
      for (const [index, text] of texts.entries()) {
        await speak(flow, part(text, index, index === 4 ? { count: 5 } : {}))
      }
      if (output === 'chunks') {
        // The chunks of each text first, then the texts.
        for (const text of await flow.waitFor('joined', 5)) flow.node('join').receive({ ...text })
      }
      await vi.waitFor(() =>
        expect(flow.received('joined').at(-1)).toMatchObject({
          payload: { length: 2 * audio.length },
        }),
      )
      expect(server.requests.length).toBe(2)
      expect(flow.received('caught')).toEqual([])
    },
  )

  it('keep the duration of the speech in the status after the empty final message', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole' } })
    await speak(flow, part('One.', 0))
    await speak(flow, { ...part('', 1, { count: 2 }), complete: true })
    expect(lastStatus(flow)).toMatchObject({ fill: 'green', text: 'speak.status.spoke' })
  })

  it('stay parts of a list, which join combines into a list of Buffers', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole' } })
    const list = (payload: string, index: number) => ({
      payload,
      parts: { id: 'list', type: 'array', len: 1, index, count: 2 },
    })
    await speak(flow, list('One.', 0))
    await speak(flow, list('Two.', 1))
    const [joined] = await flow.waitFor('joined', 1)
    expect(joined?.payload).toEqual([expect.any(Buffer), expect.any(Buffer)])
  })

  it('that have nothing to say contain no facts of earlier audio', async () => {
    const flow = await loadSpeak({ speak: { clean: true } })
    const before = { audio: { bytes: 7 }, timestamps: [{ text: 'Bye' }] }
    const [silent] = await speak(flow, { ...part('🎉', 0), ...before })
    expect(silent).not.toHaveProperty('audio')
    expect(silent).not.toHaveProperty('timestamps')
  })

  it('are all stopped by one msg.stop, including later ones', async () => {
    const server = await startTestServer((response) => void response.write(audioLine(audio)))
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    flow.node('speak').receive(part('One.', 0))
    flow.node('speak').receive(part('Two.', 1))
    await flow.waitFor('out', 1)
    flow.node('speak').receive({ stop: true })
    flow.node('speak').receive(part('Three.', 2))
    await flow.waitFor('completed', 4)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    expect(server.requests.length).toBe(1)
    expect(flow.received('out').length).toBe(1)
  })

  it('are stopped by a msg.stop between two of them, until the next answer', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { output: 'whole' } })
    await speak(flow, part('One.', 0))
    flow.node('speak').receive({ stop: true })
    flow.node('speak').receive(part('Two.', 1))
    const next = { ...part('New.', 0, { id: 'next', count: 1 }) }
    flow.node('speak').receive(next)
    await flow.waitFor('completed', 4)
    const texts = server.requests.map(({ body }) => (body as { text: string }).text)
    expect(texts).toEqual(['One.', 'New.'])
  })

  it('do not replace a message that arrived between them', async () => {
    const server = await startSpeaker()
    const settings = { output: 'whole', busy: 'replace' }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    await speak(flow, part('One.', 0))
    await speak(flow, part('Two.', 1))
    for (const message of [{ payload: 'The doorbell.' }, part('Three.', 2)]) {
      flow.node('speak').receive(message)
    }
    const messages = await flow.waitFor('out', 3)
    await flow.waitFor('completed', 4)
    expect(messages.length).toBe(3)
    const texts = server.requests.map(({ body }) => (body as { text: string }).text)
    expect(texts).toEqual(['One.', 'Two.', 'The doorbell.'])
  })
})
