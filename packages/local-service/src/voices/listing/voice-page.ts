import { createHash } from 'node:crypto'
import type { Voice, VoiceListRequest } from '@parlando/core/wire'
import { ServiceError } from '../../errors.ts'
import { isLanguage } from '../languages.ts'
import { readVoiceFilter } from './voice-filter.ts'
import { readVoiceOrder, type SortKey } from './voice-order.ts'

export interface VoicePage {
  voices: Voice[]
  /** Absent on the last page. */
  nextPageToken?: string
  /** How many there are on all pages together. */
  totalSize: number
}

/**
 * Gives one page of those voices that are asked for; the whole list when no page size is given. A page begins behind
 * the last voice of the one before, so that voices which come or go meanwhile shift nothing.
 * @throws {ServiceError} naming the parameter that is wrong.
 */
export function pageOfVoices(voices: readonly Voice[], query: VoiceListRequest): VoicePage {
  const { pageSize, pageToken } = query
  const { keyOf, compare } = readVoiceOrder(query.orderBy ?? '')
  const found = voices
    .filter(selection(query))
    .map((voice) => ({ voice, key: keyOf(voice) }))
    .sort((one, other) => compare(one.key, other.key))
  const after = pageToken && readPageToken(pageToken, query)
  const rest = after ? found.filter(({ key }) => compare(key, after) > 0) : found
  const page = rest.slice(0, pageSize)
  return {
    voices: page.map(({ voice }) => voice),
    ...(page.length < rest.length && { nextPageToken: writePageToken(page.at(-1)!.key, query) }),
    totalSize: found.length,
  }
}

function selection({ languages = [], filter = '' }: VoiceListRequest): (voice: Voice) => boolean {
  const asked = [languages].flat()
  for (const language of asked) {
    if (!/^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(language)) {
      const message = `languages: ${language} is no language; write EN_US, en-US or en`
      throw new ServiceError('INVALID_ARGUMENT', message)
    }
  }
  const passes = filter.trim() === '' ? () => true : readVoiceFilter(filter)
  return (voice) =>
    passes(voice) &&
    (asked.length === 0 || asked.some((language) => isLanguage(voice.langCode, language)))
}

function writePageToken(key: SortKey, query: VoiceListRequest): string {
  return Buffer.from(JSON.stringify([fingerprint(query), ...key])).toString('base64url')
}

function readPageToken(token: string, query: VoiceListRequest): SortKey {
  const [itsQuery, ...key] = parseTexts(Buffer.from(token, 'base64url').toString())
  if (itsQuery === fingerprint(query)) return key
  const message =
    itsQuery === undefined
      ? 'pageToken: no list of this service gave it; begin without one'
      : 'pageToken: it belongs to a list with other languages, orderBy or filter; begin without one'
  throw new ServiceError('INVALID_ARGUMENT', message)
}

/** @returns nothing when it is no list of texts. */
function parseTexts(json: string): string[] {
  try {
    const texts: unknown = JSON.parse(json)
    return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : []
  } catch {
    return []
  }
}

/** What makes two queries the same list; the size of a page may change between pages. */
function fingerprint({ languages = [], orderBy = '', filter = '' }: VoiceListRequest): string {
  const query = JSON.stringify([[languages].flat(), orderBy, filter])
  return createHash('sha256').update(query).digest('base64url').slice(0, 8)
}
