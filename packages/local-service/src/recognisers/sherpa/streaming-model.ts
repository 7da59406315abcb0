import { fromInt16 } from '../../dsp/pcm.ts'
import { recogniserRateHertz } from '../recogniser.ts'
import type { RecognizerConfig, SherpaModel, SherpaPackage } from './sherpa-package.ts'

// Without some silence at the end, the last word would be lost, since a model decodes whole blocks of sound.
const paddingSeconds = 0.66

/** Loads a model that recognises speech while it is being spoken. */
export function loadStreamingModel(
  { OnlineRecognizer }: SherpaPackage,
  config: RecognizerConfig,
): SherpaModel {
  const recognizer = new OnlineRecognizer(config)
  return {
    open() {
      const stream = recognizer.createStream()
      const decode = () => {
        while (recognizer.isReady(stream)) recognizer.decode(stream)
        return recognizer.getResult(stream)
      }
      const accept = (samples: Float32Array) =>
        stream.acceptWaveform({ samples, sampleRate: recogniserRateHertz })
      return {
        write(samples) {
          accept(fromInt16(samples))
          return decode().text
        },
        end() {
          accept(new Float32Array(paddingSeconds * recogniserRateHertz))
          stream.inputFinished()
          return decode()
        },
      }
    },
  }
}
