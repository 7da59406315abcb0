import { voiceSampleLimits } from '../wire/voices.ts'
import { createMp3Meter } from './mp3.ts'
import { readWavHeader, startsWithRiff } from './wav.ts'

/** The kinds of file that a voice can be cloned from. */
export type SampleFormat = 'WAV' | 'MP3' | 'WEBM'

/** What the bytes of a recording tell. */
export interface SampleFacts {
  /** What the bytes are; `undefined` when they are none of these. */
  format?: SampleFormat
  /** `undefined` where it would have to be decoded to be known, as for WEBM. */
  durationSeconds?: number
  /** Share of samples at full scale, 0...1; known for 16-bit WAV alone. */
  clippedShare?: number
}

/** Whether a recording can be used to clone from. */
export interface SampleCheck extends SampleFacts {
  /** Why it cannot be used; continues "the sample ...". */
  problem?: string
  /** Why the voice may turn out worse; each continues "the sample ...". */
  warnings: string[]
}

/** Above this, full-scale samples are more than the peaks of a recording that was made as loud as possible. */
const maxClippedShare = 0.001

/** Looks whether a recording is fit to clone a voice from, by its bytes and without decoding it. */
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
    return { ...facts, problem: 'holds no audio behind its header', warnings: [] }
  }
  return { ...facts, warnings: [durationWarning(facts), clippingWarning(facts)].flat() }
}

function durationWarning({ durationSeconds }: SampleFacts): string[] {
  const { minSeconds, maxSeconds } = voiceSampleLimits
  // Rounded first: encoders pad the end by a few hundredths of a second.
  const seconds = durationSeconds === undefined ? minSeconds : Math.round(durationSeconds * 10) / 10
  if (seconds < minSeconds) {
    return [`is ${seconds} s long; ${minSeconds} to ${maxSeconds} s make a better voice`]
  }
  if (seconds > maxSeconds) return [`is ${seconds} s long; only ${maxSeconds} s may be used`]
  return []
}

function clippingWarning({ clippedShare = 0 }: SampleFacts): string[] {
  if (clippedShare <= maxClippedShare) return []
  const percent = (clippedShare * 100).toFixed(1)
  return [`is clipped: ${percent} % of it is at full scale; record it again with less gain`]
}

function readSampleFacts(audio: Uint8Array): SampleFacts {
  const format = readSampleFormat(audio)
  if (format === 'WAV') return { format, ...readWavFacts(audio) }
  if (format === 'MP3') return { format, durationSeconds: mp3Seconds(withoutId3(audio)) }
  return { format }
}

/** Tells WAV, MP3 (with or without ID3) and WEBM apart by their first bytes. */
export function readSampleFormat(audio: Uint8Array): SampleFormat | undefined {
  if (startsWithRiff(audio) && startsWith(audio.subarray(8), [0x57, 0x41, 0x56, 0x45])) return 'WAV'
  if (startsWith(audio, [0x1a, 0x45, 0xdf, 0xa3])) return 'WEBM'
  const isMp3 = startsWithId3(audio) || mp3Seconds(audio.subarray(0, 4)) > 0
  return isMp3 ? 'MP3' : undefined
}

function readWavFacts(audio: Uint8Array): SampleFacts {
  const header = readWavHeader(audio)
  if (!header) return { durationSeconds: 0 }
  const { dataOffset, dataBytes, bitsPerSample, channels, sampleRateHertz = 0 } = header
  // A header written before the length was known says 0 or a huge number: what is there counts.
  const samples = audio.subarray(dataOffset, dataBytes === 0 ? undefined : dataOffset + dataBytes)
  if (samples.length === 0) return { durationSeconds: 0 }
  const bitsPerSecond = bitsPerSample * channels * sampleRateHertz
  return {
    durationSeconds: bitsPerSecond === 0 ? undefined : (samples.length * 8) / bitsPerSecond,
    clippedShare: bitsPerSample === 16 ? shareAtFullScale(samples) : undefined,
  }
}

/** @param samples 16-bit little-endian; -32767 counts as full scale, since many tools clip there. */
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

/** A picture in the tag may hold bytes that look like frames, so the tag is jumped over. */
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
