import type { Voice } from '@parlando/core/wire'
import { ServiceError } from '../../errors/service-error.ts'
import { findDefaultVoices } from '../default-voices.ts'
import { library } from '../library.ts'
import { snakeCase } from './voice-filter.ts'

/** The values by which a voice is sorted. They are unique, because the last one is the id. */
export type SortKey = readonly string[]

export interface VoiceOrder {
  keyOf(voice: Voice): SortKey
  /** @returns a negative number when `one` comes first. */
  compare(one: SortKey, other: SortKey): number
}

const fields = new Map<string, (voice: Voice) => string>([
  ['display_name', ({ displayName }) => displayName ?? ''],
  ['voice_id', ({ voiceId }) => voiceId],
  ['lang_code', ({ langCode }) => langCode ?? ''],
])

const { compare: compareTexts } = new Intl.Collator('en', { numeric: true })

/**
 * Parses an order such as `lang_code, display_name desc`. Ties are broken by the id. Without an order, the default voice of
 * each language comes first, then the library, then the clones in the order of their creation.
 * @param voices all voices, among which are the default ones.
 * @throws {ServiceError} with the part that is invalid.
 */
export function readVoiceOrder(orderBy: string, voices: readonly Voice[]): VoiceOrder {
  const parts = orderBy.trim() === '' ? [] : orderBy.split(',').map(readPart)
  const keys = parts.length > 0 ? parts : [{ textOf: placesOf(voices), sign: 1 }]
  keys.push({ textOf: ({ voiceId }) => voiceId, sign: 1 })
  return {
    keyOf: (voice) => keys.map(({ textOf }) => textOf(voice)),
    compare(one, other) {
      for (const [index, { sign }] of keys.entries()) {
        const difference = compareTexts(one[index]!, other[index]!) * sign
        if (difference !== 0) return difference
      }
      // The collator treats some different ids as equal.
      return one.join() < other.join() ? -1 : Number(one.join() > other.join())
    },
  }
}

function readPart(part: string): { textOf: (voice: Voice) => string; sign: number } {
  const [, name = '', direction = 'asc'] = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/i.exec(part) ?? []
  const textOf = fields.get(snakeCase(name))
  if (textOf) return { textOf, sign: direction.toLowerCase() === 'desc' ? -1 : 1 }
  const known = [...fields.keys()].join(', ')
  const message = `orderBy: ${part.trim() || 'an empty part'} is not an order; write one of ${known}, followed by asc or desc`
  throw new ServiceError('INVALID_ARGUMENT', message)
}

function placesOf(voices: readonly Voice[]): (voice: Voice) => string {
  const first = [...findDefaultVoices(voices), ...library.map(({ voice }) => voice)]
  const ids = new Set(first.map(({ voiceId }) => voiceId))
  const places = new Map([...ids].map((voiceId, place) => [voiceId, place]))
  return ({ voiceId, createTime }) => String(places.get(voiceId) ?? Date.parse(String(createTime)))
}
