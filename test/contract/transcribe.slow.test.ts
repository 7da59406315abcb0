import { type Client, createClient } from '@parlando/core'
import { type ChildService, startLocalServiceProcess } from '@parlando/local-service/process'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { keys } from '@parlando/test-support/secrets/keys'
import { failureOf } from '@parlando/test-support/servers/client-failure'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const apiKey = keys.service
const sentence = 'The coffee is ready.'
/** The decoders have tests of their own. */
const formats = casesToRun(['WAV', 'MP3', 'FLAC', 'OGG_OPUS'] as const, 1)

describe('client.transcribe with the local service', needsRecogniser(), () => {
  let service: ChildService
  let client: Client
  beforeAll(async () => {
    service = await startLocalServiceProcess({ apiKey, warmUp: false })
    client = createClient({ baseUrl: service.baseUrl, apiKey })
  })
  afterAll(async () => {
    await client.close()
    await service.close()
  })

  const speak = async (
    text: string,
    audioEncoding: 'WAV' | 'MP3' | 'FLAC' | 'OGG_OPUS' = 'WAV',
  ) => {
    const audioConfig = { audioEncoding, sampleRateHertz: 24_000 } as const
    const speech = { text, voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig }
    return (await client.synthesize(speech)).audio
  }

  it.each(formats)('understands %s', async (encoding) => {
    const transcription = await client.transcribe({ audio: await speak(sentence, encoding) })
    expect(transcription.text).toBe('the coffee is ready')
    expect(transcription).not.toHaveProperty('words')
    expect(transcription).not.toHaveProperty('sentenceMatch')
    expect(transcription.requestId).toMatch(/./)
  })

  it('returns the times of the words, the duration and the model', async () => {
    const audio = await speak('Good morning everyone. The coffee is ready and the door is open.')
    const durationSeconds = (audio.length - 44) / 2 / 24_000
    const transcription = await client.transcribe({
      audio,
      language: 'en-US',
      wordTimestamps: true,
    })
    const { words = [], usage } = transcription
    expect(words.map(({ text }) => text).join(' ')).toBe(transcription.text)
    let endsAt = 0
    for (const { startSeconds, endSeconds } of words) {
      expect(startSeconds).toBeGreaterThanOrEqual(endsAt)
      expect(endSeconds).toBeGreaterThan(startSeconds)
      endsAt = endSeconds
    }
    expect(endsAt).toBeLessThanOrEqual(durationSeconds)
    const coffee = words.find(({ text }) => text === 'coffee')!
    expect(coffee.startSeconds / durationSeconds).toBeGreaterThan(0.3)
    expect(coffee.endSeconds / durationSeconds).toBeLessThan(0.7)
    expect(transcription).toMatchObject({ language: 'en-US', modelId: 'pocketsphinx/en-us' })
    expect(transcription.durationSeconds).toBeCloseTo(durationSeconds, 1)
    expect(usage?.transcribedAudioMs).toBeCloseTo(1000 * transcription.durationSeconds!, 0)
  })

  it('transcribes a recording that arrives in pieces', async () => {
    const audio = await speak(sentence, 'MP3')
    async function* pieces() {
      for (let at = 0; at < audio.length; at += 1000) yield audio.subarray(at, at + 1000)
    }
    const { text } = await client.transcribe({ audio: pieces() })
    expect(text).toBe('the coffee is ready')
  })

  describe('with sentences', () => {
    const sentences = ['turn the lights on', 'turn the lights off', 'close the garden door']

    it('returns the one that was said', async () => {
      const audio = await speak('Close the garden door.')
      const { text, sentenceMatch } = await client.transcribe({ audio, sentences })
      expect(text).toBe('close the garden door')
      expect(sentenceMatch).toMatchObject({ sentence: 'close the garden door' })
    })

    it('returns none for another sentence, and the two nearest', async () => {
      const audio = await speak('My uncle has bought eleven yellow bicycles in Paris.')
      const { sentenceMatch } = await client.transcribe({ audio, sentences })
      expect(sentenceMatch).toMatchObject({ sentence: null, reason: 'different' })
      expect(sentenceMatch!.nearest.length).toBeLessThanOrEqual(2)
      expect(sentences).toEqual(expect.arrayContaining([...sentenceMatch!.nearest]))
    })
  })

  it('rejects a model that does not exist, and names how to find the models', async () => {
    const audio = await speak('Hello.')
    const error = await failureOf(client.transcribe({ audio, modelId: 'sherpa/nothing' }))
    expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(String(error)).toContain('sherpa/nothing')
  })
})
