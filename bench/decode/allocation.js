import { goal } from '../shared/report.js'
import { runProcess } from '../shared/run-process.js'
import { push } from './ours.js'

const program = new URL('allocation-process.js', import.meta.url)

/** Measures the bytes of heap and buffers allocated for each byte of audio. */
export async function measureAllocation() {
  const nodeOptions = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256']
  const { chunkBytes, readBytes, bytesPerAudioByte } = await runProcess(program, { nodeOptions })
  const what = 'bytes allocated per byte of audio'
  return {
    rows: [{ what, chunkBytes, readBytes, ...bytesPerAudioByte }],
    goals: [goal('allocation, times the bytes of the audio', bytesPerAudioByte[push.name], 2.6)],
  }
}
