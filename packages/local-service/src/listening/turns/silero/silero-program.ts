import { createRequire } from 'node:module'
import { fromInt16 } from '../../../audio/pcm.ts'
import { runProgram } from '../../../processes/program.ts'
import type { Numbered } from '../../../processes/restarting-program.ts'
import { detectorRateHertz, frameSamples } from '../detectors.ts'

/** A request to this program. The work is a stream; the samples are complete frames of 20 ms. */
export type SileroRequest = { type: 'samples'; samples: Int16Array } | { type: 'close' }

/** The report on samples: for each 20 ms, whether somebody speaks; undefined if the process has ended. */
export interface SileroReport {
  frames: readonly boolean[] | undefined
}

/** The parts of sherpa-onnx-node in use. */
interface SherpaPackage {
  Vad: new (config: object, bufferSeconds: number) => Vad
}

interface Vad {
  acceptWaveform(samples: Float32Array): void
  isDetected(): boolean
  isEmpty(): boolean
  pop(): void
  reset(): void
}

const windowSamples = 512
// After this, speech needs more certainty. The longest turn is shorter.
const maxSpeechSeconds = 60
// The rule of turns has its own durations; sherpa-onnx does not accept 0.
const shortestSeconds = 0.001

const [packagePath = '', model = ''] = process.argv.slice(2)

await runProgram<undefined, Numbered<SileroRequest>, Numbered<SileroReport>>(async (send) => {
  const sherpa = createRequire(import.meta.url)(packagePath) as SherpaPackage
  const config = {
    sileroVad: {
      model,
      threshold: 0.5,
      minSpeechDuration: shortestSeconds,
      minSilenceDuration: shortestSeconds,
      windowSize: windowSamples,
      maxSpeechDuration: maxSpeechSeconds,
    },
    sampleRate: detectorRateHertz,
    numThreads: 1,
    provider: 'cpu',
    debug: 0,
  }
  const load = () => new sherpa.Vad(config, maxSpeechSeconds)
  // Loading the model takes as long as judging a minute of sound, so closed streams leave their detector to new ones. The
  // first one is loaded now, since a damaged model ends the process.
  const unused = [load()]
  const streams = new Map<number, ReturnType<typeof createStream>>()
  return {
    info: undefined,
    receive(request) {
      const { work } = request
      if (request.type === 'samples') {
        const stream = streams.get(work) ?? createStream(unused.pop() ?? load())
        streams.set(work, stream)
        send({ work, frames: stream.push(request.samples) })
        return
      }
      const vad = streams.get(work)?.close()
      if (vad) unused.push(vad)
      streams.delete(work)
    },
  }
})

function createStream(vad: Vad) {
  const window = new Float32Array(windowSamples)
  let filled = 0
  const judge = () => {
    vad.acceptWaveform(window.slice())
    // It also collects the speech, which nobody needs.
    while (!vad.isEmpty()) vad.pop()
  }
  const pushFrame = (frame: Float32Array): boolean => {
    const fitting = frame.subarray(0, windowSamples - filled)
    window.set(fitting, filled)
    filled += fitting.length
    if (filled === windowSamples) {
      judge()
      window.set(frame.subarray(fitting.length))
      filled = frame.length - fitting.length
    }
    return vad.isDetected()
  }
  return {
    /** @param samples frames of 20 ms. */
    push(samples: Int16Array): boolean[] {
      const all = fromInt16(samples)
      return Array.from({ length: all.length / frameSamples }, (_, index) =>
        pushFrame(all.subarray(index * frameSamples, (index + 1) * frameSamples)),
      )
    },
    /** @returns the detector, without its past. */
    close(): Vad {
      vad.reset()
      return vad
    },
  }
}
