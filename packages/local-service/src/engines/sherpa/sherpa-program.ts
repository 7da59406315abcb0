import { createRequire } from 'node:module'
import { hasSpeakable } from '@parlando/core/text'
import { speechThreads } from '../../machine/resources.ts'
import type { ImitatedRecording, PhraseSound } from '../engine.ts'
import { runSpeakerProgram } from '../process/run-speaker.ts'
import type { Model } from './read-models.ts'

/** A request of the engine to this program: speak as one of the model's speakers, or like a recording. */
export interface SherpaPhrase {
  text: string
  speaker?: number
  recording?: ImitatedRecording
  /** A code such as `de`, for models with several languages. */
  language?: string
}

export interface SherpaInfo {
  sampleRateHertz: number
  speakers: number
  /** The memory of the process when the model is loaded. */
  memoryBytes: number
}

/** The parts of sherpa-onnx-node in use. */
interface SherpaPackage {
  OfflineTts: new (
    config: object,
  ) => {
    numSpeakers: number
    sampleRate: number
    generateAsync(request: {
      text: string
      enableExternalBuffer: boolean
      generationConfig: object
      /** @returns whether to continue. */
      onProgress(progress: { samples: Float32Array }): boolean
    }): Promise<unknown>
  }
  readWave(
    path: string,
    enableExternalBuffer: boolean,
  ): { samples: Float32Array; sampleRate: number }
}

/** The default of sherpa-onnx. More take longer; with 2, Supertonic is hard to understand. */
const supertonicSteps = 5

const [packagePath = '', configText = ''] = process.argv.slice(2)

await runSpeakerProgram<SherpaInfo, SherpaPhrase>(async () => {
  const { OfflineTts, readWave } = createRequire(import.meta.url)(packagePath) as SherpaPackage
  const { model, ...rules } = JSON.parse(configText) as Model['config']
  const tts = new OfflineTts({
    ...rules,
    model: { ...model, numThreads: speechThreads, provider: 'cpu' },
    // Calls onProgress after every sentence.
    maxNumSentences: 1,
  })

  const referenceOf = ({ wavPath, text }: ImitatedRecording) => {
    const { samples, sampleRate } = readWave(wavPath, false)
    return { referenceAudio: samples, referenceSampleRate: sampleRate, referenceText: text ?? '' }
  }

  const speak = async (
    { text, speaker = 0, recording, language }: SherpaPhrase,
    onSound: (sound: PhraseSound) => boolean,
  ) => {
    // sherpa-onnx reports an error for a text without letters and digits.
    if (!hasSpeakable(text)) return
    const reference = recording ? referenceOf(recording) : {}
    await tts.generateAsync({
      text,
      // Copies samples, because some embedders of Node do not allow external buffers.
      enableExternalBuffer: false,
      generationConfig: {
        sid: speaker,
        speed: 1,
        ...reference,
        ...('supertonic' in model && { numSteps: supertonicSteps, extra: { lang: language } }),
      },
      onProgress: ({ samples }) => onSound({ samples: samples.map(clamp) }),
    })
  }

  return {
    info: {
      sampleRateHertz: tts.sampleRate,
      speakers: Math.max(1, tts.numSpeakers),
      memoryBytes: process.memoryUsage.rss(),
    },
    speak,
  }
})

function clamp(sample: number): number {
  return Math.max(-1, Math.min(1, sample))
}
