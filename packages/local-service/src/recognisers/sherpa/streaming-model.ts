import { fromInt16 } from '../../audio/pcm.ts'
import { recogniserRateHertz } from '../recogniser.ts'
import type { OnlineRecognizer, RecognizerConfig, SherpaModel } from './sherpa-package.ts'

// Without some silence at the end, the last word would be lost, since a model decodes whole blocks of sound.
const paddingSeconds = 0.66

/**
 * Loads a model that recognises speech while it is being spoken. Expected words are a setting of the whole model, so another
 * list of words loads the model once more.
 * @param load creates the recogniser of sherpa-onnx with this configuration.
 */
export async function loadStreamingModel(
  load: (config: Partial<RecognizerConfig>) => Promise<OnlineRecognizer>,
): Promise<SherpaModel> {
  const plain = await load({})
  let last: { hotwords: string; recognizer: Promise<OnlineRecognizer> } | undefined
  const withHotwords = (hotwords: string) => {
    if (last?.hotwords !== hotwords) {
      const hotwordsBufSize = Buffer.byteLength(hotwords)
      const recognizer = load({
        decodingMethod: 'modified_beam_search',
        hotwordsBuf: hotwords,
        hotwordsBufSize,
      })
      // The next utterance tries again.
      recognizer.catch(() => {
        last = undefined
      })
      last = { hotwords, recognizer }
    }
    return last.recognizer
  }
  return {
    async open({ hotwords }) {
      const isPlain = hotwords.length === 0
      const recognizer = isPlain ? plain : await withHotwords(`${hotwords.join('\n')}\n`)
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
