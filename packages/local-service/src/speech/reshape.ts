import { setImmediate } from 'node:timers/promises'
import type { Sound } from '../engines/engine.ts'
import { createImprint } from '../voices/imprint/imprint.ts'
import type { ImprintSettings } from '../voices/imprint/settings.ts'

export interface ReshapeOptions {
  settings: ImprintSettings
  sampleRateHertz: number
  /** Whether a listener is still waiting for the first sound. */
  isFirst: boolean
}

// An imprint takes up to 10 ms per second of sound, and others wait meanwhile: so it is made in slices.
const firstSliceSeconds = 0.1
const sliceSeconds = 0.25

/** Gives the sound of one phrase an imprint, slice by slice; the times of its words follow. */
export async function* reshape(
  sounds: AsyncIterable<Sound>,
  { settings, sampleRateHertz, isFirst }: ReshapeOptions,
): AsyncGenerator<Sound, void> {
  const imprint = createImprint(settings, sampleRateHertz)
  let seconds = isFirst ? firstSliceSeconds : sliceSeconds
  for await (const { samples, words } of sounds) {
    if (words) {
      const moved = words.map(({ text, startSeconds, endSeconds }) => ({
        text,
        startSeconds: startSeconds * settings.timeFactor,
        endSeconds: endSeconds * settings.timeFactor,
      }))
      yield { samples: new Float32Array(), words: moved }
    }
    for (let start = 0; start < samples.length; ) {
      const end = start + Math.round(seconds * sampleRateHertz)
      yield { samples: imprint.push(samples.subarray(start, end)) }
      start = end
      seconds = sliceSeconds
      await setImmediate()
    }
  }
  yield { samples: imprint.end() }
}
