import { speak, useSpeak } from '@parlando/test-support/node-red/flows/speak-flow'
import type { LoadedFlow, Message } from '@parlando/test-support/node-red/runtime'
import { describe, expect, it, vi } from 'vitest'

const { loadSpeak, unload } = useSpeak()

interface Ending {
  message: string
  code: string
  cause: object
}

/** Sends a message. @returns each call of `done`. */
async function endsOf(flow: LoadedFlow, message: Message): Promise<(Ending | undefined)[]> {
  const node = flow.node('speak') as unknown as { _complete(message: Message, error: Ending): void }
  const complete = node._complete
  const ends: (Ending | undefined)[] = []
  node._complete = function (about, error) {
    if (about === message) ends.push(error)
    complete.call(this, about, error)
  }
  flow.node('speak').receive(message)
  await vi.waitFor(() => expect(ends.length).toBeGreaterThan(0))
  await speak(flow, { payload: 'The kettle boils.' })
  node._complete = complete
  return ends
}

function throwing(property: string, thrown: unknown): Message {
  return Object.defineProperty({ payload: 'Hello.' }, property, {
    enumerable: true,
    get() {
      throw thrown
    },
  })
}

const cannotBeRead = { code: 'FAILED', cause: { retryable: false }, message: /^cannot be read$/ }
const noReason = { ...cannotBeRead, message: /^it failed without a reason$/ }

describe('a message that cannot be read', () => {
  it.each([
    ['an error', new Error('cannot be read'), cannotBeRead],
    [
      'an error with a code of its own',
      Object.assign(new Error('cannot be read'), { code: 'ENOENT', status: 'x' }),
      cannotBeRead,
    ],
    ['nothing', undefined, noReason],
    ['null', null, noReason],
    ['an object with an odd message', { message: {}, code: {} }, noReason],
  ])(
    'fails once when a property throws %s, and the next one is spoken',
    async (_what, thrown, expected) => {
      const flow = await loadSpeak()
      for (const property of ['stop', 'parts', 'voiceId', 'mine']) {
        const ends = await endsOf(flow, throwing(property, thrown))
        expect(ends.length).toBe(1)
        if (property === 'mine') continue
        expect(ends[0]).toMatchObject({ code: expected.code, cause: expected.cause })
        expect(String(ends[0])).toMatch(expected.message)
      }
    },
  )

  it('does not block the messages that wait behind it', async () => {
    const flow = await loadSpeak()
    const unreadable = throwing('mine', new Error('cannot be read'))
    for (const message of [{ payload: 'One.' }, unreadable, { payload: 'Two.' }]) {
      flow.node('speak').receive(message)
    }
    flow.node('speak').receive({ stop: true })
    // The control message and the two readable ones.
    await flow.waitFor('completed', 3)
  })
})

describe('a message with a promise', () => {
  it.each([
    ['the text', { payload: new Promise(() => {}) }],
    // biome-ignore lint/suspicious/noThenProperty: what the test is about
    ['further options', { payload: 'Hello.', speechOptions: { then: () => {} } }],
  ])('is rejected without a wait: %s', async (_what, message) => {
    const flow = await loadSpeak()
    expect(await endsOf(flow, message)).toMatchObject([{ code: 'INVALID_INPUT' }])
  })
})

it('stops and closes while an expression waits for a promise of the message', async () => {
  const flow = await loadSpeak({ speak: { text: 'payload.text', textType: 'jsonata' } })
  flow.node('speak').receive({ payload: new Promise(() => {}) })
  flow.node('speak').receive({ stop: true })
  await flow.waitFor('completed', 2)
  flow.node('speak').receive({ payload: new Promise(() => {}) })
  await unload()
  // Node-RED itself gives up on a node that does not close after 15 s.
}, 10_000)

it('speaks a frozen message', async () => {
  const flow = await loadSpeak({ speak: { output: 'whole' } })
  const out = await speak(flow, Object.freeze({ payload: 'Hello.', topic: 'mine' }))
  expect(out).toMatchObject([{ topic: 'mine', audio: { encoding: 'WAV' } }])
})

it('reaches Catch unchanged if it cannot be read at the end', async () => {
  const flow = await loadSpeak({ speak: { output: 'whole' } })
  const message = throwing('res', new Error('cannot be read'))
  expect(await endsOf(flow, message)).toMatchObject([{ code: 'FAILED' }])
  expect(message.payload).toBe('Hello.')
})
