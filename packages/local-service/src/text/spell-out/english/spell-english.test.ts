import { speechModelIds } from '@parlando/core/wire'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { casesToRun, propertyRuns } from '@parlando/test-support/vitest/property-runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SpokenWord } from '../../../engines/engine.ts'
import { plainText, spellOutForEnglishVoices } from '../../../engines/english-text.ts'
import { limitsOfModel } from '../../../speaking/synthesis-request.ts'
import { cutPhrases, type Phrase } from '../../phrases.ts'
import { englishCases } from './spell-english.test-cases.ts'
import { spellEnglish } from './spell-english.ts'

const testApp = useTestApp()
const allCases = Object.values(englishCases).flat()

const fragments = fc.constantFrom(
  ...['1', '23', '.', ',', ':', '-', '–', '/', '°C', 'kWh', '$', '€', '%', ' ', ' ', 'm', 'am'],
  ...['No.', 'Mon', '½', '@', '+', '1e5', 'T', 'Z', 'v1', '_', 'a', 'II', 'x', '#', '&', "'", '"'],
  ...['(', ')', '000', 'million', 'Nov', 'St.', '₂', 'h', '.5'],
)

/** The fastest voice. All voices read a text the same way. */
const voice = 'kal16'

function spell(text: string) {
  return testApp.flite.engine.spellOut!(text, voice, '')
}

function wordsOf(text: string, spelled = spell(text)): string {
  const spoken = [...spelled].map((word) => word.spoken).join(' ')
  return spoken
    .toLowerCase()
    .replace(/[^a-z0-9']+/g, ' ')
    .trim()
}

async function speakPhrases(phrases: Iterable<Phrase>): Promise<readonly SpokenWord[]> {
  const words: SpokenWord[] = []
  for (const phrase of phrases) {
    await testApp.flite.engine.speakPhrase({
      ...phrase,
      voice,
      modelId: 'svc-tts-2',
      withWords: true,
      signal: new AbortController().signal,
      onSound: (sound) => words.push(...(sound.words ?? [])),
    })
  }
  return words
}

function symbolsOf(words: readonly SpokenWord[]): string {
  return words.flatMap(({ phones = [] }) => phones.map(({ symbol }) => symbol)).join(' ')
}

describe.each(Object.entries(englishCases))('%s', (_kind, cases) => {
  it.each(cases)('%s is spelled out as: %s', (text, words) => {
    expect(wordsOf(text)).toBe(wordsOf(words))
  })

  it.each(casesToRun(cases, 3))(
    '%s gets the same words for voices that know more letters',
    (text) => {
      const { spellOut } = spellOutForEnglishVoices(() => 'EN_US')
      const words = Array.from(spellOut(text, '', ''), (word) => {
        return { ...word, spoken: plainText(word.spoken).replace(/\beigh\b/g, 'ay') }
      })
      expect(wordsOf(text, words)).toBe(wordsOf(text))
    },
  )

  // All texts of a kind are one phrase, since the phones of a phrase take longer to find than to speak.
  // That all models cut at the same words is the last test.
  it('sounds the same from each model, wherever it cuts', async () => {
    const some = casesToRun(cases, 10)
    const whole = `${some.map(([, words]) => words).join('. ')}.`
    const expected = symbolsOf(await speakPhrases([{ text: whole, pauseSeconds: 0 }]))
    const texts = `${some.map(([text]) => text).join('. ')}.`
    for (const modelId of casesToRun(speechModelIds, 1)) {
      const cut = [...cutPhrases(texts, limitsOfModel[modelId], spell)]
      expect(symbolsOf(await speakPhrases(cut)), modelId).toBe(expected)
    }
  })
})

it('words in capital letters are words if the text has no small letters', () => {
  expect(wordsOf('STOP IT NOW')).toBe('stop it now')
})

it('a British date has its day first', () => {
  const spoken = (dayFirst: boolean) => [...spellEnglish('5/4/2026', { dayFirst })][0]?.spoken
  expect(spoken(true)).toBe('the fifth of April twenty twenty six')
  expect(spoken(false)).toBe('May fourth twenty twenty six')
})

it('no digit is left for the voice to read', () => {
  for (const [text] of allCases) expect(wordsOf(text)).not.toMatch(/\d/)
})

it('the words of a text keep their times and their spelling when they are spelled out', async () => {
  const text = 'At 19:00 it is 21.5 °C, costs 5 € and uses 3kWh.'
  const words = await speakPhrases(cutPhrases(text, limitsOfModel['svc-tts-2-flash'], spell))
  expect(words.map((word) => word.text).join(' ')).toBe(text.replace(' €', ''))
  for (const { startSeconds, endSeconds } of words) expect(endSeconds).toBeGreaterThan(startSeconds)
})

it('spellEnglish keeps every word in its place, for any text', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fragments, fc.string())), (parts) => {
      const text = parts.join('')
      const written = [...spellEnglish(text, { dayFirst: false })].map((word) => word.written)
      expect(written).toEqual(text.split(/\s+/).filter((word) => word !== ''))
    }),
    { numRuns: propertyRuns(500) },
  )
})

it('no model cuts a text so that a word is spoken differently', () => {
  const joined = allCases.map(([text]) => text).join('. ')
  const sentences = allCases.flatMap(([text]) => [...spell(`${text}.`)])
  for (const modelId of speechModelIds) {
    const phrases = [...cutPhrases(joined, limitsOfModel[modelId], spell)]
    const words = phrases.flatMap((phrase) => phrase.words ?? [])
    expect(words.map(({ spoken }) => spoken.replace(/[.,]+$/, ''))).toEqual(
      sentences.map(({ spoken }) => spoken.replace(/[.,]+$/, '')),
    )
  }
})
