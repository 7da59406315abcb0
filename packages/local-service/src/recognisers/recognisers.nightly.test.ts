import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../errors/engine-error.ts'
import { findCases, type RecogniserCase } from '../part-registry/part-test-case.ts'
import {
  maxUtteranceSeconds,
  type RecognisedUtterance,
  type Recogniser,
  type RecogniserDefinition,
  type RecogniserModel,
  type RecognitionRequest,
  recogniserRateHertz,
} from './recogniser.ts'
import { recogniserDefinitions } from './recogniser-registry.ts'

const cases = findCases<RecogniserCase>(import.meta.dirname)
const withCase = recogniserDefinitions.filter(({ name }) => cases.has(name))
const { signal } = new AbortController()

for (const definition of withCase) {
  const options = definition.name === 'pocketsphinx' ? needsRecogniser() : {}
  describe(`recogniser ${definition.name}`, options, () => testContract(definition))
}

/** The contract of every recogniser that has a case. */
function testContract({ name, start }: RecogniserDefinition): void {
  let recogniser: Recogniser
  let model: RecogniserModel
  let closeCase: (() => Promise<void>) | undefined
  let speech: Int16Array
  let word: RegExp
  beforeAll(async () => {
    const { close, utterance, ...context } = await cases.start(name)
    closeCase = close
    speech = utterance?.samples ?? (await spokenSound('good morning'))
    word = utterance?.text ?? /morning/i
    const warn = (message: string) => {
      throw new Error(message)
    }
    recogniser = (await start({ options: {}, warn, ...context }))!
    model = recogniser.models[0]!
  })
  afterAll(async () => {
    await recogniser.close()
    await closeCase?.()
  })

  const recognise = async (
    samples: Int16Array,
    options: Partial<RecognitionRequest> = {},
  ): Promise<RecognisedUtterance> => {
    const request = { modelId: model.modelId, withWords: true, signal, ...options }
    const recognition = await recogniser.open(request)
    for (let from = 0; from < samples.length; from += 1600) {
      await recognition.write(samples.subarray(from, from + 1600))
    }
    return recognition.end()
  }

  it('has its name, and models that begin with it', () => {
    expect(recogniser.name).toBe(name)
    expect(model.modelId).toMatch(new RegExp(`^${name}/`))
  })

  it('recognises speech, with words in order within the utterance, and with the text so far if its model has interim results', async () => {
    const interim: string[] = []
    const options = { onInterim: (soFar: string) => interim.push(soFar) }
    const { text, words, confidence } = await recognise(speech, options)
    expect(text).toMatch(word)
    expect(interim.length > 0).toBe(model.hasInterimResults)
    expect(new Set(interim).size).toBe(interim.length)
    if (confidence !== undefined) {
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThanOrEqual(1.001)
    }
    if (!model.timesWords) return
    expect(words?.map((each) => each.text).join(' ')).toMatch(word)
    let last = 0
    for (const { startSeconds, endSeconds } of words ?? []) {
      expect(startSeconds).toBeGreaterThanOrEqual(last)
      expect(endSeconds).toBeGreaterThan(startSeconds)
      last = endSeconds - 0.02
    }
    expect(last).toBeLessThan(speech.length / recogniserRateHertz)
  })

  it('recognises concurrent utterances', async () => {
    const texts = await Promise.all([1, 2].map(async () => (await recognise(speech)).text))
    for (const text of texts) expect(text).toMatch(word)
  })

  it('reports no text for silence, and for an utterance without samples', async () => {
    expect((await recognise(new Int16Array(recogniserRateHertz))).text).toBe('')
    expect((await recognise(new Int16Array())).text).toBe('')
  })

  it('rejects with the reason of an abort, and recognises the next utterance', async () => {
    const abort = new AbortController()
    const reason = new Error('the caller disconnected')
    const request = { modelId: model.modelId, withWords: false, signal: abort.signal }
    const recognition = await recogniser.open(request)
    await recognition.write(speech)
    abort.abort(reason)
    await expect(recognition.write(speech)).rejects.toBe(reason)
    await expect(recognition.end()).rejects.toBe(reason)
    await expect(recogniser.open(request)).rejects.toBe(reason)
    expect((await recognise(speech)).text).toMatch(word)
  })

  it('rejects an utterance without end', async () => {
    const recognition = await recogniser.open({ modelId: model.modelId, withWords: false, signal })
    await recognition.write(new Int16Array(recogniserRateHertz))
    const endless = new Int16Array(3 * maxUtteranceSeconds * recogniserRateHertz)
    await expect(recognition.write(endless)).rejects.toBeInstanceOf(EngineError)
    await recognition.end().catch(() => {})
  })
}
