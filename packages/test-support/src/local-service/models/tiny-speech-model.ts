import { writeFile } from 'node:fs/promises'
import {
  float,
  floats,
  input,
  int64,
  integersAttribute,
  node,
  onnxModel,
  output,
} from './onnx-model.ts'

/**
 * Writes a model in the form of Silero's voice activity detection, version 5, that takes all loud sound for speech: more than
 * a twentieth of full scale.
 */
export async function writeTinySpeechModel(path: string): Promise<void> {
  const graph = [
    node('Mul', ['input', 'input'], 'squares'),
    node('ReduceMean', ['squares'], 'power', [integersAttribute('axes', [1])]),
    node('Mul', ['power', 'gain'], 'louder'),
    node('Sub', ['louder', 'threshold'], 'level'),
    node('Sigmoid', ['level'], 'output'),
    node('Identity', ['state'], 'stateN'),
    floats('gain', [1], [40_000]),
    floats('threshold', [1], [100]),
    input('input', float, ['N', 'T']),
    input('state', float, [2, 'N', 128]),
    input('sr', int64, []),
    output('output', float, ['N', 1]),
    output('stateN', float, [2, 'N', 128]),
  ]
  await writeFile(path, onnxModel(graph, {}))
}
