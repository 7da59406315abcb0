/** Pure functions on bytes of audio. */
export { type AudioJoiner, createAudioJoiner } from './audio-joiner.ts'
export { createDurationMeter, type DurationMeter } from './duration.ts'
export {
  chooseFormat,
  type EncodingFacts,
  encodings,
  fitSampleRateHertz,
  isPcm16,
} from './encodings.ts'
export { voiceSampleLimits } from './sample-limits.ts'
export {
  clippingWarnings,
  durationWarnings,
  noiseWarning,
  type SampleWarning,
  type SampleWarningCode,
  trimmedWarning,
} from './sample-warnings.ts'
export {
  checkVoiceSample,
  readSampleFormat,
  type SampleCheck,
  type SampleFacts,
  type SampleFormat,
} from './voice-sample.ts'
export {
  correctWavLength,
  readWavHeader,
  startsWithRiff,
  unknownDataBytes,
  type WavHeader,
  writeWavHeader,
} from './wav.ts'
