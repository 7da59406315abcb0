import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  float,
  floats,
  input,
  int64,
  integerAttribute,
  integers,
  node,
  onnxModel,
  output,
} from './onnx-model.ts'

const sampleRateHertz = 44_100
const speakers = 10
const firstHertz = 200
const hertzPerSpeaker = 20
const hertzPerLetter = 10
const secondsPerLetter = 0.1
/** The letter `a` has this number in Unicode. */
const letterA = 97

/**
 * Writes a Supertonic model of about 100 kB for sherpa-onnx, with ten speakers. It "speaks" each character as 0.1 s of a
 * tone, whose pitch rises with the number of the speaker and with the first letter of the language.
 */
export async function writeTinySupertonicModel(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const write = (name: string, content: string | Uint8Array) =>
    writeFile(join(folder, name), content)
  await write('duration_predictor.int8.onnx', durationPredictor())
  await write('text_encoder.int8.onnx', textEncoder())
  await write('vector_estimator.int8.onnx', vectorEstimator())
  await write('vocoder.int8.onnx', vocoder())
  const indexes = Int32Array.from({ length: 128 }, (_, code) => code)
  await write('unicode_indexer.bin', Buffer.from(indexes.buffer))
  await write('voice.bin', voiceStyles())
  const ae = { sample_rate: sampleRateHertz, base_chunk_size: samplesPerLetter }
  const ttl = { chunk_compress_factor: 1, latent_dim: 1 }
  await write('tts.json', JSON.stringify({ ae, ttl }))
}

const samplesPerLetter = secondsPerLetter * sampleRateHertz

/** @returns the pitch of a speaker in a language such as `en`. */
export function tinySupertonicHertz(speaker: number, language: string): number {
  const letter = language.charCodeAt(0) - letterA
  return firstHertz + speaker * hertzPerSpeaker + letter * hertzPerLetter
}

/** The shapes of the styles for the text and for the duration, then the styles. */
function voiceStyles(): Buffer {
  const shapes = BigInt64Array.from([speakers, 1, 1, speakers, 1, 1], BigInt)
  const pitches = Array.from({ length: speakers }, (_, at) => firstHertz + at * hertzPerSpeaker)
  const styles = Float32Array.from([...pitches, ...pitches])
  return Buffer.concat([Buffer.from(shapes.buffer), Buffer.from(styles.buffer)])
}

function durationPredictor(): Buffer {
  return onnxModel(
    [
      node('ReduceSum', ['text_mask'], 'letters', [integerAttribute('keepdims', 0)]),
      node('Mul', ['letters', 'seconds per letter'], 'seconds'),
      node('Reshape', ['seconds', 'one'], 'duration'),
      floats('seconds per letter', [1], [secondsPerLetter]),
      integers('one', [1], [1]),
      input('text_ids', int64, [1, 'letters']),
      input('style_dp', float, [1, 1, 1]),
      input('text_mask', float, [1, 1, 'letters']),
      output('duration', float, [1]),
    ],
    {},
  )
}

/** A text begins with the tag of its language, so its second character is the first letter of the language. */
function textEncoder(): Buffer {
  return onnxModel(
    [
      node('Slice', ['text_ids', 'from', 'to', 'axis'], 'code'),
      node('Cast', ['code'], 'number', [integerAttribute('to', float)]),
      node('Sub', ['number', 'letter a'], 'letter'),
      node('Mul', ['letter', 'hertz per letter'], 'hertz'),
      node('Reshape', ['hertz', 'cube'], 'text_emb'),
      integers('from', [1], [1]),
      integers('to', [1], [2]),
      integers('axis', [1], [1]),
      floats('letter a', [1], [letterA]),
      floats('hertz per letter', [1], [hertzPerLetter]),
      integers('cube', [3], [1, 1, 1]),
      input('text_ids', int64, [1, 'letters']),
      input('style_ttl', float, [1, 1, 1]),
      input('text_mask', float, [1, 1, 'letters']),
      output('text_emb', float, [1, 1, 1]),
    ],
    {},
  )
}

/** The latent is the pitch of each character. */
function vectorEstimator(): Buffer {
  return onnxModel(
    [
      node('Add', ['text_emb', 'style_ttl'], 'hertz'),
      node('Mul', ['hertz', 'latent_mask'], 'denoised_latent'),
      input('noisy_latent', float, [1, 1, 'latents']),
      input('text_emb', float, [1, 1, 1]),
      input('style_ttl', float, [1, 1, 1]),
      input('latent_mask', float, [1, 1, 'latents']),
      input('text_mask', float, [1, 1, 'letters']),
      input('current_step', float, [1]),
      input('total_step', float, [1]),
      output('denoised_latent', float, [1, 1, 'latents']),
    ],
    {},
  )
}

/** wave = sin(2π × pitch × time) × 0.3. */
function vocoder(): Buffer {
  const radians = Array.from(
    { length: samplesPerLetter },
    (_, at) => (2 * Math.PI * at) / sampleRateHertz,
  )
  return onnxModel(
    [
      node('Reshape', ['latent', 'column'], 'hertz'),
      node('Mul', ['hertz', 'radians'], 'angle'),
      node('Sin', ['angle'], 'wave'),
      node('Mul', ['wave', 'amplitude'], 'letters'),
      node('Reshape', ['letters', 'mono'], 'wav_tts'),
      integers('column', [2], [-1, 1]),
      floats('radians', [1, samplesPerLetter], radians),
      floats('amplitude', [1], [0.3]),
      integers('mono', [2], [1, -1]),
      input('latent', float, [1, 1, 'latents']),
      output('wav_tts', float, [1, 'samples']),
    ],
    {},
  )
}
