/** The voice detectors judge sound of this rate. */
export const detectorRateHertz = 16_000
export const samplesPerMs = detectorRateHertz / 1000
/** The voice detectors judge this much sound at a time. */
export const frameMs = 20
export const frameSamples = frameMs * samplesPerMs
/** Each half of a frame has a result of its own. */
export const stepMs = 10
