import { type Client, createClient, InputError } from '@parlando/core'
import { PronouncedText, Pronunciations, pronounce } from '@parlando/core/text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeWebVtt } from '../../../packages/node-red-nodes/src/captions/subtitles.ts'
import { readServicePronunciations } from '../../../packages/node-red-nodes/src/nodes/service/service-pronunciations.ts'
import { fuzz } from '../cases.ts'
import { anyJson, mutated } from '../inputs/json.ts'

const oddTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\ud83d\ude00',
  '\u0301',
  '\r\n\n',
  '-->',
  '<b>',
  '&amp;',
  '∞',
]
const text = fc.oneof(
  fc.constantFrom('Nguyen', 'New York', 'IT', 'won', "'t", '50', '.5', '小米', ' ', '. ', '/', '['),
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const longText = fc.array(text, { maxLength: 30 }).map((parts) => parts.join(''))

describe('a list of words', () => {
  const entry = fc.record({ word: text, sayAs: text })
  const good = [{ word: 'Nguyen', sayAs: 'win' }]

  it('changes a text in the same way however it arrives', async () => {
    const given = fc.tuple(fc.array(entry, { maxLength: 8 }), longText, fc.array(fc.nat(80)))
    await fuzz(given, async ([entries, whole, cuts]) => {
      // The client rejects an entry without a word.
      const list = new Pronunciations(entries.filter(({ word }) => word.trim() !== ''))
      const places = [0, ...cuts.filter((cut) => cut < whole.length), whole.length].sort(
        (one, other) => one - other,
      )
      const pronounced = new PronouncedText(list)
      const pieces = places
        .slice(1)
        .map((end, index) => pronounced.push(whole.slice(places[index], end)))
      expect(pieces.join('') + pronounced.end()).toBe(pronounce(list, whole))
    })
  })

  it('of any form is rejected by the client with a reason, and read by the form of a service', async () => {
    const list = fc.oneof(mutated(good, 1), fc.array(entry), anyJson)
    await fuzz(list, async (pronunciations) => {
      const { entries } = readServicePronunciations(pronunciations, true)
      const clients: Client[] = [create(entries)]
      try {
        clients.push(create(pronunciations))
      } catch (error) {
        expect(error).toBeInstanceOf(InputError)
        expect((error as Error).message).toMatch(/^.{5,2000}$/su)
      }
      await Promise.all(clients.map((client) => client.close()))
    })
  })

  function create(pronunciations: unknown): Client {
    return createClient({
      baseUrl: 'http://127.0.0.1:9',
      pronunciations: pronunciations as typeof good,
    })
  }
})

describe('captions', () => {
  const seconds = fc.oneof(
    fc.double({ min: 0, max: 100, noNaN: true }),
    fc.constantFrom(0, 359_999.9996, 1e9),
  )
  const word = fc.record({ text, startSeconds: seconds, endSeconds: seconds })
  const block = /^(\d\d+:\d\d:\d\d\.\d{3}) --> (\d\d+:\d\d:\d\d\.\d{3})\n[^\n<>]+(\n[^\n<>]+)?$/

  it('of any words are blocks of a time and one or two lines', async () => {
    await fuzz(fc.array(word, { maxLength: 30 }), async (words) => {
      const [head, ...blocks] = writeWebVtt(words).trimEnd().split('\n\n')
      expect(head).toBe('WEBVTT')
      for (const each of blocks) {
        expect(each).toMatch(block)
        expect(each.split('\n').slice(1).join()).not.toContain('-->')
      }
    })
  })
})
