import { joinSamples } from '../../dsp/signal.ts'
import { createEqualiser } from './equaliser.ts'
import { createReshaper } from './reshaper.ts'
import type { ImprintSettings } from './settings.ts'

/** Gives one phrase of an engine's voice another sound, while it is made. */
export interface Imprint {
  push(samples: Float32Array): Float32Array
  end(): Float32Array
}

export function createImprint(settings: ImprintSettings, sampleRateHertz: number): Imprint {
  const reshaper = createReshaper(settings, sampleRateHertz)
  if (!settings.equaliser) return reshaper
  const equaliser = createEqualiser(settings.equaliser)
  return {
    push: (samples) => equaliser.push(reshaper.push(samples)),
    end: () => joinSamples([equaliser.push(reshaper.end()), equaliser.end()]),
  }
}
