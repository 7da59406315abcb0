import { expect, it, onTestFinished, vi } from 'vitest'
import { NodeInputError } from '../../runtime/failure.ts'
import { createRecordingCollector } from '../../sounds/to-recognise/recording-collector.ts'
import type { ConverseMessage } from './conversation-messages.ts'
import { UserMessages } from './user-messages.ts'

const RED = { _: (key: string) => key }

const listeners = { onTurn() {}, onTurnEnded() {}, onText() {}, onToolResult() {} }

it('rejects a message when 1,000 others wait for the connection', () => {
  const collector = createRecordingCollector(RED)
  const input = new UserMessages(RED, collector, undefined)
  for (let count = 0; count < 1000; count++) input.take({ payload: 'Hello' } as ConverseMessage)
  expect(() => input.take({ payload: 'Hello' } as ConverseMessage)).toThrow(NodeInputError)

  const chunk = (index: number) =>
    ({ payload: Buffer.alloc(320), parts: { id: 'r', index } }) as unknown as ConverseMessage
  const first = chunk(0)
  expect(collector.takeChunk(first)).toBe(false)
  expect(() => input.take(first)).toThrow(/too-many-waiting/)
  // The rest of a rejected recording is not an error for each chunk.
  expect(collector.takeChunk(chunk(1))).toBe(true)
})

it('drops the rest of a recording that it rejects', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const collector = createRecordingCollector(RED)
  const input = new UserMessages(RED, collector, undefined)
  const chunk = (index: number) => {
    const parts = { id: 'r', index }
    const audio = { encoding: 'MP3' }
    return { payload: Buffer.alloc(320), parts, audio } as unknown as ConverseMessage
  }
  const first = chunk(0)
  collector.takeChunk(first)
  expect(() => input.take(first)).toThrow('converse.error.not-live')
  expect(collector.takeChunk(chunk(1))).toBe(true)
  // A recording that is collected waits for its next chunk.
  expect(vi.getTimerCount()).toBe(0)
})

it('rejects the result of a tool before the conversation is connected: the one before has called it', () => {
  const input = new UserMessages(RED, createRecordingCollector(RED), undefined)
  input.take({ payload: 'Hello' } as ConverseMessage)
  const late = { payload: 'on', tool: { name: 'light', callId: 'c1' } } as ConverseMessage
  expect(() => input.take(late)).toThrow('converse.error.no-call')
  const texts: string[] = []
  void input.connect({ sendText: (text: string) => texts.push(text) } as never, listeners)
  expect(texts).toEqual(['Hello'])
})

it('rejects, and does not throw, if the conversation takes a waiting message badly', async () => {
  const input = new UserMessages(RED, createRecordingCollector(RED), undefined)
  input.take({ payload: 'Hello' } as ConverseMessage)
  const sendText = () => {
    throw new Error('it has ended')
  }
  const connected = input.connect({ sendText } as never, listeners)
  await expect(connected).rejects.toThrow('it has ended')
})

it('reports the end of a recording that ends the turn', async () => {
  const collector = createRecordingCollector(RED)
  const input = new UserMessages(RED, collector, undefined)
  const told: string[] = []
  const conversation = { sendAudio: async () => {}, endTurn: () => told.push('the turn ends') }
  void input.connect(conversation as never, {
    ...listeners,
    onTurn: () => told.push('begins'),
    onTurnEnded: () => told.push('ended'),
  })
  const chunk = (index: number, count?: number) =>
    ({ payload: Buffer.alloc(320), parts: { id: 'r', index, count } }) as unknown as ConverseMessage
  const first = chunk(0)
  collector.takeChunk(first)
  input.take(first)
  expect(told).toEqual(['begins'])
  collector.takeChunk(chunk(1, 2))
  await vi.waitFor(() => expect(told).toEqual(['begins', 'the turn ends', 'ended']))
})

it.each([
  ['reports', undefined, 2],
  ['leaves to the service to report', 500, 0],
])(
  '%s that a recording begins, with a silence of %s ms at its end',
  (_what, silenceMs, expected) => {
    const collector = createRecordingCollector(RED)
    const input = new UserMessages(RED, collector, silenceMs)
    const record = (id: string) => {
      const parts = { id, index: 0 }
      const first = { payload: Buffer.alloc(320), parts } as unknown as ConverseMessage
      collector.takeChunk(first)
      input.take(first)
    }
    let turns = 0
    record('before')
    void input.connect({ sendAudio: async () => {} } as never, {
      ...listeners,
      onTurn: () => void turns++,
    })
    record('after')
    expect(turns).toBe(expected)
    input.close()
    collector.stop()
  },
)
