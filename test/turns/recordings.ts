import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from '@parlando/test-support/programs/installed-programs'
import { createRandom } from '@parlando/test-support/vitest/random'

export const rateHertz = 16_000

/** Speech of one person in −1…1, and the parts in which the person speaks. */
export interface Recording {
  samples: Float32Array
  speech: readonly Part[]
}

/** In samples. */
export interface Part {
  start: number
  end: number
}

const sounds = '/usr/share/asterisk/sounds'
const testData = '/usr/share/pocketsphinx/test/data'
/** How many recordings of each folder are used. Three women and three men. */
const people = [
  { folder: `${sounds}/en_US_f_Allison`, count: 18 },
  { folder: `${sounds}/fr_CA_f_June`, count: 15 },
  { folder: `${sounds}/es_MX_f_Allison`, count: 14 },
  { folder: `${testData}/librivox`, count: 5 },
  { folder: `${testData}/cards`, count: 5 },
] as const

/** What reading them needs. */
export const recordingPrograms: readonly Program[] = [
  'ffmpeg',
  `${sounds}/en_US_f_Allison`,
  `${sounds}/fr_CA_f_June`,
  `${sounds}/es_MX_f_Allison`,
  testData,
]

// Of G.722, which has 8,000 bytes per second: 1.2 to 6 s.
const [minBytes, maxBytes] = [9600, 48_000]

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(g722|wav)$/.test(file) && !/silence|beep|tone|music/.test(file))
    .sort()
    .map((file) => join(folder, file))
    .filter((file) => {
      const { size } = statSync(file)
      return file.endsWith('.wav') || (size > minBytes && size < maxBytes)
    })
}

function decode(file: string): Float32Array {
  const input = file.endsWith('.g722') ? ['-f', 'g722', '-i', file] : ['-i', file]
  const output = ['-ar', String(rateHertz), '-ac', '1', '-f', 's16le', '-']
  const pcm = execFileSync('ffmpeg', ['-v', 'error', ...input, ...output], { maxBuffer: 1 << 26 })
  return Float32Array.from({ length: pcm.length >> 1 }, (_, at) => pcm.readInt16LE(2 * at) / 32_768)
}

/**
 * Recordings of all people in a fixed mixed order, each with the same level of speech.
 * @param amount how many: 1 for 57 recordings, less for the first of these, more for a choice of others.
 */
export function readRecordings(amount: number): Recording[] {
  const random = createRandom(7)
  return people
    .flatMap((person) => someFilesOf(person, Math.max(1, amount)))
    .map((file) => ({ file, place: random() }))
    .sort((first, second) => first.place - second.place)
    .filter((_, index, all) => index < amount * all.length)
    .map(({ file }) => withPause(toRecording(decode(file)), random))
}

/** Everything that these people say, one recording after the other: 80 minutes. */
export function* readAllPeople(): Generator<Float32Array> {
  for (const { folder } of people) for (const file of filesOf(folder)) yield decode(file)
}

/** Recordings in English, without the added pauses of `readRecordings`. */
export function readEnglishRecordings(): Recording[] {
  return people
    .filter(({ folder }) => !/[/](fr|es)_/.test(folder))
    .flatMap((person) => someFilesOf(person))
    .map((file) => toRecording(decode(file)))
}

function someFilesOf({ folder, count }: (typeof people)[number], times = 1): string[] {
  const all = filesOf(folder)
  const used = Math.min(count * times, all.length)
  return Array.from(
    { length: used },
    (_, index) => all[Math.floor(((index + 0.37) * all.length) / used)]!,
  )
}

/** Eight other people who speak at the same time. */
export function makeBabble(length: number): Float32Array {
  const used = people.slice(0, 3).flatMap(({ folder }) => filesOf(folder).slice(0, 16))
  const speech = used.map(decode)
  const output = new Float32Array(length)
  for (let person = 0; person < 8; person++) {
    let next = person * 6
    for (let start = 0; start < length; next++) {
      const samples = speech[next % speech.length]!
      const fitting = samples.subarray(0, length - start)
      for (let at = 0; at < fitting.length; at++) output[start + at]! += fitting[at]!
      start += samples.length
    }
  }
  return output
}

const frame = rateHertz / 100
const speechLevel = 10 ** (-26 / 20)
const edge = 0.04 * rateHertz

/** Finds the speech by its level, which is reliable in a recording without noise, and cuts the silence around it. */
function toRecording(samples: Float32Array): Recording {
  const levels = Array.from({ length: Math.floor(samples.length / frame) }, (_, index) => {
    return decibelsOf(samples.subarray(index * frame, (index + 1) * frame))
  })
  const sorted = [...levels].sort((first, second) => first - second)
  const peak = sorted[Math.floor(0.97 * sorted.length)]!
  const floor = sorted[Math.floor(0.05 * sorted.length)]!
  const threshold = Math.max(peak - 36, Math.min(floor + 9, peak - 22))
  const speech = joinParts(levels.map((level) => level > threshold))
  const start = Math.max(0, speech[0]!.start - edge)
  const end = Math.min(samples.length, speech.at(-1)!.end + edge)
  const gain = speechLevel / activeLevel(samples, speech)
  return {
    samples: fadeEdges(samples.slice(start, end).map((sample) => sample * gain)),
    speech: speech.map((part) => ({ start: part.start - start, end: part.end - start })),
  }
}

/** Gaps of less than 120 ms belong to the speech, sounds of less than 50 ms do not. */
function joinParts(isSpeech: readonly boolean[]): Part[] {
  const parts: Part[] = []
  for (const [index, isLoud] of isSpeech.entries()) {
    if (!isLoud) continue
    const [start, end] = [index * frame, (index + 1) * frame]
    const last = parts.at(-1)
    if (last && start - last.end < 12 * frame) last.end = end
    else parts.push({ start, end })
  }
  return parts.filter(({ start, end }) => end - start >= 5 * frame)
}

/** Lengthens the quietest moment in the middle of most recordings to a pause of 200 to 900 ms. */
function withPause(recording: Recording, random: () => number): Recording {
  const { samples, speech } = recording
  const [wantsPause, ms] = [random() < 0.75, 200 + Math.round(random() * 700)]
  if (!wantsPause || samples.length < 1.8 * rateHertz) return recording
  const candidates = Math.floor(samples.length / 2 / frame)
  const first = Math.floor(samples.length / 4)
  const places = Array.from({ length: candidates }, (_, index) => first + index * frame)
  const loudnessAt = (place: number) => decibelsOf(samples.subarray(place - 160, place + 160))
  const place = places.reduce((best, one) => (loudnessAt(one) < loudnessAt(best) ? one : best))
  if (loudnessAt(place) > -50) return recording
  const pause = Math.round((ms / 1000) * rateHertz)
  const longer = new Float32Array(samples.length + pause)
  longer.set(fadeEdges(samples.slice(0, place)))
  longer.set(fadeEdges(samples.slice(place)), place + pause)
  const moved = speech.flatMap((part) => {
    if (part.end <= place) return [part]
    if (part.start >= place) return [{ start: part.start + pause, end: part.end + pause }]
    return [
      { start: part.start, end: place },
      { start: place + pause, end: part.end + pause },
    ]
  })
  return { samples: longer, speech: moved }
}

function fadeEdges(samples: Float32Array): Float32Array {
  const length = Math.min(160, samples.length)
  for (let at = 0; at < length; at++) {
    samples[at]! *= at / length
    samples[samples.length - 1 - at]! *= at / length
  }
  return samples
}

function activeLevel(samples: Float32Array, speech: readonly Part[]): number {
  let [power, count] = [0, 0]
  for (const { start, end } of speech) {
    for (const sample of samples.subarray(start, end)) power += sample ** 2
    count += end - start
  }
  return Math.sqrt(power / count)
}

function decibelsOf(samples: Float32Array): number {
  let power = 0
  for (const sample of samples) power += sample ** 2
  return 10 * Math.log10(power / samples.length + 1e-12)
}
