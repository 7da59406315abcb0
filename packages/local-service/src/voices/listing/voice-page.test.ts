import type { Voice, VoiceListRequest } from '@parlando/core/wire'
import { makeClonedVoice } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'
import { library } from '../library.ts'
import { pageOfVoices } from './voice-page.ts'

/** The default voices of American and of British English come first. */
const [clara, ralph, angus, kit] = library
const voices = [
  clara!,
  angus!,
  ralph!,
  kit!,
  makeClonedVoice('anna', { displayName: 'Änna', langCode: 'DE_DE', tags: ['Calm', 'a "friend"'] }),
  makeClonedVoice('b-10', { displayName: 'Bot 10', description: 'Beeps' }),
  makeClonedVoice('b-9', { displayName: 'Bot 9', createTime: '2027-01-02T03:04:05Z' }),
].map(({ voice }) => voice)

const clones = ['local__anna', 'local__b-10', 'local__b-9']
const fromLibrary = ['Clara', 'Angus', 'Ralph', 'Kit']

const ids = (query: VoiceListRequest, of: readonly Voice[] = voices) =>
  pageOfVoices(of, query).voices.map(({ voiceId }) => voiceId)

function allPages(query: VoiceListRequest, between: (voices: Voice[]) => void = () => {}) {
  const present = [...voices]
  const found: string[] = []
  let pageToken: string | undefined
  do {
    const page = pageOfVoices(present, { ...query, pageSize: 2, pageToken })
    found.push(...page.voices.map(({ voiceId }) => voiceId))
    pageToken = page.nextPageToken
    between(present)
  } while (pageToken)
  return found
}

describe('a list of voices', () => {
  it('is complete and sorted by library position, then creation time, without a query', () => {
    expect(pageOfVoices(voices, {})).toEqual({ voices, nextPageToken: '', totalSize: 7 })
  })

  it.each([
    ['EN_US', 5],
    ['en-us', 5],
    ['en', 6],
    ['e', undefined],
    ['EN_GB', 1],
    ['EN_AU', 0],
    [['fr', 'de'], 1],
    ['English', undefined],
  ])('is filtered by the language %j', (languages, count) => {
    if (count !== undefined) expect(ids({ languages })).toHaveLength(count)
    else expect(() => ids({ languages })).toThrow('languages: ')
  })

  it('contains a voice with several languages for each of them', () => {
    const several = { voiceId: 'f1', langCode: 'AUTO', promptLanguages: ['FR_FR', 'EN_US'] }
    const found = (query: VoiceListRequest) => ids(query, [several])
    expect(found({ languages: 'fr' })).toEqual(['f1'])
    expect(found({ filter: 'lang_code = "en"' })).toEqual(['f1'])
    expect(found({ languages: 'de' })).toEqual([])
  })

  it.each([
    ['source = "SYSTEM"', fromLibrary],
    ['source = "SYSTEM" AND lang_code = "en"', fromLibrary],
    ['source=system and gender=FEMALE', ['Clara']],
    ['lang_code = "DE"', ['local__anna']],
    ['langCode:de-DE', ['local__anna']],
    ['tags:"calm"', ['Clara', 'local__anna']],
    [String.raw`tags : "a \"friend\""`, ['local__anna']],
    ['display_name = "bot 9" ', ['local__b-9']],
    ['display_name = "bot"', []],
    ['display_name:"bot"', ['local__b-10', 'local__b-9']],
    ['description:beeps AND voice_id = local__b-10', ['local__b-10']],
    ['gender = ""', clones],
  ])('is filtered by %s', (filter, found) => {
    expect(ids({ filter })).toEqual(found)
  })

  it.each([
    ['source', 'cannot be parsed from character 1 on'],
    ['source = "SYSTEM', 'cannot be parsed from character 1 on'],
    ['source = "SYSTEM" OR gender = "male"', 'cannot be parsed from character 1 on'],
    ['gender = male AND', 'cannot be parsed from character 1 on'],
    ['gender = male AND NOT source = "IVC"', 'cannot be parsed from character 19 on'],
    ['gender = male AND ', 'cannot be parsed from character 1 on'],
    ['age = "old"', 'age is not a known field; use voice_id'],
    ['constructor = "old"', 'constructor is not a known field'],
    ['tags = "calm"', 'write tags:"calm"'],
  ])('rejects the filter %s', (filter, message) => {
    expect(() => ids({ filter })).toThrow(message)
  })

  it.each([
    ['voice_id', ['Angus', 'Clara', 'Kit', 'local__anna', 'local__b-9', 'local__b-10', 'Ralph']],
    [
      'displayName DESC',
      ['Ralph', 'Kit', 'Clara', 'local__b-10', 'local__b-9', 'local__anna', 'Angus'],
    ],
    [
      ' lang_code , display_name desc',
      ['local__anna', 'Angus', 'Ralph', 'Kit', 'Clara', 'local__b-10', 'local__b-9'],
    ],
  ])('is ordered by %s', (orderBy, found) => {
    const order = ids({ orderBy })
    expect(order).toEqual(found)
    expect(allPages({ orderBy })).toEqual(order)
  })

  it.each(['age', 'voice_id up', 'voice_id,', 'constructor'])('rejects the order %s', (orderBy) => {
    expect(() => ids({ orderBy })).toThrow(/^orderBy: /)
  })
})

describe('pages of voices', () => {
  it('contain every voice exactly once', () => {
    expect(allPages({})).toEqual([...fromLibrary, ...clones])
    expect(allPages({ filter: 'source = IVC' })).toEqual(clones)
  })

  it('report the number of voices on all pages', () => {
    expect(pageOfVoices(voices, { pageSize: 1, languages: 'en' }).totalSize).toBe(6)
  })

  it('end with an empty token, even if the last page is full', () => {
    expect(pageOfVoices(voices, { pageSize: 7 }).nextPageToken).toBe('')
  })

  it.each(['', 'display_name'])(
    'neither skip nor repeat a voice while voices are added (order: "%s")',
    (orderBy) => {
      let count = 0
      const found = allPages({ orderBy }, (present) => {
        if (count++ < 9) present.unshift(makeClonedVoice(`aa-${count}`).voice)
      })
      expect(new Set(found).size).toBe(found.length)
      expect(found).toEqual(expect.arrayContaining([...fromLibrary, ...clones]))
    },
  )

  it('skip no voice while earlier ones are deleted', () => {
    expect(allPages({}, (present) => present.splice(0, 2))).toEqual([...fromLibrary, ...clones])
  })

  it('continue at the same voice with another page size', () => {
    const { nextPageToken: pageToken } = pageOfVoices(voices, { pageSize: 2 })
    expect(ids({ pageToken })).toEqual(['Ralph', 'Kit', ...clones])
  })

  it.each(['x', 'W10', '1-20', Buffer.from('{"a":1}').toString('base64url')])(
    'reject the invalid token %s',
    (pageToken) => expect(() => ids({ pageToken })).toThrow('pageToken: it was not issued'),
  )

  it('reject the token of another list', () => {
    const { nextPageToken: pageToken } = pageOfVoices(voices, { pageSize: 2 })
    expect(() => ids({ pageToken, filter: 'source = IVC' })).toThrow('pageToken: it belongs to')
  })
})
