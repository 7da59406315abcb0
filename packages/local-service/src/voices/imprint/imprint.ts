import { setImmediate } from 'node:timers/promises'
import { joinSamples } from '../../audio/signal.ts'
import { mapTimes, type PhraseSound } from '../../engines/engine.ts'
import { createEqualiser } from './equaliser.ts'
import type { ImprintSettings } from './imprint-settings.ts'
import { Reshaper } from './reshaper.ts'

/** Changes the sound of one phrase of an engine's voice, piece by piece. */
export interface Imprint {
  push(samples: Float32Array): Float32Array
  end(): Float32Array
}

export function createImprint(settings: ImprintSettings, sampleRateHertz: number): Imprint {
  const reshaper = new Reshaper(settings, sampleRateHertz)
  if (!settings.equaliser) return reshaper
  const equaliser = createEqualiser(settings.equaliser)
  return {
    push: (samples) => equaliser.push(reshaper.push(samples)),
    end: () => joinSamples([equaliser.push(reshaper.end()), equaliser.end()]),
  }
}

export interface ApplyImprintOptions {
  settings: ImprintSettings
  sampleRateHertz: number
  /** Whether a listener is still waiting for the first sound. */
  isFirst: boolean
}

// An imprint takes about 3 ms of CPU per second of audio. Between slices, the event loop serves other requests.
const firstSliceSeconds = 0.1
const sliceSeconds = 0.25

/** Applies an imprint to the audio of one phrase, slice by slice, and adjusts the times of its words. */
export async function* applyImprint(
  sounds: AsyncIterable<PhraseSound>,
  { settings, sampleRateHertz, isFirst }: ApplyImprintOptions,
): AsyncGenerator<PhraseSound, void> {
  const imprint = createImprint(settings, sampleRateHertz)
  let seconds = isFirst ? firstSliceSeconds : sliceSeconds
  for await (const { samples, words } of sounds) {
    if (words) {
      const moved = words.map((word) => mapTimes(word, (seconds) => seconds * settings.timeFactor))
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
