import { fromInt16 } from '../../audio/pcm.ts'
import { joinSamples } from '../../audio/signal.ts'
import { createMutex } from '../../concurrency/slots.ts'
import { recogniserRateHertz } from '../recogniser.ts'
import type { OfflineRecognizer, RecognizerConfig, SherpaModel } from './sherpa-package.ts'

// Some models end their process if the sound is shorter than one of their frames.
const minSeconds = 0.1

/** A model that recognises an utterance when it has ended. */
export function toWholeModel(recognizer: OfflineRecognizer, config: RecognizerConfig): SherpaModel {
  // One utterance at a time: decoding uses several cores, and the language is a setting of the whole model.
  const queue = createMutex()
  let currentLanguage: string | undefined
  const setLanguage = (language: string | undefined) => {
    if (language === currentLanguage) return
    currentLanguage = language
    recognizer.setConfig(withLanguage(config, language))
  }
  return {
    async open({ language, hotwords }) {
      const pieces: Float32Array[] = []
      return {
        write(samples) {
          pieces.push(fromInt16(samples))
          return undefined
        },
        async end() {
          const samples = joinSamples(pieces)
          if (samples.length < minSeconds * recogniserRateHertz) return { text: '' }
          return queue(async () => {
            setLanguage(language)
            const stream =
              hotwords.length > 0
                ? recognizer.createStream(hotwords.join('/'))
                : recognizer.createStream()
            stream.acceptWaveform({ samples, sampleRate: recogniserRateHertz })
            return recognizer.decodeAsync(stream)
          })
        },
      }
    },
  }
}

/** Whisper and SenseVoice take a language; the other families know theirs. */
function withLanguage(config: RecognizerConfig, language = ''): RecognizerConfig {
  const { whisper, senseVoice } = config.modelConfig
  return {
    ...config,
    modelConfig: {
      ...config.modelConfig,
      ...(whisper ? { whisper: { ...whisper, language } } : {}),
      ...(senseVoice ? { senseVoice: { ...senseVoice, language } } : {}),
    },
  }
}
