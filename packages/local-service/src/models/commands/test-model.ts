import { readFile, writeFile } from 'node:fs/promises'
import { formatBytes } from '../catalogue/format-bytes.ts'
import { findInstalled } from '../catalogue/installed.ts'
import { installFolderOf } from '../sherpa/find-folders.ts'
import { findSherpa } from '../sherpa/find-sherpa.ts'
import type { Run } from './command.ts'
import { type ModelTest, testRecogniser, testVoice } from './measure-model.ts'

const defaultText = 'Good morning. It is seven o’clock, and the coffee is ready.'
/** Above it, speech may stutter when the machine has other work. */
const maxFactor = 0.6

/** Speaks or transcribes once and prints how fast the model is. */
export async function testModel({ command, terminal, signal }: Run): Promise<void> {
  const { kind, names, input, dataFolder, enginesFolder, out, isJson } = command
  const { packagePath, problem } = findSherpa([enginesFolder, dataFolder])
  const { folder: model } = await findInstalled(installFolderOf(dataFolder), names[0]!)
  if (!packagePath) throw new Error(`The model cannot be tested: ${problem}`)
  let result: ModelTest
  if (kind === 'voice') {
    result = await testVoice({ model, packagePath, text: input ?? defaultText, signal })
    if (out) await writeFile(out, result.wav!)
  } else {
    if (!input) throw new Error('test needs a recording of at most a minute, such as hello.wav')
    const recording = await readFile(input)
    result = await testRecogniser({ model, packagePath, recording, signal })
  }
  const { wav: _, ...figures } = result
  terminal.print(isJson ? JSON.stringify(figures, null, 1) : describe(figures))
}

function describe({
  names,
  firstAudioMs,
  realTimeFactor,
  memoryBytes,
  transcript,
}: ModelTest): string {
  const isFast = realTimeFactor <= maxFactor
  const lines = [
    `Names in the service: ${names.join(', ')}`,
    transcript !== undefined && `Text: ${transcript || '(none)'}`,
    firstAudioMs !== undefined && `First sound after ${firstAudioMs} ms`,
    memoryBytes !== undefined && `Memory: ${formatBytes(memoryBytes)}`,
    `One second of sound takes ${realTimeFactor.toFixed(2)} s: ${isFast ? 'fast enough for this machine' : 'too slow for this machine. Use a smaller model'}`,
  ]
  return lines.filter((line) => line !== false).join('\n')
}
