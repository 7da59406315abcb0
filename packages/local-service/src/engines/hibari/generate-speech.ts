import { convNext, normalize } from '../../neural-networks/layers.ts'
import {
  createRows,
  joinRows,
  padRows,
  type Rows,
  sliceRows,
  unfoldRows,
} from '../../neural-networks/rows.ts'
import type { Weights } from '../../neural-networks/weights.ts'
import { planProsody } from './plan-prosody.ts'
import type { English } from './pronunciation/english.ts'
import type { WordSounds } from './pronunciation/phonemize.ts'
import { createVocoder } from './vocoder.ts'

/** What makes a voice speak. */
export interface OpenVoice {
  english: English
  weights: Weights
}

/** A piece of speech. */
export interface SpokenPiece {
  /** Mono, −1…1, at 24 kHz. */
  samples: Float32Array
  /** When the words that begin with this piece are spoken, by their place in the text, in seconds from its start. */
  times?: readonly WordTimes[]
}

export interface WordTimes {
  place: number
  startSeconds: number
  endSeconds: number
}

/** The voice has learned from sentences of up to this length. */
const maxPhonemes = 400
const framesPerSecond = 80
/** The decoder looks 27 frames ahead, so the first sound lasts for a quarter of a second. */
const firstFrames = 47
const laterFrames = 40

const blocks = Array.from({ length: 8 }, (_, index) => `m.dec.${index}`)
/** Every convolution looks at this many rows, half of them before and half of them after the one that it makes. */
const taps = 7

/** Speaks a text in pieces, each as soon as it is made. */
export function* generateSpeech(
  { english, weights }: OpenVoice,
  text: string,
): Generator<SpokenPiece> {
  const words = english.phonemize(text)
  let place = 0
  let startSeconds = 0
  for (const part of cutWords(words)) {
    const numbers = part.map((word) => english.number(word))
    const ids = [0, ...joinWords(numbers, english.number(' ')), 0]
    if (ids.length > 2) {
      const prosody = planProsody(weights, ids, 1)
      const times = timeWords(numbers, prosody.durations, place, startSeconds)
      yield* decodeProsody(weights, prosody, times)
      startSeconds += prosody.features.count / framesPerSecond
    }
    place += part.length
  }
}

function joinWords(words: readonly number[][], space: readonly number[]): number[] {
  return words.flatMap((word, index) => (index === 0 ? word : [...space, ...word]))
}

/** Cuts a text that is too long for the voice, if possible after a pause. */
function cutWords(words: readonly WordSounds[]): WordSounds[][] {
  const parts: WordSounds[][] = [[]]
  let phonemes = 0
  let afterPause = 0
  for (const word of words) {
    const part = parts.at(-1)!
    if (phonemes + word.length > maxPhonemes && part.length > 0) {
      const rest = afterPause > 0 ? part.splice(afterPause) : []
      parts.push(rest)
      phonemes = rest.join(' ').length
      afterPause = 0
    }
    parts.at(-1)!.push(word)
    phonemes += word.length + 1
    if (/[;:,.!?—…]$/.test(word)) afterPause = parts.at(-1)!.length
  }
  return parts
}

/** @param durations of the silence before, the phonemes of each word, the spaces between words and the silence after. */
function timeWords(
  words: readonly (readonly number[])[],
  durations: readonly number[],
  firstPlace: number,
  startSeconds: number,
): WordTimes[] {
  let at = 1
  let frame = durations[0] ?? 0
  return words.flatMap((word, index) => {
    const start = frame
    for (const duration of durations.slice(at, at + word.length)) frame += duration
    const time = {
      place: firstPlace + index,
      startSeconds: startSeconds + start / framesPerSecond,
      endSeconds: startSeconds + frame / framesPerSecond,
    }
    frame += durations[at + word.length] ?? 0
    at += word.length + 1
    return word.length > 0 ? [time] : []
  })
}

function* decodeProsody(
  weights: Weights,
  { features, pitchesHertz }: ReturnType<typeof planProsody>,
  times: readonly WordTimes[],
): Generator<SpokenPiece> {
  const decoder = createDecoder(weights, features.width)
  const vocoder = createVocoder(pitchesHertz)
  let wanted = firstFrames
  for (let from = 0; from < features.count; ) {
    const count = Math.min(wanted, features.count - from)
    const isLast = from + count === features.count
    const spectra = decoder.decode(sliceRows(features, from, count), isLast)
    const samples = vocoder.vocode(spectra, isLast)
    yield from === 0 ? { samples, times } : { samples }
    from += count
    wanted = laterFrames
  }
}

/** Turns features of frames into spectra, piece by piece, so that a phrase can be heard before its end is made. */
interface SpectrumDecoder {
  /**
   * @param features the next frames.
   * @param isLast whether they are the last ones.
   * @returns the spectra of the frames whose surroundings are known: 27 fewer after the first piece, 27 more after the last.
   */
  decode(features: Rows, isLast: boolean): Rows
}

function createDecoder(weights: Weights, featureWidth: number): SpectrumDecoder {
  const featureWindow = createWindow(featureWidth)
  const windows = blocks.map((name) => createWindow(weights.widthOf(`${name}.dw.weight`)))
  return {
    decode(features, isLast) {
      let rows = weights.linear(unfoldRows(featureWindow(features, isLast), taps), 'm.dec_in')
      blocks.forEach((name, index) => {
        rows = convNext(windows[index]!(rows, isLast), weights, name)
      })
      return weights.linear(normalize(rows, weights, 'm.dec_norm'), 'm.head')
    },
  }
}

/**
 * Keeps the last rows of a piece for the next one.
 * @returns a function that returns a piece with the rows before it, and with zeros before the first and after the last one.
 */
function createWindow(width: number): (rows: Rows, isLast: boolean) => Rows {
  const half = (taps - 1) / 2
  let kept = createRows(half, width)
  return (rows, isLast) => {
    const joined = joinRows(kept, isLast ? padRows(rows, 0, half) : rows)
    const keptCount = Math.min(joined.count, taps - 1)
    kept = sliceRows(joined, joined.count - keptCount, keptCount)
    // Too few rows for one result: they wait for the next piece.
    return joined.count < taps ? createRows(taps - 1, width) : joined
  }
}
