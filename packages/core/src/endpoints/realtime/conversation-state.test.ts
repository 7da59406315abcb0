import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RealtimeClientEvent } from '../../wire/realtime-client-events.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type { RealtimeSession } from '../../wire/realtime-session.ts'
import { ConversationState } from './conversation-state.ts'
import type { RealtimeEvent } from './realtime-event.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const withTranscripts: RealtimeSession = { audio: { input: { transcription: {} } } }

function start(session = withTranscripts) {
  const sent: RealtimeClientEvent[] = []
  const events: RealtimeEvent[] = []
  const conversation = new ConversationState({
    what: 'Conversation',
    session,
    send: (event) => sent.push(event),
    emit: (event) => events.push(event),
  })
  const receive = (...received: object[]) => {
    for (const event of received) conversation.receive(event as RealtimeServerEvent)
  }
  const types = () => events.map(({ type }) => type)
  const sentTypes = () => sent.map(({ type }) => type)
  const truncations = () => sent.filter(({ type }) => type === 'conversation.item.truncate')
  return { conversation, events, sent, receive, types, sentTypes, truncations }
}

const place = { response_id: 'r1', item_id: 'i1', output_index: 0, content_index: 0 }
const created = (id = 'r1') => ({ type: 'response.created', response: { id } })
const done = (facts = {}) => ({ type: 'response.done', response: { id: 'r1', ...facts } })
/** @param value of each byte. */
const speech = (durationMs: number, value = 0) => ({
  type: 'response.output_audio.delta',
  ...place,
  delta: Buffer.alloc(durationMs * 48, value).toString('base64'),
})
const sound = (event: 'started' | 'stopped', item_id = 'u1') => ({
  type: `input_audio_buffer.speech_${event}`,
  item_id,
  audio_start_ms: 0,
  audio_end_ms: 0,
})
const cancelled = done({ status: 'cancelled', status_details: { reason: 'turn_detected' } })
const call = (call_id: string) => ({
  type: 'response.output_item.done',
  response_id: 'r1',
  output_index: 0,
  item: { id: 'f1', type: 'function_call', call_id, name: 'temperature', arguments: '{}' },
})
const interim = (delta: string) => ({
  type: 'conversation.item.input_audio_transcription.delta',
  item_id: 'u1',
  delta,
})
const transcript = (text: string, item_id = 'u1') => ({
  type: 'conversation.item.input_audio_transcription.completed',
  item_id,
  content_index: 0,
  transcript: text,
})

describe('a sound of the user during a response', () => {
  it('pauses the player, which continues after a noise where it was stopped', () => {
    const { conversation, events, types, receive, truncations } = start()
    receive(created(), speech(100, 1), speech(400, 2))
    vi.advanceTimersByTime(300)
    receive(sound('started'))
    expect(types().slice(-2)).toEqual(['paused', 'input_audio_buffer.speech_started'])
    vi.advanceTimersByTime(1000)
    expect(conversation.unplayedMs).toBe(200)
    receive(sound('stopped'), speech(100, 3))
    expect(events.at(-1)?.type).toBe('input_audio_buffer.speech_stopped')
    receive(transcript(''))
    const resumed = events.findLast((event) => event.type === 'resumed')!
    expect(resumed).toMatchObject({ playedMs: 300, isComplete: false })
    const rest = [Buffer.alloc(200 * 48, 2), Buffer.alloc(100 * 48, 3)]
    expect(resumed.speech.map(({ audio }) => audio)).toEqual(rest)
    expect(conversation.unplayedMs).toBe(300)
    expect(truncations()).toEqual([])
  })

  it('is a noise if its transcription fails', () => {
    const { receive, types } = start()
    const type = 'conversation.item.input_audio_transcription.failed'
    receive(created(), speech(400), sound('started'), sound('stopped'))
    receive({ type, item_id: 'u1', content_index: 0, error: {} })
    expect(types()).toContain('resumed')
  })

  it.each([
    ['its transcript has words', [transcript('Stop that.')]],
    ['its transcript has words without spaces', [transcript('ちょっと待って')]],
    ['its interim transcript has words', [interim('Stop'), interim(' that')]],
    ['the service responds to it', [created('r2')]],
    ['the service responds to its only word', [transcript('Stop.'), created('r2')]],
    ['the service cancels the response', [cancelled]],
    ['the service cancels the response because of its only word', [transcript('Stop.'), cancelled]],
  ])('is an interruption if %s', (_what, confirmation) => {
    const { conversation, types, receive, truncations } = start()
    receive(created(), speech(1000))
    vi.advanceTimersByTime(300)
    receive(sound('started'))
    vi.advanceTimersByTime(500)
    receive(...confirmation, speech(100), done())
    expect(types().filter((type) => /paused|resumed|interrupted/.test(type))).toEqual([
      'paused',
      'interrupted',
    ])
    expect(truncations()).toMatchObject([{ item_id: 'i1', audio_end_ms: 300 }])
    expect(conversation.unplayedMs).toBe(0)
    vi.advanceTimersByTime(60_000)
    expect(types()).not.toContain('resumed')
  })

  it('is a noise if nothing confirms it, until words arrive after all', () => {
    const { types, receive } = start({})
    receive(created(), speech(10_000), sound('started'), sound('stopped'))
    vi.advanceTimersByTime(3000)
    expect(types().at(-1)).toBe('resumed')
    receive(transcript('Stop that.'))
    expect(types()).toContain('interrupted')
  })

  it('is not confirmed by a response that the client has requested', () => {
    const { conversation, types, receive } = start()
    receive(created(), call('c1'), speech(60_000), sound('started'), sound('stopped'))
    vi.advanceTimersByTime(15_000)
    expect(types().at(-1)).toBe('resumed')
    conversation.sendToolResult('c1', '22 degrees')
    receive(done(), created('r2'), { ...speech(100), response_id: 'r2', item_id: 'i2' })
    expect(types()).not.toContain('interrupted')
    receive(done(), created('r3'))
    expect(types()).toContain('interrupted')
  })

  it.each([
    ['the service goes on speaking', ({ receive }) => receive(speech(100))],
    ['the service does nothing', () => void vi.advanceTimersByTime(3000)],
  ] satisfies [string, (started: ReturnType<typeof start>) => void][])(
    'is a noise if it has a single word and %s',
    (_what, goOn) => {
      const started = start()
      const { types, receive } = started
      receive(created(), speech(1000), sound('started'), sound('stopped'), speech(100))
      receive(interim('the'), transcript('the'))
      expect(types()).not.toContain('resumed')
      goOn(started)
      expect(types()).toContain('resumed')
      expect(types()).not.toContain('interrupted')
      vi.advanceTimersByTime(60_000)
      expect(types().filter((type) => type === 'resumed')).toHaveLength(1)
    },
  )

  it('is not judged by the transcript of an earlier turn', () => {
    const { types, receive } = start()
    receive(created(), speech(1000), sound('started', 'u2'), sound('stopped', 'u2'))
    receive(transcript('Good morning.', 'u1'), transcript('', 'u1'))
    expect(types()).not.toContain('interrupted')
    expect(types()).not.toContain('resumed')
  })

  it('is a noise only if none of several sounds has words', () => {
    const { types, receive } = start()
    receive(created(), speech(1000), sound('started', 'u1'), sound('stopped', 'u1'))
    receive(sound('started', 'u2'), transcript('', 'u1'))
    expect(types()).not.toContain('resumed')
    receive(sound('stopped', 'u2'), transcript('', 'u2'))
    expect(types()).toContain('resumed')
  })

  it('does not silence the response to the result of a tool', () => {
    const { events, receive, types } = start()
    receive(created(), sound('started'), done(), sound('stopped'), created('r2'))
    expect(types()).toContain('interrupted')
    receive({ ...speech(100), response_id: 'r2', item_id: 'i2' }, transcript(''))
    expect(events.at(-2)).toMatchObject({ type: 'response.output_audio.delta', item_id: 'i2' })
  })

  it('resumes a complete response as such', () => {
    const { events, receive } = start()
    receive(created(), speech(1000), done(), sound('started'), sound('stopped'), transcript(''))
    expect(events.findLast((event) => event.type === 'resumed')).toMatchObject({
      isComplete: true,
      playedMs: 0,
      speech: [{ item_id: 'i1' }],
    })
  })

  it('ends with the session whose connection is lost', () => {
    const { conversation, types, receive } = start()
    receive(created(), speech(1000), sound('started'), sound('stopped'))
    conversation.beginSession(true)
    expect(types().at(-1)).toBe('resumed')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is an interruption at once if more speech waits than the client keeps', () => {
    const { types, receive } = start()
    receive(created())
    for (let minute = 0; minute < 12; minute++) receive(speech(60_000))
    receive(sound('started'))
    expect(types()).toContain('interrupted')
    receive(transcript(''))
    expect(types()).not.toContain('resumed')
  })

  it('has no effect on a player that has nothing to play', () => {
    const { types, receive } = start()
    receive(created(), speech(100), done())
    vi.advanceTimersByTime(100)
    receive(sound('started'), sound('stopped'), transcript('Good morning.'), created('r2'))
    expect(types().filter((type) => /paused|interrupted/.test(type))).toEqual([])
  })
})

it('a response that the client has requested interrupts nothing, also after an error about another event', () => {
  const { conversation, receive, types } = start()
  receive(created(), speech(1000), done())
  conversation.respond()
  receive({ type: 'error', error: { message: 'The audio is not base64', event_id: null } })
  receive(sound('started'), created('r2'))
  expect(types()).toContain('paused')
  expect(types()).not.toContain('interrupted')
})

it.each([{ event_id: null }, {}])(
  'an error that names no event may be the rejection of a request, so that another one is sent: %j',
  (facts) => {
    const { conversation, receive, sentTypes } = start()
    conversation.respond()
    receive({ type: 'error', error: { message: 'The event has more than 6000 values', ...facts } })
    expect(conversation.isResponding).toBe(false)
    conversation.respond()
    expect(sentTypes()).toEqual(['response.create', 'response.create'])
    expect(conversation.isResponding).toBe(true)
  },
)

it('a response that waits for a request is requested after an error that names no event', () => {
  const { conversation, receive, sentTypes } = start()
  conversation.respond()
  conversation.respond()
  expect(sentTypes()).toEqual(['response.create'])
  receive({ type: 'error', error: { message: 'The event has more than 6000 values' } })
  expect(sentTypes()).toEqual(['response.create', 'response.create'])
})

describe('a request that comes during a response that nobody expected', () => {
  const unnamed = { type: 'error', error: { message: 'No audio is waiting', event_id: null } }
  const instructions = 'Be brief.'
  const events: [string, (started: ReturnType<typeof start>) => void][] = [
    [
      'of the request before, in doubt after an error that names no event',
      ({ conversation, receive }) => {
        conversation.respond()
        receive(unnamed)
        conversation.respond({ instructions })
        receive(created())
      },
    ],
    [
      'of the request before, in doubt when a response waits',
      ({ conversation, receive }) => {
        conversation.respond()
        conversation.respond({ instructions })
        receive(unnamed, created())
      },
    ],
    [
      'of the service to a turn of the user',
      ({ conversation, receive }) => {
        conversation.respond({ instructions })
        receive(created())
      },
    ],
  ]

  it.each(events)('is sent again after it: %s', (_what, begin) => {
    const started = start()
    const { conversation, receive, sent } = started
    begin(started)
    const requests = sent.length
    const { event_id } = sent.at(-1)!
    const code = 'conversation_already_has_active_response'
    receive({ type: 'error', error: { code, message: 'Wait', event_id } })
    expect(sent).toHaveLength(requests)
    receive(done())
    expect(sent.slice(requests)).toMatchObject([
      { type: 'response.create', response: { instructions } },
    ])
    receive(created('r2'), done({ id: 'r2' }))
    expect(sent).toHaveLength(requests + 1)
    expect(conversation.isResponding).toBe(false)
  })

  it.each([
    ['after the end of that response', [created(), done()]],
    ['although the client knows of no response', []],
  ])('is sent again at once, but only once, if its error arrives %s', (_when, before) => {
    const { conversation, receive, sent } = start()
    const reject = () => {
      const { event_id } = sent.at(-1)!
      const code = 'conversation_already_has_active_response'
      receive({ type: 'error', error: { code, message: 'Wait', event_id } })
    }
    conversation.respond({ instructions })
    receive(...before)
    reject()
    expect(sent).toHaveLength(2)
    expect(sent[1]).toMatchObject({ type: 'response.create', response: { instructions } })
    reject()
    expect(sent).toHaveLength(2)
    receive(created('r2'), done({ id: 'r2' }))
    expect(sent).toHaveLength(3)
    receive(created('r3'), done({ id: 'r3' }))
    expect(conversation.isResponding).toBe(false)
  })

  it('is not sent again if a later one waits, which stands for both', () => {
    const { conversation, receive, sent } = start()
    conversation.respond()
    receive(created())
    conversation.respond({ instructions })
    const code = 'conversation_already_has_active_response'
    receive({ type: 'error', error: { code, message: 'Wait', event_id: sent[0]!.event_id } })
    receive(done())
    expect(sent).toHaveLength(2)
    expect(sent[1]).toMatchObject({ response: { instructions } })
  })
})

it('a tool call that a limit has cut waits for no result', () => {
  const { conversation, receive, sentTypes } = start()
  const whole = call('c1')
  const cut = { ...whole, item: { ...whole.item, call_id: 'c2', status: 'incomplete' } }
  receive(created(), whole, cut, done({ status: 'incomplete' }))
  expect(() => conversation.sendToolResult('c2', 'on')).toThrow('no tool call c2')
  conversation.sendToolResult('c1', '22 degrees')
  expect(sentTypes().at(-1)).toBe('response.create')
})
