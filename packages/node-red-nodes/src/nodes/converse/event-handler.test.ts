import type { RealtimeEvent } from '@parlando/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EventHandler } from './event-handler.ts'
import { createFollowUp } from './follow-up.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A short conversation whose model has said something. */
function startShortConversation() {
  const onOver = vi.fn()
  const nothing = () => {}
  const handler = new EventHandler({
    RED: { _: (key: string) => key },
    messages: { text: () => ({}) },
    context: { send: nothing, status: { working: nothing, conclude: nothing, retrying: nothing } },
    conversation: { unplayedMs: 0, respond: nothing },
    followUp: createFollowUp(onOver),
    filler: { begin: nothing, end: nothing, stop: nothing },
    report: nothing,
  } as never)
  const take = (...events: object[]) => {
    for (const event of events) handler.take(event as RealtimeEvent)
  }
  /** Whether the conversation is over when nothing more happens. */
  const ends = () => {
    vi.advanceTimersByTime(60_000)
    return onOver.mock.calls.length > 0
  }
  take(created, said)
  return { take, ends }
}

const created = { type: 'response.created', response: { id: 'r1' } }
const said = { type: 'response.output_audio_transcript.done', transcript: 'The light is on.' }
const done = (status: string) => ({ type: 'response.done', response: { id: 'r1', status } })
const started = (item_id = 'u1') => ({ type: 'input_audio_buffer.speech_started', item_id })
const stopped = (item_id = 'u1') => ({ type: 'input_audio_buffer.speech_stopped', item_id })
const transcription = 'conversation.item.input_audio_transcription'
const understood = (transcript: string, item_id = 'u1') => ({
  type: `${transcription}.completed`,
  item_id,
  transcript,
})
const notUnderstood = { type: `${transcription}.failed`, item_id: 'u1', error: null }

describe('a short conversation', () => {
  it.each(['completed', 'cancelled', 'failed'])(
    'does not end while the user speaks: the response has %s',
    (status) => {
      const { take, ends } = startShortConversation()
      take(started(), done(status))
      expect(ends()).toBe(false)
      // A recogniser may take longer than the user has to respond.
      take(stopped())
      expect(ends()).toBe(false)
    },
  )

  it.each([
    ['it was a noise', understood('')],
    ['it was not understood', notUnderstood],
  ])('ends after a sound of the user during a response: %s', (_what, event) => {
    const { take, ends } = startShortConversation()
    take(started(), done('completed'), stopped(), event)
    expect(ends()).toBe(true)
  })

  it('ends after a response that a word of the user did not interrupt', () => {
    const { take, ends } = startShortConversation()
    take(started(), stopped(), understood('the'), done('completed'))
    expect(ends()).toBe(true)
  })

  it('does not end while the user goes on after a break, in which the model began to respond', () => {
    const { take, ends } = startShortConversation()
    take(done('completed'), started(), stopped(), started('u2'))
    take(understood('No wait,'), created, done('cancelled'))
    expect(ends()).toBe(false)
  })

  it('ends after the response to a turn that the service does not transcribe', () => {
    const { take, ends } = startShortConversation()
    take(started(), done('cancelled'), stopped(), created, done('completed'))
    expect(ends()).toBe(true)
  })

  describe('whose connection is lost and restored', () => {
    const lost = { type: 'reconnecting', error: new Error('it was lost') }
    const restored = (isResponseLost = false) => ({ type: 'restored', items: 0, isResponseLost })

    it('ends if the user spoke meanwhile, and says nothing more', () => {
      const { take, ends } = startShortConversation()
      take(done('completed'), started(), lost)
      expect(ends()).toBe(false)
      take(restored())
      expect(ends()).toBe(true)
    })

    it('does not end while the user goes on', () => {
      const { take, ends } = startShortConversation()
      take(done('completed'), started(), lost, restored(), started('u2'))
      expect(ends()).toBe(false)
    })

    it('ends after the response that was lost', () => {
      const { take, ends } = startShortConversation()
      take(started(), lost, restored(true))
      expect(ends()).toBe(false)
      take(created, done('completed'))
      expect(ends()).toBe(true)
    })
  })
})
