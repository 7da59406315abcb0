import { recogniserRateHertz } from '../recognisers/recogniser.ts'

export const samplesPerMs = recogniserRateHertz / 1000
/** The voice detectors judge this much sound at a time. */
export const frameMs = 20
export const frameSamples = frameMs * samplesPerMs
/** Each half of a frame has a result of its own. */
export const stepMs = 10
