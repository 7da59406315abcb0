import { describe, expect, it } from 'vitest'
import type { AudioStats } from './account.ts'
import type { Done, FlowEvent, Received, Sent } from './flow-event.ts'
import { createLedger } from './ledger.ts'

const node = 'steady-chunks-wait'
const text = 'Dinner is ready.'
const received: Received = {
  is: 'received',
  ticket: 1,
  node,
  message: 'a',
  isHeard: true,
  isClosing: false,
}
const done: Done = { is: 'done', ticket: 1, node }
const failed: FlowEvent = { ...done, failure: 'CONNECTION_LOST' }
const caught: FlowEvent = { is: 'caught', node, message: 'a' }
const closed: FlowEvent = { is: 'closed', node }

/** A second of PCM in two halves, and the end. */
function chunk(index: number, bytesSoFar = 16_000 * (index + 1)): Sent {
  const audio = {
    ...{ encoding: 'PCM', sampleRateHertz: 16_000, voiceId: 'Clara', modelId: 'svc-tts-2' },
    ...{ bytes: bytesSoFar, durationSeconds: bytesSoFar / 32_000, characters: text.length },
  }
  const parts = { id: 'p', index }
  return {
    is: 'sent',
    node,
    message: 'a',
    isClosing: false,
    parts,
    isComplete: false,
    bytes: 16_000,
    audio,
  }
}
const asked = { text, pace: 1 }
const last = chunk(2, 32_000)
const end: Sent = {
  ...last,
  ticket: 1,
  parts: { id: 'p', index: 2, count: 3 },
  isComplete: true,
  bytes: 0,
  asked,
}
const utterance = [received, chunk(0), chunk(1), end, done]

function readAudioStats(...events: FlowEvent[]): AudioStats {
  const ledger = createLedger()
  for (const event of events) ledger.note(event)
  return ledger.close()
}

function problemsOf(...events: FlowEvent[]): string[] {
  const { lost, doubled, badlyReported, incomplete, wrong } = readAudioStats(...events)
  const found = { lost, doubled, badlyReported, incomplete, wrong }
  return Object.entries(found).flatMap(([name, examples]) => (examples.length > 0 ? [name] : []))
}

describe('the ledger', () => {
  it('accepts complete, failed and stopped messages', () => {
    const stop: Received = { ...received, ticket: 2, message: 'b', order: 'stop' }
    const stopDone: Done = { ...done, ticket: 2 }
    expect(problemsOf(...utterance)).toEqual([])
    expect(problemsOf(received, chunk(0), failed, caught)).toEqual([])
    expect(problemsOf(received, chunk(0), stop, stopDone, done)).toEqual([])
    expect(problemsOf(received, chunk(0), closed, done)).toEqual([])
    expect(problemsOf(closed, { ...received, isClosing: true }, done)).toEqual([])
    expect(readAudioStats(...utterance)).toMatchObject({
      completed: 1,
      utterances: 1,
      audioSeconds: 1,
    })
  })

  it.each<[string, string, FlowEvent[]]>([
    ['a message that is never done', 'lost', [received, chunk(0)]],
    ['a second done', 'doubled', [...utterance, done]],
    [
      'a final message after done',
      'doubled',
      [
        received,
        closed,
        done,
        { ...end, parts: { id: 'p', index: 0, count: 1 }, audio: undefined },
      ],
    ],
    ['a failure that Catch does not get', 'badlyReported', [received, failed]],
    ['a failure that Catch gets twice', 'badlyReported', [received, failed, caught, caught]],
    ['a stop by nobody', 'incomplete', [received, chunk(0), done]],
    ['a failure after the end', 'incomplete', [received, chunk(0), chunk(1), end, failed, caught]],
    ['a part that is missing', 'wrong', [received, chunk(1, 16_000), closed, done]],
    [
      'a final message with a wrong count',
      'wrong',
      [received, chunk(0), chunk(1), { ...end, parts: { id: 'p', index: 2, count: 4 } }, done],
    ],
    ['audio of a closed node', 'wrong', [received, closed, { ...chunk(0), isClosing: true }, done]],
    ['bytes that did not come', 'wrong', [received, chunk(0, 17_000), closed, done]],
    ['the same text in fewer bytes', 'wrong', [...utterance, ...again(31_990)]],
  ])('reports %s', (_what, kind, events) => {
    expect(problemsOf(...events)).toEqual([kind])
  })
})

/** The same utterance again, complete. */
function again(bytes: number): FlowEvent[] {
  const whole: Sent = {
    ...chunk(0, bytes),
    node: 'steady-whole-wait',
    ticket: 2,
    parts: undefined,
    bytes,
    asked,
  }
  return [
    { ...received, node: whole.node, ticket: 2 },
    whole,
    { ...done, node: whole.node, ticket: 2 },
  ]
}
