import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import {
  createTestApp,
  speechRequest,
  useTestApp,
} from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'

const testApp = useTestApp()

interface Phone {
  phoneSymbol: string
  startTimeSeconds: number
  durationSeconds: number
  visemeSymbol: string
}

interface Result {
  audioContent: string
  usage: { processedCharactersCount: number }
  timestampInfo?: {
    wordAlignment: {
      words: string[]
      wordStartTimeSeconds: number[]
      wordEndTimeSeconds: number[]
      phoneticDetails: { wordIndex: number; phones: Phone[] }[]
    }
  }
}

const pcm = { audioEncoding: 'PCM', sampleRateHertz: 16000 }
const text =
  'The laundry is done at 10:30, and "everything" is dry. <break time="1s"/> Good night, Dr. Jones!'
const written = text.replace(/<.*> /, '').split(' ')
const body = { ...speechRequest, text, audioConfig: pcm, timestampType: 'WORD' }

async function whole(fields: object = {}): Promise<Result> {
  const response = await testApp.post('/tts/v1/voice', { ...body, ...fields })
  expect(response.status).toBe(200)
  return (await response.json()) as Result
}

async function streamed(fields: object = {}): Promise<Result[]> {
  const response = await testApp.post('/tts/v1/voice:stream', { ...body, ...fields })
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line).result)
}

const alignmentOf = (result: Result) => result.timestampInfo!.wordAlignment
const secondsOf = ({ audioContent }: Result) =>
  Buffer.from(audioContent, 'base64').length / 2 / pcm.sampleRateHertz

describe('the times of words', () => {
  it.each(['/tts/v1/voice', '/tts/v1/voice:stream'])(
    'are absent, with a warning, if the voice does not report them: %s',
    async (path) => {
      const { engine, scheduler } = createFakeEngine()
      const failures: unknown[] = []
      const app = createTestApp({ engine: { ...engine, timesWords: false }, scheduler }, (error) =>
        failures.push(error),
      )
      const response = await app.request(path, { method: 'POST', body: JSON.stringify(body) })
      expect(response.status).toBe(200)
      expect(JSON.parse(response.headers.get('x-parlando-warnings') ?? '')).toEqual([
        { code: 'no-word-times', message: expect.stringContaining('voice Clara') },
      ])
      const spoken = await response.text()
      expect(spoken).toContain('audioContent')
      expect(spoken).not.toContain('timestampInfo')
      expect(failures).toEqual([])
    },
  )

  it.each(['svc-tts-2', 'svc-tts-2-flash'])(
    'list every word of every phrase in order: %s',
    async (modelId) => {
      const result = await whole({ modelId })
      const { words, wordStartTimeSeconds, wordEndTimeSeconds } = alignmentOf(result)
      expect(words).toEqual(written)
      for (const [index, start] of wordStartTimeSeconds.entries()) {
        expect(start).toBeGreaterThanOrEqual(wordEndTimeSeconds[index - 1] ?? 0)
        expect(wordEndTimeSeconds[index]).toBeGreaterThan(start)
      }
      expect(wordEndTimeSeconds.at(-1)).toBeLessThan(secondsOf(result))
    },
  )

  it.each([0.5, 1, 1.5])(
    'contain the phones and visemes of each word at a speaking rate of %d',
    async (speakingRate) => {
      const result = await whole({ audioConfig: { ...pcm, speakingRate } })
      const { words, wordStartTimeSeconds, wordEndTimeSeconds, phoneticDetails } =
        alignmentOf(result)
      expect(phoneticDetails.map(({ wordIndex }) => wordIndex)).toEqual([...words.keys()])
      expect(phoneticDetails[0]!.phones).toMatchObject([
        { phoneSymbol: 'ð', visemeSymbol: 'th' },
        { phoneSymbol: 'ə', visemeSymbol: 'aei' },
      ])
      for (const { wordIndex, phones } of phoneticDetails) {
        const [first, last] = [phones[0]!, phones.at(-1)!]
        expect(first.startTimeSeconds).toBe(wordStartTimeSeconds[wordIndex])
        const end = last.startTimeSeconds + last.durationSeconds
        expect(end).toBeCloseTo(wordEndTimeSeconds[wordIndex]!, 6)
      }
    },
  )

  it('leave room for a break, during which the audio is silent', async () => {
    const result = await whole()
    const { words, wordStartTimeSeconds, wordEndTimeSeconds } = alignmentOf(result)
    const last = wordEndTimeSeconds[words.indexOf('dry.')]!
    const next = wordStartTimeSeconds[words.indexOf('Good')]!
    expect(next - last).toBeGreaterThan(0.95)
    expect(next - last).toBeLessThan(1.25)
    const audio = Buffer.from(result.audioContent, 'base64')
    const middle = Math.round(((last + next) / 2) * pcm.sampleRateHertz)
    for (let at = middle - 4000; at < middle + 4000; at++) {
      expect(Math.abs(audio.readInt16LE(at * 2))).toBeLessThan(200)
    }
  })

  it.each([0.5, 1.5])(
    'follow a speaking rate of %d, which does not change a break',
    async (rate) => {
      const plain = alignmentOf(await whole())
      const result = await whole({ audioConfig: { ...pcm, speakingRate: rate } })
      const { words, wordStartTimeSeconds, wordEndTimeSeconds } = alignmentOf(result)
      expect(words).toEqual(written)
      expect(wordEndTimeSeconds.at(-1)).toBeLessThan(secondsOf(result))
      const dry = words.indexOf('dry.')
      const rateOfPart = plain.wordEndTimeSeconds[dry]! / wordEndTimeSeconds[dry]!
      expect(rateOfPart / rate).toBeGreaterThan(0.9)
      expect(rateOfPart / rate).toBeLessThan(1.1)
      const gap = wordStartTimeSeconds[dry + 1]! - wordEndTimeSeconds[dry]!
      expect(gap).toBeGreaterThan(0.9)
      expect(gap).toBeLessThan(1.4)
    },
  )

  it('arrive in a stream with the audio in which the words begin', async () => {
    let seconds = 0
    const streamedWords: string[] = []
    for (const result of await streamed()) {
      const before = seconds
      seconds += secondsOf(result)
      const { words, wordStartTimeSeconds } = alignmentOf(result)
      streamedWords.push(...words)
      for (const start of wordStartTimeSeconds) {
        expect(start).toBeGreaterThanOrEqual(before)
        expect(start).toBeLessThan(seconds)
      }
    }
    expect(streamedWords).toEqual(written)
  })

  it('are the same if the request asks for them after all audio', async () => {
    const results = await streamed({ timestampTransportStrategy: 'ASYNC' })
    const firstLate = results.findIndex(({ audioContent }) => audioContent === '')
    const wordsOf = (list: Result[]) => list.flatMap((result) => alignmentOf(result).words)
    expect(wordsOf(results.slice(0, firstLate))).toEqual([])
    expect(results.slice(firstLate).every(({ audioContent }) => audioContent === '')).toBe(true)
    expect(wordsOf(results)).toEqual(written)
    const starts = results.flatMap((result) => alignmentOf(result).wordStartTimeSeconds)
    expect(starts).toEqual(alignmentOf(await whole()).wordStartTimeSeconds)
  })

  it('are absent unless requested, and do not change the audio', async () => {
    const plain = await whole({ timestampType: undefined })
    expect(plain).not.toHaveProperty('timestampInfo')
    expect(plain.audioContent).toBe((await whole()).audioContent)
  })
})

describe('usage', () => {
  it('counts all characters of the text including markup, with the total on every line', async () => {
    const counts = (await streamed()).map(({ usage }) => usage.processedCharactersCount)
    expect(new Set(counts)).toEqual(new Set([text.length]))
    expect((await whole()).usage.processedCharactersCount).toBe(text.length)
  })
})
