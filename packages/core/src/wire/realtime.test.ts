import { describe, expect, it } from 'vitest'
import { parseInWords } from './parse-in-words.ts'
import { realtimeClientEventSchema } from './realtime-client-events.ts'
import { realtimeServerEventSchema } from './realtime-server-events.ts'

const problemsOf = (event: unknown) => {
  const parsed = parseInWords(realtimeClientEventSchema, event)
  return 'problems' in parsed ? parsed.problems : []
}

describe('the events of a realtime client', () => {
  it.each([
    ['switched off', null],
    ['by silence', { type: 'server_vad', silence_duration_ms: 300 }],
    ['by meaning', { type: 'semantic_vad', eagerness: 'high', interrupt_response: false }],
  ])('allow turn detection %s', (_, turn_detection) => {
    const session = { type: 'realtime', audio: { input: { turn_detection } } }
    expect(problemsOf({ type: 'session.update', session })).toEqual([])
  })

  it.each([
    ['system', { type: 'input_text', text: 'Be brief.' }],
    ['user', { type: 'input_audio', audio: 'AAAA', transcript: null }],
    ['assistant', { type: 'output_text', text: 'Hello.' }],
  ])('allow an item of the role %s', (role, part) => {
    const item = { type: 'message', role, content: [part] }
    expect(problemsOf({ type: 'conversation.item.create', item })).toEqual([])
  })

  it('do not allow a truncation before the start', () => {
    const truncation = { item_id: 'a', content_index: 0, audio_end_ms: -1 }
    expect(problemsOf({ type: 'conversation.item.truncate', ...truncation })).toEqual([
      'audio_end_ms must be at least 0',
    ])
  })
})

describe('the events of a realtime service', () => {
  it('may have members that a later version adds', () => {
    const event = { type: 'session.created', event_id: 'e1', session: { later: 1 }, later: 2 }
    expect(realtimeServerEventSchema.parse(event)).toEqual(event)
  })

  it('are complete in spite of malformed usage', () => {
    const response = { id: 'r1', status: 'completed', usage: 'none' }
    expect(realtimeServerEventSchema.parse({ type: 'response.done', response })).toEqual({
      type: 'response.done',
      response: { id: 'r1', status: 'completed', usage: undefined },
    })
  })
})
