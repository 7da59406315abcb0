import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fromInt16 } from '../../audio/pcm.ts'
import { readTokens } from '../../recognisers/sherpa/hotwords.ts'
import { type ProgramStream, runDetectorProgram } from '../process/run-detector.ts'
import {
  type PhraseSearch,
  type WakeWordDetection,
  wakeWordRateHertz,
} from '../wake-word-detector.ts'
import { toKeywords } from './keywords.ts'

/** The model, as the parent describes it in an argument of this program. */
export interface SpotterConfig {
  featConfig: { sampleRate: number; featureDim: number }
  modelConfig: {
    transducer: Record<string, string>
    tokens: string
    numThreads: number
    provider: 'cpu'
  }
}

/** The parts of sherpa-onnx-node in use. */
interface SherpaPackage {
  KeywordSpotter: new (
    config: SpotterConfig & { keywordsBuf: string; keywordsBufSize: number },
  ) => KeywordSpotter
}

interface KeywordSpotter {
  createStream(): SpotterStream
  isReady(stream: SpotterStream): boolean
  decode(stream: SpotterStream): void
  /** Without it, the keyword would be reported again. */
  reset(stream: SpotterStream): void
  getResult(stream: SpotterStream): { keyword: string }
}

interface SpotterStream {
  acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void
}

const [packagePath = '', configText = ''] = process.argv.slice(2)

// A model decodes blocks of up to half a second, and waits for the end of the last word.
const paddingSamples = wakeWordRateHertz
// The end of a phrase is known as exactly as the time at which its block arrives.
const pieceSamples = wakeWordRateHertz / 50
/** From the end of a phrase to its report: half a block of 320 ms, and what the network needs behind a block. */
const delayMs = 315

await runDetectorProgram<PhraseSearch>(async () => {
  const sherpa = createRequire(import.meta.url)(packagePath) as SherpaPackage
  const config = JSON.parse(configText) as SpotterConfig
  const tokens = readTokens(await readFile(config.modelConfig.tokens, 'utf8'))
  // Phrases are a setting of the whole model. Most microphones wait for the same ones.
  const open = new Map<string, { spotter: KeywordSpotter; streams: number }>()
  return ({ phrases, sensitivity }) => {
    const keywordsBuf = toKeywords(phrases, tokens, sensitivity)
    const shared = open.get(keywordsBuf) ?? {
      spotter: new sherpa.KeywordSpotter({
        ...config,
        keywordsBuf,
        keywordsBufSize: Buffer.byteLength(keywordsBuf),
      }),
      streams: 0,
    }
    shared.streams += 1
    open.set(keywordsBuf, shared)
    return openStream(shared.spotter, phrases, () => {
      shared.streams -= 1
      if (shared.streams === 0) open.delete(keywordsBuf)
    })
  }
})

function openStream(
  spotter: KeywordSpotter,
  phrases: readonly string[],
  close: () => void,
): ProgramStream {
  const stream = spotter.createStream()
  let samplesTaken = 0
  const decode = (): WakeWordDetection[] => {
    const found: WakeWordDetection[] = []
    while (spotter.isReady(stream)) {
      spotter.decode(stream)
      const { keyword } = spotter.getResult(stream)
      if (!keyword) continue
      spotter.reset(stream)
      const takenMs = Math.round((1000 * samplesTaken) / wakeWordRateHertz)
      const phrase = phrases[Number(keyword)] ?? phrases[0]!
      found.push({ phrase, endMs: Math.max(0, takenMs - delayMs) })
    }
    return found
  }
  const push = (samples: Int16Array): WakeWordDetection[] => {
    const found: WakeWordDetection[] = []
    for (let from = 0; from < samples.length; from += pieceSamples) {
      const piece = samples.subarray(from, from + pieceSamples)
      samplesTaken += piece.length
      stream.acceptWaveform({ samples: fromInt16(piece), sampleRate: wakeWordRateHertz })
      found.push(...decode())
    }
    return found
  }
  return { push, end: () => push(new Int16Array(paddingSamples)), close }
}
