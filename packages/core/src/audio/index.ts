/** Pure functions on the bytes of audio. */
export { type AudioEncoding, audioEncodings } from '../wire/audio-encodings.ts'
export { completeFile, createAudioJoiner } from './audio-joiner.ts'
export { createDurationMeter } from './duration.ts'
export { chooseFormat, type EncodingFacts, encodings, fitSampleRateHertz } from './encodings.ts'
export { FlacCutter } from './flac-cutter.ts'
export type { AudioJoiner, DurationMeter, FileJoiner } from './incremental.ts'
export { type AudioChapter, addMp3Chapters } from './mp3-chapters.ts'
export { oggChecksum } from './ogg.ts'
export { recogniseEncoding } from './recognise-encoding.ts'
export {
  type RecordingFormat,
  readRecordingFormat,
  recordingLimits,
  recordingProblem,
} from './recording.ts'
export {
  checkChannels,
  checkSampleRate,
  createRecordingCheck,
  type RecordingCheck,
} from './recording-check.ts'
export { RecordingError, type RecordingProblem } from './recording-error.ts'
export {
  clippingWarnings,
  durationWarnings,
  noiseWarning,
  type SampleWarning,
  type SampleWarningCode,
  trimmedWarning,
  voiceSampleLimits,
} from './sample-warnings.ts'
export {
  checkVoiceSample,
  readSampleFormat,
  type SampleCheck,
  type SampleFormat,
} from './voice-sample.ts'
export {
  readWavHeader,
  startsWithRiff,
  type WavHeader,
  writeWavHeader,
} from './wav.ts'
export { wholeSamples } from './whole-samples.ts'
