import { describe, expect, it } from 'vitest'
import type { Done, FlowEvent, Received, Sent } from './flow-event.ts'
import type { MessageStats } from './message-stats.ts'
import { MessageTracker } from './message-tracker.ts'

const node = 'steady-chunks-wait'
const announcer = 'steady-speaker-announce'
const reader = 'steady-speaker-read'
const reminders = 'steady-remind-remind'
const phone = 'steady-phone-converse'
const text = 'Dinner is ready.'
const received: Received = {
  is: 'received',
  ticket: 1,
  node,
  message: 'a',
  isDelivered: true,
  isClosing: false,
}
const done: Done = { is: 'done', ticket: 1, node }
const failed: FlowEvent = { ...done, failure: 'CONNECTION_LOST' }
const caught: FlowEvent = { is: 'caught', node, message: 'a' }
const closed: FlowEvent = { is: 'closed', node }

/** One of two chunks of half a second, or the end of the sequence. */
function chunk(index: number, bytesSoFar = 16_000 * (index + 1)): Sent {
  const audio = {
    encoding: 'PCM',
    sampleRateHertz: 16_000,
    voiceId: 'Clara',
    modelId: 'svc-tts-2',
    bytes: bytesSoFar,
    durationSeconds: bytesSoFar / 32_000,
    characters: text.length,
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
const expected = { text, pace: 1 }
const last = chunk(2, 32_000)
const end: Sent = {
  ...last,
  ticket: 1,
  parts: { id: 'p', index: 2, count: 3 },
  isComplete: true,
  bytes: 0,
  expected,
}
const utterance = [received, chunk(0), chunk(1), end, done]

function readAudioStats(...events: FlowEvent[]): MessageStats {
  const tracker = new MessageTracker()
  for (const event of events) tracker.note(event)
  return tracker.close()
}

function problemsOf(...events: FlowEvent[]): string[] {
  const { lost, duplicates, notCaughtOnce, incomplete, wrong } = readAudioStats(...events)
  const found = { lost, duplicates, notCaughtOnce, incomplete, wrong }
  return Object.entries(found).flatMap(([name, examples]) => (examples.length > 0 ? [name] : []))
}

describe('the message tracker', () => {
  it('accepts messages that are complete, failed or stopped', () => {
    const stop: Received = { ...received, ticket: 2, message: 'b', control: 'stop' }
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

  it('accepts an announcement that sends an address, and ends with a report', () => {
    expect(problemsOf(...announcement('said'))).toEqual([])
    expect(problemsOf(...announcement('not said'))).toEqual([])
  })

  it('accepts the report of an announcement that failed', () => {
    const [received, address, report, done] = announcement('not said') as [
      Received,
      Sent,
      Sent,
      Done,
    ]
    const failure: Done = { ...done, failure: 'NOT_REACHABLE' }
    const { node } = done
    expect(problemsOf(received, address, report, failure, { ...caught, node })).toEqual([])
  })

  it('accepts a text that is read on after a deploy, as another message', () => {
    const [received, report, done] = readText('read')
    const { ticket: _ticket, ...later } = report
    expect(problemsOf(received, report, done)).toEqual([])
    expect(problemsOf(received, closedReader, done, later)).toEqual([])
  })

  it('accepts a failure that only pauses a text, before and after a deploy', () => {
    const [received, report, done] = readText('read')
    const { ticket: _ticket, ...later } = report
    const paused: FlowEvent = { ...caught, node: reader }
    expect(problemsOf(received, paused, report, done)).toEqual([])
    expect(problemsOf(received, closedReader, done, paused, later)).toEqual([])
  })

  it('accepts reminders that are due or cancelled', () => {
    const stop: Received = { ...received, node: reminders, control: 'stop' }
    const stopDone: Done = { ...done, node: reminders }
    expect(problemsOf(reminder('set'), reminder('due'))).toEqual([])
    expect(problemsOf(reminder('set'), reminder('changed'), reminder('cancelled'))).toEqual([])
    expect(problemsOf(reminder('set'), stop, stopDone)).toEqual([])
  })

  it('accepts a conversation that sends sounds and texts, and goes on after a failure', () => {
    expect(problemsOf(...conversation(inConversation(end)))).toEqual([])
    expect(readAudioStats(...conversation(inConversation(end)))).toMatchObject({ completed: 1 })
  })

  it('counts the answers to questions', () => {
    const ofNode = { node: 'steady-browser-ask' }
    const answered: Sent = {
      ...{ ...end, ...ofNode, parts: undefined, audio: undefined },
      answer: 'voice',
    }
    const question = [{ ...received, ...ofNode }, answered, { ...done, ...ofNode }]
    expect(problemsOf(...question)).toEqual([])
    expect(readAudioStats(...question)).toMatchObject({ completed: 1, answers: { voice: 1 } })
  })

  it('counts texts and reminders as open until they end', () => {
    const tracker = new MessageTracker()
    const [received, report, done] = readText('read')
    const { ticket: _ticket, ...later } = report
    for (const event of [received, closedReader, done, reminder('set')]) tracker.note(event)
    expect(tracker.open).toBe(2)
    for (const event of [later, reminder('due')]) tracker.note(event)
    expect(tracker.open).toBe(0)
  })

  it.each<[string, string, FlowEvent[]]>([
    [
      'a text that does not go on after a deploy',
      'lost',
      [readText('read')[0], closedReader, readText('read')[2]],
    ],
    ['a text that is reported twice', 'duplicates', readTwice()],
    ['a text with an unknown report', 'wrong', readText('lost')],
    ['a reminder that is never due', 'lost', [reminder('set')]],
    [
      'a reminder that is due twice',
      'duplicates',
      [reminder('set'), reminder('due'), reminder('due')],
    ],
    [
      'a sound of a conversation that lacks a part',
      'wrong',
      conversation(inConversation({ ...end, parts: { id: 'p', index: 2, count: 4 } })),
    ],
    [
      'a failure of a conversation that does not reach Catch',
      'notCaughtOnce',
      [
        { ...received, node: phone },
        { ...failed, node: phone },
      ],
    ],
    ['an announcement without a report', 'wrong', announcement(undefined)],
    ['an announcement that never ends', 'lost', announcement('said').slice(0, 2)],
    ['a message without done', 'lost', [received, chunk(0)]],
    ['a second done', 'duplicates', [...utterance, done]],
    [
      'an end of the sequence after done',
      'duplicates',
      [
        received,
        closed,
        done,
        { ...end, parts: { id: 'p', index: 0, count: 1 }, audio: undefined },
      ],
    ],
    ['a failure that does not reach Catch', 'notCaughtOnce', [received, failed]],
    ['a failure that reaches Catch twice', 'notCaughtOnce', [received, failed, caught, caught]],
    ['an incomplete response without a stop', 'incomplete', [received, chunk(0), done]],
    ['a failure after the end', 'incomplete', [received, chunk(0), chunk(1), end, failed, caught]],
    [
      'a failure of an announcement that was said',
      'incomplete',
      [
        ...announcement('said').slice(0, 3),
        { ...failed, node: announcer },
        { ...caught, node: announcer },
      ],
    ],
    ['a missing part', 'wrong', [received, chunk(1, 16_000), closed, done]],
    [
      'a wrong count of parts',
      'wrong',
      [received, chunk(0), chunk(1), { ...end, parts: { id: 'p', index: 2, count: 4 } }, done],
    ],
    [
      'audio from a closed node',
      'wrong',
      [received, closed, { ...chunk(0), isClosing: true }, done],
    ],
    ['a wrong number of bytes', 'wrong', [received, chunk(0, 17_000), closed, done]],
    ['a different number of bytes for the same text', 'wrong', [...utterance, ...again(31_990)]],
  ])('reports %s', (_what, kind, events) => {
    expect(problemsOf(...events)).toEqual([kind])
  })
})

function announcement(announced: string | undefined): FlowEvent[] {
  const ofNode = { node: announcer, message: 'a' }
  const address: Sent = { ...ofNode, is: 'sent', isClosing: false, isComplete: false }
  return [
    { ...received, ...ofNode },
    address,
    { ...address, ticket: 1, ...(announced && { report: announced }) },
    { ...done, ...ofNode },
  ]
}

/** A message of a conversation, which has an id of its own. */
function inConversation(sent: Sent): Sent {
  const { ticket: _ticket, expected: _expected, ...others } = sent
  return { ...others, node: phone, message: 'b' }
}

/** A text, a sound and a failure after which the conversation goes on. */
function conversation(endOfSound: Sent): FlowEvent[] {
  const ofNode = { node: phone }
  const word: Sent = { ...ofNode, is: 'sent', message: 'c', isClosing: false, isComplete: false }
  return [
    { ...received, ...ofNode },
    { ...word, text },
    inConversation(chunk(0)),
    inConversation(chunk(1)),
    endOfSound,
    { ...caught, ...ofNode },
    { ...done, ...ofNode },
  ]
}

const closedReader: FlowEvent = { is: 'closed', node: reader }

function readText(report: string): [Received, Sent, Done] {
  const ofNode = { node: reader, message: 'a' }
  return [
    { ...received, ...ofNode },
    { ...ofNode, is: 'sent', ticket: 1, isClosing: false, isComplete: false, report },
    { ...done, ...ofNode },
  ]
}

function readTwice(): FlowEvent[] {
  const [received, report, done] = readText('read')
  const { ticket: _ticket, ...later } = report
  return [received, report, done, later]
}

function reminder(event: string): Sent {
  const ofNode = { node: reminders, message: 'a' }
  return {
    ...ofNode,
    is: 'sent',
    isClosing: false,
    isComplete: false,
    reminders: { event, ids: ['b'] },
  }
}

/** The same request again, as one message. */
function again(bytes: number): FlowEvent[] {
  const whole: Sent = {
    ...chunk(0, bytes),
    node: 'steady-whole-wait',
    ticket: 2,
    parts: undefined,
    bytes,
    expected,
  }
  return [
    { ...received, node: whole.node, ticket: 2 },
    whole,
    { ...done, node: whole.node, ticket: 2 },
  ]
}
