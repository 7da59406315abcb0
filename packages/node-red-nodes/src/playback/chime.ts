import type { SoundFormat } from '../sounds/sound.ts'
// The file contains base64: MP3 at 44.1 kHz, mono, 128 kbit/s. chime.test.ts writes it.
import mp3Frames from './chime-mp3.json' with { type: 'json' }

interface Tone {
  hertz: number
  startSeconds: number
  seconds: number
}

export const chimeNames = ['doorbell', 'rising', 'gong'] as const
export type ChimeName = (typeof chimeNames)[number]
/** The chimes, and the tone after a question, which no form offers. */
export type ToneName = ChimeName | 'listening'
export const defaultChime: ChimeName = 'doorbell'

export function isChimeName(name: unknown): name is ChimeName {
  return chimeNames.some((known) => known === name)
}

const tonesOf: Readonly<Record<ToneName, readonly Tone[]>> = {
  doorbell: [
    { hertz: 659.26, startSeconds: 0, seconds: 0.4 },
    { hertz: 523.25, startSeconds: 0.3, seconds: 0.5 },
  ],
  rising: [
    { hertz: 523.25, startSeconds: 0, seconds: 0.3 },
    { hertz: 659.26, startSeconds: 0.2, seconds: 0.3 },
    { hertz: 783.99, startSeconds: 0.4, seconds: 0.4 },
  ],
  gong: [{ hertz: 293.66, startSeconds: 0, seconds: 0.9 }],
  listening: [{ hertz: 880, startSeconds: 0.05, seconds: 0.2 }],
}

/** Softer than speech, whose peaks are near 1. */
const amplitude = 0.28
const attackSeconds = 0.005

/** The bytes of a chime. @returns `undefined` for a format without chimes. */
export function chimeOf(format: SoundFormat, name: ToneName): Uint8Array | undefined {
  if (isMp3(format)) return Buffer.from(mp3Frames[name], 'base64')
  return format.audioEncoding === 'PCM' ? pcmChime(name, format.sampleRateHertz) : undefined
}

/** Silence of at least this length. @returns `undefined` for a format without it. */
export function silenceOf(format: SoundFormat, durationMs: number): Uint8Array | undefined {
  if (durationMs <= 0) return undefined
  if (isMp3(format)) {
    const frame = Buffer.from(mp3Frames.silence, 'base64')
    const count = Math.ceil(durationMs / frameMs)
    return Buffer.alloc(count * frame.length, frame)
  }
  if (format.audioEncoding !== 'PCM') return undefined
  return new Uint8Array(2 * Math.round((format.sampleRateHertz * durationMs) / 1000))
}

/** Whether it is the format of the frames. Of a sound with several rates, players play a part at the wrong speed. */
function isMp3({ audioEncoding, sampleRateHertz }: SoundFormat): boolean {
  return audioEncoding === 'MP3' && sampleRateHertz === 44_100
}

const frameMs = (1152 / 44_100) * 1000

const chimes = new Map<string, Uint8Array>()

function pcmChime(name: ToneName, rateHertz: number): Uint8Array {
  const key = `${name} ${rateHertz}`
  const made = chimes.get(key) ?? makeChime(tonesOf[name], rateHertz)
  chimes.set(key, made)
  return made
}

function makeChime(tones: readonly Tone[], rateHertz: number): Uint8Array {
  const ends = tones.map(({ startSeconds, seconds }) => startSeconds + seconds)
  const samples = new Int16Array(Math.round(Math.max(...ends) * rateHertz))
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / rateHertz
    const sum = tones.reduce((level, tone) => level + toneAt(tone, seconds), 0)
    samples[index] = Math.round(32_767 * amplitude * sum)
  }
  return new Uint8Array(samples.buffer)
}

/** A struck tone: a short attack, and overtones that fade sooner than the tone itself. */
function toneAt({ hertz, startSeconds, seconds }: Tone, at: number): number {
  const elapsed = at - startSeconds
  if (elapsed < 0 || elapsed >= seconds) return 0
  const attack = Math.min(elapsed / attackSeconds, 1)
  const release = 1 - elapsed / seconds
  const phase = 2 * Math.PI * hertz * elapsed
  const overtones = 0.3 * Math.sin(2 * phase) * release + 0.1 * Math.sin(3 * phase) * release ** 2
  return attack * release ** 2 * (Math.sin(phase) + overtones)
}
