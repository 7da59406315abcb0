import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { convertWeights } from '../../packages/local-service/src/models/hibari/convert-weights.ts'
import { fetchPackage } from './packages.ts'

const voices = fileURLToPath(new URL('../../packages/voices', import.meta.url))

describe('the graphs of hibari-tts', { timeout: 600_000 }, () => {
  it.each([
    ['hibari', 'heart/weights'],
    ['oov', 'english/unknown-words'],
    ['oov_gb', 'british/unknown-words'],
  ])('%s becomes the weights of this repository, to the byte', (graph, name) => {
    const assets = join(fetchPackage('hibari-tts'), 'hibari/assets')
    const converted = convertWeights(readFileSync(join(assets, `${graph}.onnx`)))
    const committed = readFileSync(join(voices, `${name}.safetensors`))
    expect(Buffer.from(converted).equals(committed)).toBe(true)
  })
})
