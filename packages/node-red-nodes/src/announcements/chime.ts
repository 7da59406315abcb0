import type { SoundFormat } from '../sounds/sound.ts'

/** A high and a low tone, like a doorbell. */
const tones = [
  { hertz: 659.26, startSeconds: 0, seconds: 0.4 },
  { hertz: 523.25, startSeconds: 0.3, seconds: 0.5 },
]
const chimeSeconds = 0.8
/** Softer than speech, whose peaks are near 1. */
const amplitude = 0.28
const attackSeconds = 0.005

/** The bytes of a chime. @returns `undefined` for a format without one. */
export function chimeOf({ audioEncoding, sampleRateHertz }: SoundFormat): Uint8Array | undefined {
  return audioEncoding === 'PCM' ? pcmChime(sampleRateHertz) : undefined
}

/** Silence of about this length. @returns `undefined` for a format without it. */
export function silenceOf(
  { audioEncoding, sampleRateHertz }: SoundFormat,
  durationMs: number,
): Uint8Array | undefined {
  if (durationMs <= 0 || audioEncoding !== 'PCM') return undefined
  return new Uint8Array(2 * Math.round((sampleRateHertz * durationMs) / 1000))
}

const chimes = new Map<number, Uint8Array>()

function pcmChime(rateHertz: number): Uint8Array {
  const made = chimes.get(rateHertz) ?? makeChime(rateHertz)
  chimes.set(rateHertz, made)
  return made
}

function makeChime(rateHertz: number): Uint8Array {
  const samples = new Int16Array(Math.round(chimeSeconds * rateHertz))
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / rateHertz
    const sum = tones.reduce((level, tone) => level + toneAt(tone, seconds), 0)
    samples[index] = Math.round(32_767 * amplitude * sum)
  }
  return new Uint8Array(samples.buffer)
}

/** A struck tone: a short attack, and overtones that fade sooner than the tone itself. */
function toneAt({ hertz, startSeconds, seconds }: (typeof tones)[number], at: number): number {
  const elapsed = at - startSeconds
  if (elapsed < 0 || elapsed >= seconds) return 0
  const attack = Math.min(elapsed / attackSeconds, 1)
  const release = 1 - elapsed / seconds
  const phase = 2 * Math.PI * hertz * elapsed
  const overtones = 0.3 * Math.sin(2 * phase) * release + 0.1 * Math.sin(3 * phase) * release ** 2
  return attack * release ** 2 * (Math.sin(phase) + overtones)
}
