import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FliteModule, type OpenFliteModule, openFliteModule } from './flite-module.ts'
import { type FliteSpeech, runFliteProgram } from './run-flite.ts'

let flite: OpenFliteModule
beforeAll(async () => {
  flite = await openFliteModule()
})
afterAll(() => flite.close())

const voices = ['slt', 'rms', 'awb', 'kal16']

/** Runs Flite on this thread for one phrase with each voice. */
async function speak(module: FliteModule, voices: readonly string[]): Promise<Float32Array[]> {
  const speeches: FliteSpeech[] = []
  const waiting = [...voices]
  const end = new Error('No more phrases')
  const running = runFliteProgram({
    module,
    nextPhrase() {
      const voice = waiting.shift()
      if (voice === undefined) throw end
      return { voice, text: 'It is 21 degrees, and the door is open', withTokens: false }
    },
    onSpeech: (speech) => speeches.push(speech),
  })
  await running.catch((error) => {
    if (error !== end) throw error
  })
  return speeches.map(({ samples }) => samples)
}

describe('a voice of Flite', () => {
  it('sounds the same before and after other voices', async () => {
    const [first, second] = [voices, voices.toReversed()]
    const samples = await speak(flite.module, [...first, ...second])
    expect(samples.slice(4).toReversed()).toEqual(samples.slice(0, 4))
    expect(new Set(samples.map(({ length }) => length)).size).toBe(4)
  })

  it('sounds the same with only its own data in memory as with all data', async () => {
    expect(flite.module.data.some(({ voice }) => voice)).toBe(true)
    const data = flite.module.data.map(({ voice: _, ...range }) => range)
    const withAllData = await speak({ ...flite.module, data }, voices)
    for (const [index, voice] of voices.entries()) {
      expect(await speak(flite.module, [voice])).toEqual([withAllData[index]])
    }
  })

  it('must exist', async () => {
    const running = speak(flite.module, ['unknown'])
    await expect(running).rejects.toThrow('Flite has no voice unknown')
  })
})
