import { describe, expect, it } from 'vitest'
import { applyEvent, readState } from './entity-state.ts'

const id = 'media_player.kitchen'
const whole = (attributes: object, state: unknown = 'playing') => ({
  a: { [id]: { s: state, a: attributes, c: '01', lc: 1 } },
})
const change = (set: object, unset: unknown = []) => ({
  c: { [id]: { '+': set, '-': { a: unset } } },
})
/** The state after events, each as Home Assistant sends it. */
const after = (...events: unknown[]) => {
  const attributes = events.reduce(
    (before: ReturnType<typeof applyEvent>, event) => applyEvent(id, before, event),
    undefined,
  )
  return attributes && readState(attributes)
}

describe('the state of an entity', () => {
  it('is that of the first event', () => {
    expect(
      after(
        whole({
          friendly_name: 'Kitchen',
          supported_features: 513_599,
          volume_level: 0.4,
          media_content_id: 'http://radio/1',
          media_content_type: 'music',
          media_duration: 200,
          media_position: 12,
          media_position_updated_at: '2026-11-26T07:00:00.000Z',
        }),
      ),
    ).toEqual({
      state: 'playing',
      name: 'Kitchen',
      features: 513_599,
      volume: 0.4,
      mediaId: 'http://radio/1',
      mediaType: 'music',
      durationSeconds: 200,
      positionSeconds: 12,
      positionAt: Date.parse('2026-11-26T07:00:00Z'),
    })
  })

  it('changes as the following events say', () => {
    const start = whole({ volume_level: 0.4, media_content_id: 'a' })
    expect(after(start, change({ a: { volume_level: 0.5 } }))).toMatchObject({
      state: 'playing',
      volume: 0.5,
      mediaId: 'a',
    })
    expect(after(start, change({ s: 'off' }, ['media_content_id']))).toMatchObject({
      state: 'off',
      volume: 0.4,
      mediaId: '',
    })
  })

  it('is absent before the entity exists, and after it was removed', () => {
    expect(after({ a: {} })).toBeUndefined()
    expect(after(whole({}), { r: [id] })).toBeUndefined()
  })

  it.each([undefined, null, 7, 'text', [], { a: null }, { c: { [id]: 3 } }, { r: 'all' }])(
    'does not change after an event that is none: %j',
    (event) => {
      expect(after(whole({ volume_level: 0.4 }), event)).toMatchObject({ volume: 0.4 })
    },
  )

  it.each([null, '', '0.4 %', [], {}, Number.NaN])(
    'has no volume that is not a number: %j',
    (volume) => {
      expect(after(whole({ volume_level: volume }))).toMatchObject({ volume: undefined })
    },
  )

  it('has a volume from 0 to 1, and no text of any length', () => {
    expect(after(whole({ volume_level: 7 }))).toMatchObject({ volume: 1 })
    const long = 'x'.repeat(5000)
    expect(after(whole({ media_content_id: long }))).toMatchObject({ mediaId: '' })
  })
})
