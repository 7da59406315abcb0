import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { afterAll, describe, expect, it } from 'vitest'
import type { RecognisedUtterance, RecognitionRequest } from '../recogniser.ts'
import { createPocketsphinxRecogniser } from './pocketsphinx-recogniser.ts'

const { signal } = new AbortController()

describe('pocketsphinx', needsRecogniser(), () => {
  const warnings: string[] = []
  const recogniser = createPocketsphinxRecogniser({ warn: (message) => warnings.push(message) })
  afterAll(() => recogniser.close())

  const recognise = async (
    samples: Int16Array,
    options: Partial<RecognitionRequest> = {},
  ): Promise<RecognisedUtterance> => {
    const request = { modelId: 'pocketsphinx/en-us', withWords: true, signal, ...options }
    const recognition = await recogniser.open(request)
    await recognition.write(samples)
    return recognition.end()
  }

  const sentences = [
    'Turn on the kitchen light!',
    'turn off the kitchen light',
    'Set the heating to 21 degrees.',
    'good night',
  ]

  it.each([
    ['turn off the kitchen light', 'turn off the kitchen light'],
    ['set the heating to twenty one degrees', 'Set the heating to 21 degrees.'],
  ])('matches "%s" with one of the sentences, as the caller wrote it', async (text, sentence) => {
    const { sentenceMatch, words } = await recognise(await spokenSound(text), { sentences })
    expect(sentenceMatch).toEqual({ sentence, nearest: [] })
    expect(words?.map((word) => word.text).join(' ')).toBe(text)
  })

  it('does not match another sentence, and names the two nearest', async () => {
    const spoken = await spokenSound('my mother called this morning')
    const { text, sentenceMatch } = await recognise(spoken, { sentences })
    expect(text).toMatch(/mother/)
    expect(sentenceMatch).toMatchObject({ sentence: null, reason: 'different' })
    expect(sentenceMatch?.nearest).toHaveLength(2)
    for (const nearest of sentenceMatch!.nearest) expect(sentences).toContain(nearest)
  })

  it('reports noise that covers the words', async () => {
    const spoken = await spokenSound('turn off the kitchen light')
    let state = 1
    const noisy = spoken.map((sample) => {
      state = (state * 48_271) % 2_147_483_647
      return sample / 4 + 12_000 * ((2 * state) / 2_147_483_647 - 1)
    })
    const { sentenceMatch } = await recognise(noisy, { sentences })
    expect(sentenceMatch).toMatchObject({ sentence: null, reason: 'noise' })
  })

  it.each([
    ['any words', {}],
    ['any words with interim results', { isUrgent: true, onInterim() {} }],
    ['one of the sentences', { sentences }],
  ])('recognises %s the same after other utterances', async (_name, options) => {
    const spoken = await spokenSound('turn off the light', 'kal')
    const quiet = (await spokenSound('good morning')).map((sample) => sample / 50)
    const first = await recognise(spoken, options)
    await recognise(quiet, options)
    expect(await recognise(spoken, options)).toEqual(first)
  })

  it('names the words that its dictionary does not contain, and recognises the next utterance', async () => {
    const unknown = { sentences: ['open the blorptang', 'feed Quixzotl'] }
    await expect(recognise(new Int16Array(1600), unknown)).rejects.toMatchObject({
      kind: 'input',
      message: expect.stringMatching(/^sentences: .*: blorptang, quixzotl\. Replace/),
    })
    expect((await recognise(await spokenSound('good night'), { sentences })).text).toBe(
      'good night',
    )
  })

  it('fails if its process is killed during an utterance, and recognises the next one', async () => {
    const recognition = await recogniser.open({
      modelId: 'pocketsphinx/en-us',
      withWords: false,
      signal,
    })
    await recognition.write(new Int16Array(16_000))
    for (const child of runningChildProcesses()) child.kill('SIGKILL')
    await expect(recognition.end()).rejects.toMatchObject({ kind: 'unavailable' })
    expect((await recognise(await spokenSound('good morning'))).text).toBe('good morning')
    expect(warnings).toEqual(['pocketsphinx failed during an utterance: its process ended'])
  })
})

it('has no model until pocketsphinx is installed', () => {
  const installed = { library: 'a', baseLibrary: 'b', model: 'c' }
  let files: typeof installed | undefined
  const recogniser = createPocketsphinxRecogniser({ find: () => files, warn: () => {} })
  expect(recogniser.models).toEqual([])
  files = installed
  expect(recogniser.models).toMatchObject([{ modelId: 'pocketsphinx/en-us' }])
})
