import { createHash } from 'node:crypto'
import { isLanguageCode } from '@parlando/core/text'
import { parseJson, type Voice, type VoiceListRequest } from '@parlando/core/wire'
import { ServiceError } from '../../errors/service-error.ts'
import { speaks } from '../spoken-languages.ts'
import { readVoiceFilter } from './voice-filter.ts'
import { readVoiceOrder, type SortKey } from './voice-order.ts'

export interface VoicePage {
  voices: Voice[]
  /** Empty on the last page. */
  nextPageToken: string
  /** Number of voices on all pages. */
  totalSize: number
}

/**
 * Selects, sorts and cuts one page; the whole list if no page size is given. A page starts after the last voice of the
 * previous page, so voices that are added or deleted in between do not shift the pages.
 * @throws {ServiceError} with the name of the invalid parameter.
 */
export function pageOfVoices(voices: readonly Voice[], query: VoiceListRequest): VoicePage {
  const { pageSize, pageToken } = query
  const { keyOf, compare } = readVoiceOrder(query.orderBy ?? '', voices)
  const found = voices
    .filter(selection(query))
    .map((voice) => ({ voice, key: keyOf(voice) }))
    .sort((one, other) => compare(one.key, other.key))
  const after = pageToken && readPageToken(pageToken, query)
  const rest = after ? found.filter(({ key }) => compare(key, after) > 0) : found
  const page = rest.slice(0, pageSize)
  return {
    voices: page.map(({ voice }) => voice),
    nextPageToken: page.length < rest.length ? writePageToken(page.at(-1)!.key, query) : '',
    totalSize: found.length,
  }
}

function selection({ languages = [], filter = '' }: VoiceListRequest): (voice: Voice) => boolean {
  const wanted = [languages].flat()
  for (const language of wanted) {
    if (!isLanguageCode(language)) {
      const message = `languages: ${language} is not a language code; write EN_US, en-US or en`
      throw new ServiceError('INVALID_ARGUMENT', message)
    }
  }
  const passes = filter.trim() === '' ? () => true : readVoiceFilter(filter)
  return (voice) =>
    passes(voice) && (wanted.length === 0 || wanted.some((language) => speaks(voice, language)))
}

function writePageToken(key: SortKey, query: VoiceListRequest): string {
  return Buffer.from(JSON.stringify([fingerprint(query), ...key])).toString('base64url')
}

function readPageToken(token: string, query: VoiceListRequest): SortKey {
  const [queryOfToken, ...key] = parseTexts(Buffer.from(token, 'base64url').toString())
  if (queryOfToken === fingerprint(query)) return key
  const message =
    queryOfToken === undefined
      ? 'pageToken: it was not issued by this service; start without one'
      : 'pageToken: it belongs to a list with other languages, orderBy or filter; start without one'
  throw new ServiceError('INVALID_ARGUMENT', message)
}

/** @returns an empty list if the JSON is not a list of strings. */
function parseTexts(json: string): string[] {
  const texts = parseJson(json)
  return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : []
}

/** Identifies the list that a page belongs to. The page size may change between pages. */
function fingerprint({ languages = [], orderBy = '', filter = '' }: VoiceListRequest): string {
  const query = JSON.stringify([[languages].flat(), orderBy, filter])
  return createHash('sha256').update(query).digest('base64url').slice(0, 8)
}
