import { createMp3Meter } from './mp3.ts'
import { recogniseEncoding } from './recognise-encoding.ts'
import {
  clippingWarnings,
  durationWarnings,
  type SampleWarning,
  voiceSampleLimits,
} from './sample-warnings.ts'
import { readWavHeader } from './wav.ts'

/** The file formats from which a voice can be cloned. */
export type SampleFormat = 'WAV' | 'MP3' | 'WEBM'

/** Properties of a recording, read from its bytes. */
export interface SampleFacts {
  /** `undefined` for any other format. */
  format?: SampleFormat
  /** `undefined` if only decoding would show it, as for WEBM. */
  durationSeconds?: number
  /** Share of samples at full scale, 0 to 1. Known only for 16-bit WAV. */
  clippedShare?: number
}

/** Whether a voice can be cloned from a recording. */
export interface SampleCheck extends SampleFacts {
  /** Why the recording cannot be used; continues the sentence "The sample …". */
  problem?: string
  /** Why the voice may turn out worse. */
  warnings: SampleWarning[]
}

/** Checks whether a voice can be cloned from a recording, without decoding it. */
export function checkVoiceSample(audio: Uint8Array): SampleCheck {
  const { maxBytes } = voiceSampleLimits
  if (audio.length === 0) return { problem: 'is empty', warnings: [] }
  if (audio.length > maxBytes) {
    const problem = `has ${audio.length} bytes, the limit is ${maxBytes}; shorten it or use MP3`
    return { problem, warnings: [] }
  }
  const facts = readSampleFacts(audio)
  if (!facts.format) {
    return { problem: 'is not a WAV, MP3 or WEBM file; convert it to one of them', warnings: [] }
  }
  if (facts.durationSeconds === 0) {
    return { ...facts, problem: 'contains no audio after its header', warnings: [] }
  }
  const { durationSeconds = voiceSampleLimits.minSeconds, clippedShare = 0 } = facts
  return {
    ...facts,
    warnings: [...durationWarnings(durationSeconds), ...clippingWarnings(clippedShare)],
  }
}

function readSampleFacts(audio: Uint8Array): SampleFacts {
  const format = readSampleFormat(audio)
  if (format === 'WAV') return { format, ...readWavFacts(audio) }
  if (format === 'MP3') return { format, durationSeconds: mp3Seconds(withoutId3(audio)) }
  return { format }
}

/** Recognises WAV, MP3 (with or without ID3) and WEBM by their first bytes. */
export function readSampleFormat(audio: Uint8Array): SampleFormat | undefined {
  if (startsWith(audio, [0x1a, 0x45, 0xdf, 0xa3])) return 'WEBM'
  const encoding = recogniseEncoding(audio)
  return encoding === 'WAV' || encoding === 'MP3' ? encoding : undefined
}

function readWavFacts(audio: Uint8Array): SampleFacts {
  const header = readWavHeader(audio)
  if (!header) return { durationSeconds: 0 }
  const { dataOffset, dataBytes, bitsPerSample, channels, sampleRateHertz = 0 } = header
  // A header written before the length was known contains 0 or a huge number, so the actual bytes count.
  const samples = audio.subarray(dataOffset, dataBytes === 0 ? undefined : dataOffset + dataBytes)
  if (samples.length === 0) return { durationSeconds: 0 }
  const bitsPerSecond = bitsPerSample * channels * sampleRateHertz
  return {
    durationSeconds: bitsPerSecond === 0 ? undefined : (samples.length * 8) / bitsPerSecond,
    clippedShare: bitsPerSample === 16 ? shareAtFullScale(samples) : undefined,
  }
}

/** @param samples 16-bit little-endian. -32767 counts as full scale, because many tools clip there. */
function shareAtFullScale(samples: Uint8Array): number {
  const count = Math.floor(samples.length / 2)
  let clipped = 0
  for (let at = 0; at < count * 2; at += 2) {
    const low = samples[at]!
    const high = samples[at + 1]!
    if ((high === 0x7f && low === 0xff) || (high === 0x80 && low <= 1)) clipped += 1
  }
  return count === 0 ? 0 : clipped / count
}

function mp3Seconds(bytes: Uint8Array): number {
  const meter = createMp3Meter()
  meter.push(bytes)
  return meter.seconds ?? 0
}

/** Skips the ID3 tag, because an image in it may contain bytes that look like frames. */
function withoutId3(audio: Uint8Array): Uint8Array {
  if (!startsWithId3(audio)) return audio
  const [flags = 0, ...size] = audio.subarray(5, 10)
  const bodyBytes = size.reduce((bytes, seven) => bytes * 128 + (seven & 0x7f), 0)
  const hasFooter = (flags & 0x10) !== 0
  return audio.subarray(10 + bodyBytes + (hasFooter ? 10 : 0))
}

function startsWithId3(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x49, 0x44, 0x33])
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}
